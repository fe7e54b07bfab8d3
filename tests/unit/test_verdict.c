// SPDX-License-Identifier: MIT
// The word and the sentence for every state that a session can be in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/verdict.h"

#define RULE_12 {.n_planned = 12, .effect = 0.02, .level_end = 0.05, .level_any = 0.01, .pair_seconds = 12}

// Pairs around a ratio: half a spread above, half below, orders in ABBA.
struct made {
	double a[64], b[64];
	signed char order[64];
};

static void
make(struct made *m, int n, double ratio, double spread)
{
	for (int i = 0; i < n; i++) {
		m->a[i] = 100;
		m->b[i] = 100 * ratio * (1 + ((i / 2) % 2 ? spread : -spread) * (1 + 0.1 * (i % 3)));
		m->order[i] = i % 4 == 0 || i % 4 == 3 ? 1 : -1;
	}
}

static struct verdict
reach(const struct made *m, int n, enum figure_kind kind, struct verdict_rule rule)
{
	struct pair_stats stats;
	struct verdict v;
	verdict_reach(m->a, m->b, m->order, n, kind, &rule, &stats, &v);
	return v;
}

static void
assert_text(const struct verdict *v, const char *wanted)
{
	assert_string_equal(v->text, wanted);
}

static void
assert_says(const struct verdict *v, const char *part)
{
	if (!strstr(v->text, part))
		fail_msg("\"%s\" does not say \"%s\"", v->text, part);
}

static void
test_numbers(void **state)
{
	(void)state;
	static const struct { double value; int mode; const char *text; } known[] = {
		{18.9, -1, "18"}, {21.0, 1, "21"}, {21.01, 1, "22"}, {0.4, -1, "0.4"}, {0.431, 1, "0.44"}, {0.439, -1, "0.43"},
		{1.05, 0, "1.1"}, {9.96, 0, "10"}, {9.91, 1, "10"}, {99.1, 1, "100"}, {123, -1, "120"}, {121, 1, "130"},
		{1234, 0, "1,200"}, {3456789, -1, "3,400,000"}, {4, -1, "4"}, {0, 0, "0"}, {0.0123, -1, "0.012"}, {100, 1, "100"},
		{1, 1, "1"}, {NAN, 0, "?"}, {INFINITY, 1, "?"}};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		char buf[40];
		verdict_format_number(known[i].value, known[i].mode, buf, sizeof(buf));
		assert_string_equal(buf, known[i].text);
	}
}

static void
test_ranges(void **state)
{
	(void)state;
	static const struct { double lo, hi; const char *text; } known[] = {
		{1.189, 1.21, "18..21 %"}, {1.041, 1.219, "4.1..22 %"}, {0.79, 0.85, "15..21 %"}, {0.96, 1.21, "-4..+21 %"},
		{2.64, 2.87, "2.6..2.9 times"}, {1 / 2.87, 1 / 2.64, "2.6..2.9 times"}, {1.1, 9, "10..800 %"}, {1, 1.1, "-0..+10 %"}};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		char buf[40];
		verdict_format_range(known[i].lo, known[i].hi, buf, sizeof(buf));
		assert_string_equal(buf, known[i].text);
	}
}

// Never inward, whatever the bounds.
static void
test_outward(void **state)
{
	(void)state;
	for (int i = 1; i < 3000; i++) {
		char lo[40], hi[40];
		double value = i * 0.0173;
		verdict_format_number(value, -1, lo, sizeof(lo));
		verdict_format_number(value, 1, hi, sizeof(hi));
		assert_true(strtod(lo, NULL) <= value * (1 + 1e-8));
		assert_true(strtod(hi, NULL) >= value * (1 - 1e-8));
		assert_true(strtod(hi, NULL) - strtod(lo, NULL) <= 0.11 * value);
	}
}

