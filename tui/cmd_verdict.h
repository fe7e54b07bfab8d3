// SPDX-License-Identifier: MIT
// The exit status that a verdict asks for.
#ifndef IODUEL_CMD_VERDICT_H
#define IODUEL_CMD_VERDICT_H

#include "session/result.h"

// With --fail-if-slower (a share; NAN = not asked for): EXIT_SLOWER where the whole interval lies
// beyond it, EXIT_RUN_FAILED where there is no verdict, else EXIT_DONE.
int verdict_exit_status(const struct result *r, double fail_if_slower);

#endif
