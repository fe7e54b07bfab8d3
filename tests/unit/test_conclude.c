// SPDX-License-Identifier: MIT
// From pairs to a result: what enters, what is compared, what is withheld.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support_pairs.h"

static void
assert_near(double value, double wanted, double relative)
{
	if (!(fabs(value - wanted) <= relative * fabs(wanted)))
		fail_msg("%.12g is not %.12g", value, wanted);
}

static void
test_whole(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_B);
	assert_int_equal(r->plan.pairs_done, 12);
	assert_int_equal(r->n_reasons, 0);
	assert_int_equal(r->metric[0].id, METRIC_IOPS);
	const struct metric_result *m = pairs_metric(r, METRIC_IOPS);
	assert_near(m->mean[SIDE_A], 1000, 1e-3);
	assert_near(m->mean[SIDE_B], 1200, 1e-3);
	assert_near(m->ratio, m->mean[SIDE_B] / m->mean[SIDE_A], 1e-12);
	assert_true(m->lo < m->ratio && m->ratio < m->hi);
	assert_near(m->confidence, 0.95, 1e-12);
	assert_int_equal(m->n[SIDE_B], 12);
	// Lower is better: the ratio stays B over A, the word turns.
	m = pairs_metric(r, METRIC_LAT_P99);
	assert_near(m->ratio, 1 / 1.2, 2e-3);
	assert_true(m->lo < m->ratio && m->ratio < m->hi);
	assert_int_equal(m->verdict, VERDICT_B);
	assert_string_equal(m->words, "lower");
	assert_null(pairs_metric(r, METRIC_PUTC));
	pairs_result_free(r);
}

// Secondaries: IOPS and bytes say the same, and so do the latencies of all and of reads. Left are p50, p99 and the
// device's rate (read and written by nobody else here).
static void
test_widened(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	result_conclude(r, 0);
	static const enum metric secondaries[] = {METRIC_READ_BYTES, METRIC_LAT_P50, METRIC_LAT_P99, METRIC_READ_LAT_P99,
						  METRIC_DEVICE_READ_BYTES};
	for (unsigned i = 0; i < sizeof(secondaries) / sizeof(secondaries[0]); i++)
		assert_near(pairs_metric(r, secondaries[i])->confidence, 1 - 0.05 / 2, 1e-12);
	const struct metric_result *primary = pairs_metric(r, METRIC_IOPS), *bytes = pairs_metric(r, METRIC_READ_BYTES);
	assert_true(bytes->hi - bytes->lo > primary->hi - primary->lo);
	result_conclude(r, 0);
	r->plan.pairs_planned = 20;
	result_conclude(r, 0);
	assert_near(pairs_metric(r, METRIC_IOPS)->confidence, 0.99, 1e-12);
	assert_near(pairs_metric(r, METRIC_LAT_P50)->confidence, 1 - 0.01 / 2, 1e-12);
	pairs_result_free(r);
}

// Below six pairs there is no interval in any figure, and no ratio either.
static void
test_no_interval_below_six(void **state)
{
	(void)state;
	for (int n = 0; n < 6; n++) {
		struct result *r = pairs_result(n, 2);
		for (int planned = n; planned <= 12; planned += 6) {
			r->plan.pairs_planned = planned;
			for (int stopped = 0; stopped < 2; stopped++) {
				result_conclude(r, stopped);
				assert_int_equal(r->verdict.word, VERDICT_UNDECIDED);
				assert_int_equal(r->verdict.has_interval, 0);
				assert_true(isnan(r->verdict.lo) && isnan(r->verdict.hi) && isnan(r->verdict.ratio));
				assert_int_equal(r->n_metrics > 0, n > 0);
				for (int i = 0; i < r->n_metrics; i++)
					assert_true(isnan(r->metric[i].lo) && isnan(r->metric[i].hi) && isnan(r->metric[i].ratio));
				assert_non_null(strstr(r->verdict.text, "not enough evidence yet"));
			}
		}
		pairs_result_free(r);
	}
}

