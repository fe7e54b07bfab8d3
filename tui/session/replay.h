// SPDX-License-Identifier: MIT
// A saved session as pictures: the same view as a live one, from a file. A
// second file can be laid over the first. Nothing runs.
#ifndef IODUEL_REPLAY_H
#define IODUEL_REPLAY_H

#include <ioduel/error.h>

#include "session/view.h"

struct replay;

// Opens path_x (shown as both of its sides) or, with path_y not NULL, side A of
// path_x (or its only side) as A and of path_y as B, both from their start. NULL and a sentence on failure.
// The series are read by replay_load, so that a long session is on the screen at once.
struct replay *replay_new(const char *path_x, const char *path_y, struct error *err);
void replay_free(struct replay *r); // accepts NULL

// Reads on for about budget_ns of the clock that now_ns() is; returns 1 while there is more.
int replay_load(struct replay *r, int64_t (*now_ns)(void), int64_t budget_ns);

void replay_say(struct replay *r, int is_error, const char *text);

// Owned by the replay, valid until the next call.
const struct view *replay_view(struct replay *r);

#endif
