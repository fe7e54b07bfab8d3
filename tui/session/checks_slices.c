// SPDX-License-Identifier: MIT
// The checks that look inside slices. One rule: a stall is counted and told,
// never dropped.
#include "session/checks_slices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/steady.h"

#define CHECK_QUANTILE 0.995 // two-sided 1 %
#define STALLED_SLICE 0.5    // of the target's median slice
#define STALLED_SECOND 0.1   // of the slice's median second
#define DRAIN_FROM_S 1.0
#define FALL_FROM 0.25
#define DEVICE_READS_LEAST 0.9 // of what the program read
#define GIB (1024.0 * 1024 * 1024)

static const char letters[SIDES] = {'A', 'B'};

static enum warning_side
warning_side(enum side side)
{
	return side == SIDE_A ? WARN_A : WARN_B;
}

static int
compare_doubles(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

// Sorts values. NAN if there are none.
static double
median(double *values, int n)
{
	if (n < 1)
		return NAN;
	qsort(values, (size_t)n, sizeof(*values), compare_doubles);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static const struct slice *
slice_of(const struct columns *c, int i, enum side side)
{
	return &c->pair[i]->slice[side];
}

// A slice that follows the other target's shows in its first seconds what that one left behind.
static void
check_start(struct result *r, const struct columns *c, enum side side)
{
	double sum = 0, sum_squares = 0;
	int n = 0;
	for (int i = 0; i < c->n; i++) {
		const struct slice *s = slice_of(c, i, side);
		if (!s->follows_other || s->n_seconds < 2 || !(s->second[0] > 0) || !(s->second[s->n_seconds - 1] > 0))
			continue;
		double change = log((double)s->second[0] / (double)s->second[s->n_seconds - 1]);
		sum += change;
		sum_squares += change * change;
		n++;
	}
	if (n < 3)
		return;
	double mean = sum / n, variance = (sum_squares - n * mean * mean) / (n - 1);
	if (!(fabs(mean) > stats_t_quantile(CHECK_QUANTILE, n - 1) * sqrt(fmax(variance, 0) / n)) || fabs(mean) < 1e-9)
		return;
	char number[40];
	verdict_format_number(100 * fabs(expm1(-mean)), 0, number, sizeof(number));
	result_warn(r, "start-effect", LEVEL_YELLOW, warning_side(side),
		    "%c still %s %s %% within its slices: settle time %g s is too short", letters[side],
		    mean < 0 ? "climbs" : "falls", number, r->plan.settle_s);
}

// Runs of stalled seconds in a slice, and how many seconds they took.
static int
stalled_seconds(const struct slice *s, int *ret_seconds)
{
	double sorted[SLICE_SECONDS_MAX];
	int runs = 0, before = 0;
	*ret_seconds = 0;
	for (int i = 0; i < s->n_seconds; i++)
		sorted[i] = (double)s->second[i];
	double limit = STALLED_SECOND * median(sorted, s->n_seconds);
	for (int i = 0; i < s->n_seconds; i++) {
		int stalled = (double)s->second[i] < limit;
		runs += stalled && !before;
		*ret_seconds += stalled;
		before = stalled;
	}
	return runs;
}

void
checks_count_stalls(const struct columns *c, enum side side, enum figure_kind kind, struct stall_count *ret)
{
	const double *own = side == SIDE_A ? c->a : c->b;
	double *sorted = malloc((size_t)(c->n > 0 ? c->n : 1) * sizeof(*sorted)), typical = NAN;
	double stalled_ns = 0, all_ns = 0;
	*ret = (struct stall_count){0, 0};
	if (sorted) {
		memcpy(sorted, own, (size_t)c->n * sizeof(*own));
		typical = median(sorted, c->n);
	}
	free(sorted);
	for (int i = 0; i < c->n; i++) {
		const struct slice *s = slice_of(c, i, side);
		int seconds, runs = stalled_seconds(s, &seconds);
		int slow = kind == FIGURE_RATE ? own[i] < STALLED_SLICE * typical :
			   kind == FIGURE_DURATION ? own[i] * STALLED_SLICE > typical : 0;
		all_ns += (double)s->counted_ns;
		ret->n += runs ? runs : slow;
		if (runs)
			stalled_ns += (double)s->counted_ns * seconds / s->n_seconds;
		else if (slow)
			stalled_ns += (double)s->counted_ns;
	}
	if (all_ns > 0)
		ret->share = stalled_ns / all_ns;
}

static void
check_stalls(struct result *r, const struct columns *c)
{
	struct stall_count stalls[SIDES];
	char share[SIDES][48] = {"", ""};
	for (enum side side = SIDE_A; side < SIDES; side++) {
		char number[40];
		checks_count_stalls(c, side, metric_table[r->primary].kind, &stalls[side]);
		if (!stalls[side].n)
			continue;
		verdict_format_number(100 * stalls[side].share, 0, number, sizeof(number));
		snprintf(share[side], sizeof(share[side]), " (%.20s %% of %c's time)", number, letters[side]);
	}
	if (stalls[SIDE_A].n || stalls[SIDE_B].n)
		result_warn(r, "stalls", LEVEL_INFO, WARN_BOTH, "stalls: A %d%s, B %d%s", stalls[SIDE_A].n, share[SIDE_A],
			    stalls[SIDE_B].n, share[SIDE_B]);
}

static void
check_drain(struct result *r, const struct columns *c, enum side side)
{
	double sum = 0;
	for (int i = 0; i < c->n; i++)
		sum += (double)slice_of(c, i, side)->drain_ns;
	double mean_s = sum / c->n / 1e9;
	if (mean_s > DRAIN_FROM_S)
		result_warn(r, "drain", LEVEL_YELLOW, warning_side(side), "%.1f s of draining after each %c slice, charged to %c",
			    mean_s, letters[side], letters[side]);
}

// Mean and sum of squared deviations of the primary over slices from..to-1.
static double
third(const double *values, int from, int to, double *ret_squares)
{
	double sum = 0, squares = 0;
	for (int i = from; i < to; i++)
		sum += values[i];
	double mean = sum / (to - from);
	for (int i = from; i < to; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	*ret_squares = squares;
	return mean;
}

static void
format_rate(const struct metric_info *info, double value, char *buf, unsigned size)
{
	char number[40];
	int bytes = strcmp(info->unit, "B/s") == 0;
	double unit = !bytes ? 1 : value >= 1e9 ? 1e9 : 1e6;
	verdict_format_number(value / unit, 0, number, sizeof(number));
	snprintf(buf, size, "%s %s", number, !bytes ? info->label : unit > 1e6 ? "GB/s" : "MB/s");
}

// A write cache that fills up: the target's own rate falls from the first third to the last.
static void
check_fall(struct result *r, const struct columns *c, enum side side)
{
	const struct metric_info *info = &metric_table[r->primary];
	const double *own = side == SIDE_A ? c->a : c->b;
	int k = c->n / 3;
	if (k < 2 || info->kind != FIGURE_RATE || !info->higher_is_better)
		return;
	double first_squares, last_squares, written = 0;
	double first = third(own, 0, k, &first_squares), last = third(own, c->n - k, c->n, &last_squares);
	double se = sqrt((first_squares + last_squares) / (2 * k - 2) * 2 / k);
	if (!(last <= (1 - FALL_FROM) * first) || !(first - last > stats_t_quantile(CHECK_QUANTILE, 2 * k - 2) * se))
		return;
	for (int i = 0; i < c->n - k; i++)
		written += slice_of(c, i, side)->bytes;
	char from[80], to[80], amount[60] = "";
	format_rate(info, first, from, sizeof(from));
	format_rate(info, last, to, sizeof(to));
	if (isfinite(written))
		snprintf(amount, sizeof(amount), " after at least %.3g GB written", written / 1e9);
	result_warn(r, "rate-fell", LEVEL_RED, warning_side(side), "%c fell from %s to %s%s: write cache full?", letters[side],
		    from, to, amount);
}

// The value of "key=..." in lines of parameters as plain bytes; NAN if it is not there.
static double
parameter(const char *params, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = params; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		if (strncmp(line, key, length) != 0 || line[length] != '=')
			continue;
		char *end;
		double value = strtod(line + length + 1, &end);
		const char *unit = *end && *end != '\n' ? strchr("kmgt", *end | 0x20) : NULL;
		return unit ? value * pow(1024, (double)(unit - "kmgt" + 1)) : value;
	}
	return NAN;
}

static void
check_sustained(struct result *r, const struct columns *c)
{
	double written[SIDES] = {0, 0}, free_bytes = 0;
	for (enum side side = SIDE_A; side < SIDES; side++) {
		for (int i = 0; i < c->n; i++)
			written[side] += slice_of(c, i, side)->bytes;
		double own = (double)r->side[side].stack.fs_free_bytes;
		free_bytes = fmax(free_bytes, own);
	}
	double least = fmin(written[SIDE_A], written[SIDE_B]);
	if (!isfinite(least))
		return;
	int sustained = steady_is_sustained(steady_judge(c->a, c->n), steady_judge(c->b, c->n), least,
					    parameter(r->params, "size"), free_bytes > 0 ? free_bytes : NAN);
	result_warn(r, sustained ? "sustained" : "burst", LEVEL_INFO, WARN_BOTH, "%s (%.3g GiB written per target)",
		    sustained ? "sustained" : "burst", least / GIB);
}

// What a slice read, as the program counted it and as the device did; 0 where one of them is unknown.
static int
slice_reads(const struct slice *s, double *ret_program, double *ret_device)
{
	double counted_s = (double)s->counted_ns / 1e9, total = s->metric[METRIC_READ_TOTAL];
	*ret_program = isfinite(total) ? total : s->metric[METRIC_READ_BYTES] * counted_s;
	*ret_device = s->metric[METRIC_DEVICE_READ_BYTES] * counted_s;
	return isfinite(*ret_program) && isfinite(*ret_device);
}

// Reads that no device served. What a cache absorbs is part of what a command measures; a read test must not be served by it.
static void
check_memory(struct result *r, const struct columns *c, enum side side)
{
	double program = 0, device = 0;
	for (int i = 0; i < c->n; i++) {
		double own_program, own_device;
		if (!slice_reads(slice_of(c, i, side), &own_program, &own_device))
			return;
		program += own_program;
		device += own_device;
	}
	if (!(device < DEVICE_READS_LEAST * program))
		return;
	int of_its_own = strcmp(r->workload, "command") == 0 || strcmp(r->workload, "bonnie") == 0 ||
			 strcmp(r->workload, "metadata") == 0;
	result_warn(r, "cache-read", of_its_own ? LEVEL_YELLOW : LEVEL_RED, warning_side(side),
		    "%c: %.0f %% of the reads came from memory (%.3g GiB read, %.3g GiB from the device)%s", letters[side],
		    100 * (1 - device / program), program / GIB, device / GIB, of_its_own ? "" : ". This compares RAM.");
}

static int
mostly_writes(const struct columns *c)
{
	double reads = 0, writes = 0;
	for (int i = 0; i < c->n; i++) {
		for (enum side side = SIDE_A; side < SIDES; side++) {
			const struct slice *s = slice_of(c, i, side);
			reads += isfinite(s->read_ops) ? s->read_ops : 0;
			writes += isfinite(s->write_ops) ? s->write_ops : 0;
		}
	}
	return writes > reads;
}

void
checks_slices(struct result *r, const struct columns *c)
{
	int writes = mostly_writes(c);
	check_stalls(r, c);
	for (enum side side = SIDE_A; side < SIDES; side++) {
		check_start(r, c, side);
		check_drain(r, c, side);
		check_memory(r, c, side);
		if (writes)
			check_fall(r, c, side);
	}
	if (writes)
		check_sustained(r, c);
}
