// SPDX-License-Identifier: MIT
// Numbers for people: significant digits, units, never jumping in width; and
// text that a terminal could obey.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/canvas.h"
#include "screen/format.h"
#include "screen/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
expect(enum quantity q, double value, const char *want)
{
	char buf[64];

	format_short(q, value, buf, sizeof(buf));
	assert_string_equal(buf, want);
}

static void
test_values(void **state)
{
	(void)state;
	expect(QUANTITY_BYTES_PER_S, 1.4213e9, "1.42 GB/s");
	expect(QUANTITY_BYTES_PER_S, 512e6, "512 MB/s");
	expect(QUANTITY_BYTES_PER_S, 0, "0 B/s");
	expect(QUANTITY_BYTES_PER_S, 1000, "1.00 kB/s");
	expect(QUANTITY_BYTES_PER_S, 999.6e6, "1.00 GB/s");
	expect(QUANTITY_BYTES_PER_S, 999.4e6, "999 MB/s");
	expect(QUANTITY_BYTES_PER_S, 99.96e3, "100 kB/s");
	expect(QUANTITY_PER_S, 347e3, "347 k");
	expect(QUANTITY_PER_S, 1007, "1.01 k");
	expect(QUANTITY_PER_S, 125, "125");
	expect(QUANTITY_PER_S, 31.8, "31.8");
	expect(QUANTITY_TIME, 212e3, "212 µs");
	expect(QUANTITY_TIME, 1.1e6, "1.10 ms");
	expect(QUANTITY_TIME, 88, "88 ns");
	expect(QUANTITY_TIME, 3.2e9, "3.20 s");
	expect(QUANTITY_SHARE, 0.1234, "12.3 %");
	expect(QUANTITY_SHARE, 1, "100 %");
	expect(QUANTITY_RATIO, 0.361, "0.361");
	expect(QUANTITY_RATIO, 2.88, "2.88");
	expect(QUANTITY_SECONDS, 12.13, "12.1 s");
	expect(QUANTITY_COUNT, 1, "1.00");
	expect(QUANTITY_PER_S, NAN, "–");
}

// An unknown value is a dash, never 0, and every value of a kind is as wide as any other.
static void
test_width_never_jumps(void **state)
{
	static const double mantissas[] = {1, 1.004, 9.994, 9.996, 12.34, 99.94, 99.96, 123.4, 999.4, 999.6};

	(void)state;
	for (int q = 0; q < QUANTITY_N; q++) {
		char buf[64];
		format_quantity((enum quantity)q, NAN, buf, sizeof(buf));
		assert_non_null(strstr(buf, "–"));
		assert_int_equal(text_width(buf), format_width((enum quantity)q));
		for (int e = -3; e < 10; e++)
			for (size_t i = 0; i < sizeof(mantissas) / sizeof(mantissas[0]); i++) {
				double v = mantissas[i] * pow(10, e);
				if (q == QUANTITY_SHARE && v > 10)
					continue;
				if ((q == QUANTITY_COUNT || q == QUANTITY_RATIO || q == QUANTITY_SECONDS) && v > 1e8)
					continue;
				format_quantity((enum quantity)q, v, buf, sizeof(buf));
				assert_int_equal(text_width(buf), format_width((enum quantity)q));
			}
	}
}

static void
test_rounding_keeps_the_value(void **state)
{
	char buf[64];

	(void)state;
	for (double v = 1; v < 9e11; v *= 1.0137) {
		static const struct { const char *unit; double factor; } units[] = {
			{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}};
		double factor = 0, shown;
		format_short(QUANTITY_BYTES_PER_S, v, buf, sizeof(buf));
		shown = strtod(buf, NULL);
		for (size_t i = 0; i < 5 && factor == 0; i++)
			if (strstr(buf, units[i].unit))
				factor = units[i].factor;
		assert_true(fabs(shown * factor - v) <= v * 0.0051);
	}
}

