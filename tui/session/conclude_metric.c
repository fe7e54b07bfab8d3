// SPDX-License-Identifier: MIT
// One metric over the counted pairs. One rule: what cannot be compared says
// why, and keeps its means.
#include "session/conclude_metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CPU_LEAST_S 0.05 // per slice; below, the kernel's accounting is too coarse
#define SPLIT_LEAST_S 0.4 // 100 ticks of 4 ms: user and sys are told apart by sampling

void
metric_take(struct columns *c, enum metric id)
{
	for (int i = 0; i < c->n && c->pair[i]; i++) {
		c->a[i] = c->pair[i]->slice[SIDE_A].metric[id];
		c->b[i] = c->pair[i]->slice[SIDE_B].metric[id];
	}
}

static void
metric_clear(struct metric_result *m, enum metric id)
{
	*m = (struct metric_result){.id = id, .mean = {NAN, NAN}, .ratio = NAN, .lo = NAN, .hi = NAN,
				    .confidence = NAN, .verdict = VERDICT_UNDECIDED};
}

// Mean of the known values: arithmetic, since work adds up; geometric for quantiles, which do not.
static double
mean_known(const double *values, int n, enum figure_kind kind, int *ret_known)
{
	double sum = 0;
	int known = 0;
	for (int i = 0; i < n; i++) {
		if (isnan(values[i]))
			continue;
		sum += kind == FIGURE_QUANTILE ? log(values[i]) : values[i];
		known++;
	}
	*ret_known = known;
	if (!known)
		return NAN;
	return kind == FIGURE_QUANTILE ? exp(sum / known) : sum / known;
}

// Adds m unless nothing is known of it.
static void
keep_if_known(struct result *r, const struct metric_result *m)
{
	if (m->n[SIDE_A] || m->n[SIDE_B] || m->state[SIDE_A] || m->state[SIDE_B])
		r->metric[r->n_metrics++] = *m;
}

// Metric ids with the primary first.
static enum metric
nth_metric(const struct result *r, int i)
{
	if (i == 0)
		return r->primary;
	return (enum metric)(i <= (int)r->primary ? i - 1 : i);
}

void
metric_add_counted(struct result *r, struct columns *c)
{
	for (int k = 0; k < METRIC_N; k++) {
		enum metric id = nth_metric(r, k);
		struct metric_result m;
		metric_clear(&m, id);
		metric_take(c, id);
		for (int i = 0; i < c->n; i++) {
			for (int side = 0; side < SIDES; side++) {
				if (c->pair[i]->slice[side].state[id])
					m.state[side] = c->pair[i]->slice[side].state[id];
			}
		}
		m.mean[SIDE_A] = mean_known(c->a, c->n, metric_table[id].kind, &m.n[SIDE_A]);
		m.mean[SIDE_B] = mean_known(c->b, c->n, metric_table[id].kind, &m.n[SIDE_B]);
		keep_if_known(r, &m);
	}
}

void
metric_add_figures(struct result *r, const struct columns *c)
{
	struct metric_result m;
	metric_clear(&m, r->primary);
	m.mean[SIDE_A] = mean_known(c->a, c->n, metric_table[r->primary].kind, &m.n[SIDE_A]);
	m.mean[SIDE_B] = mean_known(c->b, c->n, metric_table[r->primary].kind, &m.n[SIDE_B]);
	keep_if_known(r, &m);
}

// A side's own slices, whether or not they have a partner; its totals where there is none.
static double
side_mean(const struct result *r, enum side side, enum metric id, int *ret_n, unsigned char *ret_state)
{
	double sum = 0;
	int n = 0, quantile = metric_table[id].kind == FIGURE_QUANTILE;
	for (int i = 0; i < r->n_pairs; i++) {
		const struct slice *s = &r->pairs[i].slice[side];
		if (!r->pairs[i].done[side] || s->status)
			continue;
		if (s->state[id])
			*ret_state = s->state[id];
		if (isnan(s->metric[id]))
			continue;
		sum += quantile ? log(s->metric[id]) : s->metric[id];
		n++;
	}
	*ret_n = n;
	if (n)
		return quantile ? exp(sum / n) : sum / n;
	if (r->side[side].state[id])
		*ret_state = r->side[side].state[id];
	*ret_n = !isnan(r->side[side].totals[id]);
	return r->side[side].totals[id];
}

