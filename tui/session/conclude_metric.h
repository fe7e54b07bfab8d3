// SPDX-License-Identifier: MIT
// One metric over the counted pairs: its means, whether it may be compared,
// its ratio and interval.
#ifndef IODUEL_CONCLUDE_METRIC_H
#define IODUEL_CONCLUDE_METRIC_H

#include "session/conclude.h"

// Puts a metric's figures into a and b. Without slices they stay.
void metric_take(struct columns *c, enum metric id);

// Fill r->metric[] with what is known, the primary first; ratios and intervals stay unknown:
// from the counted pairs, from figures of the primary alone, from each side's slices or totals
// (there with the plain ratio).
void metric_add_counted(struct result *r, struct columns *c);
void metric_add_figures(struct result *r, const struct columns *c);
void metric_add_sides(struct result *r);

// How many secondaries carry information of their own; at least 1.
int metric_count_groups(const struct result *r, struct columns *c);

// Ratio, interval and words by the rule. ret_stats and ret_verdict may be NULL.
void metric_judge(struct columns *c, struct metric_result *m, const struct verdict_rule *rule,
		  struct pair_stats *ret_stats, struct verdict *ret_verdict);

#endif
