// SPDX-License-Identifier: MIT
// The real ioduel on two fresh folders, in a pseudo-terminal: what the tests of
// its life and of its ways out share.
#ifndef IODUEL_SUPPORT_IODUEL_H
#define IODUEL_SUPPORT_IODUEL_H

#include "support_term.h"

#define DUEL_WORK "randread:bs=4k,qd=4,size=8m" // small: laid out in a moment

struct duel {
	char dir[512], a[600], b[600], home[600];
	struct vt *vt;
	pid_t worker[8];
	int n_workers;
};

// Makes the folders. duel_fini removes them and kills what still runs.
void duel_init(struct duel *d);
void duel_fini(struct duel *d);

// Starts `ioduel A B EXTRA...` (NULL-terminated). options may be NULL; its home is d's.
void duel_start(struct duel *d, const struct vt_options *options, const char *const *extra);
// As above with DUEL_WORK and short slices, until A's turn is under way; notes the workers.
void duel_start_running(struct duel *d, const struct vt_options *options);

// Notes the processes that the program started.
void duel_note_workers(struct duel *d);
// Leaves by key, answering the question; the status must be 0.
void duel_quit(struct duel *d);
// No worker, no scratch file.
void duel_assert_clean(struct duel *d);
// Saved sessions, and sessions left unfinished.
int duel_saved(const struct duel *d);
int duel_partial(const struct duel *d);

#endif
