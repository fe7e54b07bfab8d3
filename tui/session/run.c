// SPDX-License-Identifier: MIT
// The plan under way: prepare, idle check, warm-up, then slice and gate until
// the pairs are done. Rule: a pair enters the verdict only when both of its
// slices ended well and the gate behind each has opened.
#include "session/session.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/state.h"
#include "session/truth.h"

#define BASELINE_NS (3 * NS_PER_S)
#define FAILS_IN_ROW_MAX 3
#define SUSPEND_NS (NS_PER_S / 10)

static const char letter_of[SIDES] = {'A', 'B'};

static void next_turn(struct session *s, struct effects *fx);

static void
set_step(struct session *s, enum step step)
{
	s->step = step;
	s->step_since_ns = s->now_ns;
}

static int
writes_anything(const struct session *s)
{
	for (int i = 0; i < SIDES; i++) {
		const struct workload_needs *needs = &s->slot[i].side->needs;
		if (s->slot[i].side->present && (needs->writes || needs->traffic == TRAFFIC_WHOLE_RUNS))
			return 1;
	}
	return 0;
}

void
run_begin(struct session *s, struct effects *fx)
{
	int needs_a = s->plan.kind != PLAN_B, needs_b = s->plan.kind != PLAN_A;
	if ((needs_a && s->slot[SIDE_A].state == SLOT_EMPTY) || (needs_b && s->slot[SIDE_B].state == SLOT_EMPTY)) {
		session_say(s, 1, "the plan '%s' needs a target %c: choose one with t", plan_kind_name(s->plan.kind),
			    s->slot[SIDE_A].state == SLOT_EMPTY ? 'A' : 'B');
		return;
	}
	if (session_refused(s, (needs_a ? 1u << SIDE_A : 0) | (needs_b ? 1u << SIDE_B : 0)))
		return;
	s->mode = MODE_PLAN;
	s->position = s->fails_in_row = s->pair_open = s->have_baseline_from = s->paused = s->plan_done = 0;
	s->pause_wanted = s->stop_wanted = 0;
	s->last_side = -1;
	s->idle.known = 0;
	s->result.n_pairs = 0;
	s->result.plan.repeated = s->result.plan.pairs_done = 0;
	s->plan_begin_ns = s->now_ns;
	truth_begin(s);
	s->plan_paused_ns = 0;
	for (int i = 0; i < SIDES; i++)
		s->warmups_left[i] = s->plan.slice_ns == 0 ? s->plan.warmup_runs : s->plan.warmup_ns > 0;
	if (s->plan.kind == PLAN_A)
		s->warmups_left[SIDE_B] = 0;
	if (s->plan.kind == PLAN_B)
		s->warmups_left[SIDE_A] = 0;
	set_step(s, STEP_PREPARE);
	session_say(s, 0, "the plan has begun: %d pairs", s->plan.pairs);
	run_ready(s, fx);
}

// Every leaf device of both sides once, as the gate wants it.
static void
facts_from_sample(const struct session *s, const struct sample *sample, struct gate_facts *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->t_ns = sample->t_ns;
	for (int i = 0; i < SIDES; i++) {
		const struct slot *slot = &s->slot[i];
		for (int k = 0; k < slot->n_physical && ret->n_leaves < GATE_LEAVES_MAX; k++) {
			const struct layer *leaf = slot->physical[k];
			int seen = 0;
			for (int j = 0; j < ret->n_leaves; j++)
				seen |= ret->leaf[j].major == leaf->major && ret->leaf[j].minor == leaf->minor;
			if (seen)
				continue;
			struct gate_leaf *out = &ret->leaf[ret->n_leaves++];
			const struct disk_sample *disk = sample_find_disk(sample, leaf->major, leaf->minor);
			out->major = leaf->major;
			out->minor = leaf->minor;
			out->inflight_known = disk && disk->valid & DISK_INFLIGHT;
			out->inflight = disk ? disk->inflight : 0;
			out->writes_known = disk && disk->valid & (DISK_RW | DISK_BYTES_ONLY);
			out->write_sectors = disk ? disk->write_sectors : 0;
		}
	}
	unsigned needed = MEM_DIRTY | MEM_WRITEBACK;
	ret->dirty_known = (sample->memory.valid & needed) == needed;
	ret->dirty_bytes = (double)(sample->memory.dirty_bytes + sample->memory.writeback_bytes);
}

