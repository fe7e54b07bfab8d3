// SPDX-License-Identifier: MIT
// Comparing results that were not measured together. One rule: only figures of the same kind stand side by side, and
// without interleaved pairs there is no verdict.
#include "session/compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/compare_settings.h"
#include "session/import_bonnie.h"
#include "session/json_util.h"
#include "session/library.h"
#include "session/text_safe.h"

int
result_copy(const struct result *from, struct result *ret)
{
	struct pair *pairs = NULL;
	struct warning *warnings = NULL;
	if (from->n_pairs > 0 && !(pairs = malloc((size_t)from->n_pairs * sizeof(*pairs))))
		return -ENOMEM;
	if (from->n_warnings > 0 && !(warnings = malloc((size_t)from->n_warnings * sizeof(*warnings)))) {
		free(pairs);
		return -ENOMEM;
	}
	result_fini(ret);
	*ret = *from;
	ret->pairs = pairs;
	ret->warnings = warnings;
	ret->cap_pairs = from->n_pairs;
	ret->cap_warnings = from->n_warnings;
	if (pairs)
		memcpy(pairs, from->pairs, (size_t)from->n_pairs * sizeof(*pairs));
	if (warnings)
		memcpy(warnings, from->warnings, (size_t)from->n_warnings * sizeof(*warnings));
	return 0;
}

// A part of a file name behind its last colon that names a side or a result.
static int
choose(const struct import *im, const char *selector, int *ret_item, int *ret_side)
{
	char *end;
	long number = strtol(selector, &end, 10);
	if (strcmp(selector, "a") == 0 || strcmp(selector, "b") == 0) {
		*ret_side = selector[0] == 'a' ? SIDE_A : SIDE_B;
		*ret_item = im->n == 1 ? 0 : -1;
		return im->n == 1 && im->item[0].result->side[*ret_side].present ? 0 : -EINVAL;
	}
	for (int i = 0; i < im->n; i++)
		if (strcmp(im->item[i].name, selector) == 0) {
			*ret_item = i;
			return 0;
		}
	if (*selector && !*end && number >= 1 && number <= im->n) {
		*ret_item = (int)number - 1;
		return 0;
	}
	return -EINVAL;
}

static int
only_item(const struct import *im)
{
	for (int i = 0; im->kind == IMPORT_FIO && i < im->n; i++)
		if (strcmp(im->item[i].name, "All clients") == 0)
			return i;
	return im->n == 1 ? 0 : -1;
}

// A path, or the name of a saved session.
static int
open_named(const char *name, struct import *ret, struct error *err)
{
	char path[4400];
	int rc = import_file(name, ret, err);
	if (rc == -ENOENT && library_find(name, path, sizeof(path)) == 0)
		rc = import_file(path, ret, err);
	return rc;
}

int
compare_open(const char *spec, struct import *ret, int *ret_item, int *ret_side, struct error *err)
{
	char path[4096], safe[256];
	const char *colon = strrchr(spec, ':');
	*ret_item = *ret_side = -1;
	int rc = open_named(spec, ret, err);
	if (rc == 0) {
		*ret_item = only_item(ret);
		return 0;
	}
	if (rc != -ENOENT || !colon || (size_t)(colon - spec) >= sizeof(path))
		return rc;
	snprintf(path, sizeof(path), "%.*s", (int)(colon - spec), spec);
	rc = open_named(path, ret, err);
	if (rc)
		return rc;
	*ret_item = only_item(ret);
	if (choose(ret, colon + 1, ret_item, ret_side) == 0)
		return 0;
	text_safe_copy(safe, sizeof(safe), spec);
	if (ret->n == 1)
		error_set_status(err, -EINVAL, EXIT_USAGE, "%s: there is no such side in this file", safe);
	else
		error_set_status(err, -EINVAL, EXIT_USAGE, "%s: there is no such result in this file (it holds %d; name one by "
				 "its number or name)", safe, ret->n);
	import_fini(ret);
	return -EINVAL;
}

