// SPDX-License-Identifier: MIT
// The command line: what is accepted comes out as the right values, what is
// wrong is refused with one sentence that names the culprit and status 2.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cmd.h"

#define WORDS_MAX 80

static int
parse(enum cli_mode mode, struct options *o, struct error *err, const char *line)
{
	static char store[2048];
	char *argv[WORDS_MAX];
	int argc = 0;
	snprintf(store, sizeof(store), "ioduel|%s", line);
	for (char *word = strtok(store, "|"); word; word = strtok(NULL, "|"))
		argv[argc++] = word;
	argv[argc] = NULL;
	memset(err, 0, sizeof(*err));
	options_init(o);
	return cli_parse(argc, argv, mode, o, err);
}

static void
accepts(enum cli_mode mode, struct options *o, const char *line)
{
	struct error err;
	if (parse(mode, o, &err, line) != 0)
		fail_msg("\"%s\" was refused: %s", line, err.text);
}

// Refused, with status 2 and a single-line sentence that holds `part`.
static void
refuses(enum cli_mode mode, const char *line, const char *part)
{
	struct options o;
	struct error err;
	if (parse(mode, &o, &err, line) == 0)
		fail_msg("\"%s\" was accepted", line);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	assert_null(strchr(err.text, '\n'));
	if (!strstr(err.text, part))
		fail_msg("\"%s\" was refused with \"%s\", which does not say \"%s\"", line, err.text, part);
}

static void
test_defaults(void **state)
{
	(void)state;
	struct options o;
	accepts(CLI_RUN, &o, "-a|/tmp|-b|/usr|-w|randread");
	assert_string_equal(o.side[SIDE_A].target, "/tmp");
	assert_string_equal(o.side[SIDE_B].target, "/usr");
	assert_string_equal(o.workload, "randread");
	assert_int_equal(o.plan.kind, PLAN_INTERLEAVE);
	assert_int_equal(o.plan.pairs, 0);
	assert_true(isnan(o.plan.slice_s) && isnan(o.plan.settle_s) && isnan(o.plan.warmup_s));
	assert_float_equal(o.plan.effect, 0.02, 1e-12);
	assert_float_equal(o.interval_s, 0.5, 1e-12);
	assert_true(isnan(o.fail_if_slower));
	assert_string_equal(o.sysroot, "/");
	assert_null(o.save);
}

static void
test_everything(void **state)
{
	(void)state;
	struct options o;
	accepts(CLI_RUN, &o,
		"/tmp|/usr|-w|randread:qd=4|--label-a|left|--label-b|right|--setup-a|true|--setup-b|false|--set-a|qd=1|--set-b|qd=8|"
		"--set-b|bs=8k|--plan|interleave|--pairs|6|--slice|1|--settle|200ms|--warmup|0|--until-verdict|--effect|5%|"
		"--primary|lat_p99_ns|--seed|77|--cold|--careful|--json|-q|--save|x.jsonl|--fail-if-slower|3|--dry-run|"
		"--overwrite-file|--destroy-data|--yes-destroy|sdz|--interval|1s|--sysroot|/tmp");
	assert_string_equal(o.side[SIDE_A].target, "/tmp");
	assert_string_equal(o.side[SIDE_B].label, "right");
	assert_string_equal(o.side[SIDE_A].setup, "true");
	assert_int_equal(o.side[SIDE_A].n_set, 1);
	assert_int_equal(o.side[SIDE_B].n_set, 2);
	assert_string_equal(o.side[SIDE_B].set[1], "bs=8k");
	assert_null(o.side[SIDE_B].set[2]);
	assert_int_equal(o.plan.pairs, 6);
	assert_float_equal(o.plan.slice_s, 1, 1e-9);
	assert_float_equal(o.plan.settle_s, 0.2, 1e-9);
	assert_float_equal(o.plan.warmup_s, 0, 1e-9);
	assert_float_equal(o.plan.effect, 0.05, 1e-9);
	assert_int_equal(o.plan.seed, 77);
	assert_true(o.plan.until_verdict && o.plan.cold && o.plan.careful && o.json && o.quiet && o.dry_run);
	assert_true(o.overwrite_file && o.destroy_data);
	assert_string_equal(o.yes_destroy, "sdz");
	assert_string_equal(o.primary, "lat_p99_ns");
	assert_float_equal(o.fail_if_slower, 0.03, 1e-9);
	assert_float_equal(o.interval_s, 1, 1e-9);
}