static void
test_too_few(void **state)
{
	(void)state;
	struct made m = {.a = {100, 100, 50}, .b = {111, 98, 57}, .order = {1, -1, -1}};
	struct verdict_rule rule = RULE_12;
	struct verdict v = reach(&m, 3, FIGURE_RATE, rule);
	assert_text(&v, "not enough evidence yet: 3 more pairs (0:36). So far per pair, B against A: +11 %, -2 %, +14 %");
	assert_int_equal(v.word, VERDICT_UNDECIDED);
	v = reach(&m, 0, FIGURE_RATE, rule);
	assert_text(&v, "not enough evidence yet: 6 more pairs (1:12)");
	rule.pair_seconds = NAN;
	make(&m, 5, 1.1, 0.01);
	v = reach(&m, 5, FIGURE_RATE, rule);
	assert_says(&v, "1 more pair. So far");
	for (int n = 0; n < 6; n++) {
		make(&m, 6, 2, 0.001);
		rule.n_planned = n;
		v = reach(&m, n, FIGURE_RATE, rule);
		assert_int_equal(v.has_interval, 0);
		assert_true(isnan(v.ratio) && isnan(v.lo) && isnan(v.hi));
		assert_int_equal(v.word, VERDICT_UNDECIDED);
		assert_null(strstr(v.text, ".."));
	}
}

static void
test_before_the_end(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	make(&m, 12, 1.5, 0.01);
	struct verdict v = reach(&m, 6, FIGURE_RATE, rule);
	assert_text(&v, "undecided after 6 of 12 pairs");
	v = reach(&m, 7, FIGURE_RATE, rule);
	assert_text(&v, "undecided after 6 of 12 pairs");
	make(&m, 12, 1.05, 0.1);
	v = reach(&m, 8, FIGURE_RATE, rule);
	assert_int_equal(v.word, VERDICT_UNDECIDED);
	assert_true(v.has_interval && v.anytime && v.lo < 1 && v.hi > 1);
	assert_says(&v, "undecided after 8 of 12 pairs (-");
	assert_says(&v, "% so far, 99 % interval)");
	make(&m, 12, 1.15, 0.01);
	v = reach(&m, 8, FIGURE_RATE, rule);
	assert_int_equal(v.word, VERDICT_B);
	assert_true(verdict_is_claim(&v));
	assert_true(v.confidence == 0.99);
	assert_says(&v, "B is faster than A, by ");
	assert_says(&v, " (99 % interval, valid at any time; 8 of 12 pairs). Space: go on to the planned end for a narrower one; x: stop here");
	struct verdict odd = reach(&m, 9, FIGURE_RATE, rule);
	assert_string_equal(odd.text, v.text);
	rule.stopped = 1;
	v = reach(&m, 8, FIGURE_RATE, rule);
	assert_true(v.stopped_early);
	assert_says(&v, "valid at any time; stopped early after 8 of 12 pairs)");
	assert_null(strstr(v.text, "Space"));
	make(&m, 12, 1.05, 0.1);
	v = reach(&m, 8, FIGURE_RATE, rule);
	assert_says(&v, "stopped early: undecided after 8 of 12 pairs (");
}

static void
test_at_the_end(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	make(&m, 12, 1.12, 0.02);
	struct verdict v = reach(&m, 12, FIGURE_RATE, rule);
	assert_text(&v, "B is 12 % faster than A (95 % CI 9.9..15 %, 12 pairs)");
	assert_int_equal(v.word, VERDICT_B);
	assert_false(v.stopped_early);
	make(&m, 12, 0.82, 0.02);
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_text(&v, "B is 18 % slower than A (95 % CI 16..20 %, 12 pairs)");
	assert_int_equal(v.word, VERDICT_A);
	make(&m, 12, 1.011, 0.004);
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "B is 1.1 % faster than A (95 % CI 0.");
	assert_says(&v, "%): real, but below the 2 % that matters here");
	assert_int_equal(v.word, VERDICT_SMALL);
	make(&m, 12, 1.002, 0.012);
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "no difference that matters: B is between 0.");
	assert_says(&v, " % slower and ");
	assert_says(&v, " % faster (within +-2 %)");
	assert_int_equal(v.word, VERDICT_SAME);
	make(&m, 12, 1.02, 0.1);
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "not enough evidence: B is between ");
	assert_says(&v, " (12 pairs). To see a 5 % difference, plan about ");
	assert_int_equal(v.word, VERDICT_UNDECIDED);
}

static void
test_after_the_end(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	make(&m, 14, 1.12, 0.02);
	struct verdict v = reach(&m, 14, FIGURE_RATE, rule);
	assert_true(v.anytime && v.confidence == 0.99);
	assert_says(&v, "; 14 pairs, 12 planned)");
	assert_null(strstr(v.text, "Space"));
}

