// SPDX-License-Identifier: MIT
// The inside of the topology: one walk from a path down to the devices. Each
// function adds the layers of its kind below a parent and walks on.
#ifndef IODUEL_PROBES_WALK_H
#define IODUEL_PROBES_WALK_H

#include "mounts.h"
#include "sysroot.h"

#include <ioduel/stack.h>

struct walk {
	struct sysroot *root;
	struct stack *stack;
	struct mounts mounts;
	int depth; // of files within file systems within files
};

// Adds a layer below parent and fills in "unknown"; its index, or -1 where the
// stack is full (every walk_* function then does nothing below it).
int walk_add(struct walk *w, int parent, enum layer_kind kind, const char *name);
static inline struct layer *
walk_layer(struct walk *w, int index)
{
	return &w->stack->layer[index];
}

// Adds a leaf that nothing can be said about but why.
__attribute__((format(printf, 4, 5))) void walk_unknown(struct walk *w, int parent, const char *name, const char *fmt,
							 ...);

// stack_fs.c: the file system that a mount shows, and all below it.
void walk_fs(struct walk *w, int parent, struct libmnt_fs *fs);
// A file or directory that something above is kept in: its file system and on.
void walk_file(struct walk *w, int parent, const char *path);

// stack_block.c: a block device by number, by the kernel's name, by path below /dev.
void walk_block(struct walk *w, int parent, unsigned major, unsigned minor);
void walk_block_named(struct walk *w, int parent, const char *name);
void walk_block_path(struct walk *w, int parent, const char *path);
// Kernel name of a path below /dev ("/dev/mapper/x": "dm-0"); false if unknown.
bool block_name_of_path(const struct sysroot *root, const char *path, char *ret, size_t size);

// Adds the layer of a block device's sysfs directory, with number, size and queue.
int block_add_layer(struct walk *w, int parent, enum layer_kind kind, const char *dir);
// Walks on to every device of dir's slaves/; how many there were.
int block_walk_slaves(struct walk *w, int parent, const char *dir);

// stack_dm.c: device mapper.
void walk_dm(struct walk *w, int parent, const char *dir);

// stack_disk.c: what sysfs tells about a queue (disk or layer) and about hardware.
void disk_read_queue(const struct sysroot *root, const char *dir, struct layer *layer);
void disk_read_hardware(const struct sysroot *root, const char *dir, struct layer *layer);

// stack_zfs.c: the pool of a dataset.
void walk_zfs(struct walk *w, int parent, const char *source);

#endif
