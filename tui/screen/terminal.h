// SPDX-License-Identifier: MIT
// The terminal itself: modes, colours, giving it back. The only files that
// know curses are this module and screen.c.
#ifndef IODUEL_SCREEN_TERMINAL_H
#define IODUEL_SCREEN_TERMINAL_H

#include <ioduel/error.h>

#include "screen/canvas.h"

enum color_depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_DIRECT };

struct terminal {
	enum color_depth depth;
	int utf8;
	int linux_console; // its font lacks braille
	int mouse;
	int input_fd;	   // what keys are read from
};

// Takes the terminal over. -ENOTTY, -ENOENT and a sentence with EXIT_USAGE.
int terminal_open(struct terminal *t, int mouse, struct error *err);
void terminal_close(struct terminal *t);
void terminal_suspend(struct terminal *t);
void terminal_resume(struct terminal *t);
// Asks the kernel for the size and tells curses. 0 or -errno.
int terminal_resize(struct terminal *t, int *ret_w, int *ret_h);
// Sends what differs between now and shown (of the same size; all where all is set); the cursor stays hidden.
void terminal_draw(struct terminal *t, const struct canvas *now, const struct canvas *shown, int all);

// The curses attribute-and-pair of a style; pairs are made on demand.
void terminal_style(struct terminal *t, struct style style, unsigned *ret_attr, int *ret_pair);

// What a terminal entry with 24-bit colours looks like, for TERMINFO ("b64:...").
extern const char terminal_direct_entry[];

#endif
