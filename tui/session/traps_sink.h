// SPDX-License-Identifier: MIT
// The inside of the traps: how a check reports.
#ifndef IODUEL_TRAPS_SINK_H
#define IODUEL_TRAPS_SINK_H

#include "session/traps.h"

struct trap_sink {
	struct trap_finding *finding;
	int n, max;
	const char *id, *title, *mend; // of the check that runs
};

typedef void trap_check_fn(const struct trap_session *s, struct trap_sink *sink);

struct trap_rule {
	const char *id, *title;
	trap_check_fn *check;
	const char *mend;
};

// Ends with a rule whose id is NULL.
extern const struct trap_rule trap_rules_target[]; // what the target is
extern const struct trap_rule trap_rules_run[];	   // what the run showed

void trap_raise(struct trap_sink *sink, enum warning_level level, enum warning_side side, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void trap_unknown(struct trap_sink *sink, enum warning_side side, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static inline enum warning_side
trap_side_bit(int side)
{
	return side == SIDE_A ? WARN_A : WARN_B;
}

// True if both sides are there.
static inline int
trap_has_both(const struct trap_session *s)
{
	return s->side[SIDE_A].present && s->side[SIDE_B].present;
}

#define TRAP_TEXT 48
// "12.0 GiB", "512 MiB"; returns buf.
const char *trap_size(double bytes, char buf[TRAP_TEXT]);
// "180 MB/s"
const char *trap_rate(double bytes_per_s, char buf[TRAP_TEXT]);

#endif
