// SPDX-License-Identifier: MIT
// What a run would do, said before it does anything.
#ifndef IODUEL_DRY_RUN_H
#define IODUEL_DRY_RUN_H

#include <ioduel/error.h>
#include <stdio.h>

#include "session/session.h"

// Refuses (EXIT_REFUSED) where each side fits alone but both together do not, because they are kept on one file system.
int dry_run_check_space(const struct session_config *config, struct error *err);

// Prints targets, work, plan, time, bytes written, space and warnings. Pure but for the output; 0 or -errno with a
// sentence where the plan makes no sense.
int dry_run_print(const struct session_config *config, FILE *out, struct error *err);

#endif
