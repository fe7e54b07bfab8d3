// SPDX-License-Identifier: MIT
// Parameters of workloads: one table per workload from which the command
// line, the picker's form, the help and the error sentences are all made.
#ifndef IODUEL_PARAM_H
#define IODUEL_PARAM_H

#include <ioduel/error.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

enum param_kind {
	PARAM_SIZE,   // bytes; accepts k, m, g, t (powers of 1024)
	PARAM_COUNT,  // whole number
	PARAM_NUMBER, // any number
	PARAM_PERCENT,
	PARAM_TIME,   // ns; accepts ms, s, m, h; a bare number is seconds
	PARAM_BOOL,   // 0/1, yes/no, on/off
	PARAM_CHOICE, // one of choices, or prefix:number where the choice ends with ':'
	PARAM_TEXT,
};

struct param_spec {
	const char *name;    // "bs"
	enum param_kind kind;
	const char *unit;    // for help: "bytes", "per second", "" ...
	const char *preset;  // default as text; "" = worked out (help says how) or none
	double min, max;     // bounds for numeric kinds; min > max: no bounds
	const char *choices; // for PARAM_CHOICE: "uniform|zipf:"
	const char *help;    // one line
};

#define PARAM_TEXT_MAX 1024
#define PARAMS_MAX 48

struct param_value {
	const struct param_spec *spec;
	int is_set;		 // given by the user (else the default)
	double number;		 // numeric kinds: bytes, ns, count ...; PARAM_BOOL 0/1; choice's number after ':'
	char text[PARAM_TEXT_MAX]; // as given, or the default
};

// The parameters of one workload instance. Plain data; copying it is fine.
struct param_set {
	char workload[32];
	int n;
	struct param_value value[PARAMS_MAX];
};

// Parses one value by its spec. -EINVAL and a sentence that names key, value, bounds.
int param_parse_value(const struct param_spec *spec, const char *text, struct param_value *ret, struct error *err);

// Gives a key that the user left open its worked-out value (is_set stays 0).
void param_complete(struct param_set *set, const char *name, double number);

// Sizes and times as the command line writes them. 0 or -EINVAL (no sentence).
int param_parse_size(const char *text, double *ret_bytes);
int param_parse_time(const char *text, double *ret_ns);
// "0-3,8" to a set; "" is an empty one.
int param_parse_cpus(const char *list, cpu_set_t *ret);

// "4k", "1.5g": shortest exact form.
void param_format_size(double bytes, char *buf, size_t size);

// Looks up by name; NULL if the set has no such key.
const struct param_value *param_get(const struct param_set *set, const char *name);
// Number of a key; fallback where the key is missing or has no number (NAN inside).
double param_number(const struct param_set *set, const char *name, double fallback);
const char *param_text(const struct param_set *set, const char *name, const char *fallback);

#endif
