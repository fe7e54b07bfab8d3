// SPDX-License-Identifier: MIT
// The walk through file systems: which devices, files, hosts or memory a mount
// keeps its data in. One rule: what the mount table and sysfs do not prove is
// an unknown leaf with its reason, never a guess.

#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char *
text_or_empty(const char *text)
{
	return text ? text : "";
}

// The directory of the file system that the named device belongs to.
static bool
find_btrfs(const struct sysroot *root, const char *device, char *ret, size_t size)
{
	DIR *dir = sysroot_opendir(root, "sys/fs/btrfs");
	const struct dirent *entry;
	bool found = false;
	while (dir && !found && (entry = sysroot_next(dir))) {
		found = sysroot_exists(root, "sys/fs/btrfs/%s/devices/%s", entry->d_name, device);
		if (found)
			snprintf(ret, size, "sys/fs/btrfs/%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static int
profile_copies(const char *profile)
{
	static const struct {
		const char *name;
		int copies;
	} table[] = {{"dup", 2}, {"raid1", 2}, {"raid10", 2}, {"raid1c3", 3}, {"raid1c4", 4}};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(profile, table[i].name) == 0)
			return table[i].copies;
	return 0;
}

// "data raid1" appended to detail; during a conversion a kind has several profiles.
static void
read_profiles(struct walk *w, struct layer *layer, const char *fs_dir, const char *kind)
{
	static const char *const names[] = {"single", "dup", "raid0", "raid1", "raid1c3", "raid1c4", "raid10", "raid5",
					    "raid6"};
	bool is_data = strcmp(kind, "data") == 0;
	int n = 0, copies = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!sysroot_exists(w->root, "%s/allocation/%s/%s", fs_dir, kind, names[i]))
			continue;
		text_append(layer->detail, sizeof(layer->detail), "%s%s%s", n ? "+" : layer->detail[0] ? ", " : "",
			    n ? "" : is_data ? "data " : "metadata ", names[i]);
		copies = n == 0 || copies == profile_copies(names[i]) ? profile_copies(names[i]) : 0;
		if (is_data && (copies > 1 || strcmp(names[i], "raid5") == 0 || strcmp(names[i], "raid6") == 0))
			layer->redundant = true;
		n++;
	}
	if (is_data)
		layer->copies = copies;
}

static void
walk_btrfs_missing(struct walk *w, int parent, const char *fs_dir)
{
	DIR *dir = sysroot_opendir(w->root, "%s/devinfo", fs_dir);
	const struct dirent *entry;
	uint64_t missing;
	while (dir && (entry = sysroot_next(dir)))
		if (sysroot_read_u64(w->root, &missing, "%s/devinfo/%s/missing", fs_dir, entry->d_name) == 0 && missing)
			walk_unknown(w, parent, "missing device", "device %s of the file system is missing", entry->d_name);
	if (dir)
		closedir(dir);
}

static void
walk_btrfs(struct walk *w, int parent, struct libmnt_fs *fs)
{
	char name[DISK_NAME_MAX], dir_path[512];
	const char *source = text_or_empty(mnt_fs_get_source(fs));
	if (!block_name_of_path(w->root, source, name, sizeof(name))) {
		walk_unknown(w, parent, source, "device of the file system not found");
		return;
	}
	if (!find_btrfs(w->root, name, dir_path, sizeof(dir_path))) {
		walk_block_named(w, parent, name);
		return;
	}
	struct layer *layer = walk_layer(w, parent);
	read_profiles(w, layer, dir_path, "data");
	read_profiles(w, layer, dir_path, "metadata");
	char names[64][DISK_NAME_MAX];
	int n = 0;
	DIR *dir = sysroot_opendir(w->root, "%s/devices", dir_path);
	const struct dirent *entry;
	while (dir && n < 64 && (entry = sysroot_next(dir)))
		text_copy(names[n++], DISK_NAME_MAX, entry->d_name);
	if (dir)
		closedir(dir);
	qsort(names, (size_t)n, sizeof(names[0]), (int (*)(const void *, const void *))strcmp);
	for (int i = 0; i < n; i++)
		walk_block_named(w, parent, names[i]);
	walk_btrfs_missing(w, parent, dir_path);
}

static bool
is_visible(const struct walk *w, const char *path, struct libmnt_fs *above)
{
	if (path[0] != '/')
		return false;
	if (!sysroot_is_recorded(w->root)) {
		struct stat st;
		// in a container the host's path is not there, or is something else of the same name
		return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_dev != mnt_fs_get_devno(above);
	}
	struct libmnt_fs *fs = mounts_find(&w->mounts, path, -1);
	return fs && mnt_fs_get_devno(fs) != mnt_fs_get_devno(above);
}

static void
walk_overlay(struct walk *w, int parent, struct libmnt_fs *fs)
{
	char upper[SYSPATH_MAX];
	if (!mount_option(fs, "upperdir", upper, sizeof(upper))) {
		walk_unknown(w, parent, "lower layers", "the overlay has no upper layer: it is read only");
		return;
	}
	text_append(walk_layer(w, parent)->detail, LAYER_NAME_MAX, "upper layer %s", upper);
	if (is_visible(w, upper, fs))
		walk_file(w, parent, upper);
	else
		walk_unknown(w, parent, "upper layer", "%s is not visible from here (a container?)", upper);
}