// Pairs that do not count change nothing, whatever they hold.
static void
test_uncounted_never_enter(void **state)
{
	(void)state;
	struct result *clean = pairs_result(12, 1.2), *mixed = pairs_result(0, 1);
	mixed->plan.pairs_planned = 12;
	for (int i = 0; i < 12; i++) {
		pairs_add(mixed, i, 1.2);
		if (i == 3) {
			struct pair *failed = pairs_add(mixed, i, 50);
			failed->counted = 0;
			failed->slice[SIDE_B].status = 2;
			snprintf(failed->reason, sizeof(failed->reason), "exit 2");
		}
		if (i == 11) {
			struct pair *half = pairs_add(mixed, i, 50);
			half->counted = half->done[SIDE_B] = 0;
			snprintf(half->reason, sizeof(half->reason), PAIR_BROKEN_OFF);
		}
	}
	result_conclude(clean, 0);
	result_conclude(mixed, 0);
	assert_string_equal(mixed->verdict.text, clean->verdict.text);
	assert_int_equal(mixed->plan.pairs_done, 12);
	assert_int_equal(mixed->n_metrics, clean->n_metrics);
	for (int i = 0; i < clean->n_metrics; i++) {
		assert_true(mixed->metric[i].mean[SIDE_B] == clean->metric[i].mean[SIDE_B]);
		assert_true(mixed->metric[i].hi == clean->metric[i].hi || isnan(clean->metric[i].hi));
	}
	assert_string_equal(pairs_warning(mixed, "repeated", WARN_BOTH)->text, "1 pair repeated (exit 2)");
	assert_string_equal(pairs_warning(mixed, "broken-pairs", WARN_BOTH)->text, "1 pair was broken off and not counted");
	assert_null(pairs_warning(clean, "repeated", WARN_BOTH));
	pairs_result_free(clean);
	pairs_result_free(mixed);
}

static void
test_odd_waits(void **state)
{
	(void)state;
	struct result *r = pairs_result(9, 1.2), *even = pairs_result(8, 1.2);
	r->plan.pairs_planned = even->plan.pairs_planned = 12;
	result_conclude(r, 0);
	result_conclude(even, 0);
	assert_int_equal(r->verdict.pairs, 8);
	assert_string_equal(r->verdict.text, even->verdict.text);
	assert_true(r->metric[0].hi == even->metric[0].hi);
	assert_int_equal(r->metric[0].n[SIDE_A], 8);
	assert_int_equal(r->plan.pairs_done, 9);
	pairs_result_free(r);
	pairs_result_free(even);
}

static void
test_population(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++)
		r->pairs[i].slice[SIDE_A].metric[METRIC_LAT_P999] = r->pairs[i].slice[SIDE_B].metric[METRIC_LAT_P999] = 5e6 + i * 1e4;
	result_conclude(r, 0);
	const struct metric_result *m = pairs_metric(r, METRIC_LAT_P999);
	assert_string_equal(m->words, "only 2,900 I/Os per slice, not compared");
	assert_true(isnan(m->ratio) && isnan(m->lo));
	assert_near(m->mean[SIDE_A], 5.055e6, 1e-3);
	assert_int_equal(m->verdict, VERDICT_UNDECIDED);
	// 1,000 operations are enough for a p99, 999 are not.
	r->pairs[5].slice[SIDE_B].ops = 1000;
	result_conclude(r, 0);
	assert_true(isfinite(pairs_metric(r, METRIC_LAT_P99)->ratio));
	r->pairs[5].slice[SIDE_B].ops = 999;
	result_conclude(r, 0);
	assert_string_equal(pairs_metric(r, METRIC_LAT_P99)->words, "only 990 I/Os per slice, not compared");
	r->pairs[5].slice[SIDE_B].ops = NAN; // neither first nor last
	result_conclude(r, 0);
	assert_string_equal(pairs_metric(r, METRIC_LAT_P99)->words, "I/Os per slice unknown, not compared");
	// As the primary it leaves the session undecided.
	r->primary = METRIC_LAT_P999;
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_UNDECIDED);
	assert_non_null(strstr(r->verdict.text, "p99.9 latency"));
	assert_int_equal(r->verdict.has_interval, 0);
	pairs_result_free(r);
}

