// SPDX-License-Identifier: MIT
// What only the picture knows. One rule: an event changes the state here or
// becomes a command; nothing is drawn.
#include "screen/ui.h"

#include <stdio.h>
#include <string.h>

// Seconds that a graph shows at least; 0 = the whole session.
static const double zoom_seconds[] = {10, 20, 30, 60, 120, 300, 600, 1800, 3600, 4 * 3600, 12 * 3600, 0};
enum { ZOOMS = sizeof(zoom_seconds) / sizeof(zoom_seconds[0]), ZOOM_DEFAULT = 3 };

#define NS_PER_S INT64_C(1000000000)

void
ui_init(struct ui *ui)
{
	memset(ui, 0, sizeof(*ui));
	ui->zoom = ZOOM_DEFAULT;
	theme_init(&ui->theme);
	keymap_init(&ui->keymap);
}

void
ui_hit(struct ui *ui, struct rect r, enum hit_kind kind, int arg)
{
	if (ui->n_hits < HITS_MAX && r.w > 0 && r.h > 0)
		ui->hits[ui->n_hits++] = (struct hit){r, kind, arg, 0, 0};
}

void
ui_hit_time(struct ui *ui, struct rect r, int64_t t0_ns, int64_t step_ns)
{
	int before = ui->n_hits;

	ui_hit(ui, r, HIT_TIME, 0);
	if (ui->n_hits > before) {
		ui->hits[before].t0_ns = t0_ns;
		ui->hits[before].step_ns = step_ns;
	}
}

int64_t
ui_newest(const struct view *view)
{
	return view->replay ? view->end_ns : view->now_ns;
}

// The narrowest column, of 50 ms times a power of two, with which the columns cover the time asked for: bins of the
// series never straddle two columns, so that what is drawn once stays as it is.
static int64_t
column_width(double seconds, int columns)
{
	int64_t width = SERIES_BASE_NS / 2;

	while ((double)width * columns < seconds * 1e9 && width < INT64_C(1) << 55)
		width *= 2;
	return width;
}

static int64_t
align_up(int64_t t, int64_t step)
{
	return t <= 0 ? 0 : (t + step - 1) / step * step;
}

struct ui_window
ui_window_make(const struct ui *ui, const struct view *view, int columns)
{
	double seconds = zoom_seconds[ui->zoom], session = (double)(ui_newest(view) - view->start_ns) / 1e9;
	struct ui_window window;
	int64_t end, step, relative;

	if (columns < 1)
		columns = 1;
	if (seconds == 0 || seconds > session * 2)
		seconds = session > 10 ? (seconds == 0 || session * 2 < seconds ? session : seconds) : 10;
	if (ui->zoom <= ZOOM_DEFAULT)
		seconds = zoom_seconds[ui->zoom];
	window.column_ns = column_width(seconds, columns);
	window.columns = columns;
	end = ui->end_ns ? ui->end_ns : ui_newest(view);
	// the picture moves on by a quarter at once: in between only new columns are drawn
	step = window.column_ns * (columns >= 8 ? columns / 4 : 1);
	if (ui->end_ns || view->replay)
		step = window.column_ns;
	relative = align_up(end - view->start_ns + (step > window.column_ns ? window.column_ns : 0), step);
	if (relative < window.column_ns * columns)
		relative = window.column_ns * columns;
	window.t0_ns = view->start_ns + relative - window.column_ns * columns;
	return window;
}

static void
set_layout(struct ui *ui, enum layout_kind kind)
{
	ui->layout = kind;
	ui->scroll = 0;
	snprintf(ui->notice, sizeof(ui->notice), "layout: %s", layout_name(kind));
}

static int64_t
clamp_time(const struct view *view, int64_t t)
{
	int64_t newest = ui_newest(view);

	return t < view->start_ns ? view->start_ns : t > newest ? newest : t;
}

static void
move_cursor(struct ui *ui, const struct view *view, int columns)
{
	int64_t from = ui->cursor_ns ? ui->cursor_ns : ui->end_ns ? ui->end_ns : ui_newest(view);
	int64_t edge;

	ui->cursor_ns = clamp_time(view, from + columns * ui->column_ns);
	edge = (ui->end_ns ? ui->end_ns : ui_newest(view)) - ui->window_ns;
	if (ui->cursor_ns < edge) // left of the picture: scroll with it
		ui->end_ns = clamp_time(view, ui->cursor_ns + ui->window_ns * 7 / 8);
	if (ui->end_ns && ui->cursor_ns > ui->end_ns)
		ui->end_ns = ui->cursor_ns >= ui_newest(view) ? 0 : ui->cursor_ns;
}

static void
scroll_time(struct ui *ui, const struct view *view, int64_t by_ns)
{
	int64_t end = (ui->end_ns ? ui->end_ns : ui_newest(view)) + by_ns;

	if (end >= ui_newest(view))
		ui->end_ns = 0;
	else
		ui->end_ns = end < view->start_ns + ui->window_ns ? clamp_time(view, view->start_ns + ui->window_ns) : end;
	if (ui->end_ns >= ui_newest(view))
		ui->end_ns = 0;
}

