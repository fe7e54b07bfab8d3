// SPDX-License-Identifier: MIT
// The table of options and how one value is read from its text. Its rule: an
// option is known here once, and everything else that names options (help,
// configuration, completion) walks the table.
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct options, member)
#define SIDE_AT(letter, member) (offsetof(struct options, side) + (letter) * sizeof(struct side_options) + offsetof(struct side_options, member))
#define LIVE (CLI_SCREEN | CLI_RUN)
#define ALL (CLI_SCREEN | CLI_RUN | CLI_DEMO)
#define SHOWN (CLI_SCREEN | CLI_DEMO)

const struct cli_option cli_options[] = {
	{"a", 'a', CLI_TEXT, LIVE, false, "TARGET", 1, 0, SIDE_AT(SIDE_A, target),
	 "directory, file, block device or baseline:FILE"},
	{"b", 'b', CLI_TEXT, LIVE, false, "TARGET", 1, 0, SIDE_AT(SIDE_B, target),
	 "the same for the other side; may be the same path"},
	{"label-a", 0, CLI_TEXT, LIVE, false, "TEXT", 1, 0, SIDE_AT(SIDE_A, label), "how side A is called"},
	{"label-b", 0, CLI_TEXT, LIVE, false, "TEXT", 1, 0, SIDE_AT(SIDE_B, label), "how side B is called"},
	{"setup-a", 0, CLI_TEXT, LIVE, false, "COMMAND", 1, 0, SIDE_AT(SIDE_A, setup),
	 "run before every turn of A, as to switch a scheduler"},
	{"setup-b", 0, CLI_TEXT, LIVE, false, "COMMAND", 1, 0, SIDE_AT(SIDE_B, setup), "run before every turn of B"},
	{"set-a", 0, CLI_SET, LIVE, false, "KEY=VALUE", 1, 0, SIDE_AT(SIDE_A, set),
	 "a parameter of the workload, for A only; repeatable"},
	{"set-b", 0, CLI_SET, LIVE, false, "KEY=VALUE", 1, 0, SIDE_AT(SIDE_B, set),
	 "a parameter of the workload, for B only; repeatable"},
	{"workload", 'w', CLI_TEXT, LIVE, true, "NAME[:KEY=VALUE,...]", 1, 0, AT(workload),
	 "what is run; see ioduel workloads"},

	{"plan", 0, CLI_PLAN, LIVE, true, "interleave|ab|a|b|together", 1, 0, AT(plan.kind),
	 "which side runs when (interleave)"},
	{"pairs", 0, CLI_COUNT, LIVE, true, "N", 1, PLAN_PAIRS_MAX, AT(plan.pairs), "pairs of slices, even (12; whole runs 10)"},
	{"careful", 0, CLI_FLAG, LIVE, true, NULL, 1, 0, AT(plan.careful), "30 pairs, files made anew on the way"},
	{"slice", 0, CLI_SECONDS, LIVE, true, "TIME", 0.02, 86400, AT(plan.slice_s),
	 "of one slice, settling included (5 s; writes 10 s)"},
	{"settle", 0, CLI_SECONDS, LIVE, true, "TIME", 0, 86400, AT(plan.settle_s),
	 "of which is not counted (2 s; writes 4 s)"},
	{"warmup", 0, CLI_SECONDS, LIVE, true, "TIME", 0, 86400, AT(plan.warmup_s),
	 "uncounted work per side before the first slice"},
	{"until-verdict", 0, CLI_FLAG, LIVE, true, NULL, 1, 0, AT(plan.until_verdict),
	 "stop at the first claim that may be made at any time"},
	{"effect", 0, CLI_PERCENT_OF_ONE, LIVE, true, "PERCENT", 0.001, 99, AT(plan.effect),
	 "smallest difference that matters (2 %)"},
	{"primary", 0, CLI_METRIC, LIVE, false, "METRIC", 1, 0, AT(primary), "the metric that decides, as named in the JSON"},
	{"seed", 0, CLI_SEED, ALL, false, "N", 1, 0, AT(plan.seed), "of the order of the slices; drawn anew if not given"},
	{"cold", 0, CLI_FLAG, LIVE, true, NULL, 1, 0, AT(plan.cold), "caches dropped before every turn"},

	{"json", 0, CLI_FLAG, CLI_RUN | CLI_DEMO, false, NULL, 1, 0, AT(json), "the result as one JSON object on standard output"},
	{"quiet", 'q', CLI_FLAG, CLI_RUN | CLI_DEMO, false, NULL, 1, 0, AT(quiet), "no progress on standard error"},
	{"save", 0, CLI_TEXT, ALL, false, "FILE", 1, 0, AT(save), "where the session is saved (a new file)"},
	{"no-save", 0, CLI_FLAG, ALL, true, NULL, 1, 0, AT(no_save), "save nothing"},
	{"fail-if-slower", 0, CLI_PERCENT_OF_ONE, CLI_RUN, false, "PERCENT", 0, 1000, AT(fail_if_slower),
	 "exit status 3 if B is slower than A by more"},

	{"dry-run", 'n', CLI_FLAG, CLI_RUN, false, NULL, 1, 0, AT(dry_run), "say what would run, touch nothing"},
	{"overwrite-file", 0, CLI_FLAG, LIVE, false, NULL, 1, 0, AT(overwrite_file), "a target that is a file may be written over"},
	{"destroy-data", 0, CLI_FLAG, LIVE, false, NULL, 1, 0, AT(destroy_data), "a target that is a device may be written over"},
	{"yes-destroy", 0, CLI_TEXT, LIVE, false, "NAME", 1, 0, AT(yes_destroy),
	 "answers --destroy-data without a terminal"},

	{"interval", 0, CLI_SECONDS, ALL, true, "TIME", 0.1, 60, AT(interval_s), "between two readings of the machine (0.5 s)"},
	{"layout", 0, CLI_CHOICE, SHOWN, true, "side|overlay|verdict|latency|devices|one", 1, 0, AT(layout), "what is shown at first (side)"},
	{"theme", 0, CLI_TEXT, SHOWN, true, "NAME", 1, 0, AT(theme), "colours: a theme's name or file, in btop's format"},
	{"glyphs", 0, CLI_CHOICE, SHOWN, true, "braille|block|ascii", 1, 0, AT(glyphs), "what graphs are drawn with (by locale)"},
	{"no-mouse", 0, CLI_FLAG, SHOWN, true, NULL, 1, 0, AT(no_mouse), "leave the mouse to the terminal"},
	{"sysroot", 0, CLI_TEXT, ALL, false, "DIR", 1, 0, AT(sysroot), "read /proc and /sys below DIR"},
	{0},
};

