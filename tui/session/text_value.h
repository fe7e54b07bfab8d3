// SPDX-License-Identifier: MIT
// Figures as people read them: three or four significant digits and a unit after a blank; what is unknown is a dash.
#ifndef IODUEL_TEXT_VALUE_H
#define IODUEL_TEXT_VALUE_H

#include <stddef.h>

#include "session/result.h"

// "347 k", "1.42 GB/s", "88.1 µs", "28299 KiB/s" (figures of bonnie++ and of `time` keep every digit), "-".
void text_format_value(double value, const char *unit, char *buf, size_t size);

// As above; a figure that was not run or too fast to measure says so.
void text_format_figure(const struct metric_result *m, int side, char *buf, size_t size);

// "0:36", "3:19:17".
void text_format_duration(double seconds, char *buf, size_t size);

#endif
