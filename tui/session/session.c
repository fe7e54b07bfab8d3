// SPDX-License-Identifier: MIT
// The session's state machine: takes an event, hands it to the slot, the plan
// or the hand, and collects effects. Rule: no clock, no I/O; time comes with
// the event.
#include "session/session.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/state.h"
#include "session/truth.h"

struct effect *
effects_add(struct effects *fx, enum effect_type type, enum side side)
{
	static struct effect overflow; // never reached: a step adds fewer than EFFECTS_MAX
	struct effect *e = fx->n < EFFECTS_MAX ? &fx->effect[fx->n++] : &overflow;
	memset(e, 0, sizeof(*e));
	e->type = type;
	e->side = side;
	return e;
}

void
session_say(struct session *s, int is_error, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(s->message, sizeof(s->message), fmt, ap);
	va_end(ap);
	s->message_is_error = is_error;
}

void
session_mark(struct session *s, struct effects *fx, enum view_mark_kind kind, const char *fmt, ...)
{
	va_list ap;
	if (s->n_marks == SESSION_MARKS_MAX) { // the older half is in the session file
		memmove(s->mark, s->mark + SESSION_MARKS_MAX / 2, sizeof(s->mark) / 2);
		s->n_marks = SESSION_MARKS_MAX / 2;
	}
	struct view_mark *mark = &s->mark[s->n_marks++];
	mark->t_ns = s->now_ns;
	mark->kind = kind;
	va_start(ap, fmt);
	vsnprintf(mark->text, sizeof(mark->text), fmt, ap);
	va_end(ap);
	effects_add(fx, EFFECT_MARK, s->active)->mark = mark;
}

static void
session_describe(struct session *s)
{
	struct result *r = &s->result;
	const struct session_config *c = &s->config;
	const struct param_set *params = &c->side[c->side[SIDE_A].present ? SIDE_A : SIDE_B].params;
	size_t at = 0;

	snprintf(r->created, sizeof(r->created), "%s", c->created);
	snprintf(r->origin, sizeof(r->origin), "ioduel");
	snprintf(r->host.name, sizeof(r->host.name), "%s", c->host.name);
	snprintf(r->host.kernel, sizeof(r->host.kernel), "%s", c->host.kernel);
	r->host.cpus = (int)c->host.cpus;
	r->host.memory_bytes = c->host.memory_bytes ? (double)c->host.memory_bytes : NAN;
	snprintf(r->workload, sizeof(r->workload), "%s", params->workload);
	r->params[0] = '\0';
	for (int i = 0; i < params->n && at < sizeof(r->params); i++) {
		if (!params->value[i].text[0])
			continue;
		int n = snprintf(r->params + at, sizeof(r->params) - at, "%s=%s\n", params->value[i].spec->name,
				 params->value[i].text);
		at += n > 0 ? (size_t)n : 0;
	}
	for (int i = 0; i < SIDES; i++) {
		struct result_side *side = &r->side[i];
		side->present = c->side[i].present;
		snprintf(side->path, sizeof(side->path), "%s", c->side[i].path);
		snprintf(side->label, sizeof(side->label), "%s", c->side[i].label);
		snprintf(side->params, sizeof(side->params), "%s", c->side[i].overrides);
		side->stack = c->side[i].stack;
	}
}

// Plan and workload facts that the result carries; called whenever either changes.
static int
session_make_plan(struct session *s, struct error *err)
{
	const struct session_side *first = &s->config.side[s->config.side[SIDE_A].present ? SIDE_A : SIDE_B];
	struct result *r = &s->result;
	int rc = plan_make(&s->config.plan, first->needs.traffic, &s->plan, err);
	if (rc)
		return rc;
	const char *primary = first->needs.primary ? first->needs.primary : "iops";
	const struct metric_info *info = metric_find(primary);
	r->primary = s->config.primary < METRIC_N ? s->config.primary : info ? info->id : METRIC_IOPS;
	snprintf(r->plan.name, sizeof(r->plan.name), "%s", plan_kind_name(s->plan.kind));
	r->plan.slice_s = (double)s->plan.slice_ns / 1e9;
	r->plan.settle_s = (double)s->plan.settle_ns / 1e9;
	r->plan.warmup_s = (double)s->plan.warmup_ns / 1e9;
	r->plan.pairs_planned = s->plan.pairs;
	r->plan.seed = s->plan.seed;
	r->plan.effect = s->plan.effect;
	plan_format_order(&s->plan, r->plan.order, sizeof(r->plan.order));
	return 0;
}

