// SPDX-License-Identifier: MIT
// Each check raised by what it looks for, and silent without it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/checks_slices.h"
#include "support_pairs.h"

static void
assert_warns(const struct result *r, const char *id, enum warning_side side, enum warning_level level, const char *text)
{
	const struct warning *w = pairs_warning(r, id, side);
	if (!w)
		fail_msg("no warning \"%s\"", id);
	assert_int_equal(w->level, level);
	if (text[0] == '*' ? !strstr(w->text, text + 1) : strcmp(w->text, text) != 0)
		fail_msg("\"%s\" is not \"%s\"", w->text, text);
}

static void
assert_silent(const struct result *r, const char *id)
{
	for (int i = 0; i < r->n_warnings; i++) {
		if (strcmp(r->warnings[i].id, id) == 0)
			fail_msg("warns: %s", r->warnings[i].text);
	}
}

static void
test_quiet(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	result_conclude(r, 0);
	if (r->n_warnings)
		fail_msg("warns: %s", r->warnings[0].text);
	pairs_result_free(r);
}

static void
set_ratio(struct result *r, int pair, double ratio)
{
	pairs_set_rate(&r->pairs[pair].slice[SIDE_B], ratio * r->pairs[pair].slice[SIDE_A].metric[METRIC_IOPS]);
}

static void
test_slow_wander(void **state)
{
	(void)state;
	struct result *r = pairs_result(24, 1.2);
	for (int i = 0; i < 24; i++)
		set_ratio(r, i, 1.2 * (1 + 0.05 * sin(2 * M_PI * i / 12) + 0.001 * (i % 3)));
	result_conclude(r, 0);
	assert_warns(r, "slow-wander", WARN_BOTH, LEVEL_YELLOW, "neighbouring pairs are alike (r = 0.9): the interval was widened x4.4; use slices of 10 s");
	assert_silent(r, "ratio-trend");
	assert_int_equal(r->verdict.word, VERDICT_B);
	pairs_result_free(r);
}

static void
test_order_effect(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++)
		set_ratio(r, i, 1.2 * (r->pairs[i].first == SIDE_A ? 0.96 : 1 / 0.96) * (1 + 0.002 * (i % 5)));
	result_conclude(r, 0);
	assert_warns(r, "order-effect", WARN_BOTH, LEVEL_YELLOW,
		     "whoever runs second is 3.9 % slower: leftovers or heat; use longer slices or a longer settle time");
	assert_int_equal(r->verdict.word, VERDICT_B);
	pairs_result_free(r);
	r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++)
		set_ratio(r, i, 1.2 * (r->pairs[i].first == SIDE_A ? 1.05 : 1 / 1.05) * (1 + 0.002 * (i % 5)));
	result_conclude(r, 0);
	assert_warns(r, "order-effect", WARN_BOTH, LEVEL_YELLOW, "*second is 5.1 % faster");
	pairs_result_free(r);
}

static void
test_ratio_trend(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++)
		set_ratio(r, i, exp(0.14 - 0.17 * i / 11) * (1 + 0.004 * (i % 3)));
	r->plan.pairs_planned = 20;
	result_conclude(r, 0);
	assert_silent(r, "ratio-trend"); // judged at the end only
	result_conclude(r, 1);
	assert_warns(r, "ratio-trend", WARN_BOTH, LEVEL_RED,
		     "the ratio is changing: from about +16 % to -2.3 % during the session; no single number");
	r->plan.pairs_planned = 12;
	result_conclude(r, 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_non_null(strstr(r->verdict.text, "NO VERDICT: the ratio is changing"));
	pairs_result_free(r);
}

static void
test_few_slices(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.001);
	// B stalls in three pairs of twelve: the total is far off, the typical pair is not.
	static const int stalled[] = {1, 6, 8};
	for (int i = 0; i < 3; i++)
		set_ratio(r, stalled[i], 0.2);
	result_conclude(r, 0);
	assert_silent(r, "few-slices"); // the interval is wide and holds both
	assert_warns(r, "stalls", WARN_BOTH, LEVEL_INFO, "stalls: A 0, B 3 (25 % of B's time)");
	pairs_result_free(r);
	r = pairs_result(60, 1);
	for (int i = 2; i < 60; i += 7)
		set_ratio(r, i, 0.3);
	result_conclude(r, 0);
	assert_warns(r, "few-slices", WARN_BOTH, LEVEL_YELLOW, "*a few slices carry this: the typical pair differs by ");
	pairs_result_free(r);
}

