// SPDX-License-Identifier: MIT
// From pairs to metrics, verdict and warnings. One rule: the outcome depends on
// the recorded pairs, the plan and the warnings alone, so that concluding a
// loaded session gives the bytes that were saved.
#include "session/conclude.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/checks.h"
#include "session/conclude_metric.h"

#define LEVEL_END 0.05
#define LEVEL_ANY 0.01
#define LOOK_FROM 6

static int
columns_init(struct columns *c, int capacity)
{
	size_t n = capacity > 0 ? (size_t)capacity : 1;
	*c = (struct columns){.pair = calloc(n, sizeof(*c->pair)), .a = calloc(n, sizeof(*c->a)),
			      .b = calloc(n, sizeof(*c->b)), .order = calloc(n, 1)};
	return c->pair && c->a && c->b && c->order ? 0 : -1;
}

static void
columns_fini(struct columns *c)
{
	free(c->pair);
	free(c->a);
	free(c->b);
	free(c->order);
}

static int
last_look(int n)
{
	return n > LOOK_FROM ? n - n % 2 : n;
}

static int
count_pairs(const struct result *r)
{
	int n = 0;
	for (int i = 0; i < r->n_pairs; i++)
		n += r->pairs[i].counted != 0;
	return n;
}

static void
take_counted(const struct result *r, struct columns *c)
{
	for (int i = 0; i < r->n_pairs; i++) {
		const struct pair *p = &r->pairs[i];
		if (!p->counted)
			continue;
		c->pair[c->n] = p;
		c->order[c->n++] = p->first == SIDE_A ? 1 : -1;
	}
	c->n = last_look(c->n);
}

// Seconds that a pair takes; NAN if unknown.
static double
pair_seconds(const struct result *r, const struct columns *c)
{
	if (r->plan.slice_s > 0)
		return 2 * r->plan.slice_s;
	double sum = 0;
	for (int i = 0; i < c->n && c->pair[i]; i++)
		sum += (double)(c->pair[i]->slice[SIDE_A].counted_ns + c->pair[i]->slice[SIDE_B].counted_ns);
	return sum > 0 ? sum / c->n / 1e9 : NAN;
}

static struct verdict_rule
primary_rule(const struct result *r, const struct columns *c, int n_counted, int stopped)
{
	const struct metric_info *info = &metric_table[r->primary];
	return (struct verdict_rule){
		.n_planned = r->plan.pairs_planned > 0 ? r->plan.pairs_planned : n_counted,
		.effect = r->plan.effect,
		.level_end = LEVEL_END,
		.level_any = LEVEL_ANY,
		.pair_seconds = pair_seconds(r, c),
		.stopped = stopped,
		.noun = info->higher_is_better || info->kind == FIGURE_DURATION ? NULL : info->label,
		.lower_is_better = !info->higher_is_better,
	};
}

// Metrics of the secondaries, each with its interval widened by how many there are.
static void
judge_secondaries(struct result *r, struct columns *c, const struct verdict_rule *primary)
{
	int groups = metric_count_groups(r, c);
	struct verdict_rule rule = *primary;
	rule.level_end = LEVEL_END / groups;
	rule.level_any = LEVEL_ANY / groups;
	for (int i = 0; i < r->n_metrics; i++) {
		if (r->metric[i].id != r->primary)
			metric_judge(c, &r->metric[i], &rule, NULL, NULL);
	}
}

// Red warnings take the headline's place; the numbers stay.
static void
withhold(struct result *r)
{
	for (int i = 0; i < r->n_warnings; i++) {
		const struct warning *w = &r->warnings[i];
		if (w->level == LEVEL_RED && r->n_reasons < (int)(sizeof(r->reason) / sizeof(r->reason[0])))
			snprintf(r->reason[r->n_reasons++], sizeof(r->reason[0]), "%s", w->text);
	}
	if (!r->n_reasons)
		return;
	r->verdict.word = VERDICT_NONE;
	r->verdict.has_interval = 0;
	snprintf(r->verdict.text, sizeof(r->verdict.text), "NO VERDICT: %.300s", r->reason[0]);
	for (int i = 0; i < r->n_metrics; i++)
		r->metric[i].verdict = VERDICT_NONE;
}

