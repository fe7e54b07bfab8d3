// SPDX-License-Identifier: MIT
// What speaks against writing to a block device.
#ifndef WORKLOADS_ENGINE_DEVICE_H
#define WORKLOADS_ENGINE_DEVICE_H

#include <ioduel/error.h>

#include <sys/stat.h>

// 0 if nobody uses the device and nothing recognisable is stored on it; else
// -errno (EXIT_REFUSED) with a sentence that says what was found.
int device_refuse_if_used(const char *path, struct error *err);

// The same for a file or device that a loop device serves: whatever is mounted from there would change under its
// file system. st is that of path.
int device_refuse_if_loop(const char *path, const struct stat *st, struct error *err);

#endif
