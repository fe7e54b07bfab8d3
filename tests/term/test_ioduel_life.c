// SPDX-License-Identifier: MIT
// The main job in the real program: graphs move, Tab flips, Space runs the plan
// to a verdict, s saves, the window changes its size, and a monitor writes nothing.
#include "support_ioduel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ioduel/clock.h>

// Braille cells that are not blank: what the graphs are drawn with.
static int
graph_cells(struct vt *vt)
{
	int n = 0;

	for (const char *s = vt_text(vt); *s; s++)
		if ((unsigned char)s[0] == 0xe2 && ((unsigned char)s[1] & 0xfc) == 0xa0 &&
		    !((unsigned char)s[1] == 0xa0 && (unsigned char)s[2] == 0x80))
			n++;
	return n;
}

static bool
has_more_cells(struct vt *vt, const void *arg)
{
	return graph_cells(vt) > *(const int *)arg;
}

static void
graphs_move(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	assert_true(vt_wait_text(d.vt, "verdict"));
	for (int i = 0; i < 3; i++) {
		int cells = graph_cells(d.vt);
		assert_true(vt_wait(d.vt, has_more_cells, &cells));
	}
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
monitor_writes_nothing(void **state)
{
	static const char *const extra[] = {"--interval", "0.1", NULL};
	struct duel d;
	pid_t child[4];

	(void)state;
	duel_init(&d);
	duel_start(&d, NULL, extra);
	assert_true(vt_wait_text(d.vt, "verdict"));
	for (int i = 0; i < 3; i++) {
		char *before = strdup(vt_text(d.vt));
		assert_true(vt_wait_change(d.vt, before));
		free(before);
	}
	assert_int_equal(vt_children(vt_pid(d.vt), child, 4), 0);
	assert_int_equal(vt_count_files(d.a, ""), 0);
	assert_int_equal(vt_count_files(d.b, ""), 0);
	duel_quit(&d);
	duel_fini(&d);
}

static void
tab_flips(void **state)
{
	struct duel d;
	int64_t best_ns = INT64_MAX;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	for (int i = 0; i < 6; i++) {
		int64_t t0 = clock_now_ns();
		vt_type(d.vt, "\t");
		assert_true(vt_wait_match(d.vt, i % 2 == 0 ? "\u25b6 B" : "\u25b6 A"));
		if (clock_now_ns() - t0 < best_ns)
			best_ns = clock_now_ns() - t0;
	}
	print_message("the quickest of six flips, key to picture: %.1f ms\n", (double)best_ns / 1e6);
	assert_true(vt_wait_text(d.vt, "by hand"));
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
plan_runs_to_a_verdict(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	vt_type(d.vt, " ");
	assert_true(vt_wait_match(d.vt, "pair [1-6] of 6"));
	// What is said after six pairs of equal folders is not known, but it is one of the sentences of the end.
	assert_true(vt_wait_match(d.vt, "faster|slower|no difference that matters|not enough evidence: B is between|no verdict|NO VERDICT"));
	duel_quit(&d);
	duel_assert_clean(&d);
	assert_int_equal(duel_saved(&d), 1);
	duel_fini(&d);
}

static void
snapshot_is_saved_at_once(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	assert_int_equal(duel_saved(&d), 0);
	vt_type(d.vt, "s");
	assert_true(vt_wait_text(d.vt, ".jsonl"));
	assert_int_equal(duel_saved(&d), 1);
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
follows_the_size_of_the_window(void **state)
{
	static const struct {
		int rows, cols;
		const char *shows;
	} sizes[] = {
		{24, 80, "IOPS"}, {50, 200, "verdict"}, {16, 60, "IOPS"}, {10, 40, "60"}, {5, 12, NULL}, {100, 300, "verdict"},
		{36, 120, "verdict"},
	};
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *before = strdup(vt_text(d.vt));
		vt_resize(d.vt, sizes[i].rows, sizes[i].cols);
		assert_true(vt_wait_change(d.vt, before));
		free(before);
		if (sizes[i].shows)
			assert_true(vt_wait_text(d.vt, sizes[i].shows));
	}
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
asks_before_leaving(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	vt_type(d.vt, "q");
	assert_true(vt_wait_match(d.vt, "q again|[Qq]uit\\?"));
	vt_type(d.vt, "\033");
	assert_true(vt_wait_match(d.vt, "IOPS +[0-9]"));
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
tells_of_a_dead_worker(void **state)
{
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, NULL);
	kill(d.worker[0], SIGKILL);
	assert_true(vt_wait_match(d.vt, "failed|ended|killed|gone"));
	vt_type(d.vt, "q");
	vt_pump(d.vt, 50);
	vt_type(d.vt, "y");
	assert_true(vt_wait_exit(d.vt, NULL));
	assert_null(vt_left_behind(d.vt));
	duel_assert_clean(&d);
	duel_fini(&d);
}

static void
draws_with_plain_characters(void **state)
{
	const struct vt_options options = {.locale = "C", .term = "vt100"};
	struct duel d;

	(void)state;
	duel_init(&d);
	duel_start_running(&d, &options);
	assert_true(vt_wait_text(d.vt, "verdict"));
	assert_int_equal(graph_cells(d.vt), 0);
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_move),
		cmocka_unit_test(monitor_writes_nothing),
		cmocka_unit_test(tab_flips),
		cmocka_unit_test(plan_runs_to_a_verdict),
		cmocka_unit_test(snapshot_is_saved_at_once),
		cmocka_unit_test(follows_the_size_of_the_window),
		cmocka_unit_test(asks_before_leaving),
		cmocka_unit_test(tells_of_a_dead_worker),
		cmocka_unit_test(draws_with_plain_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
