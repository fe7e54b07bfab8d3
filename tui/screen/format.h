// SPDX-License-Identifier: MIT
// Numbers as people read them: three significant digits, the unit after a
// blank, always as wide as any other value of its kind. Unknown is a dash.
#ifndef IODUEL_SCREEN_FORMAT_H
#define IODUEL_SCREEN_FORMAT_H

#include <stddef.h>

enum quantity {
	QUANTITY_BYTES_PER_S, // "1.42 GB/s", powers of 1000
	QUANTITY_BYTES,	      // "4.00 GB"
	QUANTITY_PER_S,	      // "347 k"
	QUANTITY_COUNT,	      // "31.8"
	QUANTITY_TIME,	      // of nanoseconds: "212 µs"
	QUANTITY_SHARE,	      // of 0..1: "12.3 %"
	QUANTITY_RATIO,	      // "0.361"
	QUANTITY_SECONDS,     // of seconds: "12.1 s"
	QUANTITY_N
};

// Columns that format_quantity takes, whatever the value.
int format_width(enum quantity q);

// Right-aligned number and left-aligned unit, padded to format_width(q) columns.
void format_quantity(enum quantity q, double value, char *buf, size_t size);
// The same without padding, for sentences.
void format_short(enum quantity q, double value, char *buf, size_t size);
// A tick of an axis, without blanks: "1.5G", "200µs", "50%"; with_unit: "1.5GB/s".
void format_tick(enum quantity q, double value, int with_unit, char *buf, size_t size);

// "0:01:27"; unknown: "–:––:––".
void format_duration(double seconds, char *buf, size_t size);
// Shorter: "1:27", "12 s", for axes.
void format_age(double seconds, char *buf, size_t size);

// Which kind of quantity a unit of the metrics table is ("1/s", "B/s", "ns", ...), and what its value must be
// multiplied with.
enum quantity format_unit(const char *unit, double *ret_factor);

#endif
