// SPDX-License-Identifier: MIT
// `ioduel compare`: two results side by side, whole sessions as pairs, or many as a table. One rule: only pairs that
// were interleaved bring a verdict; everything else is shown with the reason why there is none.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "cmd_result.h"
#include "cmd_table.h"
#include "cmd_verdict.h"
#include "session/json_util.h"
#include "session/result_json.h"
#include "session/text_safe.h"

struct compare_options {
	int json, sessions, help;
	double fail_if_slower; // a share; NAN = not asked for
	int n, n_a;	       // files, and how many of them stand before "--"
	const char **file;     // owned
};

static int
take_percent(const char *text, struct compare_options *o, struct error *err)
{
	double percent;
	char number[32];
	size_t n = strlen(text);
	// "5", "5%" and "5 %" are the same.
	while (n > 0 && (text[n - 1] == '%' || text[n - 1] == ' '))
		n--;
	snprintf(number, sizeof(number), "%.*s", (int)n, text);
	if (cli_number("--fail-if-slower", number, 0, 100, &percent, err))
		return -EINVAL;
	o->fail_if_slower = percent / 100;
	return 0;
}

static int
take_option(int argc, char **argv, int *i, struct compare_options *o, struct error *err)
{
	static const char *const names[] = { "sessions", "json", "fail-if-slower", "help" };
	const char *name = argv[*i];
	if (strcmp(name, "--sessions") == 0)
		o->sessions = 1;
	else if (strcmp(name, "--json") == 0)
		o->json = 1;
	else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		o->help = 1;
	else if (strncmp(name, "--fail-if-slower=", 17) == 0)
		return take_percent(name + 17, o, err);
	else if (strcmp(name, "--fail-if-slower") == 0 && *i + 1 < argc)
		return take_percent(argv[++*i], o, err);
	else if (strcmp(name, "--fail-if-slower") == 0)
		return error_set(err, -EINVAL, "--fail-if-slower needs a percentage");
	else {
		char safe[128];
		const char *near = cli_nearest(name + strspn(name, "-"), names, sizeof(names) / sizeof(names[0]));
		text_safe_copy(safe, sizeof(safe), name);
		return error_set(err, -EINVAL, "compare has no option %s%s%s%s", safe, near ? "; did you mean --" : "",
				 near ? near : "", near ? "?" : "");
	}
	return 0;
}

// The "--" between A's and B's sessions is a separator here, so getopt, which swallows it, cannot be used.
static int
parse(int argc, char **argv, struct compare_options *o, struct error *err)
{
	int separated = 0;
	*o = (struct compare_options){ .fail_if_slower = NAN, .file = calloc((size_t)argc + 1, sizeof(*o->file)) };
	if (!o->file)
		return error_set(err, -ENOMEM, "out of memory");
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0 && !separated) {
			separated = 1;
			o->n_a = o->n;
		} else if (argv[i][0] == '-' && argv[i][1] && (!separated || o->sessions)) {
			int rc = take_option(argc, argv, &i, o, err);
			if (rc)
				return rc;
		} else {
			o->file[o->n++] = argv[i];
		}
	}
	if (o->sessions && (!separated || o->n_a == 0 || o->n == o->n_a) && !o->help)
		return error_set(err, -EINVAL, "write the sessions of A, then --, then those of B: "
				 "ioduel compare --sessions a1 a2 -- b1 b2");
	return 0;
}

