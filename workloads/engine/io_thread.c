// SPDX-License-Identifier: MIT
// The measured loop. Rule: between the start of a turn and its end a thread
// makes no system call but the backend's, takes no lock, allocates nothing,
// and reads the clock at most twice per hand-over; every completion is counted in
// the phase in which it was seen.
#include "io_thread.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// I/Os that share one hand-over and one time stamp. A kernel holds a longer batch together until its last I/O is
// prepared: the device waits for the first meanwhile, and the stamp of the last would be stale by as much.
#define HAND_OVER_MAX 4u

void
run_usage(uint64_t *ret_user_us, uint64_t *ret_sys_us)
{
	static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
	*ret_user_us = *ret_sys_us = 0;
	for (int i = 0; i < 2; i++) {
		struct rusage ru;
		getrusage(whose[i], &ru);
		*ret_user_us += (uint64_t)ru.ru_utime.tv_sec * 1000000 + (uint64_t)ru.ru_utime.tv_usec;
		*ret_sys_us += (uint64_t)ru.ru_stime.tv_sec * 1000000 + (uint64_t)ru.ru_stime.tv_usec;
	}
}

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void
set_gauges(struct io_thread *t, int64_t at_ns)
{
	t->current->t1_ns = at_ns;
	t->current->phase = t->phase;
	t->current->inflight = t->depth - t->n_free;
	t->current->backlog = pace_backlog(&t->pace, at_ns);
}

// Ends the current tally at at_ns because a phase ends there.
static void
cut(struct io_thread *t, int64_t at_ns, enum tally_phase next)
{
	set_gauges(t, at_ns);
	t->current = tally_ring_publish(&t->ring, 0);
	t->current->t0_ns = at_ns;
	t->phase = next;
}

// Ends the current tally at the tick that has passed; after a long wait also the empty time since.
static void
tick(struct io_thread *t, int64_t now_ns)
{
	for (int i = 0; i < 2 && now_ns >= t->tick_ns; i++) {
		struct tally *before = t->current;
		set_gauges(t, t->tick_ns);
		t->current = tally_ring_publish(&t->ring, TALLY_RESERVE);
		if (t->current != before)
			t->current->t0_ns = t->tick_ns;
		int64_t missed = (now_ns - t->tick_ns) / RUNNER_TICK_NS;
		t->tick_ns += i == 0 && missed > 0 ? missed * RUNNER_TICK_NS : RUNNER_TICK_NS;
	}
}

static void
end_turn_with(struct io_thread *t, int32_t status, const struct runner_fault *fault, int64_t now_ns)
{
	struct runner *r = t->runner;
	int32_t none = 0;
	if (atomic_compare_exchange_strong(&r->status, &none, status))
		r->last_fault = *fault;
	int64_t end = atomic_load(&r->end_ns);
	while (end > now_ns && !atomic_compare_exchange_weak(&r->end_ns, &end, now_ns))
		;
}

static void
record_fault(struct io_thread *t, const struct io_request *request, int64_t now_ns)
{
	struct runner *r = t->runner;
	struct runner_fault fault = {
		.t_ns = now_ns,
		.offset = request->intent.offset,
		.length = request->intent.length,
		.op = request->intent.op,
		.result = request->result,
	};
	if (request->result < 0)
		t->current->errors++;
	else
		t->current->short_ios++;
	uint32_t head = atomic_load_explicit(&t->fault_head, memory_order_relaxed);
	if (head - atomic_load_explicit(&t->fault_tail, memory_order_acquire) < RUNNER_FAULT_SLOTS) {
		t->fault[head % RUNNER_FAULT_SLOTS] = fault;
		atomic_store_explicit(&t->fault_head, head + 1, memory_order_release);
	}
	if (request->result == -ENOSPC || request->result == -EDQUOT)
		end_turn_with(t, -ENOSPC, &fault, now_ns);
	else if (atomic_fetch_add(&r->n_faults, 1) >= RUNNER_FAULTS_MAX)
		end_turn_with(t, fault.result < 0 ? fault.result : -EIO, &fault, now_ns);
}

static inline void
free_put(struct io_thread *t, struct io_request *request)
{
	t->free_ring[t->free_end] = request;
	t->free_end = t->free_end + 1 == t->depth ? 0 : t->free_end + 1;
	t->n_free++;
}

