// SPDX-License-Identifier: MIT
// A history of one value over time in constant memory: tiers of bins, each
// four times as wide as the one before. A bin keeps minimum, maximum and sum,
// so that no peak is ever lost by down-sampling. Times are CLOCK_MONOTONIC ns.
#ifndef IODUEL_SERIES_H
#define IODUEL_SERIES_H

#include <stddef.h>
#include <stdint.h>

#define SERIES_TIERS 8
#define SERIES_TIER_BINS 512
#define SERIES_BASE_NS (100 * INT64_C(1000000))

struct series_bin {
	float min, max, sum;
	uint32_t n; // milliseconds covered, the weight of the sum; 0 = gap
};

struct series {
	int64_t origin_ns;	      // time of bin 0 of every tier
	int64_t newest[SERIES_TIERS]; // absolute number of the newest bin, -1 = none
	struct series_bin bin[SERIES_TIERS][SERIES_TIER_BINS]; // ring by bin number
};

// Bins are cleared when time reaches them: memory that a short session never reaches is not touched.
void series_init(struct series *s, int64_t origin_ns);
// Adds a value that holds for [t0, t1). NAN adds nothing (a gap). Values older than the ring are ignored.
void series_add(struct series *s, int64_t t0_ns, int64_t t1_ns, double value);
// Summary over [t0, t1): returns 1 and fills what is not NULL, or 0 for a gap. Takes the finest tier
// that still reaches back to t0.
int series_query(const struct series *s, int64_t t0_ns, int64_t t1_ns, double *ret_min, double *ret_max, double *ret_mean);
// The same for a column of a graph: takes the coarsest tier whose bins are no wider than the column, so that what
// is drawn once does not change when it grows old.
int series_column(const struct series *s, int64_t t0_ns, int64_t t1_ns, double *ret_min, double *ret_max, double *ret_mean);
// Times covered: oldest and newest instant with a bin; 0 if empty.
int series_span(const struct series *s, int64_t *ret_t0_ns, int64_t *ret_t1_ns);

#endif
