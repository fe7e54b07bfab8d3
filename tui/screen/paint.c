// SPDX-License-Identifier: MIT
// One frame: styles, boxes, rows of values, and which panel is drawn where.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Where there are no colours, attributes say what is what.
static unsigned
mono_attr(enum theme_role role)
{
	switch (role) {
	case THEME_TITLE: case THEME_HI_FG: case THEME_BAD: case THEME_WARN: case THEME_SIDE_A_START:
	case THEME_SIDE_B_START:
		return ATTR_BOLD;
	case THEME_SELECTED_FG: case THEME_SELECTED_BG:
		return ATTR_REVERSE;
	default:
		return 0;
	}
}

struct style
paint_style(const struct ui *ui, enum theme_role role)
{
	if (ui->theme.mono)
		return style_make(COLOR_DEFAULT, COLOR_DEFAULT, mono_attr(role));
	if (role == THEME_SELECTED_FG)
		return style_make(ui->theme.color[role], ui->theme.color[THEME_SELECTED_BG], 0);
	return style_make(ui->theme.color[role], ui->theme.color[THEME_MAIN_BG], 0);
}

struct style
paint_bold(const struct ui *ui, enum theme_role role)
{
	struct style style = paint_style(ui, role);

	style.attr |= ATTR_BOLD;
	return style;
}

struct style
paint_color(const struct ui *ui, int32_t fg)
{
	return style_make(ui->theme.mono ? COLOR_DEFAULT : fg, ui->theme.mono ? COLOR_DEFAULT : ui->theme.color[THEME_MAIN_BG], 0);
}

struct style
paint_side(const struct ui *ui, int side)
{
	enum theme_role role = side == SIDE_A ? THEME_SIDE_A_START : THEME_SIDE_B_START;
	struct style style = paint_color(ui, theme_gradient(&ui->theme, role, 0.6));

	style.attr |= ATTR_BOLD;
	return style;
}

struct rect
paint_box(struct paint *p, struct rect r, struct style frame, struct style title, const char *text)
{
	canvas_box(p->canvas, r, frame);
	if (*text && r.w > 6) {
		int used = canvas_text(p->canvas, r.x + 3, r.y, r.w - 6, title, text);
		canvas_put(p->canvas, r.x + 2, r.y, ' ', frame);
		canvas_put(p->canvas, r.x + 3 + used, r.y, ' ', frame);
	}
	return (struct rect){r.x + 1, r.y + 1, r.w > 2 ? r.w - 2 : 0, r.h > 2 ? r.h - 2 : 0};
}

static int
item_width(const struct item *item)
{
	return text_width(item->label) + 1 + format_width(item->q);
}

void
paint_items(struct paint *p, int x, int y, int w, const struct item *items, int n)
{
	unsigned shown = 0;
	int used = 0, end = x + w;
	char text[64];

	for (int rank = 0; rank < n; rank++)
		for (int i = 0; i < n; i++)
			if (items[i].rank == rank && used + item_width(&items[i]) <= w) {
				used += item_width(&items[i]) + 2;
				shown |= 1u << i;
			}
	for (int i = 0; i < n; i++) {
		struct style label = paint_style(p->ui, items[i].role != THEME_MAIN_BG ? items[i].role : THEME_GRAPH_TEXT);
		if (!(shown & 1u << i))
			continue;
		x += canvas_text(p->canvas, x, y, end - x, label, items[i].label);
		format_quantity(items[i].q, items[i].value, text, sizeof(text));
		x += canvas_text(p->canvas, x, y, end - x, paint_bold(p->ui, THEME_MAIN_FG), text) + 2;
	}
}

static void
paint_one_side(struct paint *p, struct rect r, int side)
{
	if (p->ui->layout == LAYOUT_LATENCY)
		panel_latency(p, r, side);
	else if (p->ui->layout == LAYOUT_DEVICES)
		panel_devices(p, r, side);
	else
		panel_side(p, r, side);
}

static void
paint_panels(struct paint *p, const struct layout *l)
{
	const struct rect *r = l->panel;
	int first = p->view->side[SIDE_A].present || !p->view->side[SIDE_B].present ? SIDE_A : SIDE_B;

	if (p->ui->layout == LAYOUT_ONE && p->view->side[SIDE_B].active && !p->view->side[SIDE_A].active)
		first = SIDE_B;
	panel_head(p, r[PANEL_HEAD]);
	if (r[PANEL_A].w)
		paint_one_side(p, r[PANEL_A], first);
	if (r[PANEL_B].w)
		paint_one_side(p, r[PANEL_B], SIDE_B);
	if (r[PANEL_MAIN].w)
		(p->ui->layout == LAYOUT_OVERLAY ? panel_overlay : panel_table)(p, r[PANEL_MAIN]);
	if (r[PANEL_VERDICT].w)
		panel_verdict(p, r[PANEL_VERDICT]);
	if (r[PANEL_MESSAGE].w)
		panel_message(p, r[PANEL_MESSAGE]);
	panel_keys(p, r[PANEL_KEYS]);
}

void
paint_frame(struct canvas *canvas, struct ui *ui, const struct view *view)
{
	struct paint p = {canvas, ui, view};
	struct layout layout;
	int sides = view->side[SIDE_A].present && view->side[SIDE_B].present ? 2 : 1;

	ui->n_hits = 0;
	canvas_clear(canvas, paint_style(ui, THEME_MAIN_FG));
	layout_make(ui->layout, canvas->w, canvas->h, sides, panel_verdict_rows(&p), &layout);
	if (layout.too_small)
		panel_small(&p);
	else
		paint_panels(&p, &layout);
	// the question of the session opens and closes its own dialog
	if (view->destroy.open && ui->dialog.kind != DIALOG_DESTROY)
		dialog_open(ui, view, DIALOG_DESTROY);
	else if (!view->destroy.open && ui->dialog.kind == DIALOG_DESTROY)
		ui->dialog.kind = DIALOG_NONE;
	if (ui->dialog.kind != DIALOG_NONE)
		panel_dialog(&p);
	if (view->asking_quit)
		panel_quit(&p);
	if (ui->glyphs == GLYPHS_ASCII)
		canvas_to_ascii(canvas, false);
}
