// SPDX-License-Identifier: MIT
// The result object: its shape, its way back, and text that steers no terminal.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "session/json_util.h"
#include "session/result_json.h"
#include "session/result_text.h"
#include "session/text_safe.h"
#include "session/text_value.h"
#include "support_result.h"

static void
drop(struct result *r)
{
	result_fini(r);
	free(r);
}

static json_t *
as_object(const struct result *r)
{
	char *text = support_json(r);
	json_t *object = json_loads(text, 0, NULL);
	assert_non_null(object);
	free(text);
	return object;
}

static const json_t *
member(const json_t *object, const char *path)
{
	char key[64];
	while (*path) {
		size_t n = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		object = json_object_get(object, key);
		if (!object)
			fail_msg("no member %s", key);
		path += n + (path[n] == '.');
	}
	return object;
}

static void
test_shape(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	json_t *o = as_object(r);
	assert_int_equal(json_integer_value(member(o, "ioduel")), 1);
	assert_string_equal(json_string_value(member(o, "kind")), "result");
	assert_string_equal(json_string_value(member(o, "host.name")), "box");
	assert_int_equal(json_integer_value(member(o, "workload.params.bs")), 4096);
	assert_int_equal(json_integer_value(member(o, "targets.b.params.qd")), 8);
	assert_string_equal(json_string_value(member(o, "targets.a.fs")), "xfs");
	const json_t *device = json_array_get(member(o, "targets.a.devices"), 0);
	assert_string_equal(json_string_value(member(device, "name")), "nvme0n1");
	assert_true(json_is_true(member(device, "physical")));
	assert_string_equal(json_string_value(member(o, "verdict.verdict")), "b");
	assert_string_equal(json_string_value(member(o, "verdict.primary")), "iops");
	assert_int_equal(json_array_size(member(o, "verdict.reasons")), 0);
	const json_t *iops = json_array_get(member(o, "metrics"), 0);
	assert_string_equal(json_string_value(member(iops, "name")), "iops");
	assert_string_equal(json_string_value(member(iops, "unit")), "1/s");
	assert_string_equal(json_string_value(member(iops, "better")), "higher");
	assert_int_equal(json_integer_value(member(iops, "b.n")), 12);
	support_close(json_number_value(member(iops, "ratio")), 1.2, 0.01);
	assert_int_equal(json_array_size(member(iops, "ci")), 2);
	assert_int_equal(json_array_size(member(o, "pairs")), 12);
	const json_t *pair = json_array_get(member(o, "pairs"), 0);
	assert_true(json_is_number(member(pair, "a.iops")));
	assert_true(json_is_number(member(pair, "a.ops")));
	assert_int_equal(json_integer_value(member(pair, "b.counted_ns")), 3000000000);
	json_decref(o);
	drop(r);
}

// Written, read and written again: the same bytes, and the same verdict from the pairs alone.
static void
test_same_bytes(void **state)
{
	(void)state;
	for (int pairs = 0; pairs <= 12; pairs += 3) {
		struct result *r = support_result(pairs), *again = malloc(sizeof(*again));
		char *first = support_json(r);
		json_t *o = json_loads(first, 0, NULL);
		result_init(again);
		assert_int_equal(result_from_json(o, again, NULL), 0);
		char *second = support_json(again);
		assert_string_equal(first, second);
		assert_int_equal(again->plan.seed, r->plan.seed);
		result_conclude(again, again->verdict.stopped_early);
		char *third = support_json(again);
		assert_string_equal(first, third);
		free(first);
		free(second);
		free(third);
		json_decref(o);
		drop(r);
		drop(again);
	}
}

static void
test_no_interval_below_six_pairs(void **state)
{
	(void)state;
	struct result *r = support_result(5);
	json_t *o = as_object(r);
	size_t i;
	json_t *metric;
	json_array_foreach(member(o, "metrics"), i, metric)
		assert_true(json_is_null(member(metric, "ci")));
	assert_true(json_is_null(member(o, "verdict.ci")));
	char *text = support_print(result_write_text, r);
	assert_null(strstr(text, "%)"));
	free(text);
	json_decref(o);
	drop(r);
}

static void
test_unknown_is_null(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	r->pairs[3].slice[SIDE_B].metric[METRIC_LAT_P99] = NAN;
	r->host.cpus = 0;
	r->host.memory_bytes = NAN;
	json_t *o = as_object(r);
	assert_true(json_is_null(member(o, "host.cpus")));
	assert_true(json_is_null(member(o, "host.memory_bytes")));
	assert_true(json_is_null(member(json_array_get(member(o, "pairs"), 3), "b.lat_p99_ns")));
	json_decref(o);
	drop(r);
}

static void
test_one_side(void **state)
{
	(void)state;
	struct result *r = malloc(sizeof(*r));
	result_init(r);
	r->side[SIDE_A].present = 1;
	r->side[SIDE_A].totals[METRIC_IOPS] = 5;
	r->side[SIDE_A].totals[METRIC_PUTC] = NAN;
	r->side[SIDE_A].state[METRIC_PUTC] = WIRE_RESULT_TOO_FAST;
	import_take_totals(r);
	json_t *o = as_object(r);
	assert_true(json_is_null(member(o, "targets.b")));
	assert_true(json_is_null(member(o, "verdict")));
	const json_t *iops = json_array_get(member(o, "metrics"), 0), *putc = json_array_get(member(o, "metrics"), 1);
	assert_true(json_is_null(member(iops, "b")));
	assert_true(json_is_null(member(iops, "ratio")));
	assert_true(json_is_null(member(iops, "verdict")));
	assert_true(json_is_null(member(putc, "a.mean")));
	assert_string_equal(json_string_value(member(putc, "a.state")), "too_fast");
	json_decref(o);
	drop(r);
}

