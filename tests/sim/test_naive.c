// SPDX-License-Identifier: MIT
// Acceptance figure A9: ways of deciding that are wrong must be seen to be
// wrong by the same simulation. With the argument "table" it prints what
// doc/METHOD.md shows of all ways side by side.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support_sim.h"

#ifdef IODUEL_SANITIZED
#define SESSIONS 1000
#else
#define SESSIONS 4000
#endif

enum { I2 = 1, I3 = 2 };

static uint64_t
seed_of(int scenario, int pairs, int i)
{
	return (uint64_t)i + 1000003 * (uint64_t)(scenario * 100 + pairs);
}

static void
run_way(int scenario, int pairs, double effect, sim_way *way, int sessions, struct sim_tally *t)
{
	if (sim_tally_init(t, sessions))
		abort();
	for (int i = 0; i < sessions; i++) {
		struct sim_session session;
		sim_run_plan(&sim_scenarios[scenario], pairs, seed_of(scenario, pairs, i), &session);
		sim_judge(&session, effect, way, t);
	}
}

// The one-run-each way has no slices and no looks: its tally is filled by hand.
static void
run_a_then_b(int scenario, int pairs, double effect, int sessions, struct sim_tally *t)
{
	if (sim_tally_init(t, sessions))
		abort();
	for (int i = 0; i < sessions; i++) {
		int claim = sim_run_a_then_b(&sim_scenarios[scenario], pairs, effect, seed_of(scenario, pairs, i));
		t->sessions++;
		t->claims += claim != 0;
		t->wrong += claim < 0;
		t->right += claim > 0;
		if (claim > 0)
			t->time_s[t->n_times++] = pairs * SIM_PAIR_S;
	}
}

static double
false_claims(int scenario, int pairs, sim_way *way)
{
	struct sim_tally t;
	run_way(scenario, pairs, 0, way, SESSIONS, &t);
	sim_tally_fini(&t);
	return 100.0 * t.claims / t.sessions;
}

static void
assert_above(double value, double limit)
{
	if (!(value > limit))
		fail_msg("%.2f %% false claims: not above %g %%", value, limit);
}

static void
test_peeking_is_caught(void **state)
{
	(void)state;
	assert_above(false_claims(I2, 12, sim_way_peeking), 9);
	assert_above(false_claims(I2, 30, sim_way_peeking), 15);
}

static void
test_no_guard_is_caught(void **state)
{
	(void)state;
	assert_above(false_claims(I3, 30, sim_way_no_guard), 7.5);
}

static void
test_a_then_b_is_caught(void **state)
{
	(void)state;
	struct sim_tally t;
	run_a_then_b(I2, 30, 0, SESSIONS, &t);
	sim_tally_fini(&t);
	assert_above(100.0 * t.claims / t.sessions, 20);
}

// The reference ways do not fail for a mistake of their own: where nothing speaks against them, they are right.
static void
test_ways_are_sound(void **state)
{
	(void)state;
	double claims = false_claims(0, 30, sim_way_unpaired);
	assert_true(claims > 3 && claims < 7);
	struct sim_tally t;
	run_a_then_b(0, 30, 0, SESSIONS, &t);
	sim_tally_fini(&t);
	claims = 100.0 * t.claims / t.sessions;
	assert_true(claims > 3 && claims < 7);
}

#define WAYS 4
static const char *const way_names[WAYS] = {"ioduel", "A then B", "unpaired", "peeking"};

static void
run_named(int way, int scenario, int pairs, double effect, int sessions, struct sim_tally *t)
{
	static sim_way *const ways[WAYS] = {sim_way_real, NULL, sim_way_unpaired, sim_way_peeking};
	if (ways[way])
		run_way(scenario, pairs, effect, ways[way], sessions, t);
	else
		run_a_then_b(scenario, pairs, effect, sessions, t);
}

static void
print_head(const char *title, int columns)
{
	printf("\n%s\n\n| scenario |", title);
	for (int c = 0; c < columns; c++) {
		for (int w = 0; w < WAYS; w++)
			printf(" %s |", way_names[w]);
	}
	printf("\n|---|");
	for (int c = 0; c < columns * WAYS; c++)
		printf("--:|");
	printf("\n");
}

// One figure for each way: false claims (effect 0) or right claims, in percent.
static void
print_shares(int scenario, int pairs, double effect, int sessions)
{
	for (int w = 0; w < WAYS; w++) {
		struct sim_tally t;
		run_named(w, scenario, pairs, effect, sessions, &t);
		printf(" %.*f |", effect > 0 ? 0 : 1, 100.0 * (effect > 0 ? t.right : t.claims) / t.sessions);
		sim_tally_fini(&t);
	}
}

static void
print_wrong(int scenario, int pairs, double effect, int sessions)
{
	for (int w = 0; w < WAYS; w++) {
		struct sim_tally t;
		run_named(w, scenario, pairs, effect, sessions, &t);
		printf(" %.1f |", 100.0 * t.wrong / t.sessions);
		sim_tally_fini(&t);
	}
}

static void
print_times(int scenario, int pairs, double effect, int sessions)
{
	for (int w = 0; w < WAYS; w++) {
		struct sim_tally t;
		run_named(w, scenario, pairs, effect, sessions, &t);
		int median = sim_median_time(&t);
		if (median < 0)
			printf(" - |");
		else
			printf(" %d |", median);
		sim_tally_fini(&t);
	}
}

static void
print_rows(int columns, const int *pairs, const double *effects, int sessions,
	   void (*cells)(int scenario, int pairs, double effect, int sessions))
{
	for (int k = 0; k < SIM_SCENARIOS; k++) {
		printf("| %s %s |", sim_scenarios[k].name, sim_scenarios[k].what);
		for (int c = 0; c < columns; c++)
			cells(k, pairs[c], effects[c], sessions);
		printf("\n");
		fflush(stdout);
	}
}

static int
print_table(int sessions)
{
	static const int both[] = {12, 30}, thirty[] = {30, 30, 30}, twelve[] = {12, 12};
	static const double none[] = {0, 0}, power[] = {0.05, 0.10}, times[] = {0.05, 0.10, 0.20};
	printf("%d sessions a cell; slices of %d s, the first %d s not counted.\n", sessions, SIM_SLICE_S, SIM_SETTLE_S);
	print_head("False claims in percent, A and B alike: 12 pairs (120 s), then 30 pairs (300 s)", 2);
	print_rows(2, both, none, sessions, print_shares);
	print_head("Right claims in percent within 12 pairs: B faster by 5 %, then by 10 %", 2);
	print_rows(2, twelve, power, sessions, print_shares);
	print_head("Claims in percent that A is faster, within 12 pairs, while B is faster by 5 %", 1);
	print_rows(1, twelve, power, sessions, print_wrong);
	print_head("Seconds until the right claim (median; - = not reached by half of the sessions), "
		   "30 pairs planned: B faster by 5 %, 10 %, 20 %", 3);
	print_rows(3, thirty, times, sessions, print_times);
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peeking_is_caught), cmocka_unit_test(test_no_guard_is_caught),
		cmocka_unit_test(test_a_then_b_is_caught), cmocka_unit_test(test_ways_are_sound),
	};
	if (argc > 1 && strcmp(argv[1], "table") == 0)
		return print_table(argc > 2 ? atoi(argv[2]) : 4000);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
