// SPDX-License-Identifier: MIT
// Owns the I/O threads: starts them, begins and ends turns, collects what
// they publish. Rule: nothing here waits for an I/O, so that a hung device
// never hangs the one who talks to ioduel.
#include "io_thread.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// What PAUSE leaves the threads to see it before it takes effect.
#define PAUSE_AHEAD_NS NS_PER_MS

static void
wake(int sig)
{
	(void)sig;
}

static int
start_threads(struct runner *r, uint32_t depth, uint32_t block_bytes, struct error *err)
{
	for (unsigned i = 0; i < r->n_threads; i++) {
		struct io_thread *t = calloc(1, sizeof(*t));
		if (!t)
			return error_set(err, -ENOMEM, "out of memory");
		r->thread[i] = t;
		t->runner = r;
		t->index = i;
		t->block = r->config.workload->block;
		t->backend = r->config.backend;
		int result = io_thread_prepare(t, depth, block_bytes, err);
		if (result == 0)
			result = t->block->init(t->generator, r->config.params, r->config.scratch->bytes, i, r->n_threads, err);
		if (result < 0)
			return result;
		double rate = param_number(r->config.params, "rate", 0) / r->n_threads;
		pace_init(&t->pace, rate, strcmp(param_text(r->config.params, "arrival", "even"), "poisson") == 0,
			  (uint64_t)param_number(r->config.params, "seed", 1), i);
		result = pthread_create(&t->id, NULL, io_thread_main, t);
		if (result) {
			io_thread_release(t);
			r->thread[i] = NULL;
			return error_set(err, -result, "cannot start an I/O thread: %s", strerror(result));
		}
	}
	return 0;
}

static int
wait_opened(struct runner *r, struct error *err)
{
	int result = 0;
	pthread_mutex_lock(&r->lock);
	while (r->n_opened < r->n_threads)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
	for (unsigned i = 0; i < r->n_threads && result == 0; i++) {
		result = r->thread[i]->open_result;
		if (result < 0 && err)
			*err = r->thread[i]->open_error;
	}
	return result;
}

static void
release(struct runner *r)
{
	for (unsigned i = 0; i < r->n_threads; i++)
		if (r->thread[i])
			io_thread_release(r->thread[i]);
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->changed);
	free(r->thread);
	free(r);
}

// Threads that were prepared but not created have no id; those end the list.
static void
stop_created(struct runner *r)
{
	pthread_mutex_lock(&r->lock);
	r->quit = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	for (unsigned i = 0; i < r->n_threads; i++)
		if (r->thread[i] && r->thread[i]->id)
			pthread_join(r->thread[i]->id, NULL);
}

int
runner_new(const struct runner_config *config, struct runner **ret, struct error *err)
{
	uint32_t depth = (uint32_t)param_number(config->params, "qd", 1);
	struct sigaction sa = { .sa_handler = wake };
	struct runner *r = calloc(1, sizeof(*r));

	if (!r)
		return error_set(err, -ENOMEM, "out of memory");
	if (config->backend->max_depth && depth > config->backend->max_depth)
		depth = config->backend->max_depth;
	r->config = *config;
	r->n_threads = (unsigned)param_number(config->params, "threads", 1);
	r->gated = !config->scratch->direct && config->scratch->fd >= 0 && param_number(config->params, "read", 100) < 100;
	r->thread = calloc(r->n_threads, sizeof(struct io_thread *));
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	// Without SA_RESTART: a blocked thread must notice that its turn is over.
	sigaction(SIGUSR1, &sa, NULL);
	int result = r->thread ? start_threads(r, depth, (uint32_t)param_number(config->params, "bs", 4096), err)
			       : error_set(err, -ENOMEM, "out of memory");
	if (result == 0)
		result = wait_opened(r, err);
	if (result < 0) {
		if (!r->thread)
			r->n_threads = 0;
		stop_created(r);
		release(r);
		return result;
	}
	*ret = r;
	return 0;
}

uint32_t
runner_depth(const struct runner *r)
{
	return r->thread[0]->depth;
}

int64_t
runner_start_ns(const struct runner *r)
{
	return r->start_ns;
}