static int64_t
baseline_ns(const struct session *s)
{
	return s->plan.slice_ns > 0 && s->plan.slice_ns < BASELINE_NS ? s->plan.slice_ns : BASELINE_NS;
}

static void
start_turn(struct session *s, struct effects *fx)
{
	int64_t settle_ns = s->warming ? 0 : s->plan.settle_ns;
	int64_t slice_ns = s->plan.slice_ns == 0 ? 0 : s->warming ? s->plan.warmup_ns : s->plan.slice_ns;
	if (s->warming && s->plan.warmup_max_ns > s->plan.warmup_ns) {
		slice_ns = 0; // until steady
		steady_warmup_init(&s->warmup, s->now_ns, s->plan.warmup_ns, s->plan.warmup_max_ns);
	}
	s->running = s->position_sides;
	set_step(s, STEP_TURN);
	for (int i = 0; i < SIDES; i++)
		if (s->running & 1u << i)
			session_go(s, (enum side)i, s->warming ? TURN_WARMUP : TURN_PLAN, settle_ns, slice_ns, fx);
}

static void
start_setup(struct session *s, int from_side, struct effects *fx)
{
	for (int i = from_side; i < SIDES; i++) {
		if (!(s->position_sides & 1u << i) || !s->slot[i].side->setup[0])
			continue;
		set_step(s, STEP_SETUP);
		s->setup_side = (enum side)i;
		effects_add(fx, EFFECT_SETUP, (enum side)i)->text = s->slot[i].side->setup;
		return;
	}
	start_turn(s, fx);
}

static int
ask_workers(struct session *s, enum effect_type what, unsigned sides, struct effects *fx)
{
	int n = 0;
	for (int i = 0; i < SIDES; i++) {
		if (!(sides & 1u << i) || s->slot[i].state != SLOT_READY || s->slot[i].ready.whole_run)
			continue;
		effects_add(fx, what, (enum side)i);
		n++;
	}
	return n;
}

// Files made anew where the plan is careful, caches dropped where it is cold, then the set-up command.
static void
enter_turn(struct session *s, struct effects *fx)
{
	int pair = s->plan.kind == PLAN_INTERLEAVE ? s->position / 2 : s->position;
	int starts_pair = s->plan.kind != PLAN_INTERLEAVE || s->position % 2 == 0;
	// A file that both sides use stays: its layout cancels out anyway.
	unsigned all = s->config.share_file ? 0 : 1u << SIDE_A | 1u << SIDE_B;
	s->ready_waits = 0;
	if (!s->warming && starts_pair && s->plan.remake_every > 0 && pair > 0 && pair % s->plan.remake_every == 0 &&
	    s->remade_pair != pair) {
		s->remade_pair = pair;
		s->ready_waits += ask_workers(s, EFFECT_REMAKE, all, fx);
	}
	if (s->plan.cold)
		s->ready_waits += ask_workers(s, EFFECT_DROP_CACHE, s->position_sides, fx);
	if (s->ready_waits > 0)
		set_step(s, STEP_READY);
	else
		start_setup(s, SIDE_A, fx);
}

