// SPDX-License-Identifier: MIT
// How often the checks raise an alarm: seldom where there is nothing, and
// mostly where there is something.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/result.h"
#include "support_sim.h"

#ifdef IODUEL_SANITIZED
#define SESSIONS 400
#define ROOM 2.0
#else
#define SESSIONS 2000
#define ROOM 0.0
#endif

struct alarms {
	int start[2], order, trend, wander;
};

static void
fill_slice(struct slice *s, const double *seconds)
{
	double sum = 0;
	for (int k = 0; k < SIM_COUNTED_S; k++) {
		s->second[k] = (float)(1000 * seconds[k]);
		sum += 1000 * seconds[k];
	}
	s->n_seconds = SIM_COUNTED_S;
	s->counted_ns = SIM_COUNTED_S * INT64_C(1000000000);
	s->metric[METRIC_IOPS] = sum / SIM_COUNTED_S;
	s->ops = sum;
}

static int
warned(const struct result *r, const char *id, enum warning_side side)
{
	for (int i = 0; i < r->n_warnings; i++) {
		if (r->warnings[i].side == side && strcmp(r->warnings[i].id, id) == 0)
			return 1;
	}
	return 0;
}

static void
judge(const struct sim_session *s, struct result *r, struct alarms *ret)
{
	struct pair p;
	r->n_pairs = 0;
	r->plan.pairs_planned = s->n;
	for (int i = 0; i < s->n; i++) {
		pair_init(&p);
		p.first = s->order[i] > 0 ? SIDE_A : SIDE_B;
		for (int side = 0; side < SIDES; side++) {
			fill_slice(&p.slice[side], s->second[side][i]);
			p.slice[side].follows_other = s->follows_other[side][i];
			p.done[side] = 1;
		}
		p.counted = 1;
		assert_int_equal(result_add_pair(r, &p), 0);
	}
	result_conclude(r, 0);
	ret->start[SIDE_A] += warned(r, "start-effect", WARN_A);
	ret->start[SIDE_B] += warned(r, "start-effect", WARN_B);
	ret->order += warned(r, "order-effect", WARN_BOTH);
	ret->trend += warned(r, "ratio-trend", WARN_BOTH);
	ret->wander += warned(r, "slow-wander", WARN_BOTH);
}

typedef void change_session(struct sim_session *s);

static void
run(int scenario, int pairs, change_session *change, struct alarms *ret)
{
	struct result *r = malloc(sizeof(*r));
	assert_non_null(r);
	result_init(r);
	snprintf(r->origin, sizeof(r->origin), "ioduel");
	snprintf(r->plan.name, sizeof(r->plan.name), "interleave");
	r->plan.slice_s = SIM_SLICE_S;
	r->plan.settle_s = SIM_SETTLE_S;
	r->side[SIDE_A].present = r->side[SIDE_B].present = 1;
	*ret = (struct alarms){0};
	for (int i = 0; i < SESSIONS; i++) {
		struct sim_session s;
		sim_run_plan(&sim_scenarios[scenario], pairs, (uint64_t)i + 7919 * (uint64_t)(scenario * 100 + pairs), &s);
		if (change)
			change(&s);
		judge(&s, r, ret);
	}
	result_fini(r);
	free(r);
}

static void
assert_share(const char *what, int scenario, int pairs, int part, double least, double most)
{
	double share = 100.0 * part / SESSIONS;
	printf("%-14s %s N=%2d %6.2f\n", what, sim_scenarios[scenario].name, pairs, share);
	if (!(share >= least - ROOM && share <= most + ROOM))
		fail_msg("%s in %s with %d pairs: %.2f %% is not within %g..%g %%", what, sim_scenarios[scenario].name, pairs, share, least, most);
}

static void
test_false_alarms(void **state)
{
	(void)state;
	static const int planned[] = {12, 30};
	for (int scenario = 0; scenario < 3; scenario++) {
		for (int p = 0; p < 2; p++) {
			struct alarms a;
			int n = planned[p];
			run(scenario, n, NULL, &a);
			assert_share("start of A", scenario, n, a.start[SIDE_A], 0, 2.5);
			assert_share("start of B", scenario, n, a.start[SIDE_B], 0, 2.5);
			assert_share("order", scenario, n, a.order, 0, 2.5);
			assert_share("trend", scenario, n, a.trend, 0, 3);
			assert_share("wander", scenario, n, a.wander, 0, n == 12 ? 20 : 8);
		}
	}
}

// What A leaves behind slows the first seconds of a B slice after it: -60 %, time constant 2 s.
static void
leave_behind(struct sim_session *s)
{
	for (int i = 0; i < s->n; i++) {
		for (int k = 0; k < SIM_COUNTED_S && s->follows_other[1][i]; k++)
			s->second[1][i][k] *= 1 - 0.6 * exp(-(SIM_SETTLE_S + k + 0.5) / 2);
	}
}

static void
test_leftovers_are_seen(void **state)
{
	(void)state;
	struct alarms a;
	run(0, 12, leave_behind, &a);
	assert_share("leftovers", 0, 12, a.start[SIDE_B], 70, 100);
	run(0, 30, leave_behind, &a);
	assert_share("leftovers", 0, 30, a.start[SIDE_B], 95, 100);
	assert_share("start of A", 0, 30, a.start[SIDE_A], 0, 2.5);
}

// B's speed moves from -10 % to +10 % during the session.
static void
move(struct sim_session *s)
{
	for (int i = 0; i < s->n; i++) {
		for (int k = 0; k < SIM_COUNTED_S; k++)
			s->second[1][i][k] *= exp(0.2 * ((double)i / (s->n - 1) - 0.5));
	}
}

static void
test_moving_ratio_is_seen(void **state)
{
	(void)state;
	struct alarms a;
	run(1, 12, move, &a);
	assert_share("moving ratio", 1, 12, a.trend, 55, 100);
	run(1, 30, move, &a);
	assert_share("moving ratio", 1, 30, a.trend, 95, 100);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_leftovers_are_seen),
		cmocka_unit_test(test_moving_ratio_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
