// SPDX-License-Identifier: MIT
// What the files of this room know of each other: the workloads that the
// registry lists. Rule: only registry.c lists them.
#ifndef WORKLOADS_WORKLOADS_H
#define WORKLOADS_WORKLOADS_H

#include <ioduel/workload.h>

extern const struct workload workload_command, workload_bonnie, workload_metadata, workload_fio, workload_synclog;
extern const struct workload workload_randread, workload_randwrite, workload_randrw, workload_seqread, workload_seqwrite;

#endif