// A path that is not UTF-8 and holds what a terminal would obey.
static void
test_hostile_text(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	snprintf(r->side[SIDE_A].path, sizeof(r->side[SIDE_A].path), "/mnt/\x1b]0;owned\x07 \xff\xfe\n'\"<b>");
	snprintf(r->workload, sizeof(r->workload), "\x1b[2J");
	snprintf(r->warnings[0].text, sizeof(r->warnings[0].text), "a\rb\x9b" "c\xe2\x80\xae" "d");
	char *json = support_json(r), *text = support_print(result_write_text, r);
	json_t *o = json_loads(json, 0, NULL);
	assert_non_null(o);
	for (const char *p = json; *p; p++)
		assert_true((unsigned char)*p >= 0x20 || *p == '\n');
	for (const char *p = text; *p; p++)
		assert_true(((unsigned char)*p >= 0x20 && *p != 0x7f) || *p == '\n');
	assert_non_null(strstr(text, "\\x1b]0;owned\\a \\xff\\xfe\\n'\"<b>"));
	assert_non_null(strstr(text, "a\\rb\\x9bc\\u202ed"));
	json_decref(o);
	free(json);
	free(text);
	drop(r);
}

static void
test_newer_format(void **state)
{
	(void)state;
	struct error err;
	struct result *r = malloc(sizeof(*r));
	result_init(r);
	json_t *o = json_pack("{s:i,s:s}", "ioduel", 2, "kind", "result");
	assert_int_equal(result_from_json(o, r, &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "newer"));
	json_decref(o);
	drop(r);
}

static void
test_bounds(void **state)
{
	(void)state;
	struct error err;
	char deep[400];
	memset(deep, '[', 200);
	memset(deep + 200, ']', 200);
	assert_null(json_parse(deep, 400, &err));
	assert_non_null(strstr(err.text, "deeper"));
	char cut[4];
	json_copy_text("ab\xc3\xa9", cut, 4);
	assert_string_equal(cut, "ab");
}

static void
test_values(void **state)
{
	(void)state;
	static const struct { double value; const char *unit, *text; } rows[] = {
		{ 347123, "1/s", "347.1 k" }, { 1.42e9, "B/s", "1.420 GB/s" }, { 88123, "ns", "88.12 µs" },
		{ 28299, "KiB/s", "28299 KiB/s" }, { 11956.88, "s", "11956.88 s" }, { NAN, "B/s", "-" }, { 0, "1/s", "0" },
		{ 999960, "1/s", "1.000 M" }, { 0.0123, "cores", "0.0123 cores" }, { 1.04, "ratio", "1.040" },
		{ 3093.9, "1/s", "3.094 k" }, { 17, "%", "17 %" }, { 1e15, "B/s", "1.000 PB/s" },
	};
	char buf[64];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		text_format_value(rows[i].value, rows[i].unit, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].text);
	}
	text_format_duration(11956.88, buf, sizeof(buf));
	assert_string_equal(buf, "3:19:17");
	text_format_duration(36, buf, sizeof(buf));
	assert_string_equal(buf, "0:36");
}

static void
test_markup(void **state)
{
	(void)state;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	text_safe_markup(out, "<script>\"a\"&'b'\x01");
	fclose(out);
	assert_string_equal(text, "&lt;script&gt;&quot;a&quot;&amp;&#39;b&#39;\\x01");
	free(text);
}

static void
test_interval_text(void **state)
{
	static const struct {
		double lo, hi;
		const char *text;
	} cases[] = {
		{ 0.35801, 0.36492, "0.358..0.365 (95 %)" },
		{ 2.1e-5, 2.4e4, "<0.01..>100 (95 %)" },
		{ 2.1e-5, 0.5, "2.1e-05..0.5 (95 %)" },
		{ 120.0, 180.0, "120..180 (95 %)" },
		{ NAN, 1.0, "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metric_result m = { .lo = cases[i].lo, .hi = cases[i].hi, .confidence = 0.95 };
		char text[80];
		result_format_interval(&m, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

// Printed on a terminal it steers nothing, and it still means the same.
static void
test_terminal(void **state)
{
	(void)state;
	static const char hostile[] = "\x1b[31m \xc2\x9b" "31m \xe2\x80\xae \x7f \xf3\xa0\x80\x81 \xc3\xa9";
	char *text = NULL;
	size_t size = 0;
	json_t *value = json_pack("[s]", hostile);
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(json_write(value, JSON_INDENT(1), out), 0);
	fclose(out);
	assert_null(strpbrk(text, "\x1b\x7f"));
	assert_null(strstr(text, "\xc2\x9b"));
	assert_null(strstr(text, "\xe2\x80\xae"));
	assert_null(strstr(text, "\xf3\xa0"));
	assert_non_null(strstr(text, "\xc3\xa9"));
	json_t *again = json_loads(text, 0, NULL);
	assert_true(json_equal(value, again));
	json_decref(again);
	json_decref(value);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape), cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_no_interval_below_six_pairs), cmocka_unit_test(test_unknown_is_null),
		cmocka_unit_test(test_one_side), cmocka_unit_test(test_hostile_text), cmocka_unit_test(test_newer_format),
		cmocka_unit_test(test_bounds), cmocka_unit_test(test_values), cmocka_unit_test(test_markup),
		cmocka_unit_test(test_terminal), cmocka_unit_test(test_interval_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
