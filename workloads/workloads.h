// SPDX-License-Identifier: MIT
// What the files of this room know of each other: the workloads that the
// registry lists, and the presets. Rule: only registry.c lists them.
#ifndef WORKLOADS_WORKLOADS_H
#define WORKLOADS_WORKLOADS_H

#include <ioduel/workload.h>

extern const struct workload workload_command, workload_bonnie, workload_metadata, workload_fio, workload_synclog;
extern const struct workload workload_randread, workload_randwrite, workload_randrw, workload_seqread, workload_seqwrite;

// A named combination: workload and its keys.
struct workload_preset {
	const char *name;
	const char *summary;
	const char *workload;
	const char *list; // "key=value,..."
};

extern const struct workload_preset workload_presets[]; // ends with a NULL name

#endif
