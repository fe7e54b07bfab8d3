// SPDX-License-Identifier: MIT
// The checks on the statistic and on the plan. One rule: a check never changes
// a figure; it adds a warning, and only a red one withholds the verdict.
#include "session/checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/checks_runs.h"
#include "session/checks_slices.h"

#define WANDER_FROM 0.5	     // bias-corrected correlation of neighbouring pairs
#define CHECK_QUANTILE 0.995 // two-sided 1 %
#define REPEATED_MOST 0.10   // of the pairs
#define SHORT_SLICE_S 5.0
#define FEW_OPERATIONS 1000.0

// What the checks here may say. Their warnings are taken back before each round.
static const char *const own_ids[] = {
	"slow-wander", "order-effect", "start-effect", "stalls", "few-slices", "ratio-trend", "repeated", "broken-pairs",
	"not-interleaved", "together", "short-slices", "few-operations", "drain", "burst", "sustained", "rate-fell",
	"cache-read", "cpu-bound", "sync-share",
};

void
checks_forget(struct result *r)
{
	for (unsigned i = 0; i < sizeof(own_ids) / sizeof(own_ids[0]); i++)
		result_unwarn(r, own_ids[i]);
}

// Log ratio in the direction of the words: above 0, B does more (or is higher).
static double
spoken(const struct result *r, double l)
{
	const struct metric_info *info = &metric_table[r->primary];
	return info->kind == FIGURE_DURATION || info->higher_is_better ? l : -l;
}

static void
check_wander(struct result *r, const struct pair_stats *s)
{
	if (!(s->rc > WANDER_FROM))
		return;
	char advice[40] = "use longer slices";
	if (r->plan.slice_s > 0)
		snprintf(advice, sizeof(advice), "use slices of %g s", fmax(10, 2 * r->plan.slice_s));
	result_warn(r, "slow-wander", LEVEL_YELLOW, WARN_BOTH,
		    "neighbouring pairs are alike (r = %.1f): the interval was widened x%.1f; %s", s->rc, sqrt(s->v), advice);
}

static void
check_order(struct result *r, const struct pair_stats *s)
{
	if (!(fabs(s->t_order) > stats_t_quantile(CHECK_QUANTILE, s->nu)))
		return;
	char number[40];
	double second = spoken(r, s->gamma);
	verdict_format_number(100 * fabs(expm1(second)), 0, number, sizeof(number));
	result_warn(r, "order-effect", LEVEL_YELLOW, WARN_BOTH,
		    "whoever runs second is %s %% %s: leftovers or heat; use longer slices or a longer settle time", number,
		    metric_table[r->primary].kind == FIGURE_QUANTILE ? (second > 0 ? "better" : "worse") :
									 (second > 0 ? "faster" : "slower"));
}

static void
check_few_slices(struct result *r, const struct columns *c)
{
	const struct verdict *v = &r->verdict;
	if (!v->has_interval)
		return;
	double typical = exp(spoken(r, stats_hodges_lehmann(c->a, c->b, c->n, metric_table[r->primary].kind)));
	if (!(typical < v->lo || typical > v->hi))
		return;
	result_warn(r, "few-slices", LEVEL_YELLOW, WARN_BOTH,
		    "a few slices carry this: the typical pair differs by %+.2g %%, the total by %+.2g %%",
		    100 * (typical - 1), 100 * (v->ratio - 1));
}

// A changing ratio is judged once, when the session is over: at every look it would alarm too often.
static void
check_trend(struct result *r, const struct pair_stats *s, int over)
{
	if (!over || s->defect != PAIRS_OK || !(fabs(s->t_trend) > stats_t_quantile(CHECK_QUANTILE, s->nu - 1)))
		return;
	result_warn(r, "ratio-trend", LEVEL_RED, WARN_BOTH,
		    "the ratio is changing: from about %+.2g %% to %+.2g %% during the session; no single number",
		    100 * expm1(spoken(r, s->trend_first)), 100 * expm1(spoken(r, s->trend_last)));
}

void
checks_pairs(struct result *r, const struct columns *c, const struct pair_stats *stats)
{
	const struct verdict *v = &r->verdict;
	if (stats->defect == PAIRS_OK) {
		check_wander(r, stats);
		check_order(r, stats);
		check_few_slices(r, c);
		check_trend(r, stats, v->pairs >= r->plan.pairs_planned || v->stopped_early);
	}
	if (c->n > 0 && c->pair[0]) {
		checks_slices(r, c);
		checks_runs(r, c);
	}
}

void
checks_plan(struct result *r)
{
	if (strcmp(r->plan.name, "together") == 0)
		result_warn(r, "together", LEVEL_RED, WARN_BOTH,
			    "A and B ran at the same time: this shows contention, not a difference");
	else
		result_warn(r, "not-interleaved", LEVEL_RED, WARN_BOTH,
			    "not interleaved: drift and difference cannot be told apart");
}

// Pairs that do not count: repeated ones failed for a recorded reason, the others were broken off by hand.
static void
check_uncounted(struct result *r)
{
	int failed = 0, broken = 0;
	const char *reason = "";
	for (int i = 0; i < r->n_pairs; i++) {
		const struct pair *p = &r->pairs[i];
		if (p->counted)
			continue;
		int by_hand = !p->reason[0] || strcmp(p->reason, PAIR_BROKEN_OFF) == 0;
		if (!by_hand || p->slice[SIDE_A].status || p->slice[SIDE_B].status) {
			failed++;
			if (!reason[0])
				reason = p->reason;
		} else {
			broken++;
		}
	}
	int repeated = r->plan.repeated > failed ? r->plan.repeated : failed;
	int of = r->plan.pairs_planned > r->plan.pairs_done ? r->plan.pairs_planned : r->plan.pairs_done;
	if (broken)
		result_warn(r, "broken-pairs", LEVEL_INFO, WARN_BOTH, "%d pair%s broken off and not counted", broken,
			    broken == 1 ? " was" : "s were");
	if (!repeated)
		return;
	int red = repeated > REPEATED_MOST * of;
	result_warn(r, "repeated", red ? LEVEL_RED : LEVEL_INFO, WARN_BOTH, "%d pair%s repeated%s%.90s%s%s", repeated,
		    repeated == 1 ? "" : "s", reason[0] ? " (" : "", reason, reason[0] ? ")" : "",
		    red ? ": more than 10 % of the pairs" : "");
}

// Fewest counted operations of a slice; NAN if unknown.
static double
fewest_operations(const struct result *r)
{
	double least = NAN;
	for (int i = 0; i < r->n_pairs; i++) {
		for (int side = 0; side < SIDES && r->pairs[i].counted; side++)
			least = fmin(least, r->pairs[i].slice[side].ops);
	}
	return least;
}

void
checks_session(struct result *r)
{
	if (strcmp(r->plan.name, "interleave") != 0)
		return;
	check_uncounted(r);
	if (!(r->plan.slice_s > 0) || r->plan.pairs_done < 1)
		return;
	double operations = fewest_operations(r);
	if (r->plan.slice_s < SHORT_SLICE_S)
		result_warn(r, "short-slices", LEVEL_YELLOW, WARN_BOTH,
			    "slices of %g s: settling and leftovers weigh more than the interval shows", r->plan.slice_s);
	if (operations < FEW_OPERATIONS)
		result_warn(r, "few-operations", LEVEL_YELLOW, WARN_BOTH,
			    "slices of %.0f I/Os: chance weighs more than the interval shows; use longer slices", operations);
}
