// SPDX-License-Identifier: MIT
// Results side by side: what may be claimed, what may not, and why.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd_verdict.h"
#include "session/compare.h"
#include "session/result_text.h"
#include "support_result.h"

static struct result *
result_new(void)
{
	struct result *r = malloc(sizeof(*r));
	assert_non_null(r);
	result_init(r);
	return r;
}

static void
drop(struct result *r)
{
	result_fini(r);
	free(r);
}

static struct compare_part
part_of(const struct import *im, int item, const char *name)
{
	return (struct compare_part){ .result = im->item[item].result, .side = SIDE_A, .failed = im->item[item].failed,
				      .name = name, .time_s = NAN };
}

static int
has_reason(const struct result *r, const char *text)
{
	for (int i = 0; i < r->n_reasons; i++)
		if (strstr(r->reason[i], text))
			return 1;
	return 0;
}

static const struct metric_result *
metric(const struct result *r, enum metric id)
{
	for (int i = 0; i < r->n_metrics; i++)
		if (r->metric[i].id == id)
			return &r->metric[i];
	return NULL;
}

static const struct warning *
warning(const struct result *r, const char *id)
{
	for (int i = 0; i < r->n_warnings; i++)
		if (strcmp(r->warnings[i].id, id) == 0)
			return &r->warnings[i];
	return NULL;
}

