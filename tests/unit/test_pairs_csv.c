// SPDX-License-Identifier: MIT
// Pairs from CSV: rubbish gets a sentence with its line, the rest the right answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/pairs_csv.h"

static int
read_bytes(const char *text, size_t length, struct pairs_csv *ret, struct error *err)
{
	FILE *in = length ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
	assert_non_null(in);
	memset(err, 0, sizeof(*err));
	int failed = pairs_csv_read(in, "pairs.csv", ret, err);
	fclose(in);
	return failed;
}

static void
assert_read(const char *text, int n, const double *a, const double *b)
{
	struct pairs_csv p;
	struct error err;
	if (read_bytes(text, strlen(text), &p, &err))
		fail_msg("refused: %s", err.text);
	assert_int_equal(p.n, n);
	for (int i = 0; i < n; i++) {
		assert_true(p.a[i] == a[i] && p.b[i] == b[i]);
		assert_int_equal(p.order[i], i % 2 ? -1 : 1);
	}
	pairs_csv_fini(&p);
}

static void
test_right(void **state)
{
	(void)state;
	static const double a[] = {100, 0.5}, b[] = {1e3, 2};
	assert_read("order,a,b\nAB,100,1000\nBA,0.5,2\n", 2, a, b);
	assert_read("order,a,b\r\nAB,100,1000\r\nBA,0.5,2\r\n", 2, a, b);
	assert_read("order,a,b\nAB,100,1e3\nBA,.5,2.0", 2, a, b);
	assert_read("\xef\xbb\xbforder,a,b\nAB,100,1000\nBA,0.5,2\n\n", 2, a, b);
	assert_read("b, order ,a\n1000,AB,100\n 2 ,\"BA\",+0.5\n", 2, a, b);
	assert_read("\norder,a,b\n\nab,100,1000\n\nba,0.5,2\n", 2, a, b);
}

// A decimal comma in the user's language does not change how a file is read.
static void
test_other_locale(void **state)
{
	(void)state;
	static const double a[] = {1.5}, b[] = {2.25};
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		(void)setlocale(LC_NUMERIC, "C");
	assert_read("order,a,b\nAB,1.5,2.25\n", 1, a, b);
	(void)setlocale(LC_NUMERIC, "C");
}

static void
assert_refused(const char *text, size_t length, const char *where, const char *what)
{
	struct pairs_csv p;
	struct error err;
	assert_int_not_equal(read_bytes(text, length, &p, &err), 0);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	if (strncmp(err.text, where, strlen(where)) != 0 || !strstr(err.text, what))
		fail_msg("\"%s\" is not at \"%s\" about \"%s\"", err.text, where, what);
	assert_null(p.a);
	assert_int_equal(p.n, 0);
}

static void
test_rubbish(void **state)
{
	(void)state;
	static const struct { const char *text, *where, *what; } rubbish[] = {
		{"", "pairs.csv: empty", "order,a,b"},
		{"\n\n", "pairs.csv: empty", "order,a,b"},
		{"order,a,b\n", "pairs.csv: no pairs", "below the header"},
		{"order,a\nAB,1\n", "pairs.csv:1:", "\"b\" is missing"},
		{"order,a,c\nAB,1,2\n", "pairs.csv:1:", "\"c\""},
		{"order,a,a\nAB,1,2\n", "pairs.csv:1:", "twice"},
		{"order,a,b,c\nAB,1,2,3\n", "pairs.csv:1:", "4 columns"},
		{"AB,1,2\n", "pairs.csv:1:", "order,a,b"},
		{"order;a;b\nAB;1;2\n", "pairs.csv:1:", "order,a,b"},
		{"order,a,b\nAB,1,2\nBA,1\n", "pairs.csv:3:", "2 fields"},
		{"order,a,b\nAB,1,2\nBA,1,2,3\n", "pairs.csv:3:", "4 fields"},
		{"order,a,b\nAB,1,2\nBA,1,2,\n", "pairs.csv:3:", "4 fields"},
		{"order,a,b\nAB,1,2\n\nXY,1,2\n", "pairs.csv:4:", "\"XY\", not AB or BA"},
		{"order,a,b\nAB,1,two\n", "pairs.csv:2:", "b is \"two\""},
		{"order,a,b\nAB,1x,2\n", "pairs.csv:2:", "a is \"1x\""},
		{"order,a,b\nAB,,2\n", "pairs.csv:2:", "a is empty"},
		{"order,a,b\nAB,0,2\n", "pairs.csv:2:", "a is 0: a figure is above 0"},
		{"order,a,b\nAB,1,-2\n", "pairs.csv:2:", "b is -2: a figure is above 0"},
		{"order,a,b\nAB,1,nan\n", "pairs.csv:2:", "finite"},
		{"order,a,b\nAB,inf,1\n", "pairs.csv:2:", "finite"},
		{"order,a,b\nAB,-Infinity,1\n", "pairs.csv:2:", "finite"},
		{"order,a,b\nAB,1e999,1\n", "pairs.csv:2:", "too large"},
		{"order,a,b\nAB,1e-999,1\n", "pairs.csv:2:", "above 0"},
		{"order,a,b\nAB,0x10,1\n", "pairs.csv:2:", "not a number"},
		{"order,a,b\nAB,1.5.2,1\n", "pairs.csv:2:", "not a number"},
		{"order,a,b\nAB,1,\033[31m\n", "pairs.csv:2:", "b is \"?[31m\""},
		{"order,a,b\nAB,1,2\nBA,1,2\nAB,1,2\nBA,1,2\nAB,1,2\nBA,1,2\nAB,1,2\n", "pairs.csv:8:", "odd number of pairs (7)"},
	};
	for (unsigned i = 0; i < sizeof(rubbish) / sizeof(rubbish[0]); i++)
		assert_refused(rubbish[i].text, strlen(rubbish[i].text), rubbish[i].where, rubbish[i].what);
	assert_refused("order,a,b\nAB,1\0,2\n", 18, "pairs.csv:2:", "value 0");
	char long_line[6000];
	memset(long_line, '1', sizeof(long_line));
	memcpy(long_line, "order,a,b\nAB,", 13);
	assert_refused(long_line, sizeof(long_line), "pairs.csv:2:", "characters");
}

