// SPDX-License-Identifier: MIT
// A made-up session for tests of the screen: the same values at the same
// instant of its own clock, every time.
#ifndef IODUEL_SUPPORT_VIEW_H
#define IODUEL_SUPPORT_VIEW_H

#include "session/view.h"

struct fake_view;

// A plan of 12 pairs of 5 s slices, 45 s in.
struct fake_view *fake_view_new(void);
void fake_view_free(struct fake_view *f);

// Lets the session go on by so many milliseconds.
void fake_view_advance(struct fake_view *f, int ms);

// The view; may be changed by the test.
struct view *fake_view(struct fake_view *f);
struct result *fake_view_result(struct fake_view *f);

#endif
