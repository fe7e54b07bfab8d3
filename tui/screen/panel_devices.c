// SPDX-License-Identifier: MIT
// Every layer and device below one target, with its own figures; layers are
// never added up.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct column {
	const char *title;
	enum quantity q;
	double (*value)(const struct disk_rate *r);
};

static double read_bytes(const struct disk_rate *r) { return r->read_bytes_per_s; }
static double write_bytes(const struct disk_rate *r) { return r->write_bytes_per_s; }
static double read_iops(const struct disk_rate *r) { return r->read_iops; }
static double write_iops(const struct disk_rate *r) { return r->write_iops; }
static double read_latency(const struct disk_rate *r) { return r->read_latency_ns; }
static double write_latency(const struct disk_rate *r) { return r->write_latency_ns; }
static double queue(const struct disk_rate *r) { return r->queue; }
static double busy(const struct disk_rate *r) { return r->busy; }
static double discard(const struct disk_rate *r) { return r->discard_bytes_per_s; }
static double flush(const struct disk_rate *r) { return r->flush_iops; }

// The first ones matter most; what does not fit is left out from the end.
static const struct column columns[] = {
	{"read", QUANTITY_BYTES_PER_S, read_bytes}, {"write", QUANTITY_BYTES_PER_S, write_bytes},
	{"r/s", QUANTITY_PER_S, read_iops}, {"w/s", QUANTITY_PER_S, write_iops},
	{"read wait", QUANTITY_TIME, read_latency}, {"write wait", QUANTITY_TIME, write_latency},
	{"queue", QUANTITY_COUNT, queue}, {"busy time", QUANTITY_SHARE, busy},
	{"discard", QUANTITY_BYTES_PER_S, discard}, {"flush/s", QUANTITY_PER_S, flush},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static int
column_width(const struct column *c)
{
	int value = format_width(c->q), title = text_width(c->title);

	return (value > title ? value : title) + 1;
}

static void
paint_device(struct paint *p, struct rect r, const struct view_device *d, int name_w, int shown)
{
	int x = r.x + name_w, indent = d->depth * 2 < name_w / 2 ? d->depth * 2 : name_w / 2;
	struct style name = d->leaf ? paint_bold(p->ui, THEME_MAIN_FG) : paint_style(p->ui, THEME_MAIN_FG);
	int used = r.x + indent;
	char text[64];

	if (d->depth > 0)
		used += canvas_text(p->canvas, used - 2, r.y, 2, paint_style(p->ui, THEME_DIV_LINE), "└ ") - 2;
	used += canvas_text(p->canvas, used, r.y, r.x + name_w - used - 1, name, d->name) + 1;
	canvas_text(p->canvas, used, r.y, r.x + name_w - used - 1, paint_style(p->ui, THEME_GRAPH_TEXT), d->what);
	for (int i = 0; i < shown; i++) {
		format_quantity(columns[i].q, columns[i].value(&d->rate), text, sizeof(text));
		canvas_text(p->canvas, x, r.y, format_width(columns[i].q),
			    paint_style(p->ui, d->leaf ? THEME_MAIN_FG : THEME_INACTIVE_FG), text);
		x += column_width(&columns[i]);
	}
}

static void
paint_head(struct paint *p, struct rect r, int name_w, int shown)
{
	int x = r.x + name_w;

	canvas_text(p->canvas, r.x, r.y, name_w, paint_style(p->ui, THEME_GRAPH_TEXT), "layer");
	for (int i = 0; i < shown; i++) {
		int width = column_width(&columns[i]);
		canvas_text(p->canvas, x + (width - 1 - text_width(columns[i].title) > 2 ? 2 : 0), r.y, width,
			    paint_style(p->ui, THEME_GRAPH_TEXT), columns[i].title);
		x += width;
	}
}

// What all the leaves move together, and how much waits for them; below the table where there is room.
static void
paint_graphs(struct paint *p, struct rect r, int side, int border_y)
{
	const struct view_side *v = &p->view->side[side];
	enum theme_role role = side == SIDE_A ? THEME_SIDE_A_START : THEME_SIDE_B_START;
	struct graph bytes = {GRAPH_AREA, QUANTITY_BYTES_PER_S, GROUP_DEVICE_BYTES, side, 1e6, 0, 2, {
		{v->series[VIEW_DEVICE_READ], role, 0}, {v->series[VIEW_DEVICE_WRITE], THEME_USED_START, 0}}};
	struct graph waiting = {GRAPH_AREA, QUANTITY_COUNT, GROUP_QUEUE, side, 1, 0, 1, {{v->series[VIEW_QUEUE], role, 0}}};
	const struct item items[] = {
		{"all leaf devices: read", QUANTITY_BYTES_PER_S, graph_value(p, side, VIEW_DEVICE_READ), 0, THEME_MAIN_BG},
		{"write", QUANTITY_BYTES_PER_S, graph_value(p, side, VIEW_DEVICE_WRITE), 0, THEME_MAIN_BG},
		{"mean wait", QUANTITY_TIME, graph_value(p, side, VIEW_DEVICE_LAT), 1, THEME_MAIN_BG},
	};
	const struct item queue_item = {"requests in flight", QUANTITY_COUNT, graph_value(p, side, VIEW_QUEUE), 0, THEME_MAIN_BG};
	struct section sections[2];

	layout_sections(r.h - 1, r.h > 11 ? 2 : 1, sections);
	paint_items(p, r.x + 1, r.y, r.w - 2, items, 3);
	graph_paint(p, (struct rect){r.x, r.y + sections[0].graph_y, r.w, sections[0].graph_h}, &bytes);
	if (r.h > 11) {
		paint_items(p, r.x + 1, r.y + sections[1].title_y, r.w - 2, &queue_item, 1);
		graph_paint(p, (struct rect){r.x, r.y + sections[1].graph_y, r.w, sections[1].graph_h}, &waiting);
	}
	graph_axis(p, (struct rect){r.x, r.y + r.h - 1, r.w, 1}, border_y);
}

void
panel_devices(struct paint *p, struct rect r, int side)
{
	const struct view_side *v = &p->view->side[side];
	struct rect inner = paint_side_box(p, r, side);
	int name_w, shown = 0, used = 0, rows, first;

	if (!v->present || inner.h < 2)
		return;
	inner.x++;
	inner.w -= 2;
	name_w = inner.w > 130 ? 44 : inner.w > 100 ? 34 : 24;
	while (shown < COLUMNS && name_w + used + column_width(&columns[shown]) <= inner.w)
		used += column_width(&columns[shown++]);
	name_w = inner.w - used;
	paint_head(p, inner, name_w, shown);
	rows = inner.h - 1;
	first = p->ui->scroll < v->n_devices - rows ? p->ui->scroll : v->n_devices - rows;
	first = first < 0 ? 0 : first;
	for (int i = 0; i < rows && first + i < v->n_devices; i++)
		paint_device(p, (struct rect){inner.x, inner.y + 1 + i, inner.w, 1}, &v->devices[first + i], name_w, shown);
	if (rows - v->n_devices >= 6)
		paint_graphs(p, (struct rect){inner.x - 1, inner.y + 2 + v->n_devices, inner.w + 2, rows - v->n_devices - 1}, side,
			     r.y + r.h - 1);
	if (v->n_devices == 0)
		canvas_text(p->canvas, inner.x, inner.y + 1, inner.w, paint_style(p->ui, THEME_GRAPH_TEXT),
			    "what lies below this target is not known");
}
