// SPDX-License-Identifier: MIT
// `ioduel show`: a saved or foreign result as text, or as one JSON object.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "cmd_result.h"
#include "session/json_util.h"
#include "session/result_json.h"
#include "session/text_safe.h"

static void
print_name(const struct import *im, int item)
{
	printf("%s%d of %d", item ? "\n" : "", item + 1, im->n);
	if (im->item[item].name[0]) {
		fputs(": ", stdout);
		text_safe_write(stdout, im->item[item].name);
	}
	fputc('\n', stdout);
}

// Several results of one file are one object that holds them all.
static int
print_list(const struct import *im)
{
	json_t *object = json_object(), *results = json_array();
	for (int i = 0; i < im->n; i++)
		json_array_append_new(results, result_to_json(im->item[i].result));
	json_put(object, "ioduel", json_integer(RESULT_FORMAT));
	json_put(object, "kind", json_string("results"));
	json_put(object, "results", results);
	int failed = json_write(object, JSON_INDENT(1), stdout) || fputc('\n', stdout) == EOF;
	json_decref(object);
	return failed ? -EIO : 0;
}

static void
print_heat(const struct snapshot_heat *heat)
{
	for (int i = 0; i < heat->n; i++) {
		const struct snapshot_sensor *s = &heat->sensor[i];
		fputs(i ? "             " : "temperatures ", stdout);
		text_safe_write(stdout, s->name);
		printf("  %.1f to %.1f °C, at the end %.1f °C", s->min_milli_c / 1e3, s->max_milli_c / 1e3, s->last_milli_c / 1e3);
		if (s->limit_milli_c > 0)
			printf(" (limit %.1f °C)", s->limit_milli_c / 1e3);
		putchar('\n');
	}
}

static int
show(const struct chosen *c, int json)
{
	int from = c->item < 0 ? 0 : c->item, to = c->item < 0 ? c->im.n : c->item + 1, rc = 0;
	if (c->side >= 0)
		result_keep_side(c->im.item[from].result, c->side);
	if (json && to - from > 1)
		return print_list(&c->im);
	for (int i = from; rc == 0 && i < to; i++) {
		if (to - from > 1)
			print_name(&c->im, i);
		rc = result_print(c->im.item[i].result, json);
	}
	if (rc == 0 && !json)
		print_heat(&c->im.heat);
	return rc;
}

int
cmd_show(int argc, char **argv)
{
	static const struct option longs[] = { { "json", no_argument, NULL, 'j' }, { "help", no_argument, NULL, 'h' },
					       { NULL, 0, NULL, 0 } };
	struct cli_scan scan = { 0 };
	struct error err = { 0 };
	struct chosen chosen;
	int json = 0, c;
	while ((c = cli_next(&scan, argc, argv, "h", longs, &err)) != -1) {
		if (c == '?')
			return cli_fail(&err, EXIT_USAGE);
		if (c == 'h') {
			help_print("show");
			return EXIT_DONE;
		}
		json = 1;
	}
	if (optind != argc - 1) {
		error_set(&err, -EINVAL, optind == argc ? "show which file? ioduel list names the saved sessions"
							: "show takes one file");
		return cli_fail(&err, EXIT_USAGE);
	}
	if (chosen_open(argv[optind], &chosen, &err))
		return cli_fail(&err, EXIT_RUN_FAILED);
	show(&chosen, json);
	chosen_fini(&chosen);
	return cli_finish(EXIT_DONE);
}