// Sides that both results have; -1 where one named is missing.
static int
common_sides(const struct chosen *x, int ix, const struct chosen *y, int iy, int side_x[SIDES], int side_y[SIDES])
{
	const struct result *rx = x->im.item[ix].result, *ry = y->im.item[iy].result;
	int only_x = x->side >= 0 ? x->side : !rx->side[SIDE_B].present ? SIDE_A : !rx->side[SIDE_A].present ? SIDE_B : -1;
	int only_y = y->side >= 0 ? y->side : !ry->side[SIDE_B].present ? SIDE_A : !ry->side[SIDE_A].present ? SIDE_B : -1;
	if (only_x < 0 && only_y < 0) {
		for (int side = 0; side < SIDES; side++)
			side_x[side] = side_y[side] = side;
		return SIDES;
	}
	// One against both: each of the two is compared with the one.
	int n = 0;
	for (int side = 0; side < SIDES; side++) {
		if ((only_x >= 0 && only_y >= 0 && side > 0))
			break;
		side_x[n] = only_x >= 0 ? only_x : side;
		side_y[n++] = only_y >= 0 ? only_y : side;
	}
	return n;
}

// The results of one comparison; several where whole files are compared.
struct output {
	int n, cap;
	struct result **result;
};

static struct result *
output_add(struct output *out)
{
	if (out->n == out->cap) {
		int cap = out->cap ? out->cap * 2 : 4;
		struct result **bigger = realloc(out->result, (size_t)cap * sizeof(*bigger));
		if (!bigger)
			return NULL;
		out->result = bigger;
		out->cap = cap;
	}
	struct result *r = result_new();
	if (r)
		out->result[out->n++] = r;
	return r;
}

static int
compare_items(const struct chosen *x, int ix, const struct chosen *y, int iy, struct output *out, struct error *err)
{
	int side_x[SIDES], side_y[SIDES];
	int n = common_sides(x, ix, y, iy, side_x, side_y), rc = 0;
	for (int i = 0; rc == 0 && i < n; i++) {
		struct compare_part a = chosen_part(x, ix, side_x[i]), b = chosen_part(y, iy, side_y[i]);
		struct result *r = output_add(out);
		rc = r ? compare_parts(&a, &b, r, err) : error_set(err, -ENOMEM, "out of memory");
	}
	return rc;
}

// Results of the same name in two files that hold several.
static int
compare_by_name(const struct chosen *x, const struct chosen *y, struct output *out, struct error *err)
{
	int rc = 0;
	for (int ix = 0; rc == 0 && ix < x->im.n; ix++) {
		if (x->item >= 0 && x->item != ix)
			continue;
		for (int iy = 0; rc == 0 && iy < y->im.n; iy++) {
			int same = strcmp(x->im.item[ix].name, y->im.item[iy].name) == 0;
			if (y->item >= 0 ? y->item == iy && (same || x->item >= 0) : same)
				rc = compare_items(x, ix, y, iy, out, err);
		}
	}
	if (rc == 0 && out->n == 0)
		rc = error_set_status(err, -EINVAL, EXIT_USAGE, "these files hold several results and none of the same name; name "
				      "one of each: FILE:NAME or FILE:NUMBER");
	return rc;
}

// FILE:a against FILE:b of one session keep the session's own pairs.
static int
is_one_session(const struct chosen *x, const struct chosen *y)
{
	size_t n = strlen(x->spec), m = strlen(y->spec);
	return x->side >= 0 && y->side >= 0 && x->side != y->side && n == m && n > 2 && strncmp(x->spec, y->spec, n - 2) == 0;
}

static int
compare_two(const struct chosen *x, const struct chosen *y, struct output *out, struct error *err)
{
	if (x->item < 0 || y->item < 0)
		return compare_by_name(x, y, out, err);
	if (!is_one_session(x, y))
		return compare_items(x, x->item, y, y->item, out, err);
	struct result *r = output_add(out);
	if (!r || compare_within(x->im.item[x->item].result, x->side == SIDE_B, r))
		return error_set(err, -ENOMEM, "out of memory");
	return 0;
}

