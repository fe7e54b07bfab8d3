// SPDX-License-Identifier: MIT
// Graphs of the side panels: scale, axis, curves, cursor, turns. One rule: both
// sides of a group share a scale unless the operator unlocks it.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <string.h>

int
graph_gutter(int w)
{
	return w >= 64 ? 8 : 6;
}

void
graph_columns(const struct series *s, const struct ui_window *w, struct plot_column *ret)
{
	for (int i = 0; i < w->columns; i++) {
		int64_t t0 = w->t0_ns + i * w->column_ns;
		double min, max, mean;
		ret[i] = (struct plot_column){NAN, NAN, NAN};
		if (series_column(s, t0, t0 + w->column_ns, &min, &max, &mean))
			ret[i] = (struct plot_column){(float)min, (float)max, (float)mean};
	}
}

static void
extremes(const struct series *s, const struct ui_window *w, double *min, double *max)
{
	for (int i = 0; i < w->columns; i++) {
		int64_t t0 = w->t0_ns + i * w->column_ns;
		double lo, hi;
		if (!series_column(s, t0, t0 + w->column_ns, &lo, &hi, NULL))
			continue;
		if (lo > 0 && !(lo > *min))
			*min = lo;
		if (!(hi < *max))
			*max = hi;
	}
}

static const enum view_series group_series[GROUPS][4] = {
	[GROUP_BYTES] = {VIEW_APP_READ, VIEW_APP_WRITE, VIEW_APP_WRITE, VIEW_APP_WRITE},
	[GROUP_DEVICE_BYTES] = {VIEW_DEVICE_READ, VIEW_DEVICE_WRITE, VIEW_DEVICE_WRITE, VIEW_DEVICE_WRITE},
	[GROUP_IOPS] = {VIEW_APP_IOPS, VIEW_APP_IOPS, VIEW_APP_IOPS, VIEW_APP_IOPS},
	[GROUP_LATENCY] = {VIEW_LAT_P50, VIEW_LAT_P99, VIEW_LAT_P999, VIEW_LAT_P999},
	[GROUP_QUEUE] = {VIEW_QUEUE, VIEW_QUEUE, VIEW_QUEUE, VIEW_QUEUE},
};

// A scale shrinks only when less than two fifths of it are used, so that it does not jump.
static struct plot_scale
held_scale(struct plot_scale *held, struct plot_scale fit)
{
	if (held->hi > 0 && held->log == fit.log && fit.hi < held->hi && fit.hi > held->hi * 0.4) {
		if (!fit.log || fit.lo >= held->lo)
			return *held;
	}
	*held = fit;
	return fit;
}

// Percentiles lie far apart: they are logarithmic unless the operator says otherwise.
static bool
is_log(const struct ui *ui, enum graph_group group)
{
	return ui->log_scale == LOG_ALL || (ui->log_scale == LOG_LATENCY && group == GROUP_LATENCY);
}

static struct plot_scale
scale_of(struct paint *p, const struct graph *g, const struct ui_window *w)
{
	double min = NAN, max = NAN;
	struct plot_scale fit;

	if (g->fixed) {
		plot_scale_fit(g->fallback, g->fallback, g->fallback, false, &fit);
		return fit;
	}
	for (int side = 0; side < SIDES; side++) {
		if (!p->view->side[side].present || (p->ui->own_scales && side != g->side))
			continue;
		for (int i = 0; i < 4; i++)
			if (i == 0 || group_series[g->group][i] != group_series[g->group][i - 1])
				extremes(p->view->side[side].series[group_series[g->group][i]], w, &min, &max);
	}
	plot_scale_fit(min, max, g->fallback, is_log(p->ui, g->group), &fit);
	return held_scale(&p->ui->held[p->ui->own_scales ? g->side : 0][g->group], fit);
}

static void
paint_ticks(struct paint *p, struct rect r, const struct graph *g, const struct plot_scale *scale, int gutter)
{
	double ticks[PLOT_TICKS_MAX];
	int n = plot_ticks(scale, r.h / 3 + 1 < 2 ? 2 : r.h / 3 + 1, ticks);
	struct style style = paint_style(p->ui, THEME_GRAPH_TEXT), line = paint_style(p->ui, THEME_DIV_LINE);
	char text[32];

	for (int y = 0; y < r.h; y++)
		canvas_put(p->canvas, r.x + gutter - 1, r.y + y, 0x2502, line);
	for (int i = 0; i < n; i++) {
		int row = (int)lround((1 - plot_position(scale, ticks[i])) * (r.h - 1));
		int width;
		if (r.h == 1 && i + 1 < n)
			continue;
		format_tick(g->q, ticks[i], gutter > 6, text, sizeof(text));
		width = text_width(text);
		canvas_text(p->canvas, r.x + (gutter - 2 - width > 0 ? gutter - 2 - width : 0), r.y + row, gutter - 1, style, text);
		canvas_put(p->canvas, r.x + gutter - 1, r.y + row, 0x2524, line);
	}
}

