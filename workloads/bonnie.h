// SPDX-License-Identifier: MIT
// The parts of the bonnie workload.
#ifndef WORKLOADS_BONNIE_H
#define WORKLOADS_BONNIE_H

#include "engine/scratch_dir.h"
#include "phase.h"

// As bonnie++: a phase below this is "+++++".
#define BONNIE_SHORTEST_S 0.5

struct bonnie {
	struct pass *pass;
	struct scratch_dir dir;
	struct tally *tally;
	char *chunk; // chunk_bytes
	uint64_t file_bytes;
	uint32_t chunk_bytes, seekers, seeks, files;
	uint64_t seed;
	bool per_char;
};

// putc, put_block, rewrite, getc, get_block, seeks. 0 or -errno.
int bonnie_file_phases(struct bonnie *b, struct error *err);
// seq_create ... ran_del.
int bonnie_name_phases(struct bonnie *b, struct error *err);
// The seeks, by forked processes.
int bonnie_seeks(struct bonnie *b, struct error *err);

int bonnie_stopped(struct error *err);

#endif