struct session *
session_new(const struct session_config *config, int64_t now_ns, struct error *err)
{
	struct session *s = calloc(1, sizeof(*s));
	if (!s) {
		error_set(err, -ENOMEM, "not enough memory for a session");
		return NULL;
	}
	s->config = *config;
	s->start_ns = s->now_ns = now_ns;
	s->next_turn = 1;
	result_init(&s->result);
	if (session_make_plan(s, err)) {
		session_free(s);
		return NULL;
	}
	session_describe(s);
	for (int i = 0; i < SIDES; i++)
		slot_init(&s->slot[i], &s->config.side[i], now_ns);
	truth_begin(s);
	truth_warn(s);
	s->active = config->side[SIDE_A].present ? SIDE_A : SIDE_B;
	return s;
}

void
session_free(struct session *s)
{
	if (!s)
		return;
	result_fini(&s->result);
	free(s);
}

int
session_refused(struct session *s, unsigned sides)
{
	for (int i = 0; i < SIDES; i++) {
		struct slot *slot = &s->slot[i];
		if (sides & 1u << i && slot->side->refusal[0]) {
			session_say(s, 1, "%.250s", slot->side->refusal);
			return 1;
		}
		if (slot->state == SLOT_FAILED)
			slot->state = SLOT_IDLE;
	}
	return 0;
}

int
session_prepare(struct session *s, struct effects *fx)
{
	int ready = 1;
	for (int i = 0; i < SIDES; i++) {
		struct slot *slot = &s->slot[i];
		if (s->mode == MODE_PLAN && ((s->plan.kind == PLAN_A && i == SIDE_B) || (s->plan.kind == PLAN_B && i == SIDE_A)))
			continue;
		if (slot->state == SLOT_EMPTY)
			continue;
		if (slot->state == SLOT_IDLE && ready) {
			// One after the other: two lay-outs at once would interleave on a shared device.
			slot->state = SLOT_PREPARING;
			slot->progress = NAN;
			snprintf(slot->state_text, sizeof(slot->state_text), "starting the worker");
			effects_add(fx, EFFECT_LAUNCH, (enum side)i);
		}
		if (slot->state != SLOT_READY)
			ready = 0;
	}
	return ready;
}

void
session_go(struct session *s, enum side side, enum turn_kind kind, int64_t settle_ns, int64_t slice_ns, struct effects *fx)
{
	struct slot *slot = &s->slot[side];
	uint32_t turn = s->next_turn++;
	s->active = side;
	s->turn_boot_offset_ns = s->boot_offset_ns;
	slot_begin_turn(slot, turn, kind, settle_ns, slice_ns, s->now_ns);
	session_mark(s, fx, side == SIDE_A ? MARK_TURN_A : MARK_TURN_B, "%s", kind == TURN_WARMUP ? "warm-up" : "");
	struct effect *e = effects_add(fx, EFFECT_GO, side);
	e->turn = turn;
	e->by_hand = kind == TURN_HAND;
	e->pair = kind == TURN_PLAN ? s->result.plan.pairs_done + 1 : 0;
	e->settle_ns = settle_ns;
	e->slice_ns = slice_ns;
	s->measured_anything = s->unsaved = 1;
}

void
session_save(struct session *s, struct effects *fx)
{
	if (s->unsaved)
		effects_add(fx, EFFECT_SAVE, SIDE_A);
	s->unsaved = 0;
}

static void
on_sample(struct session *s, const struct sample *sample, struct effects *fx)
{
	struct cpu_rate cpu;
	int64_t from_ns = s->sample_last_ns;
	int measuring = session_is_measuring(s);
	if (from_ns > 0)
		rate_cpu(&s->cpu_last, &sample->cpu, (double)(sample->t_ns - from_ns) / 1e9, &cpu);
	for (int i = 0; i < SIDES; i++) {
		struct slot *slot = &s->slot[i];
		int has_turn = slot->state == SLOT_RUNNING || slot->state == SLOT_ENDING;
		if (slot->state != SLOT_EMPTY)
			slot_add_sample(slot, sample, from_ns > 0 ? &cpu : NULL, from_ns, has_turn || !measuring);
	}
	s->cpu_last = sample->cpu;
	s->sample_last_ns = sample->t_ns;
	s->boot_offset_ns = sample->boot_ns - sample->t_ns;
	truth_sample(s, sample);
	if (s->mode == MODE_PLAN)
		run_sample(s, sample, fx);
}

