// SPDX-License-Identifier: MIT
// Signals: the polite ones become readable, the fatal ones give the terminal
// back before the program dies of them.
#ifndef IODUEL_SIGNALS_H
#define IODUEL_SIGNALS_H

#include <sys/types.h>

// Blocks INT, TERM, HUP, QUIT, WINCH, TSTP, CONT and returns a signalfd for them, or -errno. Ignores PIPE.
int signals_open(void);

// The number of the next pending signal, 0 = none.
int signals_next(int fd);

// On SEGV, BUS, ABRT, FPE and ILL: calls restore (async-signal-safe), kills these process groups, dies.
void signals_guard(void (*restore)(void));
void signals_guard_group(int slot, pid_t group); // group 0 = none

// Default dispositions and an empty mask, for a child between fork and exec.
void signals_reset_in_child(void);

#endif
