// SPDX-License-Identifier: MIT
// Device mapper: LVM, LUKS, multipath and the rest. One rule: sysfs tells who
// made a device (the prefix of its uuid) and what lies below; levels and roles
// are only in the device's table, which `dmsetup table` shows to root.

#include "command.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLE_MAX (256 * 1024)
#define WORDS_MAX 160

// "LVM-...", "CRYPT-LUKS2-...", "mpath-...": who made a dm device, and so what it is.
static void
describe_maker(struct layer *layer, const char *uuid)
{
	static const struct {
		const char *prefix, *detail;
	} makers[] = {
		{"LVM-", "LVM"}, {"CRYPT-VERITY", "verity"}, {"CRYPT-LUKS", "LUKS"}, {"CRYPT-", "dm-crypt"},
		{"mpath-", "multipath"}, {"DMRAID-", "dmraid"}, {"VERITY-", "verity"}, {"INTEGRITY-", "integrity"},
		{"stratis-", "Stratis"}, {"VDO-", "VDO"},
	};
	if (strncmp(uuid, "part", 4) == 0 && strchr(uuid, '-')) {
		text_copy(layer->detail, sizeof(layer->detail), "partition of a dm device");
		return;
	}
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (strncmp(uuid, makers[i].prefix, strlen(makers[i].prefix)) != 0)
			continue;
		text_copy(layer->detail, sizeof(layer->detail), makers[i].detail);
		break;
	}
	layer->encrypted = strncmp(uuid, "CRYPT-", 6) == 0 && strncmp(uuid, "CRYPT-VERITY", 12) != 0;
	if (strncmp(uuid, "mpath-", 6) == 0)
		layer->kind = LAYER_MULTIPATH;
}

// The words of the first segment "NAME: START LENGTH TARGET ARGS...", from TARGET on; how many.
static int
find_table(char *text, const char *name, char *words[WORDS_MAX])
{
	size_t length = strlen(name);
	char *rest = text, *line, *word;
	while ((line = strsep(&rest, "\n"))) {
		int n = -2; // start and length
		if (strncmp(line, name, length) != 0 || line[length] != ':')
			continue;
		line += length + 1;
		while (n < WORDS_MAX && (word = strsep(&line, " "))) {
			if (*word == '\0')
				continue;
			if (n >= 0)
				words[n] = word;
			n++;
		}
		return n < 0 ? 0 : n;
	}
	return 0;
}

// Gives the child with the number "253:15" a role.
static void
mark_role(struct walk *w, int index, const char *number, enum layer_role role)
{
	unsigned major, minor;
	if (sscanf(number, "%u:%u", &major, &minor) != 2)
		return;
	for (int i = index + 1; i < w->stack->n_layers; i++) {
		struct layer *layer = walk_layer(w, i);
		if (layer->parent == index && layer->has_dev && layer->major == major && layer->minor == minor)
			layer->role = role;
	}
}

// "raid raid1 3 0 region_size 4096 2 253:10 253:11 ...": level, parameters, then
// for each member the device of its metadata ("-": none) and that of its data.
static void
take_raid(struct walk *w, int index, char *words[], int n)
{
	struct layer *layer = walk_layer(w, index);
	int params = n > 2 ? atoi(words[2]) : -1;
	if (params < 0 || params >= n - 3)
		return;
	layer->kind = LAYER_RAID;
	text_append(layer->detail, sizeof(layer->detail), " %s", words[1]);
	layer->redundant = strncmp(words[1], "raid0", 5) != 0;
	if (strcmp(words[1], "raid1") == 0)
		layer->copies = atoi(words[3 + params]);
	for (int i = 4 + params; i < n; i += 2)
		mark_role(w, index, words[i], ROLE_SPECIAL);
}

// "mirror core 2 64 nosync 2 ...": the log's kind and arguments, then the number of copies.
static void
take_mirror(struct layer *layer, char *words[], int n)
{
	int params = n > 2 ? atoi(words[2]) : -1;
	if (params < 0 || params >= n - 3)
		return;
	layer->kind = LAYER_RAID;
	layer->redundant = true;
	layer->copies = atoi(words[3 + params]);
	text_append(layer->detail, sizeof(layer->detail), " mirror");
}

static void
take_table(struct walk *w, int index, char *words[], int n)
{
	struct layer *layer = walk_layer(w, index);
	if (n > 0 && strcmp(words[0], "raid") == 0) {
		take_raid(w, index, words, n);
	} else if (n > 0 && strcmp(words[0], "mirror") == 0) {
		take_mirror(layer, words, n);
	} else if (n > 3 && strcmp(words[0], "cache") == 0) { // metadata, cache, origin
		layer->kind = LAYER_CACHE;
		text_append(layer->detail, sizeof(layer->detail), " cache");
		mark_role(w, index, words[1], ROLE_CACHE);
		mark_role(w, index, words[2], ROLE_CACHE);
	} else if (n > 3 && strcmp(words[0], "writecache") == 0) { // kind, origin, cache
		layer->kind = LAYER_CACHE;
		text_append(layer->detail, sizeof(layer->detail), " writecache");
		mark_role(w, index, words[3], ROLE_CACHE);
	} else if (n > 1 && strcmp(words[0], "striped") == 0) {
		text_append(layer->detail, sizeof(layer->detail), " striped over %s", words[1]);
	} else if (n > 0 && strncmp(words[0], "thin", 4) == 0) {
		text_append(layer->detail, sizeof(layer->detail), " %s", words[0]);
	}
}

// Levels and roles of a device that stands on several others.
static void
read_table(struct walk *w, int index, const char *name)
{
	char *const argv[] = {(char[]){"dmsetup"}, (char[]){"table"}, NULL};
	char *text = NULL, *words[WORDS_MAX];
	if (sysroot_is_recorded(w->root) || geteuid() == 0)
		text = malloc(TABLE_MAX);
	if (text && command_output(w->root, "dmsetup-table", argv, text, TABLE_MAX) == 0)
		take_table(w, index, words, find_table(text, name, words));
	free(text);
}

void
walk_dm(struct walk *w, int parent, const char *dir)
{
	int index = block_add_layer(w, parent, LAYER_DM, dir);
	if (index < 0)
		return;
	struct layer *layer = walk_layer(w, index);
	char name[128] = "", uuid[192];
	if (sysroot_read(w->root, uuid, sizeof(uuid), "%s/dm/uuid", dir) > 0)
		describe_maker(layer, uuid);
	bool is_lvm = strcmp(layer->detail, "LVM") == 0;
	if (sysroot_read(w->root, name, sizeof(name), "%s/dm/name", dir) > 0)
		text_append(layer->detail, sizeof(layer->detail), "%s%s", layer->detail[0] ? " " : "", name);
	int below = block_walk_slaves(w, index, dir);
	if (below == 0)
		layer->leaf = true; // dm-zero, dm-error: data comes from nowhere
	if (below > 1 && is_lvm && name[0])
		read_table(w, index, name);
}