static void
on_worker_gone(struct session *s, enum side side, const char *text, struct effects *fx)
{
	struct slot *slot = &s->slot[side];
	int had_turn = slot->state == SLOT_RUNNING || slot->state == SLOT_ENDING;
	if (slot->state == SLOT_EMPTY || slot->state == SLOT_IDLE || slot->state == SLOT_FAILED)
		return;
	slot->state = SLOT_FAILED;
	snprintf(slot->state_text, sizeof(slot->state_text), "%s", text ? text : "the worker ended");
	session_say(s, 1, "%c: %s", side == SIDE_A ? 'A' : 'B', text ? text : "the worker ended unexpectedly");
	session_mark(s, fx, MARK_ERROR, "%s", slot->state_text);
	if (s->mode == MODE_PLAN) {
		run_fail(s, s->message, fx);
	} else if (had_turn) {
		s->mode = MODE_MONITOR;
	}
	s->run_when_ready = s->flip_to = 0;
}

static void
on_turn_end(struct session *s, enum side side, const struct wire_turn_end *end, struct effects *fx)
{
	struct slot *slot = &s->slot[side];
	if (end->turn != slot->turn || (slot->state != SLOT_RUNNING && slot->state != SLOT_ENDING))
		return;
	slot->state = SLOT_READY;
	slot->last_turn[0] = slot->turn_go_ns;
	slot->last_turn[1] = end->end_ns;
	for (int i = VIEW_APP_READ; i <= VIEW_APP_WRITE; i++)
		slot->now[i] = NAN;
	slot->now[VIEW_APP_IOPS] = NAN;
	for (int i = VIEW_LAT_P50; i <= VIEW_LAT_MAX; i++)
		slot->now[i] = NAN;
	session_mark(s, fx, MARK_TURN_END, "%s", end->status ? end->sentence : "");
	if (end->status)
		session_say(s, 1, "%c: %.200s", side == SIDE_A ? 'A' : 'B', end->sentence);
	if (s->mode == MODE_PLAN)
		run_turn_end(s, side, end, fx);
	else
		hand_turn_end(s, side, end, fx);
}

static void
on_note(struct session *s, enum side side, const struct wire_note *note, struct effects *fx)
{
	char letter = side == SIDE_A ? 'A' : 'B';
	switch (note->kind) {
	case WIRE_NOTE_OUTPUT:
		snprintf(s->output[s->output_at], sizeof(s->output[0]), "%c %.150s", letter, note->text);
		s->output_at = (s->output_at + 1) % SESSION_OUTPUT_LINES;
		if (s->n_output < SESSION_OUTPUT_LINES)
			s->n_output++;
		break;
	case WIRE_NOTE_PHASE:
		session_mark(s, fx, MARK_PHASE, "%.70s", note->text);
		snprintf(s->slot[side].state_text, sizeof(s->slot[side].state_text), "%.90s", note->text);
		break;
	case WIRE_NOTE_ERROR:
		session_mark(s, fx, MARK_ERROR, "%.70s", note->text);
		session_say(s, 1, "%c: %.240s", letter, note->text);
		break;
	case WIRE_NOTE_WARNING:
		result_warn(&s->result, "worker", LEVEL_YELLOW, side == SIDE_A ? WARN_A : WARN_B, "%c: %.300s", letter, note->text);
		session_say(s, 0, "%c: %.240s", letter, note->text);
		break;
	default:
		session_say(s, 0, "%c: %.240s", letter, note->text);
	}
}

static void
on_ready(struct session *s, enum side side, const struct wire_ready *ready, struct effects *fx)
{
	struct slot *slot = &s->slot[side];
	int was_preparing = slot->state == SLOT_PREPARING;
	if (slot->state != SLOT_PREPARING && slot->state != SLOT_READY)
		return;
	slot->state = SLOT_READY;
	slot->ready = *ready;
	slot->progress = NAN;
	slot->state_text[0] = '\0';
	if (was_preparing && ready->sentence[0]) {
		result_warn(&s->result, "engine", ready->shallower ? LEVEL_YELLOW : LEVEL_INFO, side == SIDE_A ? WARN_A : WARN_B, "%c: %.300s",
			    side == SIDE_A ? 'A' : 'B', ready->sentence);
		session_say(s, 0, "%c: %.240s", side == SIDE_A ? 'A' : 'B', ready->sentence);
	}
	if (!session_is_measuring(s))
		truth_warn(s);
	if (s->mode == MODE_PLAN)
		run_ready(s, fx);
	else
		hand_ready(s, fx);
}

