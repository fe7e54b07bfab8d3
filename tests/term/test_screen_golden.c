// SPDX-License-Identifier: MIT
// Whole screens as text against tests/golden: few, reviewed by eye, at four
// sizes, with two themes and the three sets of glyphs. With IODUEL_GOLDEN_UPDATE
// set they are written anew, to be looked at before they are committed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/paint.h"
#include "support_view.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct golden {
	enum layout_kind layout;
	int w, h;
	enum glyphs glyphs;
	const char *theme;
};

static const struct golden goldens[] = {
	{LAYOUT_SIDE, 60, 16, GLYPHS_ASCII, "mono"},	{LAYOUT_SIDE, 80, 24, GLYPHS_BRAILLE, "default"},
	{LAYOUT_SIDE, 80, 24, GLYPHS_ASCII, "mono"},	{LAYOUT_SIDE, 120, 36, GLYPHS_BRAILLE, "default"},
	{LAYOUT_SIDE, 120, 36, GLYPHS_BLOCK, "default"}, {LAYOUT_SIDE, 200, 50, GLYPHS_BRAILLE, "default"},
	{LAYOUT_OVERLAY, 120, 36, GLYPHS_BRAILLE, "default"}, {LAYOUT_OVERLAY, 80, 24, GLYPHS_ASCII, "mono"},
	{LAYOUT_VERDICT, 120, 36, GLYPHS_BRAILLE, "default"}, {LAYOUT_VERDICT, 60, 16, GLYPHS_ASCII, "mono"},
	{LAYOUT_LATENCY, 120, 36, GLYPHS_BRAILLE, "default"}, {LAYOUT_LATENCY, 80, 24, GLYPHS_ASCII, "mono"},
	{LAYOUT_DEVICES, 120, 36, GLYPHS_BLOCK, "default"}, {LAYOUT_DEVICES, 80, 24, GLYPHS_ASCII, "mono"},
	{LAYOUT_ONE, 80, 24, GLYPHS_BRAILLE, "default"}, {LAYOUT_ONE, 60, 16, GLYPHS_BLOCK, "mono"},
};

static char *
draw(const struct golden *g)
{
	struct fake_view *f = fake_view_new();
	struct canvas canvas = {0};
	static struct ui ui;
	char *text;

	ui_init(&ui);
	assert_int_equal(theme_load(&ui.theme, g->theme, NULL, 0, NULL), 0);
	ui.layout = g->layout;
	ui.glyphs = g->glyphs;
	assert_int_equal(canvas_resize(&canvas, g->w, g->h), 0);
	paint_frame(&canvas, &ui, fake_view(f));
	text = canvas_dump(&canvas, NULL);
	assert_non_null(text);
	canvas_fini(&canvas);
	fake_view_free(f);
	return text;
}

static void
test_golden(void **state)
{
	static char wanted[65536];

	(void)state;
	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		const struct golden *g = &goldens[i];
		char path[512], *text = draw(g);
		size_t n = 0;
		FILE *f;
		snprintf(path, sizeof(path), "%s/tests/golden/screen-%s-%dx%d-%s-%s.txt", IODUEL_SOURCE_DIR, layout_name(g->layout),
			 g->w, g->h, glyphs_name(g->glyphs), g->theme);
		f = fopen(path, getenv("IODUEL_GOLDEN_UPDATE") ? "w+" : "r");
		assert_non_null(f);
		if (getenv("IODUEL_GOLDEN_UPDATE")) {
			fputs(text, f);
			rewind(f);
		}
		n = fread(wanted, 1, sizeof(wanted) - 1, f);
		wanted[n] = '\0';
		fclose(f);
		if (strcmp(text, wanted) != 0)
			print_message("%s differs; it is now:\n%s", path, text);
		assert_string_equal(text, wanted);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden)};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
