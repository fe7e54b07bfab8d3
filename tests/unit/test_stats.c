// SPDX-License-Identifier: MIT
// The statistic against figures that two independent programs agreed on, and
// against its own laws.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/stats.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void
assert_near(double value, double wanted, double relative)
{
	if (!(fabs(value - wanted) <= relative * fabs(wanted) + 1e-9))
		fail_msg("%.12g is not %.12g", value, wanted);
}

// "+--+" as orders.
static const signed char *
orders(const char *text)
{
	static signed char order[64];
	for (int i = 0; text[i]; i++)
		order[i] = text[i] == '+' ? 1 : -1;
	return order;
}

struct vector {
	int n;
	const double *a, *b;
	const char *order;
	double l, s, rc, v, se, nu, gamma, t_order, t_trend;
	double t, ratio, lo, hi; // interval at the planned end
	double bound;
};

static const double v1_a[] = {100, 102, 98, 101, 99, 103, 97, 100};
static const double v1_b[] = {108, 111, 107, 112, 106, 115, 104, 110};
static const double v2_a[] = {500, 480, 300, 510, 495, 505, 490, 250, 500, 515, 498, 502};
static const double v2_b[] = {525, 509, 514, 270, 520, 517, 525, 518, 530, 520, 291, 523};
static const double v3_a[] = {200, 202, 199, 201, 198, 200, 203, 201, 199, 200};
static const double v3_b[] = {206, 208, 207, 210, 209, 214, 219, 220, 218, 221};

static const struct vector vectors[] = {
	{6, v1_a, v1_b, "+--++-", 0.088806338, 0.016380424, 0, 1, 0.006687280, 4, -0.005647030, -0.844444, 0.903528,
	 2.776445, 1.092869, 1.072765, 1.113350, INFINITY},
	{8, v1_a, v1_b, "+--++-+-", 0.087323828, 0.014214384, 0, 1, 0.005025544, 6, -0.007391180, -1.470722, 0.314953,
	 2.446912, 1.091250, 1.077913, 1.104752, 7.538494},
	{12, v2_a, v2_b, "-++-+--+-++-", 0.038388016, 0.301021215, 0.022929647, 1.046935508, 0.088913242, 10, 0.081456788,
	 0.937391, -0.433613, 2.228139, 1.039134, 0.852380, 1.266806, 4.971168},
	{10, v3_a, v3_b, "+--+-++--+", 0.062414450, 0.028153706, 0.9, 19, 0.038807205, 8, 0.001256090, 0.141086, 16.811522,
	 2.306004, 1.064403, 0.973288, 1.164049, 5.606835},
};

static void
test_vectors(void **state)
{
	(void)state;
	for (int i = 0; i < COUNT(vectors); i++) {
		const struct vector *w = &vectors[i];
		struct pair_stats s;
		assert_int_equal(stats_pairs(w->a, w->b, orders(w->order), w->n, FIGURE_RATE, &s), PAIRS_OK);
		assert_near(s.l, w->l, 1e-6 * 0.1);
		assert_near(s.s, w->s, 1e-6 * 0.1);
		assert_near(s.rc, w->rc, 1e-6 * 0.1);
		assert_near(s.v, w->v, 1e-6);
		assert_near(s.se, w->se, 1e-6);
		assert_near(s.gamma, w->gamma, 1e-6);
		assert_near(s.nu, w->nu, 0);
		assert_near(s.t_order, w->t_order, 1e-5);
		assert_near(s.t_trend, w->t_trend, 1e-5);
		double t = stats_t_quantile(0.975, s.nu);
		assert_near(t, w->t, 1e-6);
		assert_near(exp(s.l), w->ratio, 1e-6);
		assert_near(exp(s.l - t * s.se), w->lo, 1e-6);
		assert_near(exp(s.l + t * s.se), w->hi, 1e-6);
		if (isinf(w->bound))
			assert_true(isinf(stats_anytime_bound(w->n, 0.01)));
		else
			assert_near(stats_anytime_bound(w->n, 0.01), w->bound, 1e-6);
	}
}

static void
test_t_quantiles(void **state)
{
	(void)state;
	static const double known[][2] = {{4, 2.776445}, {6, 2.446912}, {8, 2.306004}, {10, 2.228139}, {14, 2.144787},
					  {18, 2.100922}, {22, 2.073873}, {28, 2.048407}, {38, 2.024394}, {58, 2.001717}};
	for (int i = 0; i < COUNT(known); i++)
		assert_near(stats_t_quantile(0.975, known[i][0]), known[i][1], 1e-6);
	assert_near(stats_t_quantile(0.995, 7), 3.499483, 1e-6);
	assert_near(stats_t_quantile(0.025, 4), -2.776445, 1e-6);
	assert_true(isnan(stats_t_quantile(1, 4)));
	assert_true(isnan(stats_t_quantile(0.975, 0)));
}