static inline struct io_request *
free_take(struct io_thread *t)
{
	struct io_request *request = t->free_ring[t->free_first];
	t->free_first = t->free_first + 1 == t->depth ? 0 : t->free_first + 1;
	t->n_free--;
	return request;
}

static inline void
record(struct io_thread *t, int64_t now_ns)
{
	struct tally *current = t->current;
	for (uint32_t i = 0; i < t->n_done; i++) {
		struct io_request *request = t->done[i];
		unsigned class = request->intent.op < IO_FSYNC ? (unsigned)request->intent.op : WIRE_SYNCS;
		if (__builtin_expect(request->result == (int32_t)request->intent.length, 1)) {
			int64_t since = request->due_ns ? request->due_ns : request->start_ns;
			current->ops[class]++;
			current->bytes[class] += request->intent.length;
			hist_add(&current->lat[class], (uint64_t)(now_ns - since));
		} else {
			record_fault(t, request, now_ns);
		}
		request->start_ns = 0;
		free_put(t, request);
	}
	t->n_done = 0;
}

// Hands over what is due and fits.
static inline int
hand_over(struct io_thread *t, int64_t now_ns)
{
	unsigned n = 0;
	bool open_loop = t->pace.gap_ns > 0;
	while (t->n_free) {
		int64_t due_ns = 0;
		if (n == HAND_OVER_MAX) {
			int r = t->backend->submit(t->backend_state, t->batch, n);
			if (r < 0)
				return r;
			n = 0;
			now_ns = clock_now_ns();
		}
		if (open_loop) {
			due_ns = pace_due_ns(&t->pace);
			if (due_ns > now_ns)
				break;
			pace_advance(&t->pace);
		}
		struct io_request *request = free_take(t);
		t->block->next(t->generator, &request->intent);
		content_attach(&t->content, request);
		request->due_ns = due_ns;
		request->start_ns = now_ns;
		t->batch[n++] = request;
	}
	return n ? t->backend->submit(t->backend_state, t->batch, n) : 0;
}