static const struct metric_result *
find_metric(const struct compare_part *part, enum metric id)
{
	for (int i = 0; i < part->result->n_metrics; i++) {
		const struct metric_result *m = &part->result->metric[i];
		if (m->id == id && (isfinite(m->mean[part->side]) || m->state[part->side] != WIRE_RESULT_OK))
			return m;
	}
	return NULL;
}

static int
is_bonnie(const struct compare_part *part)
{
	return strncmp(part->result->origin, "bonnie++", 8) == 0;
}

// Why a metric of both cannot be compared although it has the same name; NULL if it can.
static const char *
kind_differs(const struct compare_part *x, const struct compare_part *y, enum metric id)
{
	if (!is_bonnie(x) && !is_bonnie(y))
		return NULL;
	double vx = is_bonnie(x) ? bonnie_version(x->result) : 0, vy = is_bonnie(y) ? bonnie_version(y->result) : 0;
	if (id == METRIC_PUTC || id == METRIC_PUTC_CPU || id == METRIC_GETC || id == METRIC_GETC_CPU)
		return (vx >= 1.9) != (vy >= 1.9) ? "different kinds of per-char I/O, not compared" : NULL;
	if (id == METRIC_SEEKS_CPU && (vx >= 1.9 || vy >= 1.9))
		return "bonnie++ counts this %CP several times, not compared";
	return NULL;
}

static void
say_state(struct metric_result *m)
{
	for (int side = 0; side < SIDES; side++)
		if (m->state[side] == WIRE_RESULT_TOO_FAST)
			snprintf(m->words, sizeof(m->words), "too fast to measure");
		else if (m->state[side] == WIRE_RESULT_NOT_RUN && !m->words[0])
			snprintf(m->words, sizeof(m->words), "not run on both");
}

static void
take_metrics(const struct compare_part *x, const struct compare_part *y, struct result *ret)
{
	for (int k = 0; k < METRIC_N; k++) {
		enum metric id = k == 0 ? ret->primary : (enum metric)(k <= (int)ret->primary ? k - 1 : k);
		const struct metric_result *mx = find_metric(x, id), *my = find_metric(y, id);
		if (!mx || !my)
			continue;
		struct metric_result *m = &ret->metric[ret->n_metrics++];
		*m = (struct metric_result){ .id = id, .ratio = NAN, .lo = NAN, .hi = NAN, .confidence = NAN,
					     .mean = { mx->mean[x->side], my->mean[y->side] },
					     .n = { mx->n[x->side], my->n[y->side] },
					     .state = { mx->state[x->side], my->state[y->side] },
					     .verdict = VERDICT_NONE };
		const char *why = kind_differs(x, y, id);
		if (why)
			snprintf(m->words, sizeof(m->words), "%s", why);
		else if (m->mean[SIDE_A] > 0 && isfinite(m->mean[SIDE_B]))
			m->ratio = m->mean[SIDE_B] / m->mean[SIDE_A];
		else
			say_state(m);
	}
}

static void
take_side(const struct compare_part *part, int side, struct result *ret)
{
	ret->side[side] = part->result->side[part->side];
	// The parameters of its workload become this side's own, with its overrides behind them.
	char params[sizeof(part->result->params) + sizeof(ret->side[side].params)];
	snprintf(params, sizeof(params), "%s%s%s", part->result->params,
		 part->result->params[0] && ret->side[side].params[0] ? "\n" : "", ret->side[side].params);
	json_copy_text(params, ret->side[side].params, sizeof(ret->side[side].params));
	if (!ret->side[side].path[0] && part->name)
		text_safe_copy(ret->side[side].path, sizeof(ret->side[side].path), part->name);
	for (int i = 0; i < part->result->n_warnings; i++) {
		const struct warning *w = &part->result->warnings[i];
		if (!(w->side & (part->side == SIDE_A ? WARN_A : WARN_B)) || strcmp(w->id, "not-interleaved") == 0)
			continue;
		// What was red for a figure of its own stays visible; why there is no verdict here is said apart.
		result_warn(ret, w->id, w->level == LEVEL_RED ? LEVEL_YELLOW : w->level, side ? WARN_B : WARN_A, "%s", w->text);
	}
}

