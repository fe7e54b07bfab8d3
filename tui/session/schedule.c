// SPDX-License-Identifier: MIT
// Which side runs at each position of a plan. Pure.
#include "session/state.h"

int
schedule_length(const struct plan *plan)
{
	switch (plan->kind) {
	case PLAN_INTERLEAVE:
	case PLAN_AB:
		return 2 * plan->pairs;
	case PLAN_A:
	case PLAN_B:
	case PLAN_TOGETHER:
		return plan->pairs;
	}
	return 0;
}

unsigned
schedule_sides(const struct plan *plan, int position, int *ret_pair)
{
	switch (plan->kind) {
	case PLAN_INTERLEAVE: {
		int pair = position / 2;
		int a_first = plan->order[pair] > 0;
		int is_first = position % 2 == 0;
		*ret_pair = pair;
		return a_first == is_first ? 1u << SIDE_A : 1u << SIDE_B;
	}
	case PLAN_AB:
		*ret_pair = position % plan->pairs;
		return position < plan->pairs ? 1u << SIDE_A : 1u << SIDE_B;
	case PLAN_A:
	case PLAN_B:
		*ret_pair = position;
		return plan->kind == PLAN_A ? 1u << SIDE_A : 1u << SIDE_B;
	case PLAN_TOGETHER:
		*ret_pair = position;
		return 1u << SIDE_A | 1u << SIDE_B;
	}
	*ret_pair = 0;
	return 0;
}