static void
walk_network(struct walk *w, int parent, struct libmnt_fs *fs)
{
	static const char *const options[] = {"vers", "proto", "addr", "rsize", "wsize", "cache"};
	int index = walk_add(w, parent, LAYER_NETWORK, text_or_empty(mnt_fs_get_source(fs)));
	if (index < 0)
		return;
	struct layer *layer = walk_layer(w, index);
	char value[128];
	layer->leaf = true;
	const char *type = text_or_empty(mnt_fs_get_fstype(fs));
	if (strcmp(type, "9p") == 0 || strcmp(type, "virtiofs") == 0 || strcmp(type, "vboxsf") == 0)
		text_append(layer->detail, sizeof(layer->detail), "shared by the host");
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (mount_option(fs, options[i], value, sizeof(value)))
			text_append(layer->detail, sizeof(layer->detail), "%s%s=%s", layer->detail[0] ? "," : "", options[i],
				    value);
}

// Directories or devices that a FUSE file system names as its source ("/a:/b"); 0 if it names none.
static int
walk_sources(struct walk *w, int parent, struct libmnt_fs *fs)
{
	char list[SYSPATH_MAX], *rest = list, *path;
	int n = 0;
	text_copy(list, sizeof(list), text_or_empty(mnt_fs_get_source(fs)));
	while ((path = strsep(&rest, ":"))) {
		char name[DISK_NAME_MAX];
		if (strncmp(path, "/dev/", 5) == 0 && block_name_of_path(w->root, path, name, sizeof(name)))
			walk_block_named(w, parent, name);
		else if (is_visible(w, path, fs))
			walk_file(w, parent, path);
		else
			continue;
		n++;
	}
	return n;
}

static bool
is_zfs(const char *type)
{
	return strcmp(type, "zfs") == 0 || strcmp(type, "fuse.zfs") == 0;
}

static void
walk_memory(struct walk *w, int parent, struct libmnt_fs *fs)
{
	int index = walk_add(w, parent, LAYER_MEMORY, "memory");
	if (index < 0)
		return;
	walk_layer(w, index)->leaf = true;
	char size[64];
	if (mount_option(fs, "size", size, sizeof(size)))
		text_append(walk_layer(w, index)->detail, LAYER_NAME_MAX, "at most %s", size);
}

// Devices beside the main one: external logs.
static void
walk_extra(struct walk *w, int parent, struct libmnt_fs *fs)
{
	static const struct {
		const char *option;
		enum layer_role role;
	} table[] = {{"logdev", ROLE_LOG}, {"rtdev", ROLE_DATA}, {"journal_path", ROLE_LOG}};
	char path[SYSPATH_MAX];
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!mount_option(fs, table[i].option, path, sizeof(path)))
			continue;
		int first = w->stack->n_layers;
		walk_block_path(w, parent, path);
		if (first < w->stack->n_layers)
			walk_layer(w, first)->role = table[i].role;
	}
}

static void
walk_fs_below(struct walk *w, int index, struct libmnt_fs *fs)
{
	const char *type = text_or_empty(mnt_fs_get_fstype(fs));
	dev_t dev = mnt_fs_get_devno(fs);
	if (fs_is_memory(type)) {
		walk_memory(w, index, fs);
	} else if (strcmp(type, "btrfs") == 0) {
		walk_btrfs(w, index, fs);
	} else if (strcmp(type, "overlay") == 0) {
		walk_overlay(w, index, fs);
	} else if (fs_is_network(type)) {
		walk_network(w, index, fs);
	} else if (is_zfs(type)) {
		walk_zfs(w, index, text_or_empty(mnt_fs_get_source(fs)));
	} else if (major(dev) != 0) {
		walk_block(w, index, major(dev), minor(dev));
		walk_extra(w, index, fs);
	} else if (walk_sources(w, index, fs) == 0) {
		walk_unknown(w, index, type, "nothing tells where %s keeps its data", type);
	}
}

void
walk_fs(struct walk *w, int parent, struct libmnt_fs *fs)
{
	int index = walk_add(w, parent, LAYER_FS, text_or_empty(mnt_fs_get_fstype(fs)));
	if (index < 0)
		return;
	char value[64];
	struct layer *layer = walk_layer(w, index);
	layer->compressed = (mount_option(fs, "compress", value, sizeof(value)) ||
			     mount_option(fs, "compress-force", value, sizeof(value)) ||
			     mount_option(fs, "compress_algorithm", value, sizeof(value))) &&
			    strcmp(value, "no") != 0 && strcmp(value, "none") != 0;
	walk_fs_below(w, index, fs);
}

void
walk_file(struct walk *w, int parent, const char *path)
{
	int index = walk_add(w, parent, LAYER_FILE, path);
	if (index < 0)
		return;
	int64_t mount_id = -1;
	struct stat st;
	if (w->depth > 16) {
		walk_unknown(w, index, path, "too many layers");
		return;
	}
	if (!sysroot_is_recorded(w->root)) {
		struct statx stx;
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			walk_layer(w, index)->size_bytes = (uint64_t)st.st_size;
		if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_MNT_ID, &stx) < 0) {
			walk_unknown(w, index, path, "not visible from here: %s", strerror(errno));
			return;
		}
		if (stx.stx_mask & STATX_MNT_ID)
			mount_id = (int64_t)stx.stx_mnt_id;
	}
	struct libmnt_fs *fs = mounts_find(&w->mounts, path, mount_id);
	w->depth++;
	if (fs)
		walk_fs(w, index, fs);
	else
		walk_unknown(w, index, path, "on no file system of the mount table");
	w->depth--;
}