static void
add_reason(struct result *r, const char *text)
{
	if (r->n_reasons < (int)(sizeof(r->reason) / sizeof(r->reason[0])))
		snprintf(r->reason[r->n_reasons++], sizeof(r->reason[0]), "%s", text);
}

static int
largest_n(const struct result *r, int side)
{
	int n = 0;
	for (int i = 0; i < r->n_metrics; i++)
		n = r->metric[i].n[side] > n ? r->metric[i].n[side] : n;
	return n;
}

static void
withhold(const struct compare_part *x, const struct compare_part *y, struct result *ret)
{
	ret->verdict.word = VERDICT_NONE;
	if (x->failed || y->failed)
		add_reason(ret, x->failed && y->failed ? "both failed: these are no results" : x->failed ?
			   "A failed: this is no result" : "B failed: this is no result");
	add_reason(ret, "not interleaved: drift and difference cannot be told apart");
	if (largest_n(ret, SIDE_A) <= 1 && largest_n(ret, SIDE_B) <= 1)
		add_reason(ret, "one run each: from one run each nothing can be claimed");
	snprintf(ret->verdict.text, sizeof(ret->verdict.text), "NO VERDICT: %.300s", ret->reason[0]);
}

int
compare_parts(const struct compare_part *x, const struct compare_part *y, struct result *ret, struct error *err)
{
	char name[2][256];
	const struct result *rx = x->result, *ry = y->result;
	snprintf(ret->origin, sizeof(ret->origin), "ioduel compare");
	snprintf(ret->workload, sizeof(ret->workload), "%s", rx->workload);
	if (strcmp(rx->workload, ry->workload) != 0)
		snprintf(ret->workload, sizeof(ret->workload), "%.14s, %.14s", rx->workload, ry->workload);
	snprintf(ret->created, sizeof(ret->created), "%s", ry->created);
	ret->primary = find_metric(y, rx->primary) ? rx->primary : ry->primary;
	ret->plan.effect = rx->plan.effect;
	take_metrics(x, y, ret);
	take_side(x, SIDE_A, ret);
	take_side(y, SIDE_B, ret);
	compare_settings(x, y, ret);
	withhold(x, y, ret);
	if (ret->n_metrics > 0 || x->failed || y->failed)
		return 0;
	text_safe_copy(name[0], sizeof(name[0]), x->name);
	text_safe_copy(name[1], sizeof(name[1]), y->name);
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s (%s) and %s (%s) have no figures in common", name[0],
				rx->workload, name[1], ry->workload);
}

static void
swap_bytes(void *x, void *y, size_t size)
{
	unsigned char *a = x, *b = y;
	for (size_t i = 0; i < size; i++) {
		unsigned char c = a[i];
		a[i] = b[i];
		b[i] = c;
	}
}

int
compare_within(const struct result *session, int swapped, struct result *ret)
{
	int rc = result_copy(session, ret);
	if (rc || !swapped)
		return rc;
	int stopped = ret->verdict.stopped_early;
	swap_bytes(&ret->side[SIDE_A], &ret->side[SIDE_B], sizeof(ret->side[0]));
	for (int i = 0; i < ret->n_pairs; i++) {
		struct pair *p = &ret->pairs[i];
		swap_bytes(&p->slice[SIDE_A], &p->slice[SIDE_B], sizeof(p->slice[0]));
		swap_bytes(&p->done[SIDE_A], &p->done[SIDE_B], sizeof(p->done[0]));
		p->first = p->first == SIDE_A ? SIDE_B : SIDE_A;
	}
	for (char *c = ret->plan.order; *c; c++)
		*c = *c == 'A' ? 'B' : *c == 'B' ? 'A' : *c;
	for (int i = 0; i < ret->n_warnings; i++)
		if (ret->warnings[i].side != WARN_BOTH)
			ret->warnings[i].side = ret->warnings[i].side == WARN_A ? WARN_B : WARN_A;
	result_conclude(ret, stopped);
	return 0;
}
