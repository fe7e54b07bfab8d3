// SPDX-License-Identifier: MIT
// The result object, written and read. One rule: numbers are not rounded and what is unknown is null, so that the
// same verdict can be reached again from what was written.
#include "session/result_json.h"

#include <errno.h>
#include <math.h>

#include "session/json_util.h"
#include "session/result_json_setup.h"

static const char *const level_names[] = { "info", "yellow", "red" };
static const char *const side_names[] = { "", "a", "b", "both" };

static json_t *
slice_to_json(const struct slice *slice)
{
	json_t *object = json_object();
	figures_to_json(slice->metric, slice->state, object);
	json_put(object, "ops", json_number_new(slice->ops));
	json_put(object, "bytes", json_number_new(slice->bytes));
	json_put(object, "read_ops", json_number_new(slice->read_ops));
	json_put(object, "write_ops", json_number_new(slice->write_ops));
	json_put(object, "sync_ops", json_number_new(slice->sync_ops));
	json_put(object, "start_ns", json_integer(slice->start_ns));
	json_put(object, "counted_ns", json_integer(slice->counted_ns));
	json_put(object, "drain_ns", json_integer(slice->drain_ns));
	json_put(object, "follows_other", json_boolean(slice->follows_other));
	json_put(object, "status", json_integer(slice->status));
	json_t *seconds = json_array();
	for (int i = 0; i < slice->n_seconds && i < SLICE_SECONDS_MAX; i++)
		json_array_append_new(seconds, json_number_new((double)slice->second[i]));
	json_put(object, "seconds", seconds);
	return object;
}

json_t *
pair_to_json(const struct pair *pair, const struct result *r)
{
	json_t *object = json_object();
	json_put(object, "order", json_string(pair->first == SIDE_B ? "BA" : "AB"));
	json_put(object, "counted", json_boolean(pair->counted));
	json_put(object, "reason", json_text_new(pair->reason));
	for (int side = 0; side < SIDES; side++) {
		if (!pair->done[side]) {
			json_put(object, side == SIDE_A ? "a" : "b", json_null());
			continue;
		}
		json_t *slice = slice_to_json(&pair->slice[side]);
		// A metric of this result that this slice lacks is said to be unknown, not left out.
		for (int i = 0; r && i < r->n_metrics; i++)
			if (!json_object_get(slice, metric_table[r->metric[i].id].name))
				json_put(slice, metric_table[r->metric[i].id].name, json_null());
		json_put(object, side == SIDE_A ? "a" : "b", slice);
	}
	return object;
}

json_t *
warning_to_json(const struct warning *warning)
{
	json_t *object = json_object();
	json_put(object, "id", json_text_new(warning->id));
	json_put(object, "level", json_string(level_names[warning->level]));
	json_put(object, "side", json_string(side_names[warning->side & WARN_BOTH]));
	json_put(object, "text", json_text_new(warning->text));
	return object;
}

static json_t *
interval_to_json(double lo, double hi)
{
	if (!isfinite(lo) || !isfinite(hi))
		return json_null();
	json_t *array = json_array();
	json_array_append_new(array, json_real(lo));
	json_array_append_new(array, json_real(hi));
	return array;
}

static json_t *
figure_to_json(const struct metric_result *m, int side)
{
	json_t *object = json_object();
	json_put(object, "mean", json_number_new(m->mean[side]));
	json_put(object, "n", json_integer(m->n[side]));
	if (figure_state_name(m->state[side]))
		json_put(object, "state", json_string(figure_state_name(m->state[side])));
	return object;
}

static json_t *
metric_to_json(const struct metric_result *m, const struct result *r)
{
	const struct metric_info *info = &metric_table[m->id];
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	json_t *object = json_object();
	json_put(object, "name", json_string(info->name));
	json_put(object, "unit", json_string(info->unit));
	json_put(object, "better", json_string(info->higher_is_better ? "higher" : "lower"));
	json_put(object, "a", r->side[SIDE_A].present ? figure_to_json(m, SIDE_A) : json_null());
	json_put(object, "b", r->side[SIDE_B].present ? figure_to_json(m, SIDE_B) : json_null());
	json_put(object, "ratio", json_number_new(both ? m->ratio : NAN));
	json_put(object, "ci", interval_to_json(m->lo, m->hi));
	json_put(object, "confidence", json_number_new(isfinite(m->lo) ? m->confidence : NAN));
	json_put(object, "verdict", both ? json_string(verdict_word_name(m->verdict)) : json_null());
	json_put(object, "words", json_text_new(m->words));
	return object;
}

