// SPDX-License-Identifier: MIT
// `ioduel export`: a result in another format. One rule: what is written gets its name when it is whole.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "cmd_result.h"
#include "session/export.h"
#include "session/library.h"
#include "session/text_safe.h"

struct export_options {
	const char *spec, *format, *out, *table;
	int fields, help;
};

static int
check_format(const char *format, struct error *err)
{
	char safe[64];
	size_t n = 0;
	while (export_formats[n])
		n++;
	if (format && export_is_format(format))
		return 0;
	if (!format)
		return error_set(err, -EINVAL, "export needs a format: -f json, csv, bonnie, markdown, html or svg");
	const char *near = cli_nearest(format, export_formats, n);
	text_safe_copy(safe, sizeof(safe), format);
	return error_set(err, -EINVAL, "%s is no format of export%s%s%s", safe, near ? "; did you mean " : "", near ? near : "",
			 near ? "?" : "; json, csv, bonnie, markdown, html and svg are");
}

static int
parse(int argc, char **argv, struct export_options *o, struct error *err)
{
	static const struct option longs[] = {
		{ "format", required_argument, NULL, 'f' }, { "output", required_argument, NULL, 'o' },
		{ "table", required_argument, NULL, 't' }, { "fields", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	struct cli_scan scan = { 0 };
	int c;
	*o = (struct export_options){ .fields = 27 };
	while ((c = cli_next(&scan, argc, argv, "f:o:h", longs, err)) != -1) {
		if (c == '?')
			return -EINVAL;
		if (c == 'f')
			o->format = optarg;
		else if (c == 'o')
			o->out = optarg;
		else if (c == 't')
			o->table = optarg;
		else if (c == 'h')
			o->help = 1;
		else if (strcmp(optarg, "27") == 0 || strcmp(optarg, "50") == 0)
			o->fields = atoi(optarg);
		else
			return error_set(err, -EINVAL, "--fields is 27 (bonnie++ 1.03) or 50 (1.98 and later)");
	}
	if (o->help)
		return 0;
	if (optind != argc - 1)
		return error_set(err, -EINVAL, optind == argc ? "export which file?" : "export takes one file");
	o->spec = argv[optind];
	return check_format(o->format, err);
}

// The session itself, for its course over time.
static struct snapshot_reader *
open_session(const struct chosen *c)
{
	char path[4400];
	if (c->im.kind != IMPORT_SESSION)
		return NULL;
	size_t n = strlen(c->spec);
	snprintf(path, sizeof(path), "%.*s", (int)(c->side >= 0 && n > 2 ? n - 2 : n), c->spec);
	struct snapshot_reader *session = snapshot_read_new(path, NULL);
	char found[4400];
	if (!session && library_find(path, found, sizeof(found)) == 0)
		session = snapshot_read_new(found, NULL);
	return session;
}

static int
write_all(const struct export_options *o, struct chosen *c, FILE *out, struct error *err)
{
	const struct export_choice choice = { .format = o->format, .table = o->table, .fields = o->fields };
	int several = c->item < 0, rc = 0;
	int whole = strcmp(o->format, "html") == 0 || strcmp(o->format, "svg") == 0 || strcmp(o->format, "json") == 0;
	if (several && whole)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "this file holds %d results; name one: FILE:NAME or FILE:NUMBER",
					c->im.n);
	if (c->side >= 0)
		result_keep_side(c->im.item[c->item].result, c->side);
	struct snapshot_reader *session = open_session(c);
	for (int i = several ? 0 : c->item; rc == 0 && i < (several ? c->im.n : c->item + 1); i++) {
		struct export_source source = { .result = c->im.item[i].result, .session = session,
						.stream = c->im.n_intervals > 0 ? &c->im : NULL, .item = i };
		rc = export_write(&source, &choice, out, err);
	}
	snapshot_read_free(session);
	return rc;
}

struct job {
	const struct export_options *options;
	struct chosen *chosen;
};

static int
write_job(void *context, FILE *out, struct error *err)
{
	const struct job *job = context;
	return write_all(job->options, job->chosen, out, err);
}

int
cmd_export(int argc, char **argv)
{
	struct export_options o;
	struct error err = { 0 };
	struct chosen chosen;
	if (parse(argc, argv, &o, &err))
		return cli_fail(&err, EXIT_USAGE);
	if (o.help) {
		help_print("export");
		return EXIT_DONE;
	}
	if (chosen_open(o.spec, &chosen, &err))
		return cli_fail(&err, EXIT_RUN_FAILED);
	int to_file = o.out && strcmp(o.out, "-") != 0;
	struct job job = { &o, &chosen };
	int rc = to_file ? export_replace(o.out, write_job, &job, &err) : write_all(&o, &chosen, stdout, &err);
	chosen_fini(&chosen);
	if (rc)
		return cli_fail(&err, EXIT_RUN_FAILED);
	return cli_finish(EXIT_DONE);
}