static void
test_cpu_needs_time(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++) {
		for (int side = 0; side < SIDES; side++) {
			double *m = r->pairs[i].slice[side].metric;
			m[METRIC_CPU_USER] = 0.05 + 0.001 * i; // of a core: 0.15 s in 3 s, together 0.3 s
			m[METRIC_CPU_SYS] = 0.05 + 0.001 * (12 - i);
			m[METRIC_CPU_NS_PER_IO] = 1e9 * (m[METRIC_CPU_USER] + m[METRIC_CPU_SYS]) / m[METRIC_IOPS];
		}
	}
	result_conclude(r, 0);
	assert_string_equal(pairs_metric(r, METRIC_CPU_USER)->words, "user and sys too small to tell apart");
	assert_true(isfinite(pairs_metric(r, METRIC_CPU_NS_PER_IO)->ratio));
	r->pairs[2].slice[SIDE_A].metric[METRIC_CPU_NS_PER_IO] = 1000; // 3 ms in all
	r->pairs[2].slice[SIDE_A].metric[METRIC_CPU_USER] = 0.001;
	result_conclude(r, 0);
	assert_string_equal(pairs_metric(r, METRIC_CPU_NS_PER_IO)->words, "too small to compare");
	assert_string_equal(pairs_metric(r, METRIC_CPU_USER)->words, "too small to compare");
	pairs_result_free(r);
}

static void
test_missing_figures(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	r->pairs[4].slice[SIDE_A].metric[METRIC_DEVICE_READ_BYTES] = NAN;
	r->pairs[7].slice[SIDE_A].metric[METRIC_DEVICE_READ_BYTES] = NAN;
	for (int i = 0; i < 12; i++)
		r->pairs[i].slice[SIDE_B].metric[METRIC_WRITE_MULTIPLICITY] = 1.1;
	result_conclude(r, 0);
	const struct metric_result *m = pairs_metric(r, METRIC_DEVICE_READ_BYTES);
	assert_string_equal(m->words, "unknown in 2 of 12 pairs, not compared");
	assert_int_equal(m->n[SIDE_A], 10);
	assert_int_equal(m->n[SIDE_B], 12);
	assert_true(isnan(m->ratio));
	m = pairs_metric(r, METRIC_WRITE_MULTIPLICITY);
	assert_true(isnan(m->mean[SIDE_A]) && isnan(m->ratio));
	assert_near(m->mean[SIDE_B], 1.1, 1e-12);
	assert_string_equal(m->words, "not known of both sides");
	r->pairs[4].slice[SIDE_A].metric[METRIC_IOPS] = NAN;
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_UNDECIDED);
	assert_non_null(strstr(r->verdict.text, "unknown in 1 of 12 pairs"));
	pairs_result_free(r);
}

// A phase that was too fast to measure has a state and no figure.
static void
test_states(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++)
		r->pairs[i].slice[SIDE_A].state[METRIC_SEQ_STAT] = WIRE_RESULT_TOO_FAST;
	result_conclude(r, 0);
	const struct metric_result *m = pairs_metric(r, METRIC_SEQ_STAT);
	assert_non_null(m);
	assert_int_equal(m->state[SIDE_A], WIRE_RESULT_TOO_FAST);
	assert_true(isnan(m->mean[SIDE_A]));
	pairs_result_free(r);
}

