// SPDX-License-Identifier: MIT
// A verdict reached again from what was written is the same verdict, byte for byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/plan.h"
#include "session/result_json.h"
#include "support_pairs.h"

static char *
print(const struct result *r)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	assert_int_equal(result_write_json(r, out), 0);
	fclose(out);
	return text;
}

// Writes, reads, forgets what was concluded and concludes again.
static void
assert_recomputes(struct result *r, int stopped)
{
	struct error err;
	struct result *again = malloc(sizeof(*again));
	assert_non_null(again);
	result_conclude(r, stopped);
	char *first = print(r);
	json_t *object = json_loads(first, 0, NULL);
	assert_non_null(object);
	result_init(again);
	assert_int_equal(result_from_json(object, again, &err), 0);
	json_decref(object);
	memset(&again->verdict, 0, sizeof(again->verdict));
	memset(again->metric, 0, sizeof(again->metric));
	again->n_metrics = again->n_reasons = 0;
	result_conclude(again, stopped);
	char *second = print(again);
	assert_string_equal(first, second);
	free(first);
	free(second);
	pairs_result_free(again);
}

static double
draw(uint64_t *seed)
{
	return (double)(plan_random(seed) >> 11) * 0x1p-53;
}

// Sessions with everything in them that a check may look at.
static struct result *
wild(uint64_t seed)
{
	static const char *const plans[] = {"interleave", "interleave", "interleave", "ab", "together"};
	int n = (int)(draw(&seed) * 20);
	struct result *r = pairs_result(0, 1);
	r->plan.pairs_planned = draw(&seed) < 0.5 ? n : 12;
	snprintf(r->plan.name, sizeof(r->plan.name), "%s", plans[(int)(draw(&seed) * 5)]);
	r->plan.slice_s = draw(&seed) < 0.5 ? 1 : 5;
	for (int i = 0; i < n; i++) {
		struct pair *p = pairs_add(r, i, 0.5 + draw(&seed));
		for (int side = 0; side < SIDES; side++) {
			struct slice *s = &p->slice[side];
			s->drain_ns = (int64_t)(draw(&seed) * 3e9);
			s->second[0] *= (float)draw(&seed);
			s->write_ops = s->ops * draw(&seed);
			s->metric[METRIC_DEVICE_READ_BYTES] *= 0.5 + draw(&seed);
			s->metric[METRIC_CPU_USER] = draw(&seed);
			s->metric[METRIC_CPU_SYS] = draw(&seed);
			s->follows_other = draw(&seed) < 0.5;
		}
		if (draw(&seed) < 0.1) {
			p->counted = 0;
			p->slice[SIDE_B].status = 2;
			snprintf(p->reason, sizeof(p->reason), "exit 2");
		}
	}
	if (draw(&seed) < 0.2)
		result_warn(r, "memory-target", LEVEL_RED, WARN_A, "A is memory (tmpfs)");
	return r;
}

static void
test_recomputes(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct result *r = wild(seed);
		assert_recomputes(r, seed % 2);
		pairs_result_free(r);
	}
}

// No interval in the JSON below six pairs.
static void
test_json_without_interval(void **state)
{
	(void)state;
	for (int n = 0; n < 6; n++) {
		struct result *r = pairs_result(n, 2);
		result_conclude(r, 1);
		json_t *object = result_to_json(r), *metric;
		size_t i;
		assert_true(json_is_null(json_object_get(json_object_get(object, "verdict"), "ci")));
		json_array_foreach(json_object_get(object, "metrics"), i, metric) {
			assert_true(json_is_null(json_object_get(metric, "ci")));
			assert_true(json_is_null(json_object_get(metric, "ratio")));
		}
		json_decref(object);
		pairs_result_free(r);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(test_recomputes), cmocka_unit_test(test_json_without_interval)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
