// SPDX-License-Identifier: MIT
// The statistic over pairs (doc/METHOD.md): pure functions of the figures, no
// clock, no I/O, no globals.
#ifndef IODUEL_STATS_H
#define IODUEL_STATS_H

#include <stdbool.h>

// How the figures of a slice are to be read.
enum figure_kind {
	FIGURE_RATE,	 // more is better; ratio of total work, ln(sum b / sum a)
	FIGURE_DURATION, // seconds per run; ln(sum a / sum b), so that L > 0 still means "B is faster"
	FIGURE_QUANTILE, // latency quantile; mean of ln(b_i / a_i), L > 0 means B's is higher
};

// Why no interval can be given.
enum pair_defect {
	PAIRS_OK,
	PAIRS_TOO_FEW,	  // n < 6
	PAIRS_ODD,	  // n is odd: looks happen at even n only
	PAIRS_NO_SPREAD,  // s^2 = 0
	PAIRS_ONE_ORDER,  // all orders equal
	PAIRS_NOT_POSITIVE, // a figure < 0, NaN or infinite; 0 too, unless it is a rate (a slice that did nothing is a stall)
};

struct pair_stats {
	int n;
	enum pair_defect defect;
	double mean_a, mean_b;
	double l;     // log ratio, see figure_kind
	double nu;    // degrees of freedom, n - 2
	double s;     // standard deviation of the order-corrected residuals
	double gamma; // order effect
	double r1, rc; // lag-1 correlation: raw, bias-corrected in [0, 0.9]
	double v;     // widening factor of the variance, (1 + rc) / (1 - rc)
	double se;
	double t_order, t_trend; // t values of the order effect (nu) and the ratio's trend (nu - 1)
	double trend_first, trend_last; // fitted log ratio at the first and the last pair
};

// order[i] is +1 where A came first in pair i, -1 otherwise. Fills everything
// that n allows (the rest NAN) and returns the defect.
enum pair_defect stats_pairs(const double *a, const double *b, const signed char *order, int n,
			     enum figure_kind kind, struct pair_stats *ret);

// The spread can not be less than what counting whole operations leaves: raises s (and se) to this variance of
// the residuals. Without it, two devices held to exact rates would show no spread at all, and no interval.
// Nothing changes where s is larger, or least_variance is 0.
void stats_floor_spread(struct pair_stats *stats, double least_variance);

// p-quantile of Student's t with nu degrees of freedom.
double stats_t_quantile(double p, double nu);

// The anytime bound c_n with g = 1 and nu = n - 2 (Ville's inequality on the right-Haar t
// likelihood ratio). INFINITY where no interval exists yet (n < 8 at alpha .01).
double stats_anytime_bound(int n, double alpha);

// Pairs to plan so that a difference of d (0.05 = 5 %) is found with about 80 % chance.
int stats_pairs_needed(double s, double v, double d);

// Hodges-Lehmann estimate of ln(b_i / a_i), sign as pair_stats.l: what the typical pair shows.
// NAN where a figure has no logarithm.
double stats_hodges_lehmann(const double *a, const double *b, int n, enum figure_kind kind);

#endif