static void
next_turn(struct session *s, struct effects *fx)
{
	s->warming = 0;
	for (int i = 0; i < SIDES; i++) {
		if (s->warmups_left[i] <= 0)
			continue;
		s->warmups_left[i]--;
		s->warming = 1;
		s->position_sides = 1u << i;
		enter_turn(s, fx);
		return;
	}
	if (s->position >= schedule_length(&s->plan)) {
		run_end(s, 0, fx);
		return;
	}
	int pair;
	s->position_sides = schedule_sides(&s->plan, s->position, &pair);
	if (s->pause_wanted && !s->pair_open) {
		s->pause_wanted = 0;
		s->paused = 1;
		s->pause_since_ns = s->now_ns;
		set_step(s, STEP_NONE);
		session_say(s, 0, "paused after pair %d; Space goes on", s->result.n_pairs);
		return;
	}
	enter_turn(s, fx);
}

static void
open_pair(struct session *s, enum side first)
{
	memset(&s->pair, 0, sizeof(s->pair));
	s->pair.first = (int)first;
	s->pair_open = 1;
	s->pair_fault[0] = '\0';
}

static int
pair_is_complete(const struct session *s)
{
	switch (s->plan.kind) {
	case PLAN_A:
		return s->pair.done[SIDE_A];
	case PLAN_B:
		return s->pair.done[SIDE_B];
	default:
		return s->pair.done[SIDE_A] && s->pair.done[SIDE_B];
	}
}

static void
record_pair(struct session *s, int counted, const char *reason, struct effects *fx)
{
	s->pair.counted = counted;
	snprintf(s->pair.reason, sizeof(s->pair.reason), "%s", reason);
	if (result_add_pair(&s->result, &s->pair) == 0)
		effects_add(fx, EFFECT_PAIR, SIDE_A)->turn = (uint32_t)s->result.n_pairs - 1;
	s->pair_open = 0;
}

static void
complete_pair(struct session *s, struct effects *fx)
{
	record_pair(s, 1, "", fx);
	s->fails_in_row = 0;
	s->result.plan.pairs_done++;
	for (int i = 0; i < SIDES; i++)
		if (s->pair.done[i])
			truth_slice(s, (enum side)i, &s->pair.slice[i]);
	truth_warn(s);
	result_conclude(&s->result, 0);
	if (s->plan.until_verdict && verdict_is_claim(&s->result.verdict))
		s->stop_wanted = 1;
}

static void
repeat_pair(struct session *s, struct effects *fx)
{
	record_pair(s, 0, s->pair_fault, fx);
	s->result.plan.repeated++;
	session_say(s, 1, "pair repeated (%s)", s->pair_fault);
	s->position -= s->plan.kind == PLAN_INTERLEAVE && s->position % 2 == 1 ? 1 : 0;
	if (++s->fails_in_row >= FAILS_IN_ROW_MAX) {
		char reason[160];
		snprintf(reason, sizeof(reason), "%d pairs in a row failed: %s", FAILS_IN_ROW_MAX, s->pair_fault);
		run_fail(s, reason, fx);
	}
}

// Plan ab measures all of A first: its first slices wait in the result until B's join them.
static void
complete_half(struct session *s, enum side side, struct effects *fx)
{
	int pair = 0;
	if (side == SIDE_A) {
		record_pair(s, 0, "", fx);
		return;
	}
	while (pair < s->result.n_pairs && (s->result.pairs[pair].done[SIDE_B] || s->result.pairs[pair].reason[0]))
		pair++;
	if (pair < s->result.n_pairs) {
		struct pair *both = &s->result.pairs[pair];
		both->slice[SIDE_B] = s->pair.slice[SIDE_B];
		both->done[SIDE_B] = both->counted = 1;
		s->pair_open = 0;
		s->result.plan.pairs_done++;
		for (int i = 0; i < SIDES; i++)
			truth_slice(s, (enum side)i, &both->slice[i]);
		truth_warn(s);
		effects_add(fx, EFFECT_PAIR, SIDE_A)->turn = (uint32_t)pair;
		result_conclude(&s->result, 0);
	}
}

