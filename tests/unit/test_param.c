// SPDX-License-Identifier: MIT
// Workloads on the command line: what is taken, what is refused, and how the
// refusal reads.
#include <ioduel/workload.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct param_set set, copy;

static void
sizes_and_times(void **state)
{
	(void)state;
	static const struct { const char *text; double value; } good[] = {
		{ "4k", 4096 }, { "128K", 131072 }, { "1.5m", 1572864 }, { "2g", 2147483648.0 }, { "1t", 0x1p40 }, { "512", 512 }, { "4KiB", 4096 },
	};
	static const char *const bad[] = { "", "k", "4kb", "-4k", "0x10", "inf", "nan", " 4k", "4 k", "0.3", "9999999999t" };
	double v;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(param_parse_size(good[i].text, &v), 0);
		assert_true(v == good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(param_parse_size(bad[i], &v), -EINVAL);
	assert_int_equal(param_parse_time("500ms", &v), 0);
	assert_true(v == 5e8);
	assert_int_equal(param_parse_time("2", &v), 0);
	assert_true(v == 2e9);
	assert_int_equal(param_parse_time("2x", &v), -EINVAL);
	char buf[32];
	param_format_size(1572864, buf, sizeof(buf));
	assert_string_equal(buf, "1.5m");
	param_format_size(1000, buf, sizeof(buf));
	assert_string_equal(buf, "1000");
}

static void
a_workload_with_keys(void **state)
{
	(void)state;
	struct error err = { 0 };
	assert_int_equal(workload_parse("randread:bs=8k,qd=4,dist=zipf:0.9", &set, &err), 0);
	assert_true(param_number(&set, "bs", 0) == 8192);
	assert_true(param_number(&set, "dist", 0) == 0.9);
	assert_true(param_number(&set, "threads", 0) == 1);
	assert_true(isnan(param_number(&set, "size", NAN)));
	assert_int_equal(workload_override(&set, "qd=9", &err), 0);
	assert_true(param_number(&set, "qd", 0) == 9);
	assert_int_equal(workload_parse("seqread", &set, &err), 0);
	assert_true(param_number(&set, "bs", 0) == 131072);
	assert_int_equal(workload_parse("oltp:qd=3", &set, &err), 0);
	assert_string_equal(set.workload, "randrw");
	assert_true(param_number(&set, "qd", 0) == 3 && param_number(&set, "bs", 0) == 8192);
}

static void
refusals_say_what_would_do(void **state)
{
	(void)state;
	static const struct { const char *text, *says; } bad[] = {
		{ "randraed", "did you mean \"randread\"" },
		{ "nothing:qd=1", "no workload" },
		{ "randread:qdd=1", "did you mean \"qd\"" },
		{ "randread:qd=0", "from 1 to 4096" },
		{ "randread:qd=1.5", "whole number" },
		{ "randread:qd=5000", "from 1 to 4096" },
		{ "randread:bs=abc", "a size such as 4k" },
		{ "randread:seed=-1", "from 0 to 9007199254740992" },
		{ "randread:dist=zipf", "uniform|zipf:NUMBER" },
		{ "randread:dist=zipf:99", "uniform|zipf:NUMBER" },
		{ "randread:sync=maybe", "none|dsync" },
		{ "randread:read=101", "from 0 to 100" },
		{ "randread:direct=2", "0 or 1" },
		{ "randread:qd", "key=value" },
		{ "seqread:dist=uniform", "no key" },
		{ "", "NAME" },
		{ ":qd=1", "NAME" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = { 0 };
		assert_true(workload_parse(bad[i].text, &set, &err) < 0);
		assert_int_equal(err.exit_status, EXIT_USAGE);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: \"%s\" lacks \"%s\"", bad[i].text, err.text, bad[i].says);
	}
}

static void
a_failed_parse_leaves_the_set_alone(void **state)
{
	(void)state;
	assert_int_equal(workload_parse("randread:qd=7", &set, NULL), 0);
	copy = set;
	assert_true(workload_parse("randread:qd=8,bs=x", &set, NULL) < 0);
	assert_true(workload_override(&set, "qd=x", NULL) < 0);
	assert_memory_equal(&set, &copy, sizeof(set));
}

static void
sets_travel_as_text(void **state)
{
	(void)state;
	static char text[20 * 1024];
	struct error err = { 0 };
	assert_int_equal(workload_parse("randrw:bs=8k,cpus=\"0,1\",read=30", &set, &err), 0);
	param_complete(&set, "size", 1 << 20);
	assert_int_equal(workload_encode(&set, text, sizeof(text)), 0);
	assert_int_equal(workload_decode(text, &copy, &err), 0);
	assert_string_equal(copy.workload, "randrw");
	assert_int_equal(copy.n, set.n);
	for (int i = 0; i < set.n; i++) {
		assert_string_equal(copy.value[i].text, set.value[i].text);
		assert_int_equal(copy.value[i].is_set, set.value[i].is_set);
		assert_true(copy.value[i].number == set.value[i].number || isnan(set.value[i].number));
	}
	assert_string_equal(param_text(&copy, "cpus", ""), "0,1");
	assert_true(param_number(&copy, "size", 0) == 1 << 20);
	static const char *const bad[] = { "", "randread", "nope\n", "randread\nqd", "randread\nqd=1", "randread\nxx=1\n", "randread\nqd\n" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(workload_decode(bad[i], &copy, &err) < 0);
	assert_int_equal(workload_encode(&set, text, 20), -E2BIG);
}

static void
every_table_is_sound(void **state)
{
	(void)state;
	for (int i = 0; workload_table[i]; i++) {
		const struct workload *w = workload_table[i];
		struct error err = { 0 };
		if (workload_parse(w->name, &set, &err) < 0)
			fail_msg("%s: %s", w->name, err.text);
		assert_true(strlen(w->summary) > 10);
		assert_true(set.n <= PARAMS_MAX);
		assert_true((w->block != NULL) == (w->shape == WORKLOAD_BLOCK));
		assert_true((w->pass != NULL) == (w->shape == WORKLOAD_PASS));
		for (const struct param_spec *p = w->params; p->name; p++)
			assert_true(p->help && strlen(p->help) > 10 && p->unit && p->preset);
		char line[256];
		workload_format(&set, line, sizeof(line));
		assert_true(strncmp(line, w->name, strlen(w->name)) == 0);
	}
}

static void
needs_are_checked_against_the_target(void **state)
{
	(void)state;
	struct target_info t = { .kind = TARGET_DIRECTORY, .path = "/x", .free_bytes = UINT64_C(1) << 30, .writable = 1, .direct_ok = -1 };
	struct workload_needs needs;
	struct error err = { 0 };
	assert_int_equal(workload_parse("randread", &set, &err), 0);
	assert_int_equal(workload_check(&set, &t, &needs, &err), 0);
	assert_int_equal(needs.space_bytes, 256 << 20); // a quarter
	assert_int_equal(needs.traffic, TRAFFIC_READS);
	assert_true(param_number(&set, "direct", 0) == 1);
	assert_int_equal(workload_parse("randwrite:size=1g", &set, &err), 0);
	assert_int_equal(workload_check(&set, &t, &needs, &err), -ENOSPC); // not with 5 % to spare
	assert_int_equal(err.exit_status, EXIT_REFUSED);
	t.direct_ok = 0;
	assert_int_equal(workload_parse("randread", &set, &err), 0);
	assert_int_equal(workload_check(&set, &t, &needs, &err), 0);
	assert_int_equal(needs.buffered, 1);
	assert_int_equal(workload_parse("randread:direct=1", &set, &err), 0);
	assert_true(workload_check(&set, &t, &needs, &err) < 0);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	t = (struct target_info){ .kind = TARGET_FILE, .path = "/x", .size_bytes = 1 << 20, .direct_ok = 1 };
	assert_int_equal(workload_parse("randread", &set, &err), 0);
	assert_int_equal(workload_check(&set, &t, &needs, &err), 0);
	assert_int_equal(needs.space_bytes, 0);
	assert_int_equal(workload_parse("randrw", &set, &err), 0);
	assert_int_equal(workload_check(&set, &t, &needs, &err), -EPERM);
	assert_int_equal(err.exit_status, EXIT_REFUSED);
	assert_int_equal(workload_parse("randread:bs=6k", &set, &err), 0);
	t.direct_align = 4096;
	assert_true(workload_check(&set, &t, &needs, &err) < 0);
	assert_non_null(strstr(err.text, "multiple of 4096"));
}

static void
lists_of_cpus(void **state)
{
	static const char *const bad[] = { "x", "0-", "3-1", "0,", ",0", "1 2", "-1", "99999", "0-99999", "0x1" };
	cpu_set_t cpus;
	(void)state;
	assert_int_equal(param_parse_cpus("", &cpus), 0);
	assert_int_equal(CPU_COUNT(&cpus), 0);
	assert_int_equal(param_parse_cpus("0-3,8", &cpus), 0);
	assert_int_equal(CPU_COUNT(&cpus), 5);
	assert_true(CPU_ISSET(3, &cpus) && CPU_ISSET(8, &cpus) && !CPU_ISSET(4, &cpus));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(param_parse_cpus(bad[i], &cpus), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_cpus),
		cmocka_unit_test(sizes_and_times),
		cmocka_unit_test(a_workload_with_keys),
		cmocka_unit_test(refusals_say_what_would_do),
		cmocka_unit_test(a_failed_parse_leaves_the_set_alone),
		cmocka_unit_test(sets_travel_as_text),
		cmocka_unit_test(every_table_is_sound),
		cmocka_unit_test(needs_are_checked_against_the_target),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