void
options_init(struct options *o)
{
	*o = (struct options){
		.mode = CLI_SCREEN,
		.plan = {.kind = PLAN_INTERLEAVE, .slice_s = NAN, .settle_s = NAN, .warmup_s = NAN, .effect = 0.02, .seed = 0},
		.fail_if_slower = NAN,
		.interval_s = 0.5,
		.sysroot = "/",
	};
}

int
cli_number(const char *what, const char *text, double min, double max, double *ret, struct error *err)
{
	char *end;
	errno = 0;
	double value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) || errno == ERANGE)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s needs a number, not \"%s\"", what, text);
	if (min <= max && (value < min || value > max))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s %s is out of range; it goes from %g to %g", what, text,
					min, max);
	*ret = value;
	return 0;
}

static int
set_count(int *field, const struct cli_option *option, const char *shown, const char *text, struct error *err)
{
	double value;
	int r = cli_number(shown, text, option->min, option->max, &value, err);
	if (r < 0)
		return r;
	if (value != floor(value))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s needs a whole number, not \"%s\"", shown, text);
	*field = (int)value;
	return 0;
}

static int
set_seconds(double *field, const struct cli_option *option, const char *shown, const char *text, struct error *err)
{
	double ns;
	if (param_parse_time(text, &ns) < 0 || !isfinite(ns))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s needs a time such as 5, 500ms or 2m, not \"%s\"", shown,
					text);
	double value = ns / 1e9;
	if (value < option->min || value > option->max)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s %s is out of range; it goes from %g s to %g s", shown,
					text, option->min, option->max);
	*field = value;
	return 0;
}

