// SPDX-License-Identifier: MIT
// The area that a block workload loads: a file without a name in a directory,
// or the user's file or device. All that opens a target for writing is here.
// Invariant: after scratch_make fd >= 0 and [0, bytes) is fully written.
#ifndef WORKLOADS_ENGINE_SCRATCH_H
#define WORKLOADS_ENGINE_SCRATCH_H

#include <ioduel/error.h>
#include <ioduel/target.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct scratch {
	int fd; // -1 = none
	uint64_t bytes;
	bool own_file;	  // without a name, made by ioduel (perhaps by another worker)
	bool direct;	  // in use
	uint32_t align;	  // for direct I/O, 0 = none
	char sentence[256]; // what the user should know, or ""
};

// Filled in by the thread that makes the file, read by the one that reports.
struct scratch_progress {
	_Atomic uint64_t done, total;
	atomic_bool abort; // set by the reader: give up at the next chunk
};

struct scratch_want {
	const struct target_info *target;
	uint64_t bytes;
	bool write;	      // the workload writes
	bool direct;	      // wanted
	bool direct_required; // by the user: failing is an error, not a sentence
	double compress;      // percent of zeros
	uint64_t seed;
	int shared_fd; // >= 0: use this descriptor, already filled
	bool empty;    // an own file is not laid out: the workload fills it
};

int scratch_make(const struct scratch_want *want, struct scratch_progress *progress, struct scratch *ret, struct error *err);

// Switches O_DIRECT on the (possibly shared) descriptor to what this scratch wants. 0 or -errno.
int scratch_apply_direct(const struct scratch *scratch);

// Drops the file's pages from the cache.
void scratch_drop_cache(const struct scratch *scratch);

// Empties an own file, durably: after ENOSPC, or for a turn that begins with nothing. 0 or -errno.
int scratch_empty(const struct scratch *scratch);

void scratch_fini(struct scratch *scratch);

// A block of content: seeded noise, its first compress percent (of each 4 KiB) zeros.
void scratch_fill(void *buffer, uint64_t size, uint64_t seed, double compress);

#endif
