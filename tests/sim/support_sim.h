// SPDX-License-Identifier: MIT
// A synthetic pair of targets for the real plan and verdict code: seeded, no
// clock. doc/METHOD.md describes the model.
#ifndef IODUEL_SUPPORT_SIM_H
#define IODUEL_SUPPORT_SIM_H

#include <stdint.h>

#include "session/stats.h"

#define SIM_PAIRS_MAX 64
#define SIM_SLICE_S 5
#define SIM_SETTLE_S 2
#define SIM_COUNTED_S (SIM_SLICE_S - SIM_SETTLE_S)
#define SIM_PAIR_S (2 * SIM_SLICE_S)

struct sim_scenario {
	const char *name, *what;
	double sigma, rho, phi; // noise of a second: size, memory, share that both targets have in common
	double white;
	double drift, walk, step;   // of both: over the session, per sqrt(s), at one second
	double stall_rate, stall_depth;
	double ramp, ramp_tau;	    // in every slice
	double burst, burst_tau;    // on first use
};

// I1..I9 and X1..X3 of doc/METHOD.md; the first SIM_IN_SCOPE are what the procedure is for, then
// I9 (stalls), then three that are beyond it.
#define SIM_IN_SCOPE 8
#define SIM_STALLS 8
#define SIM_BEYOND 9
#define SIM_SCENARIOS 12
extern const struct sim_scenario sim_scenarios[SIM_SCENARIOS];

struct sim_random {
	uint64_t s[4];
	double spare;
	int has_spare;
};

void sim_random_init(struct sim_random *r, uint64_t seed);
double sim_uniform(struct sim_random *r); // [0, 1)
double sim_normal(struct sim_random *r);

// Two targets on a common clock of whole seconds.
struct sim_device {
	const struct sim_scenario *scenario;
	struct sim_random random;
	int length_s, now_s, step_at_s;
	double drift_sign, walk;
	double shared, own[2];
	int shared_at, own_at[2];
	int stall_left[2];
	int used_s[2], slice_s;
	double power[512]; // rho^k
};

void sim_device_init(struct sim_device *d, const struct sim_scenario *scenario, int length_s, uint64_t seed);
void sim_begin_slice(struct sim_device *d);
// One second of target 0 or 1; the throughput, where a typical second is 1. NAN if it is not counted.
double sim_second(struct sim_device *d, int target, int counted);

// The slices of one planned session, without any difference between the targets.
struct sim_session {
	int n;
	double a[SIM_PAIRS_MAX], b[SIM_PAIRS_MAX];
	signed char order[SIM_PAIRS_MAX];
	double second[2][SIM_PAIRS_MAX][SIM_COUNTED_S]; // counted seconds
	int follows_other[2][SIM_PAIRS_MAX];
};

void sim_run_plan(const struct sim_scenario *scenario, int pairs, uint64_t seed, struct sim_session *ret);

// How a way of deciding sees the pairs so far: an interval of the log ratio, if it has one.
struct sim_interval {
	int known;
	double lo, hi;
	double rc;
};
typedef void sim_way(const struct sim_session *s, int n, int n_planned, struct sim_interval *ret);

sim_way sim_way_real;	 // verdict_reach
sim_way sim_way_no_guard; // without the widening for like neighbours
sim_way sim_way_peeking; // the ordinary paired interval at every look
sim_way sim_way_unpaired; // Welch's t over slices, at the planned end

// A then B in one run each, Welch's t over seconds. 1 = B faster, -1 = slower, 0 = no claim.
int sim_run_a_then_b(const struct sim_scenario *scenario, int pairs, double effect, uint64_t seed);

// What a way came to over many sessions.
struct sim_tally {
	int sessions;
	int claims, right, wrong; // with a stop at the first claim
	int reported_covers;	  // the interval at the stop holds the truth
	int end_covers;		  // the interval at the planned end does, without a stop
	int flagged;		  // slow wander (r_c > 0.5) at the planned end
	int n_times;		  // right claims, and the seconds until each
	int *time_s;
};

int sim_tally_init(struct sim_tally *t, int sessions);
void sim_tally_fini(struct sim_tally *t);
// Judges one session in which B is faster by effect.
void sim_judge(const struct sim_session *s, double effect, sim_way *way, struct sim_tally *t);
// Median seconds until a right claim, -1 where fewer than half of the sessions came to one.
int sim_median_time(const struct sim_tally *t);

#endif
