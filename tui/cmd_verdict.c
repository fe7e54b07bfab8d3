// SPDX-License-Identifier: MIT
// `ioduel verdict`: the verdict on pairs that another program measured. One
// rule: it judges by the same code as `ioduel run`.
#include "cmd_verdict.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/pairs_csv.h"
#include "session/plan.h"
#include "session/result_json.h"
#include "session/result_text.h"

static const char usage[] =
	"usage: ioduel verdict [OPTIONS] [FILE]\n"
	"\n"
	"The verdict on pairs measured elsewhere: CSV with the header order,a,b from FILE or standard input, one row a\n"
	"pair in time order; order is AB or BA (which side ran first), a and b are rates.\n"
	"\n"
	"  --times              the figures are seconds per run\n"
	"  --primary METRIC     the figures are this metric (lat_p99_ns, real_s, ...)\n"
	"  --pairs N            so many pairs were planned (default: as many as there are)\n"
	"  --effect PERCENT     differences below it do not matter (default 2%)\n"
	"  --fail-if-slower PERCENT  exit status 3 where B is slower by more, 1 where there is no verdict\n"
	"  --json               one JSON object instead of text\n"
	"  --help\n";

struct options {
	const char *file; // NULL = standard input
	enum metric primary;
	int planned;
	double effect;
	double fail_if_slower; // NAN = not asked for
	int json, help;
};

// "2%", "2 %" or "2": a share from 0 to below 1.
static int
parse_percent(const char *text, double *ret)
{
	char *end;
	double value = strtod(text, &end);
	end += strspn(end, " ");
	if (*end == '%')
		end++;
	if (end == text || *end || !(value >= 0 && value < 100))
		return -EINVAL;
	*ret = value / 100;
	return 0;
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
take_option(int option, struct options *o, struct error *err)
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
		if (parse_percent(optarg, &o->effect) || !(o->effect > 0))
			return error_set_status(err, -EINVAL, EXIT_USAGE, "--effect %.60s: a percentage above 0 is expected", optarg);
		return 0;
	case 'f':
		if (parse_percent(optarg, &o->fail_if_slower))
			return error_set_status(err, -EINVAL, EXIT_USAGE, "--fail-if-slower %.60s: a percentage is expected", optarg);
		return 0;
	case 'j':
		o->json = 1;
		return 0;
	case 'h':
		o->help = 1;
		return 0;
	default:
		// getopt has said what is wrong.
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s", "");
	}
}

static int
parse(int argc, char **argv, struct options *ret, struct error *err)
{
	static const struct option table[] = {
		{"times", no_argument, NULL, 't'}, {"primary", required_argument, NULL, 'm'},
		{"pairs", required_argument, NULL, 'n'}, {"effect", required_argument, NULL, 'e'},
		{"fail-if-slower", required_argument, NULL, 'f'}, {"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	int option;
	*ret = (struct options){.primary = METRIC_RATE, .effect = PLAN_EFFECT, .fail_if_slower = NAN};
	optind = 0; // the command line may have been read before, by the program
	while ((option = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		int failed = take_option(option, ret, err);
		if (failed)
			return failed;
	}
	if (argc - optind > 1)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "one FILE is expected, not %d", argc - optind);
	ret->file = argc > optind && strcmp(argv[optind], "-") != 0 ? argv[optind] : NULL;
	return 0;
}

static int
read_pairs(const struct options *o, struct pairs_csv *ret, struct error *err)
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
judge(const struct options *o, struct error *err)
{
	struct pairs_csv pairs;
	struct result *r = malloc(sizeof(*r));
	int failed = r ? read_pairs(o, &pairs, err) : error_set(err, -ENOMEM, "out of memory");
	if (failed) {
		free(r);
		return err->exit_status ? err->exit_status : EXIT_RUN_FAILED;
	}
	result_init(r);
	int status = EXIT_RUN_FAILED;
	if (pairs_csv_conclude(&pairs, o->primary, o->planned, o->effect, r)) {
		error_set(err, -ENOMEM, "out of memory");
	} else {
		if (o->json)
			failed = result_write_json(r, stdout);
		else
			result_write_text(r, stdout);
		if (failed || fflush(stdout) || ferror(stdout))
			error_set(err, -EIO, "standard output: cannot be written");
		else
			status = verdict_exit_status(r, o->fail_if_slower);
		if (status == EXIT_RUN_FAILED && !err->code)
			error_set(err, -ENODATA, "there is no verdict: %.400s", r->verdict.text);
	}
	result_fini(r);
	free(r);
	pairs_csv_fini(&pairs);
	return status;
}

int
cmd_verdict(int argc, char **argv)
{
	struct options o;
	struct error err = {0};
	int status = EXIT_USAGE;
	if (parse(argc, argv, &o, &err) == 0) {
		if (o.help) {
			fputs(usage, stdout);
			return EXIT_DONE;
		}
		status = judge(&o, &err);
	}
	if (err.text[0])
		fprintf(stderr, "ioduel: %s\n", err.text);
	return status;
}
