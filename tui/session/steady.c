// SPDX-License-Identifier: MIT
// Warm-up and steady state: range and slope of five rounds. One rule: it says
// what the figures look like and leaves them alone.
#include "session/steady.h"

#include <math.h>
#include <string.h>

#define RANGE_MOST 0.20 // of the mean
#define SLOPE_MOST 0.10 // of the mean, from the first to the last round

enum steady_light
steady_judge(const double *values, int n)
{
	if (n < STEADY_ROUNDS)
		return STEADY_UNKNOWN;
	const double *v = values + n - STEADY_ROUNDS;
	double sum = 0, least = INFINITY, most = -INFINITY, slope = 0, sum_xx = 0, middle = (STEADY_ROUNDS - 1) / 2.0;
	for (int i = 0; i < STEADY_ROUNDS; i++) {
		if (!isfinite(v[i]))
			return STEADY_UNKNOWN;
		sum += v[i];
		least = fmin(least, v[i]);
		most = fmax(most, v[i]);
		slope += (i - middle) * v[i];
		sum_xx += (i - middle) * (i - middle);
	}
	double mean = sum / STEADY_ROUNDS;
	slope /= sum_xx;
	if (!(mean > 0))
		return STEADY_NO;
	return most - least <= RANGE_MOST * mean && (STEADY_ROUNDS - 1) * fabs(slope) <= SLOPE_MOST * mean ? STEADY_YES : STEADY_NO;
}

void
steady_warmup_init(struct steady_warmup *w, int64_t start_ns, int64_t least_ns, int64_t most_ns)
{
	*w = (struct steady_warmup){.start_ns = start_ns, .least_ns = least_ns,
				    .most_ns = most_ns > least_ns ? most_ns : least_ns,
				    .round_end_ns = start_ns + STEADY_ROUND_NS};
}

static void
close_round(struct steady_warmup *w)
{
	if (w->n_rounds == STEADY_ROUNDS)
		memmove(w->round, w->round + 1, (STEADY_ROUNDS - 1) * sizeof(w->round[0]));
	else
		w->n_rounds++;
	w->round[w->n_rounds - 1] = w->round_work;
	w->round_work = 0;
	w->round_end_ns += STEADY_ROUND_NS;
}

int
steady_warmup_feed(struct steady_warmup *w, int64_t t0_ns, int64_t t1_ns, double work)
{
	double per_ns = t1_ns > t0_ns ? work / (double)(t1_ns - t0_ns) : 0;
	// An interval that spans the end of a round is shared out by time.
	while (t1_ns >= w->round_end_ns) {
		if (t0_ns < w->round_end_ns) {
			w->round_work += per_ns * (double)(w->round_end_ns - t0_ns);
			t0_ns = w->round_end_ns;
		}
		close_round(w);
	}
	if (t1_ns > t0_ns)
		w->round_work += per_ns * (double)(t1_ns - t0_ns);
	int64_t spent = t1_ns - w->start_ns;
	if (spent >= w->most_ns)
		return 1;
	return spent >= w->least_ns && steady_judge(w->round, w->n_rounds) == STEADY_YES;
}

int
steady_is_sustained(enum steady_light a, enum steady_light b, double written_bytes, double file_set_bytes, double free_bytes)
{
	// An unknown figure proves nothing.
	if (a != STEADY_YES || b != STEADY_YES || isnan(file_set_bytes) || isnan(free_bytes))
		return 0;
	return written_bytes >= fmax(2 * file_set_bytes, 0.1 * free_bytes);
}
