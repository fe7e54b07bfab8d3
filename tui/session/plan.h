// SPDX-License-Identifier: MIT
// The plan: which side runs when, for how long. Pure; the coin's randomness
// comes from the seed alone.
#ifndef IODUEL_PLAN_H
#define IODUEL_PLAN_H

#include <ioduel/error.h>
#include <ioduel/workload.h>
#include <stdint.h>

enum plan_kind { PLAN_INTERLEAVE, PLAN_AB, PLAN_A, PLAN_B, PLAN_TOGETHER };

struct plan_options {
	enum plan_kind kind;
	int pairs;	     // 0 = default of the traffic
	int careful;
	double slice_s, settle_s, warmup_s; // NAN = default of the traffic
	double effect;	     // smallest difference that matters; NAN = PLAN_EFFECT
	uint64_t seed;
	int until_verdict;
	int cold;
};

#define PLAN_PAIRS_MAX 1024
#define PLAN_EFFECT 0.02

struct plan {
	enum plan_kind kind;
	int pairs;	      // even for interleave
	int64_t slice_ns, settle_ns, warmup_ns; // slice_ns 0 = a turn ends by itself (whole runs)
	int64_t warmup_max_ns; // above warmup_ns: goes on until steady, at most so long
	int warmup_runs;      // whole runs: uncounted runs per target first
	int remake_every;     // careful: files made anew every so many pairs, 0 = never
	uint64_t seed;
	double effect;
	int until_verdict, cold;
	signed char order[PLAN_PAIRS_MAX]; // +1 = A first
};

// Fills the defaults of METHOD.md 3.1 for the traffic and draws the order.
// Sentences for odd pairs, slices not longer than settle, and so on (exit status EXIT_USAGE).
int plan_make(const struct plan_options *options, enum workload_traffic traffic, struct plan *ret, struct error *err);

// "interleave", "ab", "a", "b", "together"; parse returns -EINVAL.
const char *plan_kind_name(enum plan_kind kind);
int plan_kind_parse(const char *text, enum plan_kind *ret);

// Orders as text, "AB BA BA AB ...".
void plan_format_order(const struct plan *plan, char *buf, unsigned size);

// Small seeded generator (splitmix64), for everything that draws.
uint64_t plan_random(uint64_t *state);

#endif