static void
test_ticks_and_times(void **state)
{
	char buf[64];

	(void)state;
	format_tick(QUANTITY_BYTES_PER_S, 2e9, 0, buf, sizeof(buf));
	assert_string_equal(buf, "2G");
	format_tick(QUANTITY_BYTES_PER_S, 1.5e9, 1, buf, sizeof(buf));
	assert_string_equal(buf, "1.5GB/s");
	format_tick(QUANTITY_TIME, 200e3, 0, buf, sizeof(buf));
	assert_string_equal(buf, "200µs");
	format_tick(QUANTITY_SHARE, 0.5, 0, buf, sizeof(buf));
	assert_string_equal(buf, "50%");
	format_tick(QUANTITY_PER_S, 1000, 0, buf, sizeof(buf));
	assert_string_equal(buf, "1k");
	format_duration(87, buf, sizeof(buf));
	assert_string_equal(buf, "0:01:27");
	format_duration(NAN, buf, sizeof(buf));
	assert_string_equal(buf, "–:––:––");
	format_age(87, buf, sizeof(buf));
	assert_string_equal(buf, "1:27");
	format_age(-5, buf, sizeof(buf));
	assert_string_equal(buf, "-5s");
}

static void
test_units_of_metrics(void **state)
{
	double factor;

	(void)state;
	assert_int_equal(format_unit("KiB/s", &factor), QUANTITY_BYTES_PER_S);
	assert_true(factor == 1024);
	assert_int_equal(format_unit("ns", &factor), QUANTITY_TIME);
	assert_int_equal(format_unit("whatever", &factor), QUANTITY_COUNT);
}

// What a canvas shows of a string.
static void
expect_shown(const char *text, const char *want)
{
	struct canvas c = {0};
	char *dump;

	assert_int_equal(canvas_resize(&c, 40, 1), 0);
	canvas_clear(&c, style_make(0, 0, 0));
	canvas_text(&c, 0, 0, 40, style_make(0, 0, 0), text);
	dump = canvas_dump(&c, NULL);
	assert_non_null(dump);
	dump[strlen(dump) - 1] = '\0';
	assert_string_equal(dump, want);
	free(dump);
	canvas_fini(&c);
}

static void
test_control_characters_are_shown(void **state)
{
	(void)state;
	expect_shown("a\033[2Jb", "a\\x1b[2Jb");
	expect_shown("tab\there\r\n", "tab\\x09here\\x0d\\x0a");
	expect_shown("\xc2\x9b" "31m", "\\x9b31m"); // a one-byte CSI
	expect_shown("x\xffy", "x\\xffy");
	expect_shown("over\xc0\xaflong", "over\\xc0\\xaflong");
	expect_shown("rtl\xe2\x80\xae!", "rtl\\u202e!");
	expect_shown("plain \xc3\xa4\xc3\xb6", "plain äö");
}

static void
test_cut_with_ellipsis(void **state)
{
	struct canvas c = {0};
	char *dump;

	(void)state;
	assert_int_equal(canvas_resize(&c, 12, 2), 0);
	canvas_clear(&c, style_make(0, 0, 0));
	assert_int_equal(canvas_text(&c, 0, 0, 6, style_make(0, 0, 0), "abcdefghij"), 6);
	assert_int_equal(canvas_text_tail(&c, 0, 1, 6, style_make(0, 0, 0), "/mnt/a/long/path"), 6);
	dump = canvas_dump(&c, NULL);
	assert_string_equal(dump, "abcde…\n…/path\n");
	free(dump);
	canvas_fini(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_width_never_jumps),
		cmocka_unit_test(test_rounding_keeps_the_value), cmocka_unit_test(test_ticks_and_times),
		cmocka_unit_test(test_units_of_metrics), cmocka_unit_test(test_control_characters_are_shown),
		cmocka_unit_test(test_cut_with_ellipsis),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
