// SPDX-License-Identifier: MIT
// Scales of graphs: where a value lies, and which round values to write at the
// axis. Pure; one rule: ends and ticks are numbers that a person would choose.
#include "screen/plot.h"

#include <math.h>

double
plot_position(const struct plot_scale *scale, double value)
{
	double at;

	if (isnan(value) || value <= scale->lo)
		return 0;
	if (value >= scale->hi)
		return 1;
	at = scale->log ? log(value / scale->lo) / log(scale->hi / scale->lo)
			: (value - scale->lo) / (scale->hi - scale->lo);
	return at < 0 ? 0 : at > 1 ? 1 : at;
}

// The smallest round number that is not below value.
static double
round_up(double value)
{
	static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
	double power = pow(10, floor(log10(value)));

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (value <= steps[i] * power * (1 + 1e-9))
			return steps[i] * power;
	return 10 * power;
}

void
plot_scale_fit(double min, double max, double fallback, bool log_scale, struct plot_scale *ret)
{
	if (!isfinite(max) || max <= 0)
		max = fallback;
	ret->log = log_scale;
	if (!log_scale) {
		ret->lo = 0;
		ret->hi = round_up(max);
		return;
	}
	if (!isfinite(min) || min <= 0)
		min = max / 1000;
	ret->hi = pow(10, ceil(log10(max) - 1e-9));
	ret->lo = pow(10, floor(log10(min) + 1e-9));
	// less than one decade is no scale, more than nine are no graph
	if (ret->lo >= ret->hi)
		ret->lo = ret->hi / 10;
	if (ret->lo < ret->hi / 1e9)
		ret->lo = ret->hi / 1e9;
}

static int
log_ticks(const struct plot_scale *scale, int max, double *ret)
{
	int first = (int)lround(log10(scale->lo)), last = (int)lround(log10(scale->hi)), n = 0;
	int step = 1;

	while ((last - first) / step + 1 > max)
		step++;
	for (int decade = first; decade <= last && n < max; decade += step)
		ret[n++] = pow(10, decade);
	return n;
}

int
plot_ticks(const struct plot_scale *scale, int max, double *ret)
{
	static const double steps[] = {1, 2, 2.5, 5, 10};
	double power, step = 0;
	int n = 0;

	max = max > PLOT_TICKS_MAX ? PLOT_TICKS_MAX : max;
	if (max < 1 || !(scale->hi > scale->lo))
		return 0;
	if (scale->log)
		return log_ticks(scale, max, ret);
	if (max == 1) {
		ret[0] = scale->hi;
		return 1;
	}
	power = pow(10, floor(log10(scale->hi / max)));
	// the top of the scale is a tick where one can be: only steps that divide it
	for (int i = 0; i < 10 && step == 0; i++) {
		double s = steps[i % 5] * power * (i >= 5 ? 10 : 1), count = scale->hi / s;
		if (count + 1 <= max + 1e-9 && fabs(count - round(count)) < 1e-6)
			step = s;
	}
	if (step == 0)
		step = scale->hi;
	for (int i = 0; n < max && i * step <= scale->hi * (1 + 1e-9); i++)
		ret[n++] = i * step;
	return n;
}
