// SPDX-License-Identifier: MIT
// The walk through block devices: partition, dm, md, bcache, loop, zram, NVMe
// multipath, down to disks. One rule: a device is known by its number and its
// sysfs directory, never by what its name looks like; a layer is what sysfs
// keeps a directory for.

#include "walk.h"

#include <errno.h>
#include <ioduel/clock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static void walk_dir(struct walk *w, int parent, const char *dir);

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int
block_add_layer(struct walk *w, int parent, enum layer_kind kind, const char *dir)
{
	int index = walk_add(w, parent, kind, base_name(dir));
	if (index < 0)
		return index;
	struct layer *layer = walk_layer(w, index);
	char text[32];
	uint64_t sectors;
	if (sysroot_read(w->root, text, sizeof(text), "%s/dev", dir) > 0)
		layer->has_dev = sscanf(text, "%u:%u", &layer->major, &layer->minor) == 2;
	if (sysroot_read_u64(w->root, &sectors, "%s/size", dir) == 0)
		layer->size_bytes = sectors * SECTOR_BYTES;
	disk_read_queue(w->root, dir, layer);
	return index;
}

int
block_walk_slaves(struct walk *w, int parent, const char *dir)
{
	char real[SYSPATH_MAX];
	DIR *slaves = sysroot_opendir(w->root, "%s/slaves", dir);
	const struct dirent *entry;
	int n = 0;
	while (slaves && (entry = sysroot_next(slaves))) {
		if (sysroot_real_path(w->root, real, sizeof(real), "%s/slaves/%s", dir, entry->d_name) == 0 &&
		    sysroot_exists(w->root, "%s/size", real))
			walk_dir(w, parent, real);
		else // a recorded root without links: the name is all there is
			walk_block_named(w, parent, entry->d_name);
		n++;
	}
	if (slaves)
		closedir(slaves);
	return n;
}

// Copies that an md level keeps of each byte.
static void
describe_md(struct walk *w, struct layer *layer, const char *dir)
{
	char level[32], state[64];
	uint64_t disks = 0, layout = 0;
	if (sysroot_read(w->root, level, sizeof(level), "%s/md/level", dir) <= 0)
		return;
	text_copy(layer->detail, sizeof(layer->detail), level);
	bool has_disks = sysroot_read_u64(w->root, &disks, "%s/md/raid_disks", dir) == 0;
	if (has_disks)
		text_append(layer->detail, sizeof(layer->detail), " of %llu", (unsigned long long)disks);
	if (strcmp(level, "raid1") == 0)
		layer->copies = has_disks ? (int)disks : 0;
	// raid10 layout: near copies in bits 0..7, far copies in bits 8..15
	if (strcmp(level, "raid10") == 0 && sysroot_read_u64(w->root, &layout, "%s/md/layout", dir) == 0)
		layer->copies = (int)((layout & 0xff) * (layout >> 8 & 0xff));
	layer->redundant = strcmp(level, "raid0") != 0 && strcmp(level, "linear") != 0 &&
			   strcmp(level, "container") != 0;
	uint64_t degraded;
	if (sysroot_read_u64(w->root, &degraded, "%s/md/degraded", dir) == 0 && degraded > 0)
		text_append(layer->detail, sizeof(layer->detail), ", %llu missing", (unsigned long long)degraded);
	if (sysroot_read(w->root, state, sizeof(state), "%s/md/sync_action", dir) > 0 && strcmp(state, "idle") != 0)
		text_append(layer->detail, sizeof(layer->detail), ", %s", state);
}

// A member's role: md/dev-NAME/state is "in_sync", "spare", "faulty", "in_sync,journal", ...
static void
mark_md_members(struct walk *w, int index, int end, const char *dir)
{
	char state[64];
	for (int i = index + 1; i < end; i++) {
		struct layer *member = walk_layer(w, i);
		if (member->parent != index ||
		    sysroot_read(w->root, state, sizeof(state), "%s/md/dev-%s/state", dir, member->name) <= 0)
			continue;
		if (strstr(state, "journal"))
			member->role = ROLE_LOG;
		else if (strstr(state, "spare"))
			member->role = ROLE_SPARE;
		if (strstr(state, "faulty"))
			text_append(member->detail, sizeof(member->detail), "%sfaulty", member->detail[0] ? ", " : "");
	}
}

static void
walk_md(struct walk *w, int parent, const char *dir)
{
	int index = block_add_layer(w, parent, LAYER_RAID, dir);
	if (index < 0)
		return;
	describe_md(w, walk_layer(w, index), dir);
	block_walk_slaves(w, index, dir);
	mark_md_members(w, index, w->stack->n_layers, dir);
}