static void
test_stalled_seconds(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1);
	struct slice *s = &r->pairs[3].slice[SIDE_A];
	s->n_seconds = 6;
	static const float seconds[] = {1000, 50, 40, 1000, 1000, 20};
	memcpy(s->second, seconds, sizeof(seconds));
	result_conclude(r, 0);
	// Two stalls, three of six seconds of one slice of twelve.
	assert_warns(r, "stalls", WARN_BOTH, LEVEL_INFO, "stalls: A 2 (4.2 % of A's time), B 0");
	assert_int_equal(r->metric[0].n[SIDE_A], 12);
	pairs_result_free(r);
}

static void
test_start_effect(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++) {
		struct slice *s = &r->pairs[i].slice[SIDE_B];
		s->follows_other = 1;
		s->second[0] = (float)(s->metric[METRIC_IOPS] / (1.09 + 0.002 * (i % 3)));
	}
	result_conclude(r, 0);
	assert_warns(r, "start-effect", WARN_B, LEVEL_YELLOW, "B still climbs 9.2 % within its slices: settle time 2 s is too short");
	assert_null(pairs_warning(r, "start-effect", WARN_A));
	// Only slices that follow the other target's are asked.
	for (int i = 0; i < 12; i++)
		r->pairs[i].slice[SIDE_B].follows_other = 0;
	result_conclude(r, 0);
	assert_silent(r, "start-effect");
	pairs_result_free(r);
}

static void
test_repeated(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	r->plan.repeated = 1;
	result_conclude(r, 0);
	assert_warns(r, "repeated", WARN_BOTH, LEVEL_INFO, "1 pair repeated");
	assert_int_equal(r->verdict.word, VERDICT_B);
	struct pair *p = pairs_add(r, 12, 1.2);
	p->counted = 0;
	snprintf(p->reason, sizeof(p->reason), "drain time-out");
	r->plan.repeated = 2;
	result_conclude(r, 0);
	assert_warns(r, "repeated", WARN_BOTH, LEVEL_RED, "2 pairs repeated (drain time-out): more than 10 % of the pairs");
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_silent(r, "broken-pairs");
	pairs_result_free(r);
}

static void
test_short(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	r->plan.slice_s = 1;
	r->pairs[3].slice[SIDE_A].ops = 800;
	result_conclude(r, 0);
	assert_warns(r, "short-slices", WARN_BOTH, LEVEL_YELLOW, "slices of 1 s: settling and leftovers weigh more than the interval shows");
	assert_warns(r, "few-operations", WARN_BOTH, LEVEL_YELLOW, "*slices of 800 I/Os");
	assert_int_equal(r->verdict.word, VERDICT_B);
	r->plan.slice_s = NAN; // whole runs
	result_conclude(r, 0);
	assert_silent(r, "short-slices");
	assert_silent(r, "few-operations");
	pairs_result_free(r);
}

static void
test_drain(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++) {
		r->pairs[i].slice[SIDE_A].drain_ns = INT64_C(4100000000);
		r->pairs[i].slice[SIDE_B].drain_ns = INT64_C(900000000);
	}
	result_conclude(r, 0);
	assert_warns(r, "drain", WARN_A, LEVEL_YELLOW, "4.1 s of draining after each A slice, charged to A");
	assert_null(pairs_warning(r, "drain", WARN_B));
	pairs_result_free(r);
}

static void
test_memory(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++)
		r->pairs[i].slice[SIDE_A].metric[METRIC_DEVICE_READ_BYTES] *= 0.17;
	result_conclude(r, 0);
	assert_warns(r, "cache-read", WARN_A, LEVEL_RED, "*A: 83 % of the reads came from memory (0.13");
	assert_null(pairs_warning(r, "cache-read", WARN_B));
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	snprintf(r->workload, sizeof(r->workload), "command");
	result_conclude(r, 0);
	assert_warns(r, "cache-read", WARN_A, LEVEL_YELLOW, "*from memory");
	assert_int_equal(r->verdict.word, VERDICT_B);
	r->pairs[3].slice[SIDE_A].metric[METRIC_DEVICE_READ_BYTES] = NAN;
	result_conclude(r, 0);
	assert_silent(r, "cache-read"); // unknown is not zero
	pairs_result_free(r);
}