static void
stop_all(struct session *s, struct effects *fx)
{
	s->run_when_ready = s->flip_to = s->plan_when_ended = 0;
	for (int i = 0; i < SIDES; i++) {
		if (s->slot[i].state == SLOT_RUNNING) {
			s->slot[i].state = SLOT_ENDING;
			effects_add(fx, EFFECT_PAUSE, (enum side)i);
		}
	}
	if (s->mode == MODE_PLAN)
		run_end(s, 1, fx);
}

static void
ask_or_quit(struct session *s, struct effects *fx)
{
	int busy = s->mode == MODE_PLAN || session_is_measuring(s);
	for (int i = 0; i < SIDES; i++)
		busy |= s->slot[i].state == SLOT_PREPARING;
	if (busy && !s->quit_asked && !s->plan_done) {
		s->quit_asked = 1;
		session_say(s, 0, "something runs. Stop it, save and quit? q or y: yes, Esc: go on");
		return;
	}
	s->quitting = 1; // one save, below
	stop_all(s, fx);
	session_save(s, fx);
	effects_add(fx, EFFECT_QUIT, SIDE_A);
}

static void
on_command(struct session *s, const struct command_event *command, struct effects *fx)
{
	snprintf(s->effect_text, sizeof(s->effect_text), "%s", command->text);
	static const struct {
		enum command command;
		enum effect_type effect;
		enum side side;
	} pass_on[] = {
		{COMMAND_SNAPSHOT, EFFECT_SNAPSHOT, SIDE_A},	 {COMMAND_EXPORT, EFFECT_EXPORT, SIDE_A},
		{COMMAND_SUSPEND, EFFECT_SUSPEND, SIDE_A},	 {COMMAND_SET_WORKLOAD, EFFECT_SET_WORKLOAD, SIDE_A},
		{COMMAND_SET_TARGET_A, EFFECT_SET_TARGET, SIDE_A}, {COMMAND_SET_TARGET_B, EFFECT_SET_TARGET, SIDE_B},
		{COMMAND_OPEN, EFFECT_OPEN, SIDE_A},		 {COMMAND_BASELINE, EFFECT_BASELINE, SIDE_B},
		{COMMAND_DELETE, EFFECT_DELETE, SIDE_A},	 {COMMAND_REFRESH, EFFECT_REFRESH, SIDE_A},
		{COMMAND_SAVE_CONFIG, EFFECT_SAVE_CONFIG, SIDE_A},
	};
	for (size_t i = 0; i < sizeof(pass_on) / sizeof(pass_on[0]); i++) {
		if (pass_on[i].command == command->command) {
			effects_add(fx, pass_on[i].effect, pass_on[i].side)->text = s->effect_text;
			return;
		}
	}
	if (command->command != COMMAND_QUIT)
		s->quit_asked = s->quit_asked && command->command == COMMAND_CONFIRM;
	switch (command->command) {
	case COMMAND_FLIP:
		hand_flip(s, fx);
		break;
	case COMMAND_RUN:
		hand_run(s, fx);
		break;
	case COMMAND_PLAN:
		run_pause(s, fx);
		break;
	case COMMAND_STOP:
		stop_all(s, fx);
		break;
	case COMMAND_NOTE:
		session_mark(s, fx, MARK_NOTE, "%.70s", command->text);
		session_say(s, 0, "noted");
		break;
	case COMMAND_CONFIRM:
		if (s->quit_asked)
			ask_or_quit(s, fx);
		break;
	case COMMAND_QUIT:
		ask_or_quit(s, fx);
		break;
	default:
		s->message[0] = '\0';
	}
}

static void
on_interrupt(struct session *s, struct effects *fx)
{
	s->result.interrupted = 1;
	s->quitting = 1; // one save, below
	stop_all(s, fx);
	s->exit_status = EXIT_INTERRUPTED;
	snprintf(s->exit_reason, sizeof(s->exit_reason), "interrupted");
	s->plan_done = 1;
	session_save(s, fx);
	effects_add(fx, EFFECT_QUIT, SIDE_A);
}