static int
open_part(struct chosen *c, struct compare_part *ret, struct error *err)
{
	char safe[256];
	text_safe_copy(safe, sizeof(safe), c->spec);
	if (c->item < 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s holds several results; name one: %s:NAME", safe, safe);
	const struct result *r = c->im.item[c->item].result;
	if (c->side < 0 && r->side[SIDE_A].present && r->side[SIDE_B].present)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s has two sides; name one: %s:a", safe, safe);
	*ret = chosen_part(c, c->item, c->side >= 0 ? c->side : r->side[SIDE_A].present ? SIDE_A : SIDE_B);
	return 0;
}

static int
compare_many(struct chosen *chosen, const struct compare_options *o, struct output *out, struct error *err)
{
	struct compare_part *part = calloc((size_t)o->n, sizeof(*part));
	struct result *r = output_add(out);
	int rc = part && r ? 0 : error_set(err, -ENOMEM, "out of memory");
	for (int i = 0; rc == 0 && i < o->n; i++)
		rc = open_part(&chosen[i], &part[i], err);
	if (rc == 0)
		rc = compare_sessions(part, o->n_a, part + o->n_a, o->n - o->n_a, r, err);
	free(part);
	return rc;
}

// One object: the first result, with the others (side B, further jobs) as "also".
static void
print_json(const struct output *out)
{
	json_t *object = result_to_json(out->result[0]), *also = json_array();
	for (int i = 1; i < out->n; i++)
		json_array_append_new(also, result_to_json(out->result[i]));
	if (out->n > 1)
		json_put(object, "also", also);
	else
		json_decref(also);
	json_write(object, JSON_INDENT(1), stdout);
	fputc('\n', stdout);
	json_decref(object);
}

// The worst answer over all that was compared.
static int
print_output(const struct output *out, const struct compare_options *o)
{
	int status = EXIT_DONE;
	if (o->json)
		print_json(out);
	for (int i = 0; i < out->n; i++) {
		if (!o->json) {
			if (i)
				fputs("\n\n", stdout);
			result_print(out->result[i], 0);
		}
		int one = isnan(o->fail_if_slower) ? EXIT_DONE : verdict_exit_status(out->result[i], o->fail_if_slower);
		status = one > status ? one : status;
	}
	if (status == EXIT_RUN_FAILED)
		fprintf(stderr, "ioduel: --fail-if-slower: there is no verdict\n");
	return status;
}

static int
is_directory(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int
run(const struct compare_options *o, struct error *err)
{
	struct output out = { 0 };
	struct chosen *chosen = calloc((size_t)o->n, sizeof(*chosen));
	int rc = chosen ? 0 : error_set(err, -ENOMEM, "out of memory"), status = EXIT_DONE;
	for (int i = 0; rc == 0 && i < o->n; i++)
		rc = chosen_open(o->file[i], &chosen[i], err);
	if (rc == 0 && o->sessions)
		rc = compare_many(chosen, o, &out, err);
	else if (rc == 0)
		rc = compare_two(&chosen[0], &chosen[1], &out, err);
	if (rc == 0)
		status = print_output(&out, o);
	for (int i = 0; i < out.n; i++)
		result_free(out.result[i]);
	free(out.result);
	for (int i = 0; chosen && i < o->n; i++)
		chosen_fini(&chosen[i]);
	free(chosen);
	return rc ? cli_fail(err, EXIT_RUN_FAILED) : cli_finish(status);
}

int
cmd_compare(int argc, char **argv)
{
	struct compare_options o;
	struct error err = { 0 };
	int status = EXIT_USAGE;
	if (parse(argc, argv, &o, &err)) {
		status = cli_fail(&err, EXIT_USAGE);
	} else if (o.help) {
		help_print("compare");
		status = EXIT_DONE;
	} else if (o.n == 0 || (!o.sessions && o.n == 1 && !is_directory(o.file[0]))) {
		error_set(&err, -EINVAL, "compare takes two results, or a directory of them; FILE:a and FILE:b name a session's sides");
		status = cli_fail(&err, EXIT_USAGE);
	} else if (!o.sessions && o.n != 2) {
		status = table_print(o.file, o.n, o.json);
	} else {
		status = run(&o, &err);
	}
	free(o.file);
	return status;
}
