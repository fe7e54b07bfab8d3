// SPDX-License-Identifier: MIT
// ZFS pools.

#include "walk.h"

void
walk_zfs(struct walk *w, int parent, const char *source)
{
	walk_unknown(w, parent, source, "pool not looked up");
}