static void
on_tick(struct session *s, struct effects *fx)
{
	if (s->config.start == START_MONITOR || s->mode != MODE_MONITOR || s->measured_anything || s->plan_done || s->quitting)
		return;
	if (s->config.start == START_PLAN)
		run_begin(s, fx);
	else if (!s->run_when_ready && s->slot[s->active].state == SLOT_IDLE)
		hand_run(s, fx);
}

void
session_step(struct session *s, const struct event *ev, struct effects *fx)
{
	struct slot *slot = &s->slot[ev->side];
	fx->n = 0;
	s->now_ns = ev->now_ns;
	switch (ev->type) {
	case EVENT_TICK:
		on_tick(s, fx);
		break;
	case EVENT_SAMPLE:
		on_sample(s, ev->sample, fx);
		break;
	case EVENT_PROGRESS:
		slot->last_heard_ns = s->now_ns;
		slot->progress = ev->progress->total ? (double)ev->progress->done / (double)ev->progress->total : NAN;
		snprintf(slot->state_text, sizeof(slot->state_text), "%s", ev->progress->what);
		break;
	case EVENT_READY:
		on_ready(s, ev->side, ev->ready, fx);
		break;
	case EVENT_INTERVAL:
		if (ev->interval->turn == slot->turn)
			slot_add_interval(slot, ev->interval, ev->hist);
		if (s->mode == MODE_PLAN)
			run_interval(s, ev->side, ev->interval, fx);
		break;
	case EVENT_TURN_END:
		on_turn_end(s, ev->side, ev->turn_end, fx);
		break;
	case EVENT_NOTE:
		on_note(s, ev->side, ev->note, fx);
		break;
	case EVENT_WORKER_GONE:
		on_worker_gone(s, ev->side, ev->text, fx);
		break;
	case EVENT_SETUP_DONE:
		if (s->mode == MODE_PLAN)
			run_setup_done(s, ev->status, fx);
		break;
	case EVENT_COMMAND:
		on_command(s, ev->command, fx);
		break;
	case EVENT_INTERRUPT:
		on_interrupt(s, fx);
		break;
	}
}

const struct result *
session_result(const struct session *s)
{
	return &s->result;
}

const struct plan *
session_plan(const struct session *s)
{
	return &s->plan;
}

int
session_is_measuring(const struct session *s)
{
	for (int i = 0; i < SIDES; i++)
		if (s->slot[i].state == SLOT_RUNNING || s->slot[i].state == SLOT_ENDING)
			return 1;
	return 0;
}

int
session_wants_fast_samples(const struct session *s)
{
	return s->mode == MODE_PLAN ? !s->paused : session_is_measuring(s);
}

int
session_is_over(const struct session *s, int *ret_status, const char **ret_reason)
{
	if (!s->plan_done)
		return 0;
	*ret_status = s->exit_status;
	*ret_reason = s->exit_reason;
	return 1;
}

void
session_note_history(struct session *s, const char *text)
{
	result_warn(&s->result, "measured-before", LEVEL_INFO, WARN_BOTH, "%.300s", text);
}

void
session_set_layout(struct session *s, enum side side, const struct trap_layout *layout)
{
	s->slot[side].layout = *layout;
	s->slot[side].have_layout = 1;
}

int
session_set_side(struct session *s, enum side side, const struct session_side *new_side)
{
	struct error err;
	if (s->mode != MODE_MONITOR || session_is_measuring(s) || s->slot[side].state == SLOT_PREPARING)
		return -EBUSY;
	s->config.side[side] = *new_side;
	slot_init(&s->slot[side], &s->config.side[side], s->now_ns);
	result_fini(&s->result);
	result_init(&s->result);
	if (session_make_plan(s, &err)) {
		session_say(s, 1, "%s", err.text);
		return err.code;
	}
	session_describe(s);
	truth_begin(s);
	truth_warn(s);
	s->plan_done = s->measured_anything = s->unsaved = 0;
	if (s->slot[s->active].state == SLOT_EMPTY)
		s->active = side;
	return 0;
}

const struct session_side *
session_get_side(const struct session *s, enum side side)
{
	return &s->config.side[side];
}