static void
zoom(struct ui *ui, int by)
{
	int to = ui->zoom + by;

	ui->zoom = to < 0 ? 0 : to >= ZOOMS ? ZOOMS - 1 : to;
	memset(ui->held, 0, sizeof(ui->held));
	if (zoom_seconds[ui->zoom] == 0)
		snprintf(ui->notice, sizeof(ui->notice), "time: the whole session");
	else if (zoom_seconds[ui->zoom] < 120)
		snprintf(ui->notice, sizeof(ui->notice), "time: %.0f s", zoom_seconds[ui->zoom]);
	else if (zoom_seconds[ui->zoom] < 7200)
		snprintf(ui->notice, sizeof(ui->notice), "time: %.0f min", zoom_seconds[ui->zoom] / 60);
	else
		snprintf(ui->notice, sizeof(ui->notice), "time: %.0f h", zoom_seconds[ui->zoom] / 3600);
}

static enum command
command_of(enum action action)
{
	switch (action) {
	case ACTION_FLIP: return COMMAND_FLIP;
	case ACTION_PLAN: return COMMAND_PLAN;
	case ACTION_RUN: return COMMAND_RUN;
	case ACTION_STOP: return COMMAND_STOP;
	case ACTION_SNAPSHOT: return COMMAND_SNAPSHOT;
	case ACTION_QUIT: return COMMAND_QUIT;
	case ACTION_SUSPEND: return COMMAND_SUSPEND;
	default: return COMMAND_NONE;
	}
}

static int
time_action(struct ui *ui, const struct view *view, enum action action)
{
	switch (action) {
	case ACTION_LEFT: move_cursor(ui, view, -1); return 1;
	case ACTION_RIGHT: move_cursor(ui, view, 1); return 1;
	case ACTION_BACK: scroll_time(ui, view, -ui->window_ns / 2); return 1;
	case ACTION_FORWARD: scroll_time(ui, view, ui->window_ns / 2); return 1;
	case ACTION_HOME: scroll_time(ui, view, view->start_ns - ui_newest(view)); return 1;
	case ACTION_END:
		ui->end_ns = ui->cursor_ns = 0;
		return 1;
	case ACTION_ZOOM_IN: zoom(ui, -1); return 1;
	case ACTION_ZOOM_OUT: zoom(ui, 1); return 1;
	default: return 0;
	}
}

static void
toggle(struct ui *ui, int *flag, const char *on, const char *off)
{
	*flag = !*flag;
	memset(ui->held, 0, sizeof(ui->held));
	snprintf(ui->notice, sizeof(ui->notice), "%s", *flag ? on : off);
}

static void
next_log(struct ui *ui)
{
	static const char *const words[] = {"latency logarithmic, the rest linear", "all graphs logarithmic", "all graphs linear"};

	ui->log_scale = ui->log_scale == LOG_LATENCY ? LOG_ALL : ui->log_scale == LOG_ALL ? LOG_NONE : LOG_LATENCY;
	memset(ui->held, 0, sizeof(ui->held));
	snprintf(ui->notice, sizeof(ui->notice), "%s", words[ui->log_scale]);
}

// The screen's own settings, as lines of the configuration.
static void
save_config(const struct ui *ui, struct command_event *ret)
{
	ret->command = COMMAND_SAVE_CONFIG;
	snprintf(ret->text, sizeof(ret->text), "layout = %s\ntheme = %s\nglyphs = %s\n", layout_name(ui->layout), ui->theme.name,
		 glyphs_name(ui->glyphs));
}

static int
open_dialog(struct ui *ui, const struct view *view, enum action action, struct command_event *ret)
{
	static const struct { enum action action; enum dialog_kind kind; int refresh; } table[] = {
		{ACTION_HELP, DIALOG_HELP, 0}, {ACTION_TARGETS, DIALOG_TARGETS, 1}, {ACTION_WORKLOAD, DIALOG_WORKLOAD, 0},
		{ACTION_LIBRARY, DIALOG_LIBRARY, 1}, {ACTION_OUTPUT, DIALOG_OUTPUT, 0}, {ACTION_NOTE, DIALOG_NOTE, 0},
		{ACTION_EXPORT, DIALOG_EXPORT, 0}, {ACTION_THEME, DIALOG_THEME, 0},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].action == action) {
			dialog_open(ui, view, table[i].kind);
			ret->command = table[i].refresh ? COMMAND_REFRESH : COMMAND_NONE;
			return 1;
		}
	return 0;
}