static void
test_times(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	make(&m, 12, 2.77, 0.03);
	struct verdict v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "B is 2.8 times as fast as A (95 % CI 2.");
	make(&m, 12, 1 / 2.77, 0.03);
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "A is 2.8 times as fast as B (95 % CI 2.");
	v = reach(&m, 8, FIGURE_RATE, rule);
	assert_says(&v, "A is 2.");
	assert_says(&v, " times as fast as B (99 % interval");
}

// Seconds per run: "faster" means work per second, and the time is told beside it.
static void
test_durations(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	make(&m, 12, 1 / 1.12, 0.01);
	struct verdict v = reach(&m, 12, FIGURE_DURATION, rule);
	assert_int_equal(v.word, VERDICT_B);
	assert_says(&v, "B is 12 % faster than A (95 % CI 1");
	assert_says(&v, "; B needs 11 % less time (");
}

static void
test_lower_is_better(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	rule.noun = "p99 latency";
	rule.lower_is_better = 1;
	make(&m, 12, 1.2, 0.02);
	struct verdict v = reach(&m, 12, FIGURE_QUANTILE, rule);
	assert_int_equal(v.word, VERDICT_A);
	assert_says(&v, "B's p99 latency is 20 % higher than A's (95 % CI 1");
	assert_true(v.ratio < 1 && v.lo < v.ratio && v.ratio < v.hi);
	make(&m, 12, 1 / 3.0, 0.02);
	v = reach(&m, 12, FIGURE_QUANTILE, rule);
	assert_int_equal(v.word, VERDICT_B);
	assert_says(&v, "A's p99 latency is 3 times B's (95 % CI 2.9..3.");
	make(&m, 12, 1.01, 0.1);
	v = reach(&m, 12, FIGURE_QUANTILE, rule);
	assert_says(&v, "B's p99 latency is between ");
	assert_says(&v, " % lower and ");
	assert_says(&v, " % higher than A's (12 pairs)");
}

static void
test_defects(void **state)
{
	(void)state;
	struct made m;
	struct verdict_rule rule = RULE_12;
	make(&m, 12, 1.2, 0);
	struct verdict v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "undecided: every pair shows exactly the same ratio");
	make(&m, 12, 1.2, 0.01);
	memset(m.order, 1, 12);
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "undecided: every pair ran in the same order");
	make(&m, 12, 1.2, 0.01);
	m.a[5] = NAN;
	v = reach(&m, 12, FIGURE_RATE, rule);
	assert_says(&v, "undecided: a slice has no figure");
	assert_int_equal(v.has_interval, 0);
}

static void
test_history(void **state)
{
	(void)state;
	static const struct verdict_past past[] = {
		{"2026-11-28", VERDICT_UNDECIDED, 1.01, 0.9, 1.1}, {"2026-11-28", VERDICT_UNDECIDED, NAN, NAN, NAN},
		{"2026-11-29", VERDICT_B, 1.03, 1.002, 1.06}, {"2026-11-29", VERDICT_NONE, NAN, NAN, NAN}};
	char buf[200];
	verdict_format_history(past, 3, buf, sizeof(buf));
	assert_string_equal(buf, "session 4 for this pair since 2026-11-28; earlier: undecided, undecided, B +3 % (0.2..6 %)");
	verdict_format_history(past, 4, buf, sizeof(buf));
	assert_non_null(strstr(buf, "session 5"));
	assert_non_null(strstr(buf, ", no verdict"));
	verdict_format_history(past, 0, buf, sizeof(buf));
	assert_string_equal(buf, "");
	verdict_format_history(past, 4, buf, 20);
	assert_int_equal(strlen(buf), 19);
}

static void
test_words(void **state)
{
	(void)state;
	assert_string_equal(verdict_word_name(VERDICT_NONE), "none");
	assert_string_equal(verdict_word_name(VERDICT_UNDECIDED), "undecided");
	assert_string_equal(verdict_word_name(VERDICT_A), "a");
	assert_string_equal(verdict_word_name(VERDICT_B), "b");
	assert_string_equal(verdict_word_name(VERDICT_SMALL), "small");
	assert_string_equal(verdict_word_name(VERDICT_SAME), "same");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_ranges), cmocka_unit_test(test_outward),
		cmocka_unit_test(test_too_few), cmocka_unit_test(test_before_the_end), cmocka_unit_test(test_at_the_end),
		cmocka_unit_test(test_after_the_end), cmocka_unit_test(test_times), cmocka_unit_test(test_durations),
		cmocka_unit_test(test_lower_is_better), cmocka_unit_test(test_defects), cmocka_unit_test(test_history),
		cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
