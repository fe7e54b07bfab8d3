// SPDX-License-Identifier: MIT
// Recorded roots for the tests of the probes.
#ifndef SUPPORT_ROOTS_H
#define SUPPORT_ROOTS_H

#include <ioduel/probe.h>
#include <ioduel/stack.h>
#include <math.h>

// cmocka's own compares as float
#define assert_near(a, b, epsilon) assert_true(fabs((a) - (b)) <= (epsilon))

// Opens tests/roots/STORY/INSTANT; fails the test if it is not there.
struct sysroot *roots_open(const char *story, const char *instant);
// One sample of that root; the caller ends with sample_fini.
void roots_sample(const char *story, const char *instant, struct sample *ret);
// The stack of path there; static memory, the next call overwrites it.
const struct stack *roots_stack(const char *story, const char *path);
// A layer by kind and name (NULL: any); NULL if there is none.
const struct layer *roots_layer(const struct stack *stack, enum layer_kind kind, const char *name);
// The number of layers directly under parent.
int roots_children(const struct stack *stack, const struct layer *parent);

#endif
