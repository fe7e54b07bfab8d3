// SPDX-License-Identifier: MIT
// How dialogs look: a box in the middle with a list, a line to type in, and a
// last line whose words are buttons.
#include "screen/paint.h"

#include "screen/text.h"

#include <stdio.h>
#include <string.h>

struct button {
	uint32_t key;
	const char *label;
};

// What a dialog consists of.
struct look {
	const char *title;
	int w;		   // wanted
	int name_w;	   // of a row's first column
	const char *edit;  // label of the line to type in, NULL = none
	struct button button[5];
};

static const struct look looks[] = {
	[DIALOG_HELP] = {"keys", 78, 18, "search", {{KEYC_ENTER, "Enter do it"}, {KEYC_ESC, "Esc close"}}},
	[DIALOG_TARGETS] = {"target", 100, 26, "path", {{KEYC_ENTER, "Enter choose"}, {KEYC_TAB, "Tab complete"},
			    {KEYC_BACK_TAB, "Left/Right other side"}, {KEYC_ESC, "Esc close"}}},
	[DIALOG_WORKLOAD] = {"workload", 90, 14, NULL, {{KEYC_ENTER, "Enter parameters"}, {KEYC_ESC, "Esc close"}}},
	[DIALOG_FORM] = {"workload", 90, 14, NULL, {{KEYC_ENTER, "Enter take it"}, {KEYC_RIGHT, "Left/Right other choice"},
			 {KEYC_ESC, "Esc close"}}},
	[DIALOG_LIBRARY] = {"saved sessions", 110, 34, NULL, {{KEYC_ENTER, "Enter open"}, {'b', "b baseline"}, {'d', "d delete"},
			    {'/', "/ search"}, {KEYC_ESC, "Esc close"}}},
	[DIALOG_DELETE] = {"delete", 70, 0, NULL, {{'y', "y delete it"}, {KEYC_ESC, "n keep it"}}},
	[DIALOG_OUTPUT] = {"output of the command", 110, 0, NULL, {{KEYC_ESC, "Esc close"}}},
	[DIALOG_NOTE] = {"note at this instant", 76, 0, "note", {{KEYC_ENTER, "Enter keep"}, {KEYC_ESC, "Esc forget"}}},
	[DIALOG_EXPORT] = {"export the report", 76, 14, "file (empty: beside the session)", {{KEYC_ENTER, "Enter write"},
			   {KEYC_ESC, "Esc close"}}},
	[DIALOG_THEME] = {"colours", 40, 30, NULL, {{KEYC_ENTER, "Enter keep"}, {KEYC_ESC, "Esc as before"}}},
	[DIALOG_DESTROY] = {"ALL DATA ON THE DEVICE WILL BE LOST", 78, 0, "type here", {{KEYC_ENTER, "Enter destroy"},
			    {KEYC_ESC, "Esc leave it alone"}}},
};

static struct rect
centered(const struct canvas *c, int w, int h)
{
	w = w > c->w ? c->w : w;
	h = h > c->h ? c->h : h;
	return (struct rect){(c->w - w) / 2, (c->h - h) / 2, w, h};
}

static void
paint_buttons(struct paint *p, struct rect r, const struct look *look)
{
	int x = r.x + 1;

	for (int i = 0; i < 5 && look->button[i].key; i++) {
		int used = canvas_text(p->canvas, x, r.y, r.x + r.w - x, paint_style(p->ui, THEME_HI_FG), look->button[i].label);
		ui_hit(p->ui, (struct rect){x, r.y, used, 1}, HIT_BUTTON, (int)look->button[i].key);
		x += used + 3;
	}
}

static void
paint_edit(struct paint *p, struct rect r, const char *label, const char *text)
{
	int x = r.x + 1 + canvas_textf(p->canvas, r.x + 1, r.y, r.w - 2, paint_style(p->ui, THEME_GRAPH_TEXT), "%s: ", label);

	x += canvas_text_tail(p->canvas, x, r.y, r.x + r.w - 2 - x, paint_bold(p->ui, THEME_MAIN_FG), text);
	canvas_put(p->canvas, x, r.y, ' ', style_make(COLOR_DEFAULT, COLOR_DEFAULT, ATTR_REVERSE));
}

static void
paint_row(struct paint *p, struct rect r, const struct look *look, int row)
{
	struct dialog *d = &p->ui->dialog;
	int selected = row == d->selected && d->kind != DIALOG_OUTPUT;
	struct style name = paint_bold(p->ui, THEME_HI_FG), rest = paint_style(p->ui, THEME_MAIN_FG);
	char text[160], note[512];

	dialog_row(p->ui, p->view, row, text, sizeof(text), note, sizeof(note));
	if (selected) {
		name = rest = paint_style(p->ui, THEME_SELECTED_FG);
		canvas_fill(p->canvas, r, ' ', rest);
	}
	canvas_text(p->canvas, r.x + 1, r.y, look->name_w - 1, name, text);
	canvas_text(p->canvas, r.x + 1 + look->name_w, r.y, r.w - look->name_w - 2, rest, note);
	if (d->kind == DIALOG_FORM && !d->value[row].text[0]) // what holds where nothing is typed
		canvas_text(p->canvas, r.x + 1 + look->name_w, r.y, r.w - look->name_w - 2,
			    selected ? rest : paint_style(p->ui, THEME_INACTIVE_FG),
			    d->workload->params[row].preset && d->workload->params[row].preset[0] ? d->workload->params[row].preset
												  : "(worked out)");
	ui_hit(p->ui, r, HIT_ROW, row);
}

