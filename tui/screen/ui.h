// SPDX-License-Identifier: MIT
// What only the picture knows: layout, zoom, cursor, colours, the open dialog.
// Keys and clicks change it or come out as commands; no terminal is involved.
#ifndef IODUEL_SCREEN_UI_H
#define IODUEL_SCREEN_UI_H

#include "screen/dialog.h"
#include "screen/keymap.h"
#include "screen/keys.h"
#include "screen/layout.h"
#include "screen/plot.h"
#include "screen/theme.h"
#include "session/view.h"

enum hit_kind { HIT_NONE, HIT_ACTION, HIT_TIME, HIT_ROW, HIT_FIELD, HIT_BUTTON, HIT_DIALOG };

// A part of the picture that answers a click.
struct hit {
	struct rect r;
	enum hit_kind kind;
	int arg; // action, row, field or button
	int64_t t0_ns, step_ns; // HIT_TIME: instant of the first cell, time of a cell
};
#define HITS_MAX 400

// The graphs that share a scale.
enum graph_group { GROUP_BYTES, GROUP_DEVICE_BYTES, GROUP_IOPS, GROUP_LATENCY, GROUP_CPU, GROUP_QUEUE, GROUPS };

struct ui {
	enum layout_kind layout;
	enum glyphs glyphs;
	enum { LOG_LATENCY, LOG_ALL, LOG_NONE } log_scale;
	int own_scales; // each side its own scale
	int zoom;	// index of the time shown
	int64_t end_ns; // right edge while scrolled back, 0 = now
	int64_t cursor_ns; // 0 = none
	int scroll;	// of tables
	int show_cost;
	int redraw;	// everything is to be sent again
	struct theme theme;
	const char *const *theme_dirs;
	size_t n_theme_dirs;
	struct keymap keymap;
	struct dialog dialog;
	struct theme_names themes; // that the picker offers
	struct plot_scale held[SIDES][GROUPS]; // hi 0 = none yet
	int64_t column_ns; // of the graphs drawn last, for moving the cursor
	int64_t window_ns;
	int n_hits;
	struct hit hits[HITS_MAX];
	char notice[160]; // of the screen itself ("one scale for both"), until the next key
};

void ui_init(struct ui *ui);

// One event. Returns 1 if it changed the picture or made a command.
int ui_input(struct ui *ui, const struct view *view, const struct input *input, struct command_event *ret);

// Carries out an action as if its key had been pressed.
int ui_action(struct ui *ui, const struct view *view, enum action action, struct command_event *ret);

void ui_hit(struct ui *ui, struct rect r, enum hit_kind kind, int arg);
void ui_hit_time(struct ui *ui, struct rect r, int64_t t0_ns, int64_t step_ns);

// The time that a graph of so many columns shows.
struct ui_window {
	int64_t t0_ns, column_ns;
	int columns;
};
struct ui_window ui_window_make(const struct ui *ui, const struct view *view, int columns);

// The last instant that has data: now, or the end of a saved session.
int64_t ui_newest(const struct view *view);

#endif