void
metric_add_sides(struct result *r)
{
	for (int k = 0; k < METRIC_N; k++) {
		enum metric id = nth_metric(r, k);
		struct metric_result m;
		metric_clear(&m, id);
		m.verdict = VERDICT_NONE;
		for (enum side side = SIDE_A; side < SIDES; side++)
			m.mean[side] = side_mean(r, side, id, &m.n[side], &m.state[side]);
		if (m.mean[SIDE_A] > 0 && isfinite(m.mean[SIDE_B]))
			m.ratio = m.mean[SIDE_B] / m.mean[SIDE_A];
		keep_if_known(r, &m);
	}
}

// The operations that a quantile was taken from.
static double
population(const struct slice *s, enum metric id)
{
	switch (id) {
	case METRIC_LAT_P50: case METRIC_LAT_P99: case METRIC_LAT_P999:
		return s->ops;
	case METRIC_READ_LAT_P50: case METRIC_READ_LAT_P99: case METRIC_READ_LAT_P999:
		return s->read_ops;
	case METRIC_WRITE_LAT_P50: case METRIC_WRITE_LAT_P99: case METRIC_WRITE_LAT_P999:
		return s->write_ops;
	case METRIC_SYNC_LAT_P50: case METRIC_SYNC_LAT_P99: case METRIC_SYNC_LAT_P999:
		return s->sync_ops;
	default:
		return NAN;
	}
}

// CPU seconds of a slice: of both kinds, and of the metric itself.
static double
cpu_seconds(const struct slice *s, enum metric id, double *ret_total)
{
	double counted_s = (double)s->counted_ns / 1e9;
	switch (id) {
	case METRIC_CPU_USER: case METRIC_CPU_SYS:
		*ret_total = (s->metric[METRIC_CPU_USER] + s->metric[METRIC_CPU_SYS]) * counted_s;
		return s->metric[id] * counted_s;
	case METRIC_USER_S: case METRIC_SYS_S:
		*ret_total = s->metric[METRIC_USER_S] + s->metric[METRIC_SYS_S];
		return s->metric[id];
	case METRIC_CPU_NS_PER_IO:
		return *ret_total = s->metric[id] * s->ops / 1e9;
	case METRIC_CPU_NS_PER_GIB:
		return *ret_total = s->metric[id] * s->bytes / (1024.0 * 1024 * 1024) / 1e9;
	default:
		return *ret_total = INFINITY;
	}
}

static void
check_population(const struct columns *c, struct metric_result *m)
{
	double least = INFINITY, need = 10 / (1 - metric_table[m->id].quantile);
	int measured_here = 0;
	for (int i = 0; i < c->n; i++) {
		for (int side = 0; side < SIDES; side++) {
			double ops = population(&c->pair[i]->slice[side], m->id);
			measured_here |= c->pair[i]->slice[side].counted_ns > 0;
			// Once unknown, it stays unknown.
			if (isnan(ops) || ops < least)
				least = ops;
		}
	}
	char number[40];
	// Of figures that another program gives, its author answers for the population.
	if (isnan(least) && !measured_here)
		return;
	if (isnan(least))
		snprintf(m->words, sizeof(m->words), "I/Os per slice unknown, not compared");
	else if (least < need * (1 - 1e-9)) {
		verdict_format_number(least, -1, number, sizeof(number));
		snprintf(m->words, sizeof(m->words), "only %s I/Os per slice, not compared", number);
	}
}

static void
check_cpu(const struct columns *c, struct metric_result *m)
{
	double least = INFINITY, least_total = INFINITY;
	int split = m->id == METRIC_CPU_USER || m->id == METRIC_CPU_SYS || m->id == METRIC_USER_S || m->id == METRIC_SYS_S;
	for (int i = 0; i < c->n; i++) {
		for (int side = 0; side < SIDES; side++) {
			double total, own = cpu_seconds(&c->pair[i]->slice[side], m->id, &total);
			least = fmin(least, own);
			least_total = fmin(least_total, total);
		}
	}
	if (least < CPU_LEAST_S)
		snprintf(m->words, sizeof(m->words), "too small to compare");
	else if (split && least_total < SPLIT_LEAST_S)
		snprintf(m->words, sizeof(m->words), "user and sys too small to tell apart");
}

