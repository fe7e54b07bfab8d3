// SPDX-License-Identifier: MIT
// Latency of one side over time: the distribution as a heat map, and below it
// the percentiles as lines. A single slow operation still leaves a mark.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint32_t *
heat_column(const struct view_heat *heat, int i)
{
	return heat->count[(heat->start + i) % VIEW_HEAT_COLS];
}

// Rows in use by either side, so that both have the same axis.
static void
heat_range(const struct view *v, int *ret_lo, int *ret_hi)
{
	int lo = VIEW_HEAT_ROWS, hi = -1;

	for (int side = 0; side < SIDES; side++) {
		const struct view_heat *heat = v->side[side].heat;
		for (int i = 0; v->side[side].present && i < heat->n; i++)
			for (int row = 0; row < VIEW_HEAT_ROWS; row++)
				if (heat_column(heat, i)[row]) {
					lo = row < lo ? row : lo;
					hi = row > hi ? row : hi;
				}
	}
	*ret_lo = hi < 0 ? 8 : lo;
	*ret_hi = hi < 0 ? 24 : hi;
}

// Sums of a stretch of time; returns their total.
static double
heat_sum(const struct view_heat *heat, int64_t t0, int64_t t1, double *ret)
{
	double total = 0;
	int64_t first, last;

	memset(ret, 0, VIEW_HEAT_ROWS * sizeof(*ret));
	if (heat->n == 0 || heat->step_ns <= 0)
		return 0;
	first = (t0 - heat->first_ns) / heat->step_ns;
	last = (t1 - 1 - heat->first_ns) / heat->step_ns;
	if (t1 <= heat->first_ns)
		return 0;
	for (int64_t i = t0 < heat->first_ns ? 0 : first; i <= last && i < heat->n; i++)
		for (int row = 0; row < VIEW_HEAT_ROWS; row++) {
			ret[row] += heat_column(heat, (int)i)[row];
			total += heat_column(heat, (int)i)[row];
		}
	return total;
}

enum { LEVELS = 12 };

// 0 = nothing at all; 1 for a single one; LEVELS where most of them are.
static int
level_of(double count, double total)
{
	double share;

	if (count <= 0)
		return 0;
	share = count / total;
	// four decades of share, so that a tail of one in ten thousand is seen
	return 1 + (int)fmin(LEVELS - 1, fmax(0, (log10(share) + 4) / 3.7 * (LEVELS - 1)));
}

// A step of height shows the rows [lo, hi) of the map.
static double
step_count(const double *rows, double lo, double hi)
{
	double sum = 0;

	for (int row = (int)lo; row < (int)ceil(hi) && row < VIEW_HEAT_ROWS; row++) {
		double from = fmax(lo, row), to = fmin(hi, row + 1);
		if (row >= 0 && to > from)
			sum += rows[row] * (to - from);
	}
	return sum;
}

static struct style
level_style(struct paint *p, int side, int top, int bottom)
{
	enum theme_role role = side == SIDE_A ? THEME_SIDE_A_START : THEME_SIDE_B_START;
	struct style style = paint_style(p->ui, THEME_MAIN_FG);

	if (p->ui->theme.mono)
		return style;
	if (top)
		style.fg = theme_heat(&p->ui->theme, role, (double)(top - 1) / (LEVELS - 1));
	if (bottom)
		style.bg = theme_heat(&p->ui->theme, role, (double)(bottom - 1) / (LEVELS - 1));
	return style;
}

static void
put_heat(struct paint *p, int x, int y, int side, int top, int bottom)
{
	static const uint32_t shades[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588}, ascii[] = {' ', '.', ':', '*', '#'};
	int most = top > bottom ? top : bottom, shade = most == 0 ? 0 : 1 + (most - 1) * 4 / LEVELS;

	if (most == 0)
		return;
	if (p->ui->glyphs == GLYPHS_ASCII)
		canvas_put(p->canvas, x, y, ascii[shade], level_style(p, side, most, 0));
	else if (p->ui->theme.mono)
		canvas_put(p->canvas, x, y, shades[shade], level_style(p, side, 0, 0));
	else if (top == bottom)
		canvas_put(p->canvas, x, y, 0x2588, level_style(p, side, top, 0));
	else if (top)
		canvas_put(p->canvas, x, y, 0x2580, level_style(p, side, top, bottom));
	else
		canvas_put(p->canvas, x, y, 0x2584, level_style(p, side, bottom, 0));
}