static void
test_anytime_bounds(void **state)
{
	(void)state;
	static const double known[][2] = {
		{8, 7.5385}, {10, 5.6068}, {12, 4.9712}, {14, 4.6498}, {16, 4.4559}, {18, 4.3267}, {20, 4.2350},
		{22, 4.1669}, {24, 4.1146}, {26, 4.0734}, {28, 4.0403}, {30, 4.0133}, {32, 3.9909}, {34, 3.9721},
		{36, 3.9563}, {38, 3.9428}, {40, 3.9313}, {42, 3.9213}, {44, 3.9127}, {46, 3.9052}, {48, 3.8986},
		{50, 3.8928}, {52, 3.8878}, {54, 3.8834}, {56, 3.8794}, {58, 3.8760}, {60, 3.8730}};
	for (int i = 0; i < COUNT(known); i++)
		assert_near(stats_anytime_bound((int)known[i][0], 0.01), known[i][1], 2e-5);
	for (int n = -1; n <= 6; n++)
		assert_true(isinf(stats_anytime_bound(n, 0.01)));
}

// Interchanging the sides turns the sign of everything that has one.
static void
test_symmetry(void **state)
{
	(void)state;
	static const enum figure_kind kinds[] = {FIGURE_RATE, FIGURE_DURATION, FIGURE_QUANTILE};
	signed char order[12], swapped[12];
	memcpy(order, orders("-++-+--+-++-"), 12);
	for (int i = 0; i < 12; i++)
		swapped[i] = (signed char)-order[i];
	for (int k = 0; k < COUNT(kinds); k++) {
		struct pair_stats x, y;
		stats_pairs(v2_a, v2_b, order, 12, kinds[k], &x);
		stats_pairs(v2_b, v2_a, swapped, 12, kinds[k], &y);
		assert_near(y.l, -x.l, 1e-12);
		assert_near(y.se, x.se, 1e-12);
		assert_near(y.gamma, x.gamma, 1e-9);
		assert_near(y.t_trend, -x.t_trend, 1e-9);
	}
}

// A duration is a rate read the other way round; scale does not matter.
static void
test_durations(void **state)
{
	(void)state;
	struct pair_stats time, rate, scaled;
	double a[12];
	for (int i = 0; i < 12; i++)
		a[i] = v2_a[i] * 1e-6;
	stats_pairs(v2_a, v2_b, orders("-++-+--+-++-"), 12, FIGURE_DURATION, &time);
	stats_pairs(v2_a, v2_b, orders("-++-+--+-++-"), 12, FIGURE_RATE, &rate);
	assert_near(time.l, -rate.l, 1e-12);
	assert_near(time.se, rate.se, 1e-12);
	stats_pairs(a, v2_b, orders("-++-+--+-++-"), 12, FIGURE_RATE, &scaled);
	assert_near(scaled.l, rate.l + log(1e6), 1e-12);
	assert_near(scaled.se, rate.se, 1e-9);
}

static void
test_quantiles(void **state)
{
	(void)state;
	static const double a[] = {1, 1, 1, 1, 1, 1}, b[] = {2, 4, 2, 4, 2, 4};
	struct pair_stats s;
	assert_int_equal(stats_pairs(a, b, orders("+--++-"), 6, FIGURE_QUANTILE, &s), PAIRS_OK);
	assert_near(s.l, 1.5 * log(2), 1e-12);
}

static void
test_defects(void **state)
{
	(void)state;
	double a[8] = {1, 2, 1, 2, 1, 2, 1, 2}, b[8] = {1.1, 2.3, 1.2, 2.1, 1.15, 2.2, 1.1, 2.25};
	struct pair_stats s;
	for (int n = 0; n < 6; n++) {
		assert_int_equal(stats_pairs(a, b, orders("+--++-+-"), n, FIGURE_RATE, &s), PAIRS_TOO_FEW);
		assert_int_equal(s.n, n);
	}
	assert_int_equal(stats_pairs(a, b, orders("+--++-+-"), 7, FIGURE_RATE, &s), PAIRS_ODD);
	assert_int_equal(stats_pairs(a, b, orders("++++++++"), 8, FIGURE_RATE, &s), PAIRS_ONE_ORDER);
	assert_int_equal(stats_pairs(a, a, orders("+--++-+-"), 8, FIGURE_RATE, &s), PAIRS_NO_SPREAD);
	double thirds[8];
	for (int i = 0; i < 8; i++)
		thirds[i] = a[i] / 3 * 1.7; // the ratio is the same up to rounding
	assert_int_equal(stats_pairs(a, thirds, orders("+--++-+-"), 8, FIGURE_RATE, &s), PAIRS_NO_SPREAD);
	assert_true(isnan(s.se));

	static const double bad[] = {-1, NAN, INFINITY};
	for (int i = 0; i < COUNT(bad); i++) {
		b[3] = bad[i];
		assert_int_equal(stats_pairs(a, b, orders("+--++-+-"), 8, FIGURE_RATE, &s), PAIRS_NOT_POSITIVE);
		assert_true(isnan(s.l));
	}
	// A slice in which nothing was done is a stall: it stays in a rate, but has no logarithm.
	b[3] = 0;
	assert_int_equal(stats_pairs(a, b, orders("+--++-+-"), 8, FIGURE_RATE, &s), PAIRS_OK);
	assert_true(s.l < 0);
	assert_int_equal(stats_pairs(a, b, orders("+--++-+-"), 8, FIGURE_QUANTILE, &s), PAIRS_NOT_POSITIVE);
	assert_int_equal(stats_pairs(a, b, orders("+--++-+-"), 8, FIGURE_DURATION, &s), PAIRS_NOT_POSITIVE);
}

