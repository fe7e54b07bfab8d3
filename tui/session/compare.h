// SPDX-License-Identifier: MIT
// Two results side by side. A verdict comes only from pairs that were interleaved; all else is shown with both
// figures and the reason why nothing can be claimed.
#ifndef IODUEL_COMPARE_H
#define IODUEL_COMPARE_H

#include <ioduel/error.h>

#include "session/import.h"

// One side of something that was saved.
struct compare_part {
	const struct result *result; // borrowed
	enum side side;
	int failed;	    // holds no figures
	const char *name;   // for people: "file.json:a"
	double time_s;	    // when it was made, seconds since 1970; NAN = unknown
	int time_of_file;   // known only from the file's own date
};

// "FILE", "FILE:a", "FILE:b", "FILE:NAME", "FILE:3": opens the file. *ret_item is the chosen result's number, -1 where
// the file holds several and none was named; *ret_side the chosen side, -1 where none was named.
int compare_open(const char *spec, struct import *ret, int *ret_item, int *ret_side, struct error *err);

// Fills ret (initialised) with x as A and y as B. 0, or -EINVAL and a sentence where they have no figure in common.
int compare_parts(const struct compare_part *x, const struct compare_part *y, struct result *ret, struct error *err);

// The two sides of one session: its own verdict, from its own pairs; swapped: B is shown as A.
int compare_within(const struct result *session, int swapped, struct result *ret);

// Whole sessions as pairs, in the order of their times.
int compare_sessions(const struct compare_part *a, int n_a, const struct compare_part *b, int n_b, struct result *ret,
		     struct error *err);

// Copies all of a result; 0 or -ENOMEM.
int result_copy(const struct result *from, struct result *ret);

// Seconds since 1970 of "2026-11-30T20:00:00Z"; NAN where it is no such date.
double compare_parse_date(const char *text);

#endif