static void
conclude_pairs(struct result *r, struct columns *c, int n_counted, int stopped)
{
	struct verdict_rule rule = primary_rule(r, c, n_counted, stopped);
	struct metric_result *primary = NULL;
	for (int i = 0; i < r->n_metrics && !primary; i++) {
		if (r->metric[i].id == r->primary)
			primary = &r->metric[i];
	}
	struct pair_stats stats = {0};
	if (primary) {
		metric_judge(c, primary, &rule, &stats, &r->verdict);
	} else {
		metric_take(c, r->primary);
		verdict_reach(c->a, c->b, c->order, c->n, metric_table[r->primary].kind, &rule, &stats, &r->verdict);
	}
	if (c->pair[0])
		judge_secondaries(r, c, &rule);
	metric_take(c, r->primary);
	checks_pairs(r, c, &stats);
}

// Without pairs: each side's own figures, their difference, and no interval.
static void
conclude_sides(struct result *r)
{
	const struct metric_result *primary = NULL;
	for (int i = 0; i < r->n_metrics; i++) {
		if (r->metric[i].id == r->primary)
			primary = &r->metric[i];
	}
	r->verdict.word = VERDICT_NONE;
	r->verdict.pairs = 0;
	int own = strcmp(r->origin, "ioduel") == 0;
	int by_hand = own && (strcmp(r->plan.name, "interleave") == 0 || strcmp(r->plan.name, "") == 0);
	int one_side = strcmp(r->plan.name, "a") == 0 || strcmp(r->plan.name, "b") == 0;
	char *text = r->verdict.text;
	size_t size = sizeof(r->verdict.text);
	if (!r->n_metrics)
		snprintf(text, size, "nothing measured yet");
	else if (one_side || !r->side[SIDE_A].present || !r->side[SIDE_B].present)
		snprintf(text, size, "one side only: nothing to compare");
	else if (!by_hand)
		checks_plan(r);
	else if (primary && isfinite(primary->ratio))
		snprintf(text, size, "flipped by hand: B/A %.2g so far; no interval, since order and length were chosen by hand",
			 primary->ratio);
	else
		snprintf(text, size, "only one side was measured so far: nothing to compare");
}

static void
start_over(struct result *r)
{
	r->n_metrics = 0;
	r->n_reasons = 0;
	memset(r->metric, 0, sizeof(r->metric));
	memset(r->reason, 0, sizeof(r->reason));
	memset(&r->verdict, 0, sizeof(r->verdict));
	r->verdict.ratio = r->verdict.lo = r->verdict.hi = r->verdict.confidence = NAN;
	checks_forget(r);
}

int
conclude_figures(struct result *r, const double *a, const double *b, const signed char *order, int n, int stopped)
{
	struct columns c;
	start_over(r);
	int failed = columns_init(&c, n);
	if (!failed) {
		c.n = last_look(n);
		memcpy(c.a, a, (size_t)c.n * sizeof(*a));
		memcpy(c.b, b, (size_t)c.n * sizeof(*b));
		memcpy(c.order, order, (size_t)c.n);
		r->plan.pairs_done = n;
		metric_add_figures(r, &c);
		conclude_pairs(r, &c, n, stopped);
		withhold(r);
	}
	columns_fini(&c);
	return failed;
}

void
result_conclude(struct result *r, int stopped)
{
	int n = count_pairs(r);
	struct columns c;
	start_over(r);
	r->plan.pairs_done = n;
	if (columns_init(&c, n)) {
		snprintf(r->verdict.text, sizeof(r->verdict.text), "NO VERDICT: out of memory");
		columns_fini(&c);
		return;
	}
	int interleaved = strcmp(r->plan.name, "interleave") == 0;
	if (interleaved)
		take_counted(r, &c);
	if (c.n > 0)
		metric_add_counted(r, &c);
	else
		metric_add_sides(r);
	if (c.n > 0 || (interleaved && !r->n_metrics))
		conclude_pairs(r, &c, n, stopped);
	else
		conclude_sides(r);
	checks_session(r);
	withhold(r);
	columns_fini(&c);
}
