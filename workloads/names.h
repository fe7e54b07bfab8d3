// SPDX-License-Identifier: MIT
// Many small files: their names, and creating, looking at and deleting them
// one by one. Rule: the names depend on the seed alone, and every operation is
// timed on its own.
#ifndef WORKLOADS_NAMES_H
#define WORKLOADS_NAMES_H

#include "phase.h"
#include "random.h"

#define NAME_BYTES 32

struct names {
	uint32_t n;
	char (*name)[NAME_BYTES];
	uint32_t *order; // in which they are used
	uint64_t size;	 // of each file
	int n_dirs;
	const int *dir; // descriptors; file i lies in dir[i % n_dirs]
};

// Sequential names begin with the number, random ones with up to 12 random characters.
int names_init(struct names *names, uint32_t n, bool random_first, uint64_t seed);
void names_shuffle(struct names *names, uint64_t seed);
void names_fini(struct names *names);

// Operations first .. last-1 in the order; 0 or -errno with a sentence. -ECANCELED when the turn is to end.
int names_create(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err);
int names_stat(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err);
int names_delete(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err);

// As the directories list them (single directory): what a program does that walks a tree.
int names_stat_listed(const struct names *names, struct phase *ph, struct error *err);
int names_delete_listed(const struct names *names, struct phase *ph, struct error *err);

#endif
