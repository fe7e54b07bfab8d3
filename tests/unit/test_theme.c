// SPDX-License-Identifier: MIT
// Themes in btop's format: every form of value, what is unknown, what is
// missing; and the project's own themes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/canvas.h"
#include "screen/theme.h"

#include <stdlib.h>
#include <string.h>

static void
test_color_forms(void **state)
{
	(void)state;
	assert_int_equal(theme_parse_color("#282a36"), 0x282a36);
	assert_int_equal(theme_parse_color("#BB"), 0xbbbbbb);
	assert_int_equal(theme_parse_color("40 42 54"), 0x282a36);
	assert_int_equal(theme_parse_color("ansi:12"), COLOR_ANSI(12));
	assert_int_equal(theme_parse_color("default"), COLOR_DEFAULT);
	assert_int_equal(theme_parse_color("#12345"), COLOR_NONE);
	assert_int_equal(theme_parse_color("#12345g"), COLOR_NONE);
	assert_int_equal(theme_parse_color("256 0 0"), COLOR_NONE);
	assert_int_equal(theme_parse_color("1 2"), COLOR_NONE);
	assert_int_equal(theme_parse_color("ansi:16"), COLOR_NONE);
	assert_int_equal(theme_parse_color("red"), COLOR_NONE);
}

static void
test_file(void **state)
{
	struct theme t;
	int skipped = theme_parse(&t, "# a comment\r\n"
				      "theme[main_bg]=\"\"\n"
				      "theme[main_fg]=\"#aa\"\r\n"
				      "  theme[title] = '10 20 30'\n"
				      "theme[hi_fg]=\"#123456\" # behind\n"
				      "theme[cpu_start]=\"#ff0000\"\n"
				      "theme[cpu_mid]=\"\"\n"
				      "theme[cpu_end]=\"#0000ff\"\n"
				      "theme[no_such_thing]=\"#000000\"\n"
				      "theme[inactive_fg]=\"#broken\"\n"
				      "not a line\n");

	(void)state;
	assert_int_equal(skipped, 3);
	assert_int_equal(t.color[THEME_MAIN_BG], COLOR_DEFAULT);
	assert_int_equal(t.color[THEME_MAIN_FG], 0xaaaaaa);
	assert_int_equal(t.color[THEME_TITLE], 0x0a141e);
	assert_int_equal(t.color[THEME_HI_FG], 0x123456);
	assert_int_equal(theme_gradient(&t, THEME_CPU_START, 0), 0xff0000);
	assert_int_equal(theme_gradient(&t, THEME_CPU_START, 1), 0x0000ff);
	assert_int_equal(theme_gradient(&t, THEME_CPU_START, 0.5), 0x800080);
}

static void
assert_complete(const struct theme *t)
{
	for (int i = 0; i < THEME_ROLES; i++) {
		int part = (i >= THEME_TEMP_START && i <= THEME_SIDE_B_END) ? (i - THEME_TEMP_START) % 3 : 0;
		if (part == 0)
			assert_int_not_equal(t->color[i], COLOR_NONE);
	}
	for (int role = THEME_TEMP_START; role <= THEME_SIDE_B_START; role += 3)
		for (double share = 0; share <= 1; share += 0.1)
			assert_int_not_equal(theme_gradient(t, (enum theme_role)role, share), COLOR_NONE);
}

static void
test_always_complete(void **state)
{
	struct theme t;

	(void)state;
	theme_init(&t);
	assert_complete(&t);
	theme_parse(&t, "");
	assert_complete(&t);
	theme_parse(&t, "theme[cpu_start]=\"#010203\"");
	assert_complete(&t);
	assert_int_equal(theme_gradient(&t, THEME_CPU_START, 1), 0x010203); // one colour for the whole gradient
	theme_parse(&t, "theme[side_a_start]=\"#ff0000\"\ntheme[side_b_start]=\"#00ff00\"");
	assert_int_equal(theme_gradient(&t, THEME_SIDE_A_START, 1), 0xff0000);
}

static void
test_small_palettes(void **state)
{
	(void)state;
	assert_int_equal(theme_to_256(0xff0000), 196);
	assert_int_equal(theme_to_256(0x000000), 16);
	assert_int_equal(theme_to_256(0x808080), 244);
	assert_int_equal(theme_to_16(0xff0000), 9);
	assert_int_equal(theme_to_16(0x800000), 1);
	assert_int_equal(theme_to_16(0x2b62a8) & 7, 4); // a dark blue is still blue
	assert_int_equal(theme_to_16(0xffffff), 15);
	assert_int_equal(theme_to_16(0x101010), 0);
}

static int
brightness(int32_t c)
{
	return ((c >> 16 & 255) * 3 + (c >> 8 & 255) * 6 + (c & 255)) / 10;
}

// The project's own themes load, are complete, and nobody has to guess which side is which.
static void
test_own_themes(void **state)
{
	const char *dirs[] = {IODUEL_SOURCE_DIR "/themes", NULL};
	struct theme_names names;
	struct error err;

	(void)state;
	theme_list(&names, dirs, 2);
	assert_true(names.n >= 2);
	assert_string_equal(names.name[0], "default");
	for (int i = 0; i < names.n; i++) {
		struct theme t;
		int32_t a, b;
		assert_int_equal(theme_load(&t, names.name[i], dirs, 2, &err), 0);
		assert_string_equal(t.name, names.name[i]);
		assert_complete(&t);
		a = theme_gradient(&t, THEME_SIDE_A_START, 0.6);
		b = theme_gradient(&t, THEME_SIDE_B_START, 0.6);
		assert_true(t.mono || a != b);
		if (t.mono || t.color[THEME_MAIN_BG] < 0 || COLOR_IS_ANSI(t.color[THEME_MAIN_BG]) ||
		    COLOR_IS_ANSI(t.color[THEME_MAIN_FG]))
			continue;
		assert_true(abs(brightness(t.color[THEME_MAIN_BG]) - brightness(t.color[THEME_MAIN_FG])) > 80);
		assert_true(abs(brightness(t.color[THEME_SELECTED_BG]) - brightness(t.color[THEME_SELECTED_FG])) > 60);
	}
	assert_int_equal(theme_load(&(struct theme){0}, "no such theme", dirs, 2, &err), -2);
	assert_non_null(strstr(err.text, "no such theme"));
	assert_int_equal(theme_load(&(struct theme){0}, "../themes/x", dirs, 2, &err), -2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_color_forms), cmocka_unit_test(test_file), cmocka_unit_test(test_always_complete),
		cmocka_unit_test(test_small_palettes), cmocka_unit_test(test_own_themes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
