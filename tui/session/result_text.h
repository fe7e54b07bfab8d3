// SPDX-License-Identifier: MIT
// A result as text for people: what `run`, `compare` and `show` print.
#ifndef IODUEL_RESULT_TEXT_H
#define IODUEL_RESULT_TEXT_H

#include <stdio.h>

#include "session/result.h"

// Targets with their stacks, the figures with their intervals, the verdict, what speaks against it. Nothing of a
// file's content steers the terminal.
void result_write_text(const struct result *r, FILE *out);

// Parts of it, for other outputs. "randread bs=4096 qd=32" and "key=value key=value" of parameters on one line.
void result_format_workload(const struct result *r, char *buf, size_t size);
void result_format_params(const char *params, char *buf, size_t size);
// "A", "B": label, else path; "" where the side is absent.
const char *result_side_name(const struct result *r, int side);
// "0.358..0.365 (95 %)", rounded outward, "<0.01..>100 (95 %)" for bounds that far to both sides of 1; or "".
void result_format_interval(const struct metric_result *m, char *buf, size_t size);
// "interleave, 12 of 12 pairs, slices of 5 s (2 s settle), seed 1".
void result_format_plan(const struct result *r, char *buf, size_t size);
// One layer of a stack: "md0  raid1  500 GB".
void result_format_layer(const struct layer *layer, char *buf, size_t size);
int result_layer_depth(const struct stack *stack, int index);

#endif
