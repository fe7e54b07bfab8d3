// SPDX-License-Identifier: MIT
// Numbers with units for text and markup. One rule: a figure that came with all its digits keeps them.
#include "session/text_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Four significant digits from 1 to 9999, without an exponent.
static void
format_digits(double value, char *buf, size_t size)
{
	double magnitude = fabs(value);
	int decimals = magnitude >= 999.5 || magnitude == 0 ? 0 : magnitude >= 99.95 ? 1 : magnitude >= 9.995 ? 2 : 3;
	if (magnitude > 0 && magnitude < 0.9995)
		snprintf(buf, size, "%.3g", value);
	else
		snprintf(buf, size, "%.*f", decimals, value);
}

static void
format_scaled(double value, const char *const *prefix, double step, const char *unit, char *buf, size_t size)
{
	char digits[48];
	int i = 0;
	while (fabs(value) >= step * 0.99995 && prefix[i + 1]) {
		value /= step;
		i++;
	}
	format_digits(value, digits, sizeof(digits));
	snprintf(buf, size, "%s %s%s", digits, prefix[i], unit);
	size_t n = strlen(buf);
	if (n > 0 && buf[n - 1] == ' ')
		buf[n - 1] = '\0';
}

void
text_format_value(double value, const char *unit, char *buf, size_t size)
{
	static const char *const si[] = { "", "k", "M", "G", "T", "P", NULL };
	static const char *const time[] = { "ns", "µs", "ms", "s", NULL };
	if (!isfinite(value)) {
		snprintf(buf, size, "-");
	} else if (strcmp(unit, "1/s") == 0) {
		format_scaled(value, si, 1000, "", buf, size);
	} else if (strcmp(unit, "B/s") == 0 || strcmp(unit, "B") == 0) {
		format_scaled(value, si, 1000, unit, buf, size);
	} else if (strcmp(unit, "ns") == 0) {
		format_scaled(value, time, 1000, "", buf, size);
	} else if (strcmp(unit, "KiB/s") == 0 || strcmp(unit, "s") == 0 || strcmp(unit, "%") == 0) {
		snprintf(buf, size, "%.12g %s", value, unit);
	} else {
		char digits[48];
		format_digits(value, digits, sizeof(digits));
		snprintf(buf, size, "%s%s%s", digits, strcmp(unit, "ratio") && unit[0] ? " " : "",
			 strcmp(unit, "ratio") ? unit : "");
	}
}

void
text_format_figure(const struct metric_result *m, int side, char *buf, size_t size)
{
	if (m->state[side] == WIRE_RESULT_NOT_RUN)
		snprintf(buf, size, "not run");
	else if (m->state[side] == WIRE_RESULT_TOO_FAST)
		snprintf(buf, size, "too fast");
	else if (m->id >= METRIC_PUTC && m->id <= METRIC_RAN_DEL_CPU && isfinite(m->mean[side]))
		snprintf(buf, size, "%.10g %s", m->mean[side], metric_table[m->id].unit); // as bonnie++ prints it
	else if (m->n[side] > 1 && isfinite(m->mean[side]) && strcmp(metric_table[m->id].unit, "s") == 0)
		snprintf(buf, size, m->mean[side] >= 99999 ? "%.0f s" : "%.5g s", m->mean[side]); // a mean, not a figure that somebody printed
	else
		text_format_value(m->mean[side], metric_table[m->id].unit, buf, size);
}

void
text_format_duration(double seconds, char *buf, size_t size)
{
	if (!isfinite(seconds) || seconds < 0 || seconds > 1e9) {
		snprintf(buf, size, "-");
		return;
	}
	long whole = lround(seconds);
	if (whole >= 3600)
		snprintf(buf, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
	else
		snprintf(buf, size, "%ld:%02ld", whole / 60, whole % 60);
}
