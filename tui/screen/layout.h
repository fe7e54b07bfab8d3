// SPDX-License-Identifier: MIT
// Where the panels lie. Pure arithmetic for every size: a panel that is shown
// lies inside the screen, is not empty and overlaps no other.
#ifndef IODUEL_SCREEN_LAYOUT_H
#define IODUEL_SCREEN_LAYOUT_H

#include "screen/canvas.h"

#define LAYOUT_MIN_W 60
#define LAYOUT_MIN_H 16

enum layout_kind {
	LAYOUT_SIDE, LAYOUT_OVERLAY, LAYOUT_VERDICT, LAYOUT_LATENCY, LAYOUT_DEVICES, LAYOUT_ONE, LAYOUT_KINDS
};

// "side", "overlay", "verdict", "latency", "devices", "one"; -1 if text is none of them.
const char *layout_name(enum layout_kind kind);
int layout_parse(const char *text);

enum panel {
	PANEL_HEAD,    // workload, plan, progress
	PANEL_A, PANEL_B, // one side each
	PANEL_MAIN,    // what both sides share
	PANEL_VERDICT,
	PANEL_MESSAGE, PANEL_KEYS,
	PANEL_N
};

struct layout {
	int too_small; // only a sentence fits
	struct rect panel[PANEL_N]; // w 0 = not shown
};

// verdict_rows: lines that the verdict panel would like to have. sides: 1 or 2.
void layout_make(enum layout_kind kind, int w, int h, int sides, int verdict_rows, struct layout *ret);

// The sections of a side's panel: a title line each, a graph below where there is room.
enum { SECTIONS_MAX = 4 };
struct section {
	int title_y;	 // -1 = not shown
	int graph_y, graph_h; // graph_h 0 = title only
};
// h: inner lines without the time axis. Section 0 is the most important one.
void layout_sections(int h, int n, struct section *ret);

#endif
