// SPDX-License-Identifier: MIT
// What show, compare and export share: results opened by what the user typed, and printed.
#ifndef IODUEL_CMD_RESULT_H
#define IODUEL_CMD_RESULT_H

#include <ioduel/error.h>

#include "session/compare.h"
#include "session/import.h"

// A file that the user named, and what of it is meant.
struct chosen {
	struct import im;
	const char *spec;
	int item, side; // -1 = not named
};

// Opens; what the user should know of the file (cut, incomplete) goes to standard error. 0, or -errno and a sentence.
int chosen_open(const char *spec, struct chosen *ret, struct error *err);
void chosen_fini(struct chosen *c);

// The side as a part of a comparison. The time is the result's own; where it has none, the file's.
struct compare_part chosen_part(const struct chosen *c, int item, int side);

// Prints one result, or with json its object. 0 or -EIO.
int result_print(const struct result *r, int json);

// Leaves only one side of a result.
void result_keep_side(struct result *r, int side);

struct result *result_new(void); // NULL when out of memory
void result_free(struct result *r);

#endif
