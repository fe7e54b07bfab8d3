// SPDX-License-Identifier: MIT
// A world for the session's tests: two pretended workers and a pretended
// machine on a clock that the test moves. Rule: whatever the session asks for
// is carried out at once, so a test reads as a story.
#ifndef IODUEL_SUPPORT_WORLD_H
#define IODUEL_SUPPORT_WORLD_H

#include "session/session.h"

struct world_side {
	double iops;	     // what the worker delivers
	int fail_turns;	     // so many turns end with status 7
	int dies_in_turn;    // the worker is killed in the middle of its next turn
	int stuck;	     // says nothing at all
	int whole_run;
	double run_s;	     // whole run: how long
	// state
	int launched, running;
	struct wire_go go;
	int64_t go_ns;
	int64_t told_ns;     // intervals sent up to here
	int paused;
};

struct world {
	int64_t now_ns;
	struct session_config config;
	struct session *session;
	struct world_side side[SIDES];
	struct sample sample;
	uint64_t device_reads;
	uint64_t inflight;   // what the device says at every sample
	// what the session asked for
	int n_effects[32];
	int saves, snapshots, quits, pairs_recorded;
	enum side went[4096]; // order of GO effects of planned turns
	int n_went;
	char last_text[256];
};

void world_init(struct world *w, const struct plan_options *plan, enum session_start start);
void world_start(struct world *w); // session_new with w->config
void world_fini(struct world *w);
void world_command(struct world *w, enum command command);
// Moves the clock on by seconds in steps of 0.1 s: samples, intervals, ends of turns.
void world_run(struct world *w, double seconds);
// Runs until the plan is over, at most seconds; returns 1 if it is.
int world_run_until_over(struct world *w, double seconds);
const struct view *world_view(struct world *w);

#endif
