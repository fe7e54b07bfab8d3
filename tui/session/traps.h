// SPDX-License-Identifier: MIT
// The traps of doc/METHOD.md, section 5: what makes a number mean something
// else than it seems to. Pure rules over raw signals, the stack and the figures
// of the session. What could not be read is unknown, never fine.
#ifndef IODUEL_TRAPS_H
#define IODUEL_TRAPS_H

#include <ioduel/trap.h>

#include "session/result.h"

// What is known about one side. NAN and -1 mean unknown; pointers may be NULL.
struct trap_side {
	int present;
	const char *name;		    // in the texts: "A", "B", or a path
	const struct stack *stack;
	const struct trap_signals *signals; // as read before the session
	const struct trap_signals *after;   // read again later: counters that moved
	const struct trap_layout *layout;   // of the scratch file

	int direct_wanted, direct;	// 1, 0: asked for, really in use
	double file_set_bytes;
	// over the counted slices; device bytes are those of the physical leaves, write drain included
	double program_read_bytes, program_write_bytes, device_read_bytes, device_write_bytes;
	double dirtied_bytes;		// page cache dirtied meanwhile, what loop files dirty taken off
	double unsynced_bytes, write_rate_bytes_per_s; // left dirty when a timed slice ended
	double foreign_bytes_per_s, foreign_share; // device I/O that the workload did not cause
	int foreign_slices;
	int drain_timeouts;
	double hottest_c, heat_limit_c, hottest_at_s; // of the disk that came closest to its limit
	int heat_alarm;			// 1: a disk's sensor raised its alarm
	double cpu_throttles;		// throttle events in this side's slices
	double mean_mhz, steal_share;
	double rate_wanted_per_s;	// open loop
	int rate_held;			// 0: the backlog grew
	double wait_share;		// command: share of real time not explained by CPU
	double sync_s, real_s;		// whole runs
};

struct trap_session {
	int reads, writes, whole_runs, closed_loop;
	int same_files;			// both sides use one set of files
	int remade;			// files are made anew during the session ("careful")
	double idle_pressure_io, idle_pressure_cpu; // avg10 of an idle check before the session, percent
	struct trap_side side[SIDES];
};

// Everything unknown, names "A" and "B".
void trap_session_init(struct trap_session *s);

enum trap_state { TRAP_FINE, TRAP_SET, TRAP_NOT_KNOWN };

struct trap_finding {
	enum trap_state state;
	const char *mend;	// what to do about it, one sentence; never NULL
	const char *title;	// what was looked at: "trim state"
	struct warning warning; // id and side always; level and text where set; text says why where not known
};

#define TRAP_FINDINGS_MAX 128

// All checks in a fixed order, with what each came to; at most max. Returns how many.
int traps_check(const struct trap_session *s, struct trap_finding *ret, int max);

// Adds those that are set to a result. Returns how many were set.
int traps_warn(const struct trap_session *s, struct result *r);

// One sentence on how to mend; NULL for an unknown id.
const char *trap_mend(const char *id);

// Notes the heat of the side's disks, if they came closer to their limit than before. at_s: since the start.
void trap_note_heat(struct trap_side *side, const struct thermal_sample *thermal, double at_s);

#endif