static json_t *
verdict_to_json(const struct result *r)
{
	const struct verdict *v = &r->verdict;
	if (!r->side[SIDE_A].present || !r->side[SIDE_B].present)
		return json_null();
	json_t *object = json_object();
	json_put(object, "verdict", json_string(verdict_word_name(v->word)));
	json_put(object, "primary",
		 (unsigned)r->primary < METRIC_N ? json_string(metric_table[r->primary].name) : json_null());
	json_put(object, "text", json_text_new(v->text));
	json_put(object, "stopped_early", json_boolean(v->stopped_early));
	json_t *reasons = json_array();
	for (int i = 0; i < r->n_reasons; i++)
		json_array_append_new(reasons, json_text_new(r->reason[i]));
	json_put(object, "reasons", reasons);
	json_put(object, "ratio", json_number_new(v->ratio));
	json_put(object, "ci", v->has_interval ? interval_to_json(v->lo, v->hi) : json_null());
	json_put(object, "confidence", json_number_new(v->has_interval ? v->confidence : NAN));
	json_put(object, "anytime", json_boolean(v->anytime));
	json_put(object, "pairs", json_integer(v->pairs));
	return object;
}

static json_t *
plan_to_json(const struct result *r)
{
	json_t *plan = json_object();
	json_put(plan, "name", json_text_new(r->plan.name));
	json_put(plan, "slice_s", json_number_new(r->plan.slice_s));
	json_put(plan, "settle_s", json_number_new(r->plan.settle_s));
	json_put(plan, "warmup_s", json_number_new(r->plan.warmup_s));
	json_put(plan, "pairs_planned", json_integer(r->plan.pairs_planned));
	json_put(plan, "pairs_done", json_integer(r->plan.pairs_done));
	json_put(plan, "repeated", json_integer(r->plan.repeated));
	char seed[32]; // JSON's integers end at 2^63: a larger seed is written as text
	snprintf(seed, sizeof(seed), "%llu", r->plan.seed);
	json_put(plan, "seed", r->plan.seed > INT64_MAX ? json_string(seed) : json_integer((json_int_t)r->plan.seed));
	json_put(plan, "effect", json_number_new(r->plan.effect));
	json_put(plan, "order", json_text_new(r->plan.order));
	json_put(plan, "primary",
		 (unsigned)r->primary < METRIC_N ? json_string(metric_table[r->primary].name) : json_null());
	return plan;
}

static void
put_setup(const struct result *r, json_t *object)
{
	json_put(object, "created", json_text_new(r->created));
	json_put(object, "origin", json_text_new(r->origin));
	json_t *host = json_object();
	json_put(host, "name", json_text_new(r->host.name));
	json_put(host, "kernel", json_text_new(r->host.kernel));
	json_put(host, "cpus", r->host.cpus > 0 ? json_integer(r->host.cpus) : json_null());
	json_put(host, "memory_bytes",
		 r->host.memory_bytes > 0 && r->host.memory_bytes < 9e18
			 ? json_integer((json_int_t)r->host.memory_bytes) : json_null());
	json_put(object, "host", host);
	json_t *workload = json_object();
	json_put(workload, "name", json_text_new(r->workload));
	json_put(workload, "params", params_to_json(r->workload, r->params));
	json_put(object, "workload", workload);
	json_put(object, "plan", plan_to_json(r));
	json_t *targets = json_object();
	json_put(targets, "a", side_to_json(&r->side[SIDE_A], r->workload));
	json_put(targets, "b", side_to_json(&r->side[SIDE_B], r->workload));
	json_put(object, "targets", targets);
}

json_t *
result_setup_to_json(const struct result *r)
{
	json_t *object = json_object();
	put_setup(r, object);
	return object;
}

json_t *
result_to_json(const struct result *r)
{
	json_t *object = json_object(), *metrics = json_array(), *pairs = json_array(), *warnings = json_array();
	json_put(object, "ioduel", json_integer(RESULT_FORMAT));
	json_put(object, "kind", json_string("result"));
	put_setup(r, object);
	json_put(object, "verdict", verdict_to_json(r));
	for (int i = 0; i < r->n_metrics; i++)
		json_array_append_new(metrics, metric_to_json(&r->metric[i], r));
	json_put(object, "metrics", metrics);
	for (int i = 0; i < r->n_pairs; i++)
		json_array_append_new(pairs, pair_to_json(&r->pairs[i], r));
	json_put(object, "pairs", pairs);
	for (int i = 0; i < r->n_warnings; i++)
		json_array_append_new(warnings, warning_to_json(&r->warnings[i]));
	json_put(object, "warnings", warnings);
	json_put(object, "interrupted", json_boolean(r->interrupted));
	return object;
}

int
result_write_json(const struct result *r, FILE *out)
{
	json_t *object = result_to_json(r);
	if (!object)
		return -ENOMEM;
	int failed = json_write(object, JSON_INDENT(1), out) || fputc('\n', out) == EOF || fflush(out);
	json_decref(object);
	return failed ? -EIO : 0;
}