// Two devices held to exactly 1000 and 1200: no spread at all but that of counting.
static void
test_counting_leaves_a_spread(void **state)
{
	(void)state;
	double a[8], b[8];
	signed char order[8] = {1, -1, -1, 1, 1, -1, 1, -1};
	struct pair_stats stats;
	for (int i = 0; i < 8; i++) {
		a[i] = 1000;
		b[i] = 1200;
	}
	assert_int_equal(stats_pairs(a, b, order, 8, FIGURE_RATE, &stats), PAIRS_NO_SPREAD);
	stats_floor_spread(&stats, 0);
	assert_int_equal(stats.defect, PAIRS_NO_SPREAD);
	stats_floor_spread(&stats, 1e-6);
	assert_int_equal(stats.defect, PAIRS_OK);
	assert_true(fabs(stats.se - sqrt(1e-6 / 8)) < 1e-12);
	assert_true(fabs(stats.l - log(1.2)) < 1e-12);
	a[3] = 900;
	stats_pairs(a, b, order, 8, FIGURE_RATE, &stats);
	double se = stats.se;
	stats_floor_spread(&stats, 1e-6);
	assert_true(stats.se == se);
}

static void
test_pairs_needed(void **state)
{
	(void)state;
	static const struct { double s, d; int pairs; } known[] = {
		{.05, .02, 62}, {.05, .03, 30}, {.05, .05, 14}, {.05, .10, 6}, {.02, .02, 14}, {.02, .03, 8}, {.02, .05, 6},
		{.02, .10, 6}, {.12, .02, 336}, {.12, .03, 152}, {.12, .05, 58}, {.12, .10, 18}};
	for (int i = 0; i < COUNT(known); i++)
		assert_int_equal(stats_pairs_needed(known[i].s, 1, known[i].d), known[i].pairs);
	assert_true(stats_pairs_needed(1e9, 1, 1e-9) > 0);
}

static int
compare(const void *x, const void *y)
{
	return (*(const double *)x > *(const double *)y) - (*(const double *)x < *(const double *)y);
}

// By its definition: the median of all sums.
static void
test_hodges_lehmann(void **state)
{
	(void)state;
	double sums[78];
	for (int n = 1; n <= 12; n++) {
		int k = 0;
		for (int i = 0; i < n; i++) {
			for (int j = i; j < n; j++)
				sums[k++] = (log(v2_b[i] / v2_a[i]) + log(v2_b[j] / v2_a[j])) / 2;
		}
		qsort(sums, (size_t)k, sizeof(sums[0]), compare);
		double median = (sums[(k - 1) / 2] + sums[k / 2]) / 2;
		assert_near(stats_hodges_lehmann(v2_a, v2_b, n, FIGURE_RATE), median, 1e-9);
		assert_near(stats_hodges_lehmann(v2_a, v2_b, n, FIGURE_DURATION), -median, 1e-9);
	}
	assert_near(stats_hodges_lehmann(v2_a, v2_a, 12, FIGURE_RATE), 0, 0);
	static const double zero[] = {1, 0};
	assert_true(isnan(stats_hodges_lehmann(v2_a, zero, 2, FIGURE_RATE)));
	assert_true(isnan(stats_hodges_lehmann(v2_a, v2_b, 0, FIGURE_RATE)));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors), cmocka_unit_test(test_t_quantiles), cmocka_unit_test(test_anytime_bounds),
		cmocka_unit_test(test_symmetry), cmocka_unit_test(test_durations), cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_defects), cmocka_unit_test(test_counting_leaves_a_spread),
		 cmocka_unit_test(test_pairs_needed), cmocka_unit_test(test_hodges_lehmann),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