// Decades at the axis.
static void
paint_scale(struct paint *p, struct rect r, int gutter, double lo, double per_step)
{
	struct style style = paint_style(p->ui, THEME_GRAPH_TEXT), line = paint_style(p->ui, THEME_DIV_LINE);
	char text[32];

	for (int y = 0; y < r.h; y++)
		canvas_put(p->canvas, r.x + gutter - 1, r.y + y, 0x2502, line);
	for (double ns = 1e3; ns < 1e10; ns *= 10) {
		double row = (log2(ns) - 8) * 2, step = (row - lo) / per_step;
		int y = r.h - 1 - (int)floor(step / 2), width;
		if (step < 0 || y < 0)
			continue;
		format_tick(QUANTITY_TIME, ns, 0, text, sizeof(text));
		width = text_width(text);
		canvas_text(p->canvas, r.x + (gutter - 2 > width ? gutter - 2 - width : 0), r.y + y, gutter - 1, style, text);
		canvas_put(p->canvas, r.x + gutter - 1, r.y + y, 0x2524, line);
	}
}

static void
paint_heat(struct paint *p, struct rect r, int side)
{
	int gutter = graph_gutter(r.w), per_cell = plot_columns_per_cell(p->ui->glyphs), first, last;
	struct rect inner = {r.x + gutter, r.y, r.w - gutter, r.h};
	struct ui_window w = ui_window_make(p->ui, p->view, inner.w * per_cell);
	int64_t cell_ns = w.column_ns * per_cell;
	double rows[VIEW_HEAT_ROWS], lo, per_step;

	heat_range(p->view, &first, &last);
	lo = first - 0.5;
	per_step = (last - first + 2) / (2.0 * r.h);
	paint_scale(p, r, gutter, lo, per_step);
	for (int x = 0; x < inner.w; x++) {
		int64_t t0 = w.t0_ns + x * cell_ns;
		double total = heat_sum(p->view->side[side].heat, t0, t0 + cell_ns, rows);
		for (int y = 0; y < r.h && total > 0; y++) {
			double bottom = lo + per_step * 2 * (r.h - 1 - y);
			put_heat(p, inner.x + x, r.y + y, side,
				 level_of(step_count(rows, bottom + per_step, bottom + 2 * per_step), total),
				 level_of(step_count(rows, bottom, bottom + per_step), total));
		}
	}
	p->ui->column_ns = cell_ns;
	p->ui->window_ns = w.column_ns * w.columns;
	graph_cursor(p, inner, w.t0_ns, cell_ns);
	ui_hit_time(p->ui, inner, w.t0_ns, cell_ns);
}

void
panel_latency(struct paint *p, struct rect r, int side)
{
	const struct view_side *v = &p->view->side[side];
	struct rect inner = paint_side_box(p, r, side);
	struct item items[] = {
		{"p50", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_P50), 0, THEME_TEMP_START},
		{"p99", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_P99), 0, THEME_TEMP_MID},
		{"p99.9", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_P999), 1, THEME_TEMP_END},
		{"max", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_MAX), 2, THEME_MAIN_BG},
		{"device mean", QUANTITY_TIME, graph_value(p, side, VIEW_DEVICE_LAT), 3, THEME_MAIN_BG},
	};
	struct graph g = {GRAPH_LINES, QUANTITY_TIME, GROUP_LATENCY, side, 1e6, 0, 3, {
		{v->series[VIEW_LAT_P999], THEME_TEMP_END, 0}, {v->series[VIEW_LAT_P99], THEME_TEMP_MID, 0},
		{v->series[VIEW_LAT_P50], THEME_TEMP_START, 0},
	}};
	int lines = inner.h >= 14 ? inner.h / 3 : 0;

	if (!v->present || inner.h < 4)
		return;
	paint_items(p, inner.x + 1, inner.y, inner.w - 2, items, 5);
	paint_heat(p, (struct rect){inner.x, inner.y + 1, inner.w, inner.h - 2 - lines}, side);
	if (lines)
		graph_paint(p, (struct rect){inner.x, inner.y + inner.h - 1 - lines, inner.w, lines}, &g);
	graph_axis(p, (struct rect){inner.x, inner.y + inner.h - 1, inner.w, 1}, r.y + r.h - 1);
}
