// SPDX-License-Identifier: MIT
// The course of a session over time as equal steps, for pictures. A step keeps the smallest and the largest interval
// that it holds, so that no peak is lost; a step without work is a gap (NAN).
#ifndef IODUEL_EXPORT_SERIES_H
#define IODUEL_EXPORT_SERIES_H

#include "session/export.h"

#define EXPORT_STEPS_MAX 1500

enum export_kind {
	EXPORT_OPS, EXPORT_BYTES, EXPORT_P50, EXPORT_P99, EXPORT_LAT_MAX, EXPORT_CPU, EXPORT_DEVICE_BYTES, EXPORT_KINDS
};

struct export_line {
	double mean[EXPORT_STEPS_MAX], min[EXPORT_STEPS_MAX], max[EXPORT_STEPS_MAX];
	int known;
};

struct export_series {
	int n;
	double step_s; // length of a step
	struct export_line line[EXPORT_KINDS][SIDES];
};

// NULL when out of memory; n is 0 where there is no course. Free it with free().
struct export_series *export_series_new(const struct export_source *source);

// Label and unit of a kind.
extern const struct export_kind_info {
	const char *label, *unit;
	int log; // spans decades
} export_kind_info[EXPORT_KINDS];

#endif
