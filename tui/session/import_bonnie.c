// SPDX-License-Identifier: MIT
// bonnie++ results of 1.00 to 2.00a: CSV of 27, 48 and 50 fields, and the text report (import_bonnie_text.c). One
// rule: "+++++" is a phase too fast to measure and an empty field is a phase that was not run; neither is ever 0.
#include "session/import_bonnie.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/text_safe.h"

#define FIELDS_MAX 50
#define N_PHASES 6

// Where the fields stand, by the number of fields.
struct csv_layout {
	int fields, name, size, chunk, first_io, n_files, first_file, first_latency;
};

static const struct csv_layout layouts[] = {
	{ 27, 0, 1, -1, 2, 14, 15, -1 },
	{ 48, 2, 5, 6, 7, 19, 24, 36 },
	{ 50, 2, 5, 6, 9, 21, 26, 38 },
};

static int
is_rate_mark(const char *text)
{
	return text[0] == '+' && strspn(text, "+") == strlen(text);
}

void
bonnie_set(struct result *r, int metric, const char *text, double scale)
{
	struct result_side *side = &r->side[SIDE_A];
	char *end;
	side->totals[metric] = NAN;
	side->state[metric] = WIRE_RESULT_OK;
	if (!*text) {
		side->state[metric] = WIRE_RESULT_NOT_RUN;
	} else if (is_rate_mark(text)) {
		side->state[metric] = WIRE_RESULT_TOO_FAST;
	} else if (isdigit((unsigned char)text[0])) {
		double value = strtod(text, &end);
		if (!*end && isfinite(value))
			side->totals[metric] = value * scale;
	}
}

// A phase that printed 0 as its rate was not measured either: no phase moves nothing in no time.
static void
check_pair(struct result *r, int metric)
{
	struct result_side *side = &r->side[SIDE_A];
	if (side->state[metric] != WIRE_RESULT_OK) {
		side->totals[metric + 1] = NAN;
		side->state[metric + 1] = side->state[metric];
	} else if (side->totals[metric] <= 0) {
		side->totals[metric] = NAN;
	}
}

double
bonnie_version(const struct result *r)
{
	const char *digits = strpbrk(r->origin, "0123456789");
	return digits ? strtod(digits, NULL) : (double)NAN;
}

void
bonnie_conclude(struct import_item *item)
{
	struct result *r = item->result;
	int measured = 0;
	for (int id = METRIC_PUTC; id <= METRIC_RAN_DEL; id += 2) {
		check_pair(r, id);
		measured |= isfinite(r->side[SIDE_A].totals[id]);
	}
	snprintf(r->workload, sizeof(r->workload), "bonnie");
	r->primary = METRIC_PUT_BLOCK;
	text_safe_copy(r->side[SIDE_A].label, sizeof(r->side[SIDE_A].label), item->name);
	if (bonnie_version(r) >= 1.9 && isfinite(r->side[SIDE_A].totals[METRIC_SEEKS_CPU]))
		result_warn(r, "bonnie-seeks-cpu", LEVEL_INFO, WARN_A,
			    "%s adds the whole process's CPU time once for each of its seekers: the %%CP of seeks is about five "
			    "times too high and cannot be compared", r->origin);
	if (!measured) {
		item->failed = 1;
		result_warn(r, "nothing-measured", LEVEL_RED, WARN_A, "no phase of this result was measured");
	}
	import_take_totals(r);
}

// Splits at commas; returns how many fields there are (more than FIELDS_MAX: FIELDS_MAX + 1).
static int
split(char *line, char *field[FIELDS_MAX])
{
	int n = 0;
	char *p = line;
	for (;;) {
		if (n == FIELDS_MAX)
			return FIELDS_MAX + 1;
		field[n++] = p;
		char *comma = strchr(p, ',');
		if (!comma)
			return n;
		*comma = '\0';
		p = comma + 1;
	}
}

static int
count_fields(const char *line)
{
	int n = 1;
	for (; *line; line++)
		n += *line == ',';
	return n;
}

// How many fields a CSV line must have, by its first field: the later formats begin with their version.
static int
fields_wanted(const char *line)
{
	if (strncmp(line, "1.98,", 5) == 0 || strncmp(line, "2.", 2) == 0)
		return 50;
	return strncmp(line, "1.9", 3) == 0 && strchr(line, ',') && strchr(line, ',') - line <= 5 ? 48 : 27;
}

int
bonnie_csv_candidate(const char *line)
{
	return count_fields(line) >= 8 && !strpbrk(line, " \t;\"'(){}<>");
}