// A child of index by its kernel name, -1 if there is none.
static int
find_child(const struct walk *w, int index, const char *name)
{
	for (int i = index + 1; i < w->stack->n_layers; i++)
		if (w->stack->layer[i].parent == index && strcmp(w->stack->layer[i].name, name) == 0)
			return i;
	return -1;
}

// The cache set of a bcache device: bcache/cache/cacheN links to the caching
// device's bcache directory. That device is among the slaves, too.
static void
mark_bcache_set(struct walk *w, int index, const char *dir)
{
	char real[SYSPATH_MAX];
	DIR *set = sysroot_opendir(w->root, "%s/bcache/cache", dir);
	const struct dirent *entry;
	while (set && (entry = sysroot_next(set))) {
		if (strncmp(entry->d_name, "cache", 5) != 0 || entry->d_name[5] < '0' || entry->d_name[5] > '9')
			continue;
		if (sysroot_real_path(w->root, real, sizeof(real), "%s/bcache/cache/%s", dir, entry->d_name) < 0)
			continue;
		char *slash = strrchr(real, '/');
		if (!slash || strcmp(slash, "/bcache") != 0)
			continue;
		*slash = '\0';
		if (find_child(w, index, base_name(real)) < 0)
			walk_dir(w, index, real);
		int child = find_child(w, index, base_name(real));
		if (child >= 0)
			walk_layer(w, child)->role = ROLE_CACHE;
	}
	if (set)
		closedir(set);
}

// The chosen word of a list such as "[writethrough] writeback none".
static bool
chosen_word(const char *list, char *ret, size_t size)
{
	const char *open = strchr(list, '['), *close = open ? strchr(open, ']') : NULL;
	if (!close || (size_t)(close - open) > size)
		return false;
	memcpy(ret, open + 1, (size_t)(close - open - 1));
	ret[close - open - 1] = '\0';
	return true;
}

static void
walk_bcache(struct walk *w, int parent, const char *dir)
{
	int index = block_add_layer(w, parent, LAYER_CACHE, dir);
	if (index < 0)
		return;
	struct layer *layer = walk_layer(w, index);
	char text[128], mode[32], state[32];
	text_copy(layer->detail, sizeof(layer->detail), "bcache");
	if (sysroot_read(w->root, text, sizeof(text), "%s/bcache/cache_mode", dir) > 0 &&
	    chosen_word(text, mode, sizeof(mode)))
		text_append(layer->detail, sizeof(layer->detail), " %s", mode);
	if (sysroot_read(w->root, state, sizeof(state), "%s/bcache/state", dir) > 0)
		text_append(layer->detail, sizeof(layer->detail), ", %s", state);
	block_walk_slaves(w, index, dir);
	mark_bcache_set(w, index, dir);
}

static void
walk_loop(struct walk *w, int parent, const char *dir)
{
	int index = block_add_layer(w, parent, LAYER_LOOP, dir);
	if (index < 0)
		return;
	char file[SYSPATH_MAX];
	uint64_t direct;
	if (sysroot_read_u64(w->root, &direct, "%s/loop/dio", dir) == 0)
		text_copy(walk_layer(w, index)->detail, LAYER_NAME_MAX, direct ? "direct I/O" : "buffered: its file is cached");
	if (sysroot_read(w->root, file, sizeof(file), "%s/loop/backing_file", dir) > 0)
		walk_file(w, index, file);
	else
		walk_unknown(w, index, "backing file", "not told by this kernel");
}

static void
walk_zram(struct walk *w, int parent, const char *dir)
{
	int index = block_add_layer(w, parent, LAYER_MEMORY, dir);
	if (index < 0)
		return;
	struct layer *layer = walk_layer(w, index);
	char text[128], name[32];
	layer->leaf = true;
	layer->compressed = true;
	text_copy(layer->detail, sizeof(layer->detail), "compressed memory");
	if (sysroot_read(w->root, text, sizeof(text), "%s/comp_algorithm", dir) > 0 &&
	    chosen_word(text, name, sizeof(name)))
		text_append(layer->detail, sizeof(layer->detail), " (%s)", name);
	if (sysroot_read(w->root, text, sizeof(text), "%s/backing_dev", dir) > 0 && strcmp(text, "none") != 0) {
		int first = w->stack->n_layers;
		walk_block_path(w, index, text);
		if (first < w->stack->n_layers)
			layer->leaf = false;
	}
}

