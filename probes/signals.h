// SPDX-License-Identifier: MIT
// The inside of the signals: what its two halves share.
#ifndef IODUEL_PROBES_SIGNALS_H
#define IODUEL_PROBES_SIGNALS_H

#include "probes.h"
#include "sysroot.h"

#include <ioduel/clock.h>
#include <ioduel/trap.h>

// The value of one option of a comma-separated list ("" where it has none); false if it is not there.
bool signals_option(const char *options, const char *name, char *ret, size_t size);

// cgroup.c: the limits under which this process runs, on the target's disks.
void signals_read_limits(const struct sysroot *root, const struct stack *stack, struct trap_limits *ret);

#endif
