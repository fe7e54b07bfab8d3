// SPDX-License-Identifier: MIT
// fio's JSON as fio 3.33 wrote it (shortened), and what other versions, tools and accidents make of it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session/import.h"
#include "support_result.h"

static double
total(const struct import *im, int item, enum metric id)
{
	return im->item[item].result->side[SIDE_A].totals[id];
}

static int
has_warning(const struct result *r, const char *id)
{
	int found = 0;
	for (int i = 0; i < r->n_warnings; i++)
		found |= strcmp(r->warnings[i].id, id) == 0;
	return found;
}

static int
read_text(const char *text, struct import *im, struct error *err)
{
	import_init(im);
	return import_text("test", text, strlen(text), im, err);
}

// Two jobs, one after the other (stonewall), ramp_time, one object a second.
static void
test_stream(void **state)
{
	(void)state;
	struct import im;
	support_import("fio-3.33-status-interval.txt", &im);
	assert_int_equal(im.kind, IMPORT_FIO);
	assert_int_equal(im.n, 2);
	assert_string_equal(im.item[0].name, "rr");
	assert_string_equal(im.item[1].name, "sw");
	assert_string_equal(im.item[0].result->origin, "fio 3.33");
	support_close(total(&im, 0, METRIC_IOPS), 53848.717094, 1e-6);
	support_close(total(&im, 0, METRIC_READ_BYTES), 220575264, 1e-6);
	assert_true(isnan(total(&im, 0, METRIC_WRITE_BYTES)));
	support_close(total(&im, 0, METRIC_READ_LAT_P50), 89600, 1e-6);
	support_close(total(&im, 0, METRIC_LAT_P50), 89600, 1e-6);
	support_close(total(&im, 1, METRIC_WRITE_BYTES), 1432186457, 1e-6);
	support_close(total(&im, 1, METRIC_WRITE_LAT_P99), 2039808, 1e-6);
	assert_int_equal(im.item[0].result->primary, METRIC_IOPS);
	assert_int_equal(im.item[1].result->primary, METRIC_WRITE_BYTES);
	assert_non_null(strstr(im.item[0].result->params, "iodepth=8"));
	assert_non_null(strstr(im.item[0].result->params, "bs=4k"));
	import_fini(&im);
}

// The counters are sums, and begin anew when ramp_time ends: 36384 I/Os in the ramp, then 57929, 119705, 161600.
static void
test_intervals(void **state)
{
	(void)state;
	static const double ops[] = { 36384, 57929, 119705 - 57929, 161600 - 119705 };
	static const double writes[] = { 8237, 11136, 21979 - 11136, 32794 - 21979, 0 };
	struct import im;
	support_import("fio-3.33-status-interval.txt", &im);
	int n[2] = { 0, 0 };
	for (int i = 0; i < im.n_intervals; i++) {
		const struct import_interval *interval = &im.interval[i];
		assert_true(interval->duration_s > 0);
		assert_true(n[interval->item] < (interval->item ? 5 : 4));
		double expected = (interval->item ? writes : ops)[n[interval->item]++];
		assert_true((interval->item ? interval->write_ops : interval->read_ops) == expected);
	}
	assert_int_equal(n[0], 4);
	assert_int_equal(n[1], 5);
	import_fini(&im);
}

static void
test_interrupted(void **state)
{
	(void)state;
	struct import im;
	support_import("fio-3.33-interrupted.txt", &im);
	assert_int_equal(im.n, 1);
	const struct result *r = im.item[0].result;
	assert_true(r->interrupted);
	assert_true(has_warning(r, "fio-interrupted"));
	support_close(total(&im, 0, METRIC_IOPS), 5626.826029 + 5646.082337, 1e-6);
	support_close(total(&im, 0, METRIC_READ_BYTES), 23047479, 1e-6);
	support_close(total(&im, 0, METRIC_WRITE_BYTES), 23126353, 1e-6);
	support_close(total(&im, 0, METRIC_CPU_SYS), 0.32225914, 1e-9);
	// No histogram, so that the quantiles of reads and writes together are unknown.
	assert_true(isnan(total(&im, 0, METRIC_LAT_P99)));
	support_close(total(&im, 0, METRIC_READ_LAT_P99), 333824, 1e-6);
	import_fini(&im);
}

static void
test_failed(void **state)
{
	(void)state;
	struct import im;
	struct error err = { 0 };
	support_import("fio-3.33-failed.txt", &im);
	assert_int_equal(im.n, 1);
	assert_true(im.item[0].failed);
	assert_int_equal(im.item[0].result->n_metrics, 0);
	assert_true(has_warning(im.item[0].result, "fio-complaint"));
	import_fini(&im);
	assert_int_equal(read_text("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"x\",\"error\":2,\"read\":{\"iops\":0,"
				   "\"total_ios\":0}}]}", &im, &err), 0);
	assert_true(im.item[0].failed);
	assert_true(has_warning(im.item[0].result, "fio-failed"));
	import_fini(&im);
}

