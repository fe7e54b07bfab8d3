// SPDX-License-Identifier: MIT
// From values to characters. One rule: whatever the glyphs, a value above the
// bottom of the scale leaves at least one mark, and a gap leaves none.
#include "screen/plot.h"

#include "screen/text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define BRAILLE 0x2800u

static const char *const names[GLYPHS_N] = {"braille", "block", "ascii"};

const char *
glyphs_name(enum glyphs glyphs)
{
	return names[glyphs];
}

int
glyphs_parse(const char *text)
{
	for (int i = 0; i < GLYPHS_N; i++)
		if (text && strcmp(text, names[i]) == 0)
			return i;
	return -1;
}

int
plot_columns_per_cell(enum glyphs glyphs)
{
	return glyphs == GLYPHS_BRAILLE ? 2 : 1;
}

int
plot_steps_per_cell(enum glyphs glyphs)
{
	static const int steps[GLYPHS_N] = {4, 8, 3};

	return steps[glyphs];
}

void
plot_clear(struct plot *p)
{
	for (int i = 0; i < p->w * p->h; i++)
		p->cell[i] = (struct plot_cell){' ', 0, 0};
}

static struct plot_cell *
cell_at(struct plot *p, int x, int row)
{
	return &p->cell[(size_t)row * (size_t)p->w + (size_t)x];
}

// Steps of height that value reaches: 0 for the bottom, at least 1 above it.
static int
steps_of(const struct plot *p, const struct plot_scale *scale, double value)
{
	int all = p->h * plot_steps_per_cell(p->glyphs);
	int steps = (int)lround(plot_position(scale, value) * all);

	if (steps == 0 && value > scale->lo)
		steps = 1;
	return steps;
}

// The braille bit of a dot: column 0 or 1, level 0 (bottom) to 3.
static uint32_t
braille_bit(int column, int level)
{
	static const uint32_t bits[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}};

	return bits[column & 1][level & 3];
}

static void
braille_set(struct plot *p, int column, int step, unsigned char series)
{
	struct plot_cell *cell = cell_at(p, column / 2, p->h - 1 - step / 4);

	if (cell->ch < BRAILLE || cell->ch > BRAILLE + 0xff)
		cell->ch = BRAILLE;
	cell->ch |= braille_bit(column, step);
	cell->series = series;
}

// Block and ASCII areas: solid up to lo steps, a light filling up to hi steps.
static void
column_fill(struct plot *p, int x, int lo, int hi, unsigned char series)
{
	static const uint32_t ascii[] = {' ', '.', ':', '#'};
	int per = plot_steps_per_cell(p->glyphs);

	for (int row = 0; row < p->h; row++) {
		struct plot_cell *cell = cell_at(p, x, p->h - 1 - row);
		int solid = lo - row * per, light = hi - row * per;
		solid = solid < 0 ? 0 : solid > per ? per : solid;
		light = light < 0 ? 0 : light > per ? per : light;
		if (light == 0)
			break;
		if (cell->ch != ' ' && light * 2 < per)
			continue;
		cell->series = series;
		cell->crest = solid == 0;
		if (p->glyphs == GLYPHS_ASCII)
			cell->ch = solid > 0 ? ascii[solid] : light == per ? '\'' : ascii[light > 1 ? 2 : 1];
		else if (solid > 0)
			cell->ch = 0x2580u + (uint32_t)solid;
		else
			cell->ch = light == per ? 0x2591 : 0x2580u + (uint32_t)light;
	}
}

// A cell is a crest when no column of it has its minimum that high.
static void
mark_crests(struct plot *p, int x, int lowest_row)
{
	for (int row = lowest_row; row < p->h; row++) {
		struct plot_cell *cell = cell_at(p, x, p->h - 1 - row);
		if (cell->ch != ' ')
			cell->crest = 1;
	}
}

// A cell that another series has drawn changes hands only to one that fills half of it.
static unsigned char
area_owner(struct plot *p, int column, int step, int hi, unsigned char series)
{
	const struct plot_cell *cell = cell_at(p, column / 2, p->h - 1 - step / 4);

	return cell->ch == ' ' || hi - step / 4 * 4 >= 2 ? series : cell->series;
}

static void
area_braille(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n, unsigned char series)
{
	int solid_row = 0;

	for (int i = 0; i < n; i++) {
		int lo, hi;
		if (i % 2 == 0)
			solid_row = 0;
		if (isnan(column[i].max))
			continue;
		lo = steps_of(p, scale, (double)column[i].min);
		hi = steps_of(p, scale, (double)column[i].max);
		for (int step = 0; step < hi; step++)
			if (step < lo || step == hi - 1 || (step + i) % 2 == 0)
				braille_set(p, i, step, area_owner(p, i, step, hi, series));
		if ((lo + 3) / 4 > solid_row)
			solid_row = (lo + 3) / 4;
		if (i % 2 == 1 || i == n - 1)
			mark_crests(p, i / 2, solid_row);
	}
}

void
plot_area(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n_columns,
	  unsigned char series)
{
	int n = p->w * plot_columns_per_cell(p->glyphs);

	n = n_columns < n ? n_columns : n;
	if (p->glyphs == GLYPHS_BRAILLE) {
		area_braille(p, scale, column, n, series);
		return;
	}
	for (int i = 0; i < n; i++)
		if (!isnan(column[i].max))
			column_fill(p, i, steps_of(p, scale, (double)column[i].min),
				    steps_of(p, scale, (double)column[i].max), series);
}

