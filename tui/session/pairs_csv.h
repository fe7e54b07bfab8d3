// SPDX-License-Identifier: MIT
// Pairs that another program measured, as CSV: the header order,a,b and one
// row a pair, in time order.
#ifndef IODUEL_PAIRS_CSV_H
#define IODUEL_PAIRS_CSV_H

#include <ioduel/error.h>
#include <stdio.h>

#include "session/result.h"

struct pairs_csv {
	int n;
	double *a, *b;
	signed char *order; // +1 = A first
	long last_line;	    // number of the last pair's line
	int cap;
};

// Reads all of in; name stands in the sentences ("pairs.csv:7: ..."). 0, or -errno with ret empty.
int pairs_csv_read(FILE *in, const char *name, struct pairs_csv *ret, struct error *err);
void pairs_csv_fini(struct pairs_csv *p);

// From how many pairs on a result carries the columns' outcome only, not each pair.
#define PAIRS_CSV_KEPT 10000

// Makes the concluded result. planned 0: as many as there are. 0 or -errno.
int pairs_csv_conclude(const struct pairs_csv *p, enum metric primary, int planned, double effect, struct result *ret);

#endif