// Jobs that ran together are one result; with histograms their quantiles merge.
static void
test_two_jobs(void **state)
{
	(void)state;
	struct import im;
	support_import("fio-3.33-two-jobs.txt", &im);
	assert_int_equal(im.n, 1);
	assert_string_equal(im.item[0].name, "j1 and 1 more");
	support_close(total(&im, 0, METRIC_IOPS), 11093.906094 + 119828.373016, 1e-6);
	support_close(total(&im, 0, METRIC_READ_BYTES), 45440639, 1e-6);
	support_close(total(&im, 0, METRIC_READ_LAT_P50), 51968, 1e-6);
	assert_true(total(&im, 0, METRIC_LAT_P99) > 0);
	support_close(total(&im, 0, METRIC_CPU_USER), 0.06263158, 1e-9);
	import_fini(&im);
}

// Two copies reported as a group: fio's CPU figures are their average.
static void
test_group(void **state)
{
	(void)state;
	struct import im;
	support_import("fio-3.33-group.txt", &im);
	assert_int_equal(im.n, 1);
	support_close(total(&im, 0, METRIC_CPU_SYS), 2 * 0.0908637, 1e-7);
	support_close(total(&im, 0, METRIC_SYNC_LAT_P99), 5734400, 1e-6);
	import_fini(&im);
}

static void
test_clients(void **state)
{
	(void)state;
	struct import im;
	support_import("fio-3.33-two-clients.txt", &im);
	assert_int_equal(im.n, 3);
	assert_string_equal(im.item[0].name, "c1 on 127.0.0.1");
	assert_string_equal(im.item[1].name, "c1 on localhost");
	assert_string_equal(im.item[2].name, "All clients");
	support_close(total(&im, 2, METRIC_IOPS), 10515.484515, 1e-6);
	assert_true(isnan(total(&im, 2, METRIC_CPU_USER)));
	import_fini(&im);
}

#define JOB(name, ios) \
	"{\"jobname\":\"" name "\",\"read\":{\"iops\":" ios ",\"total_ios\":" ios ",\"bw\":4,\"runtime\":1000," \
	"\"clat_ns\":{\"percentile\":{\"50.000000\":7,\"0.00\":1,\"0.00\":2,\"99.000000\":9}}}}"

// An old version: KiB/s only, and a percentile key that repeats.
static void
test_old_version(void **state)
{
	(void)state;
	struct import im;
	struct error err = { 0 };
	assert_int_equal(read_text("{\"fio version\":\"fio-3.1\",\"jobs\":[" JOB("x", "10") "]}", &im, &err), 0);
	support_close(total(&im, 0, METRIC_READ_BYTES), 4096, 0);
	support_close(total(&im, 0, METRIC_LAT_P99), 9, 0);
	assert_true(isnan(total(&im, 0, METRIC_LAT_P999)));
	import_fini(&im);
}

// Objects one a line, in an array, with junk before and a torn one behind.
static void
test_other_framings(void **state)
{
	(void)state;
	static const char one[] = "{\"jobs\":[" JOB("x", "10") "]}";
	struct import im;
	struct error err = { 0 };
	char text[4096];
	snprintf(text, sizeof(text), "%s\n%s\n", one, one);
	assert_int_equal(read_text(text, &im, &err), 0);
	assert_int_equal(im.n, 1);
	import_fini(&im);
	snprintf(text, sizeof(text), "[%s,%s]", one, one);
	assert_int_equal(read_text(text, &im, &err), 0);
	import_fini(&im);
	snprintf(text, sizeof(text), "note: x\r\n{\r\n\"jobs\":[%s]\r\n}\r\nfio: hm\r\n{\r\n\"jobs\":[\r\n", JOB("x", "10"));
	assert_int_equal(read_text(text, &im, &err), 0);
	support_close(total(&im, 0, METRIC_IOPS), 10, 0);
	assert_non_null(strstr(im.sentence, "incomplete"));
	import_fini(&im);
}

static void
test_hostile(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"{}", "[]", "{\"jobs\":{}}", "{\"jobs\":[]}", "{\n\"jobs\":[\n}\n", "{\n}\n}\n{\n", "{\"jobs\":[1,2,null]}",
		"{\"client_stats\":[{}]}", "{\"jobs\":[{\"read\":{\"total_ios\":1e308,\"iops\":-1}}]}",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct import im;
		struct error err = { 0 };
		int rc = read_text(texts[i], &im, &err);
		for (int k = 0; rc == 0 && k < im.n; k++)
			assert_true(im.item[k].failed);
		import_fini(&im);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stream), cmocka_unit_test(test_intervals), cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_failed), cmocka_unit_test(test_two_jobs), cmocka_unit_test(test_group),
		cmocka_unit_test(test_clients), cmocka_unit_test(test_old_version), cmocka_unit_test(test_other_framings),
		cmocka_unit_test(test_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
