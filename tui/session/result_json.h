// SPDX-License-Identifier: MIT
// A result as one JSON object: what `--json` prints, and what a snapshot keeps. Reading an object that was written
// here gives a result that is written as the same bytes.
#ifndef IODUEL_RESULT_JSON_H
#define IODUEL_RESULT_JSON_H

#include <ioduel/error.h>
#include <jansson.h>
#include <stdio.h>

#include "session/result.h"

// Prints the object and a newline. 0 or -errno.
int result_write_json(const struct result *r, FILE *out);

// New references; NULL when out of memory.
json_t *result_to_json(const struct result *r);
json_t *pair_to_json(const struct pair *pair, const struct result *r);
json_t *warning_to_json(const struct warning *warning);
// What is known before the first slice: host, workload, plan, targets with their stacks, effect.
json_t *result_setup_to_json(const struct result *r);

// Fills ret (initialised by result_init) from an object. What is missing stays unknown. 0 or a sentence:
// -EINVAL not such an object, -ENOTSUP written in a newer format.
int result_from_json(const json_t *object, struct result *ret, struct error *err);
int pair_from_json(const json_t *object, struct pair *ret);
int warning_from_json(const json_t *object, struct result *ret);
void result_setup_from_json(const json_t *object, struct result *ret);

#define RESULT_FORMAT 1

#endif
