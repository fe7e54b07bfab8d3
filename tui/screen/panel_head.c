// SPDX-License-Identifier: MIT
// The lines at the edges: what runs and how far it is, what the keys do, what
// happened last.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Draws text at x if it fits before end; returns where the next one goes.
static int
put_part(struct paint *p, int x, int end, int y, struct style style, const char *text)
{
	if (!*text || x + text_width(text) > end)
		return x;
	return x + canvas_text(p->canvas, x, y, end - x, style, text) + 2;
}

static int
put_progress(struct paint *p, int x, int end, int y)
{
	const struct view *v = p->view;
	char bar[128], text[48];
	int width = end - x > 60 ? 12 : 6;

	if (isnan(v->slice_done_s) || !(v->slice_s > 0) || x + width + 2 > end)
		return x;
	plot_bar(p->ui->glyphs, width, v->slice_done_s / v->slice_s, bar, sizeof(bar));
	canvas_put(p->canvas, x, y, 0x2595, paint_style(p->ui, THEME_DIV_LINE));
	canvas_text(p->canvas, x + 1, y, width, paint_style(p->ui, THEME_HI_FG), bar);
	canvas_put(p->canvas, x + 1 + width, y, 0x258f, paint_style(p->ui, THEME_DIV_LINE));
	x += width + 3;
	snprintf(text, sizeof(text), "%4.1f/%.1f s", v->slice_done_s, v->slice_s);
	return put_part(p, x, end, y, paint_style(p->ui, THEME_MAIN_FG), text);
}

static int
put_cost(struct paint *p, int end, int y)
{
	char text[96], share[32];

	format_short(QUANTITY_SHARE, p->view->own_cpu_share, share, sizeof(share));
	snprintf(text, sizeof(text), "own CPU %s  frame %.1f ms  late %lu", share, p->view->own_frame_ms, p->view->samples_late);
	canvas_text(p->canvas, end - text_width(text), y, text_width(text), paint_style(p->ui, THEME_PROC_MISC), text);
	return end - text_width(text) - 2;
}

void
panel_head(struct paint *p, struct rect r)
{
	const struct view *v = p->view;
	int end = r.x + r.w - 1, x = r.x + 1, help = end - 6;
	struct style plain = paint_style(p->ui, THEME_MAIN_FG), dim = paint_style(p->ui, THEME_GRAPH_TEXT);
	char text[128], time[32];

	canvas_text(p->canvas, help, r.y, 6, paint_style(p->ui, THEME_HI_FG), "? help");
	ui_hit(p->ui, (struct rect){help, r.y, 6, 1}, HIT_ACTION, ACTION_HELP);
	end = help - 2;
	if (p->ui->show_cost && r.w >= 80)
		end = put_cost(p, end, r.y);
	x = put_part(p, x, end, r.y, paint_bold(p->ui, THEME_TITLE), "ioduel");
	if (r.w >= 100)
		x = put_part(p, x, end, r.y, plain, v->workload);
	else // the workload gives way to what moves
		x += canvas_text(p->canvas, x, r.y, r.w / 3 < end - x ? r.w / 3 : end - x, plain, v->workload) + 2;
	x = put_part(p, x, end, r.y, paint_style(p->ui, THEME_PROC_MISC), v->plan);
	if (v->pair_now > 0) {
		snprintf(text, sizeof(text), "pair %d of %d", v->pair_now, v->pairs_planned);
		x = put_part(p, x, end, r.y, paint_bold(p->ui, THEME_MAIN_FG), text);
	}
	x = put_progress(p, x, end, r.y);
	if (!isnan(v->elapsed_s)) {
		format_duration(v->elapsed_s, time, sizeof(time));
		x = put_part(p, x, end, r.y, plain, time);
	}
	if (!isnan(v->left_s)) {
		format_duration(v->left_s, time, sizeof(time));
		snprintf(text, sizeof(text), "left %s", time);
		put_part(p, x, end, r.y, dim, text);
	}
}

