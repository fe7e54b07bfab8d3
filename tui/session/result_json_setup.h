// SPDX-License-Identifier: MIT
// The parts of the JSON object that are known before the first slice: parameters and targets.
#ifndef IODUEL_RESULT_JSON_SETUP_H
#define IODUEL_RESULT_JSON_SETUP_H

#include <jansson.h>

#include "session/result.h"

// "key=value\n..." as an object: numbers as numbers, sizes in bytes, times in seconds. New reference.
json_t *params_to_json(const char *workload, const char *params);
void params_from_json(const json_t *object, char *buf, size_t size);

// Known figures by the metrics' JSON names, and "state" for those that were not run or too fast to measure.
void figures_to_json(const double *figure, const unsigned char *state, json_t *object);
void figures_from_json(const json_t *object, double *figure, unsigned char *state);
// "not_run", "too_fast"; NULL for a figure that was measured.
const char *figure_state_name(unsigned state);
unsigned char figure_state_parse(const char *name);

// A side with its stack; null where there is none. New reference.
json_t *side_to_json(const struct result_side *side, const char *workload);
void side_from_json(const json_t *object, struct result_side *ret);

#endif
