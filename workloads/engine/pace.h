// SPDX-License-Identifier: MIT
// When the next I/O of an open loop is due. Rule: the schedule depends on the
// rate and the seed alone, never on how fast the target is; an I/O that could
// not be handed over in time keeps its due time.
#ifndef WORKLOADS_ENGINE_PACE_H
#define WORKLOADS_ENGINE_PACE_H

#include "../random.h"

#include <ioduel/hist.h>
#include <stdbool.h>
#include <stdint.h>

struct pace {
	double gap_ns; // mean; 0 = closed loop
	bool poisson;
	struct random random;
	int64_t start_ns;
	double next; // ns after start
};

// rate_per_s of this thread; 0 = closed loop.
void pace_init(struct pace *p, double rate_per_s, bool poisson, uint64_t seed, unsigned thread);

// Begins a turn. Threads are staggered over one gap.
void pace_start(struct pace *p, int64_t now_ns, unsigned thread, unsigned n_threads);

static inline int64_t
pace_due_ns(const struct pace *p)
{
	return p->start_ns + (int64_t)p->next;
}

void pace_advance(struct pace *p);

// How many are due at t and not yet handed over; the pace is left as it is.
// For a Poisson schedule the tail of a long backlog is estimated from the rate.
uint64_t pace_backlog(const struct pace *p, int64_t t_ns);

// The same, and adds the age of each at t to a histogram.
uint64_t pace_backlog_ages(const struct pace *p, int64_t t_ns, struct hist *h);

#endif
