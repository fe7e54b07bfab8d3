// SPDX-License-Identifier: MIT
// One turn as ioduel sees it: what the runner publishes becomes intervals,
// and the end of the turn a summary. Rule: every counted tally goes into
// exactly one interval and into the summary.
#include "worker.h"

#include "io_thread.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>

// A thread that says nothing for so long hangs in an I/O; then empty intervals are sent.
#define SILENT_NS NS_PER_S
// How long after a tick the threads' tallies are collected.
#define COLLECT_AFTER_NS (5 * NS_PER_MS)

static const char *const op_names[] = { "read", "write", "fsync", "fdatasync" };

static void
set_timer(const struct worker *w, bool on)
{
	struct itimerspec its = { 0 };
	if (on) {
		its.it_interval.tv_nsec = RUNNER_TICK_NS;
		its.it_value.tv_nsec = RUNNER_TICK_NS + COLLECT_AFTER_NS;
	}
	timerfd_settime(w->timer_fd, 0, &its, NULL);
}

static void
clear_pending(struct worker_turn *turn)
{
	for (int p = 0; p < TALLY_PHASES; p++)
		tally_init(&turn->pending[p]);
}

static void
send_turn_end(struct worker *w, struct wire_turn_end *end)
{
	end->turn = w->turn.number;
	outbox_send(&w->outbox, WIRE_TURN_END, end, sizeof(*end), -1);
}

static void
refuse_turn(struct worker *w, int status, const char *sentence)
{
	struct wire_turn_end end = { .status = status, .start_ns = clock_now_ns(), .end_ns = clock_now_ns() };
	snprintf(end.sentence, sizeof(end.sentence), "%s", sentence);
	send_turn_end(w, &end);
}

void
worker_turn_go(struct worker *w, const struct wire_go *go)
{
	struct worker_turn *turn = &w->turn;
	struct error err = { 0 };
	turn->number = go->turn;
	turn->blocked = turn->cpu_unknown = false;
	memset(turn->ops, 0, sizeof(turn->ops));
	memset(turn->bytes, 0, sizeof(turn->bytes));
	turn->errors = 0;
	clear_pending(turn);
	run_usage(&turn->user_us, &turn->sys_us);
	if (w->pass) {
		int r = pass_go(w->pass, go->turn, go->settle_ns, go->slice_ns, &err);
		if (r < 0) {
			refuse_turn(w, r, err.text);
			return;
		}
		turn->sent_until_ns = pass_start_ns(w->pass);
	} else {
		int r = w->given_back ? -ENOSPC : scratch_apply_direct(&w->scratch);
		if (r < 0) {
			refuse_turn(w, r, w->given_back ? "the target ran out of space in an earlier turn; the scratch file was given back"
							: "direct I/O could not be switched");
			return;
		}
		runner_go(w->runner, go->settle_ns, go->slice_ns);
		turn->sent_until_ns = runner_start_ns(w->runner);
	}
	turn->running = true;
	turn->heard_ns = turn->sent_until_ns;
	set_timer(w, true);
}

void
worker_turn_stop(struct worker *w)
{
	if (w->pass)
		pass_stop(w->pass);
	else
		runner_pause(w->runner);
}

// The interval of one phase from what is pending; *share of the CPU time goes to it.
static void
fill_interval(const struct worker_turn *turn, enum tally_phase phase, struct wire_interval *ret)
{
	const struct tally *t = &turn->pending[phase];
	*ret = (struct wire_interval){
		.turn = turn->number,
		.flags = (phase == TALLY_COUNTED ? WIRE_COUNTED : 0) | (phase == TALLY_DRAIN ? WIRE_DRAIN : 0) |
			 (turn->blocked ? WIRE_MERGED : 0) | (turn->cpu_unknown ? WIRE_CPU_UNKNOWN : 0),
		.t0_ns = turn->sent_until_ns,
		.t1_ns = t->t1_ns > turn->sent_until_ns ? t->t1_ns : turn->sent_until_ns,
		.errors = t->errors,
		.short_ios = t->short_ios,
		.inflight = t->inflight,
		.backlog = t->backlog,
	};
	memcpy(ret->ops, t->ops, sizeof(ret->ops));
	memcpy(ret->bytes, t->bytes, sizeof(ret->bytes));
}

static bool
is_empty(const struct tally *t)
{
	return !t->ops[0] && !t->ops[1] && !t->ops[2] && !t->errors && !t->short_ios;
}

