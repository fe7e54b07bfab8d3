// SPDX-License-Identifier: MIT
// The small shell that leads the session in a pseudo-terminal and runs the
// program as its foreground job. It knows the slave side and a pipe, nothing else.
#ifndef IODUEL_SUPPORT_SHELL_H
#define IODUEL_SUPPORT_SHELL_H

#include "support_term.h"

// What it reports on the pipe, one record a change; the first, with status -1, names the job.
struct shell_event {
	pid_t pid;
	int status; // as waitpid says it
};

// Starts the job, reports each change of its state, and brings it to the foreground on SIGUSR1.
_Noreturn void shell_main(const struct vt_options *options, const char *const *argv, int slave, int events);

#endif
