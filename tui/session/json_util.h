// SPDX-License-Identifier: MIT
// Small steps between plain values and jansson's: unknown doubles are null, text that is not UTF-8 is escaped, and
// everything read is bounded, since files come from strangers.
#ifndef IODUEL_JSON_UTIL_H
#define IODUEL_JSON_UTIL_H

#include <ioduel/error.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 64
#define JSON_TIME_MAX (INT64_C(1) << 60) // ns, 36 years: no sum or difference of two times overflows

// New references. NAN and infinities become null.
json_t *json_number_new(double value);
json_t *json_text_new(const char *text);
json_t *json_count_new(uint64_t value); // clamped to what JSON integers hold

// Sets key of object (steals value; NULL counts as out of memory). 0 or -ENOMEM.
int json_put(json_t *object, const char *key, json_t *value);

// Reads a member; the fallback where it is missing or of another type. A number may be integer or real.
double json_get_number(const json_t *object, const char *key, double fallback);
int64_t json_get_integer(const json_t *object, const char *key, int64_t fallback);
// A time in ns; the fallback also where it is beyond JSON_TIME_MAX.
int64_t json_get_time(const json_t *object, const char *key, int64_t fallback);
int json_get_bool(const json_t *object, const char *key, int fallback);
// Copies text, cut between characters; "" where missing.
void json_get_text(const json_t *object, const char *key, char *buf, size_t size);
void json_copy_text(const char *text, char *buf, size_t size); // text may be NULL

// Prints a value with these flags of jansson's. What is legal in JSON and would steer a terminal is escaped as \\uXXXX,
// which means the same. 0 or -EIO.
int json_write(const json_t *value, size_t flags, FILE *out);

// Parses text of the given length. Refuses nesting deeper than JSON_DEPTH_MAX. NULL and a sentence on failure.
json_t *json_parse(const char *text, size_t length, struct error *err);

// A double as a whole number, clamped (NAN: fallback).
int64_t json_clamp(double value, int64_t lowest, int64_t highest, int64_t fallback);

#endif
