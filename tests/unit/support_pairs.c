// SPDX-License-Identifier: MIT
// Results with made-up pairs.
#include "support_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
pairs_set_rate(struct slice *s, double iops)
{
	s->counted_ns = INT64_C(3000000000);
	s->metric[METRIC_IOPS] = iops;
	s->metric[METRIC_READ_BYTES] = iops * 4096;
	s->metric[METRIC_WRITE_BYTES] = 0;
	s->metric[METRIC_DEVICE_READ_BYTES] = iops * 4096;
	s->metric[METRIC_LAT_P50] = s->metric[METRIC_READ_LAT_P50] = 1e9 / iops;
	s->metric[METRIC_LAT_P99] = s->metric[METRIC_READ_LAT_P99] = 3e9 / iops;
	s->ops = s->read_ops = 3 * iops;
	s->write_ops = s->sync_ops = 0;
	s->bytes = s->ops * 4096;
	s->n_seconds = 3;
	for (int i = 0; i < 3; i++)
		s->second[i] = (float)iops;
}

// Some per mille without a pattern: a fixed sequence of multiples of the golden ratio.
static double
noise(int i)
{
	double x = (i + 1) * 0.6180339887498949;
	return 0.004 * (x - floor(x) - 0.5);
}

struct pair *
pairs_add(struct result *r, int number, double ratio)
{
	struct pair p;
	pair_init(&p);
	p.first = number % 4 == 0 || number % 4 == 3 ? SIDE_A : SIDE_B;
	pairs_set_rate(&p.slice[SIDE_A], 1000 * (1 + noise(2 * number)));
	pairs_set_rate(&p.slice[SIDE_B], 1000 * ratio * (1 + noise(2 * number + 1)));
	p.slice[1 - p.first].follows_other = 1;
	p.done[SIDE_A] = p.done[SIDE_B] = p.counted = 1;
	if (result_add_pair(r, &p))
		abort();
	return &r->pairs[r->n_pairs - 1];
}

struct result *
pairs_result(int n, double ratio)
{
	struct result *r = malloc(sizeof(*r));
	if (!r)
		abort();
	result_init(r);
	snprintf(r->origin, sizeof(r->origin), "ioduel");
	snprintf(r->workload, sizeof(r->workload), "randread");
	snprintf(r->params, sizeof(r->params), "bs=4096\nsize=1073741824\n");
	snprintf(r->plan.name, sizeof(r->plan.name), "interleave");
	r->plan.slice_s = 5;
	r->plan.settle_s = 2;
	r->plan.pairs_planned = n;
	r->side[SIDE_A].present = r->side[SIDE_B].present = 1;
	for (int i = 0; i < n; i++)
		pairs_add(r, i, ratio);
	return r;
}

void
pairs_result_free(struct result *r)
{
	result_fini(r);
	free(r);
}

const struct metric_result *
pairs_metric(const struct result *r, enum metric id)
{
	for (int i = 0; i < r->n_metrics; i++) {
		if (r->metric[i].id == id)
			return &r->metric[i];
	}
	return NULL;
}

const struct warning *
pairs_warning(const struct result *r, const char *id, enum warning_side side)
{
	for (int i = 0; i < r->n_warnings; i++) {
		if (r->warnings[i].side == side && strcmp(r->warnings[i].id, id) == 0)
			return &r->warnings[i];
	}
	return NULL;
}
