// SPDX-License-Identifier: MIT
// The checks on whole runs of a command.
#ifndef IODUEL_CHECKS_RUNS_H
#define IODUEL_CHECKS_RUNS_H

#include "session/conclude.h"

void checks_runs(struct result *r, const struct columns *c);

#endif
