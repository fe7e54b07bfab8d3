// SPDX-License-Identifier: MIT
// The output of `time` in all its forms, and pairs as CSV.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/import.h"
#include "support_result.h"

static void
check(const struct import *im, int item, double real, double user, double sys)
{
	assert_int_equal(im->kind, IMPORT_TIME);
	const double *totals = im->item[item].result->side[SIDE_A].totals;
	support_close(totals[METRIC_REAL_S], real, 1e-9);
	support_close(totals[METRIC_USER_S], user, 1e-9);
	support_close(totals[METRIC_SYS_S], sys, 1e-9);
	assert_false(im->item[item].failed);
}

static void
read_text(const char *text, struct import *im)
{
	struct error err = { 0 };
	import_init(im);
	if (import_text("test", text, strlen(text), im, &err))
		fail_msg("%s\n%s", err.text, text);
}

// The three builds: hours, minutes and seconds, as illumos prints them.
static void
test_builds(void **state)
{
	(void)state;
	static const struct { const char *name, *title; double real, user, sys; } builds[] = {
		{ "time-raidz2.txt", "smartos build - 8 disk raidz2, no slog", 11956.88, 62220.14, 57326.87 },
		{ "time-mirrors-slog.txt", "smartos build - 3 x 2-drive mirror vdevs, mirrored ssd slog", 12136.50, 60692.19,
		  53059.74 },
		{ "time-ssd-raidz1.txt",
		  "smartos build - 2 x 3-drive raidz1, two spares, SSD (took default at installation for 8 drives)", 11763.91,
		  60840.59, 52014.59 },
	};
	for (size_t i = 0; i < 3; i++) {
		struct import im;
		support_import(builds[i].name, &im);
		assert_int_equal(im.n, 1);
		assert_string_equal(im.item[0].name, builds[i].title);
		check(&im, 0, builds[i].real, builds[i].user, builds[i].sys);
		import_fini(&im);
	}
}

static void
test_forms(void **state)
{
	(void)state;
	static const struct { const char *text; double real, user, sys; } forms[] = {
		{ "\nreal\t0m1.234s\nuser\t0m1.002s\nsys\t0m0.110s\n", 1.234, 1.002, 0.11 },
		{ "real\t0m1,234s\nuser\t0m1,002s\nsys\t0m0,110s\n", 1.234, 1.002, 0.11 },
		{ "real 1.23\nuser 1.00\nsys 0.11\n", 1.23, 1, 0.11 },
		{ "real 3h19m16.88s\nuser 17h17m0.14s\nsys 15h55m26.87s\n", 11956.88, 62220.14, 57326.87 },
		{ "1.02user 0.11system 0:01.23elapsed 92%CPU (0avgtext+0avgdata 1832maxresident)k\n0inputs+0outputs\n", 1.23, 1.02,
		  0.11 },
		{ "1.02user 0.11system 3:19:16elapsed 92%CPU\n", 11956, 1.02, 0.11 },
		{ "\tCommand being timed: \"make -j8\"\n\tUser time (seconds): 1.02\n\tSystem time (seconds): 0.11\n"
		  "\tPercent of CPU this job got: 92%\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 3:19:16\n"
		  "\tMaximum resident set size (kbytes): 1832\n\tExit status: 0\n", 11956, 1.02, 0.11 },
		{ "\tUser time (seconds): 1.02\n\tSystem time (seconds): 0.11\n"
		  "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.23\n", 1.23, 1.02, 0.11 },
		{ "make -j8  1.02s user 0.11s system 95% cpu 1.234 total\n", 1.234, 1.02, 0.11 },
		{ "make -j8  1.02s user 0.11s system 95% cpu 2:01.50 total\n", 121.5, 1.02, 0.11 },
		{ "> real    0m1.234s\n> user    0m1.002s\n> sys     0m0.110s\n", 1.234, 1.002, 0.11 },
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct import im;
		read_text(forms[i].text, &im);
		assert_int_equal(im.n, 1);
		check(&im, 0, forms[i].real, forms[i].user, forms[i].sys);
		import_fini(&im);
	}
}

static void
test_several(void **state)
{
	(void)state;
	struct import im;
	read_text("first\nreal 1.0\nuser 2.0\nsys 3.0\n\nsecond\nreal 4.0\nuser 5.0\nsys 6.0\n", &im);
	assert_int_equal(im.n, 2);
	assert_string_equal(im.item[0].name, "first");
	check(&im, 0, 1, 2, 3);
	assert_string_equal(im.item[1].name, "second");
	check(&im, 1, 4, 5, 6);
	import_fini(&im);
}

static void
test_failed_command(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"Command exited with non-zero status 2\n1.02user 0.11system 0:01.23elapsed 92%CPU\n",
		"\tUser time (seconds): 1.02\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.23\n\tExit status: 2\n",
	};
	for (int i = 0; i < 2; i++) {
		struct import im;
		read_text(texts[i], &im);
		assert_true(im.item[0].failed);
		import_fini(&im);
	}
}

static void
test_not_time(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "hello\n", "real estate\nuser friendly\nsys admin\n", "real 1x2\n", "\x1b[2J",
					     "real 3h19m16.88sx\n" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct import im;
		struct error err = { 0 };
		import_init(&im);
		assert_true(import_text("a\x1b" "b", texts[i], strlen(texts[i]), &im, &err) < 0);
		assert_int_equal(im.n, 0);
		assert_non_null(strstr(err.text, "a\\x1bb: not recognised"));
	}
}

static void
test_pairs(void **state)
{
	(void)state;
	static const char text[] = "order,a,b\nAB,100,108\nBA,102,111\nBA,98,107\nAB,101,112\nAB,99,106\nBA,103,115\n";
	struct import im;
	read_text(text, &im);
	assert_int_equal(im.kind, IMPORT_PAIRS);
	const struct result *r = im.item[0].result;
	assert_int_equal(r->n_pairs, 6);
	// The first vector of doc/METHOD.md.
	support_close(r->verdict.ratio, 1.092869, 1e-6);
	support_close(r->verdict.lo, 1.072765, 1e-6);
	support_close(r->verdict.hi, 1.113350, 1e-6);
	import_fini(&im);
	struct error err = { 0 };
	import_init(&im);
	assert_true(import_text("x", "order,a,b\nAB,1,x\n", 17, &im, &err) < 0);
	assert_non_null(strstr(err.text, "pairs:2"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builds), cmocka_unit_test(test_forms), cmocka_unit_test(test_several),
		cmocka_unit_test(test_failed_command), cmocka_unit_test(test_not_time), cmocka_unit_test(test_pairs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
