// SPDX-License-Identifier: MIT
// The history of a value: peaks survive, gaps stay, memory is constant.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/series.h"

#include <math.h>

#define MS INT64_C(1000000)
#define S (1000 * MS)

static struct series series;

static void
test_empty(void **state)
{
	int64_t t0, t1;

	(void)state;
	series_init(&series, 5 * S);
	assert_false(series_query(&series, 0, 100 * S, NULL, NULL, NULL));
	assert_false(series_column(&series, 0, 100 * S, NULL, NULL, NULL));
	assert_false(series_span(&series, &t0, &t1));
}

static void
test_value_holds_over_its_time(void **state)
{
	double min, max, mean;

	(void)state;
	series_init(&series, 0);
	series_add(&series, 0, 500 * MS, 10);
	series_add(&series, 500 * MS, 1 * S, 30);
	assert_true(series_query(&series, 0, 1 * S, &min, &max, &mean));
	assert_true(min == 10 && max == 30 && fabs(mean - 20) < 1e-6);
	assert_true(series_query(&series, 400 * MS, 500 * MS, &min, &max, &mean));
	assert_true(min == 10 && max == 10);
	assert_false(series_query(&series, 1 * S, 2 * S, NULL, NULL, NULL));
}

static void
test_gap_is_a_gap(void **state)
{
	(void)state;
	series_init(&series, 0);
	series_add(&series, 0, 1 * S, 1);
	series_add(&series, 1 * S, 2 * S, NAN);
	series_add(&series, 2 * S, 3 * S, 2);
	assert_false(series_query(&series, 1 * S, 2 * S, NULL, NULL, NULL));
	assert_true(series_query(&series, 2 * S, 3 * S, NULL, NULL, NULL));
	series_add(&series, 1 * S, 1 * S, 5); // holds for no time
	assert_false(series_query(&series, 1 * S, 2 * S, NULL, NULL, NULL));
	series_add(&series, 1 * S, 2 * S, INFINITY);
	assert_false(series_query(&series, 1 * S, 2 * S, NULL, NULL, NULL));
}

// One peak and one dip of 100 ms in a day are still there in the widest bins.
static void
test_peaks_survive(void **state)
{
	double min, max, mean;

	(void)state;
	series_init(&series, 0);
	for (int64_t t = 0; t < 24 * 3600; t++)
		series_add(&series, t * S, (t + 1) * S, 100);
	series_add(&series, 24 * 3600 * S, 24 * 3600 * S + 100 * MS, 1);
	assert_true(series_query(&series, 0, 25 * 3600 * S, &min, &max, &mean));
	assert_true(min == 1 && max == 100 && mean > 99.9);
	series_init(&series, 0);
	for (int64_t t = 0; t < 7200; t++)
		series_add(&series, t * S, (t + 1) * S, t == 77 ? 9999 : 5);
	assert_true(series_column(&series, 0, 7200 * S, &min, &max, &mean));
	assert_true(max == 9999);
	assert_true(fabs(mean - (5 + 9994.0 / 7200)) < 0.01);
	// the old detail is coarse now, but the peak is where it was
	assert_true(series_query(&series, 60 * S, 90 * S, NULL, &max, NULL));
	assert_true(max == 9999);
}

// A column that is a multiple of a bin shows the same however old it is.
static void
test_column_does_not_change_with_age(void **state)
{
	double min0, max0, mean0, min1, max1, mean1;

	(void)state;
	series_init(&series, 0);
	for (int i = 0; i < 400; i++)
		series_add(&series, i * 100 * MS, (i + 1) * 100 * MS, i % 7);
	assert_true(series_column(&series, 1600 * MS, 3200 * MS, &min0, &max0, &mean0));
	for (int i = 400; i < 4000; i++)
		series_add(&series, i * 100 * MS, (i + 1) * 100 * MS, i % 7);
	assert_true(series_column(&series, 1600 * MS, 3200 * MS, &min1, &max1, &mean1));
	assert_true(min0 == min1 && max0 == max1 && mean0 == mean1);
}

static void
test_old_and_odd_times(void **state)
{
	int64_t t0, t1;

	(void)state;
	series_init(&series, 10 * S);
	series_add(&series, 0, 5 * S, 1); // before the origin
	assert_false(series_query(&series, 0, 5 * S, NULL, NULL, NULL));
	series_add(&series, 12 * S, 13 * S, 2);
	assert_true(series_span(&series, &t0, &t1));
	assert_true(t0 == 12 * S && t1 == 13 * S);
	series_add(&series, 10 * S + 3600 * 24 * 300 * S, 10 * S + 3600 * 24 * 300 * S + S, 3); // after 300 days
	series_add(&series, 12 * S, 13 * S, 4); // older than the fine rings
	assert_true(series_query(&series, 10 * S + 3600 * 24 * 300 * S, 10 * S + 3600 * 24 * 300 * S + S, NULL, NULL, NULL));
	assert_false(series_query(&series, 20 * S, 20 * S, NULL, NULL, NULL));
	assert_false(series_query(&series, 30 * S, 20 * S, NULL, NULL, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty), cmocka_unit_test(test_value_holds_over_its_time), cmocka_unit_test(test_gap_is_a_gap),
		cmocka_unit_test(test_peaks_survive), cmocka_unit_test(test_column_does_not_change_with_age),
		cmocka_unit_test(test_old_and_odd_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