static void
sleep_until(int64_t until_ns)
{
	struct timespec ts = { .tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S };
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

// Waits for completions until event_ns; the completions stay in t->done.
static int64_t
wait_for(struct io_thread *t, int64_t event_ns, int64_t now_ns)
{
	int n = 0;
	if (t->n_free == t->depth)
		sleep_until(event_ns);
	else
		n = t->backend->reap(t->backend_state, 1, event_ns > now_ns ? event_ns - now_ns : 0, t->done, t->depth);
	now_ns = clock_now_ns();
	if (n < 0) {
		struct runner_fault fault = { .t_ns = now_ns, .result = n };
		end_turn_with(t, n, &fault, now_ns);
		t->broken = true;
		n = 0;
	}
	t->n_done = (uint32_t)n;
	return now_ns;
}

// Submits and completes until until_ns or the end of the turn. What was reaped
// by the wait that reached it is left in t->done for the caller to put into the right phase.
static int64_t
pump(struct io_thread *t, int64_t now_ns, int64_t until_ns)
{
	struct runner *r = t->runner;
	for (;;) {
		int64_t until = smaller(until_ns, atomic_load_explicit(&r->end_ns, memory_order_relaxed));
		if (now_ns >= until)
			return now_ns;
		uint32_t n = t->n_done;
		if (now_ns >= t->tick_ns)
			tick(t, now_ns);
		record(t, now_ns);
		int failed = hand_over(t, n > HAND_OVER_MAX ? clock_now_ns() : now_ns);
		if (failed < 0) {
			struct runner_fault fault = { .t_ns = now_ns, .result = failed };
			end_turn_with(t, failed, &fault, now_ns);
			t->broken = true;
		}
		int64_t event = smaller(until, t->tick_ns);
		if (t->pace.gap_ns > 0 && t->n_free)
			event = smaller(event, pace_due_ns(&t->pace));
		now_ns = wait_for(t, event, now_ns);
	}
}

// Waits for everything in flight.
static int64_t
drain(struct io_thread *t, int64_t now_ns)
{
	for (;;) {
		if (now_ns >= t->tick_ns)
			tick(t, now_ns);
		record(t, now_ns);
		if (t->n_free == t->depth || t->broken)
			return now_ns;
		now_ns = wait_for(t, t->tick_ns, now_ns);
	}
}

static int
sync_file(const struct scratch *scratch)
{
	return scratch->fd < 0 || fdatasync(scratch->fd) == 0 ? 0 : -errno;
}

// All threads meet; the last one acts, and all go on with the time at which that was done.
static int64_t
gate(struct io_thread *t, int (*act)(const struct scratch *), _Atomic int64_t *ret_done_ns)
{
	struct runner *r = t->runner;
	pthread_mutex_lock(&r->lock);
	unsigned passed = r->gate_passed;
	if (++r->gate_arrived < r->n_threads) {
		while (r->gate_passed == passed)
			pthread_cond_wait(&r->changed, &r->lock);
	} else {
		pthread_mutex_unlock(&r->lock);
		int failed = act(r->config.scratch);
		if (failed < 0) {
			struct runner_fault fault = { .t_ns = clock_now_ns(), .op = IO_FDATASYNC, .result = failed };
			end_turn_with(t, failed, &fault, fault.t_ns);
		}
		atomic_store(ret_done_ns, clock_now_ns());
		pthread_mutex_lock(&r->lock);
		r->gate_arrived = 0;
		r->gate_passed++;
		pthread_cond_broadcast(&r->changed);
	}
	pthread_mutex_unlock(&r->lock);
	return atomic_load(ret_done_ns);
}

static void
enter_counted(struct io_thread *t, int64_t at_ns)
{
	struct runner *r = t->runner;
	if (atomic_fetch_add(&r->n_entered, 1) == 0) {
		run_usage(&r->user_us[0], &r->sys_us[0]);
		atomic_store(&r->count_start_ns, at_ns);
	}
}

static void
leave_counted(struct io_thread *t, int64_t at_ns)
{
	struct runner *r = t->runner;
	if (atomic_fetch_add(&r->n_left, 1) + 1 == r->n_threads) {
		run_usage(&r->user_us[1], &r->sys_us[1]);
		atomic_store(&r->count_end_ns, at_ns);
	}
}

// An open loop that fell behind: what is still due, and what is in flight,
// enters the histogram with the age it has reached, or the slowest would be missing.
static void
count_backlog(struct io_thread *t, int64_t at_ns)
{
	if (t->pace.gap_ns <= 0)
		return;
	bool writes = param_number(t->runner->config.params, "read", 100) <= 0;
	struct hist *h = &t->current->lat[writes ? WIRE_WRITES : WIRE_READS];
	uint64_t behind = pace_backlog_ages(&t->pace, at_ns, h);
	for (uint32_t i = 0; behind && i < t->depth; i++)
		if (t->requests[i].start_ns && t->requests[i].due_ns < at_ns)
			hist_add(h, (uint64_t)(at_ns - t->requests[i].due_ns));
	atomic_fetch_add(&t->runner->backlog, behind);
}

// Settle time; returns whether a counted part follows.
static bool
settle(struct io_thread *t, int64_t *now_ns)
{
	struct runner *r = t->runner;
	*now_ns = pump(t, *now_ns, r->settle_end_ns);
	if (r->gated) {
		*now_ns = drain(t, *now_ns);
		*now_ns = gate(t, sync_file, &r->count_start_ns);
		if (atomic_load(&r->end_ns) <= r->settle_end_ns)
			return false;
		cut(t, *now_ns, TALLY_COUNTED);
		enter_counted(t, *now_ns);
		return true;
	}
	int64_t end = atomic_load(&r->end_ns);
	if (end <= r->settle_end_ns) {
		cut(t, end, TALLY_DRAIN);
		return false;
	}
	cut(t, r->settle_end_ns, TALLY_COUNTED);
	enter_counted(t, r->settle_end_ns);
	return true;
}

static void
counted(struct io_thread *t, int64_t *now_ns)
{
	struct runner *r = t->runner;
	*now_ns = pump(t, *now_ns, INT64_MAX);
	int64_t end = atomic_load(&r->end_ns);
	if (r->gated) {
		*now_ns = drain(t, *now_ns);
		*now_ns = gate(t, sync_file, &r->count_end_ns);
		count_backlog(t, end);
		leave_counted(t, *now_ns);
		cut(t, *now_ns, TALLY_DRAIN);
		return;
	}
	count_backlog(t, end);
	leave_counted(t, end);
	cut(t, end, TALLY_DRAIN);
}

// Every turn from the same state: an empty file, the generator at its beginning.
static int64_t
start_fresh(struct io_thread *t)
{
	const struct runner *r = t->runner;
	t->block->init(t->generator, r->config.params, r->config.scratch->bytes, t->index, r->n_threads, NULL);
	return gate(t, scratch_empty, &t->runner->fresh_ns);
}

static void
run_turn(struct io_thread *t)
{
	struct runner *r = t->runner;
	int64_t now_ns = r->start_ns;
	bool settling = r->settle_end_ns > r->start_ns;

	t->current = tally_ring_current(&t->ring);
	t->current->t0_ns = now_ns;
	t->tick_ns = now_ns + RUNNER_TICK_NS;
	t->phase = settling ? TALLY_SETTLE : TALLY_COUNTED;
	t->n_done = 0;
	pace_start(&t->pace, now_ns, t->index, r->n_threads);
	if (t->broken) {
		struct runner_fault fault = { .t_ns = now_ns, .result = -EIO };
		end_turn_with(t, -EIO, &fault, now_ns);
	}
	if (t->block->fresh)
		now_ns = start_fresh(t);
	if (!settling)
		enter_counted(t, r->start_ns);
	if (!settling || settle(t, &now_ns))
		counted(t, &now_ns);
	now_ns = drain(t, now_ns);
	cut(t, now_ns, TALLY_DRAIN);
	if (atomic_fetch_add(&r->n_finished, 1) + 1 == r->n_threads) {
		uint64_t one = 1;
		r->end_of_turn_ns = now_ns;
		ssize_t ignored = write(r->config.notify_fd, &one, sizeof(one));
		(void)ignored;
	}
}

static void
open_backend(struct io_thread *t)
{
	const struct runner_config *c = &t->runner->config;
	struct backend_config config = {
		.fd = c->scratch->fd,
		.queue_depth = t->depth,
		.buffer_bytes = t->content.region_bytes,
		.buffers = t->content.memory,
		.iopoll = param_number(c->params, "iopoll", 0) > 0,
		.sqpoll = param_number(c->params, "sqpoll", 0) > 0,
		.fault = c->fault,
	};
	t->open_result = t->backend->open(&config, &t->backend_state, &t->open_error);
}

void *
io_thread_main(void *arg)
{
	struct io_thread *t = arg;
	struct runner *r = t->runner;
	unsigned turn = 0;

	prctl(PR_SET_TIMERSLACK, 1);
	// By the thread that will use it: a ring may be bound to its only submitter.
	open_backend(t);
	pthread_mutex_lock(&r->lock);
	r->n_opened++;
	pthread_cond_broadcast(&r->changed);
	while (t->open_result == 0) {
		while (!r->quit && r->turn == turn)
			pthread_cond_wait(&r->changed, &r->lock);
		if (r->quit)
			break;
		turn = r->turn;
		pthread_mutex_unlock(&r->lock);
		run_turn(t);
		pthread_mutex_lock(&r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	if (t->open_result == 0)
		t->backend->close(t->backend_state);
	return NULL;
}

int
io_thread_prepare(struct io_thread *t, uint32_t depth, uint32_t block_bytes, struct error *err)
{
	const struct param_set *params = t->runner->config.params;
	uint64_t seed = (uint64_t)param_number(params, "seed", 1);

	t->depth = depth;
	t->requests = calloc(depth, sizeof(*t->requests));
	t->free_ring = calloc(depth, sizeof(struct io_request *));
	t->batch = calloc(HAND_OVER_MAX, sizeof(struct io_request *));
	t->done = calloc(depth, sizeof(struct io_request *));
	t->generator = calloc(1, t->block->state_bytes);
	if (!t->requests || !t->free_ring || !t->batch || !t->done || !t->generator)
		return error_set(err, -ENOMEM, "not enough memory for %u requests", depth);
	int r = content_init(&t->content, depth, block_bytes, param_number(params, "read", 0), param_number(params, "compress", 0), seed, t->index,
			     err);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < depth; i++) {
		t->requests[i] = (struct io_request){ .slot = i };
		free_put(t, &t->requests[i]);
	}
	tally_ring_init(&t->ring);
	return 0;
}

void
io_thread_release(struct io_thread *t)
{
	content_fini(&t->content);
	free(t->requests);
	free(t->free_ring);
	free(t->batch);
	free(t->done);
	free(t->generator);
	free(t);
}
