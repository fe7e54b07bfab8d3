// SPDX-License-Identifier: MIT
// The plan: defaults by traffic, checks of what was asked for, and the order
// of the pairs, drawn by one coin for every two. One rule: the same options
// give the same plan.
#include "session/plan.h"

#include <errno.h>
#include <ioduel/clock.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SETTLE_SHARE 0.4 // of the slice, where only a slice was given

struct defaults {
	int pairs, careful_pairs;
	double slice_s, settle_s;
	double warmup_s, warmup_max_s;
};

static const struct defaults defaults[] = {
	[TRAFFIC_READS] = {12, 30, 5, 2, 10, 10},
	[TRAFFIC_WRITES] = {12, 30, 10, 4, 30, 120},
	[TRAFFIC_WHOLE_RUNS] = {10, 30, 0, 0, 0, 0},
};

static const char *const kind_names[] = {
	[PLAN_INTERLEAVE] = "interleave", [PLAN_AB] = "ab", [PLAN_A] = "a", [PLAN_B] = "b", [PLAN_TOGETHER] = "together",
};

const char *
plan_kind_name(enum plan_kind kind)
{
	return kind_names[kind];
}

int
plan_kind_parse(const char *text, enum plan_kind *ret)
{
	for (unsigned i = 0; i < sizeof(kind_names) / sizeof(kind_names[0]); i++) {
		if (strcmp(text, kind_names[i]) == 0) {
			*ret = (enum plan_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

uint64_t
plan_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int64_t
seconds_ns(double seconds)
{
	return (int64_t)llround(seconds * (double)NS_PER_S);
}

static int
check_pairs(const struct plan_options *o, int pairs, struct error *err)
{
	if (pairs < 1)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "a plan needs at least 2 pairs, not %d", pairs);
	if (pairs > PLAN_PAIRS_MAX)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "at most %d pairs can be planned, not %d", PLAN_PAIRS_MAX, pairs);
	if (o->kind == PLAN_INTERLEAVE && pairs % 2)
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"the number of pairs must be even (AB BA or BA AB, drawn for every two): %d or %d, not %d",
					pairs - 1 > 0 ? pairs - 1 : pairs + 3, pairs + 1, pairs);
	return 0;
}

// A time that was given must be a time.
static int
check_seconds(double value, const char *option, struct error *err)
{
	if (isnan(value) || (value >= 0 && value <= 1e6))
		return 0;
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s %g: a time in seconds, from 0 to 1000000, is expected", option, value);
}

static int
make_times(const struct plan_options *o, enum workload_traffic traffic, struct plan *p, struct error *err)
{
	const struct defaults *d = &defaults[traffic];
	int ret;
	if ((ret = check_seconds(o->slice_s, "--slice", err)) || (ret = check_seconds(o->settle_s, "--settle", err)) ||
	    (ret = check_seconds(o->warmup_s, "--warmup", err)))
		return ret;
	if (traffic == TRAFFIC_WHOLE_RUNS) {
		if (!isnan(o->slice_s) || !isnan(o->settle_s))
			return error_set_status(err, -EINVAL, EXIT_USAGE,
						"--slice and --settle have no meaning here: a turn of this workload is one whole run");
		p->warmup_runs = isnan(o->warmup_s) || o->warmup_s > 0;
		return 0;
	}
	double slice = isnan(o->slice_s) ? d->slice_s : o->slice_s;
	double settle = isnan(o->settle_s) ? d->settle_s : o->settle_s;
	if (isnan(o->settle_s) && settle >= slice)
		settle = SETTLE_SHARE * slice;
	p->slice_ns = seconds_ns(slice);
	p->settle_ns = seconds_ns(settle);
	if (p->slice_ns <= p->settle_ns)
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"a slice of %g s leaves nothing to count after a settle time of %g s: --slice must be longer than --settle",
					slice, settle);
	p->warmup_ns = seconds_ns(isnan(o->warmup_s) ? d->warmup_s : o->warmup_s);
	p->warmup_max_ns = seconds_ns(isnan(o->warmup_s) ? d->warmup_max_s : o->warmup_s);
	return 0;
}

static void
draw_order(struct plan *p)
{
	uint64_t state = p->seed;
	for (int i = 0; i < p->pairs; i++) {
		if (p->kind != PLAN_INTERLEAVE)
			p->order[i] = p->kind == PLAN_B ? -1 : 1;
		else if (i % 2)
			p->order[i] = (signed char)-p->order[i - 1];
		else
			p->order[i] = plan_random(&state) >> 63 ? 1 : -1;
	}
}

int
plan_make(const struct plan_options *options, enum workload_traffic traffic, struct plan *ret, struct error *err)
{
	const struct defaults *d = &defaults[traffic];
	struct plan p = {.kind = options->kind, .seed = options->seed, .effect = options->effect,
			 .until_verdict = options->until_verdict, .cold = options->cold};
	if (isnan(p.effect))
		p.effect = PLAN_EFFECT;
	p.pairs = options->pairs ? options->pairs : options->careful ? d->careful_pairs : d->pairs;
	p.remake_every = options->careful ? 2 : 0;
	int r = check_pairs(options, p.pairs, err);
	if (r)
		return r;
	if (!(p.effect > 0 && p.effect < 1))
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"--effect %g %%: the smallest difference that matters is above 0 and below 100 %%", 100 * p.effect);
	r = make_times(options, traffic, &p, err);
	if (r)
		return r;
	draw_order(&p);
	*ret = p;
	return 0;
}

void
plan_format_order(const struct plan *plan, char *buf, unsigned size)
{
	// "AB " each, the last without its blank but with the final NUL; where not all fit, " ..." must.
	unsigned all = (unsigned)plan->pairs, fit = all;
	if (3 * all > size)
		fit = size > 4 ? (size - 4) / 3 : 0;
	unsigned used = 0;
	if (size)
		buf[0] = '\0';
	for (unsigned i = 0; i < fit; i++)
		used += (unsigned)snprintf(buf + used, size - used, "%s%s", i ? " " : "", plan->order[i] > 0 ? "AB" : "BA");
	if (fit < all && fit > 0)
		snprintf(buf + used, size - used, " ...");
}
