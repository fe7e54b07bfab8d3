// SPDX-License-Identifier: MIT
// How library code reports failure: an int (0 or a negative errno) and, where
// the context would be lost, one sentence for the user in a struct error.
// Library code never prints and never exits.
#ifndef IODUEL_ERROR_H
#define IODUEL_ERROR_H

#include <stdarg.h>
#include <stdio.h>

struct error {
	int code;	 // negative errno, 0 = none
	int exit_status; // status of CLI.md that a program should end with; 0 = the caller's default
	char text[512];	 // one sentence without a final newline
};

// Fills err (may be NULL) and returns code, so that a caller can write
// `return error_set(err, -EINVAL, "...")`.
__attribute__((format(printf, 3, 4))) static inline int
error_set(struct error *err, int code, const char *fmt, ...)
{
	if (err) {
		va_list ap;
		err->code = code;
		err->exit_status = 0;
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
	}
	return code;
}

// The exit statuses of the program; see ioduel(1).
enum exit_status {
	EXIT_DONE = 0,
	EXIT_RUN_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_SLOWER = 3,
	EXIT_REFUSED = 4,
	EXIT_INTERRUPTED = 130,
};

// As error_set, and names the exit status that the program should end with.
__attribute__((format(printf, 4, 5))) static inline int
error_set_status(struct error *err, int code, enum exit_status status, const char *fmt, ...)
{
	if (err) {
		va_list ap;
		err->code = code;
		err->exit_status = (int)status;
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
	}
	return code;
}

#endif
