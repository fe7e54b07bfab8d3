// SPDX-License-Identifier: MIT
// The checks that go with every verdict (doc/METHOD.md): each looks at the
// recorded pairs and leaves a warning with a name that never changes.
#ifndef IODUEL_CHECKS_H
#define IODUEL_CHECKS_H

#include "session/conclude.h"

// Takes back the warnings of an earlier round.
void checks_forget(struct result *r);

// Over the counted pairs: c holds the primary's figures, stats what they came to.
void checks_pairs(struct result *r, const struct columns *c, const struct pair_stats *stats);

// Two sides that were not interleaved.
void checks_plan(struct result *r);

// Over everything recorded.
void checks_session(struct result *r);

#endif