// Turns a session of reads into one of writes.
static void
make_writes(struct result *r)
{
	for (int i = 0; i < r->n_pairs; i++) {
		for (int side = 0; side < SIDES; side++) {
			struct slice *s = &r->pairs[i].slice[side];
			s->write_ops = s->read_ops;
			s->read_ops = 0;
			s->metric[METRIC_WRITE_BYTES] = s->metric[METRIC_READ_BYTES];
			s->metric[METRIC_READ_BYTES] = 0;
			s->bytes = 1024.0 * 1024 * 1024;
		}
	}
	r->primary = METRIC_WRITE_BYTES;
}

static void
test_rate_fell(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1);
	for (int i = 0; i < 12; i++) {
		pairs_set_rate(&r->pairs[i].slice[SIDE_A], (i < 6 ? 756.8e3 : 293.0e3) * (1 + 0.001 * (i % 4)));
		pairs_set_rate(&r->pairs[i].slice[SIDE_B], 1000e3 * (1 + 0.001 * (i % 3)));
	}
	result_conclude(r, 0);
	assert_silent(r, "rate-fell"); // reads do not fill a write cache
	make_writes(r);
	result_conclude(r, 0);
	assert_warns(r, "rate-fell", WARN_A, LEVEL_RED, "A fell from 3.1 GB/s to 1.2 GB/s after at least 8.59 GB written: write cache full?");
	assert_null(pairs_warning(r, "rate-fell", WARN_B));
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	pairs_result_free(r);
}

static void
test_burst(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	make_writes(r);
	result_conclude(r, 0);
	assert_warns(r, "burst", WARN_BOTH, LEVEL_INFO, "burst (12 GiB written per target)"); // free space unknown
	r->side[SIDE_A].stack.fs_free_bytes = r->side[SIDE_B].stack.fs_free_bytes = UINT64_C(100) << 30;
	result_conclude(r, 0);
	assert_warns(r, "sustained", WARN_BOTH, LEVEL_INFO, "sustained (12 GiB written per target)");
	assert_silent(r, "burst");
	snprintf(r->params, sizeof(r->params), "bs=131072\nsize=8g\n");
	result_conclude(r, 0);
	assert_warns(r, "burst", WARN_BOTH, LEVEL_INFO, "*burst");
	snprintf(r->params, sizeof(r->params), "size=4096m");
	r->side[SIDE_B].stack.fs_free_bytes = UINT64_C(200) << 30;
	result_conclude(r, 0);
	assert_warns(r, "burst", WARN_BOTH, LEVEL_INFO, "*burst");
	pairs_result_free(r);
}

static void
test_whole_runs(void **state)
{
	(void)state;
	struct result *r = pairs_result(12, 1.2);
	for (int i = 0; i < 12; i++) {
		for (int side = 0; side < SIDES; side++) {
			double *m = r->pairs[i].slice[side].metric;
			m[METRIC_REAL_S] = 10;
			m[METRIC_SYNC_S] = side == SIDE_A ? 0.4 : 0.6;
			m[METRIC_IO_WAIT_SHARE] = side == SIDE_A ? 0.03 : 0.3;
		}
	}
	result_conclude(r, 0);
	assert_warns(r, "cpu-bound", WARN_A, LEVEL_YELLOW,
		     "A: this command waits for storage 3 % of its time; at best 3 % can be gained");
	assert_null(pairs_warning(r, "cpu-bound", WARN_B));
	assert_warns(r, "sync-share", WARN_B, LEVEL_YELLOW, "B: writing back what a run left took 0.6 s, 6 % of its own 10 s");
	assert_null(pairs_warning(r, "sync-share", WARN_A));
	r->pairs[2].slice[SIDE_A].metric[METRIC_IO_WAIT_SHARE] = NAN;
	result_conclude(r, 0);
	assert_silent(r, "cpu-bound");
	pairs_result_free(r);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet), cmocka_unit_test(test_slow_wander), cmocka_unit_test(test_order_effect),
		cmocka_unit_test(test_ratio_trend), cmocka_unit_test(test_few_slices), cmocka_unit_test(test_stalled_seconds),
		cmocka_unit_test(test_start_effect), cmocka_unit_test(test_repeated), cmocka_unit_test(test_short),
		cmocka_unit_test(test_drain), cmocka_unit_test(test_memory), cmocka_unit_test(test_rate_fell),
		cmocka_unit_test(test_burst), cmocka_unit_test(test_whole_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
