// SPDX-License-Identifier: MIT
// The schedule of an open loop; see pace.h.
#include "pace.h"

#include <math.h>

#define BACKLOG_EXACT 20000

void
pace_init(struct pace *p, double rate_per_s, bool poisson, uint64_t seed, unsigned thread)
{
	*p = (struct pace){ .gap_ns = rate_per_s > 0 ? 1e9 / rate_per_s : 0, .poisson = poisson };
	random_init(&p->random, seed, 0x9ace0000u + thread);
}

static double
gap(struct pace *p)
{
	return p->poisson ? -log1p(-random_unit(&p->random)) * p->gap_ns : p->gap_ns;
}

void
pace_start(struct pace *p, int64_t now_ns, unsigned thread, unsigned n_threads)
{
	p->start_ns = now_ns;
	p->next = p->poisson ? gap(p) : p->gap_ns * thread / n_threads;
}

void
pace_advance(struct pace *p)
{
	p->next += gap(p);
}

static uint64_t
backlog(const struct pace *p, int64_t t_ns, struct hist *h)
{
	double until = (double)(t_ns - p->start_ns);
	struct pace copy = *p;
	uint64_t n = 0;
	if (p->gap_ns <= 0)
		return 0;
	for (; copy.next <= until && n < BACKLOG_EXACT; n++) {
		if (h)
			hist_add(h, (uint64_t)(until - copy.next));
		pace_advance(&copy);
	}
	if (copy.next > until)
		return n;
	// The rest is as many as the rate says, their ages spread evenly.
	uint64_t rest = (uint64_t)((until - copy.next) / copy.gap_ns) + 1;
	for (uint64_t i = 0; h && i < BACKLOG_EXACT; i++) {
		uint64_t copies = rest / BACKLOG_EXACT + (i < rest % BACKLOG_EXACT);
		uint64_t age = (uint64_t)((until - copy.next) * (1 - ((double)i + 0.5) / BACKLOG_EXACT));
		if (!copies)
			continue;
		hist_add(h, age);
		h->count += copies - 1;
		h->sum_ns += (copies - 1) * age;
		h->bucket[hist_index(age)] += copies - 1;
	}
	return n + rest;
}

uint64_t
pace_backlog(const struct pace *p, int64_t t_ns)
{
	if (p->poisson)
		return backlog(p, t_ns, NULL);
	double until = (double)(t_ns - p->start_ns);
	return p->gap_ns <= 0 || p->next > until ? 0 : (uint64_t)((until - p->next) / p->gap_ns) + 1;
}

uint64_t
pace_backlog_ages(const struct pace *p, int64_t t_ns, struct hist *h)
{
	return backlog(p, t_ns, h);
}