// Number of a hidden device: sysfs keeps none, recent kernels count it under one all the same.
static void
find_hidden_number(struct walk *w, struct layer *layer)
{
	static const size_t size = 4 << 20;
	char *text = malloc(size);
	char wanted[LAYER_NAME_MAX + 2];
	snprintf(wanted, sizeof(wanted), " %s ", layer->name);
	if (text && sysroot_read(w->root, text, size, "proc/diskstats") > 0) {
		char *at = strstr(text, wanted);
		while (at && at > text && at[-1] != '\n')
			at--;
		unsigned major, minor;
		if (at && sscanf(at, "%u %u", &major, &minor) == 2 && major != 0) {
			layer->major = major;
			layer->minor = minor;
			layer->has_dev = true;
		}
	}
	free(text);
}

// The hidden paths of a native NVMe multipath device: nvmeXcYnZ of nvmeXnZ, kept in the controllers' directories.
static int
walk_nvme_paths(struct walk *w, int parent, const char *dir, const char *subsystem)
{
	const char *head = base_name(dir);
	const char *namespace = strrchr(head, 'n'); // "n1" of "nvme0n1"
	DIR *controllers = sysroot_opendir(w->root, "%s", subsystem);
	const struct dirent *entry, *path;
	int n = 0;
	while (controllers && (entry = sysroot_next(controllers))) {
		if (strncmp(entry->d_name, "nvme", 4) != 0 || strchr(entry->d_name + 4, 'n'))
			continue;
		DIR *paths = sysroot_opendir(w->root, "%s/%s", subsystem, entry->d_name);
		while (paths && (path = sysroot_next(paths))) {
			const char *own = strrchr(path->d_name, 'n');
			const char *c = strchr(path->d_name, 'c');
			char real[SYSPATH_MAX];
			if (strncmp(path->d_name, "nvme", 4) != 0 || !c || !own || strcmp(own, namespace) != 0)
				continue;
			if (sysroot_real_path(w->root, real, sizeof(real), "%s/%s/%s", subsystem, entry->d_name,
					      path->d_name) < 0)
				continue;
			int index = block_add_layer(w, parent, LAYER_DISK, real);
			if (index < 0)
				continue;
			struct layer *layer = walk_layer(w, index);
			char state[64];
			layer->leaf = layer->physical = true;
			if (!layer->has_dev)
				find_hidden_number(w, layer);
			if (sysroot_read(w->root, state, sizeof(state), "%s/ana_state", real) > 0)
				text_append(layer->detail, sizeof(layer->detail), "path %s", state);
			disk_read_hardware(w->root, real, layer);
			n++;
		}
		if (paths)
			closedir(paths);
	}
	if (controllers)
		closedir(controllers);
	return n;
}

// True if it was one: the head of a multipath device hangs on a subsystem, not on a controller.
static bool
walk_nvme_head(struct walk *w, int parent, const char *dir)
{
	char subsystem[SYSPATH_MAX];
	if (sysroot_real_path(w->root, subsystem, sizeof(subsystem), "%s/device", dir) < 0 ||
	    strncmp(base_name(subsystem), "nvme-subsys", 11) != 0)
		return false;
	int index = block_add_layer(w, parent, LAYER_MULTIPATH, dir);
	if (index < 0)
		return true;
	struct layer *layer = walk_layer(w, index);
	disk_read_hardware(w->root, dir, layer);
	int first = w->stack->n_layers;
	int n = walk_nvme_paths(w, index, dir, subsystem);
	text_append(layer->detail, sizeof(layer->detail), "NVMe multipath, %d path%s", n, n == 1 ? "" : "s");
	bool numbered = n > 0;
	for (int i = first; i < w->stack->n_layers; i++) {
		numbered &= walk_layer(w, i)->has_dev;
		text_copy(walk_layer(w, i)->model, sizeof(layer->model), layer->model);
	}
	if (!numbered) { // the head is then the only one that can be counted
		layer->leaf = layer->physical = true;
		for (int i = first; i < w->stack->n_layers; i++)
			walk_layer(w, i)->leaf = false;
	}
	return true;
}

static void
walk_disk(struct walk *w, int parent, const char *dir)
{
	int index = block_add_layer(w, parent, LAYER_DISK, dir);
	if (index < 0)
		return;
	struct layer *layer = walk_layer(w, index);
	layer->leaf = true;
	disk_read_hardware(w->root, dir, layer);
}

