// SPDX-License-Identifier: MIT
// A screen that is too small for panels: the size needed, and one big number.
#include "screen/paint.h"

#include "screen/text.h"

#include <stdio.h>
#include <string.h>

// Five rows of three columns a digit.
static const char *const digits[12] = {
	"###" "# #" "# #" "# #" "###", " # " "## " " # " " # " "###", "###" "  #" "###" "#  " "###", "###" "  #" "###" "  #" "###",
	"# #" "# #" "###" "  #" "  #", "###" "#  " "###" "  #" "###", "###" "#  " "###" "# #" "###", "###" "  #" "  #" "  #" "  #",
	"###" "# #" "###" "# #" "###", "###" "# #" "###" "  #" "###", "   " "   " "   " "   " " # ", "   " "   " "###" "   " "   ",
};

static void
paint_big(struct paint *p, int x, int y, struct style style, const char *text)
{
	for (; *text; text++) {
		int which = *text >= '0' && *text <= '9' ? *text - '0' : *text == '.' ? 10 : 11;
		for (int i = 0; i < 15; i++)
			if (digits[which][i] == '#')
				canvas_put(p->canvas, x + i % 3, y + i / 3, 0x2588, style);
		x += 4;
	}
}

void
panel_small(struct paint *p)
{
	int side = p->view->side[SIDE_B].active && !p->view->side[SIDE_A].active ? SIDE_B : SIDE_A;
	int w = p->canvas->w, h = p->canvas->h, lines;
	char text[160], number[32], *unit;
	struct rect all = {0, 0, w, h};

	format_short(QUANTITY_PER_S, p->view->side[side].now[VIEW_APP_IOPS], number, sizeof(number));
	snprintf(text, sizeof(text), "%dx%d is too small, %dx%d is needed. q quits", w, h, LAYOUT_MIN_W, LAYOUT_MIN_H);
	lines = canvas_wrap(p->canvas, all, paint_style(p->ui, THEME_WARN), text);
	if (lines >= h)
		return;
	if (h - lines < 7 || w < 24) {
		canvas_textf(p->canvas, 0, lines, w, paint_side(p->ui, side), "%c IOPS %s", "AB"[side], number);
		return;
	}
	unit = strchr(number, ' ');
	if (unit)
		*unit++ = '\0';
	canvas_textf(p->canvas, 1, lines + 1, w - 1, paint_side(p->ui, side), "%c IOPS %s", "AB"[side], unit ? unit : "");
	paint_big(p, 1, lines + 2, paint_side(p->ui, side), number);
}
