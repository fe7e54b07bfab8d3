// SPDX-License-Identifier: MIT
// The statistic over pairs: ratio of total work, its standard error with an
// order term and a lag-1 widening, the anytime bound. One rule: a function
// here depends on its arguments alone, and what it cannot know is NAN.
#include "session/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_LEAST 6
#define CORRELATION_MOST 0.9

struct figures {
	const double *a, *b;
	const signed char *order;
	int n;
	enum figure_kind kind;
	double mean_a, mean_b, l;
	double mean_order, gamma;
};

// u_i: what pair i adds to the linearised log ratio. Sums to 0.
static double
deviation(const struct figures *f, int i)
{
	switch (f->kind) {
	case FIGURE_RATE:
		return f->b[i] / f->mean_b - f->a[i] / f->mean_a;
	case FIGURE_DURATION:
		return f->a[i] / f->mean_a - f->b[i] / f->mean_b;
	case FIGURE_QUANTILE:
		break;
	}
	return log(f->b[i] / f->a[i]) - f->l;
}

// e_i: the same without the order effect.
static double
residual(const struct figures *f, int i)
{
	return deviation(f, i) - f->gamma * (f->order[i] - f->mean_order);
}

static int
figure_is_bad(double value, enum figure_kind kind)
{
	if (!isfinite(value) || value < 0)
		return 1;
	// A slice that did nothing is a stall and stays in; only a logarithm of it has no meaning.
	return value == 0 && kind != FIGURE_RATE;
}

static void
clear(struct pair_stats *s, int n)
{
	*s = (struct pair_stats){.n = n,
				 .mean_a = NAN, .mean_b = NAN, .l = NAN, .nu = NAN, .s = NAN, .gamma = NAN,
				 .r1 = NAN, .rc = NAN, .v = NAN, .se = NAN, .t_order = NAN, .t_trend = NAN,
				 .trend_first = NAN, .trend_last = NAN};
}

// Means and the log ratio. False if a figure makes them meaningless.
static bool
take_means(struct figures *f)
{
	double sum_a = 0, sum_b = 0, sum_log = 0, sum_order = 0;
	for (int i = 0; i < f->n; i++) {
		if (figure_is_bad(f->a[i], f->kind) || figure_is_bad(f->b[i], f->kind))
			return false;
		sum_a += f->a[i];
		sum_b += f->b[i];
		sum_order += f->order[i];
		if (f->kind == FIGURE_QUANTILE)
			sum_log += log(f->b[i] / f->a[i]);
	}
	if (f->n == 0 || sum_a <= 0 || sum_b <= 0)
		return false;
	f->mean_a = sum_a / f->n;
	f->mean_b = sum_b / f->n;
	f->mean_order = sum_order / f->n;
	if (f->kind == FIGURE_QUANTILE)
		f->l = sum_log / f->n;
	else
		f->l = f->kind == FIGURE_RATE ? log(f->mean_b / f->mean_a) : log(f->mean_a / f->mean_b);
	return isfinite(f->l);
}

// Regresses the residuals on the pair number.
static void
take_trend(const struct figures *f, double sum_ee, struct pair_stats *ret)
{
	double middle = (f->n + 1) / 2.0, sum_xx = 0, sum_xe = 0;
	for (int i = 0; i < f->n; i++) {
		double x = i + 1 - middle;
		sum_xx += x * x;
		sum_xe += x * residual(f, i);
	}
	double slope = sum_xe / sum_xx;
	double left = sum_ee - slope * sum_xe;
	ret->trend_first = ret->l + slope * (1 - middle);
	ret->trend_last = ret->l + slope * (f->n - middle);
	if (left > 0)
		ret->t_trend = slope / sqrt(left / (ret->nu - 1) / sum_xx);
}

// Everything that needs a spread. Returns PAIRS_OK or why it cannot be.
static enum pair_defect
take_spread(struct figures *f, struct pair_stats *ret)
{
	double sum_oo = 0, sum_ou = 0, sum_ee = 0, sum_lag = 0, before = 0, size = 0;
	for (int i = 0; i < f->n; i++) {
		double o = f->order[i] - f->mean_order, u = deviation(f, i);
		sum_oo += o * o;
		sum_ou += o * u;
		size += u * u;
	}
	if (sum_oo <= 0)
		return PAIRS_ONE_ORDER;
	f->gamma = sum_ou / sum_oo;
	for (int i = 0; i < f->n; i++) {
		double e = residual(f, i);
		sum_ee += e * e;
		sum_lag += e * before;
		before = e;
	}
	ret->gamma = f->gamma;
	ret->s = sqrt(sum_ee / ret->nu);
	// What rounding leaves of equal figures is no spread.
	if (sum_ee <= f->n * 1e-28 || sum_ee <= size * 1e-24)
		return PAIRS_NO_SPREAD;
	ret->r1 = sum_lag / sum_ee;
	ret->rc = fmin(CORRELATION_MOST, fmax(0, ret->r1 + (1 + 3 * ret->r1) / f->n));
	ret->v = (1 + ret->rc) / (1 - ret->rc);
	ret->se = sqrt(ret->s * ret->s * ret->v / f->n);
	ret->t_order = f->gamma / sqrt(ret->s * ret->s / sum_oo);
	if (ret->nu > 1)
		take_trend(f, sum_ee, ret);
	return PAIRS_OK;
}

