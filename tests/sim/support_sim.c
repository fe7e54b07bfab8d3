// SPDX-License-Identifier: MIT
// The synthetic targets. One rule: what is tested is the project's own plan,
// statistic and verdict; only the device is made up.
#include "support_sim.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/plan.h"
#include "session/verdict.h"

const struct sim_scenario sim_scenarios[SIM_SCENARIOS] = {
	{.name = "I1", .what = "independent, 5 %", .sigma = .05},
	{.name = "I2", .what = "memory .5, 5 %", .sigma = .05, .rho = .5},
	{.name = "I3", .what = "memory .8, 10 %, own", .sigma = .10, .rho = .8},
	{.name = "I4", .what = "memory .8, 10 %, 90 % common", .sigma = .10, .rho = .8, .phi = .9, .white = .02},
	{.name = "I5", .what = "common drift of 20 %", .sigma = .03, .rho = .5, .drift = .2},
	{.name = "I6", .what = "common step of -22 %", .sigma = .05, .rho = .5, .phi = .3, .step = -.25},
	{.name = "I7", .what = "ramps, first-use burst", .sigma = .05, .rho = .8, .phi = .5, .ramp = .4, .ramp_tau = 1,
	 .burst = .6, .burst_tau = 8},
	{.name = "I8", .what = "everything, and stalls", .sigma = .10, .rho = .8, .phi = .5, .white = .02, .drift = .1, .walk = .004,
	 .stall_rate = 1 / 60.0, .stall_depth = .1, .ramp = .3, .ramp_tau = 1},
	{.name = "I9", .what = "many stalls", .sigma = .05, .rho = .5, .phi = .3, .stall_rate = 1 / 40.0, .stall_depth = .1},
	{.name = "X1", .what = "memory .95, 10 %, own", .sigma = .10, .rho = .95},
	{.name = "X2", .what = "memory .95, 10 %, 90 % common", .sigma = .10, .rho = .95, .phi = .9, .white = .02},
	{.name = "X3", .what = "memory .9, 20 %, half common", .sigma = .20, .rho = .9, .phi = .5},
};

static uint64_t
rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static uint64_t
next_random(struct sim_random *r)
{
	uint64_t ret = rotate(r->s[0] + r->s[3], 23) + r->s[0], t = r->s[1] << 17;
	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotate(r->s[3], 45);
	return ret;
}

void
sim_random_init(struct sim_random *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = plan_random(&seed);
	r->has_spare = 0;
}

double
sim_uniform(struct sim_random *r)
{
	return (double)(next_random(r) >> 11) * 0x1p-53;
}

