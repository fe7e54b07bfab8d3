// SPDX-License-Identifier: MIT
// One phase of a pass: its mark on the time axis, its rate and CPU time as named
// results. Rule: a phase that is too short to be measured says so instead of
// giving a number.
#ifndef WORKLOADS_PHASE_H
#define WORKLOADS_PHASE_H

#include "engine/pass.h"

struct phase {
	struct pass *pass;
	const char *name; // of the result
	bool whole_process; // CPU of all threads, not only of this one
	double shortest_s; // below it: too fast to measure
	int64_t start_ns, elapsed_ns;
	double user_s, sys_s;
	int64_t merged_ns;
	struct tally *tally; // not yet handed to the pass
};

// tally is the caller's, used until phase_end.
void phase_begin(struct phase *ph, struct pass *pass, const char *name, const char *label, bool whole_process,
		 double shortest_s, struct tally *tally);

// One operation of the phase; the time at its end. Tells the pass now and then.
void phase_did(struct phase *ph, enum wire_class class, uint64_t bytes, int64_t since_ns, int64_t now_ns);

// Adds CPU time of waited-for children to the phase.
void phase_add_cpu(struct phase *ph, double user_s, double sys_s);

// Stops the clocks; then the result NAME, an amount per second, and NAME_cpu, NAME_user_s, NAME_sys_s.
void phase_stop(struct phase *ph);
void phase_report(const struct phase *ph, double amount);
void phase_report_cpu(const struct phase *ph);

// Results of a phase that was not run.
void phase_skip(struct pass *pass, const char *name);

#endif