enum pair_defect
stats_pairs(const double *a, const double *b, const signed char *order, int n, enum figure_kind kind,
	    struct pair_stats *ret)
{
	struct figures f = {.a = a, .b = b, .order = order, .n = n, .kind = kind};
	clear(ret, n);
	if (n < 1)
		return ret->defect = PAIRS_TOO_FEW;
	if (!take_means(&f))
		return ret->defect = PAIRS_NOT_POSITIVE;
	ret->mean_a = f.mean_a;
	ret->mean_b = f.mean_b;
	ret->l = f.l;
	if (n > 2) {
		ret->nu = n - 2;
		ret->defect = take_spread(&f, ret);
	}
	if (n < PAIRS_LEAST)
		ret->defect = PAIRS_TOO_FEW;
	else if (n % 2)
		ret->defect = PAIRS_ODD;
	return ret->defect;
}

void
stats_floor_spread(struct pair_stats *stats, double least_variance)
{
	if (!(least_variance > 0) || (stats->defect != PAIRS_OK && stats->defect != PAIRS_NO_SPREAD))
		return;
	if (stats->defect == PAIRS_OK && stats->s * stats->s >= least_variance)
		return;
	if (stats->defect == PAIRS_NO_SPREAD) {
		stats->r1 = stats->rc = stats->t_order = stats->t_trend = 0;
		stats->trend_first = stats->trend_last = stats->l;
		stats->v = 1;
		stats->defect = PAIRS_OK;
	}
	stats->s = sqrt(least_variance);
	stats->se = sqrt(least_variance * stats->v / stats->n);
}

double
stats_t_quantile(double p, double nu)
{
	if (!(p > 0 && p < 1) || !(nu > 0))
		return NAN;
	return gsl_cdf_tdist_Pinv(p, nu);
}

double
stats_anytime_bound(int n, double alpha)
{
	if (n < 3 || !(alpha > 0 && alpha < 1))
		return INFINITY;
	double nu = n - 2, k = n;
	double bound = pow((1 + k) / (alpha * alpha), 1 / (nu + 1));
	if (bound >= 1 + k)
		return INFINITY;
	return sqrt(nu * (bound - 1) / (1 - bound / (1 + k)));
}

int
stats_pairs_needed(double s, double v, double d)
{
	double need = 1.15 * pow(2.8 * s * sqrt(v) / log1p(d), 2) + 3;
	if (!(need < 1e8))
		return 100 * 1000 * 1000;
	return 2 * (int)ceil(fmax(PAIRS_LEAST, need) / 2);
}

static int
compare_doubles(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

// How many of the sums d_i + d_j, i <= j, do not exceed limit; d is sorted.
static double
count_sums(const double *d, int n, double limit)
{
	double count = 0;
	int j = n - 1;
	for (int i = 0; i < n; i++) {
		while (j >= 0 && d[i] + d[j] > limit)
			j--;
		if (j < i)
			break;
		count += j - i + 1;
	}
	return count;
}

// The k-th smallest sum, by bisection: n^2 sums need not be stored.
static double
select_sum(const double *d, int n, double k)
{
	double lo = 2 * d[0], hi = 2 * d[n - 1];
	for (int round = 0; round < 200 && lo < hi; round++) {
		double middle = lo + (hi - lo) / 2;
		if (middle <= lo || middle >= hi)
			break;
		if (count_sums(d, n, middle) >= k)
			hi = middle;
		else
			lo = middle;
	}
	return count_sums(d, n, lo) >= k ? lo : hi;
}

double
stats_hodges_lehmann(const double *a, const double *b, int n, enum figure_kind kind)
{
	if (n < 1)
		return NAN;
	double *d = malloc((size_t)n * sizeof(*d));
	double sums = (double)n * (n + 1) / 2, sign = kind == FIGURE_DURATION ? -1 : 1, ret = NAN;
	if (!d)
		return NAN;
	for (int i = 0; i < n; i++) {
		d[i] = sign * log(b[i] / a[i]);
		if (!isfinite(d[i]))
			goto out;
	}
	qsort(d, (size_t)n, sizeof(*d), compare_doubles);
	ret = (select_sum(d, n, floor((sums + 1) / 2)) + select_sum(d, n, floor(sums / 2) + 1)) / 4;
out:
	free(d);
	return ret;
}
