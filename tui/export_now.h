// SPDX-License-Identifier: MIT
// The report of a session that may still run.
#ifndef IODUEL_EXPORT_NOW_H
#define IODUEL_EXPORT_NOW_H

#include <ioduel/error.h>
#include <stddef.h>

#include "session/result.h"

// request: "FORMAT" or "FORMAT PATH" (default PATH: a new name in the current directory). saved: the session file so
// far, for the course over time, NULL or "" = none. 0 and the path written, or -errno and a sentence.
int export_now(const char *request, const struct result *r, const char *saved, char *ret_path, size_t size,
	       struct error *err);

#endif
