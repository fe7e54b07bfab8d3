// SPDX-License-Identifier: MIT
// The harness itself: it sees what a program draws, and it notices each thing
// that a bad program leaves behind. What it could not notice, no test would.
#include "support_term.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static struct vt *
start_shell(const char *script)
{
	const struct vt_options options = {.rows = 10, .cols = 40, .home = "/"};
	const char *const argv[] = {"/bin/sh", "-c", script, NULL};

	return vt_start(&options, argv);
}

static void
sees_text_size_and_exit(void **state)
{
	struct vt *vt = start_shell("stty size; printf 'x\\303\\251y\\n'; read a; exit 3");
	struct vt_exit end;

	(void)state;
	assert_true(vt_wait_text(vt, "10 40"));
	assert_true(vt_wait_text(vt, "x\303\251y"));
	assert_string_equal(vt_row(vt, 0), "10 40");
	vt_type(vt, "\n");
	assert_true(vt_wait_exit(vt, &end));
	assert_true(WIFEXITED(end.status));
	assert_int_equal(WEXITSTATUS(end.status), 3);
	assert_null(vt_left_behind(vt));
	vt_free(vt);
}

static void
notices_what_is_left_behind(void **state)
{
	static const struct {
		const char *script, *what;
	} cases[] = {
		{"stty raw -echo", "the line's modes are changed"},
		{"printf '\\033[?1049h'", "the alternate screen is on"},
		{"printf '\\033[?1000h'", "mouse reports are on"},
		{"printf '\\033[?25l'", "the cursor is hidden"},
		{"printf '\\033[?12;25l\\033[?1000;1006l'", "the cursor is hidden"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vt *vt = start_shell(cases[i].script);
		assert_true(vt_wait_exit(vt, NULL));
		assert_non_null(vt_left_behind(vt));
		assert_string_equal(vt_left_behind(vt), cases[i].what);
		vt_free(vt);
	}
}

// A cursor position saved while it was hidden does not hide it again.
static void
sees_the_cursor_come_back(void **state)
{
	struct vt *vt = start_shell("printf '\\033[?1049h\\033[?25l\\0337\\033[?12l\\033[?25h\\033[?1049l'");

	(void)state;
	assert_true(vt_wait_exit(vt, NULL));
	assert_null(vt_left_behind(vt));
	vt_free(vt);
}

static void
stops_and_continues_like_a_shell(void **state)
{
	struct vt *vt = start_shell("echo ready; read a; echo got $a");

	(void)state;
	assert_true(vt_wait_text(vt, "ready"));
	vt_type(vt, "\032");
	assert_true(vt_wait_stop(vt));
	vt_foreground(vt);
	vt_type(vt, "42\n");
	assert_true(vt_wait_text(vt, "got 42"));
	assert_true(vt_wait_exit(vt, NULL));
	vt_free(vt);
}

static void
takes_the_terminal_away(void **state)
{
	struct vt *vt = start_shell("echo ready; read a");
	pid_t pid = vt_pid(vt);

	(void)state;
	assert_true(vt_wait_text(vt, "ready"));
	vt_hang_up(vt);
	assert_true(vt_wait_gone(pid));
	vt_free(vt);
}

static void
finds_children(void **state)
{
	struct vt *vt = start_shell("sleep 100 & echo ready; read a");
	pid_t child[4];

	(void)state;
	assert_true(vt_wait_text(vt, "ready"));
	assert_int_equal(vt_children(vt_pid(vt), child, 4), 1);
	kill(child[0], SIGKILL);
	assert_true(vt_wait_gone(child[0]));
	assert_int_equal(vt_children(vt_pid(vt), child, 4), 0);
	vt_free(vt);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sees_text_size_and_exit),
		cmocka_unit_test(notices_what_is_left_behind),
		cmocka_unit_test(sees_the_cursor_come_back),
		cmocka_unit_test(stops_and_continues_like_a_shell),
		cmocka_unit_test(takes_the_terminal_away),
		cmocka_unit_test(finds_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
