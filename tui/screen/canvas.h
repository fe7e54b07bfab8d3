// SPDX-License-Identifier: MIT
// A grid of cells that panels draw on: plain memory, no terminal. Every call
// clips, so that a panel may be wrong about sizes without harm; what is drawn
// here is what a test compares and what the terminal gets.
#ifndef IODUEL_SCREEN_CANVAS_H
#define IODUEL_SCREEN_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A colour: -1 the terminal's own, 0xRRGGBB, or one of the terminal's 16.
#define COLOR_DEFAULT (-1)
#define COLOR_ANSI(n) (0x1000000 | (n))
#define COLOR_IS_ANSI(c) ((c) >= 0x1000000)

enum attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_REVERSE = 4, ATTR_UNDERLINE = 8 };

struct style {
	int32_t fg, bg;
	unsigned attr; // enum attr
};

struct cell {
	uint32_t ch;	  // 0 = right half of the wide character before
	uint32_t mark[2]; // combining characters, 0 = none
	struct style style;
};

struct rect {
	int x, y, w, h;
};

struct canvas {
	int w, h;
	struct cell *cell; // w * h, owned
};

// 0 or -ENOMEM (the canvas then keeps its old size). Content is undefined afterwards.
int canvas_resize(struct canvas *c, int w, int h);
void canvas_fini(struct canvas *c);

void canvas_clear(struct canvas *c, struct style style);
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, struct style style);
void canvas_put(struct canvas *c, int x, int y, uint32_t ch, struct style style);

// Draws text in at most width columns, cut with an ellipsis. Returns the columns used.
int canvas_text(struct canvas *c, int x, int y, int width, struct style style, const char *text);
__attribute__((format(printf, 6, 7))) int
canvas_textf(struct canvas *c, int x, int y, int width, struct style style, const char *fmt, ...);
// As canvas_text, but what is too long loses its beginning (paths).
int canvas_text_tail(struct canvas *c, int x, int y, int width, struct style style, const char *text);
// Draws text broken at blanks over at most r.h lines; returns the lines used (also for r.h 0: how many it needs).
int canvas_wrap(struct canvas *c, struct rect r, struct style style, const char *text);

// A frame with rounded corners.
void canvas_box(struct canvas *c, struct rect r, struct style style);

// Changes the style of cells that are drawn already.
void canvas_restyle(struct canvas *c, struct rect r, struct style style, bool keep_fg);

// Replaces the screen's own symbols by ASCII; others too where all is set.
void canvas_to_ascii(struct canvas *c, bool all);

// The canvas as text, a line per row without trailing blanks. Returns the length; heap, NULL = no memory.
char *canvas_dump(const struct canvas *c, size_t *ret_length);

static inline struct style
style_make(int32_t fg, int32_t bg, unsigned attr)
{
	return (struct style){fg, bg, attr};
}

#endif
