// SPDX-License-Identifier: MIT
// ZFS: from a data set to the vdevs of its pool. One rule: the layout is what
// `zpool status` says (of OpenZFS or zfs-fuse); the kernel's kstat only tells
// which of the two it is and how the pool is.

#include "command.h"
#include "walk.h"
#include "zpool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROWS_MAX 512
#define TEXT_MAX (256 * 1024)

static bool
starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

// "mirror-0" and the like; disks may be called anything else.
static bool
is_group(const char *name)
{
	static const char *const kinds[] = {"mirror", "raidz", "draid", "spare", "replacing", "indirect", "root", "hole"};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (starts_with(name, kinds[i]))
			return true;
	return false;
}

// The device of a bare name, where zpool shows it without a directory.
static bool
find_device(struct walk *w, const char *name, char *ret, size_t size)
{
	static const char *const dirs[] = {"/dev", "/dev/disk/by-id", "/dev/disk/by-path", "/dev/disk/by-partuuid",
					   "/dev/disk/by-partlabel", "/dev/disk/by-vdev", "/dev/mapper"};
	char path[SYSPATH_MAX];
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dirs[i], name);
		if (block_name_of_path(w->root, path, ret, size))
			return true;
	}
	return false;
}

static void
walk_leaf(struct walk *w, int parent, const struct zpool_row *row)
{
	char name[DISK_NAME_MAX];
	int first = w->stack->n_layers;
	if (row->name[0] == '/' && block_name_of_path(w->root, row->name, name, sizeof(name)))
		walk_block_named(w, parent, name);
	else if (row->name[0] != '/' && find_device(w, row->name, name, sizeof(name)))
		walk_block_named(w, parent, name);
	else if (row->name[0] == '/' && !starts_with(row->name, "/dev/"))
		walk_file(w, parent, row->name);
	else
		walk_unknown(w, parent, row->name, "device not found");
	if (first == w->stack->n_layers)
		return;
	struct layer *layer = walk_layer(w, first);
	layer->role = row->role;
	if (row->state[0] && strcmp(row->state, "ONLINE") != 0)
		text_append(layer->detail, sizeof(layer->detail), "%s%s", layer->detail[0] ? ", " : "", row->state);
}

static int
add_group(struct walk *w, int parent, const struct zpool_row *rows, int n, int at)
{
	const struct zpool_row *row = &rows[at];
	int index = walk_add(w, parent, LAYER_VDEV, row->name), members = 0;
	if (index < 0)
		return index;
	for (int i = at + 1; i < n && rows[i].depth > row->depth; i++)
		members += rows[i].depth == row->depth + 1;
	struct layer *layer = walk_layer(w, index);
	layer->role = row->role;
	if (starts_with(row->name, "mirror"))
		layer->copies = members;
	layer->redundant = starts_with(row->name, "mirror") || starts_with(row->name, "raidz") ||
			   starts_with(row->name, "draid");
	snprintf(layer->detail, sizeof(layer->detail), "%d members%s%s", members, row->state[0] ? ", " : "", row->state);
	return index;
}

// Adds the rows below the pool; each finds its parent by its depth.
static void
walk_rows(struct walk *w, int pool, const struct zpool_row *rows, int n)
{
	int parents[16] = {pool};
	for (int i = 1; i < n; i++) {
		int depth = rows[i].depth;
		if (depth < 1 || depth > 14 || parents[depth - 1] < 0)
			continue;
		bool has_members = i + 1 < n && rows[i + 1].depth > depth;
		parents[depth] = -1;
		if (has_members || is_group(rows[i].name))
			parents[depth] = add_group(w, parents[depth - 1], rows, n, i);
		else
			walk_leaf(w, parents[depth - 1], &rows[i]);
	}
}

// "property\tvalue" lines of the data set into the file system's layer.
static void
read_properties(struct walk *w, struct layer *layer, const char *dataset, char *text, size_t size)
{
	char *const argv[] = {(char[]){"zfs"}, (char[]){"get"}, (char[]){"-H"}, (char[]){"-o"}, (char[]){"property,value"},
			      (char[]){"all"}, strdup(dataset), NULL};
	if (!argv[6] || command_output(w->root, "zfs-get", argv, text, size) < 0) {
		free(argv[6]);
		return;
	}
	char *rest = text, *line;
	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, '\t');
		if (!value)
			continue;
		*value++ = '\0';
		bool is_off = strcmp(value, "off") == 0 || strcmp(value, "-") == 0;
		if (strcmp(line, "compression") == 0)
			layer->compressed = !is_off;
		else if (strcmp(line, "encryption") == 0)
			layer->encrypted = !is_off;
		else if (strcmp(line, "recordsize") != 0 && strcmp(line, "sync") != 0 && strcmp(line, "copies") != 0)
			continue;
		text_append(layer->detail, sizeof(layer->detail), "%s%s %s", layer->detail[0] ? ", " : "", line, value);
	}
	free(argv[6]);
}

static int
read_status(struct walk *w, const char *pool, char *text, size_t size)
{
	char name[LAYER_NAME_MAX];
	text_copy(name, sizeof(name), pool);
	char *const full[] = {(char[]){"zpool"}, (char[]){"status"}, (char[]){"-LP"}, name, NULL};
	char *const plain[] = {(char[]){"zpool"}, (char[]){"status"}, name, NULL};
	int error = command_output(w->root, "zpool-status", full, text, size);
	return error == -EIO ? command_output(w->root, "zpool-status", plain, text, size) : error; // zfs-fuse knows no -LP
}

static void
walk_pool(struct walk *w, int index, const char *pool, char *text, struct zpool_row *rows)
{
	struct layer *layer = walk_layer(w, index);
	char state[32] = "";
	bool is_kernel = sysroot_exists(w->root, "proc/spl/kstat/zfs/%s", pool);
	text_copy(layer->detail, sizeof(layer->detail), is_kernel ? "OpenZFS" : "zfs-fuse");
	if (sysroot_read(w->root, state, sizeof(state), "proc/spl/kstat/zfs/%s/state", pool) > 0)
		text_append(layer->detail, sizeof(layer->detail), ", %s", state);
	int error = read_status(w, pool, text, TEXT_MAX);
	int n = error ? error : zpool_parse(text, pool, rows, ROWS_MAX);
	if (n < 0) {
		walk_unknown(w, index, "vdevs", "zpool status does not tell: %s", strerror(-n));
		return;
	}
	if (state[0] == '\0' && rows[0].state[0])
		text_append(layer->detail, sizeof(layer->detail), ", %s", rows[0].state);
	walk_rows(w, index, rows, n);
}

void
walk_zfs(struct walk *w, int parent, const char *source)
{
	char pool[LAYER_NAME_MAX];
	text_copy(pool, sizeof(pool), source);
	pool[strcspn(pool, "/@")] = '\0';
	char *text = malloc(TEXT_MAX);
	struct zpool_row *rows = calloc(ROWS_MAX, sizeof(*rows));
	if (text && rows) {
		read_properties(w, walk_layer(w, parent), source, text, TEXT_MAX);
		int index = walk_add(w, parent, LAYER_POOL, pool);
		if (index >= 0)
			walk_pool(w, index, pool, text, rows);
	}
	free(text);
	free(rows);
}