static void
test_red_withholds(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	result_warn(r, "memory-target", LEVEL_RED, WARN_B, "B is memory (tmpfs)");
	result_warn(r, "shared-device", LEVEL_YELLOW, WARN_BOTH, "A and B are on vda");
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_string_equal(r->verdict.text, "NO VERDICT: B is memory (tmpfs)");
	assert_int_equal(r->n_reasons, 1);
	assert_string_equal(r->reason[0], "B is memory (tmpfs)");
	assert_false(verdict_is_claim(&r->verdict));
	for (int i = 0; i < r->n_metrics; i++)
		assert_int_equal(r->metric[i].verdict, VERDICT_NONE);
	assert_true(isfinite(r->metric[0].lo));
	result_unwarn(r, "memory-target");
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_B);
	assert_int_equal(r->n_reasons, 0);
	pairs_result_free(r);
}

static void
test_warnings(void **state)
{
	(void)state;
	struct result *r = pairs_result(0, 1);
	for (int i = 0; i < 100; i++) {
		char id[20];
		snprintf(id, sizeof(id), "id-%d", i % 50);
		assert_int_equal(result_warn(r, id, LEVEL_INFO, WARN_A, "text %d", i), 0);
	}
	assert_int_equal(r->n_warnings, 50);
	assert_string_equal(r->warnings[7].text, "text 57");
	assert_int_equal(result_warn(r, "id-7", LEVEL_RED, WARN_B, "other side"), 0);
	assert_int_equal(r->n_warnings, 51);
	result_unwarn(r, "id-7");
	assert_int_equal(r->n_warnings, 49);
	pairs_result_free(r);
}

static void
test_not_interleaved(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	snprintf(r->plan.name, sizeof(r->plan.name), "ab");
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_string_equal(r->verdict.text, "NO VERDICT: not interleaved: drift and difference cannot be told apart");
	assert_near(r->metric[0].ratio, 1.2, 2e-3);
	assert_true(isnan(r->metric[0].lo));
	snprintf(r->plan.name, sizeof(r->plan.name), "together");
	result_conclude(r, 0);
	assert_non_null(strstr(r->verdict.text, "at the same time"));
	assert_int_equal(r->n_reasons, 1);
	pairs_result_free(r);
}

static void
test_totals(void **state)
{
	(void)state;
	struct result *r = pairs_result(0, 1);
	r->plan.name[0] = '\0';
	snprintf(r->origin, sizeof(r->origin), "time");
	r->primary = METRIC_REAL_S;
	result_conclude(r, 0);
	assert_string_equal(r->verdict.text, "nothing measured yet");
	r->side[SIDE_A].totals[METRIC_REAL_S] = 11956.88;
	r->side[SIDE_B].totals[METRIC_REAL_S] = 11763.91;
	r->side[SIDE_A].totals[METRIC_USER_S] = 62220.14;
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_non_null(strstr(r->verdict.text, "not interleaved"));
	assert_near(r->metric[0].ratio, 11763.91 / 11956.88, 1e-12);
	assert_int_equal(r->metric[0].n[SIDE_A], 1);
	assert_true(isnan(pairs_metric(r, METRIC_USER_S)->ratio));
	r->side[SIDE_B].present = 0;
	result_conclude(r, 0);
	assert_string_equal(r->verdict.text, "one side only: nothing to compare");
	assert_int_equal(r->n_warnings, 0);
	pairs_result_free(r);
}

// Turns flipped by hand: a ratio at most, no interval, and no reproach.
static void
test_by_hand(void **state)
{
	(void)state;
	struct result *r = pairs_result(0, 1);
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_UNDECIDED);
	assert_non_null(strstr(r->verdict.text, "6 more pairs"));
	r->side[SIDE_A].totals[METRIC_IOPS] = 1000;
	result_conclude(r, 0);
	assert_string_equal(r->verdict.text, "only one side was measured so far: nothing to compare");
	r->side[SIDE_B].totals[METRIC_IOPS] = 360;
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_string_equal(r->verdict.text,
			    "flipped by hand: B/A 0.36 so far; no interval, since order and length were chosen by hand");
	assert_int_equal(r->n_warnings, 0);
	assert_true(isnan(r->metric[0].lo) && isnan(r->verdict.lo));
	snprintf(r->plan.name, sizeof(r->plan.name), "a");
	result_conclude(r, 0);
	assert_string_equal(r->verdict.text, "one side only: nothing to compare");
	pairs_result_free(r);
}

