// SPDX-License-Identifier: MIT
// Drawing one frame: a view and the state of the picture onto a canvas. Pure
// apart from what it notes in struct ui (where a click would land, scales that
// are held); the terminal is not involved.
#ifndef IODUEL_SCREEN_PAINT_H
#define IODUEL_SCREEN_PAINT_H

#include "screen/canvas.h"
#include "screen/format.h"
#include "screen/ui.h"

struct paint {
	struct canvas *canvas;
	struct ui *ui;
	const struct view *view;
};

// The whole frame; the canvas has its size already.
void paint_frame(struct canvas *canvas, struct ui *ui, const struct view *view);

// Styles: a role's colour on the main background, with attributes where there are no colours.
struct style paint_style(const struct ui *ui, enum theme_role role);
struct style paint_bold(const struct ui *ui, enum theme_role role);
struct style paint_side(const struct ui *ui, int side); // the side's colour, bold
struct style paint_color(const struct ui *ui, int32_t fg);

// A frame with a title in its upper border; returns the inside.
struct rect paint_box(struct paint *p, struct rect r, struct style frame, struct style title, const char *text);

// Panels, one function each; r is the panel's place.
void panel_head(struct paint *p, struct rect r);
void panel_keys(struct paint *p, struct rect r);
void panel_message(struct paint *p, struct rect r);
void panel_side(struct paint *p, struct rect r, int side);
void panel_verdict(struct paint *p, struct rect r);
int panel_verdict_rows(struct paint *p); // lines it would like to have, without its frame
void panel_overlay(struct paint *p, struct rect r);
void panel_table(struct paint *p, struct rect r); // every metric, the pairs one by one
void panel_latency(struct paint *p, struct rect r, int side);
void panel_devices(struct paint *p, struct rect r, int side);
void panel_small(struct paint *p);
void panel_dialog(struct paint *p);
void panel_quit(struct paint *p);

// The frame of a side with its title and state; returns the inside.
struct rect paint_side_box(struct paint *p, struct rect r, int side);
// The colour of a verdict, of a warning.
struct style paint_verdict(const struct paint *p, enum verdict_word word);
struct style paint_level(const struct paint *p, enum warning_level level);

// A row of named values, as many as fit; the first ones matter most.
struct item {
	const char *label;
	enum quantity q;
	double value;
	int rank; // 0 = always shown first
	enum theme_role role; // colour of the label's mark; THEME_MAIN_BG = none
};
void paint_items(struct paint *p, int x, int y, int w, const struct item *items, int n);

// Graphs.
enum graph_kind { GRAPH_AREA, GRAPH_LINES, GRAPH_STACK };
struct graph_series {
	const struct series *series;
	enum theme_role role; // start of a gradient for areas, a colour for lines and stacks
	int dim;	      // an old trace behind the live one
};
#define GRAPH_SERIES_MAX 6
struct graph {
	enum graph_kind kind;
	enum quantity q;
	enum graph_group group;
	int side;     // whose scale, where each has its own
	double fallback; // top of the scale where nothing is known
	int fixed;    // the top is the fallback, whatever comes
	int n;
	struct graph_series series[GRAPH_SERIES_MAX];
};
// The graph with its axis on the left; the gutter takes graph_gutter columns.
void graph_paint(struct paint *p, struct rect r, const struct graph *g);
int graph_gutter(int w);
// The same with scale and columns given; columns[s * n_columns + i] is series s.
void graph_draw(struct paint *p, struct rect r, const struct graph *g, const struct plot_scale *scale,
		const struct plot_column *columns, int n_columns);
// The cursor as a vertical line, where it lies inside.
void graph_cursor(struct paint *p, struct rect r, int64_t t0_ns, int64_t cell_ns);
// The line of time below graphs: turns, marks; border_y: where the times are written (the frame's lower border).
void graph_axis(struct paint *p, struct rect r, int border_y);
// Value of a series at the cursor, or its latest one.
double graph_value(const struct paint *p, int side, enum view_series what);
// Turns the value columns of a window into plot columns.
void graph_columns(const struct series *s, const struct ui_window *w, struct plot_column *ret);

#define GRAPH_COLUMNS_MAX 2048
#define GRAPH_CELLS_MAX (GRAPH_COLUMNS_MAX * 64)

#endif
