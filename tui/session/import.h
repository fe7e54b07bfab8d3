// SPDX-License-Identifier: MIT
// Opens whatever holds figures: sessions and results of ioduel, fio's JSON, bonnie++ text and CSV, the output of
// `time`, pairs as CSV. The kind is recognised from the content, never from the name. One file may hold several
// results.
#ifndef IODUEL_IMPORT_H
#define IODUEL_IMPORT_H

#include <ioduel/error.h>

#include "session/result.h"
#include "session/snapshot_heat.h"

enum import_kind { IMPORT_SESSION, IMPORT_RESULT, IMPORT_FIO, IMPORT_BONNIE, IMPORT_TIME, IMPORT_PAIRS };

// A foreign result has its figures in side A's totals and no pairs.
struct import_item {
	struct result *result; // owned
	char name[128];	       // job, machine, title; may be ""
	int failed;	       // it holds no figures; the result's warnings say why
};

// A stretch of a foreign stream, as differences of what it summed up.
struct import_interval {
	int item;
	double t_s, duration_s; // end, since the start of the stream
	double read_ops, write_ops, read_bytes, write_bytes;
};

struct import {
	enum import_kind kind;
	int n, cap;
	struct import_item *item; // owned
	int n_intervals, cap_intervals;
	struct import_interval *interval; // owned
	char sentence[320]; // what the user should know of the file, "" = nothing
	struct snapshot_heat heat; // of a session
};

#define IMPORT_ITEMS_MAX 4096
#define IMPORT_BYTES_MAX (256u * 1024 * 1024)

void import_init(struct import *im);
void import_fini(struct import *im);

// 0, or -errno and a sentence that names the file.
int import_file(const char *path, struct import *ret, struct error *err);
// From text in memory (name is for the sentences). Sessions are refused here: they are files.
int import_text(const char *name, const char *text, size_t length, struct import *ret, struct error *err);

// "session", "fio JSON", ...
const char *import_kind_name(enum import_kind kind);

// The readers, each for its own format; -ENOENT where the text is not of that kind.
int import_fio(const char *text, size_t length, struct import *ret, struct error *err);
int import_bonnie(const char *text, size_t length, struct import *ret, struct error *err);
int import_time(const char *text, size_t length, struct import *ret, struct error *err);
int import_pairs(const char *text, size_t length, struct import *ret, struct error *err);
int import_result(const char *text, size_t length, struct import *ret, struct error *err);

// For the readers: a new item with an initialised result whose side A is present; NULL when out of memory or too many.
struct import_item *import_add(struct import *im);
// Makes the metrics of a result without pairs from its sides' totals.
void import_take_totals(struct result *r);
// Adds "key=value" to a list of parameters; what does not fit, or is no plain text, is left out.
void import_param(char *params, size_t size, const char *key, const char *value);
// Seconds since 1970 as ISO 8601, UTC.
void import_date(double seconds, char *buf, size_t size);

// Walks over lines: copies the next line of at most size-1 bytes, without its end; 0 at the end of the text.
struct import_lines {
	const char *at, *end;
};
int import_line(struct import_lines *lines, char *buf, size_t size);
// Where the quoting of mail ("> ", ">> ") of a line ends.
const char *import_unquote(const char *line);

#endif
