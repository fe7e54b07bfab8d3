// SPDX-License-Identifier: MIT
// The checks on whole runs of a command: whether storage is what it waits for,
// and what it left to be synced. One rule: they qualify a verdict and never
// withhold it.
#include "session/checks_runs.h"

#include <math.h>
#include <stdio.h>

#define WAIT_LEAST 0.10 // of real time; below, storage can hardly be what decides
#define SYNC_MOST 0.05	// of real time

// Mean of a metric over a side's slices; NAN unless known in all of them.
static double
mean_of(const struct columns *c, enum side side, enum metric id)
{
	double sum = 0;
	for (int i = 0; i < c->n; i++)
		sum += c->pair[i]->slice[side].metric[id];
	return sum / c->n;
}

void
checks_runs(struct result *r, const struct columns *c)
{
	for (enum side side = SIDE_A; side < SIDES; side++) {
		char letter = side == SIDE_A ? 'A' : 'B', number[40];
		enum warning_side where = side == SIDE_A ? WARN_A : WARN_B;
		double wait = mean_of(c, side, METRIC_IO_WAIT_SHARE);
		double sync_s = mean_of(c, side, METRIC_SYNC_S), real_s = mean_of(c, side, METRIC_REAL_S);
		if (wait < WAIT_LEAST) {
			verdict_format_number(100 * wait, 0, number, sizeof(number));
			result_warn(r, "cpu-bound", LEVEL_YELLOW, where,
				    "%c: this command waits for storage %s %% of its time; at best %s %% can be gained", letter, number, number);
		}
		if (sync_s > SYNC_MOST * real_s) {
			verdict_format_number(100 * sync_s / real_s, 0, number, sizeof(number));
			result_warn(r, "sync-share", LEVEL_YELLOW, where,
				    "%c: writing back what a run left took %.2g s, %s %% of its own %.3g s", letter, sync_s, number, real_s);
		}
	}
}
