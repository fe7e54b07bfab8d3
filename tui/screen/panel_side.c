// SPDX-License-Identifier: MIT
// One side: throughput, operations, latency and CPU, each with its values and
// a graph. Unknown values are dashes, gaps are gaps.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int
is_nothing(double v)
{
	return isnan(v) || v == 0;
}

static double
sum_of(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

static enum theme_role
side_role(int side)
{
	return side == SIDE_A ? THEME_SIDE_A_START : THEME_SIDE_B_START;
}

static void
section_bytes(struct paint *p, struct rect r, const struct section *s, int side)
{
	double read = graph_value(p, side, VIEW_APP_READ), write = graph_value(p, side, VIEW_APP_WRITE);
	double device = sum_of(graph_value(p, side, VIEW_DEVICE_READ), graph_value(p, side, VIEW_DEVICE_WRITE));
	// what is not going on gives its place to the device's figure
	struct item items[] = {
		{"read", QUANTITY_BYTES_PER_S, read, is_nothing(read) && !is_nothing(write) ? 2 : 0, THEME_MAIN_BG},
		{"write", QUANTITY_BYTES_PER_S, write, is_nothing(write) ? 2 : 0, THEME_MAIN_BG},
		{"device", QUANTITY_BYTES_PER_S, device, 1, THEME_MAIN_BG},
	};
	struct graph g = {GRAPH_AREA, QUANTITY_BYTES_PER_S, GROUP_BYTES, side, 1e6, 0, 2, {
		{p->view->side[side].series[VIEW_APP_READ], side_role(side), 0},
		{p->view->side[side].series[VIEW_APP_WRITE], THEME_USED_START, 0},
	}};

	if (is_nothing(read) && !is_nothing(write)) {
		struct graph_series swap = g.series[0];
		g.series[0] = g.series[1];
		g.series[1] = swap;
	}
	paint_items(p, r.x + 1, r.y + s->title_y, r.w - 2, items, 3);
	if (s->graph_h)
		graph_paint(p, (struct rect){r.x, r.y + s->graph_y, r.w, s->graph_h}, &g);
}

static void
section_iops(struct paint *p, struct rect r, const struct section *s, int side)
{
	struct item items[] = {
		{"IOPS", QUANTITY_PER_S, graph_value(p, side, VIEW_APP_IOPS), 0, THEME_MAIN_BG},
		{"queue", QUANTITY_COUNT, graph_value(p, side, VIEW_QUEUE), 1, THEME_MAIN_BG},
		{"busy time", QUANTITY_SHARE, graph_value(p, side, VIEW_BUSY), 2, THEME_MAIN_BG},
		{"device", QUANTITY_PER_S, graph_value(p, side, VIEW_DEVICE_IOPS), 3, THEME_MAIN_BG},
	};
	struct graph g = {GRAPH_AREA, QUANTITY_PER_S, GROUP_IOPS, side, 1000, 0, 1, {
		{p->view->side[side].series[VIEW_APP_IOPS], side_role(side), 0},
	}};

	paint_items(p, r.x + 1, r.y + s->title_y, r.w - 2, items, 4);
	if (s->graph_h)
		graph_paint(p, (struct rect){r.x, r.y + s->graph_y, r.w, s->graph_h}, &g);
}

static void
section_latency(struct paint *p, struct rect r, const struct section *s, int side)
{
	static const enum theme_role p50 = THEME_TEMP_START, p99 = THEME_TEMP_MID, p999 = THEME_TEMP_END;
	struct item items[] = {
		{r.w >= 64 ? "latency  p50" : "p50", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_P50), 0, p50},
		{"p99", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_P99), 0, p99},
		{"p99.9", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_P999), 1, p999},
		{"max", QUANTITY_TIME, graph_value(p, side, VIEW_LAT_MAX), 2, THEME_MAIN_BG},
		{"device mean", QUANTITY_TIME, graph_value(p, side, VIEW_DEVICE_LAT), 3, THEME_MAIN_BG},
	};
	const struct series *const *series = p->view->side[side].series;
	struct graph g = {GRAPH_LINES, QUANTITY_TIME, GROUP_LATENCY, side, 1e6, 0, 3, {
		{series[VIEW_LAT_P999], p999, 0}, {series[VIEW_LAT_P99], p99, 0}, {series[VIEW_LAT_P50], p50, 0},
	}};

	paint_items(p, r.x + 1, r.y + s->title_y, r.w - 2, items, 5);
	if (s->graph_h)
		graph_paint(p, (struct rect){r.x, r.y + s->graph_y, r.w, s->graph_h}, &g);
}

