// SPDX-License-Identifier: MIT
// The checks that look inside slices: start effect, stalls, draining, a rate
// that falls, burst or sustained.
#ifndef IODUEL_CHECKS_SLICES_H
#define IODUEL_CHECKS_SLICES_H

#include "session/conclude.h"

void checks_slices(struct result *r, const struct columns *c);

// Stalls of one side over the counted pairs, and the share of its counted time that they took.
struct stall_count {
	int n;
	double share;
};
void checks_count_stalls(const struct columns *c, enum side side, enum figure_kind kind, struct stall_count *ret);

#endif