static void
sent(struct worker_turn *turn, enum tally_phase phase, const struct wire_interval *interval)
{
	const struct tally *t = &turn->pending[phase];
	for (int c = 0; c < WIRE_CLASSES && phase == TALLY_COUNTED; c++) {
		turn->ops[c] += t->ops[c];
		turn->bytes[c] += t->bytes[c];
	}
	if (phase == TALLY_COUNTED)
		turn->errors += t->errors + t->short_ios;
	turn->sent_until_ns = interval->t1_ns;
	turn->user_us += interval->user_us;
	turn->sys_us += interval->sys_us;
	tally_init(&turn->pending[phase]);
}

// Sends what is pending, phase after phase. At the end of a turn it goes to
// the outbox if the socket is full; before, it stays and is merged.
static void
send_pending(struct worker *w, bool last)
{
	static _Alignas(8) char buf[WIRE_MAX_BYTES];
	struct worker_turn *turn = &w->turn;
	uint64_t user_us, sys_us;
	int64_t until = turn->sent_until_ns;

	// Asked before and after: a child that ends or begins meanwhile may or may not be in the reading.
	turn->cpu_unknown |= w->pass && pass_child_ran(w->pass, true);
	run_usage(&user_us, &sys_us);
	turn->cpu_unknown |= w->pass && pass_child_ran(w->pass, false);
	for (int p = 0; p < TALLY_PHASES; p++)
		if (turn->pending[p].t1_ns > until)
			until = turn->pending[p].t1_ns;
	int64_t whole = until - turn->sent_until_ns;
	uint64_t user = user_us - turn->user_us, sys = sys_us - turn->sys_us;
	for (int p = 0; p < TALLY_PHASES; p++) {
		struct tally *t = &turn->pending[p];
		struct wire_interval interval;
		if (t->t1_ns <= turn->sent_until_ns && (!last || is_empty(t)))
			continue;
		fill_interval(turn, (enum tally_phase)p, &interval);
		// What one reading of the CPU time covers is shared out by duration.
		double share = whole > 0 ? (double)(interval.t1_ns - interval.t0_ns) / (double)whole : 0;
		interval.user_us = (uint64_t)((double)user * share);
		interval.sys_us = (uint64_t)((double)sys * share);
		const struct hist *hists[WIRE_CLASSES] = { &t->lat[0], &t->lat[1], &t->lat[2] };
		size_t length = wire_pack_interval(&interval, hists, buf);
		if (last)
			outbox_send(&w->outbox, WIRE_INTERVAL, buf, length, -1);
		else if (!outbox_flush(&w->outbox) || wire_send(w->sock, WIRE_INTERVAL, buf, length, -1) == -EAGAIN) {
			turn->blocked = true;
			return;
		}
		sent(turn, (enum tally_phase)p, &interval);
	}
	turn->blocked = turn->cpu_unknown = false;
}

static void
report_faults(struct worker *w)
{
	struct runner_fault f;
	while (runner_take_fault(w->runner, &f)) {
		char text[256];
		if (f.result < 0)
			snprintf(text, sizeof(text), "%s of %u bytes at offset %llu: %s", op_names[f.op], f.length,
				 (unsigned long long)f.offset, strerror(-f.result));
		else
			snprintf(text, sizeof(text), "%s of %u bytes at offset %llu: only %d bytes came through", op_names[f.op], f.length,
				 (unsigned long long)f.offset, f.result);
		worker_note(w, WIRE_NOTE_ERROR, f.t_ns, text);
	}
}

static void
report_notes(struct worker *w)
{
	struct wire_note note;
	while (pass_take_note(w->pass, &note))
		outbox_send(&w->outbox, WIRE_NOTE, &note, sizeof(note), -1);
}

void
worker_turn_report(struct worker *w)
{
	struct worker_turn *turn = &w->turn;
	int64_t now = clock_now_ns(), since;
	if (w->pass) {
		report_notes(w);
		pass_collect(w->pass, turn->pending);
		send_pending(w, false);
		return;
	}
	report_faults(w);
	if (runner_collect(w->runner, turn->pending)) {
		turn->heard_ns = now;
	} else if (now - turn->heard_ns > SILENT_NS) {
		struct tally *t = &turn->pending[runner_phase(w->runner, &since)];
		t->t1_ns = now;
		t->inflight = runner_depth(w->runner);
	}
	send_pending(w, false);
}

