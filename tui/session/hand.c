// SPDX-License-Identifier: MIT
// Turns by hand: run, flip, stop. Rule: they are drawn, summed up per side and
// saved, and never enter the verdict.
#include "session/session.h"

#include <math.h>
#include <string.h>

#include "session/state.h"

static const char letter_of[SIDES] = {'A', 'B'};

static void
start(struct session *s, enum side side, struct effects *fx)
{
	s->mode = MODE_HAND;
	s->run_when_ready = s->flip_to = 0;
	session_go(s, side, TURN_HAND, 0, 0, fx);
	session_say(s, 0, "%c runs; Tab flips, r stops", letter_of[side]);
}

static void
start_or_prepare(struct session *s, enum side side, struct effects *fx)
{
	s->active = side;
	if (s->slot[side].state == SLOT_EMPTY) {
		session_say(s, 1, "%c has no target: choose one with t", letter_of[side]);
		return;
	}
	if (session_refused(s, 1u << SIDE_A | 1u << SIDE_B))
		return;
	s->run_when_ready = (int)side + 1;
	hand_ready(s, fx);
}

void
hand_ready(struct session *s, struct effects *fx)
{
	// Both sides are prepared before the first turn, so that a flip is a matter of milliseconds.
	if (!s->run_when_ready)
		return;
	if (session_prepare(s, fx))
		start(s, (enum side)(s->run_when_ready - 1), fx);
}

static void
pause_turn(struct session *s, enum side side, struct effects *fx)
{
	if (s->slot[side].state != SLOT_RUNNING)
		return;
	s->slot[side].state = SLOT_ENDING;
	effects_add(fx, EFFECT_PAUSE, side);
}

void
hand_end_for_plan(struct session *s, struct effects *fx)
{
	pause_turn(s, s->active, fx);
	s->flip_to = 0;
	s->plan_when_ended = 1;
	session_say(s, 0, "the plan begins when this turn has drained");
}

void
hand_run(struct session *s, struct effects *fx)
{
	struct slot *slot = &s->slot[s->active];
	if (s->mode == MODE_PLAN) {
		session_say(s, 1, "the plan runs: x or Tab ends it");
	} else if (slot->state == SLOT_RUNNING) {
		pause_turn(s, s->active, fx);
	} else if (slot->state == SLOT_ENDING) {
		session_say(s, 0, "%c drains", letter_of[s->active]);
	} else if (s->run_when_ready) {
		s->run_when_ready = 0;
		session_say(s, 0, "will not start by itself");
	} else {
		start_or_prepare(s, s->active, fx);
	}
}

void
hand_flip(struct session *s, struct effects *fx)
{
	enum side other = (enum side)(1 - s->active);
	struct slot *slot = &s->slot[s->active];
	if (s->slot[other].state == SLOT_EMPTY) {
		session_say(s, 1, "%c has no target: choose one with t", letter_of[other]);
		return;
	}
	if (s->mode == MODE_PLAN) {
		run_end(s, 1, fx);
		session_say(s, 0, "the plan was ended by hand; Space starts it anew");
		if (slot->state != SLOT_ENDING)
			return;
	}
	if (slot->state == SLOT_RUNNING || slot->state == SLOT_ENDING) {
		pause_turn(s, s->active, fx);
		s->flip_to = (int)other + 1;
	} else {
		s->active = other;
		if (s->run_when_ready)
			s->run_when_ready = (int)other + 1;
	}
}

// What a person flipped so far, per side and as a ratio, without an interval.
static void
summarize(struct session *s)
{
	struct result *r = &s->result;
	if (r->plan.pairs_done > 0)
		return;
	for (int i = 0; i < SIDES; i++) {
		const struct slot *slot = &s->slot[i];
		double *total = r->side[i].totals;
		if (!(slot->hand_s > 0))
			continue;
		total[METRIC_IOPS] = slot->hand_ops / slot->hand_s;
		total[METRIC_READ_BYTES] = slot->hand_read_bytes / slot->hand_s;
		total[METRIC_WRITE_BYTES] = slot->hand_write_bytes / slot->hand_s;
		total[METRIC_CPU_NS_PER_IO] = slot->hand_ops > 0 ? slot->hand_cpu_us * 1e3 / slot->hand_ops : NAN;
		total[METRIC_LAT_P50] = hist_quantile_ns(&slot->total, 0.5);
		total[METRIC_LAT_P99] = hist_quantile_ns(&slot->total, 0.99);
		total[METRIC_LAT_P999] = hist_quantile_ns(&slot->total, 0.999);
	}
	result_conclude(r, 0);
	result_unwarn(r, "not-interleaved"); // nobody claimed a comparison
	r->n_reasons = 0;
	r->verdict.word = VERDICT_UNDECIDED;
	double a = r->side[SIDE_A].totals[r->primary], b = r->side[SIDE_B].totals[r->primary];
	double plan_s = 2 * r->plan.slice_s * s->plan.pairs;
	char so_far[48] = "one side so far";
	if (a > 0 && b > 0)
		snprintf(so_far, sizeof(so_far), "B/A %.3g so far", b / a);
	snprintf(r->verdict.text, sizeof(r->verdict.text),
		 "flipped by hand: %s; no interval, since order and length were chosen by hand. Space: %d pairs, %d:%02d",
		 so_far, s->plan.pairs, (int)plan_s / 60, (int)plan_s % 60);
}

void
hand_turn_end(struct session *s, enum side side, const struct wire_turn_end *end, struct effects *fx)
{
	struct slot *slot = &s->slot[side];
	double counted_s = (double)(end->count_end_ns - end->count_start_ns) / 1e9;
	if (slot->turn_kind == TURN_HAND && end->status == 0 && counted_s > 0) {
		for (int c = 0; c < WIRE_CLASSES; c++)
			slot->hand_ops += (double)end->ops[c];
		slot->hand_read_bytes += (double)end->bytes[WIRE_READS];
		slot->hand_write_bytes += (double)end->bytes[WIRE_WRITES];
		slot->hand_cpu_us += (double)(end->user_us + end->sys_us);
		slot->hand_s += counted_s;
		slot->hand_turns++;
		summarize(s);
	}
	s->mode = MODE_MONITOR;
	if (s->plan_when_ended) {
		s->plan_when_ended = 0;
		run_begin(s, fx);
		return;
	}
	if (s->flip_to && s->flip_to - 1 != (int)side) {
		enum side next = (enum side)(s->flip_to - 1);
		s->flip_to = 0;
		start_or_prepare(s, next, fx);
	}
}
