// SPDX-License-Identifier: MIT
// The plan: defaults by traffic, the order's laws, what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "session/plan.h"

#define S INT64_C(1000000000)

static struct plan_options
plain(void)
{
	return (struct plan_options){.kind = PLAN_INTERLEAVE, .slice_s = NAN, .settle_s = NAN, .warmup_s = NAN, .effect = NAN, .seed = 1};
}

static void
test_defaults(void **state)
{
	(void)state;
	struct plan_options o = plain();
	struct plan p;
	assert_int_equal(plan_make(&o, TRAFFIC_READS, &p, NULL), 0);
	assert_int_equal(p.pairs, 12);
	assert_int_equal(p.slice_ns, 5 * S);
	assert_int_equal(p.settle_ns, 2 * S);
	assert_int_equal(p.warmup_ns, 10 * S);
	assert_int_equal(p.warmup_max_ns, 10 * S);
	assert_int_equal(p.remake_every, 0);
	assert_true(p.effect == 0.02);
	assert_int_equal(plan_make(&o, TRAFFIC_WRITES, &p, NULL), 0);
	assert_int_equal(p.pairs, 12);
	assert_int_equal(p.slice_ns, 10 * S);
	assert_int_equal(p.settle_ns, 4 * S);
	assert_int_equal(p.warmup_ns, 30 * S);
	assert_int_equal(p.warmup_max_ns, 120 * S);
	assert_int_equal(plan_make(&o, TRAFFIC_WHOLE_RUNS, &p, NULL), 0);
	assert_int_equal(p.pairs, 10);
	assert_int_equal(p.slice_ns, 0);
	assert_int_equal(p.warmup_runs, 1);
	o.careful = 1;
	assert_int_equal(plan_make(&o, TRAFFIC_READS, &p, NULL), 0);
	assert_int_equal(p.pairs, 30);
	assert_int_equal(p.remake_every, 2);
	o.pairs = 8;
	o.warmup_s = 0;
	assert_int_equal(plan_make(&o, TRAFFIC_WRITES, &p, NULL), 0);
	assert_int_equal(p.pairs, 8);
	assert_int_equal(p.warmup_max_ns, 0);
	assert_int_equal(plan_make(&o, TRAFFIC_WHOLE_RUNS, &p, NULL), 0);
	assert_int_equal(p.warmup_runs, 0);
}

// A short slice keeps its settle time in proportion unless that was given too.
static void
test_short_slice(void **state)
{
	(void)state;
	struct plan_options o = plain();
	struct plan p;
	o.slice_s = 1;
	assert_int_equal(plan_make(&o, TRAFFIC_READS, &p, NULL), 0);
	assert_int_equal(p.settle_ns, 4 * S / 10);
	o.settle_s = 0.2;
	assert_int_equal(plan_make(&o, TRAFFIC_READS, &p, NULL), 0);
	assert_int_equal(p.settle_ns, 2 * S / 10);
}

// Every two pairs hold both orders; one seed gives one order; the coin is fair.
static void
test_order(void **state)
{
	(void)state;
	struct plan_options o = plain();
	struct plan p, again;
	int heads = 0, differ = 0;
	o.pairs = 30;
	for (o.seed = 0; o.seed < 400; o.seed++) {
		assert_int_equal(plan_make(&o, TRAFFIC_READS, &p, NULL), 0);
		assert_int_equal(plan_make(&o, TRAFFIC_READS, &again, NULL), 0);
		assert_memory_equal(p.order, again.order, 30);
		for (int i = 0; i < 30; i += 2) {
			assert_int_equal(p.order[i] + p.order[i + 1], 0);
			heads += p.order[i] > 0;
			differ += i > 0 && p.order[i] != p.order[i - 2];
		}
	}
	// 6,000 throws: 3,000 give or take 5 standard deviations.
	assert_in_range(heads, 2806, 3194);
	assert_in_range(differ, 2613, 2987);
	o.kind = PLAN_AB;
	o.pairs = 7;
	assert_int_equal(plan_make(&o, TRAFFIC_READS, &p, NULL), 0);
	for (int i = 0; i < 7; i++)
		assert_int_equal(p.order[i], 1);
}

