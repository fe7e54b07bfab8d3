// SPDX-License-Identifier: MIT
// Values to characters: heights, gaps, peaks, scales and ticks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/plot.h"
#include "screen/text.h"

#include <math.h>
#include <string.h>

static struct plot_cell cells[64 * 32];

static struct plot_column
col(double min, double max)
{
	return (struct plot_column){(float)min, (float)max, (float)((min + max) / 2)};
}

// The picture as text, rows from the top, '|' between them.
static const char *
draw(const struct plot *p)
{
	static char buf[4096];
	size_t at = 0;

	for (int y = 0; y < p->h; y++) {
		for (int x = 0; x < p->w; x++)
			at += text_encode(p->cell[y * p->w + x].ch, buf + at);
		buf[at++] = '|';
	}
	buf[at] = '\0';
	return buf;
}

static struct plot
plot_of(int w, int h, enum glyphs glyphs)
{
	struct plot p = {w, h, glyphs, cells};

	plot_clear(&p);
	return p;
}

static const struct plot_scale to_8 = {0, 8, false};

static void
test_area_heights(void **state)
{
	struct plot_column c[8];
	struct plot p = plot_of(4, 2, GLYPHS_BRAILLE);

	(void)state;
	for (int i = 0; i < 8; i++)
		c[i] = col(i + 1, i + 1);
	plot_area(&p, &to_8, c, 8, 0);
	assert_string_equal(draw(&p), "  ⣠⣾|⣠⣾⣿⣿|");
	p = plot_of(4, 2, GLYPHS_BLOCK);
	for (int i = 0; i < 4; i++)
		c[i] = col(i * 2 + 1, i * 2 + 1);
	plot_area(&p, &to_8, c, 4, 0);
	assert_string_equal(draw(&p), "  ▂▆|▂▆██|");
	p = plot_of(4, 2, GLYPHS_ASCII);
	plot_area(&p, &to_8, c, 4, 0);
	assert_string_equal(draw(&p), "  .:|.:##|");
}

static void
test_gap_and_smallest_value(void **state)
{
	(void)state;
	for (int g = 0; g < GLYPHS_N; g++) {
		struct plot p = plot_of(3, 2, (enum glyphs)g);
		struct plot_column c[6];
		int per = plot_columns_per_cell((enum glyphs)g);
		for (int i = 0; i < 3 * per; i++)
			c[i] = i / per == 0 ? col(0.0001, 0.0001) : i / per == 1 ? col(NAN, NAN) : col(0, 0);
		plot_area(&p, &to_8, c, 3 * per, 0);
		// above the bottom of the scale: at least one mark; a gap and zero: none
		assert_true(cells[3].ch != ' ');
		assert_true(cells[4].ch == ' ');
		assert_true(cells[5].ch == ' ');
		plot_clear(&p);
		plot_line(&p, &to_8, c, 3 * per, 0);
		assert_true(cells[3].ch != ' ');
		assert_true(cells[4].ch == ' ' && cells[1].ch == ' ');
		assert_true(cells[5].ch != ' '); // zero is a value of a line
	}
}

// The peak of a column reaches its height, and below it one still sees the minimum.
static void
test_peak_is_kept(void **state)
{
	(void)state;
	for (int g = 0; g < GLYPHS_N; g++) {
		struct plot p = plot_of(2, 4, (enum glyphs)g);
		struct plot_column c[4] = {col(2, 2), col(2, 8), col(2, 2), col(2, 2)};
		int per = plot_columns_per_cell((enum glyphs)g);
		plot_area(&p, &to_8, c, 2 * per, 0);
		int x = per == 2 ? 0 : 1;
		assert_true(cells[x].ch != ' ');      // the top row
		assert_true(cells[x].crest);
		assert_true(cells[3 * 2 + x].ch != ' ');
		assert_false(cells[3 * 2 + x].crest); // the bottom row is solid
		assert_true(cells[1 - x].ch == ' ');
	}
}

static void
test_line_is_joined(void **state)
{
	struct plot p = plot_of(2, 2, GLYPHS_BRAILLE);
	struct plot_column c[4] = {col(0, 0), col(8, 8), col(8, 8), col(0, 0)};

	(void)state;
	plot_line(&p, &to_8, c, 4, 3);
	assert_string_equal(draw(&p), "⢸⢱|⡸⢸|");
	assert_int_equal(cells[0].series, 3);
}

