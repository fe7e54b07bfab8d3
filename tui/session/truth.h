// SPDX-License-Identifier: MIT
// What the devices did beside what the application saw, summed up over the
// counted slices for the rules of the traps. Pure.
#ifndef IODUEL_TRUTH_H
#define IODUEL_TRUTH_H

#include "session/state.h"

// Before the first turn: stacks, signals and settings of both sides.
void truth_begin(struct session *s);
// The workers are ready: what they really do, and how their files lie.
void truth_ready(struct session *s);
// One sample while a turn runs: heat and throttling.
void truth_sample(struct session *s, const struct sample *sample);
// A counted slice is complete, the gate behind it included.
void truth_slice(struct session *s, enum side side, const struct slice *slice);
void truth_turn_end(struct session *s, enum side side, const struct wire_turn_end *end);
// Puts the warnings that follow from all this into the result.
void truth_warn(struct session *s);

#endif