static void
paint_list(struct paint *p, struct rect r, const struct look *look)
{
	struct dialog *d = &p->ui->dialog;
	int n = dialog_rows(p->ui, p->view);

	d->rows = r.h;
	if (d->selected >= n)
		d->selected = n > 0 ? n - 1 : 0;
	if (d->top > d->selected)
		d->top = d->selected;
	if (d->top < d->selected - r.h + 1)
		d->top = d->selected - r.h + 1;
	for (int i = 0; i < r.h && d->top + i < n; i++)
		paint_row(p, (struct rect){r.x, r.y + i, r.w, 1}, look, d->top + i);
	if (n == 0 && r.h > 0)
		canvas_text(p->canvas, r.x + 1, r.y, r.w - 2, paint_style(p->ui, THEME_GRAPH_TEXT), "nothing here");
}

// What the chosen field of a form may hold.
static void
field_hint(const struct dialog *d, char *buf, size_t size)
{
	const struct param_spec *spec = &d->workload->params[d->selected];
	size_t n;

	snprintf(buf, size, "%s", spec->help ? spec->help : "");
	n = strlen(buf);
	if (spec->kind == PARAM_CHOICE && spec->choices)
		snprintf(buf + n, size - n, "  one of %s", spec->choices);
	else if (spec->min <= spec->max && spec->kind != PARAM_BOOL && spec->kind != PARAM_TEXT)
		snprintf(buf + n, size - n, "  %g to %g %s", spec->min, spec->max, spec->unit ? spec->unit : "");
}

// The line below the list: an error, or what there is to say.
static void
paint_hint(struct paint *p, struct rect r)
{
	const struct dialog *d = &p->ui->dialog;
	char text[800] = "";

	if (d->error[0]) {
		canvas_wrap(p->canvas, r, paint_style(p->ui, THEME_BAD), d->error);
		return;
	}
	if (d->kind == DIALOG_FORM && form_fields(d->workload) > 0)
		field_hint(d, text, sizeof(text));
	else if (d->kind == DIALOG_DELETE)
		snprintf(text, sizeof(text), "Delete the saved session %s? It cannot be brought back.", d->name);
	else if (d->kind == DIALOG_DESTROY)
		snprintf(text, sizeof(text), "%s, %s, as target %s. To destroy what is on it, type: %s", p->view->destroy.device,
			 p->view->destroy.what, p->view->destroy.side == SIDE_A ? "A" : "B", p->view->destroy.expect);
	else if (d->kind == DIALOG_LIBRARY && (d->searching || d->edit.text[0]))
		snprintf(text, sizeof(text), "search: %s%s", d->edit.text, d->searching ? "_" : "");
	canvas_wrap(p->canvas, r, paint_style(p->ui, THEME_GRAPH_TEXT), text);
}

void
panel_dialog(struct paint *p)
{
	const struct dialog *d = &p->ui->dialog;
	const struct look *look = &looks[d->kind];
	int list = d->kind != DIALOG_DELETE && d->kind != DIALOG_NOTE && d->kind != DIALOG_DESTROY;
	int n = list ? dialog_rows(p->ui, p->view) : 0, hint = 2, edit = look->edit != NULL;
	struct rect r = centered(p->canvas, look->w, (n < 4 && list ? 4 : n) + hint + edit + 3), inner;
	char title[96];

	if (r.h > p->canvas->h - 2 && p->canvas->h > 10)
		r = centered(p->canvas, look->w, p->canvas->h - 2);
	snprintf(title, sizeof(title), "%s%s", look->title,
		 d->kind == DIALOG_TARGETS ? (d->side == SIDE_A ? " A" : " B") : d->kind == DIALOG_FORM ? ": " : "");
	if (d->kind == DIALOG_FORM)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), "%s", d->workload->name);
	canvas_fill(p->canvas, r, ' ', paint_style(p->ui, THEME_MAIN_FG));
	ui_hit(p->ui, r, HIT_DIALOG, 0);
	inner = paint_box(p, r, paint_style(p->ui, d->kind == DIALOG_DESTROY ? THEME_BAD : THEME_PROC_BOX),
			  paint_bold(p->ui, d->kind == DIALOG_DESTROY ? THEME_BAD : THEME_TITLE), title);
	if (edit && inner.h > 0)
		paint_edit(p, (struct rect){inner.x, inner.y, inner.w, 1}, look->edit, d->edit.text);
	if (inner.h > edit + hint + 1 && list)
		paint_list(p, (struct rect){inner.x, inner.y + edit, inner.w, inner.h - edit - hint - 1}, look);
	if (inner.h > hint)
		paint_hint(p, (struct rect){inner.x + 1, inner.y + inner.h - hint - 1, inner.w - 2, hint});
	if (inner.h > 0)
		paint_buttons(p, (struct rect){inner.x, inner.y + inner.h - 1, inner.w, 1}, look);
}

void
panel_quit(struct paint *p)
{
	static const struct look look = {"quit", 58, 0, NULL, {{'y', "y quit"}, {'n', "n go on"}}};
	struct rect r = centered(p->canvas, look.w, 5), inner;

	canvas_fill(p->canvas, r, ' ', paint_style(p->ui, THEME_MAIN_FG));
	ui_hit(p->ui, r, HIT_DIALOG, 0);
	inner = paint_box(p, r, paint_style(p->ui, THEME_BAD), paint_bold(p->ui, THEME_TITLE), look.title);
	canvas_text(p->canvas, inner.x + 1, inner.y, inner.w - 2, paint_bold(p->ui, THEME_MAIN_FG),
		    "Something runs. Stop it, save what was measured, quit?");
	paint_buttons(p, (struct rect){inner.x, inner.y + 2, inner.w, 1}, &look);
}
