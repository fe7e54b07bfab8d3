// SPDX-License-Identifier: MIT
// What the two readers of bonnie++ share: CSV and the text report.
#ifndef IODUEL_IMPORT_BONNIE_H
#define IODUEL_IMPORT_BONNIE_H

#include "session/import.h"

// A figure as bonnie++ prints it: empty = not run, pluses = too fast to measure, else a number times scale.
void bonnie_set(struct result *r, int metric, const char *text, double scale);

// Takes back the figures and parameters that a text report gave; its version and warnings of the text go too.
void bonnie_forget(struct result *r);

// Fills what follows from the figures once an item is complete.
void bonnie_conclude(struct import_item *item);

// The version as a number (1.03, 1.97, 2.0); NAN where it is not known.
double bonnie_version(const struct result *r);

// CSV: whether a line may be one; joins what mail wrapped (1 where it then has the right number of fields); fills item.
int bonnie_csv_candidate(const char *line);
int bonnie_csv_join(char *line, size_t size, struct import_lines *lines);
int bonnie_csv(char *line, struct import_item *item);

// The text report: whether it begins at this line; reads it. Returns the number of its item, -1 if there was none.
int bonnie_text_begins(const char *line);
int bonnie_text(const char *line, struct import_lines *lines, struct import *ret, int *ret_out_of_room);

#endif
