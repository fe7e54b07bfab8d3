// SPDX-License-Identifier: MIT
// The result object, read. One rule: whatever a stranger wrote into it, the result is within its bounds and what is
// missing stays unknown.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/json_util.h"
#include "session/result_json.h"
#include "session/result_json_setup.h"

#define PAIRS_MAX 8192
#define WARNINGS_MAX 4096

static void
slice_from_json(const json_t *object, struct slice *ret)
{
	figures_from_json(object, ret->metric, ret->state);
	ret->ops = json_get_number(object, "ops", NAN);
	ret->bytes = json_get_number(object, "bytes", NAN);
	ret->read_ops = json_get_number(object, "read_ops", NAN);
	ret->write_ops = json_get_number(object, "write_ops", NAN);
	ret->sync_ops = json_get_number(object, "sync_ops", NAN);
	ret->start_ns = json_get_time(object, "start_ns", 0);
	ret->counted_ns = json_get_time(object, "counted_ns", 0);
	ret->drain_ns = json_get_time(object, "drain_ns", 0);
	ret->follows_other = json_get_bool(object, "follows_other", 0);
	ret->status = (int)json_clamp(json_get_number(object, "status", 0), -100000, 100000, 0);
	const json_t *seconds = json_object_get(object, "seconds");
	size_t n = json_array_size(seconds);
	ret->n_seconds = n > SLICE_SECONDS_MAX ? SLICE_SECONDS_MAX : (int)n;
	for (int i = 0; i < ret->n_seconds; i++) {
		const json_t *value = json_array_get(seconds, (size_t)i);
		double rate = json_is_number(value) ? json_number_value(value) : (double)NAN;
		ret->second[i] = fabs(rate) < 3e38 ? (float)rate : NAN;
	}
}

int
pair_from_json(const json_t *object, struct pair *ret)
{
	const char *order = json_string_value(json_object_get(object, "order"));
	if (!order || (strcmp(order, "AB") != 0 && strcmp(order, "BA") != 0))
		return -EINVAL;
	memset(ret, 0, sizeof(*ret));
	ret->first = order[0] == 'A' ? SIDE_A : SIDE_B;
	for (int side = 0; side < SIDES; side++) {
		const json_t *slice = json_object_get(object, side == SIDE_A ? "a" : "b");
		slice_from_json(slice, &ret->slice[side]);
		ret->done[side] = json_is_object(slice);
	}
	ret->counted = ret->done[SIDE_A] && ret->done[SIDE_B] && json_get_bool(object, "counted", 1);
	json_get_text(object, "reason", ret->reason, sizeof(ret->reason));
	return 0;
}

int
warning_from_json(const json_t *object, struct result *ret)
{
	struct warning w = { 0 };
	char level[16], side[16];
	json_get_text(object, "id", w.id, sizeof(w.id));
	json_get_text(object, "level", level, sizeof(level));
	json_get_text(object, "side", side, sizeof(side));
	json_get_text(object, "text", w.text, sizeof(w.text));
	if (!w.id[0])
		return -EINVAL;
	w.level = strcmp(level, "red") == 0 ? LEVEL_RED : strcmp(level, "yellow") == 0 ? LEVEL_YELLOW : LEVEL_INFO;
	w.side = strcmp(side, "a") == 0 ? WARN_A : strcmp(side, "b") == 0 ? WARN_B : WARN_BOTH;
	return result_warn(ret, w.id, w.level, w.side, "%s", w.text);
}

static void
get_interval(const json_t *object, const char *key, double *ret_lo, double *ret_hi)
{
	const json_t *array = json_object_get(object, key);
	const json_t *lo = json_array_get(array, 0), *hi = json_array_get(array, 1);
	*ret_lo = json_is_number(lo) && json_is_number(hi) ? json_number_value(lo) : (double)NAN;
	*ret_hi = json_is_number(lo) && json_is_number(hi) ? json_number_value(hi) : (double)NAN;
}

static enum verdict_word
get_word(const json_t *object)
{
	const char *name = json_string_value(json_object_get(object, "verdict"));
	for (int word = VERDICT_NONE; name && word <= VERDICT_SAME; word++)
		if (strcmp(name, verdict_word_name((enum verdict_word)word)) == 0)
			return (enum verdict_word)word;
	return VERDICT_NONE;
}

static void
metric_from_json(const json_t *object, struct result *ret)
{
	const char *name = json_string_value(json_object_get(object, "name"));
	const struct metric_info *info = name ? metric_find(name) : NULL;
	if (!info || ret->n_metrics >= METRIC_N)
		return;
	struct metric_result *m = &ret->metric[ret->n_metrics++];
	m->id = info->id;
	for (int side = 0; side < SIDES; side++) {
		const json_t *figure = json_object_get(object, side == SIDE_A ? "a" : "b");
		m->mean[side] = json_get_number(figure, "mean", NAN);
		m->n[side] = (int)json_clamp(json_get_number(figure, "n", 0), 0, 1000000000, 0);
		m->state[side] = figure_state_parse(json_string_value(json_object_get(figure, "state")));
	}
	m->ratio = json_get_number(object, "ratio", NAN);
	get_interval(object, "ci", &m->lo, &m->hi);
	m->confidence = json_get_number(object, "confidence", NAN);
	m->verdict = get_word(object);
	json_get_text(object, "words", m->words, sizeof(m->words));
}

