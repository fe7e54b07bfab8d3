// SPDX-License-Identifier: MIT
// The grid of cells. One rule: nothing is ever written outside, and a wide
// character is never left with half of itself.
#include "screen/canvas.h"

#include "screen/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cell *
cell_at(struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->w || y >= c->h)
		return NULL;
	return &c->cell[(size_t)y * (size_t)c->w + (size_t)x];
}

int
canvas_resize(struct canvas *c, int w, int h)
{
	struct cell *cell;

	if (w < 1 || h < 1)
		return -EINVAL;
	if (c->cell && w == c->w && h == c->h)
		return 0;
	cell = calloc((size_t)w * (size_t)h, sizeof(*cell));
	if (!cell)
		return -ENOMEM;
	free(c->cell);
	*c = (struct canvas){w, h, cell};
	return 0;
}

void
canvas_fini(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas){0};
}

void
canvas_put(struct canvas *c, int x, int y, uint32_t ch, struct style style)
{
	struct cell *cell = cell_at(c, x, y), *next = cell_at(c, x + 1, y);

	if (!cell)
		return;
	if (cell->ch == 0 && x > 0)
		cell[-1].ch = ' ';
	if (next && next->ch == 0)
		next->ch = ' ';
	*cell = (struct cell){ch, {0, 0}, style};
}

void
canvas_fill(struct canvas *c, struct rect r, uint32_t ch, struct style style)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			canvas_put(c, x, y, ch, style);
}

void
canvas_clear(struct canvas *c, struct style style)
{
	for (size_t i = 0; i < (size_t)c->w * (size_t)c->h; i++)
		c->cell[i] = (struct cell){' ', {0, 0}, style};
}

// One piece at x; combining characters join the cell before.
static void
put_piece(struct canvas *c, int x, int y, const struct text_piece *piece, struct style style)
{
	if (piece->width == 0) {
		struct cell *cell = cell_at(c, x - 1, y);
		if (cell && cell->ch == 0)
			cell = cell_at(c, x - 2, y);
		if (cell && !cell->mark[0])
			cell->mark[0] = piece->ch[0];
		else if (cell && !cell->mark[1])
			cell->mark[1] = piece->ch[0];
		return;
	}
	for (int i = 0; i < piece->n; i++)
		canvas_put(c, x + i, y, piece->ch[i], style);
	if (piece->n == 1 && piece->width == 2) {
		if (x + 1 >= c->w) {
			canvas_put(c, x, y, ' ', style);
			return;
		}
		canvas_put(c, x + 1, y, ' ', style);
		c->cell[(size_t)y * (size_t)c->w + (size_t)x + 1].ch = 0;
	}
}

int
canvas_text(struct canvas *c, int x, int y, int width, struct style style, const char *text)
{
	int used = 0, whole;
	struct text_piece piece;

	if (width <= 0)
		return 0;
	whole = text_width(text);
	for (size_t n; (n = text_next(text, &piece)) > 0; text += n) {
		if (whole > width && used + piece.width > width - 1) {
			canvas_put(c, x + used, y, 0x2026, style);
			return used + 1;
		}
		put_piece(c, x + used, y, &piece, style);
		used += piece.width;
	}
	return used;
}

int
canvas_textf(struct canvas *c, int x, int y, int width, struct style style, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return canvas_text(c, x, y, width, style, buf);
}

int
canvas_text_tail(struct canvas *c, int x, int y, int width, struct style style, const char *text)
{
	int rest = text_width(text);
	struct text_piece piece;

	if (rest <= width)
		return canvas_text(c, x, y, width, style, text);
	if (width <= 0)
		return 0;
	for (size_t n; rest > width - 1 && (n = text_next(text, &piece)) > 0; text += n)
		rest -= piece.width;
	canvas_put(c, x, y, 0x2026, style);
	return 1 + canvas_text(c, x + 1, y, width - 1, style, text);
}

// Bytes of text that fit in width columns, ending at a blank if there is one.
static size_t
line_length(const char *text, int width)
{
	size_t at = 0, blank = 0;
	struct text_piece piece;
	int used = 0;

	for (size_t n; (n = text_next(text + at, &piece)) > 0; at += n) {
		if (text[at] == '\n')
			return at;
		if (used + piece.width > width)
			return blank ? blank : at ? at : n;
		if (text[at] == ' ')
			blank = at;
		used += piece.width;
	}
	return at;
}

int
canvas_wrap(struct canvas *c, struct rect r, struct style style, const char *text)
{
	int lines = 0;
	char buf[1024];

	if (r.w <= 0)
		return 0;
	while (*text) {
		size_t n = line_length(text, r.w);
		if (lines < r.h) {
			bool last = lines == r.h - 1;
			snprintf(buf, sizeof(buf), "%.*s", last ? (int)strcspn(text, "\n") : (int)n, text);
			canvas_text(c, r.x, r.y + lines, r.w, style, buf);
		}
		lines++;
		text += n;
		while (*text == ' ' || *text == '\n')
			text++;
	}
	return lines;
}

void
canvas_box(struct canvas *c, struct rect r, struct style style)
{
	int right = r.x + r.w - 1, bottom = r.y + r.h - 1;

	if (r.w < 2 || r.h < 2)
		return;
	for (int x = r.x + 1; x < right; x++) {
		canvas_put(c, x, r.y, 0x2500, style);
		canvas_put(c, x, bottom, 0x2500, style);
	}
	for (int y = r.y + 1; y < bottom; y++) {
		canvas_put(c, r.x, y, 0x2502, style);
		canvas_put(c, right, y, 0x2502, style);
	}
	canvas_put(c, r.x, r.y, 0x256d, style);
	canvas_put(c, right, r.y, 0x256e, style);
	canvas_put(c, r.x, bottom, 0x2570, style);
	canvas_put(c, right, bottom, 0x256f, style);
}

void
canvas_restyle(struct canvas *c, struct rect r, struct style style, bool keep_fg)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			struct cell *cell = cell_at(c, x, y);
			if (!cell)
				continue;
			if (!keep_fg)
				cell->style.fg = style.fg;
			cell->style.bg = style.bg;
			cell->style.attr |= style.attr;
		}
}

void
canvas_to_ascii(struct canvas *c, bool all)
{
	for (size_t i = 0; i < (size_t)c->w * (size_t)c->h; i++) {
		struct cell *cell = &c->cell[i];
		uint32_t ascii = text_ascii(cell->ch);
		if (ascii)
			cell->ch = ascii;
		else if (all)
			cell->ch = cell->ch ? '?' : ' ';
		if (all)
			cell->mark[0] = cell->mark[1] = 0;
	}
}

char *
canvas_dump(const struct canvas *c, size_t *ret_length)
{
	char *text = malloc((size_t)c->h * ((size_t)c->w * 12 + 1) + 1);
	size_t at = 0;

	if (!text)
		return NULL;
	for (int y = 0; y < c->h; y++) {
		size_t end = at;
		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = &c->cell[(size_t)y * (size_t)c->w + (size_t)x];
			if (cell->ch == 0)
				continue;
			at += text_encode(cell->ch, text + at);
			for (int i = 0; i < 2 && cell->mark[i]; i++)
				at += text_encode(cell->mark[i], text + at);
			if (cell->ch != ' ')
				end = at;
		}
		at = end;
		text[at++] = '\n';
	}
	text[at] = '\0';
	if (ret_length)
		*ret_length = at;
	return text;
}
