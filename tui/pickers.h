// SPDX-License-Identifier: MIT
// What the screen's pickers choose from: places for a target, saved sessions.
// Read when a picker opens, never in between.
#ifndef IODUEL_PICKERS_H
#define IODUEL_PICKERS_H

#include <ioduel/probe.h>

#include "session/view.h"

#define PICKERS_PLACES_MAX 64
#define PICKERS_SAVED_MAX 200

struct pickers {
	int n_places, n_saved;
	struct view_place place[PICKERS_PLACES_MAX];
	struct view_saved saved[PICKERS_SAVED_MAX];
};

// Reads both anew; what cannot be read leaves its list empty.
void pickers_refresh(struct pickers *p, struct sysroot *root);
// Points the view at the lists.
void pickers_show(const struct pickers *p, struct view *view);

#endif
