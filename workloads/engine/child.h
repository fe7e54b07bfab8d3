// SPDX-License-Identifier: MIT
// A program of the user's as a child of the worker: started in a process
// group of its own, its output read line by line, and ended with everything
// that it started. Invariant: after child_run nothing of it is left.
#ifndef WORKLOADS_ENGINE_CHILD_H
#define WORKLOADS_ENGINE_CHILD_H

#include "pass.h"

#include <sys/resource.h>

struct child_spec {
	const char *const *argv; // NULL-terminated
	const char *directory;
	// Every complete line of standard output and error, without its end; may be NULL (then the
	// line goes to pass_output).
	void (*line)(void *context, const char *line, size_t length);
	void *context;
	bool split_stderr; // only standard output goes to line(), standard error to pass_output
	int stop_signal;   // sent to the group when the turn is to end; 0 = SIGTERM
};

struct child_result {
	int64_t start_ns, end_ns;
	int status; // exit status; 128 + signal where a signal ended it
	bool stopped; // by pass_stopping
	double user_s, sys_s; // of it and all its descendants
	double max_rss_bytes; // of the largest one
	double read_bytes;    // asked for by read calls, from memory or not; NAN = unknown
	double written_bytes; // pages dirtied or written past the cache, as the kernel accounts them to the processes
	unsigned leftovers; // descendants that were still running when it ended
};

// 0 or -errno (it could not be started).
int child_run(struct pass *pass, const struct child_spec *spec, struct child_result *ret, struct error *err);

#endif