static struct result *
conclude(const char *text, enum metric primary)
{
	struct pairs_csv p;
	struct error err;
	struct result *r = malloc(sizeof(*r));
	assert_non_null(r);
	result_init(r);
	assert_int_equal(read_bytes(text, strlen(text), &p, &err), 0);
	assert_int_equal(pairs_csv_conclude(&p, primary, 0, 0.02, r), 0);
	pairs_csv_fini(&p);
	return r;
}

static void
drop(struct result *r)
{
	result_fini(r);
	free(r);
}

// The vector of eight pairs comes to the same through this door.
static void
test_verdict(void **state)
{
	(void)state;
	const char *text = "order,a,b\nAB,100,108\nBA,102,111\nBA,98,107\nAB,101,112\nAB,99,106\nBA,103,115\nAB,97,104\nBA,100,110\n";
	struct result *r = conclude(text, METRIC_RATE);
	assert_int_equal(r->verdict.word, VERDICT_B);
	assert_true(fabs(r->metric[0].ratio - 1.091250) < 1e-6);
	assert_true(fabs(r->metric[0].lo - 1.077913) < 1e-6);
	assert_true(fabs(r->metric[0].hi - 1.104752) < 1e-6);
	assert_string_equal(r->plan.order, "AB BA BA AB AB BA AB BA");
	assert_int_equal(r->n_pairs, 8);
	drop(r);
	r = conclude(text, METRIC_REAL_S);
	assert_int_equal(r->verdict.word, VERDICT_A);
	assert_true(r->verdict.ratio < 1);
	assert_true(fabs(r->metric[0].ratio - 1.091250) < 1e-6);
	assert_non_null(strstr(r->verdict.text, "B needs 9.1 % more time (7.7..11 %)"));
	drop(r);
}

static void
test_too_few(void **state)
{
	(void)state;
	struct result *r = conclude("order,a,b\nAB,1,2\nBA,1,2.1\nBA,1,2.2\n", METRIC_RATE);
	assert_int_equal(r->verdict.word, VERDICT_UNDECIDED);
	assert_true(isnan(r->metric[0].lo) && isnan(r->metric[0].ratio));
	assert_non_null(strstr(r->verdict.text, "not enough evidence yet: 3 more pairs"));
	drop(r);
	r = conclude("order,a,b\nAB,1,2\nAB,1,2.1\nAB,1,2.2\nAB,1,2\nAB,1,2.1\nAB,1,2.2\n", METRIC_RATE);
	assert_int_equal(r->verdict.word, VERDICT_UNDECIDED);
	assert_non_null(strstr(r->verdict.text, "same order"));
	drop(r);
}

static void
test_many(void **state)
{
	(void)state;
	enum { N = 200000 };
	char *text = malloc(N * 16 + 32);
	assert_non_null(text);
	size_t used = (size_t)sprintf(text, "order,a,b\n");
	for (int i = 0; i < N; i++)
		used += (size_t)sprintf(text + used, "%s,%d,%d\n", i % 2 ? "BA" : "AB", 95 + i % 11, 99 + i % 7);
	struct result *r = conclude(text, METRIC_RATE);
	assert_int_equal(r->plan.pairs_done, N);
	assert_true(fabs(r->metric[0].ratio - 1.02) < 1e-4);
	assert_int_equal(r->n_pairs, 0);
	assert_string_equal(r->warnings[r->n_warnings - 1].id, "pairs-left-out");
	drop(r);
	free(text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right), cmocka_unit_test(test_other_locale), cmocka_unit_test(test_rubbish),
		cmocka_unit_test(test_verdict), cmocka_unit_test(test_too_few), cmocka_unit_test(test_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
