// SPDX-License-Identifier: MIT
// The generators: bounds, alignment, mixture, distribution, and the same
// sequence for the same seed. And the schedule of the open loop.
#include <ioduel/workload.h>

#include "workloads/engine/pace.h"
#include "workloads/zipf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct param_set set;

static void *
generator(const char *text, uint64_t area, unsigned thread, unsigned n_threads, const struct workload **ret)
{
	struct error err = { 0 };
	if (workload_parse(text, &set, &err) < 0)
		fail_msg("%s", err.text);
	*ret = workload_find(set.workload);
	void *state = malloc((*ret)->block->state_bytes);
	assert_non_null(state);
	assert_int_equal((*ret)->block->init(state, &set, area, thread, n_threads, &err), 0);
	return state;
}

static void
intents_stay_inside_and_aligned(void **state)
{
	(void)state;
	static const char *const texts[] = { "randread", "randwrite:bs=12k", "randrw:dist=zipf:1.1", "seqread:bs=64k", "seqwrite:bs=4k", "randrw:dist=zipf:0.5,bs=512" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct workload *w;
		const uint64_t area = 1000003;
		void *g = generator(texts[i], area, 1, 3, &w);
		uint64_t bs = (uint64_t)param_number(&set, "bs", 0);
		for (int k = 0; k < 20000; k++) {
			struct io_intent in;
			w->block->next(g, &in);
			assert_int_equal(in.length, bs);
			assert_int_equal(in.offset % bs, 0);
			assert_true(in.offset + in.length <= area);
		}
		free(g);
	}
}

static void
sequential_threads_share_the_area(void **state)
{
	(void)state;
	unsigned char seen[100] = { 0 };
	for (unsigned thread = 0; thread < 3; thread++) {
		const struct workload *w;
		void *g = generator("seqread:bs=4k", 100 * 4096, thread, 3, &w);
		uint64_t first = UINT64_MAX, expected = 0;
		for (;;) {
			struct io_intent in;
			w->block->next(g, &in);
			if (in.offset == first)
				break;
			if (first == UINT64_MAX)
				first = expected = in.offset;
			assert_int_equal(in.offset, expected);
			expected += 4096;
			seen[in.offset / 4096]++;
		}
		free(g);
	}
	for (int i = 0; i < 100; i++)
		assert_int_equal(seen[i], 1);
}

static void
the_mixture_is_as_asked(void **state)
{
	(void)state;
	const struct workload *w;
	void *g = generator("randrw:read=70,fsync=10,sync=dsync", 1 << 20, 0, 1, &w);
	unsigned n[4] = { 0 }, writes_between = 0;
	for (int k = 0; k < 100000; k++) {
		struct io_intent in;
		w->block->next(g, &in);
		n[in.op]++;
		if (in.op == IO_WRITE) {
			assert_int_equal(in.flags, IO_DSYNC);
			writes_between++;
		} else if (in.op == IO_FSYNC) {
			assert_int_equal(writes_between, 10);
			writes_between = 0;
		}
	}
	double share = (double)n[IO_READ] / (n[IO_READ] + n[IO_WRITE]);
	assert_true(fabs(share - 0.7) < 0.01); // 7 standard deviations
	free(g);
}

static void
same_seed_same_sequence(void **state)
{
	(void)state;
	const struct workload *w;
	void *a = generator("randrw:seed=5", 1 << 24, 0, 2, &w), *b = generator("randrw:seed=5", 1 << 24, 0, 2, &w);
	void *c = generator("randrw:seed=6", 1 << 24, 0, 2, &w), *d = generator("randrw:seed=5", 1 << 24, 1, 2, &w);
	unsigned same_c = 0, same_d = 0;
	for (int k = 0; k < 1000; k++) {
		struct io_intent x = { 0 }, y = { 0 }, z = { 0 }, v = { 0 };
		w->block->next(a, &x);
		w->block->next(b, &y);
		w->block->next(c, &z);
		w->block->next(d, &v);
		assert_int_equal(x.offset, y.offset);
		assert_int_equal(x.op, y.op);
		same_c += x.offset == z.offset;
		same_d += x.offset == v.offset;
	}
	assert_true(same_c < 10 && same_d < 10);
	free(a);
	free(b);
	free(c);
	free(d);
}

