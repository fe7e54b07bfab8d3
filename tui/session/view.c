// SPDX-License-Identifier: MIT
// Builds the picture of one frame from the session's state. Rule: it only
// reads; what it writes is the view itself.
#include "session/session.h"

#include <ioduel/clock.h>

#include <math.h>
#include <string.h>

#include "session/state.h"

#define STUCK_NS (2 * NS_PER_S)

static void
view_state(const struct slot *slot, int64_t now_ns, struct view_side *v)
{
	int64_t silent_ns = now_ns - slot->last_heard_ns;
	v->state_text[0] = '\0';
	v->progress = NAN;
	switch (slot->state) {
	case SLOT_EMPTY:
	case SLOT_IDLE:
		v->state = VIEW_IDLE;
		return;
	case SLOT_PREPARING:
		v->state = VIEW_PREPARING;
		v->progress = slot->progress;
		snprintf(v->state_text, sizeof(v->state_text), "%s", slot->state_text);
		return;
	case SLOT_READY:
		v->state = VIEW_READY;
		return;
	case SLOT_FAILED:
		v->state = VIEW_FAILED;
		snprintf(v->state_text, sizeof(v->state_text), "%s", slot->state_text);
		return;
	case SLOT_RUNNING:
	case SLOT_ENDING:
		break;
	}
	if (silent_ns > STUCK_NS) {
		v->state = VIEW_STUCK;
		snprintf(v->state_text, sizeof(v->state_text), "no answer for %lld s", (long long)(silent_ns / NS_PER_S));
	} else if (slot->state == SLOT_ENDING) {
		v->state = VIEW_DRAINING;
	} else if (slot->turn_kind == TURN_WARMUP) {
		v->state = VIEW_WARMUP;
	} else if (now_ns - slot->turn_go_ns < slot->turn_settle_ns) {
		v->state = VIEW_SETTLING;
	} else {
		v->state = VIEW_RUNNING;
		snprintf(v->state_text, sizeof(v->state_text), "%s", slot->state_text);
	}
}

static double
sum_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

void
view_fill_side(const struct slot *slot, int64_t now_ns, int active, struct view_side *v)
{
	int running = slot->state == SLOT_RUNNING || slot->state == SLOT_ENDING;
	v->present = slot->state != SLOT_EMPTY;
	snprintf(v->label, sizeof(v->label), "%.127s", slot->side->label[0] ? slot->side->label : slot->side->path);
	snprintf(v->path, sizeof(v->path), "%.255s", slot->side->path);
	if (v->present)
		stack_format_line(&slot->side->stack, v->line, sizeof(v->line));
	view_state(slot, now_ns, v);
	v->active = active;
	v->by_hand = running && slot->turn_kind == TURN_HAND;
	memcpy(v->now, slot->now, sizeof(v->now));
	v->app_bytes = sum_known(slot->now[VIEW_APP_READ], slot->now[VIEW_APP_WRITE]);
	v->device_bytes = sum_known(slot->now[VIEW_DEVICE_READ], slot->now[VIEW_DEVICE_WRITE]);
	v->cpu_ns_per_io = running ? slot->cpu_ns_per_io : NAN;
	for (int i = 0; i < VIEW_SERIES_N; i++)
		v->series[i] = &slot->series[i];
	v->turn_start_ns = slot->turn_begin_ns;
	v->last_turn[0] = slot->last_turn[0];
	v->last_turn[1] = slot->last_turn[1];
	v->n_devices = slot->n_devices;
	v->devices = slot->device;
	v->heat = &slot->heat;
	v->hist = &slot->total;
}

static void
view_plan(const struct session *s, struct view *v)
{
	const struct slot *slot = &s->slot[s->active];
	int running = slot->state == SLOT_RUNNING || slot->state == SLOT_ENDING;
	int pair = 0;
	v->plan_running = s->mode == MODE_PLAN && !s->paused;
	v->pair_now = v->pairs_planned = 0;
	v->slice_s = v->slice_done_s = v->elapsed_s = v->left_s = NAN;
	if (running && slot->turn_slice_ns > 0) {
		v->slice_s = (double)slot->turn_slice_ns / 1e9;
		v->slice_done_s = (double)(s->now_ns - slot->turn_go_ns) / 1e9;
		if (v->slice_done_s > v->slice_s)
			v->slice_done_s = v->slice_s;
	}
	if (s->mode != MODE_PLAN) {
		snprintf(v->plan, sizeof(v->plan), "%s", s->mode == MODE_HAND ? "by hand" : s->plan_done ? "done" : "monitor");
		return;
	}
	int length = schedule_length(&s->plan);
	if (s->position < length)
		(void)schedule_sides(&s->plan, s->position, &pair);
	else
		pair = s->plan.pairs - 1;
	v->pair_now = pair + 1;
	v->pairs_planned = s->plan.pairs;
	if (s->paused)
		snprintf(v->plan, sizeof(v->plan), "paused after pair %d", s->result.plan.pairs_done);
	else
		snprintf(v->plan, sizeof(v->plan), "%s%s", plan_kind_name(s->plan.kind),
			 s->step == STEP_PREPARE ? ": files" : s->step == STEP_BASELINE ? ": idle check" :
			 s->warming ? ": warm-up" : s->step == STEP_GATE ? ": draining" : "");
	v->elapsed_s = (double)(s->now_ns - s->plan_begin_ns - s->plan_paused_ns) / 1e9;
	double turns_left = length - s->position;
	if (s->plan.slice_ns > 0) {
		v->left_s = turns_left * (double)s->plan.slice_ns / 1e9;
		for (int i = 0; i < SIDES; i++)
			v->left_s += s->warmups_left[i] * (double)s->plan.warmup_ns / 1e9;
		if (!isnan(v->slice_done_s) && !s->warming)
			v->left_s -= v->slice_done_s;
	} else if (s->position > 0) {
		v->left_s = v->elapsed_s / s->position * turns_left;
	}
}

static void
view_output(struct session *s, struct view *v)
{
	int oldest = s->n_output < SESSION_OUTPUT_LINES ? 0 : s->output_at;
	for (int i = 0; i < s->n_output; i++)
		memcpy(s->output_view[i], s->output[(oldest + i) % SESSION_OUTPUT_LINES], sizeof(s->output[0]));
	v->n_output = s->n_output;
	v->output = (const char(*)[160])s->output_view;
}

const struct view *
session_view(struct session *s, int64_t now_ns)
{
	struct view *v = &s->view;
	const struct session_side *first = s->slot[s->slot[SIDE_A].state != SLOT_EMPTY ? SIDE_A : SIDE_B].side;
	s->now_ns = now_ns;
	v->now_ns = v->end_ns = now_ns;
	v->start_ns = s->start_ns;
	v->replay = 0;
	workload_format(&first->params, v->workload, sizeof(v->workload));
	view_plan(s, v);
	for (int i = 0; i < SIDES; i++)
		view_fill_side(&s->slot[i], now_ns, s->active == (enum side)i, &v->side[i]);
	memcpy(v->message, s->message, sizeof(v->message));
	v->message_is_error = s->message_is_error;
	v->n_marks = s->n_marks;
	v->marks = s->mark;
	v->result = &s->result;
	v->asking_quit = s->quit_asked;
	view_output(s, v);
	return v;
}