static void
test_one_side(void **state)
{
	(void)state;
	struct result *r = pairs_result(5, 1);
	snprintf(r->plan.name, sizeof(r->plan.name), "a");
	r->side[SIDE_B].present = 0;
	for (int i = 0; i < 5; i++) {
		r->pairs[i].done[SIDE_B] = 0;
		slice_init(&r->pairs[i].slice[SIDE_B]);
	}
	r->pairs[4].slice[SIDE_A].status = 2;
	r->pairs[4].slice[SIDE_A].metric[METRIC_IOPS] = 1e9;
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_int_equal(r->metric[0].n[SIDE_A], 4);
	assert_near(r->metric[0].mean[SIDE_A], 1000, 1e-2);
	assert_true(isnan(r->metric[0].mean[SIDE_B]) && isnan(r->metric[0].ratio));
	pairs_result_free(r);
}

// Concluding again changes nothing, byte for byte, also with everything there is to warn of.
static void
test_again_the_same(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	r->plan.slice_s = 1;
	result_warn(r, "shared-device", LEVEL_YELLOW, WARN_BOTH, "A and B are on vda");
	for (int i = 0; i < 12; i++)
		pairs_set_rate(&r->pairs[i].slice[SIDE_B], 1000 * (1 + 0.05 * i));
	struct result *first = malloc(sizeof(*first));
	assert_non_null(first);
	result_conclude(r, 0);
	memcpy(first, r, sizeof(*r));
	size_t size = (size_t)r->n_warnings * sizeof(*r->warnings);
	struct warning *warnings = malloc(size);
	assert_non_null(warnings);
	memcpy(warnings, r->warnings, size);
	assert_int_equal(r->verdict.word, VERDICT_NONE); // the ratio is changing
	result_conclude(r, 0);
	assert_int_equal(first->n_warnings, r->n_warnings);
	assert_memory_equal(first->warnings, r->warnings, sizeof(first->warnings[0]));
	assert_memory_equal(warnings, r->warnings, size);
	assert_memory_equal(first->metric, r->metric, sizeof(r->metric));
	assert_memory_equal(first->reason, r->reason, sizeof(r->reason));
	assert_string_equal(first->verdict.text, r->verdict.text);
	assert_memory_equal(&first->plan, &r->plan, sizeof(r->plan));
	free(warnings);
	free(first);
	pairs_result_free(r);
}

static void
test_metric_table(void **state)
{
	(void)state;
	for (int i = 0; i < METRIC_N; i++) {
		assert_int_equal(metric_table[i].id, i);
		assert_non_null(metric_table[i].name);
		assert_non_null(metric_table[i].label);
		assert_non_null(metric_table[i].unit);
		assert_ptr_equal(metric_find(metric_table[i].name), &metric_table[i]);
		assert_int_equal(metric_table[i].quantile > 0, metric_table[i].kind == FIGURE_QUANTILE);
		if (metric_table[i].kind == FIGURE_DURATION)
			assert_int_equal(metric_table[i].higher_is_better, 0);
	}
	assert_null(metric_find("speed"));
	assert_int_equal(metric_find("seq_create_cpu")->id, METRIC_SEQ_CREATE_CPU);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole), cmocka_unit_test(test_widened), cmocka_unit_test(test_no_interval_below_six),
		cmocka_unit_test(test_uncounted_never_enter), cmocka_unit_test(test_odd_waits),
		cmocka_unit_test(test_population), cmocka_unit_test(test_cpu_needs_time), cmocka_unit_test(test_missing_figures),
		cmocka_unit_test(test_states), cmocka_unit_test(test_red_withholds), cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_not_interleaved), cmocka_unit_test(test_totals), cmocka_unit_test(test_by_hand), cmocka_unit_test(test_one_side),
		cmocka_unit_test(test_again_the_same), cmocka_unit_test(test_metric_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