static void
test_screen_targets(void **state)
{
	(void)state;
	struct options o;
	accepts(CLI_SCREEN, &o, "");
	assert_null(o.side[SIDE_A].target);
	accepts(CLI_SCREEN, &o, "/tmp");
	assert_null(o.side[SIDE_B].target);
	accepts(CLI_SCREEN, &o, "-w|randread|/tmp|--glyphs|ascii|/usr|--layout|overlay|--no-mouse|--theme|nord");
	assert_string_equal(o.side[SIDE_B].target, "/usr");
	assert_string_equal(o.glyphs, "ascii");
	assert_string_equal(o.layout, "overlay");
	assert_true(o.no_mouse);
	accepts(CLI_SCREEN, &o, "--|/tmp");
	assert_string_equal(o.side[SIDE_A].target, "/tmp");
	accepts(CLI_SCREEN, &o, "-a|/tmp|-b|baseline:old");
	accepts(CLI_SCREEN, &o, "/nowhere/run");
	refuses(CLI_SCREEN, "/tmp|/usr|/etc", "\"/etc\" is one target too many");
	refuses(CLI_SCREEN, "worklods", "did you mean workloads?");
	refuses(CLI_SCREEN, "/tmp|--json", "--json is an option of ioduel run, not of the screen");
	refuses(CLI_DEMO, "/tmp", "takes no target");
	refuses(CLI_RUN, "-a|/tmp|--plan|a|-w|randread|--theme|x", "--theme is an option of the screen");
}

static void
test_help_wins(void **state)
{
	(void)state;
	struct options o;
	accepts(CLI_RUN, &o, "--help");
	assert_true(o.help);
	accepts(CLI_RUN, &o, "-w|randread|-h");
	assert_true(o.help);
}

static void
test_bad_options(void **state)
{
	(void)state;
	refuses(CLI_RUN, "--pears|6", "there is no option --pears; did you mean --pairs?");
	refuses(CLI_RUN, "--pair|6", "there is no option --pair; did you mean --pairs?");
	refuses(CLI_RUN, "--destroy|-a|/tmp", "there is no option --destroy; did you mean --destroy-data?");
	refuses(CLI_RUN, "--slic=3", "there is no option --slic; did you mean --slice?");
	refuses(CLI_RUN, "--frobnicate-everything", "ioduel help lists them");
	refuses(CLI_RUN, "-z", "there is no option -z");
	refuses(CLI_RUN, "--json=1", "--json takes no argument");
	refuses(CLI_RUN, "-a|/tmp|--slice", "--slice needs an argument");
	refuses(CLI_RUN, "-a", "-a needs an argument");
}

static void
test_bad_values(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"--pairs|seven", "--pairs needs a number, not \"seven\""},
		{"--pairs|2.5", "whole number"},
		{"--pairs|0", "out of range"},
		{"--pairs|-2", "out of range"},
		{"--pairs|99999999999999999999", "out of range"},
		{"--pairs|nan", "needs a number"},
		{"--slice|fast", "--slice needs a time"},
		{"--slice|0", "out of range"},
		{"--slice|-1", "--slice"},
		{"--settle|inf", "--settle"},
		{"--effect|2%%", "--effect needs a number"},
		{"--effect|-1", "out of range"},
		{"--seed|-1", "--seed needs a whole number"},
		{"--seed|1x", "--seed needs a whole number"},
		{"--plan|baab", "it is one of interleave|ab|a|b|together"},
		{"--primary|iop", "did you mean iops?"},
		{"--set-a|qd", "--set-a needs KEY=VALUE"},
		{"--set-b|=8", "--set-b needs KEY=VALUE"},
		{"--interval|0.05", "--interval 0.05 is out of range; it goes from 0.1 s"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refuses(CLI_RUN, cases[i][0], cases[i][1]);
	refuses(CLI_SCREEN, "--glyphs|dots", "it is one of braille|block|ascii");
	refuses(CLI_SCREEN, "--layout|sid", "it is one of side|overlay");
}

static void
test_empty_value(void **state)
{
	(void)state;
	char *argv[] = {(char[]){"run"}, (char[]){"-a"}, (char[]){""}, NULL};
	struct options o;
	struct error err = {0};
	options_init(&o);
	assert_true(cli_parse(3, argv, CLI_RUN, &o, &err) < 0);
	assert_non_null(strstr(err.text, "-a needs a value, but it is empty"));
}

static void
test_bad_workload(void **state)
{
	(void)state;
	refuses(CLI_RUN, "/tmp|/usr|-w|randreed", "randread");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread:qdd=3", "qd");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread:qd=0", "qd");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread|--set-b|qd=-4", "qd");
	refuses(CLI_SCREEN, "/tmp|/usr|-w|randreed", "randread");
}

