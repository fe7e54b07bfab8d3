// SPDX-License-Identifier: MIT
// The one poll loop: timer, signals, terminal, workers. It turns what happens
// into the session's events and carries out the session's effects.
#ifndef IODUEL_LOOP_H
#define IODUEL_LOOP_H

#include "cli.h"
#include "screen/screen.h"
#include "session/session.h"

struct loop_options {
	const struct options *options;
	struct sysroot *root;
	const struct screen_options *screen; // NULL: no terminal
	int progress;			     // no terminal: one line a second on standard error
	struct result *ret_result;	     // gets a copy of the final result where not NULL (caller: result_fini)
};

// Runs the session to its end. Returns the exit status; the reason of a failure is printed on standard
// error after the terminal has been given back.
// Takes config (from malloc) and frees it: the session has its own copy, and it is large.
int loop_run(const struct loop_options *lo, struct session_config *config);

#endif
