// SPDX-License-Identifier: MIT
// A history of one value in constant memory. One rule: every tier sees every
// value, so that a minimum or a maximum is in each of them.
#include "session/series.h"

#include <math.h>

static int64_t
tier_ns(int tier)
{
	return SERIES_BASE_NS << (2 * tier);
}

// Number of the bin that holds t; also right before the origin.
static int64_t
bin_number(const struct series *s, int tier, int64_t t_ns)
{
	int64_t d = t_ns - s->origin_ns, width = tier_ns(tier);

	return d >= 0 ? d / width : -((-d + width - 1) / width);
}

static size_t
slot(int64_t number)
{
	return (size_t)(number % SERIES_TIER_BINS);
}

void
series_init(struct series *s, int64_t origin_ns)
{
	s->origin_ns = origin_ns;
	for (int tier = 0; tier < SERIES_TIERS; tier++)
		s->newest[tier] = -1;
}

// Moves the ring on to bin number, clearing what it passes.
static void
advance(struct series *s, int tier, int64_t number)
{
	int64_t from = s->newest[tier] + 1;

	if (number - from >= SERIES_TIER_BINS)
		from = number - SERIES_TIER_BINS + 1;
	for (int64_t i = from; i <= number; i++)
		s->bin[tier][slot(i)] = (struct series_bin){0};
	s->newest[tier] = number;
}

static void
bin_add(struct series_bin *bin, float value, uint32_t weight)
{
	if (bin->n == 0 || value < bin->min)
		bin->min = value;
	if (bin->n == 0 || value > bin->max)
		bin->max = value;
	bin->sum += value * (float)weight;
	bin->n += weight;
}

static void
tier_add(struct series *s, int tier, int64_t t0, int64_t t1, float value)
{
	int64_t first = bin_number(s, tier, t0), last = bin_number(s, tier, t1 - 1);

	if (last < 0)
		return;
	if (last > s->newest[tier])
		advance(s, tier, last);
	if (first <= s->newest[tier] - SERIES_TIER_BINS)
		first = s->newest[tier] - SERIES_TIER_BINS + 1;
	if (first < 0)
		first = 0;
	for (int64_t i = first; i <= last; i++) {
		int64_t begin = s->origin_ns + i * tier_ns(tier), end = begin + tier_ns(tier), overlap_ms;
		begin = begin < t0 ? t0 : begin;
		end = end > t1 ? t1 : end;
		overlap_ms = (end - begin) / 1000000;
		// the mean is weighted by time; a short overlap still counts
		bin_add(&s->bin[tier][slot(i)], value, overlap_ms > 0 ? (uint32_t)overlap_ms : 1);
	}
}

void
series_add(struct series *s, int64_t t0_ns, int64_t t1_ns, double value)
{
	if (!isfinite(value) || t1_ns <= t0_ns)
		return;
	for (int tier = 0; tier < SERIES_TIERS; tier++)
		tier_add(s, tier, t0_ns, t1_ns, (float)value);
}

static int
reaches(const struct series *s, int tier, int64_t t0_ns)
{
	int64_t number = bin_number(s, tier, t0_ns);

	return s->newest[tier] >= 0 && (number > s->newest[tier] - SERIES_TIER_BINS || s->newest[tier] < SERIES_TIER_BINS);
}

static int
tier_query(const struct series *s, int tier, int64_t t0, int64_t t1, double *ret_min, double *ret_max, double *ret_mean)
{
	int64_t first = bin_number(s, tier, t0), last = bin_number(s, tier, t1 - 1);
	int64_t oldest = s->newest[tier] - SERIES_TIER_BINS + 1;
	double min = 0, max = 0, sum = 0, n = 0;

	first = first < oldest ? oldest : first;
	first = first < 0 ? 0 : first;
	last = last > s->newest[tier] ? s->newest[tier] : last;
	for (int64_t i = first; i <= last; i++) {
		const struct series_bin *bin = &s->bin[tier][slot(i)];
		if (bin->n == 0)
			continue;
		min = n == 0 || (double)bin->min < min ? (double)bin->min : min;
		max = n == 0 || (double)bin->max > max ? (double)bin->max : max;
		sum += (double)bin->sum;
		n += bin->n;
	}
	if (n == 0)
		return 0;
	if (ret_min)
		*ret_min = min;
	if (ret_max)
		*ret_max = max;
	if (ret_mean) // sums of floats may leave the range by a rounding
		*ret_mean = fmin(fmax(sum / n, min), max);
	return 1;
}

int
series_query(const struct series *s, int64_t t0_ns, int64_t t1_ns, double *ret_min, double *ret_max, double *ret_mean)
{
	int tier = 0;

	if (t1_ns <= t0_ns)
		return 0;
	while (tier < SERIES_TIERS - 1 && !reaches(s, tier, t0_ns))
		tier++;
	return tier_query(s, tier, t0_ns, t1_ns, ret_min, ret_max, ret_mean);
}

int
series_column(const struct series *s, int64_t t0_ns, int64_t t1_ns, double *ret_min, double *ret_max, double *ret_mean)
{
	int tier = 0;

	if (t1_ns <= t0_ns)
		return 0;
	while (tier < SERIES_TIERS - 1 && (tier_ns(tier + 1) <= t1_ns - t0_ns || !reaches(s, tier, t0_ns)))
		tier++;
	return tier_query(s, tier, t0_ns, t1_ns, ret_min, ret_max, ret_mean);
}

int
series_span(const struct series *s, int64_t *ret_t0_ns, int64_t *ret_t1_ns)
{
	int tier = SERIES_TIERS - 1;
	int64_t oldest, newest;

	// the coarsest tier that is not older than a finer one needs to say: take the first that has never wrapped
	for (int i = 0; i < SERIES_TIERS; i++)
		if (s->newest[i] >= 0 && s->newest[i] < SERIES_TIER_BINS) {
			tier = i;
			break;
		}
	newest = s->newest[tier];
	if (newest < 0)
		return 0;
	oldest = newest - SERIES_TIER_BINS + 1 < 0 ? 0 : newest - SERIES_TIER_BINS + 1;
	while (oldest < newest && s->bin[tier][slot(oldest)].n == 0)
		oldest++;
	if (ret_t0_ns)
		*ret_t0_ns = s->origin_ns + oldest * tier_ns(tier);
	if (ret_t1_ns)
		*ret_t1_ns = s->origin_ns + (s->newest[0] + 1) * tier_ns(0);
	return 1;
}
