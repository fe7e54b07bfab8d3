// SPDX-License-Identifier: MIT
// The session's state machine on a pretended clock: plans, flips by hand,
// pauses, failures.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_world.h"

static struct plan_options
short_plan(int pairs)
{
	return (struct plan_options){.kind = PLAN_INTERLEAVE, .pairs = pairs, .slice_s = 1, .settle_s = 0.2, .warmup_s = 1,
				     .effect = 0.02, .seed = 7};
}

static struct world *
new_world(const struct plan_options *plan, enum session_start start)
{
	struct world *w = malloc(sizeof(*w));
	world_init(w, plan, start);
	return w;
}

static void
free_world(struct world *w)
{
	world_fini(w);
	free(w);
}

static void
test_plan_runs_to_its_verdict(void **state)
{
	(void)state;
	struct plan_options plan = short_plan(8);
	struct world *w = new_world(&plan, START_PLAN);
	w->side[SIDE_B].iops = 1200;
	world_start(w);
	assert_true(world_run_until_over(w, 60));
	const struct result *r = session_result(w->session);
	assert_int_equal(r->plan.pairs_done, 8);
	assert_int_equal(w->n_went, 16);
	assert_int_equal(w->saves, 1);
	assert_int_equal(w->pairs_recorded, 8);
	for (int i = 0; i < r->n_pairs; i++) {
		assert_true(fabs(r->pairs[i].slice[SIDE_A].metric[METRIC_IOPS] - 1000) < 20);
		assert_true(fabs(r->pairs[i].slice[SIDE_B].metric[METRIC_IOPS] - 1200) < 20);
		assert_int_equal(r->pairs[i].counted, 1);
	}
	free_world(w);
}

static void
test_order_is_the_plans(void **state)
{
	(void)state;
	struct plan_options options = short_plan(10);
	struct world *w = new_world(&options, START_PLAN);
	world_start(w);
	assert_true(world_run_until_over(w, 90));
	const struct plan *plan = session_plan(w->session);
	for (int p = 0; p < plan->pairs; p++) {
		enum side first = plan->order[p] > 0 ? SIDE_A : SIDE_B;
		assert_int_equal(w->went[2 * p], first);
		assert_int_equal(w->went[2 * p + 1], 1 - (int)first);
		assert_int_equal(session_result(w->session)->pairs[p].first, first);
	}
	free_world(w);
}

static void
test_failed_pair_is_repeated_in_the_same_order(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_PLAN);
	options.warmup_s = 0;
	w->config.plan.warmup_s = 0;
	w->side[SIDE_B].fail_turns = 1;
	world_start(w);
	assert_true(world_run_until_over(w, 60));
	const struct result *r = session_result(w->session);
	assert_int_equal(r->plan.repeated, 1);
	assert_int_equal(r->plan.pairs_done, 6);
	assert_int_equal(r->n_pairs, 7);
	assert_int_equal(r->pairs[0].counted, 0);
	assert_non_null(strstr(r->pairs[0].reason, "exit 7"));
	assert_int_equal(r->pairs[1].first, r->pairs[0].first);
	free_world(w);
}

static void
test_three_failures_end_the_run(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_PLAN);
	w->config.plan.warmup_s = 0;
	w->side[SIDE_A].fail_turns = 99;
	world_start(w);
	assert_true(world_run_until_over(w, 60));
	int status;
	const char *reason;
	assert_true(session_is_over(w->session, &status, &reason));
	assert_int_equal(status, EXIT_RUN_FAILED);
	assert_non_null(strstr(reason, "exit 7"));
	assert_int_equal(session_result(w->session)->plan.pairs_done, 0);
	free_world(w);
}

static void
test_worker_death_ends_the_run(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_PLAN);
	world_start(w);
	world_run(w, 8);
	w->side[SIDE_A].dies_in_turn = w->side[SIDE_B].dies_in_turn = 1;
	assert_true(world_run_until_over(w, 10));
	int status;
	const char *reason;
	assert_true(session_is_over(w->session, &status, &reason));
	assert_int_equal(status, EXIT_RUN_FAILED);
	assert_non_null(strstr(reason, "signal 9"));
	assert_int_equal(w->saves, 1);
	free_world(w);
}

static void
test_monitor_touches_nothing(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_MONITOR);
	world_start(w);
	world_run(w, 30);
	assert_int_equal(w->n_effects[EFFECT_LAUNCH], 0);
	assert_int_equal(w->n_effects[EFFECT_GO], 0);
	assert_string_equal(world_view(w)->plan, "monitor");
	free_world(w);
}

