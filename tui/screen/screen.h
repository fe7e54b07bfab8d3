// SPDX-License-Identifier: MIT
// The door between the program and curses: draw a view, read a key. The
// screen never changes the session; it returns commands.
#ifndef IODUEL_SCREEN_H
#define IODUEL_SCREEN_H

#include <ioduel/error.h>

#include "session/view.h"

struct screen;

// One line "key.ACTION = KEYS" of the configuration.
struct screen_key_line {
	const char *action, *keys;
	int line;
};

struct screen_options {
	const char *layout; // "side", "overlay", ...; NULL = default
	const char *theme;  // name or path; NULL = default
	const char *glyphs; // "braille", "block", "ascii"; NULL = by locale and terminal
	int mouse;
	const char *theme_dirs[8]; // searched in order, NULL-terminated; none: the user's, the program's, btop's
	const struct screen_key_line *keys; // may be NULL
	size_t n_keys;
};

// Takes over the terminal (input from fd 0, output to fd 1). Refuses with a sentence: no TTY, TERM unset,
// unknown or "dumb". Installs nothing in signal handlers; see screen_restore.
struct screen *screen_new(const struct screen_options *options, struct error *err);
void screen_free(struct screen *s); // gives the terminal back; accepts NULL

// What was wrong with the options without being worth a refusal (an unknown key or theme, a conflict of keys), a
// sentence a line; "" = nothing.
const char *screen_complaints(const struct screen *s);

// Gives the terminal back as it was, with async-signal-safe calls only (for crash handlers). Idempotent.
void screen_restore(void);

// Before stopping for Ctrl-Z, and after continuing.
void screen_suspend(struct screen *s);
void screen_resume(struct screen *s);

// Tells that the window's size may have changed (SIGWINCH).
void screen_resized(struct screen *s);

// Draws the frame. Writes only what changed.
void screen_draw(struct screen *s, const struct view *view);

// Reads what is pending on the terminal without blocking. Returns 1 and a command (COMMAND_NONE:
// the picture changed, draw again), 0 when nothing is pending, -errno (-EIO, -EPIPE) when the terminal is gone.
int screen_input(struct screen *s, const struct view *view, struct command_event *ret);

#endif
