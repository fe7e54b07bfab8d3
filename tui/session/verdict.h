// SPDX-License-Identifier: MIT
// From the statistic to a word and a sentence (doc/METHOD.md, "What is shown").
#ifndef IODUEL_VERDICT_H
#define IODUEL_VERDICT_H

#include "session/stats.h"

enum verdict_word {
	VERDICT_NONE,	   // a red condition, or nothing to compare
	VERDICT_UNDECIDED, // no interval, or it includes "no difference"
	VERDICT_A, VERDICT_B, // which side is better
	VERDICT_SMALL,	   // real, but below the effect that matters
	VERDICT_SAME,	   // the whole interval lies within the effect that matters
};

// "a", "b", "small", "same", "undecided", "none".
const char *verdict_word_name(enum verdict_word word);

struct verdict_rule {
	int n_planned;	     // pairs
	double effect;	     // smallest difference that matters, 0.02
	double level_end;    // 0.05: 1 - confidence at the planned end
	double level_any;    // 0.01: of the anytime interval
	double least_variance; // of a pair's figure, by the resolution of counting; 0 = none (stats_floor_spread)
	double pair_seconds; // for "0:36 more"
	int stopped;	     // the operator ended it before the planned end
	const char *noun;    // NULL: texts say faster and slower; "p99 latency": higher and lower
	int lower_is_better; // of a rate or quantile
};

struct verdict {
	enum verdict_word word;
	int has_interval;
	double ratio, lo, hi; // above 1: B is better. Rates B over A, durations A's time over B's,
			      // where lower is better A over B; NAN = none
	double confidence;    // 0.95 or 0.99
	int anytime;	      // the interval is of the anytime kind
	int stopped_early;
	int pairs;
	char text[320];	      // one sentence, plain
};

// The verdict on the pairs so far. a, b, order as in stats_pairs. Pure.
void verdict_reach(const double *a, const double *b, const signed char *order, int n, enum figure_kind kind,
		   const struct verdict_rule *rule, struct pair_stats *ret_stats, struct verdict *ret);

// True where the interval at this look allows the claim that A and B differ.
int verdict_is_claim(const struct verdict *v);

// "4..22 %" (both on one side of 1), "-4..+21 %", "2.6..2.9 times": bounds rounded outward to two significant digits.
void verdict_format_range(double lo_ratio, double hi_ratio, char *buf, unsigned size);

// A number with two significant digits: mode -1 rounds down, 0 to the nearest, +1 up. "12", "1.1", "0.04", "1,200".
void verdict_format_number(double value, int mode, char *buf, unsigned size);

// What an earlier session said of the same pair of targets.
struct verdict_past {
	char date[11]; // "2026-11-28"
	enum verdict_word word;
	double ratio, lo, hi; // as in struct verdict
};

// "session 4 for this pair since 2026-11-28; earlier: undecided, undecided, B +3 % (0.2..6 %)":
// past in time order; "" where there is none.
void verdict_format_history(const struct verdict_past *past, int n, char *buf, unsigned size);

#endif