static struct style
cell_style(struct paint *p, const struct graph *g, const struct plot_cell *cell, int row, int rows)
{
	enum theme_role role = g->series[cell->series < g->n ? cell->series : 0].role;

	if (g->series[cell->series < g->n ? cell->series : 0].dim) {
		struct style dim = paint_color(p->ui, theme_gradient(&p->ui->theme, role, 0.1));
		dim.attr = p->ui->theme.mono ? ATTR_DIM : 0;
		return dim;
	}
	if (g->kind == GRAPH_LINES && (role == THEME_SIDE_A_START || role == THEME_SIDE_B_START))
		return paint_side(p->ui, role == THEME_SIDE_A_START ? SIDE_A : SIDE_B);
	if (g->kind != GRAPH_AREA)
		return paint_style(p->ui, role);
	// a low graph has no room for the whole gradient
	if (rows < 4)
		return paint_color(p->ui, theme_gradient(&p->ui->theme, role, 0.4 + 0.4 * (rows - 1 - row) / (rows > 1 ? rows - 1 : 1)));
	return paint_color(p->ui, theme_gradient(&p->ui->theme, role, (double)(rows - 1 - row) / (rows - 1)));
}

static void
paint_cells(struct paint *p, struct rect r, const struct graph *g, const struct plot *plot)
{
	for (int y = 0; y < plot->h; y++)
		for (int x = 0; x < plot->w; x++) {
			const struct plot_cell *cell = &plot->cell[y * plot->w + x];
			if (cell->ch != ' ')
				canvas_put(p->canvas, r.x + x, r.y + y, cell->ch, cell_style(p, g, cell, y, plot->h));
		}
}

void
graph_cursor(struct paint *p, struct rect r, int64_t t0_ns, int64_t cell_ns)
{
	int64_t x = (p->ui->cursor_ns - t0_ns) / cell_ns;
	struct style style = paint_style(p->ui, THEME_HI_FG);

	if (p->ui->cursor_ns == 0 || p->ui->cursor_ns < t0_ns || x >= r.w)
		return;
	for (int y = 0; y < r.h; y++) {
		struct rect one = {r.x + (int)x, r.y + y, 1, 1};
		const struct cell *cell = &p->canvas->cell[one.y * p->canvas->w + one.x];
		struct style on_block = style_make(style.fg, cell->style.fg, style.attr);
		if (cell->ch == ' ')
			canvas_put(p->canvas, one.x, one.y, 0x2506, style);
		else if (cell->ch >= 0x2580 && cell->ch <= 0x2593)
			canvas_put(p->canvas, one.x, one.y, 0x2506, on_block);
		else
			canvas_restyle(p->canvas, one, style, false);
	}
}

void
graph_draw(struct paint *p, struct rect r, const struct graph *g, const struct plot_scale *scale,
	   const struct plot_column *columns, int n_columns)
{
	static struct plot_cell cells[GRAPH_CELLS_MAX];
	int gutter = graph_gutter(r.w);
	struct rect inner = {r.x + gutter, r.y, r.w - gutter, r.h};
	struct plot plot = {inner.w, inner.h, p->ui->glyphs, cells};

	if (inner.w < 2 || inner.h < 1 || inner.w * inner.h > GRAPH_CELLS_MAX)
		return;
	plot_clear(&plot);
	if (g->kind == GRAPH_STACK)
		plot_stack(&plot, scale, columns, n_columns, g->n);
	for (int i = 0; g->kind != GRAPH_STACK && i < g->n; i++)
		(g->kind == GRAPH_AREA ? plot_area : plot_line)(&plot, scale, columns + (size_t)i * (size_t)n_columns,
								n_columns, (unsigned char)i);
	paint_ticks(p, r, g, scale, gutter);
	paint_cells(p, inner, g, &plot);
}

void
graph_paint(struct paint *p, struct rect r, const struct graph *g)
{
	static struct plot_column columns[GRAPH_SERIES_MAX * GRAPH_COLUMNS_MAX];
	int gutter = graph_gutter(r.w), per_cell = plot_columns_per_cell(p->ui->glyphs);
	struct rect inner = {r.x + gutter, r.y, r.w - gutter, r.h};
	struct ui_window w;
	struct plot_scale scale;

	if (inner.w < 2 || inner.h < 1 || inner.w * per_cell > GRAPH_COLUMNS_MAX)
		return;
	w = ui_window_make(p->ui, p->view, inner.w * per_cell);
	p->ui->column_ns = w.column_ns * per_cell;
	p->ui->window_ns = w.column_ns * w.columns;
	scale = scale_of(p, g, &w);
	for (int i = 0; i < g->n; i++)
		graph_columns(g->series[i].series, &w, columns + (size_t)i * (size_t)w.columns);
	graph_draw(p, r, g, &scale, columns, w.columns);
	graph_cursor(p, inner, w.t0_ns, w.column_ns * per_cell);
	ui_hit_time(p->ui, inner, w.t0_ns, w.column_ns * per_cell);
}

