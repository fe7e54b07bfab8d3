// SPDX-License-Identifier: MIT
// A log-linear latency histogram: 64 buckets per power of two, values in ns.
// Invariants: count is the sum of all buckets; min <= max when count > 0;
// a reported quantile is the midpoint of its bucket, so its error is below
// 1/128 (0.8 %). Two histograms over the same population add and subtract
// bucket by bucket. Values of 2^40 ns (18 minutes) and more share the last bucket.
#ifndef IODUEL_HIST_H
#define IODUEL_HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_SUB (1u << HIST_SUB_BITS)
#define HIST_MAX_BITS 40
#define HIST_BUCKETS ((HIST_MAX_BITS - HIST_SUB_BITS + 1) * HIST_SUB)

struct hist {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; // of values added; UINT64_MAX when empty
	uint64_t max_ns; // 0 when empty
	uint64_t bucket[HIST_BUCKETS];
};

void hist_init(struct hist *h);

// Bucket index of a value in ns, 0 .. HIST_BUCKETS-1. Values below 64 ns have
// a bucket each; above, bucket = 64 * (exponent - 5) + next six bits.
static inline unsigned
hist_index(uint64_t ns)
{
	if (ns < HIST_SUB)
		return (unsigned)ns;
	if (ns >> HIST_MAX_BITS)
		return HIST_BUCKETS - 1;
	unsigned shift = (unsigned)(63 - __builtin_clzll(ns)) - HIST_SUB_BITS;
	return (shift << HIST_SUB_BITS) + (unsigned)(ns >> shift);
}

// Midpoint of a bucket in ns.
uint64_t hist_midpoint_ns(unsigned index);

static inline void
hist_add(struct hist *h, uint64_t ns)
{
	h->count++;
	h->sum_ns += ns;
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->bucket[hist_index(ns)]++;
}

// Adds all of src to dst.
void hist_merge(struct hist *dst, const struct hist *src);

// The q-quantile in ns (0 <= q <= 1) of everything added: midpoint of the
// bucket that holds the ceil(q * count)-th value, clamped to [min, max]. NAN when empty.
double hist_quantile_ns(const struct hist *h, double q);

// Mean in ns, exact (from the sum). NAN when empty.
double hist_mean_ns(const struct hist *h);

#endif
