// SPDX-License-Identifier: MIT
// A result in other formats. Everything that came from a file or from the user is escaped for the format it goes into.
#ifndef IODUEL_EXPORT_H
#define IODUEL_EXPORT_H

#include <ioduel/error.h>
#include <stdio.h>

#include "session/import.h"
#include "session/snapshot_read.h"

// What is exported: a result, and where there is one the session or the foreign stream with its course over time.
struct export_source {
	const struct result *result;
	struct snapshot_reader *session; // NULL = none
	const struct import *stream;	 // NULL = none
	int item;			 // of the stream
};

// NULL-terminated: "json", "csv", "bonnie", "markdown", "html", "svg".
extern const char *const export_formats[];
int export_is_format(const char *name);

struct export_choice {
	const char *format;
	const char *table; // of csv, NULL = all
	int fields;	   // of bonnie, 27 or 50
};
int export_write(const struct export_source *source, const struct export_choice *choice, FILE *out, struct error *err);

// Lets write fill a temporary file beside path, and gives it that name once it is whole and on the medium. err must
// not be NULL.
int export_replace(const char *path, int (*write)(void *context, FILE *out, struct error *err), void *context,
		   struct error *err);

// One table a kind; table NULL: all of them, each under a line "# table: NAME". 0 or -errno and a sentence.
int export_csv(const struct export_source *source, const char *table, FILE *out, struct error *err);
extern const char *const export_csv_tables[]; // ends with NULL

// As bonnie++ prints it: the text report of 1.03 and its CSV line of 27 fields, or with fields 50 that of 1.98.
// -EINVAL where the result has no figures of bonnie++.
int export_bonnie(const struct result *r, int fields, FILE *out, struct error *err);

void export_markdown(const struct result *r, FILE *out);
int export_svg(const struct export_source *source, FILE *out, struct error *err);
int export_html(const struct export_source *source, FILE *out, struct error *err);

#endif