// The step that a point of a line is drawn in: 0 is the bottom row of dots.
static int
line_step(const struct plot *p, const struct plot_scale *scale, double value)
{
	int all = p->h * plot_steps_per_cell(p->glyphs);

	return (int)lround(plot_position(scale, value) * (all - 1));
}

static void
line_put(struct plot *p, int column, int lo, int hi, unsigned char series)
{
	int per = plot_steps_per_cell(p->glyphs);

	if (p->glyphs == GLYPHS_BRAILLE) {
		for (int step = lo; step <= hi; step++)
			braille_set(p, column, step, series);
		return;
	}
	for (int row = lo / per; row <= hi / per; row++) {
		struct plot_cell *cell = cell_at(p, column, p->h - 1 - row);
		static const uint32_t ascii[] = {'_', '-', '\''}, block[] = {0x2581, 0x2500, 0x2594};
		bool tall = hi / per > lo / per;
		int third = (lo % per) * 3 / per;
		cell->series = series;
		cell->crest = 0;
		cell->ch = tall ? (p->glyphs == GLYPHS_ASCII ? '|' : 0x2502) : (p->glyphs == GLYPHS_ASCII ? ascii : block)[third];
	}
}

// A lone mark where no line is.
static void
mark_put(struct plot *p, int column, int step, unsigned char series)
{
	int per = plot_steps_per_cell(p->glyphs);
	struct plot_cell *cell = cell_at(p, column / plot_columns_per_cell(p->glyphs), p->h - 1 - step / per);

	if (p->glyphs == GLYPHS_BRAILLE) {
		braille_set(p, column, step, cell->ch == ' ' ? series : cell->series);
	} else if (cell->ch == ' ') {
		cell->ch = p->glyphs == GLYPHS_ASCII ? '.' : 0xb7;
		cell->series = series;
		cell->crest = 1;
	}
}

void
plot_line(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n_columns,
	  unsigned char series)
{
	int n = p->w * plot_columns_per_cell(p->glyphs), before = -1;

	n = n_columns < n ? n_columns : n;
	for (int i = 0; i < n; i++) {
		int here;
		if (isnan(column[i].mean)) {
			before = -1;
			continue;
		}
		here = line_step(p, scale, (double)column[i].mean);
		// joined to the column before, so that a steep slope stays one line
		line_put(p, i, before >= 0 && before < here - 1 ? before + 1 : here,
			 before > here + 1 ? before - 1 : here, series);
		before = here;
	}
	for (int i = 0; i < n; i++)
		if (!isnan(column[i].mean)) {
			mark_put(p, i, line_step(p, scale, (double)column[i].max), series);
			mark_put(p, i, line_step(p, scale, (double)column[i].min), series);
		}
}

// Draws series s of a stack between two heights of one column.
static void
stack_segment(struct plot *p, int column, int from, int to, unsigned char series)
{
	static const char letters[] = "uswit#%*";
	int per = plot_steps_per_cell(p->glyphs);

	if (p->glyphs == GLYPHS_BRAILLE) {
		for (int step = from; step < to; step++) {
			struct plot_cell *cell = cell_at(p, column / 2, p->h - 1 - step / 4);
			// the cell belongs to the series that came first, unless a later one has most of it
			bool mine = cell->ch == ' ' || step % 4 < 2;
			unsigned char owner = mine ? series : cell->series;
			braille_set(p, column, step, owner);
		}
		return;
	}
	for (int row = from / per; row * per < to; row++) {
		struct plot_cell *cell = cell_at(p, column, p->h - 1 - row);
		int top = to - row * per, bottom = from - row * per;
		top = top > per ? per : top;
		bottom = bottom < 0 ? 0 : bottom;
		if (cell->ch != ' ' && (top - bottom) * 2 < per) {
			if (p->glyphs == GLYPHS_BLOCK)
				cell->ch = 0x2580u + (uint32_t)top;
			continue;
		}
		cell->series = series;
		cell->ch = p->glyphs == GLYPHS_BLOCK ? 0x2580u + (uint32_t)top : (uint32_t)letters[series % 8];
	}
}

void
plot_stack(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n_columns, int n_series)
{
	int n = p->w * plot_columns_per_cell(p->glyphs);

	n = n_columns < n ? n_columns : n;
	for (int i = 0; i < n; i++) {
		double sum = 0;
		int from = 0;
		if (isnan(column[i].max))
			continue;
		for (int s = 0; s < n_series; s++) {
			double value = (double)column[(size_t)s * (size_t)n_columns + (size_t)i].mean;
			int to;
			if (isnan(value) || value <= 0)
				continue;
			sum += value;
			to = steps_of(p, scale, sum);
			if (to > from)
				stack_segment(p, i, from, to, (unsigned char)s);
			from = to > from ? to : from;
		}
	}
}

void
plot_bar(enum glyphs glyphs, int width, double share, char *buf, unsigned size)
{
	int steps = glyphs == GLYPHS_ASCII ? 1 : 8;
	int filled;
	size_t at = 0;

	share = isnan(share) ? 0 : share < 0 ? 0 : share > 1 ? 1 : share;
	filled = (int)(share * width * steps + 0.5);
	for (int i = 0; i < width && at + 5 < size; i++) {
		int here = filled - i * steps;
		uint32_t ch;
		if (glyphs == GLYPHS_ASCII)
			ch = here > 0 ? '#' : '.';
		else
			ch = here <= 0 ? ' ' : here >= 8 ? 0x2588 : 0x2590u - (uint32_t)here;
		at += text_encode(ch, buf + at);
	}
	buf[at] = '\0';
}
