// SPDX-License-Identifier: MIT
// A result as plain values: what `run --json` prints, what a snapshot keeps,
// what the importers make of foreign files and what compare, show and export
// take. A double that is NAN is unknown and becomes null in JSON.
#ifndef IODUEL_RESULT_H
#define IODUEL_RESULT_H

#include <ioduel/hist.h>
#include <ioduel/stack.h>
#include <ioduel/wire.h>

#include "session/metrics.h"
#include "session/verdict.h"

enum side { SIDE_A, SIDE_B, SIDES };

enum warning_level { LEVEL_INFO, LEVEL_YELLOW, LEVEL_RED };
enum warning_side { WARN_A = 1, WARN_B = 2, WARN_BOTH = 3 };

struct warning {
	char id[40];	   // stays the same for ever: "shared-device"
	enum warning_level level;
	enum warning_side side;
	char text[320];
};

#define SLICE_SECONDS_MAX 128
#define PAIR_BROKEN_OFF "broken off" // the reason of a pair that the operator ended: not counted, not repeated

// One side's counted stretch.
struct slice {
	double metric[METRIC_N]; // NAN = unknown
	unsigned char state[METRIC_N]; // enum wire_result_state, for pass workloads
	double ops, bytes;	 // counted
	double read_ops, write_ops, sync_ops; // populations of the quantiles
	int64_t start_ns;	 // CLOCK_MONOTONIC at GO
	int64_t counted_ns;
	int64_t drain_ns;	 // the gate after it, charged to this side
	double dirtied_bytes;	 // of the host's page cache meanwhile; NAN = unknown
	int n_seconds;
	float second[SLICE_SECONDS_MAX]; // primary rate per counted second; wider bins for long slices
	int follows_other;	 // the slice before was the other side's
	int status;		 // 0 ok; else why it does not count
};

struct pair {
	int first;		// enum side that went first
	struct slice slice[SIDES];
	int done[SIDES];
	int counted;		// enters the verdict
	char reason[96];	// why it was repeated or broken, "" = none
};

struct metric_result {
	enum metric id;
	double mean[SIDES];	// NAN = null
	int n[SIDES];
	unsigned char state[SIDES]; // enum wire_result_state
	double ratio;		// B over A of the metric itself, NAN = null
	double lo, hi;		// interval of ratio, NAN = null
	double confidence;
	enum verdict_word verdict;
	char words[96];		// "higher", "lower", "unclear", "only 3,200 I/Os per slice, not compared"
};

struct result_side {
	int present;
	char path[4096];
	char label[128];
	char params[2048];	// overrides of this side, "key=value\n..."
	struct stack stack;	// n_layers 0 = unknown
	double totals[METRIC_N]; // without pairs (imported results, flips by hand): the figures; NAN
	unsigned char state[METRIC_N];
};

struct result {
	char created[40];	// ISO 8601, UTC
	struct { char name[128], kernel[128]; int cpus; double memory_bytes; } host;
	char origin[64];	// "ioduel", "fio 3.33", "bonnie++ 1.03c", "time"
	char workload[32];
	char params[4096];	// "key=value\n..."
	struct {
		char name[16];	// "interleave"
		double slice_s, settle_s, warmup_s;
		int pairs_planned, pairs_done, repeated;
		unsigned long long seed;
		double effect;	// 0.02
		char order[512]; // "AB BA BA AB"
	} plan;
	struct result_side side[SIDES];
	enum metric primary;
	struct verdict verdict;
	int n_reasons;
	char reason[8][320];	// of "none"
	int n_metrics;
	struct metric_result metric[METRIC_N];
	int n_pairs, cap_pairs;
	struct pair *pairs;	// owned
	int n_warnings, cap_warnings;
	struct warning *warnings; // owned
	int interrupted;
};

void result_init(struct result *r); // everything unknown
void result_fini(struct result *r);
// Adds a warning; one with the same id and side is replaced. 0 or -ENOMEM.
int result_warn(struct result *r, const char *id, enum warning_level level, enum warning_side side,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));
// Whether a table for people should have a row for metric[i]: something is known of it, it is not 0 on both sides, and
// it is not the primary in another unit (a closed loop: IOPS and bytes are one number), and no earlier row of the same
// unit says the very same (reads alone: all latencies are read latencies).
int result_shows_metric(const struct result *r, int i);
// Takes back the warnings of this id.
void result_unwarn(struct result *r, const char *id);
int result_add_pair(struct result *r, const struct pair *pair);

// Every figure unknown; the rest 0.
void slice_init(struct slice *s);
void pair_init(struct pair *p);

// Computes metrics[], verdict and the checks of METHOD.md 3.5 and 3.6 from pairs, plan and warnings (pure;
// calling it twice gives the same bytes). stopped: the operator ended the plan early.
void result_conclude(struct result *r, int stopped);

#endif
