// SPDX-License-Identifier: MIT
// A and B in one graph per metric, aligned at the start of the turn: the live
// turn over the other side's last one, and what the difference comes to.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

// One side's stretch of time that is shown.
struct trace {
	int64_t begin_ns, end_ns; // 0 0 = none
	int live;
};

// The last turn of a side that began before t; from the marks, which reach back to the start.
static struct trace
turn_before(const struct view *v, int side, int64_t t)
{
	struct trace trace = {0, 0, 0};
	int open = 0;

	for (int i = 0; i < v->n_marks && v->marks[i].t_ns <= t; i++) {
		enum view_mark_kind kind = v->marks[i].kind;
		if (kind > MARK_TURN_END)
			continue;
		if (open) {
			trace.end_ns = v->marks[i].t_ns;
			open = 0;
		}
		if (kind == (side == SIDE_A ? MARK_TURN_A : MARK_TURN_B)) {
			trace.begin_ns = v->marks[i].t_ns;
			open = 1;
		}
	}
	if (open) {
		trace.end_ns = t;
		trace.live = !v->replay && t == v->now_ns;
	}
	return trace;
}

static struct trace
trace_of(const struct paint *p, int side)
{
	const struct view_side *s = &p->view->side[side];
	struct trace trace;

	if (p->ui->cursor_ns || p->view->replay)
		return turn_before(p->view, side, p->ui->cursor_ns ? p->ui->cursor_ns : ui_newest(p->view));
	if (s->active && s->turn_start_ns)
		return (struct trace){s->turn_start_ns, p->view->now_ns, 1};
	if (s->last_turn[1] > s->last_turn[0] && s->last_turn[0] >= s->turn_start_ns)
		return (struct trace){s->last_turn[0], s->last_turn[1], 0};
	trace = turn_before(p->view, side, p->view->now_ns);
	if (trace.end_ns > trace.begin_ns)
		return trace;
	return (struct trace){s->last_turn[0], s->last_turn[1], 0};
}

// Length of the axis: the planned slice, else the next round time that holds both.
static int64_t
axis_length(const struct view *v, const struct trace *traces)
{
	int64_t longest = 0, length = 10 * NS_PER_S;

	for (int side = 0; side < SIDES; side++)
		if (traces[side].end_ns - traces[side].begin_ns > longest)
			longest = traces[side].end_ns - traces[side].begin_ns;
	if (v->slice_s > 0 && v->slice_s * 1e9 * 1.2 >= (double)longest)
		return (int64_t)(v->slice_s * 1.2e9);
	while (length < longest)
		length *= 2;
	return length;
}

static void
trace_columns(const struct series *s, const struct trace *t, int64_t column_ns, int n, struct plot_column *ret, double *max)
{
	for (int i = 0; i < n; i++) {
		int64_t from = t->begin_ns + i * column_ns, to = from + column_ns;
		double lo, hi, mean;
		ret[i] = (struct plot_column){NAN, NAN, NAN};
		if (t->begin_ns == 0 || from >= t->end_ns)
			continue;
		to = to > t->end_ns ? t->end_ns : to;
		if (!series_column(s, from, to, &lo, &hi, &mean))
			continue;
		ret[i] = (struct plot_column){(float)lo, (float)hi, (float)mean};
		if (!(hi < *max))
			*max = hi;
	}
}

// Mean of a trace over its first length_ns.
static double
trace_mean(const struct series *s, const struct trace *t, int64_t length_ns)
{
	double mean;
	int64_t end = t->begin_ns + length_ns < t->end_ns ? t->begin_ns + length_ns : t->end_ns;

	return t->begin_ns && series_query(s, t->begin_ns, end, NULL, NULL, &mean) ? mean : NAN;
}

struct overlay_metric {
	const char *label;
	enum quantity q;
	enum graph_group group;
	enum view_series what;
};

static int
put_value(struct paint *p, int x, int y, int end, const char *label, struct style style, enum quantity q, double value)
{
	char text[64];

	x += canvas_text(p->canvas, x, y, end - x, style, label);
	format_quantity(q, value, text, sizeof(text));
	return x + canvas_text(p->canvas, x, y, end - x, paint_bold(p->ui, THEME_MAIN_FG), text) + 2;
}

static void
paint_difference(struct paint *p, struct rect r, const struct overlay_metric *m, const struct trace *traces)
{
	const struct view_side *side = p->view->side;
	int64_t a = traces[SIDE_A].end_ns - traces[SIDE_A].begin_ns, b = traces[SIDE_B].end_ns - traces[SIDE_B].begin_ns;
	int64_t both = a < b ? a : b; // only as far as both have come
	double mean_a = trace_mean(side[SIDE_A].series[m->what], &traces[SIDE_A], both);
	double mean_b = trace_mean(side[SIDE_B].series[m->what], &traces[SIDE_B], both);
	int x = r.x, end = r.x + r.w;

	x += canvas_textf(p->canvas, x, r.y, end - x, paint_bold(p->ui, THEME_TITLE), "%-12s", m->label) + 1;
	x = put_value(p, x, r.y, end, "A", paint_side(p->ui, SIDE_A), m->q, mean_a);
	x = put_value(p, x, r.y, end, "B", paint_side(p->ui, SIDE_B), m->q, mean_b);
	if (isnan(mean_a) || isnan(mean_b) || mean_a <= 0)
		return;
	canvas_textf(p->canvas, x, r.y, end - x, paint_style(p->ui, THEME_HI_FG), "B against A %+.1f %% over the first %.1f s",
		     (mean_b / mean_a - 1) * 100, (double)both / 1e9);
}

