// SPDX-License-Identifier: MIT
// The two workers as the program sees them: start, set up, command, listen,
// end. Events come out in the session's words.
#ifndef IODUEL_WORKERS_H
#define IODUEL_WORKERS_H

#include <ioduel/trap.h>
#include <ioduel/wire.h>

#include "session/session.h"

struct worker {
	struct worker_handle handle; // pid 0 = none
	int exited;		     // reaped
	int closed;		     // its socket reached end-of-file
	char last_words[256];	     // of WIRE_FAILED
};

struct workers {
	struct worker worker[SIDES];
	const char *program; // NULL = the default
	int share_fd;	     // A's scratch file where both sides use it, -1 = none
	struct trap_layout layout[SIDES]; // of the scratch files, as they lay when the workers became ready
	int share_wanted;
	unsigned allow[SIDES];
	unsigned char *buffer; // WIRE_MAX_BYTES
	struct hist *hist[WIRE_CLASSES];
};

int workers_init(struct workers *w, const char *program, struct error *err);
// Ends both workers (QUIT, then the process group is killed) and frees everything.
void workers_fini(struct workers *w);

// Starts the side's worker and sends it its set-up. 0 or -errno with a sentence.
int workers_launch(struct workers *w, enum side side, const struct session_side *config, int share_file,
		   struct error *err);
int workers_send(struct workers *w, enum side side, enum wire_type type, const void *body, size_t length);
void workers_kill(struct workers *w, enum side side);

// Reads what is pending on the side's socket and calls emit for each message, at most max of them.
typedef void workers_emit(void *context, struct event *event);
void workers_receive(struct workers *w, enum side side, int max, workers_emit *emit, void *context);

// The side's process has ended (its pidfd is readable): reaps it and emits EVENT_WORKER_GONE.
void workers_reap(struct workers *w, enum side side, workers_emit *emit, void *context);

#endif
