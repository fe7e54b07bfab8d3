// SPDX-License-Identifier: MIT
// The steady light and the warm-up of writes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "session/steady.h"

#define S INT64_C(1000000000)

static void
test_light(void **state)
{
	(void)state;
	static const struct { double v[5]; enum steady_light light; } known[] = {
		{{100, 100, 100, 100, 100}, STEADY_YES},
		{{95, 105, 95, 105, 100}, STEADY_YES},
		{{90, 110, 100, 110, 90}, STEADY_YES},	   // range 20 %, no slope
		{{89, 111, 100, 111, 89}, STEADY_NO},	   // range 22 %
		{{105, 102.5, 100, 97.5, 95}, STEADY_YES}, // falls by 10 %
		{{106, 103, 100, 97, 94}, STEADY_NO},	   // falls by 12 %
		{{94, 97, 100, 103, 106}, STEADY_NO},
		{{0, 0, 0, 0, 0}, STEADY_NO},
		{{100, NAN, 100, 100, 100}, STEADY_UNKNOWN},
	};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_int_equal(steady_judge(known[i].v, 5), known[i].light);
	assert_int_equal(steady_judge(known[0].v, 4), STEADY_UNKNOWN);
	static const double settled[] = {900, 500, 100, 101, 100, 99, 100};
	assert_int_equal(steady_judge(settled, 7), STEADY_YES);
	assert_int_equal(steady_judge(settled, 6), STEADY_NO);
}

// Feeds tenths of seconds of work until the warm-up is over; seconds it took.
static double
warm_up(double (*rate)(double s), int64_t least_ns, int64_t most_ns, int64_t step_ns)
{
	struct steady_warmup w;
	int64_t start = 77 * S;
	steady_warmup_init(&w, start, least_ns, most_ns);
	for (int64_t t = start; t < start + 1000 * S; t += step_ns) {
		double s = (double)(t - start) / 1e9;
		if (steady_warmup_feed(&w, t, t + step_ns, rate(s) * (double)step_ns / 1e9))
			return (double)(t + step_ns - start) / 1e9;
	}
	return INFINITY;
}

static double
constant(double s)
{
	(void)s;
	return 1000;
}

static double
cliff(double s)
{
	return s < 40 ? 3000 : 1000;
}

static double
falling(double s)
{
	return 1000 * exp(-s / 100);
}

static void
test_warmup(void **state)
{
	(void)state;
	assert_true(warm_up(constant, 30 * S, 120 * S, S / 10) == 30);
	// Intervals that straddle the ends of rounds, and intervals longer than a round.
	assert_true(fabs(warm_up(constant, 30 * S, 120 * S, 7 * S / 10) - 30.1) < 0.01);
	assert_true(warm_up(constant, 30 * S, 120 * S, 15 * S) == 30);
	// It does not see a cliff ahead, but one inside the window holds it up.
	double s = warm_up(cliff, 45 * S, 120 * S, S / 10);
	assert_true(s >= 66 && s <= 79);
	assert_true(warm_up(falling, 30 * S, 120 * S, S / 10) == 120);
	// A fixed warm-up asks nothing.
	assert_true(warm_up(falling, 10 * S, 10 * S, S / 10) == 10);
	assert_true(warm_up(falling, 0, 0, S / 10) == 0.1);
}

static void
test_sustained(void **state)
{
	(void)state;
	double gib = 1024.0 * 1024 * 1024;
	assert_true(steady_is_sustained(STEADY_YES, STEADY_YES, 11 * gib, 4 * gib, 100 * gib));
	assert_false(steady_is_sustained(STEADY_YES, STEADY_NO, 11 * gib, 4 * gib, 100 * gib));
	assert_false(steady_is_sustained(STEADY_YES, STEADY_UNKNOWN, 11 * gib, 4 * gib, 100 * gib));
	assert_false(steady_is_sustained(STEADY_YES, STEADY_YES, 9 * gib, 4 * gib, 100 * gib));
	assert_false(steady_is_sustained(STEADY_YES, STEADY_YES, 11 * gib, 6 * gib, 100 * gib));
	assert_false(steady_is_sustained(STEADY_YES, STEADY_YES, 11 * gib, NAN, 100 * gib));
	assert_false(steady_is_sustained(STEADY_YES, STEADY_YES, 11 * gib, 4 * gib, NAN));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_light), cmocka_unit_test(test_warmup), cmocka_unit_test(test_sustained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
