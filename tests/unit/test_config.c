// SPDX-License-Identifier: MIT
// The configuration file: what it sets, what it reports, and that writing one
// line changes nothing else.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "config.h"

static char dir[64], path[128];

static int
make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/ioduel-config.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/config", dir);
	return 0;
}

static int
remove_dir(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command);
}

static void
put(const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void
expect_file(const char *file, const char *text)
{
	char buf[4096] = "";
	FILE *f = fopen(file, "r");
	assert_non_null(f);
	buf[fread(buf, 1, sizeof(buf) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(buf, text);
}

static void
load(struct config *c, struct options *o)
{
	struct error err = {0};
	config_init(c);
	options_init(o);
	if (config_load(c, path, o, &err) < 0)
		fail_msg("%s", err.text);
}

static void
test_missing(void **state)
{
	(void)state;
	struct config c;
	struct options o;
	load(&c, &o);
	assert_int_equal(c.n_problems, 0);
	assert_null(o.theme);
	config_fini(&c);
}

static void
test_values(void **state)
{
	(void)state;
	struct config c;
	struct options o;
	put("# comment\n\n  theme = nord  \r\nlayout=overlay\nglyphs = ascii\ninterval = 250ms\nno-mouse = yes\npairs = 30\n"
	    "effect = 5%\ncareful = no\nkey.flip = Tab\nkey.quit = q, Ctrl-C\nworkload = randread:bs=4k,qd=8");
	load(&c, &o);
	if (c.n_problems)
		fail_msg("%s", c.problem[0]);
	assert_string_equal(o.theme, "nord");
	assert_string_equal(o.layout, "overlay");
	assert_string_equal(o.glyphs, "ascii");
	assert_string_equal(o.workload, "randread:bs=4k,qd=8");
	assert_float_equal(o.interval_s, 0.25, 1e-9);
	assert_true(o.no_mouse);
	assert_false(o.plan.careful);
	assert_int_equal(o.plan.pairs, 30);
	assert_float_equal(o.plan.effect, 0.05, 1e-9);
	assert_int_equal(c.n_keys, 2);
	assert_string_equal(c.key[1].action, "quit");
	assert_string_equal(c.key[1].keys, "q, Ctrl-C");
	assert_int_equal(c.key[1].line, 12);
	config_fini(&c);
}

static void
test_command_line_wins(void **state)
{
	(void)state;
	struct config c;
	struct options o;
	struct error err = {0};
	char *argv[] = {(char[]){"ioduel"}, (char[]){"--layout"}, (char[]){"verdict"}, NULL};
	put("layout = overlay\ntheme = nord\n");
	load(&c, &o);
	assert_int_equal(cli_parse(3, argv, CLI_SCREEN, &o, &err), 0);
	assert_string_equal(o.layout, "verdict");
	assert_string_equal(o.theme, "nord");
	config_fini(&c);
}

static void
test_problems(void **state)
{
	(void)state;
	struct config c;
	struct options o;
	char expected[256];
	put("theme = nord\nlayuot = overlay\nwhat is this\ninterval = 0\ndestroy-data = yes\nglyphs =\n= x\nkey. = x\nlayout = one\n");
	load(&c, &o);
	assert_int_equal(c.n_problems, 7);
	snprintf(expected, sizeof(expected), "%s:2: unknown key \"layuot\" (did you mean layout?); the line is ignored", path);
	assert_string_equal(c.problem[0], expected);
	assert_non_null(strstr(c.problem[1], "config:3: this is not \"key = value\""));
	assert_non_null(strstr(c.problem[2], "config:4: interval 0 is out of range"));
	assert_non_null(strstr(c.problem[3], "config:5: unknown key \"destroy-data\""));
	assert_non_null(strstr(c.problem[4], "config:6: glyphs needs a value"));
	// what is right around them still counts
	assert_string_equal(o.theme, "nord");
	assert_string_equal(o.layout, "one");
	assert_float_equal(o.interval_s, 0.5, 1e-9);
	assert_false(o.destroy_data);
	config_fini(&c);
}

static void
test_many_problems(void **state)
{
	(void)state;
	struct config c;
	struct options o;
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	for (int i = 0; i < 100; i++)
		fprintf(f, "nonsense%d = 1\nkey.action%d = x\n", i, i);
	fclose(f);
	load(&c, &o);
	assert_int_equal(c.n_keys, CONFIG_KEYS_MAX);
	assert_int_equal(c.n_problems, 100 + 100 - CONFIG_KEYS_MAX);
	config_fini(&c);
}

static void
test_unreadable(void **state)
{
	(void)state;
	struct config c;
	struct options o;
	struct error err = {0};
	config_init(&c);
	options_init(&o);
	assert_int_equal(config_load(&c, dir, &o, &err), -EIO);
	assert_non_null(strstr(err.text, "cannot read"));
	config_fini(&c);
}

static void
test_save_keeps_the_rest(void **state)
{
	(void)state;
	const struct config_change changes[] = {{"theme", "gruvbox"}, {"layout", "one"}};
	struct error err = {0};
	put("# mine\ntheme = nord # not a comment\n\n#layout = side\nunknown = kept\nlast = line");
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(config_save(path, changes, 2, &err), 0);
	expect_file(path, "# mine\ntheme = gruvbox\n\n#layout = side\nunknown = kept\nlast = line\nlayout = one\n");
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void
test_save_makes_directories(void **state)
{
	(void)state;
	const struct config_change change = {"theme", "nord"};
	struct error err = {0};
	char deep[200];
	snprintf(deep, sizeof(deep), "%s/one/two/config", dir);
	assert_int_equal(config_save(deep, &change, 1, &err), 0);
	expect_file(deep, "theme = nord\n");
}

static void
test_save_follows_link(void **state)
{
	(void)state;
	const struct config_change change = {"theme", "nord"};
	struct error err = {0};
	char link[200];
	struct stat st;
	put("theme = old\n");
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(config_save(link, &change, 1, &err), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	expect_file(path, "theme = nord\n");
}

static void
test_save_failure_leaves_nothing(void **state)
{
	(void)state;
	const struct config_change change = {"theme", "nord"};
	struct error err = {0};
	assert_true(config_save("/proc/ioduel/config", &change, 1, &err) < 0);
	assert_non_null(strstr(err.text, "cannot write /proc/ioduel/config"));
}

static void
test_path(void **state)
{
	(void)state;
	char buf[256];
	setenv("HOME", "/home/x", 1);
	setenv("XDG_CONFIG_HOME", "/conf", 1);
	assert_int_equal(config_path(buf, sizeof(buf)), 0);
	assert_string_equal(buf, "/conf/ioduel/config");
	setenv("XDG_CONFIG_HOME", "relative", 1);
	assert_int_equal(config_path(buf, sizeof(buf)), 0);
	assert_string_equal(buf, "/home/x/.config/ioduel/config");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	assert_int_equal(config_path(buf, sizeof(buf)), -ENOENT);
}

int
main(void)
{
#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, make_dir, remove_dir)
	const struct CMUnitTest tests[] = {
		IN_DIR(test_missing), IN_DIR(test_values), IN_DIR(test_command_line_wins), IN_DIR(test_problems),
		IN_DIR(test_many_problems), IN_DIR(test_unreadable), IN_DIR(test_save_keeps_the_rest),
		IN_DIR(test_save_makes_directories), IN_DIR(test_save_follows_link), IN_DIR(test_save_failure_leaves_nothing),
		cmocka_unit_test(test_path),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
