// SPDX-License-Identifier: MIT
// Warm-up and steady state (doc/METHOD.md): a light per target from its last
// five rounds, and the warm-up of writes that goes on until the light is on.
// It never selects data and never stops a run. Pure.
#ifndef IODUEL_STEADY_H
#define IODUEL_STEADY_H

#include <stdint.h>

#define STEADY_ROUNDS 5
#define STEADY_ROUND_NS (INT64_C(6) * 1000000000)

enum steady_light { STEADY_UNKNOWN, STEADY_NO, STEADY_YES };

// From the last five of n values (counted slices, or rounds of a warm-up).
enum steady_light steady_judge(const double *values, int n);

// A warm-up cut into rounds of work done.
struct steady_warmup {
	int64_t start_ns, least_ns, most_ns;
	int64_t round_end_ns;
	double round_work;
	double round[STEADY_ROUNDS]; // the newest last
	int n_rounds;
};

void steady_warmup_init(struct steady_warmup *w, int64_t start_ns, int64_t least_ns, int64_t most_ns);

// Work (operations or bytes) done in [t0, t1). Returns 1 once the warm-up is over: the least time
// has passed and either the rounds are steady, or no more time is to be spent on it.
int steady_warmup_feed(struct steady_warmup *w, int64_t t0_ns, int64_t t1_ns, double work);

// Whether writes may be called sustained: both lights on, and each target written often enough over.
// free_bytes NAN = unknown.
int steady_is_sustained(enum steady_light a, enum steady_light b, double written_bytes, double file_set_bytes, double free_bytes);

#endif
