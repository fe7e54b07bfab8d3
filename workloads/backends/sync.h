// SPDX-License-Identifier: MIT
// One request carried out by blocking calls; what backend_sync does and
// backend_fault builds on.
#ifndef WORKLOADS_BACKENDS_SYNC_H
#define WORKLOADS_BACKENDS_SYNC_H

#include <ioduel/backend.h>

// Bytes or negative errno. A call that was interrupted is made again.
int32_t sync_execute(int fd, const struct io_request *request);

#endif
