// SPDX-License-Identifier: MIT
// Numbers as people read them. Pure; one rule: a value is rounded once, so
// that 999.6 becomes 1.00 k and never 1000.
#include "screen/format.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct step {
	double factor;
	const char *unit;
};

struct scale_table {
	int unit_width;
	const struct step *step; // ascending; ends with factor 0
};

static const struct step bytes_per_s[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}, {0, NULL}};
static const struct step bytes[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}, {0, NULL}};
static const struct step per_s[] = {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {0, NULL}};
static const struct step time_ns[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {0, NULL}};
static const struct step share[] = {{0.01, "%"}, {0, NULL}};
static const struct step plain[] = {{1, ""}, {1e3, "k"}, {1e6, "M"}, {0, NULL}};
static const struct step seconds_table[] = {{1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}, {1e3, "ks"}, {0, NULL}};

static const struct scale_table tables[QUANTITY_N] = {
	[QUANTITY_BYTES_PER_S] = {4, bytes_per_s},
	[QUANTITY_BYTES] = {2, bytes},
	[QUANTITY_PER_S] = {1, per_s},
	[QUANTITY_COUNT] = {1, plain},
	[QUANTITY_TIME] = {2, time_ns},
	[QUANTITY_SHARE] = {1, share},
	[QUANTITY_RATIO] = {1, plain},
	[QUANTITY_SECONDS] = {2, seconds_table},
};

#define NUMBER_WIDTH 5

int
format_width(enum quantity q)
{
	return NUMBER_WIDTH + 1 + tables[q].unit_width;
}

// Digits after the point for three significant ones of a value in [0, 1000).
static int
decimals(enum quantity q, double value)
{
	if (q == QUANTITY_SHARE)
		return value >= 99.95 ? 0 : 1;
	if (value >= 99.95)
		return 0;
	if (value >= 9.995)
		return 1;
	return q == QUANTITY_RATIO && value < 0.9995 ? 3 : 2;
}

static void
split(enum quantity q, double value, char *number, size_t size, const char **ret_unit)
{
	const struct step *step = tables[q].step;
	double size_of = fabs(value), scaled;

	if (!isfinite(value)) {
		snprintf(number, size, "%s", isnan(value) ? "–" : value > 0 ? "inf" : "-inf");
		*ret_unit = "";
		return;
	}
	while (step[1].factor != 0 && size_of / step->factor >= 999.5)
		step++;
	scaled = size_of / step->factor;
	*ret_unit = step->unit;
	if (scaled == 0 || (scaled < 0.0005 && step == tables[q].step))
		snprintf(number, size, "0");
	else if (scaled >= 99999.5)
		snprintf(number, size, "%.3g", scaled);
	else if (step->factor == 1 && scaled == floor(scaled) && q != QUANTITY_RATIO && q != QUANTITY_COUNT)
		snprintf(number, size, "%.0f", value); // whole bytes, whole operations, whole nanoseconds
	else
		snprintf(number, size, "%s%.*f", value < 0 ? "-" : "", decimals(q, scaled), scaled);
}

void
format_quantity(enum quantity q, double value, char *buf, size_t size)
{
	char number[32];
	const char *unit;
	int pad_number, pad_unit;

	split(q, value, number, sizeof(number), &unit);
	pad_number = NUMBER_WIDTH - text_width(number);
	pad_unit = tables[q].unit_width - text_width(unit);
	snprintf(buf, size, "%*s%s %s%*s", pad_number > 0 ? pad_number : 0, "", number, unit, pad_unit > 0 ? pad_unit : 0, "");
}

void
format_short(enum quantity q, double value, char *buf, size_t size)
{
	char number[32];
	const char *unit;

	split(q, value, number, sizeof(number), &unit);
	snprintf(buf, size, "%s%s%s", number, *unit ? " " : "", unit);
}

void
format_tick(enum quantity q, double value, int with_unit, char *buf, size_t size)
{
	const struct step *step = tables[q].step;
	const char *unit;
	char number[32];

	if (value == 0 || !isfinite(value)) {
		snprintf(buf, size, "%s", value == 0 ? "0" : "–");
		return;
	}
	while (step[1].factor != 0 && fabs(value) / step[1].factor >= 0.9999)
		step++;
	snprintf(number, sizeof(number), "%.3g", value / step->factor);
	unit = step->unit;
	// "2G" says enough where the title names the unit
	if (!with_unit && (q == QUANTITY_BYTES_PER_S || q == QUANTITY_BYTES))
		snprintf(buf, size, "%s%.*s", number, strcmp(unit, "B/s") == 0 || strcmp(unit, "B") == 0 ? 0 : 1, unit);
	else
		snprintf(buf, size, "%s%s%s", number, unit, with_unit && q == QUANTITY_PER_S ? "/s" : "");
}

void
format_duration(double seconds, char *buf, size_t size)
{
	long s;

	if (!isfinite(seconds) || seconds < 0 || seconds > 1e9) {
		snprintf(buf, size, "–:––:––");
		return;
	}
	s = (long)seconds;
	snprintf(buf, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

void
format_age(double seconds, char *buf, size_t size)
{
	long s = isfinite(seconds) && fabs(seconds) < 1e9 ? lround(fabs(seconds)) : 0;
	const char *sign = seconds < -0.5 ? "-" : "";

	if (s < 60)
		snprintf(buf, size, "%s%lds", sign, s);
	else if (s < 3600)
		snprintf(buf, size, "%s%ld:%02ld", sign, s / 60, s % 60);
	else
		snprintf(buf, size, "%s%ld:%02ld:%02ld", sign, s / 3600, s / 60 % 60, s % 60);
}

enum quantity
format_unit(const char *unit, double *ret_factor)
{
	static const struct { const char *unit; enum quantity q; double factor; } table[] = {
		{"1/s", QUANTITY_PER_S, 1}, {"B/s", QUANTITY_BYTES_PER_S, 1}, {"KiB/s", QUANTITY_BYTES_PER_S, 1024},
		{"B", QUANTITY_BYTES, 1}, {"ns", QUANTITY_TIME, 1}, {"s", QUANTITY_SECONDS, 1},
		{"%", QUANTITY_SHARE, 0.01}, {"cores", QUANTITY_COUNT, 1}, {"ratio", QUANTITY_RATIO, 1},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(unit, table[i].unit) == 0) {
			*ret_factor = table[i].factor;
			return table[i].q;
		}
	*ret_factor = 1;
	return QUANTITY_COUNT;
}
