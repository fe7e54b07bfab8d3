// SPDX-License-Identifier: MIT
// The verdict in short: the sentence, the most important figures, the warnings.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct style
paint_verdict(const struct paint *p, enum verdict_word word)
{
	switch (word) {
	case VERDICT_A: return paint_side(p->ui, SIDE_A);
	case VERDICT_B: return paint_side(p->ui, SIDE_B);
	case VERDICT_NONE: return paint_bold(p->ui, THEME_BAD);
	default: return paint_bold(p->ui, THEME_MAIN_FG);
	}
}

struct style
paint_level(const struct paint *p, enum warning_level level)
{
	return level == LEVEL_RED ? paint_bold(p->ui, THEME_BAD)
	     : level == LEVEL_YELLOW ? paint_style(p->ui, THEME_WARN) : paint_style(p->ui, THEME_GRAPH_TEXT);
}

static int
has_figures(const struct metric_result *m)
{
	return !isnan(m->mean[SIDE_A]) || !isnan(m->mean[SIDE_B]);
}

static int
count_figures(const struct result *r)
{
	int n = 0;

	for (int i = 0; i < r->n_metrics; i++)
		n += has_figures(&r->metric[i]);
	return n;
}

int
panel_verdict_rows(struct paint *p)
{
	const struct result *r = p->view->result;
	struct rect none = {0, 0, p->canvas->w - 4, 0};
	int figures = count_figures(r), rows;

	rows = r->verdict.text[0] ? canvas_wrap(p->canvas, none, (struct style){0, 0, 0}, r->verdict.text) : 1;
	return rows + (figures > 4 ? 4 : figures) + (r->n_warnings > 3 ? 3 : r->n_warnings);
}

// "A 347 k  B 125 k  B/A 0.361  A is better"
static void
paint_figures(struct paint *p, struct rect r, const struct metric_result *m)
{
	const struct metric_info *info = &metric_table[m->id];
	double factor;
	enum quantity q = format_unit(info->unit, &factor);
	int x = r.x, end = r.x + r.w;
	char text[96];

	x += r.w >= 100 ? 22 : 14;
	canvas_text(p->canvas, r.x, r.y, x - r.x - 1, paint_style(p->ui, THEME_MAIN_FG), info->label);
	for (int side = 0; side < SIDES; side++) {
		x += canvas_text(p->canvas, x, r.y, end - x, paint_side(p->ui, side), side == SIDE_A ? "A" : "B");
		format_quantity(q, m->mean[side] * factor, text, sizeof(text));
		// columns of different units stay below each other
		canvas_text(p->canvas, x, r.y, end - x, paint_bold(p->ui, THEME_MAIN_FG), text);
		x += format_width(QUANTITY_BYTES_PER_S) + 2;
	}
	if (end - x < 12)
		return;
	format_quantity(QUANTITY_RATIO, m->ratio, text, sizeof(text));
	x += canvas_textf(p->canvas, x, r.y, end - x, paint_style(p->ui, THEME_MAIN_FG), "B/A %s", text) + 2;
	if (!isnan(m->lo) && !isnan(m->hi) && end - x > 30)
		x += canvas_textf(p->canvas, x, r.y, end - x, paint_style(p->ui, THEME_GRAPH_TEXT), "%.3f..%.3f (%.3g %%)",
				  m->lo, m->hi, m->confidence * 100) + 2;
	if (end - x > 6)
		canvas_text(p->canvas, x, r.y, end - x, paint_verdict(p, m->verdict), m->words);
}

static int
paint_warnings(struct paint *p, struct rect r, int y)
{
	const struct result *result = p->view->result;

	for (int level = LEVEL_RED; level >= LEVEL_INFO; level--)
		for (int i = 0; i < result->n_warnings && y < r.h; i++) {
			const struct warning *w = &result->warnings[i];
			if ((int)w->level != level)
				continue;
			canvas_textf(p->canvas, r.x, r.y + y++, r.w, paint_level(p, w->level), "%s %s",
				     w->level == LEVEL_INFO ? "i" : "!", w->text);
		}
	return y;
}

void
panel_verdict(struct paint *p, struct rect r)
{
	const struct result *result = p->view->result;
	struct rect inner = paint_box(p, r, paint_style(p->ui, THEME_MEM_BOX), paint_bold(p->ui, THEME_TITLE), "verdict");
	const char *text = result->verdict.text[0] ? result->verdict.text : "no pairs yet: Space starts the plan";
	int y, warnings = result->n_warnings > 0;

	inner.x++;
	inner.w -= 2;
	y = canvas_wrap(p->canvas, (struct rect){inner.x, inner.y, inner.w, inner.h - (warnings && inner.h > 1)}, paint_verdict(p, result->verdict.text[0] ? result->verdict.word : VERDICT_UNDECIDED), text);
	// at least one warning is seen, however little room there is
	for (int i = 0; i < result->n_metrics && y < inner.h - warnings; i++)
		if (has_figures(&result->metric[i]) && result_shows_metric(result, i))
			paint_figures(p, (struct rect){inner.x, inner.y + y++, inner.w, 1}, &result->metric[i]);
	if (y >= inner.h && warnings)
		y = inner.h - 1;
	if (inner.h > 1)
		paint_warnings(p, inner, y);
	ui_hit(p->ui, r, HIT_ACTION, ACTION_VIEW_VERDICT);
}