// The rest of a line that mail has wrapped: nothing but what CSV holds.
static int
is_continuation(const char *line)
{
	size_t n = strspn(line, "0123456789+.,:/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
	return *line && line[n] == '\0' && (strchr(line, ',') || strspn(line, "0123456789+usm") == n);
}

int
bonnie_csv_join(char *line, size_t size, struct import_lines *lines)
{
	int wanted = fields_wanted(line);
	for (int joined = 0; joined < 6; joined++) {
		struct import_lines look = *lines;
		char next[1024];
		int n = count_fields(line);
		if (n > wanted || !import_line(&look, next, sizeof(next)))
			break;
		const char *rest = import_unquote(next);
		rest += strspn(rest, " \t");
		// A whole line is followed by a remainder only where the last field itself was broken.
		if (!is_continuation(rest) || (n == wanted && strchr(rest, ',')) || n + count_fields(rest) - 1 > wanted)
			break;
		if (strlen(line) + strlen(rest) + 1 >= size)
			break;
		strcat(line, rest);
		*lines = look;
	}
	return count_fields(line) == wanted;
}

static void
set_latencies(struct result *r, char **field, const struct csv_layout *layout)
{
	static const char *const names[2 * N_PHASES] = {
		"latency_putc", "latency_put_block", "latency_rewrite", "latency_getc", "latency_get_block", "latency_seeks",
		"latency_seq_create", "latency_seq_stat", "latency_seq_del", "latency_ran_create", "latency_ran_stat",
		"latency_ran_del",
	};
	for (int i = 0; layout->first_latency >= 0 && i < 2 * N_PHASES; i++)
		if (field[layout->first_latency + i][0])
			import_param(r->params, sizeof(r->params), names[i], field[layout->first_latency + i]);
}

int
bonnie_csv(char *line, struct import_item *item)
{
	char *field[FIELDS_MAX];
	const struct csv_layout *layout = NULL;
	struct result *r = item->result;
	int n = split(line, field);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].fields == n)
			layout = &layouts[i];
	if (!layout)
		return -EINVAL;
	for (int i = 0; i < 2 * N_PHASES; i++) {
		bonnie_set(r, METRIC_PUTC + i, field[layout->first_io + i], 1);
		bonnie_set(r, METRIC_SEQ_CREATE + i, field[layout->first_file + i], 1);
	}
	text_safe_copy(item->name, sizeof(item->name), field[layout->name]);
	if (n > 27)
		snprintf(r->origin, sizeof(r->origin), "bonnie++ %.20s", field[1]);
	else if (!r->origin[0])
		snprintf(r->origin, sizeof(r->origin), "bonnie++ 1.0x");
	if (n > 27 && field[3][0])
		import_param(r->params, sizeof(r->params), "concurrency", field[3]);
	if (field[layout->size][0])
		import_param(r->params, sizeof(r->params), "size", field[layout->size]);
	if (layout->chunk >= 0 && field[layout->chunk][0])
		import_param(r->params, sizeof(r->params), "chunk", field[layout->chunk]);
	if (field[layout->n_files][0])
		import_param(r->params, sizeof(r->params), "files_x1024", field[layout->n_files]);
	set_latencies(r, field, layout);
	return 0;
}

// Whether the CSV line repeats the text report just read (then it replaces it: it has more digits).
static int
repeats(const struct import_item *text, const char *line)
{
	char copy[2048], *field[FIELDS_MAX];
	snprintf(copy, sizeof(copy), "%s", line);
	int n = split(copy, field);
	const char *name = n == 27 ? field[0] : n == 48 || n == 50 ? field[2] : "";
	return text->name[0] && strncmp(name, text->name, strlen(text->name)) == 0;
}

int
import_bonnie(const char *text, size_t length, struct import *ret, struct error *err)
{
	struct import_lines lines = { text, text + length };
	char buf[1024];
	int first = ret->n, from_text = -1, out_of_room = 0;
	while (!out_of_room && import_line(&lines, buf, sizeof(buf))) {
		char line[2048];
		snprintf(line, sizeof(line), "%s", import_unquote(buf));
		if (bonnie_text_begins(line)) {
			from_text = bonnie_text(line, &lines, ret, &out_of_room);
			continue;
		}
		// The header that bonnie++ itself prints above its CSV looks like CSV, but holds names.
		if (!bonnie_csv_candidate(line) || strncmp(line, "format_version", 14) == 0 ||
		    strncmp(line, "name,", 5) == 0 || !bonnie_csv_join(line, sizeof(line), &lines))
			continue;
		int replaces = from_text >= 0 && repeats(&ret->item[from_text], line);
		struct import_item *item = replaces ? &ret->item[from_text] : import_add(ret);
		out_of_room = !item;
		if (item && replaces)
			bonnie_forget(item->result);
		if (item)
			bonnie_csv(line, item);
		from_text = -1;
	}
	if (out_of_room)
		return error_set(err, -E2BIG, "more than %d results in one file", IMPORT_ITEMS_MAX);
	if (ret->n == first)
		return -ENOENT;
	ret->kind = IMPORT_BONNIE;
	for (int i = first; i < ret->n; i++)
		bonnie_conclude(&ret->item[i]);
	return 0;
}