static void
test_flip_by_hand(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_TURN);
	w->side[SIDE_B].iops = 500;
	world_start(w);
	world_run(w, 3);
	assert_int_equal(world_view(w)->side[SIDE_A].state, VIEW_RUNNING);
	assert_true(w->side[SIDE_B].launched); // prepared before the first turn
	world_command(w, COMMAND_FLIP);
	assert_int_equal(world_view(w)->side[SIDE_A].state, VIEW_DRAINING);
	world_run(w, 0.1);
	assert_true(w->side[SIDE_B].running);
	assert_false(w->side[SIDE_A].running);
	world_run(w, 3);
	world_command(w, COMMAND_RUN);
	world_run(w, 0.2);
	const struct result *r = session_result(w->session);
	assert_int_equal(r->n_pairs, 0);
	assert_non_null(strstr(r->verdict.text, "flipped by hand: B/A 0.5"));
	assert_int_equal(r->verdict.has_interval, 0);
	free_world(w);
}

static void
test_space_turns_a_hand_turn_into_the_plan(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_TURN);
	world_start(w);
	world_run(w, 3);
	world_command(w, COMMAND_PLAN);
	assert_true(world_run_until_over(w, 60));
	assert_int_equal(session_result(w->session)->plan.pairs_done, 6);
	free_world(w);
}

static void
test_space_pauses_after_the_pair(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_MONITOR);
	world_start(w);
	world_run(w, 1);
	world_command(w, COMMAND_PLAN);
	while (session_result(w->session)->plan.pairs_done < 2 && w->now_ns < 2000 * INT64_C(1000000000))
		world_run(w, 0.5);
	world_run(w, 0.5); // in the third pair's first slice
	world_command(w, COMMAND_PLAN);
	world_run(w, 10);
	assert_int_equal(session_result(w->session)->plan.pairs_done, 3);
	assert_false(w->side[SIDE_A].running || w->side[SIDE_B].running);
	assert_string_equal(world_view(w)->plan, "paused after pair 3");
	world_command(w, COMMAND_PLAN);
	assert_true(world_run_until_over(w, 60));
	assert_int_equal(session_result(w->session)->plan.pairs_done, 6);
	assert_int_equal(w->saves, 1);
	free_world(w);
}

static void
test_stop_breaks_the_pair_and_never_counts_it(void **state)
{
	(void)state;
	struct plan_options options = short_plan(12);
	struct world *w = new_world(&options, START_MONITOR);
	world_start(w);
	world_command(w, COMMAND_PLAN);
	while (session_result(w->session)->plan.pairs_done < 8 && w->now_ns < 2000 * INT64_C(1000000000))
		world_run(w, 0.1);
	while (!(w->n_went % 2 == 0 && (w->side[0].running || w->side[1].running)))
		world_run(w, 0.1);
	world_command(w, COMMAND_STOP);
	world_run(w, 2);
	const struct result *r = session_result(w->session);
	assert_int_equal(r->plan.pairs_done, 8);
	assert_int_equal(r->n_pairs, 9);
	assert_int_equal(r->pairs[8].counted, 0);
	assert_string_equal(r->pairs[8].reason, "broken off");
	assert_false(w->side[0].running || w->side[1].running);
	free_world(w);
}

static void
test_quit_asks_once_while_something_runs(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_TURN);
	world_start(w);
	world_run(w, 2);
	world_command(w, COMMAND_QUIT);
	assert_int_equal(w->quits, 0);
	assert_true(world_view(w)->asking_quit);
	world_command(w, COMMAND_CANCEL);
	assert_false(world_view(w)->asking_quit);
	world_command(w, COMMAND_QUIT);
	world_command(w, COMMAND_QUIT);
	assert_int_equal(w->quits, 1);
	assert_int_equal(w->saves, 1);
	free_world(w);
}

static void
test_interrupt_saves_and_says_so(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_PLAN);
	world_start(w);
	world_run(w, 6);
	struct effects fx;
	struct event ev = {.type = EVENT_INTERRUPT, .now_ns = w->now_ns};
	int status, saved = 0;
	const char *reason;
	session_step(w->session, &ev, &fx);
	for (int i = 0; i < fx.n; i++)
		saved += fx.effect[i].type == EFFECT_SAVE;
	assert_int_equal(saved, 1);
	assert_true(session_is_over(w->session, &status, &reason));
	assert_int_equal(status, EXIT_INTERRUPTED);
	assert_true(session_result(w->session)->interrupted);
	free_world(w);
}

static void
test_stuck_worker_is_said(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_TURN);
	world_start(w);
	world_run(w, 1);
	w->side[SIDE_A].stuck = 1;
	world_run(w, 5);
	assert_int_equal(world_view(w)->side[SIDE_A].state, VIEW_STUCK);
	world_command(w, COMMAND_QUIT);
	world_command(w, COMMAND_QUIT);
	assert_int_equal(w->quits, 1);
	free_world(w);
}