static int
set_percent(double *field, const struct cli_option *option, const char *shown, const char *text, struct error *err)
{
	char number[64];
	size_t length = strlen(text);
	if (length > 0 && text[length - 1] == '%')
		length--;
	if (length >= sizeof(number))
		length = sizeof(number) - 1;
	memcpy(number, text, length);
	number[length] = '\0';
	double value;
	int r = cli_number(shown, number, option->min, option->max, &value, err);
	if (r < 0)
		return r;
	*field = value / 100;
	return 0;
}

static int
set_seed(uint64_t *field, const char *shown, const char *text, struct error *err)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 0);
	if (end == text || *end || errno || strchr(text, '-'))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s needs a whole number from 0 on, not \"%s\"", shown, text);
	*field = value;
	return 0;
}

static int
set_choice(const char **field, const char *choices, const char *shown, const char *text, struct error *err)
{
	size_t length = strlen(text);
	for (const char *c = choices; *c;) {
		size_t n = strcspn(c, "|");
		if (n == length && memcmp(c, text, n) == 0) {
			*field = text;
			return 0;
		}
		c += n + (c[n] == '|');
	}
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s does not know \"%s\"; it is one of %s", shown, text, choices);
}

static int
set_metric(const char **field, const char *shown, const char *text, struct error *err)
{
	const char *names[METRIC_N];
	if (metric_find(text)) {
		*field = text;
		return 0;
	}
	for (int i = 0; i < METRIC_N; i++)
		names[i] = metric_table[i].name;
	const char *near = cli_nearest(text, names, METRIC_N);
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s does not know the metric \"%s\"%s%s%s", shown, text,
				near ? "; did you mean " : "; \"iops\", \"lat_p99_ns\" or \"real_s\" are such names",
				near ? near : "", near ? "?" : "");
}

// set-a and set-b: a list that grows; n_set stands behind the array in struct side_options.
static int
set_override(const char **list, const char *shown, const char *text, struct error *err)
{
	struct side_options *side = (struct side_options *)((char *)list - offsetof(struct side_options, set));
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s needs KEY=VALUE, as in qd=8, not \"%s\"", shown, text);
	if (side->n_set == CLI_SETS_MAX)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s is given more than %d times", shown, CLI_SETS_MAX);
	side->set[side->n_set++] = text;
	return 0;
}

static int
set_flag(int *field, const char *shown, const char *text, struct error *err)
{
	static const char *const yes[] = {"1", "yes", "on", "true"}, *const no[] = {"0", "no", "off", "false"};
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
			*field = strcmp(text, yes[i]) == 0;
			return 0;
		}
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s is yes or no, not \"%s\"", shown, text);
}

int
cli_set(struct options *o, const struct cli_option *option, const char *shown, const char *text, struct error *err)
{
	void *field = (char *)o + option->field;
	if (option->kind != CLI_FLAG && *text == '\0')
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s needs a value, but it is empty", shown);
	switch (option->kind) {
	case CLI_FLAG:
		return set_flag(field, shown, text, err);
	case CLI_TEXT:
		*(const char **)field = text;
		return 0;
	case CLI_CHOICE:
		return set_choice(field, option->arg, shown, text, err);
	case CLI_COUNT:
		return set_count(field, option, shown, text, err);
	case CLI_SEED:
		return set_seed(field, shown, text, err);
	case CLI_SECONDS:
		return set_seconds(field, option, shown, text, err);
	case CLI_PERCENT_OF_ONE:
		return set_percent(field, option, shown, text, err);
	case CLI_PLAN:
		if (plan_kind_parse(text, field) < 0)
			return error_set_status(err, -EINVAL, EXIT_USAGE, "%s does not know \"%s\"; it is one of %s", shown,
						text, option->arg);
		return 0;
	case CLI_METRIC:
		return set_metric(field, shown, text, err);
	case CLI_SET:
		return set_override(field, shown, text, err);
	}
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s cannot be set", shown);
}