// Fills words and returns 0 where the metric must not be compared.
static int
comparable(const struct columns *c, struct metric_result *m)
{
	int missing = c->n - (m->n[SIDE_A] < m->n[SIDE_B] ? m->n[SIDE_A] : m->n[SIDE_B]);
	m->words[0] = '\0';
	if (missing == c->n)
		snprintf(m->words, sizeof(m->words), "not known of both sides");
	else if (missing > 0)
		snprintf(m->words, sizeof(m->words), "unknown in %d of %d pairs, not compared", missing, c->n);
	else if (c->pair[0] && metric_table[m->id].quantile > 0)
		check_population(c, m);
	else if (c->pair[0])
		check_cpu(c, m);
	return m->words[0] == '\0';
}

static double
operations(const struct slice *slice, enum metric id)
{
	return id == METRIC_IOPS ? slice->ops : id == METRIC_READ_BYTES ? slice->read_ops : slice->write_ops;
}

// A count over a fixed time is cut at both ends: each end adds the variance of a rounding, 1/12 of an operation squared.
static double
counting_variance(const struct columns *c, enum metric id)
{
	double sum = 0;
	if (id != METRIC_IOPS && id != METRIC_READ_BYTES && id != METRIC_WRITE_BYTES)
		return 0;
	for (int i = 0; i < c->n; i++) {
		if (!c->pair[i])
			return 0;
		double a = operations(&c->pair[i]->slice[SIDE_A], id), b = operations(&c->pair[i]->slice[SIDE_B], id);
		if (!(a > 0 && b > 0))
			return 0;
		sum += (1 / (a * a) + 1 / (b * b)) / 6;
	}
	return sum / c->n;
}

void
metric_judge(struct columns *c, struct metric_result *m, const struct verdict_rule *rule,
	     struct pair_stats *ret_stats, struct verdict *ret_verdict)
{
	const struct metric_info *info = &metric_table[m->id];
	struct verdict_rule own = *rule;
	struct pair_stats stats;
	struct verdict v;
	own.lower_is_better = !info->higher_is_better;
	metric_take(c, m->id);
	own.least_variance = counting_variance(c, m->id);
	verdict_reach(c->a, c->b, c->order, c->n, info->kind, &own, &stats, &v);
	if (!comparable(c, m)) {
		// Below the least number of pairs that is what there is to say.
		if (stats.defect != PAIRS_TOO_FEW)
			snprintf(v.text, sizeof(v.text), "undecided: %s: %s", info->label, m->words);
		v.word = VERDICT_UNDECIDED;
		v.has_interval = 0;
		v.ratio = v.lo = v.hi = NAN;
	}
	m->confidence = v.confidence;
	m->verdict = v.word;
	if (v.has_interval) {
		m->ratio = info->higher_is_better ? v.ratio : 1 / v.ratio;
		m->lo = info->higher_is_better ? v.lo : 1 / v.hi;
		m->hi = info->higher_is_better ? v.hi : 1 / v.lo;
	}
	if (!m->words[0])
		snprintf(m->words, sizeof(m->words), "%s",
			 !verdict_is_claim(&v) ? "unclear" : m->ratio > 1 ? "higher" : "lower");
	if (ret_stats)
		*ret_stats = stats;
	if (ret_verdict)
		*ret_verdict = v;
}

// True if the two metrics have the same figures throughout (latency of all and of reads, where all are reads).
static int
same_figures(const struct columns *c, enum metric x, enum metric y)
{
	for (int i = 0; i < c->n; i++) {
		for (int side = 0; side < SIDES; side++) {
			const double *metric = c->pair[i]->slice[side].metric;
			if (metric[x] != metric[y])
				return 0;
		}
	}
	return 1;
}

int
metric_count_groups(const struct result *r, struct columns *c)
{
	int groups = 0;
	for (int i = 0; i < r->n_metrics; i++) {
		struct metric_result m = r->metric[i];
		int number = metric_table[m.id].information, known = m.id == r->primary || !comparable(c, &m);
		for (int j = 0; j < i && !known; j++) {
			enum metric other = r->metric[j].id;
			known = (number && metric_table[other].information == number) || same_figures(c, m.id, other);
		}
		groups += !known;
	}
	return groups > 0 ? groups : 1;
}
