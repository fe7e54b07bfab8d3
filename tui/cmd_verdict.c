// SPDX-License-Identifier: MIT
// `ioduel verdict`: the verdict on pairs that another program measured. One
// rule: it judges by the same code as `ioduel run`.
#include "cmd_verdict.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "session/pairs_csv.h"
#include "session/result_json.h"
#include "session/result_text.h"

struct verdict_options {
	const char *file; // NULL = standard input
	enum metric primary;
	int planned;
	double effect;
	double fail_if_slower; // NAN = not asked for
	int json;
};

// "2%" or "2" as a share.
static int
parse_percent(const char *name, char *text, double *ret, struct error *err)
{
	size_t length = strlen(text);
	if (length > 0 && text[length - 1] == '%')
		text[length - 1] = '\0';
	double percent;
	int failed = cli_number(name, text, 0, 99.999, &percent, err);
	if (!failed)
		*ret = percent / 100;
	return failed;
}

static int
parse_pairs(const char *text, int *ret)
{
	char *end;
	long value = strtol(text, &end, 10);
	if (end == text || *end || value < 2 || value > 100 * 1000 * 1000 || value % 2)
		return -EINVAL;
	*ret = (int)value;
	return 0;
}

static int
take_option(int option, struct verdict_options *o, struct error *err)
{
	const struct metric_info *info;
	switch (option) {
	case 't':
		o->primary = METRIC_REAL_S;
		return 0;
	case 'm':
		info = metric_find(optarg);
		if (!info)
			return error_set_status(err, -EINVAL, EXIT_USAGE, "--primary %.60s: there is no such metric", optarg);
		o->primary = info->id;
		return 0;
	case 'n':
		if (parse_pairs(optarg, &o->planned))
			return error_set_status(err, -EINVAL, EXIT_USAGE, "--pairs %.60s: an even number from 2 on is expected", optarg);
		return 0;
	case 'e':
		return parse_percent("--effect", optarg, &o->effect, err);
	case 'f':
		return parse_percent("--fail-if-slower", optarg, &o->fail_if_slower, err);
	case 'j':
		o->json = 1;
		return 0;
	default:
		return -EINVAL; // the sentence is there
	}
}

static int
parse(int argc, char **argv, struct verdict_options *ret, struct error *err)
{
	static const struct option table[] = {
		{"times", no_argument, NULL, 't'}, {"primary", required_argument, NULL, 'm'},
		{"pairs", required_argument, NULL, 'n'}, {"effect", required_argument, NULL, 'e'},
		{"fail-if-slower", required_argument, NULL, 'f'}, {"json", no_argument, NULL, 'j'},
		{NULL, 0, NULL, 0}};
	struct cli_scan scan = {0};
	int option;
	*ret = (struct verdict_options){.primary = METRIC_RATE, .effect = PLAN_EFFECT, .fail_if_slower = NAN};
	while ((option = cli_next(&scan, argc, argv, "", table, err)) != -1) {
		int failed = take_option(option, ret, err);
		if (failed)
			return failed;
	}
	if (!(ret->effect > 0))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "--effect: a percentage above 0 is expected");
	if (argc - optind > 1)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "ioduel verdict takes one file, but got \"%.100s\" too", argv[optind + 1]);
	ret->file = argc > optind && strcmp(argv[optind], "-") != 0 ? argv[optind] : NULL;
	return 0;
}

static int
read_pairs(const struct verdict_options *o, struct pairs_csv *ret, struct error *err)
{
	FILE *in = o->file ? fopen(o->file, "re") : stdin;
	if (!in)
		return error_set_status(err, -errno, EXIT_USAGE, "%.200s: %s", o->file, strerror(errno));
	int failed = pairs_csv_read(in, o->file ? o->file : "standard input", ret, err);
	if (o->file)
		fclose(in);
	return failed;
}

int
verdict_exit_status(const struct result *r, double fail_if_slower)
{
	const struct verdict *v = &r->verdict;
	if (isnan(fail_if_slower))
		return EXIT_DONE;
	if (v->word == VERDICT_NONE || !v->has_interval)
		return EXIT_RUN_FAILED;
	return v->hi < 1 - fail_if_slower ? EXIT_SLOWER : EXIT_DONE;
}

static int
print(const struct verdict_options *o, const struct pairs_csv *pairs, struct result *r, struct error *err)
{
	int failed = pairs_csv_conclude(pairs, o->primary, o->planned, o->effect, r);
	if (failed)
		return error_set(err, failed, "out of memory");
	if (!o->json) {
		result_write_text(r, stdout);
		return 0;
	}
	// A reader that has gone is seen at the end, by cli_finish.
	failed = result_write_json(r, stdout);
	return failed == -ENOMEM ? error_set(err, failed, "out of memory") : 0;
}

static int
judge(const struct verdict_options *o, struct error *err)
{
	struct pairs_csv pairs;
	int failed = read_pairs(o, &pairs, err);
	if (failed)
		return cli_fail(err, EXIT_RUN_FAILED);
	struct result *r = malloc(sizeof(*r));
	if (!r) {
		pairs_csv_fini(&pairs);
		error_set(err, -ENOMEM, "out of memory");
		return cli_fail(err, EXIT_RUN_FAILED);
	}
	result_init(r);
	int status = print(o, &pairs, r, err) ? cli_fail(err, EXIT_RUN_FAILED) : verdict_exit_status(r, o->fail_if_slower);
	if (status == EXIT_RUN_FAILED && !err->code)
		fprintf(stderr, "ioduel: --fail-if-slower: there is no verdict: %s\n", r->verdict.text);
	result_fini(r);
	free(r);
	pairs_csv_fini(&pairs);
	return cli_finish(status);
}

int
cmd_verdict(int argc, char **argv)
{
	struct verdict_options o;
	struct error err = {0};
	if (parse(argc, argv, &o, &err))
		return cli_fail(&err, EXIT_USAGE);
	return judge(&o, &err);
}
