// SPDX-License-Identifier: MIT
// The text of `zpool status` as rows.
#ifndef IODUEL_PROBES_ZPOOL_H
#define IODUEL_PROBES_ZPOOL_H

#include <ioduel/stack.h>

struct zpool_row {
	int depth; // 0 = the pool, 1 = its vdevs, ...
	enum layer_role role;
	char name[LAYER_NAME_MAX]; // "mirror-0", "sda1", "/srv/vdev0"
	char state[16];		   // "ONLINE", "AVAIL", ...
};

// The configuration of one pool out of the output of `zpool status`, pool
// first. The number of rows, or -ENOENT if the text does not show the pool.
int zpool_parse(const char *text, const char *pool, struct zpool_row *ret, int max);

#endif