// The side's letter behind the end of its line, so that colour is not needed.
static void
paint_letter(struct paint *p, struct rect r, const struct plot_scale *scale, const struct plot_column *columns, int n, int side)
{
	int per_cell = plot_columns_per_cell(p->ui->glyphs), last = n - 1, x, y;

	while (last >= 0 && isnan(columns[last].mean))
		last--;
	if (last < 0)
		return;
	x = last / per_cell + 1;
	y = (int)lround((1 - plot_position(scale, (double)columns[last].mean)) * (r.h - 1));
	canvas_put(p->canvas, r.x + (x < r.w ? x : r.w - 1), r.y + y, side == SIDE_A ? 'A' : 'B', paint_side(p->ui, side));
}

static void
paint_metric(struct paint *p, struct rect r, const struct section *s, const struct overlay_metric *m, const struct trace *traces)
{
	static struct plot_column columns[SIDES * GRAPH_COLUMNS_MAX];
	int n = (r.w - graph_gutter(r.w)) * plot_columns_per_cell(p->ui->glyphs);
	int live = traces[SIDE_B].live || traces[SIDE_B].begin_ns >= traces[SIDE_A].begin_ns ? SIDE_B : SIDE_A;
	int64_t column_ns;
	double max = NAN;
	struct plot_scale scale;
	struct graph g = {GRAPH_LINES, m->q, m->group, 0, 1, 0, 2, {{NULL, THEME_SIDE_A_START, 0}}};

	paint_difference(p, (struct rect){r.x + 1, r.y + s->title_y, r.w - 2, 1}, m, traces);
	if (s->graph_h == 0 || n < 4 || n > GRAPH_COLUMNS_MAX)
		return;
	column_ns = axis_length(p->view, traces) / n + 1;
	// the older trace first, so that the live one lies over it
	for (int i = 0; i < SIDES; i++) {
		int side = i == 1 ? live : 1 - live;
		g.series[i] = (struct graph_series){NULL, side == SIDE_A ? THEME_SIDE_A_START : THEME_SIDE_B_START, i == 0};
		trace_columns(p->view->side[side].series[m->what], &traces[side], column_ns, n, columns + i * n, &max);
	}
	plot_scale_fit(0, max, m->q == QUANTITY_TIME ? 1e6 : m->q == QUANTITY_SHARE ? 1 : 1000, false, &scale);
	graph_draw(p, (struct rect){r.x, r.y + s->graph_y, r.w, s->graph_h}, &g, &scale, columns, n);
	for (int i = 0; i < SIDES; i++)
		paint_letter(p, (struct rect){r.x + graph_gutter(r.w), r.y + s->graph_y, r.w - graph_gutter(r.w), s->graph_h}, &scale,
			     columns + i * n, n, i == 1 ? live : 1 - live);
}

// Seconds since the turn began, on the frame's lower border.
static void
paint_seconds(struct paint *p, struct rect r, int64_t length_ns)
{
	int gutter = graph_gutter(r.w - 2), w = r.w - 2 - gutter;
	double step = 1, length = (double)length_ns / 1e9;
	char text[32];

	while (length / step * 8 > w)
		step *= step == 2 || step == 20 || step == 200 ? 2.5 : 2;
	for (double t = 0; t < length - step / 2; t += step) {
		format_age(t, text, sizeof(text));
		canvas_text(p->canvas, r.x + 1 + gutter + (int)(t / length * w), r.y + r.h - 1, 8,
			    paint_style(p->ui, THEME_GRAPH_TEXT), text);
	}
}

void
panel_overlay(struct paint *p, struct rect r)
{
	static const struct overlay_metric metrics[SECTIONS_MAX] = {
		{"IOPS", QUANTITY_PER_S, GROUP_IOPS, VIEW_APP_IOPS},
		{"p99 latency", QUANTITY_TIME, GROUP_LATENCY, VIEW_LAT_P99},
		{"read", QUANTITY_BYTES_PER_S, GROUP_BYTES, VIEW_APP_READ},
		{"CPU sys", QUANTITY_SHARE, GROUP_CPU, VIEW_CPU_SYS},
	};
	struct rect inner = paint_box(p, r, paint_style(p->ui, THEME_MEM_BOX), paint_bold(p->ui, THEME_TITLE),
				      "A and B, aligned at the start of the turn");
	struct trace traces[SIDES] = {trace_of(p, SIDE_A), trace_of(p, SIDE_B)};
	struct section sections[SECTIONS_MAX];
	struct overlay_metric metric;
	int writes = isnan(p->view->side[SIDE_A].now[VIEW_APP_WRITE]) ? p->view->side[SIDE_B].now[VIEW_APP_WRITE] > 0
								      : p->view->side[SIDE_A].now[VIEW_APP_WRITE] > 0;

	layout_sections(inner.h, SECTIONS_MAX, sections);
	for (int i = 0; i < SECTIONS_MAX; i++) {
		metric = metrics[i];
		if (metric.what == VIEW_APP_READ && writes) {
			metric.label = "write";
			metric.what = VIEW_APP_WRITE;
		}
		if (sections[i].title_y >= 0)
			paint_metric(p, inner, &sections[i], &metric, traces);
	}
	paint_seconds(p, r, axis_length(p->view, traces));
}