// The gate behind a slice has opened: what drained is that slice's.
static void
after_gate(struct session *s, struct effects *fx)
{
	if (s->warming) {
		next_turn(s, fx);
		return;
	}
	for (int i = 0; i < SIDES; i++) {
		if (!(s->position_sides & 1u << i))
			continue;
		struct slice *slice = &s->pair.slice[i];
		slice->drain_ns = s->gate.drain_ns;
		slice->metric[METRIC_WRITE_MULTIPLICITY] = slice_write_multiplicity(&s->slot[i], slice);
	}
	if (s->pair_fault[0]) {
		repeat_pair(s, fx);
		if (s->mode != MODE_PLAN)
			return;
	} else if (s->plan.kind == PLAN_AB) {
		complete_half(s, s->position_sides & 1u << SIDE_A ? SIDE_A : SIDE_B, fx);
		s->position++;
	} else {
		s->position++;
		if (pair_is_complete(s))
			complete_pair(s, fx);
	}
	if (s->stop_wanted)
		run_end(s, 1, fx);
	else
		next_turn(s, fx);
}

// The machine before the session: what other programs make it wait for.
static void
note_pressure(struct session *s, const struct sample *sample)
{
	const struct pressure_sample *io = &sample->pressure[PRESSURE_IO], *cpu = &sample->pressure[PRESSURE_CPU];
	double idle_us = (double)(sample->t_ns - s->baseline_from.t_ns) / 1e3;
	if (io->valid & PRESSURE_SOME && idle_us > 0)
		s->traps.idle_pressure_io = 100 * (double)(io->some_us - s->baseline_pressure_io_us) / idle_us;
	if (cpu->valid & PRESSURE_SOME && idle_us > 0)
		s->traps.idle_pressure_cpu = 100 * (double)(cpu->some_us - s->baseline_pressure_cpu_us) / idle_us;
}

void
run_sample(struct session *s, const struct sample *sample, struct effects *fx)
{
	struct gate_facts facts;
	if (s->step != STEP_BASELINE && s->step != STEP_GATE)
		return;
	facts_from_sample(s, sample, &facts);
	if (s->step == STEP_BASELINE) {
		if (!s->have_baseline_from) {
			s->baseline_from = facts;
			s->have_baseline_from = 1;
			s->baseline_pressure_io_us = sample->pressure[PRESSURE_IO].some_us;
			s->baseline_pressure_cpu_us = sample->pressure[PRESSURE_CPU].some_us;
		} else if (facts.t_ns - s->baseline_from.t_ns >= baseline_ns(s)) {
			gate_idle_measure(&s->baseline_from, &facts, &s->idle);
			note_pressure(s, sample);
			next_turn(s, fx);
		}
		return;
	}
	switch (gate_feed(&s->gate, &facts)) {
	case GATE_WAITING:
		break;
	case GATE_TIMED_OUT:
		if (!s->pair_fault[0])
			snprintf(s->pair_fault, sizeof(s->pair_fault), "drain time-out: %.70s", s->gate.reason);
		s->traps.side[s->active].drain_timeouts++;
		after_gate(s, fx);
		break;
	case GATE_PASSED:
		after_gate(s, fx);
		break;
	}
}

void
run_interval(struct session *s, enum side side, const struct wire_interval *iv, struct effects *fx)
{
	struct slot *slot = &s->slot[side];
	double ops = 0;
	if (s->step != STEP_TURN || !s->warming || slot->turn_slice_ns > 0 || s->plan.slice_ns == 0 ||
	    slot->state != SLOT_RUNNING || iv->turn != slot->turn)
		return;
	for (int c = 0; c < WIRE_CLASSES; c++)
		ops += (double)iv->ops[c];
	if (!steady_warmup_feed(&s->warmup, iv->t0_ns, iv->t1_ns, ops))
		return;
	slot->state = SLOT_ENDING;
	effects_add(fx, EFFECT_PAUSE, side);
}

void
run_ready(struct session *s, struct effects *fx)
{
	if (s->step == STEP_PREPARE) {
		for (int i = 0; i < SIDES; i++) {
			if (s->slot[i].state == SLOT_FAILED) {
				run_fail(s, s->slot[i].state_text, fx);
				return;
			}
		}
		if (session_prepare(s, fx))
			set_step(s, STEP_BASELINE);
	} else if (s->step == STEP_READY && --s->ready_waits <= 0) {
		start_setup(s, SIDE_A, fx);
	}
}

