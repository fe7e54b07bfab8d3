// SPDX-License-Identifier: MIT
// The screen as the program sees it: options, frames and keys. One rule: it
// draws what the view says and returns commands; it changes nothing else.
#include "screen/screen.h"

#include "screen/paint.h"
#include "screen/terminal.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct screen {
	struct terminal terminal;
	struct ui ui;
	struct canvas now, shown;
	struct keys keys;
	int all; // nothing of what is shown can be relied on
	struct theme_dirs dirs;
	char complaints[2048];
};

static void
complain(struct screen *s, const char *text)
{
	size_t n = strlen(s->complaints);

	snprintf(s->complaints + n, sizeof(s->complaints) - n, "%s\n", text);
}

static void
choose_glyphs(struct screen *s, const char *wanted)
{
	int glyphs = glyphs_parse(wanted);
	char text[160];

	if (wanted && glyphs < 0) {
		snprintf(text, sizeof(text), "there are no glyphs \"%.40s\": braille, block, ascii", wanted);
		complain(s, text);
	}
	if (glyphs >= 0)
		s->ui.glyphs = (enum glyphs)glyphs;
	else if (!s->terminal.utf8)
		s->ui.glyphs = GLYPHS_ASCII;
	else
		s->ui.glyphs = s->terminal.linux_console ? GLYPHS_BLOCK : GLYPHS_BRAILLE;
}

static void
apply_options(struct screen *s, const struct screen_options *options)
{
	int layout = layout_parse(options->layout);
	struct error err;
	char text[160];

	choose_glyphs(s, options->glyphs);
	if (layout >= 0)
		s->ui.layout = (enum layout_kind)layout;
	else if (options->layout) {
		snprintf(text, sizeof(text), "there is no layout \"%.40s\": side, overlay, verdict, latency, devices, one",
			 options->layout);
		complain(s, text);
	}
	theme_default_dirs(&s->dirs);
	if (options->theme_dirs[0]) {
		memcpy(s->dirs.dir, options->theme_dirs, sizeof(s->dirs.dir));
		s->dirs.n = THEME_DIRS_MAX;
	}
	s->ui.theme_dirs = s->dirs.dir;
	s->ui.n_theme_dirs = s->dirs.n;
	if (options->theme && theme_load(&s->ui.theme, options->theme, s->ui.theme_dirs, s->ui.n_theme_dirs, &err) < 0)
		complain(s, err.text);
	if (s->terminal.depth == DEPTH_MONO)
		s->ui.theme.mono = 1;
	for (size_t i = 0; i < options->n_keys; i++)
		if (keymap_set(&s->ui.keymap, options->keys[i].action, options->keys[i].keys, options->keys[i].line, &err) < 0)
			complain(s, err.text);
}

// Where the user asks for symbols that the locale cannot have, a locale that every system has can.
static void
widen_locale(const char *glyphs)
{
	if (glyphs && strcmp(glyphs, "ascii") != 0 && MB_CUR_MAX == 1 && glyphs_parse(glyphs) >= 0)
		setenv("LC_CTYPE", "C.UTF-8", 0);
}

struct screen *
screen_new(const struct screen_options *options, struct error *err)
{
	struct screen *s = calloc(1, sizeof(*s));

	if (!s) {
		error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	widen_locale(options->glyphs);
	if (terminal_open(&s->terminal, options->mouse, err) < 0) {
		free(s);
		return NULL;
	}
	ui_init(&s->ui);
	apply_options(s, options);
	s->all = 1;
	return s;
}

void
screen_free(struct screen *s)
{
	if (!s)
		return;
	terminal_close(&s->terminal);
	canvas_fini(&s->now);
	canvas_fini(&s->shown);
	free(s);
}

const char *
screen_complaints(const struct screen *s)
{
	return s->complaints;
}

void
screen_suspend(struct screen *s)
{
	terminal_suspend(&s->terminal);
}

void
screen_resume(struct screen *s)
{
	terminal_resume(&s->terminal);
	s->all = 1;
}

void
screen_resized(struct screen *s)
{
	s->all = 1;
}

void
screen_draw(struct screen *s, const struct view *view)
{
	int w, h;

	if (s->all || s->ui.redraw || !s->now.cell) {
		if (terminal_resize(&s->terminal, &w, &h) < 0 || canvas_resize(&s->now, w, h) < 0 || canvas_resize(&s->shown, w, h) < 0)
			return;
	}
	paint_frame(&s->now, &s->ui, view);
	if (!s->terminal.utf8)
		canvas_to_ascii(&s->now, true);
	terminal_draw(&s->terminal, &s->now, &s->shown, s->all || s->ui.redraw);
	memcpy(s->shown.cell, s->now.cell, (size_t)s->now.w * (size_t)s->now.h * sizeof(*s->now.cell));
	s->all = s->ui.redraw = 0;
}

// Waits for the rest of a sequence that has begun; a lone Esc needs this long to be sure of.
#define ESCAPE_MS 20

// Reads what is there. 1 = bytes came, 0 = none, -errno = the terminal is gone.
static int
fill(struct screen *s, int timeout_ms)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	unsigned char buf[256];
	size_t room = keys_room(&s->keys);
	ssize_t n;

	if (room == 0)
		return 0;
	if (poll(&in, 1, timeout_ms) <= 0)
		return 0;
	if (!(in.revents & POLLIN))
		return -EIO;
	n = read(STDIN_FILENO, buf, room < sizeof(buf) ? room : sizeof(buf));
	if (n == 0)
		return -EIO;
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	keys_add(&s->keys, buf, (size_t)n);
	return 1;
}

int
screen_input(struct screen *s, const struct view *view, struct command_event *ret)
{
	struct input input;
	int rc, changed = 0;

	memset(ret, 0, sizeof(*ret));
	for (;;) {
		while (keys_next(&s->keys, 0, &input)) {
			changed |= ui_input(&s->ui, view, &input, ret);
			if (ret->command != COMMAND_NONE)
				return 1;
		}
		rc = fill(s, s->keys.n > 0 ? ESCAPE_MS : 0);
		if (rc < 0)
			return rc;
		if (rc == 0)
			break;
	}
	while (s->keys.n > 0 && keys_next(&s->keys, 1, &input)) {
		changed |= ui_input(&s->ui, view, &input, ret);
		if (ret->command != COMMAND_NONE)
			return 1;
	}
	return changed;
}
