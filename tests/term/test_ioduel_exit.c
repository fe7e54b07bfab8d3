// SPDX-License-Identifier: MIT
// Every way out of the real program while a workload runs: the terminal is as it
// was before, no worker and no scratch file survive, what was measured is saved.
#include "support_ioduel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

static void
assert_terminal_as_before(const struct duel *d)
{
	const char *what = vt_left_behind(d->vt);

	if (what)
		print_error("left behind: %s\n", what);
	assert_null(what);
}

static void
quits_by_key(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	duel_quit(&d);
	duel_assert_clean(&d);
	assert_int_equal(duel_saved(&d), 1);
	assert_int_equal(duel_partial(&d), 0);
	duel_fini(&d);
}

// A signal that asks the program to end: it ends by itself, and saves.
static void
ends_by_signal(int signo)
{
	struct duel d;
	struct vt_exit end;

	duel_init(&d);
	duel_start_running(&d, NULL);
	assert_true(vt_alternate(d.vt));
	vt_signal(d.vt, signo);
	assert_true(vt_wait_exit(d.vt, &end));
	assert_true(WIFEXITED(end.status));
	assert_int_equal(WEXITSTATUS(end.status), 130);
	assert_terminal_as_before(&d);
	duel_assert_clean(&d);
	assert_int_equal(duel_saved(&d), 1);
	assert_int_equal(duel_partial(&d), 0);
	duel_fini(&d);
}

static void
ends_by_int(void **state)
{
	(void)state;
	ends_by_signal(SIGINT);
}

static void
ends_by_term(void **state)
{
	(void)state;
	ends_by_signal(SIGTERM);
}

static void
ends_by_hup(void **state)
{
	(void)state;
	ends_by_signal(SIGHUP);
}

static void
ends_by_quit(void **state)
{
	(void)state;
	ends_by_signal(SIGQUIT);
}

// A crash: the status tells of it, and the terminal is given back all the same.
static void
crashes(void **state)
{
	static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE};

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct duel d;
		struct vt_exit end;
		duel_init(&d);
		duel_start_running(&d, NULL);
		vt_signal(d.vt, signals[i]);
		assert_true(vt_wait_exit(d.vt, &end));
		assert_true(WIFSIGNALED(end.status));
		assert_int_equal(WTERMSIG(end.status), signals[i]);
		assert_terminal_as_before(&d);
		duel_assert_clean(&d);
		duel_fini(&d);
	}
}

// Somebody else's broken pipe is no reason to end.
static void
outlives_sigpipe(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	vt_signal(d.vt, SIGPIPE);
	vt_type(d.vt, "?");
	assert_true(vt_wait_text(d.vt, "hand over to the other side"));
	vt_type(d.vt, "\033");
	assert_true(vt_wait_no_text(d.vt, "hand over to the other side"));
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

// Nothing can be restored after kill -9; workers and scratch data still go.
static void
killed_leaves_nothing(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	vt_signal(d.vt, SIGKILL);
	assert_true(vt_wait_exit(d.vt, NULL));
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
stops_and_comes_back(void (*stop)(struct vt *vt))
{
	struct duel d;

	duel_init(&d);
	duel_start_running(&d, NULL);
	for (int i = 0; i < 2; i++) {
		stop(d.vt);
		// The kernel discards a stop signal that meets the one which lets the program go on.
		if (!vt_stops_soon(d.vt))
			stop(d.vt);
		assert_true(vt_wait_stop(d.vt));
		assert_terminal_as_before(&d);
		vt_foreground(d.vt);
		// What is on the screen may be what was there before: a second stop signal before it has gone on would be lost.
		assert_true(vt_wait_alternate(d.vt));
		assert_true(vt_wait_match(d.vt, "IOPS +[0-9]"));
		assert_true(vt_alternate(d.vt));
		assert_false(vt_modes_restored(d.vt));
	}
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
type_ctrl_z(struct vt *vt)
{
	vt_type(vt, "\032");
}

static void
send_tstp(struct vt *vt)
{
	vt_signal(vt, SIGTSTP);
}

static void
stops_by_ctrl_z(void **state)
{
	(void)state;
	stops_and_comes_back(type_ctrl_z);
}

static void
stops_by_tstp(void **state)
{
	(void)state;
	stops_and_comes_back(send_tstp);
}

// The terminal vanishes: with the signal that a dying shell sends, and without it.
static void
loses_the_terminal(void **state)
{
	(void)state;
	for (int silent = 0; silent < 2; silent++) {
		const struct vt_options options = {.leader_ignores_hup = silent != 0};
		struct duel d;
		duel_init(&d);
		duel_start_running(&d, &options);
		vt_hang_up(d.vt);
		assert_true(vt_wait_gone(vt_pid(d.vt)));
		duel_assert_clean(&d);
		assert_int_equal(duel_saved(&d), 1);
		assert_int_equal(duel_partial(&d), 0);
		duel_fini(&d);
	}
}

// A worker that no longer runs (as one that waits for a dead device): keys are answered, and q ends it.
static void
quits_while_a_worker_is_stuck(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	for (int i = 0; i < d.n_workers; i++)
		kill(d.worker[i], SIGSTOP);
	vt_type(d.vt, "?");
	assert_true(vt_wait_text(d.vt, "hand over to the other side"));
	vt_type(d.vt, "\033");
	assert_true(vt_wait_no_text(d.vt, "hand over to the other side"));
	vt_type(d.vt, "\t");
	vt_resize(d.vt, 30, 100);
	assert_true(vt_wait_match(d.vt, "IOPS"));
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quits_by_key),
		cmocka_unit_test(ends_by_int),
		cmocka_unit_test(ends_by_term),
		cmocka_unit_test(ends_by_hup),
		cmocka_unit_test(ends_by_quit),
		cmocka_unit_test(crashes),
		cmocka_unit_test(outlives_sigpipe),
		cmocka_unit_test(killed_leaves_nothing),
		cmocka_unit_test(stops_by_ctrl_z),
		cmocka_unit_test(stops_by_tstp),
		cmocka_unit_test(loses_the_terminal),
		cmocka_unit_test(quits_while_a_worker_is_stuck),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