static void
walk_dir(struct walk *w, int parent, const char *dir)
{
	if (w->depth > 16) {
		walk_unknown(w, parent, base_name(dir), "too many layers");
		return;
	}
	w->depth++;
	if (sysroot_exists(w->root, "%s/partition", dir)) {
		char whole[SYSPATH_MAX];
		int index = block_add_layer(w, parent, LAYER_PARTITION, dir);
		text_copy(whole, sizeof(whole), dir);
		*strrchr(whole, '/') = '\0';
		if (index >= 0) {
			disk_read_queue(w->root, whole, walk_layer(w, index));
			walk_dir(w, index, whole);
		}
	} else if (sysroot_exists(w->root, "%s/dm", dir)) {
		walk_dm(w, parent, dir);
	} else if (sysroot_exists(w->root, "%s/md", dir)) {
		walk_md(w, parent, dir);
	} else if (sysroot_exists(w->root, "%s/bcache/cache_mode", dir) && strncmp(base_name(dir), "bcache", 6) == 0) {
		walk_bcache(w, parent, dir);
	} else if (sysroot_exists(w->root, "%s/loop", dir)) {
		walk_loop(w, parent, dir);
	} else if (sysroot_exists(w->root, "%s/comp_algorithm", dir)) {
		walk_zram(w, parent, dir);
	} else if (!walk_nvme_head(w, parent, dir)) {
		walk_disk(w, parent, dir);
	}
	w->depth--;
}

// Looks a number up in the directories of sysfs, for roots without sys/dev/block.
static bool
find_by_number(struct walk *w, unsigned major, unsigned minor, char *ret, size_t size)
{
	char wanted[32], text[32];
	snprintf(wanted, sizeof(wanted), "%u:%u", major, minor);
	DIR *dir = sysroot_opendir(w->root, "sys/class/block");
	const struct dirent *entry;
	bool found = false;
	while (dir && !found && (entry = sysroot_next(dir)))
		found = sysroot_read(w->root, text, sizeof(text), "sys/class/block/%s/dev", entry->d_name) > 0 &&
			strcmp(text, wanted) == 0 &&
			sysroot_real_path(w->root, ret, size, "sys/class/block/%s", entry->d_name) == 0;
	if (dir)
		closedir(dir);
	return found;
}

void
walk_block(struct walk *w, int parent, unsigned major, unsigned minor)
{
	char real[SYSPATH_MAX], name[32];
	if (sysroot_real_path(w->root, real, sizeof(real), "sys/dev/block/%u:%u", major, minor) == 0 ||
	    find_by_number(w, major, minor, real, sizeof(real))) {
		walk_dir(w, parent, real);
		return;
	}
	snprintf(name, sizeof(name), "%u:%u", major, minor);
	walk_unknown(w, parent, name, "block device that sysfs does not show");
}

void
walk_block_named(struct walk *w, int parent, const char *name)
{
	char real[SYSPATH_MAX];
	if (sysroot_real_path(w->root, real, sizeof(real), "sys/class/block/%s", name) == 0 ||
	    sysroot_real_path(w->root, real, sizeof(real), "sys/block/%s", name) == 0)
		walk_dir(w, parent, real);
	else
		walk_unknown(w, parent, name, "block device that sysfs does not show");
}

// The dm device whose name is given; recorded roots have no /dev/mapper.
static bool
find_dm(const struct sysroot *root, const char *name, char *ret, size_t size)
{
	char text[256];
	DIR *dir = sysroot_opendir(root, "sys/block");
	const struct dirent *entry;
	bool found = false;
	while (dir && !found && (entry = sysroot_next(dir))) {
		found = sysroot_read(root, text, sizeof(text), "sys/block/%s/dm/name", entry->d_name) > 0 &&
			strcmp(text, name) == 0;
		if (found)
			text_copy(ret, size, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

bool
block_name_of_path(const struct sysroot *root, const char *path, char *ret, size_t size)
{
	struct stat st;
	char real[SYSPATH_MAX];
	if (!sysroot_is_recorded(root)) {
		if (stat(path, &st) < 0 || !S_ISBLK(st.st_mode) ||
		    sysroot_real_path(root, real, sizeof(real), "sys/dev/block/%u:%u", major(st.st_rdev),
				      minor(st.st_rdev)) < 0)
			return false;
		text_copy(ret, size, base_name(real));
		return true;
	}
	if (strncmp(path, "/dev/mapper/", 12) == 0)
		return find_dm(root, path + 12, ret, size);
	if (strncmp(path, "/dev/", 5) != 0 || strchr(path + 5, '/'))
		return false;
	if (!sysroot_exists(root, "sys/class/block/%s", path + 5) && !sysroot_exists(root, "sys/block/%s", path + 5))
		return false;
	text_copy(ret, size, path + 5);
	return true;
}

void
walk_block_path(struct walk *w, int parent, const char *path)
{
	char name[DISK_NAME_MAX];
	if (block_name_of_path(w->root, path, name, sizeof(name)))
		walk_block_named(w, parent, name);
	else
		walk_unknown(w, parent, path, "not found");
}