static void
describe_failure(const struct worker *w, const struct runner_end *end, struct wire_turn_end *ret)
{
	const struct runner_fault *f = &end->last;
	double after_s = (double)(f->t_ns - end->start_ns) / 1e9;
	if (end->status == -ENOSPC)
		snprintf(ret->sentence, sizeof(ret->sentence),
			 "no space left on %.100s, %.1f s into the turn (offset %llu); the scratch file's space was given back",
			 w->target.path, after_s, (unsigned long long)f->offset);
	else if (end->too_many)
		snprintf(ret->sentence, sizeof(ret->sentence), "more than %d I/Os went wrong, the last a %s at offset %llu, %.1f s into the turn: %s",
			 RUNNER_FAULTS_MAX, op_names[f->op], (unsigned long long)f->offset, after_s,
			 f->result < 0 ? strerror(-f->result) : "short transfer");
	else if (f->op == IO_FDATASYNC)
		snprintf(ret->sentence, sizeof(ret->sentence), "the target could not be synced, %.1f s into the turn: %s", after_s, strerror(-f->result));
	else
		snprintf(ret->sentence, sizeof(ret->sentence), "the kernel takes no more I/Os, %.1f s into the turn: %s", after_s, strerror(-f->result));
}

// An open loop that fell behind by more than a hundredth of what was due.
static void
warn_of_backlog(struct worker *w, const struct runner_end *end)
{
	double rate = param_number(&w->params, "rate", 0);
	double due = rate * (double)(end->count_end_ns - end->count_start_ns) / 1e9;
	char text[256];
	if (rate <= 0 || end->count_start_ns == 0 || (double)end->backlog <= 1 + due / 100)
		return;
	snprintf(text, sizeof(text), "the target cannot keep the rate of %.10g I/Os a second: %llu of them were still due at the end of the slice", rate,
		 (unsigned long long)end->backlog);
	worker_note(w, WIRE_NOTE_WARNING, end->end_ns, text);
}

static void
end_block(struct worker *w, struct wire_turn_end *message)
{
	struct runner_end end;
	report_faults(w);
	runner_collect(w->runner, w->turn.pending);
	runner_end(w->runner, &end);
	*message = (struct wire_turn_end){
		.status = end.status,
		.stopped = end.paused,
		.start_ns = end.start_ns,
		.count_start_ns = end.count_start_ns,
		.count_end_ns = end.count_end_ns,
		.end_ns = end.end_ns,
		.drain_ns = end.end_ns > end.submit_end_ns ? end.end_ns - end.submit_end_ns : 0,
		.backlog = end.backlog,
		.user_us = end.user_us,
		.sys_us = end.sys_us,
	};
	warn_of_backlog(w, &end);
	if (end.status < 0)
		describe_failure(w, &end, message);
	if (end.status == -ENOSPC) {
		scratch_empty(&w->scratch);
		w->given_back = true;
	}
}

static void
end_pass(struct worker *w, struct wire_turn_end *message)
{
	static struct pass_end end;
	report_notes(w);
	pass_collect(w->pass, w->turn.pending);
	pass_end(w->pass, &end);
	*message = (struct wire_turn_end){
		.status = end.status,
		.stopped = end.stopped,
		.n_results = end.n_results,
		.start_ns = end.start_ns,
		.count_start_ns = end.count_start_ns,
		.count_end_ns = end.count_end_ns,
		.end_ns = end.end_ns,
		.drain_ns = end.count_end_ns ? end.end_ns - end.count_end_ns : 0,
		.user_us = end.user_us,
		.sys_us = end.sys_us,
	};
	snprintf(message->sentence, sizeof(message->sentence), "%s", end.sentence);
	memcpy(message->result, end.result, sizeof(message->result));
}

void
worker_turn_end(struct worker *w)
{
	struct worker_turn *turn = &w->turn;
	static struct wire_turn_end message;

	set_timer(w, false);
	if (w->pass)
		end_pass(w, &message);
	else
		end_block(w, &message);
	send_pending(w, true);
	memcpy(message.ops, turn->ops, sizeof(message.ops));
	memcpy(message.bytes, turn->bytes, sizeof(message.bytes));
	message.errors = turn->errors;
	turn->running = false;
	send_turn_end(w, &message);
}
