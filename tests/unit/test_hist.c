// SPDX-License-Identifier: MIT
// The histogram keeps its error bound and adds up.
#include <ioduel/hist.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void
buckets_are_contiguous_and_tight(void **state)
{
	(void)state;
	unsigned last = 0;
	for (uint64_t v = 0; v < (UINT64_C(1) << HIST_MAX_BITS); v += 1 + v / 1000) {
		unsigned i = hist_index(v);
		assert_true(i >= last && i - last <= 1);
		assert_true(i < HIST_BUCKETS);
		double mid = (double)hist_midpoint_ns(i);
		assert_true(fabs(mid - (double)v) <= (double)v / 128);
		assert_int_equal(hist_index(hist_midpoint_ns(i)), i);
		last = i;
	}
	assert_int_equal(hist_index((UINT64_C(1) << HIST_MAX_BITS) - 1), HIST_BUCKETS - 1);
	assert_int_equal(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

static void
quantiles_are_within_the_bound(void **state)
{
	(void)state;
	static struct hist h;
	hist_init(&h);
	assert_true(isnan(hist_quantile_ns(&h, 0.5)));
	assert_true(isnan(hist_mean_ns(&h)));
	for (uint64_t v = 1; v <= 100000; v++)
		hist_add(&h, v * 10);
	static const double qs[] = { 0.001, 0.5, 0.99, 0.999 };
	for (int i = 0; i < 4; i++) {
		double truth = ceil(qs[i] * 100000) * 10;
		assert_true(fabs(hist_quantile_ns(&h, qs[i]) - truth) <= truth / 128);
	}
	assert_true(hist_quantile_ns(&h, 0) >= 10 && hist_quantile_ns(&h, 1) <= 1000000);
	assert_true(fabs(hist_mean_ns(&h) - 500005) < 1e-6);
	// A single value is reported exactly, whatever its bucket's midpoint.
	hist_init(&h);
	hist_add(&h, 1234567);
	assert_true(hist_quantile_ns(&h, 0.5) == 1234567);
}

static void
merging_is_adding(void **state)
{
	(void)state;
	static struct hist a, b, both;
	hist_init(&a);
	hist_init(&b);
	hist_init(&both);
	for (uint64_t v = 1; v < 10000000; v = v * 3 / 2 + 1) {
		hist_add(v % 2 ? &a : &b, v);
		hist_add(&both, v);
	}
	hist_merge(&a, &b);
	assert_memory_equal(&a, &both, sizeof(a));
	hist_init(&b);
	hist_merge(&a, &b);
	assert_memory_equal(&a, &both, sizeof(a));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_contiguous_and_tight),
		cmocka_unit_test(quantiles_are_within_the_bound),
		cmocka_unit_test(merging_is_adding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
