// SPDX-License-Identifier: MIT
// Colours of a style on this terminal. Pairs are made when first used and kept
// in a table; a terminal that has too few shows the rest in its own colours.
#include "screen/terminal.h"

#include "screen/theme.h"

#include <curses.h>

#define SLOTS 16384u

static struct {
	int used;
	struct slot {
		int32_t fg, bg;
		int pair; // 0 = free
		unsigned attr;
	} slot[SLOTS];
} pairs;

static int
native_color(enum color_depth depth, int32_t color, unsigned *attr)
{
	if (color < 0)
		return -1;
	if (COLOR_IS_ANSI(color))
		color &= 15;
	else if (depth == DEPTH_DIRECT)
		return color < 8 ? 0x000008 : color; // 0 to 7 are the ANSI colours
	else if (depth == DEPTH_256)
		return theme_to_256(color);
	else
		color = theme_to_16(color);
	if (depth == DEPTH_DIRECT && color >= 8) {
		static const int bright[8] = {0x808080, 0xff5555, 0x55ff55, 0xffff55, 0x5c7cff, 0xff55ff, 0x55ffff, 0xffffff};
		return bright[color - 8];
	}
	if (depth == DEPTH_8 && color >= 8) {
		*attr |= ATTR_BOLD;
		return color - 8;
	}
	return color;
}

static const struct slot *
pair_of(enum color_depth depth, int32_t fg, int32_t bg)
{
	unsigned at = ((unsigned)fg * 2654435761u ^ (unsigned)bg * 40503u) % SLOTS;
	struct slot *slot;
	unsigned ignored = 0;

	while (pairs.slot[at].pair && (pairs.slot[at].fg != fg || pairs.slot[at].bg != bg))
		at = (at + 1) % SLOTS;
	slot = &pairs.slot[at];
	if (slot->pair)
		return slot;
	if (pairs.used + 1 >= COLOR_PAIRS || pairs.used + 1 >= (int)SLOTS / 2 || pairs.used >= 32000)
		return NULL;
	slot->fg = fg;
	slot->bg = bg;
	slot->attr = 0;
	init_extended_pair(++pairs.used, native_color(depth, fg, &slot->attr), native_color(depth, bg, &ignored));
	slot->pair = pairs.used;
	return slot;
}

void
terminal_style(struct terminal *t, struct style style, unsigned *ret_attr, int *ret_pair)
{
	const struct slot *slot = NULL;
	unsigned attr = style.attr;

	*ret_pair = 0;
	if (t->depth != DEPTH_MONO && (style.fg >= 0 || style.bg >= 0))
		slot = pair_of(t->depth, style.fg, style.bg);
	if (slot) {
		*ret_pair = slot->pair;
		attr |= slot->attr;
	}
	*ret_attr = (unsigned)((attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) |
			       (attr & ATTR_REVERSE ? A_REVERSE : 0) | (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0));
}
