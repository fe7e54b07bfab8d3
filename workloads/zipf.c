// SPDX-License-Identifier: MIT
// Zipf-distributed block numbers; see zipf.h. Rule: pure, but for the random
// state that is passed in.
#include "zipf.h"

#include <math.h>

// (exp(x) - 1) / x and log(1 + x) / x, also near 0.
static double
expm1_over(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}

static double
log1p_over(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

// The integral of x^-theta, and its inverse.
static double
integral(double theta, double x)
{
	double l = log(x);
	return expm1_over((1 - theta) * l) * l;
}

static double
integral_inverse(double theta, double y)
{
	double t = y * (1 - theta);
	if (t < -1)
		t = -1;
	return exp(log1p_over(t) * y);
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}

void
zipf_init(struct zipf *z, uint64_t n, double theta)
{
	z->n = n;
	z->theta = theta;
	z->h_first = integral(theta, 1.5) - 1;
	z->h_last = integral(theta, (double)n + 0.5);
	z->accept = 2 - integral_inverse(theta, integral(theta, 2.5) - pow(2, -theta));
	z->stride = n > 2 ? (uint64_t)((double)n * 0.6180339887498949) : 1;
	if (z->stride == 0)
		z->stride = 1;
	while (greatest_common_divisor(z->stride, n) != 1)
		z->stride++;
}

uint64_t
zipf_rank(const struct zipf *z, struct random *random)
{
	for (;;) {
		double u = z->h_last + random_unit(random) * (z->h_first - z->h_last);
		double x = integral_inverse(z->theta, u);
		double k = floor(x + 0.5);
		if (k < 1)
			k = 1;
		else if (k > (double)z->n)
			k = (double)z->n;
		if (k - x <= z->accept || u >= integral(z->theta, k + 0.5) - pow(k, -z->theta))
			return (uint64_t)k;
	}
}

uint64_t
zipf_next(const struct zipf *z, struct random *random)
{
	__extension__ typedef unsigned __int128 wide;
	return (uint64_t)(((wide)(zipf_rank(z, random) - 1) * z->stride) % z->n);
}