void
run_setup_done(struct session *s, int status, struct effects *fx)
{
	if (s->step != STEP_SETUP)
		return;
	if (status) {
		char reason[160];
		snprintf(reason, sizeof(reason), "the set-up command of %c ended with status %d", letter_of[s->setup_side], status);
		run_fail(s, reason, fx);
		return;
	}
	start_setup(s, (int)s->setup_side + 1, fx);
}

static void
describe_fault(struct session *s, const struct wire_turn_end *end)
{
	if (end->status > 0)
		snprintf(s->pair_fault, sizeof(s->pair_fault), "exit %d", end->status);
	else if (end->status < 0)
		snprintf(s->pair_fault, sizeof(s->pair_fault), "%.90s",
			 end->sentence[0] ? end->sentence : strerror(-end->status));
	else if (llabs((long long)(s->boot_offset_ns - s->turn_boot_offset_ns)) > SUSPEND_NS)
		snprintf(s->pair_fault, sizeof(s->pair_fault), "the machine was suspended");
}

void
run_turn_end(struct session *s, enum side side, const struct wire_turn_end *end, struct effects *fx)
{
	if (s->step != STEP_TURN || !(s->running & 1u << side))
		return;
	if (!s->warming) {
		int follows_other = s->last_side >= 0 && s->last_side != (int)side;
		s->last_side = (int)side;
		if (!s->pair_open)
			open_pair(s, side);
		struct slice *slice = &s->pair.slice[side];
		slice_from_turn(&s->slot[side], end, s->result.primary, slice);
		slice->follows_other = follows_other;
		s->pair.done[side] = 1;
		describe_fault(s, end);
		truth_turn_end(s, side, end);
	} else if (end->status) {
		run_fail(s, end->sentence[0] ? end->sentence : "the warm-up failed", fx);
		return;
	}
	s->running &= ~(1u << side);
	if (s->running)
		return;
	gate_init(&s->gate, writes_anything(s), &s->idle, s->now_ns);
	set_step(s, STEP_GATE);
}

void
run_pause(struct session *s, struct effects *fx)
{
	if (s->mode == MODE_HAND) {
		hand_end_for_plan(s, fx);
	} else if (s->mode == MODE_MONITOR) {
		run_begin(s, fx);
	} else if (s->paused) {
		s->paused = 0;
		s->plan_paused_ns += s->now_ns - s->pause_since_ns;
		session_say(s, 0, "the plan goes on");
		next_turn(s, fx);
	} else {
		s->pause_wanted = !s->pause_wanted;
		session_say(s, 0, s->pause_wanted ? "pauses after this pair" : "the plan goes on");
	}
}

void
run_end(struct session *s, int stopped, struct effects *fx)
{
	for (int i = 0; i < SIDES; i++) {
		if (s->slot[i].state == SLOT_RUNNING) {
			s->slot[i].state = SLOT_ENDING;
			effects_add(fx, EFFECT_PAUSE, (enum side)i);
		}
	}
	if (s->pair_open)
		record_pair(s, 0, "broken off", fx);
	s->mode = MODE_MONITOR;
	s->paused = 0;
	set_step(s, STEP_NONE);
	truth_warn(s);
	result_conclude(&s->result, stopped);
	session_say(s, 0, "%.250s", s->result.verdict.text);
	s->plan_done = 1;
	if (!s->quitting)
		session_save(s, fx);
}

void
run_fail(struct session *s, const char *reason, struct effects *fx)
{
	char text[320];
	snprintf(text, sizeof(text), "%s", reason);
	s->exit_status = EXIT_RUN_FAILED;
	snprintf(s->exit_reason, sizeof(s->exit_reason), "%s", text);
	run_end(s, 1, fx);
	session_say(s, 1, "%.250s", text);
}
