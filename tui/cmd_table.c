// SPDX-License-Identifier: MIT
// A table of many results: a line for each side, its main figure, and how it stands to the first of its kind. One
// rule: the table claims nothing; a verdict is shown only where the file itself has one.
#include "cmd_table.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "cmd_result.h"
#include "session/json_util.h"
#include "session/text_safe.h"
#include "session/text_value.h"

#define FILES_MAX 10000

struct row {
	char file[192], name[96], created[40], workload[32], target[96], verdict[160];
	enum metric primary;
	double value, ratio; // ratio to the first row of the same workload and metric; NAN = none
};

struct table {
	int n, cap, n_unread;
	struct row *row;
};

static double
value_of(const struct result *r, int side)
{
	for (int i = 0; i < r->n_metrics; i++)
		if (r->metric[i].id == r->primary)
			return r->metric[i].mean[side];
	return NAN;
}

static int
add_row(struct table *t, const char *file, const struct import_item *item, int side)
{
	const struct result *r = item->result;
	if (t->n == t->cap) {
		int cap = t->cap ? 2 * t->cap : 32;
		struct row *bigger = realloc(t->row, (size_t)cap * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		t->row = bigger;
		t->cap = cap;
	}
	struct row *row = &t->row[t->n++];
	memset(row, 0, sizeof(*row));
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	char path[184];
	text_safe_copy(path, sizeof(path), file);
	snprintf(row->file, sizeof(row->file), "%s%s", path, !both ? "" : side == SIDE_A ? ":a" : ":b");
	text_safe_copy(row->name, sizeof(row->name), item->name);
	text_safe_copy(row->created, sizeof(row->created), r->created);
	text_safe_copy(row->workload, sizeof(row->workload), r->workload);
	const struct result_side *s = &r->side[side];
	text_safe_copy(row->target, sizeof(row->target), s->label[0] ? s->label : s->path);
	if (both)
		text_safe_copy(row->verdict, sizeof(row->verdict), r->verdict.text);
	row->primary = r->primary;
	row->value = item->failed ? (double)NAN : value_of(r, side);
	row->ratio = NAN;
	for (int i = 0; i < t->n - 1; i++)
		if (t->row[i].primary == row->primary && strcmp(t->row[i].workload, row->workload) == 0 && t->row[i].value > 0) {
			row->ratio = row->value / t->row[i].value;
			break;
		}
	return 0;
}

static int
add_file(struct table *t, const char *file, int say)
{
	struct import im;
	struct error err = { 0 };
	int rc = import_file(file, &im, &err);
	if (rc) {
		t->n_unread++;
		if (say)
			cli_fail(&err, EXIT_RUN_FAILED);
		return 0;
	}
	for (int i = 0; rc == 0 && i < im.n; i++)
		for (int side = 0; rc == 0 && side < SIDES; side++)
			if (im.item[i].result->side[side].present)
				rc = add_row(t, file, &im.item[i], side);
	import_fini(&im);
	return rc;
}

static int
add_directory(struct table *t, const char *dir)
{
	struct dirent **names;
	struct stat st;
	int n = scandir(dir, &names, NULL, alphasort), rc = n < 0 ? -errno : 0;
	for (int i = 0; i < n; i++) {
		char path[4400];
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]->d_name);
		if (rc == 0 && i < FILES_MAX && names[i]->d_name[0] != '.' && stat(path, &st) == 0 && S_ISREG(st.st_mode))
			rc = add_file(t, path, 0);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return rc;
}

static void
pad(const char *text, int columns)
{
	fputs(text, stdout);
	for (int i = text_columns(text); i < columns; i++)
		putchar(' ');
}

static void
print_text(const struct table *t)
{
	int width = 4;
	for (int i = 0; i < t->n; i++)
		width = text_columns(t->row[i].file) > width ? text_columns(t->row[i].file) : width;
	pad("file", width + 2);
	printf("%-22s%-12s%-16s%-14s%-10s%s\n", "date", "workload", "metric", "figure", "to first", "result");
	for (int i = 0; i < t->n; i++) {
		const struct row *row = &t->row[i];
		char value[64], ratio[32];
		text_format_value(row->value, metric_table[row->primary].unit, value, sizeof(value));
		snprintf(ratio, sizeof(ratio), isfinite(row->ratio) ? "%.4g" : "-", row->ratio);
		pad(row->file, width + 2);
		pad(row->created[0] ? row->created : "-", 22);
		pad(row->workload, 12);
		pad(metric_table[row->primary].label, 16);
		pad(value, 14);
		pad(ratio, 10);
		puts(row->verdict[0] ? row->verdict : row->name[0] ? row->name : row->target);
	}
	if (t->n_unread)
		printf("%d file%s could not be read as results\n", t->n_unread, t->n_unread == 1 ? "" : "s");
	puts("Separate results: no claim follows from their difference (not interleaved).");
}

static void
print_json(const struct table *t)
{
	json_t *object = json_object(), *rows = json_array();
	for (int i = 0; i < t->n; i++) {
		const struct row *row = &t->row[i];
		json_t *o = json_object();
		json_put(o, "file", json_text_new(row->file));
		json_put(o, "name", json_text_new(row->name));
		json_put(o, "created", row->created[0] ? json_text_new(row->created) : json_null());
		json_put(o, "workload", json_text_new(row->workload));
		json_put(o, "target", json_text_new(row->target));
		json_put(o, "metric", json_string(metric_table[row->primary].name));
		json_put(o, "unit", json_string(metric_table[row->primary].unit));
		json_put(o, "value", json_number_new(row->value));
		json_put(o, "ratio_to_first", json_number_new(row->ratio));
		json_put(o, "verdict", row->verdict[0] ? json_text_new(row->verdict) : json_null());
		json_array_append_new(rows, o);
	}
	json_put(object, "ioduel", json_integer(1));
	json_put(object, "kind", json_string("table"));
	json_put(object, "rows", rows);
	json_put(object, "unread", json_integer(t->n_unread));
	json_write(object, JSON_INDENT(1), stdout);
	putchar('\n');
	json_decref(object);
}

int
table_print(const char *const *file, int n, int json)
{
	struct table t = { 0 };
	struct error err = { 0 };
	struct stat st;
	int rc = 0;
	for (int i = 0; rc == 0 && i < n; i++)
		rc = stat(file[i], &st) == 0 && S_ISDIR(st.st_mode) ? add_directory(&t, file[i]) : add_file(&t, file[i], 1);
	if (rc == 0 && t.n == 0)
		rc = error_set(&err, -ENOENT, "there is no result to show");
	else if (rc)
		error_set(&err, rc, "%s", strerror(-rc));
	if (rc == 0 && json)
		print_json(&t);
	else if (rc == 0)
		print_text(&t);
	free(t.row);
	return rc ? cli_fail(&err, EXIT_RUN_FAILED) : cli_finish(EXIT_DONE);
}