// The three builds: one run each, so that a difference of 3 % is no claim.
static void
test_builds(void **state)
{
	(void)state;
	struct import x, y;
	struct error err;
	support_import("time-raidz2.txt", &x);
	support_import("time-ssd-raidz1.txt", &y);
	struct compare_part a = part_of(&x, 0, "x"), b = part_of(&y, 0, "y");
	struct result *r = result_new();
	assert_int_equal(compare_parts(&a, &b, r, &err), 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_true(has_reason(r, "not interleaved"));
	assert_true(has_reason(r, "one run each"));
	support_close(metric(r, METRIC_REAL_S)->ratio, 11763.91 / 11956.88, 1e-12);
	support_close(metric(r, METRIC_SYS_S)->ratio, 52014.59 / 57326.87, 1e-12);
	assert_true(isnan(metric(r, METRIC_REAL_S)->lo));
	assert_int_equal(verdict_exit_status(r, 0.01), EXIT_RUN_FAILED);
	char *text = support_print(result_write_text, r);
	assert_non_null(strstr(text, "NO VERDICT: not interleaved"));
	assert_non_null(strstr(text, "11956.88 s"));
	assert_non_null(strstr(text, "one run each"));
	free(text);
	drop(r);
	import_fini(&x);
	import_fini(&y);
}

static void
test_bonnie_kinds(void **state)
{
	(void)state;
	struct import x, y;
	struct error err;
	support_import("bonnie-1.03c.txt", &x);
	support_import("bonnie-2.00a.txt", &y);
	// Make per-char I/O known on both.
	x.item[0].result->side[SIDE_A].totals[METRIC_PUTC] = 600;
	x.item[0].result->side[SIDE_A].state[METRIC_PUTC] = WIRE_RESULT_OK;
	import_take_totals(x.item[0].result);
	struct compare_part a = part_of(&x, 0, "x"), b = part_of(&y, 0, "y");
	struct result *r = result_new();
	assert_int_equal(compare_parts(&a, &b, r, &err), 0);
	assert_true(isnan(metric(r, METRIC_PUTC)->ratio));
	assert_non_null(strstr(metric(r, METRIC_PUTC)->words, "different kinds of per-char I/O"));
	assert_true(isnan(metric(r, METRIC_GET_BLOCK)->ratio));
	assert_string_equal(metric(r, METRIC_GET_BLOCK)->words, "too fast to measure");
	assert_null(metric(r, METRIC_RAN_CREATE));
	support_close(metric(r, METRIC_PUT_BLOCK)->ratio, 367 * 1024 / 28299.0, 1e-12);
	assert_non_null(warning(r, "differs-size"));
	assert_non_null(strstr(warning(r, "differs-size")->text, "A 2G, B 1G"));
	drop(r);
	import_fini(&x);
	import_fini(&y);
}

static void
test_nothing_in_common(void **state)
{
	(void)state;
	struct import x, y;
	struct error err = { 0 };
	support_import("bonnie-1.03c.txt", &x);
	support_import("time-raidz2.txt", &y);
	struct compare_part a = part_of(&x, 0, "x\x1b"), b = part_of(&y, 0, "y");
	struct result *r = result_new();
	assert_true(compare_parts(&a, &b, r, &err) < 0);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	assert_non_null(strstr(err.text, "x\\x1b (bonnie) and y (command) have no figures in common"));
	drop(r);
	import_fini(&x);
	import_fini(&y);
}

static void
test_fio_settings(void **state)
{
	(void)state;
	struct import x, y;
	struct error err;
	support_import("fio-3.33-status-interval.txt", &x);
	support_import("fio-3.33-interrupted.txt", &y);
	struct compare_part a = part_of(&x, 0, "x"), b = part_of(&y, 0, "y");
	struct result *r = result_new();
	assert_int_equal(compare_parts(&a, &b, r, &err), 0);
	assert_non_null(strstr(warning(r, "differs-iodepth")->text, "A 8, B 4"));
	assert_non_null(strstr(warning(r, "differs-ioengine")->text, "A io_uring, B psync"));
	assert_non_null(strstr(warning(r, "differs-rw")->text, "A randread, B randrw"));
	assert_null(warning(r, "differs-bs"));
	assert_int_equal(warning(r, "fio-interrupted")->side, WARN_B);
	assert_non_null(metric(r, METRIC_IOPS));
	assert_null(metric(r, METRIC_WRITE_BYTES));
	drop(r);
	import_fini(&x);
	import_fini(&y);
}

static void
test_failed_part(void **state)
{
	(void)state;
	struct import x, y;
	struct error err;
	support_import("fio-3.33-failed.txt", &x);
	support_import("fio-3.33-group.txt", &y);
	struct compare_part a = part_of(&x, 0, "x"), b = part_of(&y, 0, "y");
	struct result *r = result_new();
	assert_int_equal(compare_parts(&a, &b, r, &err), 0);
	assert_true(has_reason(r, "A failed"));
	assert_non_null(strstr(r->verdict.text, "A failed"));
	drop(r);
	import_fini(&x);
	import_fini(&y);
}

// A session's own two sides keep its verdict; the other way round it is the mirror image.
static void
test_within_a_session(void **state)
{
	(void)state;
	struct result *session = support_result(12), *same = result_new(), *swapped = result_new(), *back = result_new();
	assert_int_equal(compare_within(session, 0, same), 0);
	char *x = support_json(session), *y = support_json(same);
	assert_string_equal(x, y);
	free(y);
	assert_int_equal(compare_within(session, 1, swapped), 0);
	assert_int_equal(session->verdict.word, VERDICT_B);
	assert_int_equal(swapped->verdict.word, VERDICT_A);
	support_close(swapped->verdict.ratio, 1 / session->verdict.ratio, 1e-12);
	support_close(swapped->verdict.lo, 1 / session->verdict.hi, 1e-3);
	assert_string_equal(swapped->side[SIDE_A].path, "/mnt/b");
	assert_int_equal(compare_within(swapped, 1, back), 0);
	y = support_json(back);
	assert_string_equal(x, y);
	assert_int_equal(verdict_exit_status(session, 0.05), EXIT_DONE);
	assert_int_equal(verdict_exit_status(swapped, 0.05), EXIT_SLOWER);
	assert_int_equal(verdict_exit_status(swapped, 0.50), EXIT_DONE);
	free(x);
	free(y);
	drop(session);
	drop(same);
	drop(swapped);
	drop(back);
}

#define N_SESSIONS 12

// Sessions at times 0, 1, 2 ... of which order[i] says the side.
static int
run_sessions(const char *order, double effect, struct result *ret, struct error *err)
{
	struct result *r[N_SESSIONS];
	struct compare_part a[N_SESSIONS] = { 0 }, b[N_SESSIONS] = { 0 };
	int n_a = 0, n_b = 0, n = (int)strlen(order);
	for (int i = 0; i < n; i++) {
		r[i] = result_new();
		r[i]->side[SIDE_A].present = 1;
		snprintf(r[i]->workload, sizeof(r[i]->workload), "command");
		r[i]->primary = METRIC_REAL_S;
		double noise = 1 + 0.001 * ((i * 7) % 5 - 2);
		r[i]->side[SIDE_A].totals[METRIC_REAL_S] = (order[i] == 'A' ? 100 : 100 / effect) * noise;
		import_take_totals(r[i]);
		struct compare_part part = { .result = r[i], .side = SIDE_A, .name = "s", .time_s = 1000 + i };
		if (order[i] == 'A')
			a[n_a++] = part;
		else
			b[n_b++] = part;
	}
	// Given in any order of the command line.
	for (int i = 0; i < n_a / 2; i++) {
		struct compare_part swap = a[i];
		a[i] = a[n_a - 1 - i];
		a[n_a - 1 - i] = swap;
	}
	int rc = compare_sessions(a, n_a, b, n_b, ret, err);
	for (int i = 0; i < n; i++)
		drop(r[i]);
	return rc;
}

static void
test_sessions_as_pairs(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct result *r = result_new();
	assert_int_equal(run_sessions("ABBAABBABAAB", 1.1, r, &err), 0);
	assert_int_equal(r->n_pairs, 6);
	assert_string_equal(r->plan.order, "AB BA AB BA BA AB");
	assert_int_equal(r->verdict.word, VERDICT_B);
	support_close(r->verdict.ratio, 1.1, 0.01);
	drop(r);
	r = result_new(); // four pairs: no interval
	assert_int_equal(run_sessions("ABBAABBA", 1.1, r, &err), 0);
	assert_int_equal(r->verdict.has_interval, 0);
	assert_int_equal(verdict_exit_status(r, 0.01), EXIT_RUN_FAILED);
	drop(r);
	r = result_new(); // first all of A, then all of B
	assert_int_equal(run_sessions("AAAAAABBBBBB", 1.1, r, &err), 0);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	assert_non_null(strstr(r->verdict.text, "not interleaved"));
	support_close(metric(r, METRIC_REAL_S)->ratio, 1 / 1.1, 0.01);
	drop(r);
	r = result_new(); // always A first: drift has a direction
	assert_int_equal(run_sessions("ABABABABABAB", 1.1, r, &err), 0);
	assert_int_equal(r->verdict.has_interval, 0);
	drop(r);
}

static void
test_sessions_without_time(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct result *r = support_result(6), *ret = result_new();
	struct compare_part a = { .result = r, .side = SIDE_A, .name = "a", .time_s = NAN }, b = a;
	assert_true(compare_sessions(&a, 1, &b, 1, ret, &err) < 0);
	assert_non_null(strstr(err.text, "not known when"));
	a.time_s = b.time_s = 5;
	assert_true(compare_sessions(&a, 1, &b, 1, ret, &err) < 0);
	assert_non_null(strstr(err.text, "same time"));
	drop(r);
	drop(ret);
}

// Files without a time of their own: the order is that of the files, and that is said.
static void
test_sessions_by_file_date(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct result *r = support_result(6), *ret = result_new();
	struct compare_part a = { .result = r, .side = SIDE_A, .name = "a", .time_s = 1, .time_of_file = 1 }, b = a;
	b.time_s = 2;
	assert_int_equal(compare_sessions(&a, 1, &b, 1, ret, &err), 0);
	assert_non_null(warning(ret, "session-times"));
	drop(r);
	drop(ret);
}

static void
test_dates(void **state)
{
	(void)state;
	support_close(compare_parse_date("1970-01-02T00:00:01Z"), 86401, 0);
	support_close(compare_parse_date("2026-11-30T20:00:00.5Z"), 1796068800.5, 0);
	assert_true(isnan(compare_parse_date("yesterday")));
	assert_true(isnan(compare_parse_date("2026-11-30T20:00:00+01:00")));
}

static void
test_open_selectors(void **state)
{
	(void)state;
	char spec[4096], base[4096];
	struct import im;
	struct error err = { 0 };
	int item, side;
	snprintf(base, sizeof(base), "%s/tests/data/foreign/fio-3.33-status-interval.txt", IODUEL_SOURCE_DIR);
	assert_int_equal(compare_open(base, &im, &item, &side, &err), 0);
	assert_int_equal(item, -1);
	import_fini(&im);
	snprintf(spec, sizeof(spec), "%.4000s:sw", base);
	assert_int_equal(compare_open(spec, &im, &item, &side, &err), 0);
	assert_int_equal(item, 1);
	import_fini(&im);
	snprintf(spec, sizeof(spec), "%.4000s:1", base);
	assert_int_equal(compare_open(spec, &im, &item, &side, &err), 0);
	assert_int_equal(item, 0);
	import_fini(&im);
	snprintf(spec, sizeof(spec), "%.4000s:nosuch", base);
	assert_true(compare_open(spec, &im, &item, &side, &err) < 0);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	snprintf(base, sizeof(base), "%s/tests/data/foreign/fio-3.33-two-clients.txt", IODUEL_SOURCE_DIR);
	assert_int_equal(compare_open(base, &im, &item, &side, &err), 0);
	assert_int_equal(item, 2); // All clients
	import_fini(&im);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builds), cmocka_unit_test(test_bonnie_kinds),
		cmocka_unit_test(test_nothing_in_common), cmocka_unit_test(test_fio_settings),
		cmocka_unit_test(test_failed_part), cmocka_unit_test(test_within_a_session),
		cmocka_unit_test(test_sessions_as_pairs), cmocka_unit_test(test_sessions_without_time),
		cmocka_unit_test(test_sessions_by_file_date), cmocka_unit_test(test_dates), cmocka_unit_test(test_open_selectors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
