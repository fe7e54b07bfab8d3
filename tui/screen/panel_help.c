// SPDX-License-Identifier: MIT
// The key help, and the question before leaving.
#include "screen/paint.h"

#include "screen/text.h"

#include <stdio.h>
#include <string.h>

static struct rect
centered(const struct canvas *c, int w, int h)
{
	w = w > c->w ? c->w : w;
	h = h > c->h ? c->h : h;
	return (struct rect){(c->w - w) / 2, (c->h - h) / 2, w, h};
}

void
panel_help(struct paint *p)
{
	struct rect r = centered(p->canvas, 76, p->canvas->h - 2), inner;
	int rows, n = ACTIONS - 1;

	canvas_fill(p->canvas, r, ' ', paint_style(p->ui, THEME_MAIN_FG));
	inner = paint_box(p, r, paint_style(p->ui, THEME_PROC_BOX), paint_bold(p->ui, THEME_TITLE), "keys");
	rows = inner.h;
	if (p->ui->dialog.top > n - rows)
		p->ui->dialog.top = n - rows;
	if (p->ui->dialog.top < 0)
		p->ui->dialog.top = 0;
	for (int i = 0; i < rows && i + p->ui->dialog.top < n; i++) {
		int action = 1 + i + p->ui->dialog.top;
		char keys[64] = "", key[32];
		for (int k = 0; k < KEYMAP_KEYS_MAX && p->ui->keymap.key[action][k]; k++) {
			key_format(p->ui->keymap.key[action][k], key, sizeof(key));
			snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys), "%s%s", k ? "  " : "", key);
		}
		canvas_text(p->canvas, inner.x + 1, inner.y + i, 14, paint_bold(p->ui, THEME_HI_FG), keys);
		canvas_text(p->canvas, inner.x + 17, inner.y + i, inner.w - 18, paint_style(p->ui, THEME_MAIN_FG),
			    action_table[action].help);
		ui_hit(p->ui, (struct rect){inner.x, inner.y + i, inner.w, 1}, HIT_ACTION, action);
	}
}

void
panel_quit(struct paint *p)
{
	struct rect r = centered(p->canvas, 56, 5), inner;

	canvas_fill(p->canvas, r, ' ', paint_style(p->ui, THEME_MAIN_FG));
	inner = paint_box(p, r, paint_style(p->ui, THEME_BAD), paint_bold(p->ui, THEME_TITLE), "quit");
	canvas_text(p->canvas, inner.x + 1, inner.y, inner.w - 2, paint_bold(p->ui, THEME_MAIN_FG),
		    "Something runs. Stop it, save what was measured, quit?");
	canvas_text(p->canvas, inner.x + 1, inner.y + 2, inner.w - 2, paint_style(p->ui, THEME_HI_FG), "y quit   n go on");
}
