// SPDX-License-Identifier: MIT
// The mount table of a root, through libmount.
#ifndef IODUEL_PROBES_MOUNTS_H
#define IODUEL_PROBES_MOUNTS_H

#include "sysroot.h"

#include <libmount/libmount.h>

struct mounts {
	struct libmnt_table *table; // NULL = this root has no mountinfo
};

void mounts_init(struct mounts *mounts, const struct sysroot *root);
void mounts_fini(struct mounts *mounts);

// The mount that serves an absolute path: by its identity where the kernel
// tells it (mount_id >= 0), else the last one mounted on the longest prefix.
struct libmnt_fs *mounts_find(const struct mounts *mounts, const char *path, int64_t mount_id);

// One option ("upperdir") of the mount's options; false if it is not there.
bool mount_option(struct libmnt_fs *fs, const char *name, char *ret, size_t size);

bool fs_is_memory(const char *type);
bool fs_is_network(const char *type);
bool fs_is_fuse(const char *type);
bool fs_is_pseudo(const char *type);

#endif