void
panel_keys(struct paint *p, struct rect r)
{
	static const enum action order[] = {ACTION_FLIP, ACTION_PLAN, ACTION_RUN, ACTION_STOP, ACTION_QUIT, ACTION_VIEW,
		ACTION_SNAPSHOT, ACTION_WORKLOAD, ACTION_TARGETS, ACTION_NOTE, ACTION_LIBRARY, ACTION_EXPORT};
	static const enum action shown_order[] = {ACTION_FLIP, ACTION_PLAN, ACTION_RUN, ACTION_STOP, ACTION_WORKLOAD,
		ACTION_TARGETS, ACTION_VIEW, ACTION_SNAPSHOT, ACTION_NOTE, ACTION_LIBRARY, ACTION_EXPORT, ACTION_QUIT};
	enum { KEYS = sizeof(order) / sizeof(order[0]) };
	unsigned char fits[ACTIONS] = {0};
	int used = 0, x = r.x + 1;
	char key[32];

	for (int i = 0; i < KEYS; i++) {
		uint32_t code = p->ui->keymap.key[order[i]][0];
		int width;
		key_format(code, key, sizeof(key));
		width = text_width(key) + 1 + text_width(action_table[order[i]].label) + 3;
		if (!code || used + width > r.w)
			continue;
		used += width;
		fits[order[i]] = 1;
	}
	for (int i = 0; i < KEYS; i++) {
		int from = x;
		if (!fits[shown_order[i]])
			continue;
		key_format(p->ui->keymap.key[shown_order[i]][0], key, sizeof(key));
		x += canvas_text(p->canvas, x, r.y, r.w - x, paint_bold(p->ui, THEME_HI_FG), key) + 1;
		x += canvas_text(p->canvas, x, r.y, r.w - x, paint_style(p->ui, THEME_MAIN_FG), action_table[shown_order[i]].label);
		ui_hit(p->ui, (struct rect){from, r.y, x - from, 1}, HIT_ACTION, (int)shown_order[i]);
		x += 3;
	}
}

static const char *
mark_name(enum view_mark_kind kind)
{
	static const char *const names[] = {"A's turn", "B's turn", "end of turn", "phase", "note", "error", "throttled"};

	return names[kind <= MARK_THROTTLE ? kind : MARK_PHASE];
}

// The last mark with something to say in the column of the cursor.
static const struct view_mark *
mark_at_cursor(const struct paint *p)
{
	const struct view_mark *found = NULL;

	for (int i = 0; i < p->view->n_marks; i++) {
		const struct view_mark *mark = &p->view->marks[i];
		int64_t off = mark->t_ns - p->ui->cursor_ns;
		if (mark->text[0] && (off < 0 ? -off : off) <= p->ui->column_ns)
			found = mark;
	}
	return found;
}

void
panel_message(struct paint *p, struct rect r)
{
	const struct view *v = p->view;
	char text[320], at[32];
	struct style style = paint_style(p->ui, v->message_is_error ? THEME_BAD : THEME_MAIN_FG);

	if (p->ui->notice[0]) {
		canvas_text(p->canvas, r.x + 1, r.y, r.w - 2, paint_style(p->ui, THEME_PROC_MISC), p->ui->notice);
	} else if (v->message[0] && !p->ui->cursor_ns) {
		canvas_textf(p->canvas, r.x + 1, r.y, r.w - 2, style, "%s%s", v->message_is_error ? "! " : "", v->message);
	}
	if (p->ui->cursor_ns == 0 && p->ui->end_ns == 0)
		return;
	if (p->ui->cursor_ns) {
		const struct view_mark *mark = mark_at_cursor(p);
		if (mark)
			canvas_textf(p->canvas, r.x + 1, r.y, r.w / 2, paint_bold(p->ui, THEME_TITLE), "%s: %s",
				     mark_name(mark->kind), mark->text);
		format_age((double)(p->ui->cursor_ns - v->start_ns) / 1e9, at, sizeof(at));
		snprintf(text, sizeof(text), "cursor at %s", at);
	} else {
		format_age((double)(p->ui->end_ns - v->start_ns) / 1e9, at, sizeof(at));
		snprintf(text, sizeof(text), "scrolled back, up to %s", at);
	}
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "   Esc now");
	canvas_text(p->canvas, r.x + r.w - 1 - text_width(text), r.y, text_width(text), paint_style(p->ui, THEME_HI_FG), text);
	ui_hit(p->ui, (struct rect){r.x + r.w - 1 - text_width(text), r.y, text_width(text), 1}, HIT_ACTION, ACTION_END);
}
