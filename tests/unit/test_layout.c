// SPDX-License-Identifier: MIT
// Laws of the layout, for every size: inside, not empty, no overlap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/layout.h"

static int
overlaps(const struct rect *a, const struct rect *b)
{
	return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static void
check(enum layout_kind kind, int w, int h, int sides, int rows)
{
	struct layout l;

	layout_make(kind, w, h, sides, rows, &l);
	assert_int_equal(l.too_small, w < LAYOUT_MIN_W || h < LAYOUT_MIN_H);
	for (int i = 0; i < PANEL_N; i++) {
		const struct rect *r = &l.panel[i];
		if (l.too_small) {
			assert_int_equal(r->w, 0);
			continue;
		}
		if (r->w == 0)
			continue;
		assert_true(r->x >= 0 && r->y >= 0 && r->w > 0 && r->h > 0);
		assert_true(r->x + r->w <= w && r->y + r->h <= h);
		for (int k = 0; k < i; k++)
			assert_false(l.panel[k].w && overlaps(r, &l.panel[k]));
	}
	if (l.too_small)
		return;
	assert_true(l.panel[PANEL_HEAD].w && l.panel[PANEL_KEYS].w);
	assert_true(l.panel[PANEL_A].w || l.panel[PANEL_MAIN].w);
}

static void
test_every_size(void **state)
{
	(void)state;
	for (int w = 20; w <= 300; w++)
		for (int h = 6; h <= 100; h++)
			for (int kind = 0; kind < LAYOUT_KINDS; kind++)
				for (int sides = 1; sides <= 2; sides++) {
					check((enum layout_kind)kind, w, h, sides, 1);
					check((enum layout_kind)kind, w, h, sides, 9);
				}
}

static void
test_no_cell_is_lost(void **state)
{
	struct layout l;
	int area = 0;

	(void)state;
	layout_make(LAYOUT_SIDE, 121, 37, 2, 6, &l);
	for (int i = 0; i < PANEL_N; i++)
		area += l.panel[i].w * l.panel[i].h;
	assert_int_equal(area, 121 * 37);
}

static void
test_one_side_takes_the_width(void **state)
{
	struct layout l;

	(void)state;
	layout_make(LAYOUT_SIDE, 120, 36, 1, 4, &l);
	assert_int_equal(l.panel[PANEL_A].w, 120);
	assert_int_equal(l.panel[PANEL_B].w, 0);
}

static void
test_sections(void **state)
{
	struct section s[SECTIONS_MAX];

	(void)state;
	for (int h = 0; h <= 100; h++) {
		int used = 0, next = 0;
		layout_sections(h, SECTIONS_MAX, s);
		for (int i = 0; i < SECTIONS_MAX; i++) {
			if (s[i].title_y < 0)
				continue;
			assert_int_equal(s[i].title_y, next);
			next = s[i].title_y + 1 + s[i].graph_h;
			if (s[i].graph_h)
				assert_int_equal(s[i].graph_y, s[i].title_y + 1);
			assert_true(s[i].graph_h != 1);
			if (i > 0) // the first ones matter most
				assert_true(s[i].graph_h <= s[i - 1].graph_h);
			used = next;
		}
		assert_true(used <= h);
		if (h >= 12)
			assert_true(s[SECTIONS_MAX - 1].graph_h >= 2 && used == h);
	}
}

static void
test_names(void **state)
{
	(void)state;
	for (int i = 0; i < LAYOUT_KINDS; i++)
		assert_int_equal(layout_parse(layout_name((enum layout_kind)i)), i);
	assert_int_equal(layout_parse("sideways"), -1);
	assert_int_equal(layout_parse(NULL), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size), cmocka_unit_test(test_no_cell_is_lost),
		cmocka_unit_test(test_one_side_takes_the_width), cmocka_unit_test(test_sections), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
