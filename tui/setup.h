// SPDX-License-Identifier: MIT
// From options to a session's configuration: looks at the targets without
// touching them.
#ifndef IODUEL_SETUP_H
#define IODUEL_SETUP_H

#include "cli.h"
#include "session/session.h"

// Fills one side: the stack, the target, the workload with its overrides, what it needs. strict: a
// workload that cannot run is an error (`run`); else it becomes side->refusal (a monitor).
// path and workload override the options' where not NULL.
int setup_side(struct sysroot *root, const struct options *o, enum side side, const char *path, const char *workload,
	       int strict, struct session_side *ret, struct error *err);

// Fills the whole configuration. 0 or -errno with a sentence and an exit status.
int setup_session(struct sysroot *root, const struct options *o, int strict, struct session_config *ret, struct error *err);

// What --overwrite-file and a confirmed --destroy-data allow on this side (enum target_allow).
unsigned setup_allow(const struct options *o);

#endif
