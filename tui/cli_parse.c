// SPDX-License-Identifier: MIT
// From argv to checked options of the screen, `run` and `demo`. What one
// option cannot know (both sides, plan against slices, what contradicts what)
// is checked here, once, before anything is opened.
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"

#define OPTIONS_MAX 64
#define LONG_VALUE 256 // of the first long option; above every letter

static const char *
mode_name(enum cli_mode mode)
{
	return mode == CLI_RUN ? "ioduel run" : mode == CLI_DEMO ? "ioduel demo" : "the screen";
}

static int
usage(struct error *err, const char *sentence)
{
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s", sentence);
}

// Makes getopt's two tables from ours.
static void
scan_tables(char *shorts, struct option *longs)
{
	int n = 0;
	for (const struct cli_option *option = cli_options; option->name; option++, n++) {
		longs[n] = (struct option){option->name, option->kind == CLI_FLAG ? no_argument : required_argument, NULL,
					   LONG_VALUE + n};
		if (option->letter)
			*shorts++ = option->letter;
		if (option->letter && option->kind != CLI_FLAG)
			*shorts++ = ':';
	}
	longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
	longs[n] = (struct option){0};
	*shorts++ = 'h';
	*shorts = '\0';
}

static const struct cli_option *
option_of(int c)
{
	if (c >= LONG_VALUE)
		return &cli_options[c - LONG_VALUE];
	for (const struct cli_option *option = cli_options; option->name; option++)
		if (option->letter == c)
			return option;
	return NULL;
}

static int
take_option(struct options *o, const struct cli_option *option, struct error *err)
{
	char shown[48];
	if (option->name[1] == '\0')
		snprintf(shown, sizeof(shown), "-%s", option->name);
	else
		snprintf(shown, sizeof(shown), "--%s", option->name);
	if (!(option->modes & o->mode)) {
		enum cli_mode other = option->modes & CLI_RUN ? CLI_RUN : CLI_SCREEN;
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s is an option of %s, not of %s", shown, mode_name(other),
					mode_name(o->mode));
	}
	return cli_set(o, option, shown, option->kind == CLI_FLAG ? "yes" : optarg, err);
}

static int
take_target(struct options *o, const char *word, struct error *err)
{
	if (o->mode == CLI_DEMO)
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"ioduel demo takes no target, but got \"%s\"; it uses the current directory", word);
	for (int side = SIDE_A; side < SIDES; side++)
		if (!o->side[side].target) {
			o->side[side].target = word;
			return 0;
		}
	return error_set_status(err, -EINVAL, EXIT_USAGE, "\"%s\" is one target too many; there are A and B", word);
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_place(const char *a, const char *b)
{
	struct stat sa, sb;
	if (strcmp(a, b) == 0)
		return true;
	if (stat(a, &sa) < 0 || stat(b, &sb) < 0)
		return false;
	if (S_ISBLK(sa.st_mode) && S_ISBLK(sb.st_mode))
		return sa.st_rdev == sb.st_rdev;
	return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

// True where the workload comes to the same on both sides.
static bool
same_work(const struct options *o)
{
	struct param_set a, b;
	if (!o->workload || options_workload(o, SIDE_A, &a, NULL) < 0 || options_workload(o, SIDE_B, &b, NULL) < 0) {
		if (o->side[SIDE_A].n_set != o->side[SIDE_B].n_set)
			return false;
		for (int i = 0; i < o->side[SIDE_A].n_set; i++)
			if (strcmp(o->side[SIDE_A].set[i], o->side[SIDE_B].set[i]) != 0)
				return false;
		return true;
	}
	for (int i = 0; i < a.n && i < b.n; i++)
		if (a.value[i].number != b.value[i].number && !(isnan(a.value[i].number) && isnan(b.value[i].number)))
			return false;
		else if (isnan(a.value[i].number) && strcmp(a.value[i].text, b.value[i].text) != 0)
			return false;
	return a.n == b.n;
}

static int
check_sides(const struct options *o, struct error *err)
{
	const char *a = o->side[SIDE_A].target, *b = o->side[SIDE_B].target;
	bool past_a = a && strncmp(a, "baseline:", 9) == 0, past_b = b && strncmp(b, "baseline:", 9) == 0;
	if (past_a && past_b)
		return usage(err, "both sides are saved results and nothing would run; ioduel compare lays two results side by side");
	if ((past_a && !a[9]) || (past_b && !b[9]))
		return usage(err, "baseline: needs a saved session's name or file behind the colon");
	if (o->mode == CLI_RUN && !b && (o->side[SIDE_B].n_set || o->side[SIDE_B].setup || o->side[SIDE_B].label))
		return usage(err, "something is set for side B, but there is no -b TARGET");
	if (a && b && o->plan.kind != PLAN_A && o->plan.kind != PLAN_B && same_place(a, b) &&
	    same_text(o->side[SIDE_A].setup, o->side[SIDE_B].setup) && same_work(o))
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"A and B are both %s and nothing differs between them; give --set-a or --set-b KEY=VALUE, --setup-a "
					"or --setup-b COMMAND, or another target", a);
	return 0;
}