static void
section_cpu(struct paint *p, struct rect r, const struct section *s, int side)
{
	const struct view_side *v = &p->view->side[side];
	struct item items[] = {
		{r.w >= 64 ? "CPU  user" : "user", QUANTITY_SHARE, graph_value(p, side, VIEW_CPU_USER), 0, THEME_STACK_USER},
		{"sys", QUANTITY_SHARE, graph_value(p, side, VIEW_CPU_SYS), 0, THEME_STACK_SYS},
		{"iowait", QUANTITY_SHARE, graph_value(p, side, VIEW_CPU_IOWAIT), 1, THEME_STACK_IOWAIT},
		{"irq", QUANTITY_SHARE, graph_value(p, side, VIEW_CPU_IRQ), 3, THEME_STACK_IRQ},
		{"steal", QUANTITY_SHARE, graph_value(p, side, VIEW_CPU_STEAL), 4, THEME_STACK_STEAL},
		{"per I/O", QUANTITY_TIME, v->cpu_ns_per_io, 2, THEME_MAIN_BG},
	};
	struct graph g = {GRAPH_STACK, QUANTITY_SHARE, GROUP_CPU, side, 1, 1, 5, {
		{v->series[VIEW_CPU_USER], THEME_STACK_USER, 0}, {v->series[VIEW_CPU_SYS], THEME_STACK_SYS, 0},
		{v->series[VIEW_CPU_IOWAIT], THEME_STACK_IOWAIT, 0}, {v->series[VIEW_CPU_IRQ], THEME_STACK_IRQ, 0},
		{v->series[VIEW_CPU_STEAL], THEME_STACK_STEAL, 0},
	}};

	paint_items(p, r.x + 1, r.y + s->title_y, r.w - 2, items, 6);
	if (s->graph_h)
		graph_paint(p, (struct rect){r.x, r.y + s->graph_y, r.w, s->graph_h}, &g);
}

// What a side is doing where that is not simply running, at the right of its upper border.
static int
paint_state(struct paint *p, struct rect r, int side)
{
	const struct view_side *v = &p->view->side[side];
	enum theme_role role = v->state == VIEW_FAILED || v->state == VIEW_STUCK ? THEME_BAD : THEME_WARN;
	char text[160], bar[64];
	int width;

	if (!v->state_text[0])
		return 0;
	if (isnan(v->progress)) {
		snprintf(text, sizeof(text), " %s ", v->state_text);
	} else {
		plot_bar(p->ui->glyphs, 8, v->progress, bar, sizeof(bar));
		snprintf(text, sizeof(text), " %s %s%3.0f %% ", v->state_text, bar, v->progress * 100);
	}
	width = text_width(text);
	if (width > r.w / 2)
		width = r.w / 2;
	canvas_text(p->canvas, r.x + r.w - 2 - width, r.y, width, paint_bold(p->ui, role), text);
	return width + 2;
}

// "▶ A  /mnt/fast  xfs on nvme0n1": letter, arrow and colour each tell the side.
static void
paint_title(struct paint *p, struct rect r, int side)
{
	const struct view_side *v = &p->view->side[side];
	struct style style = paint_side(p->ui, side);
	int x = r.x + 2, end;

	end = r.x + r.w - 2 - paint_state(p, r, side);
	canvas_put(p->canvas, x++, r.y, ' ', style);
	canvas_put(p->canvas, x++, r.y, v->active ? 0x25b6 : ' ', style);
	canvas_put(p->canvas, x++, r.y, ' ', style);
	canvas_put(p->canvas, x++, r.y, side == SIDE_A ? 'A' : 'B', style);
	canvas_put(p->canvas, x++, r.y, ' ', style);
	if (end - x > 4) {
		int most = end - x - 1;
		canvas_put(p->canvas, x++, r.y, ' ', style);
		// the path may take all that its description does not need
		x += canvas_text_tail(p->canvas, x, r.y, v->line[0] && most > 40 ? most / 2 : most - 1,
				      paint_bold(p->ui, THEME_TITLE), v->label[0] ? v->label : v->path);
		canvas_put(p->canvas, x++, r.y, ' ', style);
	}
	if (end - x > 8 && v->line[0]) {
		canvas_put(p->canvas, x++, r.y, ' ', style);
		x += canvas_text(p->canvas, x, r.y, end - x - 1, paint_style(p->ui, THEME_GRAPH_TEXT), v->line);
		canvas_put(p->canvas, x, r.y, ' ', style);
	}
}

struct rect
paint_side_box(struct paint *p, struct rect r, int side)
{
	const struct view_side *v = &p->view->side[side];
	struct style frame = paint_style(p->ui, side == SIDE_A ? THEME_CPU_BOX : THEME_NET_BOX);
	struct rect inner = paint_box(p, r, v->active ? paint_side(p->ui, side) : frame, frame, "");

	paint_title(p, r, side);
	if (!v->present)
		canvas_text(p->canvas, inner.x + 2, inner.y + 1, inner.w - 4, paint_style(p->ui, THEME_GRAPH_TEXT),
			    "no target: t chooses one");
	return inner;
}

void
panel_side(struct paint *p, struct rect r, int side)
{
	static void (*const draw[SECTIONS_MAX])(struct paint *, struct rect, const struct section *, int) = {
		section_bytes, section_iops, section_latency, section_cpu,
	};
	struct rect inner = paint_side_box(p, r, side);
	struct section sections[SECTIONS_MAX];

	if (!p->view->side[side].present)
		return;
	layout_sections(inner.h - 1, SECTIONS_MAX, sections);
	for (int i = 0; i < SECTIONS_MAX; i++)
		if (sections[i].title_y >= 0)
			draw[i](p, inner, &sections[i], side);
	graph_axis(p, (struct rect){inner.x, inner.y + inner.h - 1, inner.w, 1}, r.y + r.h - 1);
}
