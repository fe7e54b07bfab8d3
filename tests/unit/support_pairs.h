// SPDX-License-Identifier: MIT
// Results with made-up pairs, for tests of conclusions and checks.
#ifndef IODUEL_SUPPORT_PAIRS_H
#define IODUEL_SUPPORT_PAIRS_H

#include "session/result.h"

// A random-read session of n planned and counted pairs: A at 1000 IOPS, B at 1000 * ratio, each pair
// off by a few tenths of a percent that follow no pattern; 5 s slices, 3 counted seconds.
struct result *pairs_result(int n, double ratio);
void pairs_result_free(struct result *r);

// Adds such a pair; number gives its noise and its order.
struct pair *pairs_add(struct result *r, int number, double ratio);

// Sets the rate of a slice and everything that follows from it.
void pairs_set_rate(struct slice *s, double iops);

const struct metric_result *pairs_metric(const struct result *r, enum metric id); // NULL = not there
const struct warning *pairs_warning(const struct result *r, const char *id, enum warning_side side);

#endif
