// SPDX-License-Identifier: MIT
// What a pass workload (command, bonnie, metadata, fio) may do while it runs:
// report, and ask whether it is to stop. It runs in a thread of its own, one
// pass per turn; all functions here may be called from it and from processes
// that it waits for. Everything between pass_begin_counted and
// pass_end_counted is the counted part.
#ifndef WORKLOADS_ENGINE_PASS_H
#define WORKLOADS_ENGINE_PASS_H

#include "tally.h"

#include <ioduel/error.h>
#include <ioduel/target.h>
#include <ioduel/workload.h>
#include <stdbool.h>

struct pass {
	const struct param_set *params;
	const struct target_info *target;
	char side_letter; // only to be passed on
	uint32_t turn;
	int64_t settle_ns, slice_ns; // as GO says; a whole run ignores them
	void *own;		     // the workload's, from prepare to cleanup
	struct pass_state *state;    // the engine's
};

// True once the turn is to end early.
bool pass_stopping(const struct pass *pass);
// Becomes readable then; for poll.
int pass_stop_fd(const struct pass *pass);

void pass_begin_counted(struct pass *pass);
void pass_end_counted(struct pass *pass);
// For a workload that measures its own time: moves the counted part.
void pass_set_counted(struct pass *pass, int64_t start_ns, int64_t end_ns);

// And for one that knows its own CPU time: that of the counted part.
void pass_set_cpu(struct pass *pass, double user_s, double sys_s);

// From now on (false: until now) a child runs, whose CPU time is known only at its end.
void pass_child_runs(struct pass *pass, bool runs);

// One operation that was done.
void pass_count(struct pass *pass, enum wire_class class, uint64_t bytes, int64_t latency_ns);
// What a tally has gathered (the pass's own; emptied by this).
void pass_merge(struct pass *pass, struct tally *tally);

__attribute__((format(printf, 3, 4))) void pass_note(struct pass *pass, enum wire_note_kind kind, const char *fmt, ...);
// A line that the user's program printed. Only the last few of a tenth of a second go on.
void pass_output(struct pass *pass, const char *line);
// A named figure; NAN value or a state other than OK where there is none.
void pass_result(struct pass *pass, const char *name, double value, enum wire_result_state state);
void pass_progress(struct pass *pass, const char *what, uint64_t done, uint64_t total);

// Syncs the target's file system; the seconds that took, or NAN.
double pass_sync_target(struct pass *pass);

#endif