static void
uniform_is_uniform(void **state)
{
	(void)state;
	const struct workload *w;
	void *g = generator("randread", 64 * 4096, 0, 1, &w);
	unsigned count[64] = { 0 };
	for (int k = 0; k < 64000; k++) {
		struct io_intent in;
		w->block->next(g, &in);
		count[in.offset / 4096]++;
	}
	double chi2 = 0;
	for (int i = 0; i < 64; i++)
		chi2 += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000;
	assert_true(chi2 > 20 && chi2 < 130); // 63 degrees of freedom
	free(g);
}

static void
zipf_has_its_law(void **state)
{
	(void)state;
	static const double thetas[] = { 0.5, 0.9, 1.0, 1.2, 3.0 };
	for (int i = 0; i < 5; i++) {
		enum { N = 1000, DRAWS = 200000 };
		static unsigned count[N + 1];
		struct zipf z;
		struct random r;
		double norm = 0;
		memset(count, 0, sizeof(count));
		zipf_init(&z, N, thetas[i]);
		random_init(&r, 1, 1);
		for (int k = 0; k < DRAWS; k++) {
			uint64_t rank = zipf_rank(&z, &r);
			assert_true(rank >= 1 && rank <= N);
			count[rank]++;
		}
		for (int k = 1; k <= N; k++)
			norm += pow(k, -thetas[i]);
		for (int k = 1; k <= N; k *= 3) {
			double expected = DRAWS * pow(k, -thetas[i]) / norm;
			assert_true(fabs(count[k] - expected) < 6 * sqrt(expected) + 2);
		}
	}
}

static void
zipf_scatters_by_a_bijection(void **state)
{
	(void)state;
	for (uint64_t n = 1; n < 300; n++) {
		struct zipf z;
		static unsigned char seen[300];
		memset(seen, 0, sizeof(seen));
		zipf_init(&z, n, 1);
		for (uint64_t rank = 0; rank < n; rank++)
			seen[rank * z.stride % n]++;
		for (uint64_t k = 0; k < n; k++)
			assert_int_equal(seen[k], 1);
	}
}

static void
the_schedule_keeps_its_rate(void **state)
{
	(void)state;
	for (int poisson = 0; poisson < 2; poisson++) {
		struct pace p;
		pace_init(&p, 1000, poisson, 3, 0);
		pace_start(&p, 5000, 0, 1);
		double sum = 0, squares = 0;
		int64_t last = 5000;
		for (int i = 0; i < 20000; i++) {
			double gap = (double)(pace_due_ns(&p) - last);
			last = pace_due_ns(&p);
			sum += gap;
			squares += gap * gap;
			pace_advance(&p);
		}
		double mean = sum / 20000, sd = sqrt(squares / 20000 - mean * mean);
		assert_true(fabs(mean - 1e6) < (poisson ? 5e4 : 100));
		assert_true(poisson ? fabs(sd - 1e6) < 5e4 : sd < 1e4);
	}
}

static void
a_backlog_is_counted_with_its_age(void **state)
{
	(void)state;
	static struct hist h;
	struct pace p;
	pace_init(&p, 1000, false, 3, 0);
	pace_start(&p, 0, 0, 1);
	assert_int_equal(pace_backlog(&p, 9500000), 10); // 0, 1, ... 9 ms
	hist_init(&h);
	assert_int_equal(pace_backlog_ages(&p, 9500000, &h), 10);
	assert_int_equal(h.count, 10);
	assert_int_equal(h.min_ns, 500000);
	assert_int_equal(h.max_ns, 9500000);
	// So long that it is partly estimated: the count stays exact, the mean age too.
	hist_init(&h);
	assert_int_equal(pace_backlog_ages(&p, INT64_C(100000) * 1000000 - 1, &h), 100000);
	assert_int_equal(h.count, 100000);
	assert_true(fabs(hist_mean_ns(&h) - 50e9) < 0.01e9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intents_stay_inside_and_aligned),
		cmocka_unit_test(sequential_threads_share_the_area),
		cmocka_unit_test(the_mixture_is_as_asked),
		cmocka_unit_test(same_seed_same_sequence),
		cmocka_unit_test(uniform_is_uniform),
		cmocka_unit_test(zipf_has_its_law),
		cmocka_unit_test(zipf_scatters_by_a_bijection),
		cmocka_unit_test(the_schedule_keeps_its_rate),
		cmocka_unit_test(a_backlog_is_counted_with_its_age),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
