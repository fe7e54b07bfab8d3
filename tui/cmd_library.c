// SPDX-License-Identifier: MIT
// `ioduel list` and `ioduel rm`: the saved sessions. One rule: nothing is removed that was not named, and without a
// terminal to ask nothing is removed at all unless --force says so.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "session/json_util.h"
#include "session/library.h"
#include "session/text_safe.h"
#include "session/text_value.h"

static void
pad(const char *text, int columns)
{
	char safe[512];
	text_safe_copy(safe, sizeof(safe), text);
	fputs(safe, stdout);
	for (int i = text_columns(safe); i < columns; i++)
		putchar(' ');
}

static void
print_entry(const struct library_entry *e, int width)
{
	pad(e->name, width + 2);
	if (!e->readable) {
		printf("cannot be read: ");
		text_safe_write(stdout, e->error);
		putchar('\n');
		return;
	}
	pad(e->created, 22);
	pad(e->workload, 12);
	text_safe_write(stdout, e->target[SIDE_A]);
	if (e->target[SIDE_B][0]) {
		fputs(" / ", stdout);
		text_safe_write(stdout, e->target[SIDE_B]);
	}
	fputs("  ", stdout);
	text_safe_write(stdout, e->text);
	puts(e->finished ? "" : "  (not finished)");
}

static json_t *
entry_to_json(const struct library_entry *e)
{
	json_t *object = json_object();
	json_put(object, "name", json_text_new(e->name));
	json_put(object, "bytes", json_number_new(e->bytes));
	json_put(object, "readable", json_boolean(e->readable));
	if (!e->readable) {
		json_put(object, "error", json_text_new(e->error));
		return object;
	}
	json_put(object, "finished", json_boolean(e->finished));
	json_put(object, "created", json_text_new(e->created));
	json_put(object, "workload", json_text_new(e->workload));
	json_put(object, "a", e->target[SIDE_A][0] ? json_text_new(e->target[SIDE_A]) : json_null());
	json_put(object, "b", e->target[SIDE_B][0] ? json_text_new(e->target[SIDE_B]) : json_null());
	json_put(object, "verdict", json_string(verdict_word_name(e->word)));
	json_put(object, "text", json_text_new(e->text));
	json_put(object, "ratio", json_number_new(e->ratio));
	return object;
}

// One object a line, so that a script can take the list apart without a parser for all of it.
static void
print_list(const struct library *l, int json)
{
	int width = 4;
	for (int i = 0; i < l->n; i++)
		width = (int)strlen(l->entry[i].name) > width ? (int)strlen(l->entry[i].name) : width;
	for (int i = 0; i < l->n; i++) {
		if (!json) {
			print_entry(&l->entry[i], width);
			continue;
		}
		json_t *object = entry_to_json(&l->entry[i]);
		json_write(object, JSON_COMPACT, stdout);
		putchar('\n');
		json_decref(object);
	}
}

static int
read_library(struct library *ret, struct error *err)
{
	char dir[4096];
	int rc = library_dir(dir, sizeof(dir), err);
	return rc ? rc : library_read(dir, ret, err);
}

int
cmd_list(int argc, char **argv)
{
	static const struct option longs[] = { { "json", no_argument, NULL, 'j' }, { "help", no_argument, NULL, 'h' },
					       { NULL, 0, NULL, 0 } };
	struct cli_scan scan = { 0 };
	struct error err = { 0 };
	struct library library;
	int json = 0, c;
	while ((c = cli_next(&scan, argc, argv, "h", longs, &err)) != -1) {
		if (c == '?')
			return cli_fail(&err, EXIT_USAGE);
		if (c == 'h') {
			help_print("list");
			return EXIT_DONE;
		}
		json = 1;
	}
	if (optind < argc) {
		error_set(&err, -EINVAL, "list takes no argument");
		return cli_fail(&err, EXIT_USAGE);
	}
	if (read_library(&library, &err))
		return cli_fail(&err, EXIT_RUN_FAILED);
	if (library.n == 0 && !json)
		puts("no saved sessions");
	print_list(&library, json);
	library_fini(&library);
	return cli_finish(EXIT_DONE);
}

static int
ask(const char *name)
{
	char answer[16];
	fputs("remove ", stderr);
	text_safe_write(stderr, name);
	fputs("? [y/N] ", stderr);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

// Removes one; 1 = kept because the user said so.
static int
remove_one(const char *name, int force, struct error *err)
{
	char path[4400], safe[256];
	text_safe_copy(safe, sizeof(safe), name);
	if (library_find(name, path, sizeof(path)) == 0 && !force) {
		if (!isatty(STDIN_FILENO))
			return error_set_status(err, -EPERM, EXIT_REFUSED, "%s: not removed; there is no terminal to ask on (--force "
						"removes without asking)", safe);
		if (!ask(name))
			return 1;
	}
	return library_remove(name, err);
}

static void
say_removed(const char *name, int rc, int json)
{
	if (json) {
		json_t *object = json_object();
		json_put(object, "name", json_text_new(name));
		json_put(object, "removed", json_boolean(rc == 0));
		json_write(object, JSON_COMPACT, stdout);
		putchar('\n');
		json_decref(object);
	} else {
		fputs(rc == 0 ? "removed " : "kept ", stdout);
		text_safe_write(stdout, name);
		putchar('\n');
	}
}

int
cmd_rm(int argc, char **argv)
{
	static const struct option longs[] = { { "force", no_argument, NULL, 'f' }, { "json", no_argument, NULL, 'j' },
					       { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 } };
	struct cli_scan scan = { 0 };
	struct error err = { 0 };
	int force = 0, json = 0, c, status = EXIT_DONE;
	while ((c = cli_next(&scan, argc, argv, "fh", longs, &err)) != -1) {
		if (c == '?')
			return cli_fail(&err, EXIT_USAGE);
		if (c == 'h') {
			help_print("rm");
			return EXIT_DONE;
		}
		force |= c == 'f';
		json |= c == 'j';
	}
	if (optind == argc) {
		error_set(&err, -EINVAL, "remove which session? ioduel list names them");
		return cli_fail(&err, EXIT_USAGE);
	}
	for (int i = optind; i < argc; i++) {
		int rc = remove_one(argv[i], force, &err);
		if (rc < 0)
			status = cli_fail(&err, EXIT_RUN_FAILED);
		else
			say_removed(argv[i], rc, json);
	}
	return cli_finish(status);
}