int
ui_action(struct ui *ui, const struct view *view, enum action action, struct command_event *ret)
{
	ret->command = command_of(action);
	if (ret->command != COMMAND_NONE || time_action(ui, view, action))
		return 1;
	if (action >= ACTION_VIEW_SIDE && action <= ACTION_VIEW_ONE) {
		set_layout(ui, (enum layout_kind)(action - ACTION_VIEW_SIDE));
		return 1;
	}
	switch (action) {
	case ACTION_VIEW: set_layout(ui, (enum layout_kind)((ui->layout + 1) % LAYOUT_KINDS)); return 1;
	case ACTION_UP: ui->scroll -= ui->scroll > 0; return 1;
	case ACTION_DOWN: ui->scroll++; return 1;
	case ACTION_LOG: next_log(ui); return 1;
	case ACTION_SCALE: toggle(ui, &ui->own_scales, "each side has its own scale", "one scale for both sides"); return 1;
	case ACTION_COST: ui->show_cost = !ui->show_cost; return 1;
	case ACTION_REDRAW: ui->redraw = 1; return 1;
	case ACTION_SAVE_CONFIG: save_config(ui, ret); return 1;
	default: return open_dialog(ui, view, action, ret);
	}
}

static int
is_inside(const struct hit *hit, const struct input *input)
{
	return input->x >= hit->r.x && input->y >= hit->r.y && input->x < hit->r.x + hit->r.w && input->y < hit->r.y + hit->r.h;
}

// While a dialog is open only its own parts answer; a click beside it closes it.
static int
click_dialog(struct ui *ui, const struct view *view, const struct hit *hit, struct command_event *ret)
{
	if (!hit || hit->kind == HIT_ACTION || hit->kind == HIT_TIME)
		return dialog_key(ui, view, KEYC_ESC, ret);
	if (hit->kind == HIT_BUTTON)
		return dialog_key(ui, view, (uint32_t)hit->arg, ret);
	if (hit->kind != HIT_ROW)
		return 0;
	if (ui->dialog.selected == hit->arg && ui->dialog.kind != DIALOG_FORM)
		return dialog_key(ui, view, KEYC_ENTER, ret);
	// chosen by a step from its neighbour, so that what goes with choosing happens
	ui->dialog.selected = hit->arg + 1;
	return dialog_key(ui, view, KEYC_UP, ret);
}

static int
quit_key(uint32_t key, enum action action, struct command_event *ret)
{
	if (key == 'y' || key == 'Y' || key == KEYC_ENTER || action == ACTION_QUIT)
		ret->command = COMMAND_CONFIRM;
	else if (key == 'n' || key == 'N' || key == KEYC_ESC)
		ret->command = COMMAND_CANCEL;
	return ret->command != COMMAND_NONE;
}

static int
click(struct ui *ui, const struct view *view, const struct input *input, struct command_event *ret)
{
	const struct hit *hit = NULL;

	for (int i = ui->n_hits - 1; i >= 0 && !hit; i--)
		if (is_inside(&ui->hits[i], input))
			hit = &ui->hits[i];
	if (view->asking_quit)
		return hit && hit->kind == HIT_BUTTON ? quit_key((uint32_t)hit->arg, ACTION_NONE, ret) : 0;
	if (ui->dialog.kind != DIALOG_NONE)
		return click_dialog(ui, view, hit, ret);
	if (hit && hit->kind == HIT_ACTION)
		return ui_action(ui, view, (enum action)hit->arg, ret);
	if (hit && hit->kind == HIT_TIME) {
		ui->cursor_ns = clamp_time(view, hit->t0_ns + (input->x - hit->r.x) * hit->step_ns + hit->step_ns / 2);
		return 1;
	}
	return 0;
}

int
ui_input(struct ui *ui, const struct view *view, const struct input *input, struct command_event *ret)
{
	enum action action = ACTION_NONE;
	int up = input->kind == INPUT_WHEEL_UP;

	memset(ret, 0, sizeof(*ret));
	ui->notice[0] = '\0';
	if (input->kind == INPUT_CLICK)
		return click(ui, view, input, ret);
	if (up || input->kind == INPUT_WHEEL_DOWN) {
		if (ui->dialog.kind != DIALOG_NONE)
			return dialog_key(ui, view, up ? KEYC_UP : KEYC_DOWN, ret);
		scroll_time(ui, view, up ? -ui->window_ns / 8 : ui->window_ns / 8);
		return 1;
	}
	if (input->kind != INPUT_KEY)
		return 0;
	action = keymap_find(&ui->keymap, input->key);
	if (view->asking_quit)
		return quit_key(input->key, action, ret);
	if (action == ACTION_SUSPEND) {
		ret->command = COMMAND_SUSPEND;
		return 1;
	}
	if (ui->dialog.kind != DIALOG_NONE)
		return dialog_key(ui, view, input->key, ret);
	if (input->key == KEYC_ESC) {
		ui->cursor_ns = ui->end_ns = 0;
		return 1;
	}
	return ui_action(ui, view, action, ret);
}
