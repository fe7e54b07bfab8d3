// SPDX-License-Identifier: MIT
// A result's life: made unknown, filled, freed. One rule: what nobody has set
// is unknown, not zero.
#include "session/result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
slice_init(struct slice *s)
{
	memset(s, 0, sizeof(*s));
	for (int i = 0; i < METRIC_N; i++)
		s->metric[i] = NAN;
	s->ops = s->bytes = s->read_ops = s->write_ops = s->sync_ops = NAN;
}

void
pair_init(struct pair *p)
{
	memset(p, 0, sizeof(*p));
	slice_init(&p->slice[SIDE_A]);
	slice_init(&p->slice[SIDE_B]);
}

void
result_init(struct result *r)
{
	memset(r, 0, sizeof(*r));
	r->host.memory_bytes = NAN;
	r->plan.slice_s = r->plan.settle_s = r->plan.warmup_s = NAN;
	r->plan.effect = 0.02;
	for (int side = 0; side < SIDES; side++) {
		for (int i = 0; i < METRIC_N; i++)
			r->side[side].totals[i] = NAN;
	}
	r->primary = METRIC_IOPS;
	r->verdict.word = VERDICT_NONE;
	r->verdict.ratio = r->verdict.lo = r->verdict.hi = r->verdict.confidence = NAN;
}

void
result_fini(struct result *r)
{
	free(r->pairs);
	free(r->warnings);
	r->pairs = NULL;
	r->warnings = NULL;
	r->n_pairs = r->cap_pairs = r->n_warnings = r->cap_warnings = 0;
}

// Room for one more element. Returns the array, moved or not, or NULL.
static void *
grow(void *array, int n, int *cap, size_t element)
{
	if (n < *cap)
		return array;
	int wider = *cap ? 2 * *cap : 16;
	void *moved = realloc(array, (size_t)wider * element);
	if (moved)
		*cap = wider;
	return moved;
}

int
result_warn(struct result *r, const char *id, enum warning_level level, enum warning_side side, const char *fmt, ...)
{
	struct warning *w = NULL;
	for (int i = 0; i < r->n_warnings && !w; i++) {
		if (r->warnings[i].side == side && strcmp(r->warnings[i].id, id) == 0)
			w = &r->warnings[i];
	}
	if (!w) {
		struct warning *moved = grow(r->warnings, r->n_warnings, &r->cap_warnings, sizeof(*moved));
		if (!moved)
			return -ENOMEM;
		r->warnings = moved;
		w = &r->warnings[r->n_warnings++];
	}
	memset(w, 0, sizeof(*w));
	snprintf(w->id, sizeof(w->id), "%s", id);
	w->level = level;
	w->side = side;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(w->text, sizeof(w->text), fmt, ap);
	va_end(ap);
	return 0;
}

void
result_unwarn(struct result *r, const char *id)
{
	int kept = 0;
	for (int i = 0; i < r->n_warnings; i++) {
		if (strcmp(r->warnings[i].id, id) != 0)
			r->warnings[kept++] = r->warnings[i];
	}
	r->n_warnings = kept;
}

int
result_add_pair(struct result *r, const struct pair *pair)
{
	struct pair *moved = grow(r->pairs, r->n_pairs, &r->cap_pairs, sizeof(*moved));
	if (!moved)
		return -ENOMEM;
	r->pairs = moved;
	r->pairs[r->n_pairs++] = *pair;
	return 0;
}

static int
same_or_unknown(double x, double y)
{
	return x == y || (isnan(x) && isnan(y));
}

int
result_shows_metric(const struct result *r, int i)
{
	const struct metric_result *m = &r->metric[i];
	double a = m->mean[SIDE_A], b = m->mean[SIDE_B];
	if (m->state[SIDE_A] != WIRE_RESULT_OK || m->state[SIDE_B] != WIRE_RESULT_OK)
		return 1;
	// No read from memory is a finding; no write in a workload that reads is none.
	if (m->id == METRIC_CACHE_SHARE)
		return 1;
	if ((isnan(a) || a == 0) && (isnan(b) || b == 0))
		return m->id == r->primary;
	int number = metric_table[m->id].information;
	if (number && m->id != r->primary && number == metric_table[r->primary].information && r->n_pairs > 0)
		return 0;
	for (int k = 0; k < i; k++) {
		const struct metric_result *other = &r->metric[k];
		if (strcmp(metric_table[other->id].unit, metric_table[m->id].unit) == 0 &&
		    same_or_unknown(other->mean[SIDE_A], a) && same_or_unknown(other->mean[SIDE_B], b))
			return 0;
	}
	return 1;
}