static void
verdict_from_json(const json_t *object, struct result *ret)
{
	struct verdict *v = &ret->verdict;
	if (!json_is_object(object))
		return;
	v->word = get_word(object);
	json_get_text(object, "text", v->text, sizeof(v->text));
	v->stopped_early = json_get_bool(object, "stopped_early", 0);
	v->ratio = json_get_number(object, "ratio", NAN);
	get_interval(object, "ci", &v->lo, &v->hi);
	v->has_interval = isfinite(v->lo);
	v->confidence = json_get_number(object, "confidence", NAN);
	v->anytime = json_get_bool(object, "anytime", 0);
	v->pairs = (int)json_clamp(json_get_number(object, "pairs", 0), 0, PAIRS_MAX, 0);
	size_t i;
	json_t *reason;
	json_array_foreach(json_object_get(object, "reasons"), i, reason) {
		if (!json_is_string(reason) || ret->n_reasons >= 8)
			continue;
		json_copy_text(json_string_value(reason), ret->reason[ret->n_reasons++], sizeof(ret->reason[0]));
	}
}

static void
plan_from_json(const json_t *plan, struct result *ret)
{
	json_get_text(plan, "name", ret->plan.name, sizeof(ret->plan.name));
	ret->plan.slice_s = json_get_number(plan, "slice_s", NAN);
	ret->plan.settle_s = json_get_number(plan, "settle_s", NAN);
	ret->plan.warmup_s = json_get_number(plan, "warmup_s", NAN);
	ret->plan.pairs_planned = (int)json_clamp(json_get_number(plan, "pairs_planned", 0), 0, PAIRS_MAX, 0);
	ret->plan.pairs_done = (int)json_clamp(json_get_number(plan, "pairs_done", 0), 0, PAIRS_MAX, 0);
	ret->plan.repeated = (int)json_clamp(json_get_number(plan, "repeated", 0), 0, PAIRS_MAX, 0);
	const char *seed = json_string_value(json_object_get(plan, "seed"));
	ret->plan.seed = seed ? strtoull(seed, NULL, 10) : (unsigned long long)json_get_integer(plan, "seed", 0);
	ret->plan.effect = json_get_number(plan, "effect", ret->plan.effect);
	json_get_text(plan, "order", ret->plan.order, sizeof(ret->plan.order));
	const char *primary = json_string_value(json_object_get(plan, "primary"));
	if (primary && metric_find(primary))
		ret->primary = metric_find(primary)->id;
}

void
result_setup_from_json(const json_t *object, struct result *ret)
{
	json_get_text(object, "created", ret->created, sizeof(ret->created));
	json_get_text(object, "origin", ret->origin, sizeof(ret->origin));
	const json_t *host = json_object_get(object, "host");
	json_get_text(host, "name", ret->host.name, sizeof(ret->host.name));
	json_get_text(host, "kernel", ret->host.kernel, sizeof(ret->host.kernel));
	ret->host.cpus = (int)json_clamp(json_get_number(host, "cpus", 0), 0, 1000000, 0);
	ret->host.memory_bytes = json_get_number(host, "memory_bytes", NAN);
	const json_t *workload = json_object_get(object, "workload");
	json_get_text(workload, "name", ret->workload, sizeof(ret->workload));
	params_from_json(json_object_get(workload, "params"), ret->params, sizeof(ret->params));
	plan_from_json(json_object_get(object, "plan"), ret);
	const json_t *targets = json_object_get(object, "targets");
	side_from_json(json_object_get(targets, "a"), &ret->side[SIDE_A]);
	side_from_json(json_object_get(targets, "b"), &ret->side[SIDE_B]);
}

int
result_from_json(const json_t *object, struct result *ret, struct error *err)
{
	int64_t format = json_get_integer(object, "ioduel", 0);
	if (format < 1)
		return error_set(err, -EINVAL, "not an ioduel result");
	if (format > RESULT_FORMAT)
		return error_set(err, -ENOTSUP, "written in format %lld by a newer ioduel; this one reads up to format %d",
				 (long long)format, RESULT_FORMAT);
	result_setup_from_json(object, ret);
	size_t i;
	json_t *item;
	json_array_foreach(json_object_get(object, "metrics"), i, item) {
		metric_from_json(item, ret);
	}
	json_array_foreach(json_object_get(object, "warnings"), i, item) {
		if (i < WARNINGS_MAX && warning_from_json(item, ret) == -ENOMEM)
			return error_set(err, -ENOMEM, "out of memory");
	}
	json_array_foreach(json_object_get(object, "pairs"), i, item) {
		struct pair pair;
		if (i >= PAIRS_MAX)
			return error_set(err, -E2BIG, "more than %d pairs", PAIRS_MAX);
		if (pair_from_json(item, &pair) == 0 && result_add_pair(ret, &pair))
			return error_set(err, -ENOMEM, "out of memory");
	}
	verdict_from_json(json_object_get(object, "verdict"), ret);
	ret->interrupted = json_get_bool(object, "interrupted", 0);
	return 0;
}