static void
test_gate_waits_for_requests_in_flight(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	struct world *w = new_world(&options, START_PLAN);
	w->config.plan.warmup_s = 0;
	world_start(w);
	while (w->n_went == 0)
		world_run(w, 0.1);
	w->inflight = 3;
	world_run(w, 6);
	assert_int_equal(w->n_went, 1);
	w->inflight = 0;
	world_run(w, 0.3);
	assert_int_equal(w->n_went, 2);
	assert_true(world_run_until_over(w, 60));
	assert_true(session_result(w->session)->pairs[0].slice[session_result(w->session)->pairs[0].first].drain_ns > INT64_C(4000000000));
	free_world(w);
}

static void
test_ab_pairs_the_halves_and_gives_no_verdict(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	options.kind = PLAN_AB;
	struct world *w = new_world(&options, START_PLAN);
	w->side[SIDE_B].iops = 2000;
	world_start(w);
	assert_true(world_run_until_over(w, 60));
	const struct result *r = session_result(w->session);
	assert_int_equal(r->n_pairs, 6);
	assert_int_equal(r->plan.pairs_done, 6);
	assert_int_equal(r->verdict.word, VERDICT_NONE);
	for (int i = 0; i < 6; i++)
		assert_true(r->pairs[i].slice[SIDE_B].metric[METRIC_IOPS] > 1.9 * r->pairs[i].slice[SIDE_A].metric[METRIC_IOPS]);
	free_world(w);
}

static void
test_one_side_alone(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	options.kind = PLAN_A;
	struct world *w = new_world(&options, START_PLAN);
	memset(&w->config.side[SIDE_B], 0, sizeof(w->config.side[SIDE_B]));
	world_start(w);
	assert_true(world_run_until_over(w, 60));
	const struct result *r = session_result(w->session);
	assert_int_equal(w->n_went, 6);
	assert_int_equal(r->metric[0].n[SIDE_B], 0);
	free_world(w);
}

static void
test_whole_runs_end_by_themselves(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	options.slice_s = options.settle_s = options.warmup_s = NAN;
	struct world *w = new_world(&options, START_PLAN);
	for (int i = 0; i < SIDES; i++) {
		w->config.side[i].needs.traffic = TRAFFIC_WHOLE_RUNS;
		w->config.side[i].needs.primary = "real_s";
		w->side[i].whole_run = 1;
		w->side[i].run_s = i == SIDE_A ? 2 : 3;
	}
	world_start(w);
	assert_true(world_run_until_over(w, 120));
	const struct result *r = session_result(w->session);
	assert_int_equal(r->plan.pairs_done, 6);
	assert_true(fabs(r->pairs[2].slice[SIDE_B].metric[METRIC_REAL_S] - 3) < 0.2);
	free_world(w);
}

static void
test_together_runs_both_at_once(void **state)
{
	(void)state;
	struct plan_options options = short_plan(6);
	options.kind = PLAN_TOGETHER;
	struct world *w = new_world(&options, START_PLAN);
	world_start(w);
	int both = 0;
	for (int i = 0; i < 200; i++) {
		world_run(w, 0.1);
		both |= w->side[0].running && w->side[1].running;
	}
	assert_true(both);
	assert_true(world_run_until_over(w, 60));
	assert_int_equal(session_result(w->session)->plan.pairs_done, 6);
	free_world(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_runs_to_its_verdict),
		cmocka_unit_test(test_order_is_the_plans),
		cmocka_unit_test(test_failed_pair_is_repeated_in_the_same_order),
		cmocka_unit_test(test_three_failures_end_the_run),
		cmocka_unit_test(test_worker_death_ends_the_run),
		cmocka_unit_test(test_monitor_touches_nothing),
		cmocka_unit_test(test_flip_by_hand),
		cmocka_unit_test(test_space_turns_a_hand_turn_into_the_plan),
		cmocka_unit_test(test_space_pauses_after_the_pair),
		cmocka_unit_test(test_stop_breaks_the_pair_and_never_counts_it),
		cmocka_unit_test(test_quit_asks_once_while_something_runs),
		cmocka_unit_test(test_interrupt_saves_and_says_so),
		cmocka_unit_test(test_stuck_worker_is_said),
		cmocka_unit_test(test_gate_waits_for_requests_in_flight),
		cmocka_unit_test(test_ab_pairs_the_halves_and_gives_no_verdict),
		cmocka_unit_test(test_one_side_alone),
		cmocka_unit_test(test_whole_runs_end_by_themselves),
		cmocka_unit_test(test_together_runs_both_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