static void
test_contradictions(void **state)
{
	(void)state;
	refuses(CLI_RUN, "-w|randread", "needs -a TARGET");
	refuses(CLI_RUN, "-a|/tmp|-w|randread", "give --plan a");
	refuses(CLI_RUN, "-a|/tmp|-w|randread|--plan|b", "--plan b needs -b");
	refuses(CLI_RUN, "-a|/tmp|-b|/usr", "needs -w WORKLOAD");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread|--pairs|7", "--pairs 7 is odd");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread|--slice|1|--settle|1", "leaves nothing");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread|--plan|ab|--until-verdict", "--until-verdict");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread|--save|x|--no-save", "contradict");
	refuses(CLI_RUN, "/tmp|/usr|-w|randread|--yes-destroy|sda", "--destroy-data");
	refuses(CLI_RUN, "-a|/tmp|--plan|a|-w|randread|--set-b|qd=1", "side B");
	refuses(CLI_RUN, "-a|/tmp|--plan|a|-w|randread|--fail-if-slower|5", "two sides");
	refuses(CLI_RUN, "baseline:x|baseline:y|-w|randread", "ioduel compare");
	refuses(CLI_RUN, "/tmp|baseline:|-w|randread", "behind the colon");
	struct options o;
	accepts(CLI_RUN, &o, "-a|/tmp|--plan|a|-w|randread");
	accepts(CLI_RUN, &o, "-b|/tmp|--plan|b|-w|randread");
	accepts(CLI_RUN, &o, "/tmp|baseline:x|-w|randread");
}

static void
test_same_place(void **state)
{
	(void)state;
	struct options o;
	char dir[] = "/tmp/ioduel-cli.XXXXXX", link[64], line[512];
	assert_non_null(mkdtemp(dir));
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink(dir, link), 0);
	refuses(CLI_RUN, "/tmp|/tmp|-w|randread", "nothing differs");
	refuses(CLI_RUN, "/tmp|/tmp/.|-w|randread", "nothing differs");
	snprintf(line, sizeof(line), "%s|%s|-w|randread", dir, link);
	refuses(CLI_RUN, line, "nothing differs");
	refuses(CLI_SCREEN, "/tmp|/tmp", "nothing differs");
	refuses(CLI_RUN, "/tmp|/tmp|-w|randread|--label-a|x", "nothing differs");
	// the same value in two spellings is no difference
	refuses(CLI_RUN, "/tmp|/tmp|-w|randread|--set-a|bs=4k|--set-b|bs=4096", "nothing differs");
	refuses(CLI_RUN, "/tmp|/tmp|-w|randread:qd=8|--set-b|qd=8", "nothing differs");
	accepts(CLI_RUN, &o, "/tmp|/tmp|-w|randread|--set-a|qd=1|--set-b|qd=8");
	accepts(CLI_RUN, &o, "/tmp|/tmp|-w|randread|--set-b|qd=8");
	accepts(CLI_RUN, &o, "/tmp|/tmp|-w|randread|--setup-b|true");
	accepts(CLI_SCREEN, &o, "/tmp|/tmp|--set-b|qd=8");
	unlink(link);
	rmdir(dir);
}

static void
test_nearest(void **state)
{
	(void)state;
	static const char *const names[] = {"pairs", "plan", "primary", "slice"};
	assert_string_equal(cli_nearest("piars", names, 4), "pairs");
	assert_string_equal(cli_nearest("prim", names, 4), "primary");
	assert_null(cli_nearest("zzzzzz", names, 4));
	assert_null(cli_nearest("", names, 4));
	char longest[200];
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_null(cli_nearest(longest, names, 4));
}

static void
test_table(void **state)
{
	(void)state;
	for (const struct cli_option *o = cli_options; o->name; o++) {
		assert_true(o->modes != 0);
		assert_non_null(o->help);
		assert_true((o->kind == CLI_FLAG) == (o->arg == NULL));
		for (const struct cli_option *p = o + 1; p->name; p++) {
			assert_string_not_equal(o->name, p->name);
			assert_true(o->letter == 0 || o->letter != p->letter);
			assert_true(o->field != p->field);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults), cmocka_unit_test(test_everything), cmocka_unit_test(test_screen_targets),
		cmocka_unit_test(test_help_wins), cmocka_unit_test(test_bad_options), cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_empty_value), cmocka_unit_test(test_bad_workload), cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_same_place), cmocka_unit_test(test_nearest), cmocka_unit_test(test_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
