// SPDX-License-Identifier: MIT
// The latency histogram's slow half: merging and reading. Rule: nothing here
// knows a clock, and a merged histogram is exactly the histogram of the union.
#include <ioduel/hist.h>

#include <math.h>
#include <string.h>

void
hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min_ns = UINT64_MAX;
}

uint64_t
hist_midpoint_ns(unsigned index)
{
	if (index >= HIST_BUCKETS)
		index = HIST_BUCKETS - 1;
	if (index < 2 * HIST_SUB)
		return index;
	unsigned shift = (index >> HIST_SUB_BITS) - 1;
	uint64_t low = (uint64_t)(index - (shift << HIST_SUB_BITS)) << shift;
	return low + (UINT64_C(1) << (shift - 1));
}

void
hist_merge(struct hist *dst, const struct hist *src)
{
	dst->count += src->count;
	dst->sum_ns += src->sum_ns;
	if (src->min_ns < dst->min_ns)
		dst->min_ns = src->min_ns;
	if (src->max_ns > dst->max_ns)
		dst->max_ns = src->max_ns;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		dst->bucket[i] += src->bucket[i];
}

double
hist_quantile_ns(const struct hist *h, double q)
{
	if (h->count == 0 || isnan(q))
		return NAN;
	double rank = ceil(q * (double)h->count);
	uint64_t want = rank < 1 ? 1 : rank >= (double)h->count ? h->count : (uint64_t)rank;
	uint64_t seen = 0;
	unsigned i = 0;
	for (; i < HIST_BUCKETS - 1; i++) {
		seen += h->bucket[i];
		if (seen >= want)
			break;
	}
	uint64_t value = hist_midpoint_ns(i);
	if (value < h->min_ns)
		value = h->min_ns;
	if (value > h->max_ns)
		value = h->max_ns;
	return (double)value;
}

double
hist_mean_ns(const struct hist *h)
{
	return h->count ? (double)h->sum_ns / (double)h->count : NAN;
}