static void
assert_refused(struct plan_options o, enum workload_traffic traffic, const char *word)
{
	struct plan p = {.pairs = 77};
	struct error err = {0};
	assert_int_equal(plan_make(&o, traffic, &p, &err), -EINVAL);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	if (!strstr(err.text, word))
		fail_msg("\"%s\" does not say \"%s\"", err.text, word);
	assert_int_equal(p.pairs, 77);
}

static void
test_refused(void **state)
{
	(void)state;
	struct plan_options o = plain();
	o.pairs = 7;
	assert_refused(o, TRAFFIC_READS, "must be even");
	o.pairs = 1;
	assert_refused(o, TRAFFIC_READS, "must be even");
	o.pairs = -2;
	assert_refused(o, TRAFFIC_READS, "-2");
	o.pairs = PLAN_PAIRS_MAX + 2;
	assert_refused(o, TRAFFIC_READS, "1024");
	o = plain();
	o.slice_s = 2;
	o.settle_s = 2;
	assert_refused(o, TRAFFIC_READS, "nothing to count");
	o = plain();
	o.settle_s = 5;
	assert_refused(o, TRAFFIC_READS, "nothing to count");
	o = plain();
	o.slice_s = 0;
	assert_refused(o, TRAFFIC_READS, "nothing to count");
	o.slice_s = -1;
	assert_refused(o, TRAFFIC_READS, "--slice");
	o.slice_s = INFINITY;
	assert_refused(o, TRAFFIC_READS, "--slice");
	o = plain();
	o.warmup_s = -1;
	assert_refused(o, TRAFFIC_READS, "--warmup");
	o = plain();
	o.effect = 0;
	assert_refused(o, TRAFFIC_READS, "--effect");
	o.effect = 1;
	assert_refused(o, TRAFFIC_READS, "--effect");
	o = plain();
	o.slice_s = 5;
	assert_refused(o, TRAFFIC_WHOLE_RUNS, "whole run");
}

static void
test_names(void **state)
{
	(void)state;
	static const enum plan_kind kinds[] = {PLAN_INTERLEAVE, PLAN_AB, PLAN_A, PLAN_B, PLAN_TOGETHER};
	for (int i = 0; i < 5; i++) {
		enum plan_kind kind = PLAN_INTERLEAVE;
		assert_int_equal(plan_kind_parse(plan_kind_name(kinds[i]), &kind), 0);
		assert_int_equal(kind, kinds[i]);
	}
	enum plan_kind kind = PLAN_B;
	assert_int_equal(plan_kind_parse("ba", &kind), -EINVAL);
	assert_int_equal(kind, PLAN_B);
}

static void
test_format_order(void **state)
{
	(void)state;
	struct plan p = {.pairs = 4, .order = {1, -1, -1, 1}};
	char buf[40];
	plan_format_order(&p, buf, sizeof(buf));
	assert_string_equal(buf, "AB BA BA AB");
	plan_format_order(&p, buf, 12);
	assert_string_equal(buf, "AB BA BA AB");
	plan_format_order(&p, buf, 11);
	assert_string_equal(buf, "AB BA ...");
	for (unsigned size = 1; size < 12; size++) {
		memset(buf, 'x', sizeof(buf));
		plan_format_order(&p, buf, size);
		assert_true(strlen(buf) < size);
	}
}

static void
test_random(void **state)
{
	(void)state;
	// First outputs of splitmix64 for the seed 1234567.
	uint64_t seed = 1234567;
	assert_true(plan_random(&seed) == UINT64_C(6457827717110365317));
	assert_true(plan_random(&seed) == UINT64_C(3203168211198807973));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults), cmocka_unit_test(test_short_slice), cmocka_unit_test(test_order),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_names), cmocka_unit_test(test_format_order),
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