double
graph_value(const struct paint *p, int side, enum view_series what)
{
	const struct view_side *s = &p->view->side[side];
	double mean = NAN;
	int64_t t = p->ui->cursor_ns, width = p->ui->column_ns > SERIES_BASE_NS ? p->ui->column_ns : SERIES_BASE_NS;

	if (t == 0)
		return s->now[what];
	t -= (t - p->view->start_ns) % width;
	return series_query(s->series[what], t, t + width, NULL, NULL, &mean) ? mean : NAN;
}

static struct style
mark_style(struct paint *p, const struct view_mark *mark, uint32_t *ret_ch)
{
	switch (mark->kind) {
	case MARK_TURN_A: *ret_ch = 'A'; return paint_side(p->ui, SIDE_A);
	case MARK_TURN_B: *ret_ch = 'B'; return paint_side(p->ui, SIDE_B);
	case MARK_NOTE: *ret_ch = 0x25c6; return paint_bold(p->ui, THEME_HI_FG);
	case MARK_ERROR: *ret_ch = '!'; return paint_bold(p->ui, THEME_BAD);
	case MARK_THROTTLE: *ret_ch = 'T'; return paint_bold(p->ui, THEME_WARN);
	case MARK_PHASE: *ret_ch = 'p'; return paint_bold(p->ui, THEME_PROC_MISC);
	default: *ret_ch = 0; return paint_style(p->ui, THEME_DIV_LINE);
	}
}

// The line itself: thick and coloured where a side has the turn.
static void
paint_turns(struct paint *p, struct rect r, int64_t t0, int64_t cell_ns)
{
	struct style none = paint_style(p->ui, THEME_DIV_LINE);
	int64_t newest = ui_newest(p->view);
	int next = 0, side = -1;

	for (int x = 0; x < r.w; x++) {
		int64_t end = t0 + (x + 1) * cell_ns;
		while (next < p->view->n_marks && p->view->marks[next].t_ns < end) {
			enum view_mark_kind kind = p->view->marks[next++].kind;
			side = kind == MARK_TURN_A ? SIDE_A : kind == MARK_TURN_B ? SIDE_B : kind == MARK_TURN_END ? -1 : side;
		}
		if (side >= 0 && end - cell_ns <= newest)
			canvas_put(p->canvas, r.x + x, r.y, 0x2501, paint_side(p->ui, side));
		else
			canvas_put(p->canvas, r.x + x, r.y, 0x2500, none);
	}
	for (int i = 0; i < p->view->n_marks; i++) {
		const struct view_mark *mark = &p->view->marks[i];
		int64_t x = (mark->t_ns - t0) / cell_ns;
		uint32_t ch;
		struct style style = mark_style(p, mark, &ch);
		if (ch && mark->t_ns >= t0 && x < r.w)
			canvas_put(p->canvas, r.x + (int)x, r.y, ch, style);
	}
}

// Times since the start of the session, at round instants.
static void
paint_times(struct paint *p, struct rect r, int y, int64_t t0, int64_t cell_ns)
{
	static const int steps[] = {1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400, 7 * 86400};
	double from = (double)(t0 - p->view->start_ns) / 1e9, cell_s = (double)cell_ns / 1e9;
	struct style style = paint_style(p->ui, THEME_GRAPH_TEXT);
	char text[32];
	size_t i = 0;
	double t;

	while (i + 1 < sizeof(steps) / sizeof(steps[0]) && steps[i] / cell_s < 14)
		i++;
	for (t = ceil(from / steps[i]) * steps[i]; t - from < r.w * cell_s; t += steps[i]) {
		int x = (int)((t - from) / cell_s), width;
		format_age(t, text, sizeof(text));
		width = text_width(text);
		if (x + width + 1 < r.w && t >= 0)
			canvas_text(p->canvas, r.x + x, y, r.w - x, style, text);
	}
}

void
graph_axis(struct paint *p, struct rect r, int border_y)
{
	int gutter = graph_gutter(r.w), per_cell = plot_columns_per_cell(p->ui->glyphs);
	struct rect inner = {r.x + gutter, r.y, r.w - gutter, 1};
	struct ui_window w;

	if (inner.w < 2)
		return;
	w = ui_window_make(p->ui, p->view, inner.w * per_cell);
	canvas_put(p->canvas, inner.x - 1, r.y, 0x2514, paint_style(p->ui, THEME_DIV_LINE));
	paint_turns(p, inner, w.t0_ns, w.column_ns * per_cell);
	paint_times(p, inner, border_y, w.t0_ns, w.column_ns * per_cell);
}
