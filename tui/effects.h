// SPDX-License-Identifier: MIT
// Carries out what the session asks for.
#ifndef IODUEL_EFFECTS_H
#define IODUEL_EFFECTS_H

#include "loop_state.h"

void loop_apply(struct loop *loop, const struct effect *effect);
void loop_start_recorder(struct loop *loop); // unless there is one, or none is wanted
void loop_save_waiting(struct loop *loop);   // what was asked for while a turn ran, once none does
void loop_suspend(struct loop *loop);	 // Ctrl-Z: gives the terminal back and stops until continued
void loop_setup_done(struct loop *loop); // the set-up command's pidfd is readable
void loop_setup_kill(struct loop *loop);

#endif