double
sim_normal(struct sim_random *r)
{
	double x, y, square;
	if (r->has_spare) {
		r->has_spare = 0;
		return r->spare;
	}
	do {
		x = 2 * sim_uniform(r) - 1;
		y = 2 * sim_uniform(r) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	double factor = sqrt(-2 * log(square) / square);
	r->spare = y * factor;
	r->has_spare = 1;
	return x * factor;
}

void
sim_device_init(struct sim_device *d, const struct sim_scenario *scenario, int length_s, uint64_t seed)
{
	*d = (struct sim_device){.scenario = scenario, .length_s = length_s};
	sim_random_init(&d->random, seed);
	d->drift_sign = sim_uniform(&d->random) < 0.5 ? -1 : 1;
	d->step_at_s = (int)(sim_uniform(&d->random) * length_s);
	d->shared = sim_normal(&d->random);
	d->own[0] = sim_normal(&d->random);
	d->own[1] = sim_normal(&d->random);
	d->power[0] = 1;
	for (int k = 1; k < (int)(sizeof(d->power) / sizeof(d->power[0])); k++)
		d->power[k] = d->power[k - 1] * scenario->rho;
}

void
sim_begin_slice(struct sim_device *d)
{
	d->slice_s = 0;
}

// An AR(1) of variance 1, brought from second *at to now in one step.
static double
advance(struct sim_device *d, double *x, int *at)
{
	int k = d->now_s - *at;
	if (k > 0) {
		double kept = d->power[k < 511 ? k : 511];
		*x = kept * *x + sqrt(1 - kept * kept) * sim_normal(&d->random);
		*at = d->now_s;
	}
	return *x;
}

// Stalls go on in wall-clock time, for both targets.
static void
advance_stalls(struct sim_device *d)
{
	if (!(d->scenario->stall_rate > 0))
		return;
	for (int x = 0; x < 2; x++) {
		if (d->stall_left[x] > 0)
			d->stall_left[x]--;
		else if (sim_uniform(&d->random) < d->scenario->stall_rate)
			d->stall_left[x] = 1 + (int)(3 * sim_uniform(&d->random));
	}
}

static double
throughput(struct sim_device *d, int target)
{
	const struct sim_scenario *c = d->scenario;
	double level = sqrt(1 - c->phi) * c->sigma * advance(d, &d->own[target], &d->own_at[target]) + d->walk;
	if (c->phi > 0)
		level += sqrt(c->phi) * c->sigma * advance(d, &d->shared, &d->shared_at);
	if (c->white > 0)
		level += c->white * sim_normal(&d->random);
	level += d->drift_sign * c->drift * ((d->now_s + 0.5) / d->length_s - 0.5);
	if (d->now_s >= d->step_at_s)
		level += c->step;
	double rate = exp(level);
	if (c->ramp > 0)
		rate *= 1 - c->ramp * exp(-(d->slice_s + 0.5) / c->ramp_tau);
	if (c->burst > 0)
		rate *= 1 + c->burst * exp(-(d->used_s[target] + 0.5) / c->burst_tau);
	return d->stall_left[target] > 0 ? rate * c->stall_depth : rate;
}

double
sim_second(struct sim_device *d, int target, int counted)
{
	advance_stalls(d);
	if (d->scenario->walk > 0)
		d->walk += d->scenario->walk * sim_normal(&d->random);
	double rate = counted ? throughput(d, target) : NAN;
	d->now_s++;
	d->slice_s++;
	d->used_s[target]++;
	return rate;
}

static double
run_slice(struct sim_device *d, int target, double *ret_seconds)
{
	double sum = 0;
	sim_begin_slice(d);
	for (int s = 0; s < SIM_SLICE_S; s++) {
		double rate = sim_second(d, target, s >= SIM_SETTLE_S);
		if (s < SIM_SETTLE_S)
			continue;
		ret_seconds[s - SIM_SETTLE_S] = rate;
		sum += rate;
	}
	return sum / SIM_COUNTED_S;
}

void
sim_run_plan(const struct sim_scenario *scenario, int pairs, uint64_t seed, struct sim_session *ret)
{
	struct plan_options options = {.kind = PLAN_INTERLEAVE, .pairs = pairs, .slice_s = NAN, .settle_s = NAN,
				       .warmup_s = NAN, .effect = NAN, .seed = seed};
	struct plan plan;
	struct sim_device device;
	if (pairs > SIM_PAIRS_MAX || plan_make(&options, TRAFFIC_READS, &plan, NULL) ||
	    plan.slice_ns != SIM_SLICE_S * INT64_C(1000000000) || plan.settle_ns != SIM_SETTLE_S * INT64_C(1000000000))
		abort();
	sim_device_init(&device, scenario, pairs * SIM_PAIR_S, seed ^ UINT64_C(0x5bd1e9955bd1e995));
	ret->n = pairs;
	int before = -1;
	for (int turn = 0; turn < 2 * pairs; turn++) {
		int i = turn / 2, target = (turn % 2) ^ (plan.order[i] < 0);
		double *value = target ? ret->b : ret->a;
		ret->order[i] = plan.order[i];
		ret->follows_other[target][i] = before == 1 - target;
		value[i] = run_slice(&device, target, ret->second[target][i]);
		before = target;
	}
}

void
sim_way_real(const struct sim_session *s, int n, int n_planned, struct sim_interval *ret)
{
	struct verdict_rule rule = {.n_planned = n_planned, .effect = 0.02, .level_end = 0.05, .level_any = 0.01, .pair_seconds = SIM_PAIR_S};
	struct pair_stats stats;
	struct verdict v;
	verdict_reach(s->a, s->b, s->order, n, FIGURE_RATE, &rule, &stats, &v);
	*ret = (struct sim_interval){.known = v.has_interval, .lo = log(v.lo), .hi = log(v.hi), .rc = stats.rc};
}

void
sim_way_no_guard(const struct sim_session *s, int n, int n_planned, struct sim_interval *ret)
{
	struct pair_stats stats;
	*ret = (struct sim_interval){0};
	double factor = n == n_planned ? stats_t_quantile(0.975, n - 2) : stats_anytime_bound(n, 0.01);
	if (stats_pairs(s->a, s->b, s->order, n, FIGURE_RATE, &stats) || isinf(factor))
		return;
	double half = factor * stats.s / sqrt(n);
	*ret = (struct sim_interval){.known = 1, .lo = stats.l - half, .hi = stats.l + half, .rc = stats.rc};
}

void
sim_way_peeking(const struct sim_session *s, int n, int n_planned, struct sim_interval *ret)
{
	(void)n_planned;
	struct pair_stats stats;
	*ret = (struct sim_interval){0};
	if (stats_pairs(s->a, s->b, s->order, n, FIGURE_RATE, &stats))
		return;
	double half = stats_t_quantile(0.975, stats.nu) * stats.s / sqrt(n);
	*ret = (struct sim_interval){.known = 1, .lo = stats.l - half, .hi = stats.l + half, .rc = stats.rc};
}

// Welch's interval of mean(y) - mean(x), told as a log ratio of the means.
static void
welch(const double *x, const double *y, int n, struct sim_interval *ret)
{
	double mean_x = 0, mean_y = 0, var_x = 0, var_y = 0;
	for (int i = 0; i < n; i++) {
		mean_x += x[i] / n;
		mean_y += y[i] / n;
	}
	for (int i = 0; i < n; i++) {
		var_x += (x[i] - mean_x) * (x[i] - mean_x) / (n - 1) / n;
		var_y += (y[i] - mean_y) * (y[i] - mean_y) / (n - 1) / n;
	}
	double nu = (var_x + var_y) * (var_x + var_y) / ((var_x * var_x + var_y * var_y) / (n - 1));
	double half = gsl_cdf_tdist_Pinv(0.975, nu) * sqrt(var_x + var_y);
	*ret = (struct sim_interval){.known = 1, .lo = log(fmax(1e-9, 1 + (mean_y - mean_x - half) / mean_x)),
				     .hi = log(fmax(1e-9, 1 + (mean_y - mean_x + half) / mean_x))};
}

void
sim_way_unpaired(const struct sim_session *s, int n, int n_planned, struct sim_interval *ret)
{
	*ret = (struct sim_interval){0};
	if (n == n_planned)
		welch(s->a, s->b, n, ret);
}

int
sim_run_a_then_b(const struct sim_scenario *scenario, int pairs, double effect, uint64_t seed)
{
	int seconds = pairs * SIM_SLICE_S;
	double run[2][SIM_PAIRS_MAX * SIM_SLICE_S];
	struct sim_device device;
	struct sim_interval interval;
	sim_device_init(&device, scenario, 2 * seconds, seed);
	for (int target = 0; target < 2; target++) {
		sim_begin_slice(&device);
		for (int s = 0; s < seconds; s++)
			run[target][s] = sim_second(&device, target, 1) * (target ? 1 + effect : 1);
	}
	// The settle time is left out here too: once, at the start of each run.
	welch(run[0] + SIM_SETTLE_S, run[1] + SIM_SETTLE_S, seconds - SIM_SETTLE_S, &interval);
	return interval.lo > 0 ? 1 : interval.hi < 0 ? -1 : 0;
}

int
sim_tally_init(struct sim_tally *t, int sessions)
{
	*t = (struct sim_tally){.time_s = calloc((size_t)sessions, sizeof(*t->time_s))};
	return t->time_s ? 0 : -1;
}

void
sim_tally_fini(struct sim_tally *t)
{
	free(t->time_s);
	t->time_s = NULL;
}

static int
covers(const struct sim_interval *i, double truth)
{
	return i->known && i->lo <= truth && truth <= i->hi;
}

void
sim_judge(const struct sim_session *s, double effect, sim_way *way, struct sim_tally *t)
{
	struct sim_session x = *s;
	struct sim_interval at = {0}, reported = {0};
	double truth = log1p(effect);
	int stopped_at = 0;
	for (int i = 0; i < s->n; i++)
		x.b[i] = s->b[i] * (1 + effect);
	for (int n = 6; n <= s->n; n += 2) {
		way(&x, n, s->n, &at);
		if (stopped_at || !at.known)
			continue;
		reported = at;
		if (at.lo > 0 || at.hi < 0)
			stopped_at = n;
	}
	t->sessions++;
	t->claims += stopped_at > 0;
	t->wrong += stopped_at && reported.hi < 0;
	t->reported_covers += covers(&reported, truth);
	t->end_covers += covers(&at, truth);
	t->flagged += at.rc > 0.5;
	if (stopped_at && reported.lo > 0) {
		t->right++;
		t->time_s[t->n_times++] = stopped_at * SIM_PAIR_S;
	}
}

static int
compare_ints(const void *x, const void *y)
{
	return *(const int *)x - *(const int *)y;
}

int
sim_median_time(const struct sim_tally *t)
{
	if (2 * t->n_times < t->sessions)
		return -1;
	qsort(t->time_s, (size_t)t->n_times, sizeof(*t->time_s), compare_ints);
	return t->time_s[(t->sessions - 1) / 2 < t->n_times ? (t->sessions - 1) / 2 : t->n_times - 1];
}
