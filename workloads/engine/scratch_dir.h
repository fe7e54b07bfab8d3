// SPDX-License-Identifier: MIT
// A directory for workloads whose files must have names. Invariant: while it
// exists it holds a marker that names the directory's own inode, and the
// process that made it holds a lock on the marker; so what a killed run left
// behind is told from anything else.
#ifndef WORKLOADS_ENGINE_SCRATCH_DIR_H
#define WORKLOADS_ENGINE_SCRATCH_DIR_H

#include <ioduel/error.h>
#include <ioduel/target.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct scratch_dir {
	int fd;	       // of the directory, -1 = none
	int parent_fd;
	int marker_fd; // locked
	char name[32];
};

int scratch_dir_make(const char *parent, struct scratch_dir *ret, struct error *err);

// Removes it with all that is in it. 0 or -errno of the first thing that could not be removed.
int scratch_dir_remove(struct scratch_dir *dir);

// A subdirectory; its descriptor or -errno.
int scratch_dir_sub(int dir_fd, const char *name);

// A new, empty file, open for writing and reading; or -errno.
int scratch_dir_create(int dir_fd, const char *name);
// One that exists, for reading and writing.
int scratch_dir_reopen(int dir_fd, const char *name);

#endif
