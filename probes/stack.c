// SPDX-License-Identifier: MIT
// The stack of a target: where the walk starts. One rule: on the running
// machine the kernel says which mount serves a path (its mount id); only a
// recorded root is asked by the longest prefix.

#include "walk.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

int
walk_add(struct walk *w, int parent, enum layer_kind kind, const char *name)
{
	struct stack *stack = w->stack;
	if (parent < 0 && stack->n_layers > 0)
		return -1;
	if (stack->n_layers == STACK_LAYERS_MAX) {
		stack->truncated = true;
		return -1;
	}
	struct layer *layer = &stack->layer[stack->n_layers];
	memset(layer, 0, sizeof(*layer));
	layer->kind = kind;
	layer->parent = parent;
	layer->rotational = layer->write_cache = layer->discard = -1;
	text_copy(layer->name, sizeof(layer->name), name);
	return stack->n_layers++;
}

void
walk_unknown(struct walk *w, int parent, const char *name, const char *fmt, ...)
{
	int index = walk_add(w, parent, LAYER_UNKNOWN, name);
	if (index < 0)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(walk_layer(w, index)->detail, LAYER_NAME_MAX, fmt, ap);
	va_end(ap);
	walk_layer(w, index)->leaf = true;
}

// What the content of a raw device says that it is ("ext4", "LVM2_member").
static void
read_content(const struct stack *stack, struct layer *layer)
{
	const char *type = NULL;
	blkid_probe probe = blkid_new_probe_from_filename(stack->real_path);
	if (!probe)
		return;
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
	if (blkid_do_safeprobe(probe) == 0 && blkid_probe_lookup_value(probe, "TYPE", &type, NULL) == 0)
		text_append(layer->detail, sizeof(layer->detail), "contains %s", type);
	blkid_free_probe(probe);
}

static void
read_mount(struct walk *w, struct libmnt_fs *fs)
{
	struct stack *stack = w->stack;
	const char *target = mnt_fs_get_target(fs), *source = mnt_fs_get_source(fs), *root = mnt_fs_get_root(fs);
	const char *type = mnt_fs_get_fstype(fs), *options = mnt_fs_get_options(fs);
	text_copy(stack->fs_type, sizeof(stack->fs_type), type ? type : "");
	text_copy(stack->mount_point, sizeof(stack->mount_point), target ? target : "");
	text_copy(stack->mount_source, sizeof(stack->mount_source), source ? source : "");
	text_copy(stack->mount_options, sizeof(stack->mount_options), options ? options : "");
	int index = walk_add(w, 0, LAYER_MOUNT, stack->mount_point);
	if (index < 0)
		return;
	struct layer *layer = walk_layer(w, index);
	text_copy(layer->detail, sizeof(layer->detail), stack->mount_options);
	if (root && strcmp(root, "/") != 0 && type) {
		// the part of the file system that is mounted here
		const char *what = strcmp(type, "btrfs") == 0 ? "subvolume" : "bind mount of";
		layer->detail[0] = '\0';
		text_append(layer->detail, sizeof(layer->detail), "%s %s; %s", what, root, stack->mount_options);
	}
	walk_fs(w, index, fs);
}

static void
read_space(struct stack *stack)
{
	struct statvfs vfs;
	if (statvfs(stack->real_path, &vfs) < 0)
		return;
	stack->fs_size_bytes = (uint64_t)vfs.f_blocks * vfs.f_frsize;
	stack->fs_free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
}

static int
resolve_recorded(struct walk *w)
{
	struct stack *stack = w->stack;
	char name[DISK_NAME_MAX];
	text_copy(stack->real_path, sizeof(stack->real_path), stack->path);
	if (strncmp(stack->path, "/dev/", 5) == 0 && block_name_of_path(w->root, stack->path, name, sizeof(name))) {
		stack->is_device = true;
		walk_block_named(w, 0, name);
		return 0;
	}
	struct libmnt_fs *fs = mounts_find(&w->mounts, stack->path, -1);
	if (fs)
		read_mount(w, fs);
	else
		walk_unknown(w, 0, stack->path, "on no file system of the recorded mount table");
	return 0;
}

static int
resolve_running(struct walk *w, struct error *err)
{
	struct stack *stack = w->stack;
	struct statx stx;
	if (!realpath(stack->path, stack->real_path) ||
	    statx(AT_FDCWD, stack->real_path, 0, STATX_BASIC_STATS | STATX_MNT_ID, &stx) < 0)
		return error_set_status(err, -errno, EXIT_USAGE, "%s: %s", stack->path, strerror(errno));
	if (S_ISBLK(stx.stx_mode)) {
		stack->is_device = true;
		read_content(stack, walk_layer(w, 0));
		walk_block(w, 0, stx.stx_rdev_major, stx.stx_rdev_minor);
		return 0;
	}
	int64_t mount_id = stx.stx_mask & STATX_MNT_ID ? (int64_t)stx.stx_mnt_id : -1;
	struct libmnt_fs *fs = mounts_find(&w->mounts, stack->real_path, mount_id);
	read_space(stack);
	if (fs)
		read_mount(w, fs);
	else if (stx.stx_dev_major != 0)
		walk_block(w, 0, stx.stx_dev_major, stx.stx_dev_minor);
	else
		walk_unknown(w, 0, stack->path, "on no file system of the mount table");
	return 0;
}

static void
conclude(struct stack *stack)
{
	int leaves = 0, memory = 0;
	for (int i = 0; i < stack->n_layers; i++) {
		leaves += stack->layer[i].leaf;
		memory += stack->layer[i].leaf && stack->layer[i].kind == LAYER_MEMORY;
		stack->is_network |= stack->layer[i].kind == LAYER_NETWORK;
	}
	stack->is_memory = leaves > 0 && memory == leaves;
}

int
stack_resolve(struct sysroot *root, const char *path, struct stack *ret, struct error *err)
{
	struct walk w = {.root = root, .stack = ret};
	if (strlen(path) >= sizeof(ret->path))
		return error_set_status(err, -ENAMETOOLONG, EXIT_USAGE, "the path is too long");
	memset(ret, 0, sizeof(*ret));
	text_copy(ret->path, sizeof(ret->path), path);
	walk_add(&w, -1, LAYER_PATH, path);
	mounts_init(&w.mounts, root);
	int error = sysroot_is_recorded(root) ? resolve_recorded(&w) : resolve_running(&w, err);
	mounts_fini(&w.mounts);
	if (!error)
		conclude(ret);
	return error;
}
