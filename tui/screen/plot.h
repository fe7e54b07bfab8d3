// SPDX-License-Identifier: MIT
// From values to characters: areas, lines and stacks on a grid of braille
// dots, eighth blocks or plain ASCII. Pure; a column keeps its minimum and its
// maximum, and a gap stays a gap.
#ifndef IODUEL_SCREEN_PLOT_H
#define IODUEL_SCREEN_PLOT_H

#include <stdbool.h>
#include <stdint.h>

enum glyphs { GLYPHS_BRAILLE, GLYPHS_BLOCK, GLYPHS_ASCII, GLYPHS_N };

// "braille", "block", "ascii"; -1 if text is none of them.
const char *glyphs_name(enum glyphs glyphs);
int glyphs_parse(const char *text);

struct plot_column {
	float min, max, mean; // NAN = gap
};

struct plot_scale {
	double lo, hi; // hi > lo; lo > 0 where log
	bool log;
};

// Position of value, 0 at lo and 1 at hi, cut to that range.
double plot_position(const struct plot_scale *scale, double value);

// A scale with round ends that holds [min, max]; max <= 0 or NAN: [0, fallback].
void plot_scale_fit(double min, double max, double fallback, bool log, struct plot_scale *ret);

#define PLOT_TICKS_MAX 16
// Round values in [lo, hi], ascending, at most max; the distance is at least
// 1/max of the height. Returns how many.
int plot_ticks(const struct plot_scale *scale, int max, double *ret);

struct plot_cell {
	uint32_t ch;	      // ' ' = empty
	unsigned char series; // which series owns the cell
	unsigned char crest;  // the cell is above every minimum: only peaks reach it
};

struct plot {
	int w, h; // cells
	enum glyphs glyphs;
	struct plot_cell *cell; // w * h, row by row from the top; the caller's
};

// How many value columns one cell holds: 2 for braille, else 1.
int plot_columns_per_cell(enum glyphs glyphs);
// Steps of height in one cell: 4, 8 or 3.
int plot_steps_per_cell(enum glyphs glyphs);

void plot_clear(struct plot *p);

// Fills below the columns; between minimum and maximum the filling is loose.
// n_columns = w * plot_columns_per_cell.
void plot_area(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n_columns,
	       unsigned char series);

// A line through the means of the columns; minimum and maximum are lone marks
// where they lie off the line. Over what is drawn already; its cells take this series.
void plot_line(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n_columns,
	       unsigned char series);

// Values stacked upon each other: column[s * n_columns + i] is series s. A
// column is a gap where the first series is. Uses the means: peaks of several series need not have met.
void plot_stack(struct plot *p, const struct plot_scale *scale, const struct plot_column *column, int n_columns,
		int n_series);

// A horizontal bar of width cells, share 0..1 filled, as UTF-8 into buf (4 bytes a cell + 1).
void plot_bar(enum glyphs glyphs, int width, double share, char *buf, unsigned size);

#endif