void
runner_go(struct runner *r, int64_t settle_ns, int64_t slice_ns)
{
	pthread_mutex_lock(&r->lock);
	r->start_ns = clock_now_ns();
	r->settle_end_ns = r->start_ns + settle_ns;
	r->slice_end_ns = slice_ns > 0 ? r->start_ns + slice_ns : INT64_MAX;
	r->end_ns = r->slice_end_ns;
	r->count_start_ns = r->count_end_ns = 0;
	r->n_entered = r->n_left = r->n_finished = r->n_faults = 0;
	r->status = 0;
	r->backlog = 0;
	r->turn++;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

void
runner_pause(struct runner *r)
{
	int64_t at = clock_now_ns() + PAUSE_AHEAD_NS;
	int64_t end = atomic_load(&r->end_ns);
	while (end > at && !atomic_compare_exchange_weak(&r->end_ns, &end, at))
		;
	for (unsigned i = 0; i < r->n_threads; i++)
		pthread_kill(r->thread[i]->id, SIGUSR1);
}

bool
runner_finished(struct runner *r)
{
	return atomic_load(&r->n_finished) == r->n_threads;
}

enum tally_phase
runner_phase(const struct runner *r, int64_t *ret_since_ns)
{
	struct runner *s = (struct runner *)(uintptr_t)r;
	int64_t now = clock_now_ns(), end = atomic_load(&s->end_ns);
	int64_t count_start = atomic_load(&s->count_start_ns), count_end = atomic_load(&s->count_end_ns);
	if (r->gated) {
		*ret_since_ns = count_end ? count_end : count_start ? count_start : r->start_ns;
		return count_end ? TALLY_DRAIN : count_start ? TALLY_COUNTED : TALLY_SETTLE;
	}
	if (now >= end) {
		*ret_since_ns = end;
		return TALLY_DRAIN;
	}
	bool counted = now >= r->settle_end_ns;
	*ret_since_ns = counted ? r->settle_end_ns : r->start_ns;
	return counted ? TALLY_COUNTED : TALLY_SETTLE;
}

// Gauges are added up over threads; each thread's own last one counts.
static void
take(struct tally *into, const struct tally *from, uint64_t *inflight, uint64_t *backlog)
{
	if (into->t1_ns == 0 || from->t0_ns < into->t0_ns)
		into->t0_ns = from->t0_ns;
	if (from->t1_ns > into->t1_ns)
		into->t1_ns = from->t1_ns;
	into->phase = from->phase;
	tally_merge(into, from);
	*inflight = from->inflight;
	*backlog = from->backlog;
}

bool
runner_collect(struct runner *r, struct tally by_phase[TALLY_PHASES])
{
	bool any = false, seen[TALLY_PHASES] = { false };
	for (unsigned i = 0; i < r->n_threads; i++) {
		struct tally_ring *ring = &r->thread[i]->ring;
		uint64_t inflight[TALLY_PHASES] = { 0 }, backlog[TALLY_PHASES] = { 0 };
		for (const struct tally *t; (t = tally_ring_peek(ring)); tally_ring_release(ring)) {
			if (!seen[t->phase])
				by_phase[t->phase].inflight = by_phase[t->phase].backlog = 0;
			seen[t->phase] = any = true;
			take(&by_phase[t->phase], t, &inflight[t->phase], &backlog[t->phase]);
		}
		for (int p = 0; p < TALLY_PHASES; p++) {
			by_phase[p].inflight += inflight[p];
			by_phase[p].backlog += backlog[p];
		}
	}
	return any;
}

bool
runner_take_fault(struct runner *r, struct runner_fault *ret)
{
	for (unsigned i = 0; i < r->n_threads; i++) {
		struct io_thread *t = r->thread[i];
		uint32_t tail = atomic_load(&t->fault_tail);
		if (tail == atomic_load(&t->fault_head))
			continue;
		*ret = t->fault[tail % RUNNER_FAULT_SLOTS];
		atomic_store(&t->fault_tail, tail + 1);
		return true;
	}
	return false;
}

void
runner_end(struct runner *r, struct runner_end *ret)
{
	bool counted = r->n_entered > 0;
	*ret = (struct runner_end){
		.status = r->status,
		.last = r->last_fault,
		.too_many = r->n_faults > RUNNER_FAULTS_MAX,
		.paused = r->end_ns < r->slice_end_ns && r->status == 0,
		.start_ns = r->start_ns,
		.count_start_ns = counted ? r->count_start_ns : 0,
		.count_end_ns = counted ? r->count_end_ns : 0,
		.submit_end_ns = r->end_ns,
		.end_ns = r->end_of_turn_ns,
		.user_us = counted ? r->user_us[1] - r->user_us[0] : 0,
		.sys_us = counted ? r->sys_us[1] - r->sys_us[0] : 0,
		.backlog = r->backlog,
	};
}

bool
runner_free(struct runner *r, int64_t wait_ns)
{
	if (!r)
		return true;
	pthread_mutex_lock(&r->lock);
	r->quit = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	runner_pause(r);
	int64_t until = clock_wall_ns() + wait_ns;
	struct timespec ts = { .tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S };
	for (unsigned i = 0; i < r->n_threads; i++)
		if (pthread_timedjoin_np(r->thread[i]->id, NULL, &ts) != 0)
			return false;
	release(r);
	return true;
}