// A word that is neither a path nor a subcommand is more likely a misspelt subcommand.
static int
check_misspelling(const struct options *o, struct error *err)
{
	const char *word = o->side[SIDE_A].target, *names[32];
	struct stat st;
	size_t n = 0;
	if (o->mode != CLI_SCREEN || !word || strchr(word, '/') || strchr(word, ':') || stat(word, &st) == 0)
		return 0;
	for (; command_table[n].name && n < 32; n++)
		names[n] = command_table[n].name;
	const char *near = cli_nearest(word, names, n);
	if (!near)
		return 0;
	return error_set_status(err, -EINVAL, EXIT_USAGE, "there is neither a target nor a subcommand \"%s\"; did you mean %s?",
				word, near);
}

static int
check_run(const struct options *o, struct error *err)
{
	const char *a = o->side[SIDE_A].target, *b = o->side[SIDE_B].target;
	if (!a && o->plan.kind != PLAN_B)
		return usage(err, "ioduel run needs -a TARGET; ioduel targets shows where one could test");
	if (!b && o->plan.kind == PLAN_B)
		return usage(err, "--plan b needs -b TARGET");
	if (!b && o->plan.kind != PLAN_A)
		return usage(err, "-b TARGET is missing; to measure one side without a verdict give --plan a");
	if (!o->workload)
		return usage(err, "ioduel run needs -w WORKLOAD; ioduel workloads lists them");
	if (!isnan(o->fail_if_slower) && (o->plan.kind == PLAN_A || o->plan.kind == PLAN_B))
		return usage(err, "--fail-if-slower needs two sides, but the plan runs one");
	return 0;
}

static int
check_plan(const struct options *o, struct error *err)
{
	const struct plan_options *plan = &o->plan;
	if (plan->kind == PLAN_INTERLEAVE && plan->pairs % 2 != 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"--pairs %d is odd; pairs come in twos (AB BA or BA AB), so give %d", plan->pairs,
					plan->pairs + 1);
	if (!isnan(plan->slice_s) && !isnan(plan->settle_s) && plan->settle_s >= plan->slice_s)
		return error_set_status(err, -EINVAL, EXIT_USAGE,
					"--settle %g leaves nothing of --slice %g to be counted; settling is part of the slice",
					plan->settle_s, plan->slice_s);
	if (plan->until_verdict && plan->kind != PLAN_INTERLEAVE)
		return usage(err, "--until-verdict needs the interleaved plan; no other one reaches a verdict early");
	return 0;
}

static int
check_all(const struct options *o, struct error *err)
{
	struct param_set work;
	int r = check_misspelling(o, err);
	if (r == 0 && o->mode == CLI_RUN)
		r = check_run(o, err);
	if (r == 0)
		r = check_plan(o, err);
	for (int side = SIDE_A; r == 0 && o->workload && side < SIDES; side++)
		r = options_workload(o, (enum side)side, &work, err);
	if (r == 0)
		r = check_sides(o, err);
	if (r < 0)
		return r;
	if (o->save && o->no_save)
		return usage(err, "--save and --no-save contradict each other");
	if (o->yes_destroy && !o->destroy_data)
		return usage(err, "--yes-destroy answers the question of --destroy-data, which is not given");
	return 0;
}

int
options_workload(const struct options *o, enum side side, struct param_set *ret, struct error *err)
{
	int r = workload_parse(o->workload, ret, err);
	for (int i = 0; r == 0 && i < o->side[side].n_set; i++)
		r = workload_override(ret, o->side[side].set[i], err);
	if (r < 0 && err && !err->exit_status)
		err->exit_status = EXIT_USAGE;
	return r;
}

int
cli_parse(int argc, char **argv, enum cli_mode mode, struct options *o, struct error *err)
{
	struct option longs[OPTIONS_MAX];
	char shorts[3 * OPTIONS_MAX];
	struct cli_scan scan = {0};
	int c, r = 0;
	o->mode = mode;
	scan_tables(shorts, longs);
	while (r == 0 && (c = cli_next(&scan, argc, argv, shorts, longs, err)) != -1) {
		if (c == '?')
			return -EINVAL;
		if (c == 'h') {
			o->help = 1;
			return 0;
		}
		r = take_option(o, option_of(c), err);
	}
	for (int i = optind; r == 0 && i < argc; i++)
		r = take_target(o, argv[i], err);
	return r < 0 ? r : check_all(o, err);
}