static void
test_stack(void **state)
{
	struct plot p = plot_of(1, 4, GLYPHS_ASCII);
	struct plot_column c[3] = {col(4, 4), col(2, 2), col(2, 2)};

	(void)state;
	plot_stack(&p, &to_8, c, 1, 3);
	assert_string_equal(draw(&p), "w|s|u|u|");
	p = plot_of(1, 4, GLYPHS_BRAILLE);
	plot_stack(&p, &to_8, c, 1, 3);
	assert_int_equal(cells[3].series, 0);
	assert_int_equal(cells[1].series, 1);
	assert_int_equal(cells[0].series, 2);
	c[0] = c[1] = c[2] = col(NAN, NAN);
	p = plot_of(1, 4, GLYPHS_BLOCK);
	plot_stack(&p, &to_8, c, 1, 3);
	assert_string_equal(draw(&p), " | | | |");
}

static void
test_scales_are_round(void **state)
{
	struct plot_scale s;

	(void)state;
	plot_scale_fit(0, 1.42e9, 1, false, &s);
	assert_true(s.lo == 0 && fabs(s.hi - 1.5e9) < 1);
	plot_scale_fit(0, 347e3, 1, false, &s);
	assert_true(fabs(s.hi - 400e3) < 1e-3);
	plot_scale_fit(NAN, NAN, 1000, false, &s);
	assert_true(fabs(s.hi - 1000) < 1e-6);
	plot_scale_fit(88e3, 4e6, 1, true, &s);
	assert_true(s.log && fabs(s.lo - 1e4) < 1e-3 && fabs(s.hi - 1e7) < 1);
	plot_scale_fit(1000, 1000, 1, true, &s);
	assert_true(s.hi > s.lo && s.lo > 0);
	for (double max = 1e-6; max < 1e13; max *= 1.31) {
		plot_scale_fit(0, max, 1, false, &s);
		assert_true(s.hi >= max * (1 - 1e-9) && s.hi <= max * 1.6);
	}
}

static void
test_position(void **state)
{
	struct plot_scale log_scale = {1, 1000, true};

	(void)state;
	assert_true(plot_position(&to_8, 4) == 0.5);
	assert_true(plot_position(&to_8, 99) == 1 && plot_position(&to_8, -1) == 0 && plot_position(&to_8, NAN) == 0);
	assert_true(fabs(plot_position(&log_scale, 10) - 1.0 / 3) < 1e-9);
}

static void
test_ticks(void **state)
{
	double t[PLOT_TICKS_MAX];
	int n;

	(void)state;
	for (double max = 3; max < 1e12; max *= 1.17)
		for (int most = 1; most <= 10; most++) {
			struct plot_scale s;
			plot_scale_fit(0, max, 1, false, &s);
			n = plot_ticks(&s, most, t);
			assert_true(n >= 1 && n <= (most < 2 ? 1 : most));
			for (int i = 0; i < n; i++)
				assert_true(t[i] >= s.lo && t[i] <= s.hi * 1.000001 && (i == 0 || t[i] > t[i - 1]));
			assert_true(fabs(t[n - 1] - s.hi) < s.hi * 1e-6);
		}
	n = plot_ticks(&(struct plot_scale){1e4, 1e7, true}, 4, t);
	assert_int_equal(n, 4);
	assert_true(fabs(t[1] - 1e5) < 1);
}

static void
test_bar(void **state)
{
	char buf[64];

	(void)state;
	plot_bar(GLYPHS_BRAILLE, 4, 0.5, buf, sizeof(buf));
	assert_string_equal(buf, "██  ");
	plot_bar(GLYPHS_BLOCK, 2, 0.75, buf, sizeof(buf));
	assert_string_equal(buf, "█▌");
	plot_bar(GLYPHS_ASCII, 4, 0.5, buf, sizeof(buf));
	assert_string_equal(buf, "##..");
	plot_bar(GLYPHS_ASCII, 3, NAN, buf, sizeof(buf));
	assert_string_equal(buf, "...");
	plot_bar(GLYPHS_BLOCK, 40, 1, buf, 9); // never beyond the buffer
	assert_true(strlen(buf) < 9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_area_heights), cmocka_unit_test(test_gap_and_smallest_value),
		cmocka_unit_test(test_peak_is_kept), cmocka_unit_test(test_line_is_joined), cmocka_unit_test(test_stack),
		cmocka_unit_test(test_scales_are_round), cmocka_unit_test(test_position), cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_bar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
