// SPDX-License-Identifier: MIT
// What concluding a result and checking it share: the figures of the counted
// pairs as columns.
#ifndef IODUEL_CONCLUDE_H
#define IODUEL_CONCLUDE_H

#include "session/result.h"

// The counted pairs up to the last look, and one metric's figures of them.
struct columns {
	int n;
	const struct pair **pair; // NULL where the figures came without slices
	double *a, *b;
	signed char *order;
};

// Concludes from figures of the primary metric alone, without slices (pairs
// measured elsewhere). r->pairs is not looked at. 0 or -ENOMEM.
int conclude_figures(struct result *r, const double *a, const double *b, const signed char *order, int n, int stopped);

#endif
