// SPDX-License-Identifier: MIT
// Whole sessions as pairs: what needs a reboot, a new file system or a rebuilt pool between A and B. One rule: only
// sessions that alternate in time are pairs; a session counts as one slice, whatever is inside it.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session/compare.h"
#include "session/compare_settings.h"
#include "session/text_safe.h"

struct entry {
	const struct compare_part *part;
	enum side side; // of the comparison
};

double
compare_parse_date(const char *text)
{
	struct tm tm;
	memset(&tm, 0, sizeof(tm));
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!end)
		return NAN;
	char *fraction_end = (char *)end;
	double fraction = *end == '.' ? strtod(end, &fraction_end) : 0;
	if (strcmp(fraction_end, "Z") != 0)
		return NAN;
	return (double)timegm(&tm) + fraction;
}

static int
by_time(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	return a->part->time_s < b->part->time_s ? -1 : a->part->time_s > b->part->time_s;
}

static int
sort_entries(struct entry *entry, int n, struct error *err)
{
	char safe[256];
	for (int i = 0; i < n; i++) {
		text_safe_copy(safe, sizeof(safe), entry[i].part->name);
		if (isnan(entry[i].part->time_s))
			return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: it is not known when this was measured", safe);
		if (entry[i].part->failed)
			return error_set(err, -EINVAL, "%s: this run failed and cannot be half of a pair", safe);
	}
	qsort(entry, (size_t)n, sizeof(*entry), by_time);
	for (int i = 1; i < n; i++)
		if (entry[i].part->time_s == entry[i - 1].part->time_s) {
			text_safe_copy(safe, sizeof(safe), entry[i].part->name);
			return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: another session has the same time; which came "
						"first cannot be told", safe);
		}
	return 0;
}

static void
take_slice(const struct compare_part *part, struct slice *s)
{
	const struct result *r = part->result;
	for (int i = 0; i < r->n_metrics; i++) {
		s->metric[r->metric[i].id] = r->metric[i].mean[part->side];
		s->state[r->metric[i].id] = r->metric[i].state[part->side];
	}
	// The populations of the quantiles: all that the session counted.
	double ops = 0, bytes = 0, reads = 0, writes = 0, syncs = 0;
	for (int i = 0; i < r->n_pairs; i++) {
		const struct slice *from = &r->pairs[i].slice[part->side];
		if (!r->pairs[i].done[part->side])
			continue;
		ops += from->ops;
		bytes += from->bytes;
		reads += from->read_ops;
		writes += from->write_ops;
		syncs += from->sync_ops;
		s->counted_ns += from->counted_ns;
	}
	if (r->n_pairs > 0) {
		s->ops = ops;
		s->bytes = bytes;
		s->read_ops = reads;
		s->write_ops = writes;
		s->sync_ops = syncs;
	}
	s->start_ns = (int64_t)(part->time_s * 1e9);
}

static int
add_pairs(const struct entry *entry, int n, struct result *ret)
{
	int rc = 0, used = 0;
	for (int i = 0; rc == 0 && i + 1 < n; i += 2, used++) {
		struct pair pair;
		pair_init(&pair);
		pair.first = (int)entry[i].side;
		pair.counted = 1;
		for (int k = 0; k < 2; k++) {
			take_slice(entry[i + k].part, &pair.slice[entry[i + k].side]);
			pair.done[entry[i + k].side] = 1;
		}
		size_t at = strlen(ret->plan.order);
		if (at + 4 < sizeof(ret->plan.order))
			snprintf(ret->plan.order + at, sizeof(ret->plan.order) - at, "%s%s", at ? " " : "",
				 pair.first == SIDE_A ? "AB" : "BA");
		rc = result_add_pair(ret, &pair);
	}
	ret->plan.pairs_planned = used;
	return rc;
}

static void
describe(const struct compare_part *a, const struct compare_part *b, struct result *ret)
{
	const struct compare_part *const part[SIDES] = { a, b };
	snprintf(ret->origin, sizeof(ret->origin), "ioduel compare --sessions");
	snprintf(ret->workload, sizeof(ret->workload), "%s", a->result->workload);
	if (strcmp(a->result->params, b->result->params) == 0)
		snprintf(ret->params, sizeof(ret->params), "%s", a->result->params);
	snprintf(ret->created, sizeof(ret->created), "%s", a->result->created);
	ret->host = (__typeof__(ret->host)){ .memory_bytes = a->result->host.memory_bytes };
	memcpy(ret->host.name, a->result->host.name, sizeof(ret->host.name));
	ret->primary = a->result->primary;
	ret->plan.effect = a->result->plan.effect;
	for (int side = 0; side < SIDES; side++) {
		ret->side[side] = part[side]->result->side[part[side]->side];
		if (!ret->side[side].path[0])
			text_safe_copy(ret->side[side].path, sizeof(ret->side[side].path), part[side]->name);
	}
}

// Without alternation there are no pairs: each side's mean, and the reason.
static void
withhold(const struct entry *entry, int n, struct result *ret)
{
	for (int id = 0; id < METRIC_N; id++)
		for (int side = 0; side < SIDES; side++) {
			double sum = 0;
			int count = 0;
			for (int i = 0; i < n; i++) {
				struct slice s;
				slice_init(&s);
				if (entry[i].side != (enum side)side)
					continue;
				take_slice(entry[i].part, &s);
				if (isfinite(s.metric[id])) {
					sum += s.metric[id];
					count++;
				}
			}
			ret->side[side].totals[id] = count ? sum / count : NAN;
		}
	snprintf(ret->plan.name, sizeof(ret->plan.name), "sessions");
	result_conclude(ret, 0);
}

int
compare_sessions(const struct compare_part *a, int n_a, const struct compare_part *b, int n_b, struct result *ret,
		 struct error *err)
{
	int n = n_a + n_b, alternates = n_a == n_b;
	struct entry *entry = calloc((size_t)n, sizeof(*entry));
	if (!entry)
		return error_set(err, -ENOMEM, "out of memory");
	for (int i = 0; i < n; i++)
		entry[i] = (struct entry){ i < n_a ? &a[i] : &b[i - n_a], i < n_a ? SIDE_A : SIDE_B };
	int rc = sort_entries(entry, n, err);
	if (rc == 0) {
		describe(a, b, ret);
		compare_settings(a, b, ret);
		for (int i = 0; i < n; i++)
			if (entry[i].part->time_of_file)
				result_warn(ret, "session-times", LEVEL_YELLOW, WARN_BOTH, "these files do not say when they were "
					    "measured: their order is that of the files' dates");
		for (int i = 0; i + 1 < n; i += 2)
			alternates &= entry[i].side != entry[i + 1].side;
		if (!alternates) {
			withhold(entry, n, ret);
		} else {
			snprintf(ret->plan.name, sizeof(ret->plan.name), "interleave");
			rc = add_pairs(entry, n, ret);
			result_conclude(ret, 0);
		}
	}
	free(entry);
	return rc;
}
