// SPDX-License-Identifier: MIT
// The acceptance figures A2 to A8 of doc/METHOD.md: the real plan, statistic
// and verdict in front of synthetic targets, thousands of sessions a cell.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "support_sim.h"

// Sanitized builds are slow: fewer sessions, and limits with room for their chance.
#ifdef IODUEL_SANITIZED
#define SESSIONS 1000
#define CLAIMS_LEAST 1.5
#define CLAIMS_MOST 7.5
#define ROOM 1.0
#else
#define SESSIONS 4000
#define CLAIMS_LEAST 2.0
#define CLAIMS_MOST 7.0
#define ROOM 0.0
#endif

static const int planned[] = {12, 30};
static const double effects[] = {0, 0.05, 0.10};
enum { SAME, FIVE, TEN, EFFECTS };

static struct sim_tally tally[SIM_SCENARIOS][2][EFFECTS];

static int
run_all(void **state)
{
	(void)state;
	for (int k = 0; k < SIM_SCENARIOS; k++) {
		for (int p = 0; p < 2; p++) {
			for (int e = 0; e < EFFECTS; e++)
				assert_int_equal(sim_tally_init(&tally[k][p][e], SESSIONS), 0);
			for (int i = 0; i < SESSIONS; i++) {
				struct sim_session session;
				uint64_t seed = (uint64_t)i + 1000003 * (uint64_t)(k * 2 + p);
				sim_run_plan(&sim_scenarios[k], planned[p], seed, &session);
				for (int e = 0; e < EFFECTS; e++)
					sim_judge(&session, effects[e], sim_way_real, &tally[k][p][e]);
			}
		}
	}
	return 0;
}

static int
free_all(void **state)
{
	(void)state;
	for (int k = 0; k < SIM_SCENARIOS; k++) {
		for (int p = 0; p < 2; p++) {
			for (int e = 0; e < EFFECTS; e++)
				sim_tally_fini(&tally[k][p][e]);
		}
	}
	return 0;
}

static double
percent(int part)
{
	return 100.0 * part / SESSIONS;
}

static void
assert_between(const char *what, int k, int p, double value, double least, double most)
{
	printf("%-22s %s N=%2d %6.2f\n", what, sim_scenarios[k].name, planned[p], value);
	if (!(value >= least && value <= most))
		fail_msg("%s in %s with %d pairs: %.2f %% is not within %g..%g %%", what, sim_scenarios[k].name, planned[p], value,
			 least, most);
}

static void
test_false_claims(void **state)
{
	(void)state;
	double sum = 0;
	for (int k = 0; k < SIM_IN_SCOPE; k++) {
		for (int p = 0; p < 2; p++) {
			double claims = percent(tally[k][p][SAME].claims);
			assert_between("false claims", k, p, claims, CLAIMS_LEAST, CLAIMS_MOST);
			sum += claims;
		}
	}
	double pooled = sum / (2 * SIM_IN_SCOPE);
	printf("pooled false claims %.2f\n", pooled);
	assert_true(pooled >= 3.5 - ROOM / 2 && pooled <= 5.0 + ROOM / 2);
}

static void
test_false_claims_with_stalls(void **state)
{
	(void)state;
	for (int p = 0; p < 2; p++)
		assert_between("false claims", SIM_STALLS, p, percent(tally[SIM_STALLS][p][SAME].claims), 0, 4 + ROOM);
}

static void
test_coverage_at_the_end(void **state)
{
	(void)state;
	for (int k = 0; k < SIM_IN_SCOPE; k++) {
		for (int p = 0; p < 2; p++) {
			assert_between("coverage", k, p, percent(tally[k][p][SAME].end_covers), 93 - ROOM, 98.5 + ROOM);
			assert_between("coverage at +10 %", k, p, percent(tally[k][p][TEN].end_covers), 93 - ROOM, 98.5 + ROOM);
		}
	}
}

static void
test_coverage_when_stopped(void **state)
{
	(void)state;
	for (int k = 0; k < SIM_IN_SCOPE; k++) {
		for (int p = 0; p < 2; p++) {
			assert_between("reported", k, p, percent(tally[k][p][SAME].reported_covers), 93 - ROOM, 100);
			assert_between("reported at +10 %", k, p, percent(tally[k][p][TEN].reported_covers), 93 - ROOM, 100);
		}
	}
}

static void
test_power(void **state)
{
	(void)state;
	assert_between("right at +5 %", 1, 0, percent(tally[1][0][FIVE].right), 55, 100);
	assert_between("right at +10 %", 1, 0, percent(tally[1][0][TEN].right), 95, 100);
	assert_between("right at +5 %", 1, 1, percent(tally[1][1][FIVE].right), 95, 100);
}

static void
test_wrong_way(void **state)
{
	(void)state;
	for (int k = 0; k < SIM_IN_SCOPE; k++) {
		for (int p = 0; p < 2; p++)
			assert_between("wrong way at +5 %", k, p, percent(tally[k][p][FIVE].wrong), 0, 0.5 + ROOM / 4);
	}
}

static void
test_beyond_scope(void **state)
{
	(void)state;
	for (int k = SIM_BEYOND; k < SIM_SCENARIOS; k++) {
		for (int p = 0; p < 2; p++)
			assert_between("false claims", k, p, percent(tally[k][p][SAME].claims), 0, 16 + ROOM);
	}
	assert_between("slow wander told", SIM_BEYOND, 0, percent(tally[SIM_BEYOND][0][SAME].flagged), 45 - ROOM, 100);
	assert_between("slow wander told", SIM_BEYOND, 1, percent(tally[SIM_BEYOND][1][SAME].flagged), 65 - ROOM, 100);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_false_claims), cmocka_unit_test(test_false_claims_with_stalls),
		cmocka_unit_test(test_coverage_at_the_end), cmocka_unit_test(test_coverage_when_stopped),
		cmocka_unit_test(test_power), cmocka_unit_test(test_wrong_way), cmocka_unit_test(test_beyond_scope),
	};
	return cmocka_run_group_tests(tests, run_all, free_all);
}
