// SPDX-License-Identifier: MIT
// Where the panels lie. Pure; one rule: sizes are handed out from the edges
// inwards, and what remains goes to the graphs.
#include "screen/layout.h"

#include <string.h>

static const char *const names[LAYOUT_KINDS] = {"side", "overlay", "verdict", "latency", "devices", "one"};

const char *
layout_name(enum layout_kind kind)
{
	return names[kind];
}

int
layout_parse(const char *text)
{
	for (int i = 0; i < LAYOUT_KINDS; i++)
		if (text && strcmp(text, names[i]) == 0)
			return i;
	return -1;
}

// Height of the verdict panel with its frame: never more than a third, less where graphs would starve.
static int
verdict_height(enum layout_kind kind, int h, int rows)
{
	int want = rows + 2, most = h < 30 ? h / 4 : h / 3;

	if (kind == LAYOUT_VERDICT)
		return 0;
	if (kind == LAYOUT_DEVICES || kind == LAYOUT_LATENCY)
		most = h / 5;
	if (want > most)
		want = most;
	return want < 3 ? 3 : want;
}

void
layout_make(enum layout_kind kind, int w, int h, int sides, int verdict_rows, struct layout *ret)
{
	int top = 1, bottom = h - 1, verdict, left;

	memset(ret, 0, sizeof(*ret));
	if (w < LAYOUT_MIN_W || h < LAYOUT_MIN_H) {
		ret->too_small = 1;
		return;
	}
	ret->panel[PANEL_HEAD] = (struct rect){0, 0, w, 1};
	ret->panel[PANEL_KEYS] = (struct rect){0, bottom, w, 1};
	if (h >= 20) {
		bottom--;
		ret->panel[PANEL_MESSAGE] = (struct rect){0, bottom, w, 1};
	}
	verdict = verdict_height(kind, h, verdict_rows);
	if (verdict) {
		bottom -= verdict;
		ret->panel[PANEL_VERDICT] = (struct rect){0, bottom, w, verdict};
	}
	left = sides < 2 ? w : (w + 1) / 2;
	switch (kind) {
	case LAYOUT_OVERLAY:
	case LAYOUT_VERDICT:
		ret->panel[PANEL_MAIN] = (struct rect){0, top, w, bottom - top};
		break;
	case LAYOUT_DEVICES: // tables are wide: one below the other
		left = sides < 2 ? bottom - top : (bottom - top + 1) / 2;
		ret->panel[PANEL_A] = (struct rect){0, top, w, left};
		if (sides >= 2)
			ret->panel[PANEL_B] = (struct rect){0, top + left, w, bottom - top - left};
		break;
	case LAYOUT_ONE:
		ret->panel[PANEL_A] = (struct rect){0, top, w, bottom - top};
		break;
	default:
		ret->panel[PANEL_A] = (struct rect){0, top, left, bottom - top};
		if (sides >= 2)
			ret->panel[PANEL_B] = (struct rect){left, top, w - left, bottom - top};
	}
}

void
layout_sections(int h, int n, struct section *ret)
{
	int shown = n, graphs, rest, y = 0;

	for (int i = 0; i < n; i++)
		ret[i] = (struct section){-1, 0, 0};
	if (shown > h)
		shown = h < 0 ? 0 : h;
	// a graph needs two lines to say anything; the last sections lose theirs first
	rest = h - shown;
	graphs = rest / 2 < shown ? rest / 2 : shown;
	for (int i = 0; i < shown; i++) {
		ret[i].title_y = y++;
		if (i < graphs) {
			int lines = rest / (graphs - i);
			// what cannot be shared evenly goes to the first ones
			if (rest % (graphs - i))
				lines++;
			ret[i].graph_y = y;
			ret[i].graph_h = lines;
			y += lines;
			rest -= lines;
		}
	}
}
