// SPDX-License-Identifier: MIT
// The inside of the loop, shared by loop.c and effects.c.
#ifndef IODUEL_LOOP_STATE_H
#define IODUEL_LOOP_STATE_H

#include "confirm.h"
#include "loop.h"
#include "pickers.h"
#include "record.h"
#include "setup.h"
#include "workers.h"

struct setup_child {
	pid_t pid; // 0 = none
	int pidfd;
	enum side side;
};

struct loop {
	const struct loop_options *options;
	int share_file; // both sides use A's scratch file
	struct confirm_asked asked;
	struct session *session;
	struct probes *probes;
	struct sample sample;
	struct workers workers;
	struct screen *screen;
	struct recorder *recorder;
	struct setup_child setup;
	int timer_fd, signal_fd;
	int64_t interval_ns, timer_ns;
	int64_t start_ns, next_frame_ns, progress_ns;
	struct pickers pickers;
	struct view view; // of the last frame
	int record_failed;
	int save_waits; // saved as soon as no turn runs
	int draw_now, quit, terminal_gone, progress_shown;
	unsigned long samples_late;
	double own_cpu_s, own_cpu_share, frame_ms;
	int64_t own_since_ns;
	char saved[4200]; // path of the finished session file, "" = none
	char lost[1024];  // why a session could not be saved, "" = it could; said when the terminal is given back
};

void loop_dispatch(struct loop *loop, struct event *event);
void loop_interrupt(struct loop *loop);

#endif
