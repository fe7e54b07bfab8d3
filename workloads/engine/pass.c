// SPDX-License-Identifier: MIT
// Pass workloads: the state between their thread and the main thread. Rule:
// everything shared is under one lock, held for moments only.
#include "pass_run.h"

#include "io_thread.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTES_MAX 32u
#define OUTPUT_MAX 24u // lines kept until the next report

struct pass_state {
	struct pass_setup setup;
	pthread_mutex_t lock;
	pthread_t thread;
	bool started; // a thread that was not joined yet
	atomic_bool stop, finished;
	int stop_fd;

	enum tally_phase phase;
	struct tally tally[TALLY_PHASES];
	bool touched[TALLY_PHASES]; // has something to be collected
	struct wire_note note[NOTES_MAX];
	uint32_t note_first, note_n;
	struct wire_note output[OUTPUT_MAX];
	uint32_t output_first, output_n;
	struct wire_progress progress;
	bool progress_news;
	struct pass_end end;
	uint64_t user_us, sys_us; // when the counted part began
	bool child_runs, child_ran;
};

static void
lock(const struct pass *pass)
{
	pthread_mutex_lock(&pass->state->lock);
}

static void
unlock(const struct pass *pass)
{
	pthread_mutex_unlock(&pass->state->lock);
}

bool
pass_stopping(const struct pass *pass)
{
	return atomic_load(&pass->state->stop);
}

int
pass_stop_fd(const struct pass *pass)
{
	return pass->state->stop_fd;
}

static void
set_phase(struct pass_state *s, enum tally_phase phase, int64_t now)
{
	s->tally[s->phase].t1_ns = now;
	s->touched[s->phase] = true;
	s->phase = phase;
	s->tally[phase].t0_ns = now;
}

void
pass_begin_counted(struct pass *pass)
{
	struct pass_state *s = pass->state;
	lock(pass);
	run_usage(&s->user_us, &s->sys_us);
	s->end.count_start_ns = clock_now_ns();
	set_phase(s, TALLY_COUNTED, s->end.count_start_ns);
	unlock(pass);
}

void
pass_end_counted(struct pass *pass)
{
	struct pass_state *s = pass->state;
	uint64_t user_us, sys_us;
	lock(pass);
	s->end.count_end_ns = clock_now_ns();
	run_usage(&user_us, &sys_us);
	s->end.user_us = user_us - s->user_us;
	s->end.sys_us = sys_us - s->sys_us;
	set_phase(s, TALLY_DRAIN, s->end.count_end_ns);
	unlock(pass);
}

void
pass_child_runs(struct pass *pass, bool runs)
{
	lock(pass);
	pass->state->child_runs = runs;
	pass->state->child_ran = true;
	unlock(pass);
}

bool
pass_child_ran(struct pass *pass, bool forget)
{
	lock(pass);
	bool ran = pass->state->child_ran;
	if (forget)
		pass->state->child_ran = pass->state->child_runs;
	unlock(pass);
	return ran;
}

void
pass_set_counted(struct pass *pass, int64_t start_ns, int64_t end_ns)
{
	lock(pass);
	pass->state->end.count_start_ns = start_ns;
	pass->state->end.count_end_ns = end_ns;
	unlock(pass);
}

void
pass_set_cpu(struct pass *pass, double user_s, double sys_s)
{
	lock(pass);
	pass->state->end.user_us = (uint64_t)(user_s * 1e6);
	pass->state->end.sys_us = (uint64_t)(sys_s * 1e6);
	unlock(pass);
}

void
pass_count(struct pass *pass, enum wire_class class, uint64_t bytes, int64_t latency_ns)
{
	lock(pass);
	struct tally *t = &pass->state->tally[pass->state->phase];
	t->ops[class]++;
	t->bytes[class] += bytes;
	hist_add(&t->lat[class], latency_ns > 0 ? (uint64_t)latency_ns : 0);
	unlock(pass);
}

void
pass_merge(struct pass *pass, struct tally *tally)
{
	lock(pass);
	tally_merge(&pass->state->tally[pass->state->phase], tally);
	unlock(pass);
	tally_init(tally);
}

// Puts a note into a ring; a full ring loses its oldest.
static void
push(struct wire_note *ring, uint32_t size, uint32_t *first, uint32_t *n, const struct wire_note *note)
{
	if (*n == size) {
		*first = (*first + 1) % size;
		(*n)--;
	}
	ring[(*first + (*n)++) % size] = *note;
}

void
pass_note(struct pass *pass, enum wire_note_kind kind, const char *fmt, ...)
{
	struct pass_state *s = pass->state;
	struct wire_note note = { .kind = kind, .turn = pass->turn, .t_ns = clock_now_ns() };
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(note.text, sizeof(note.text), fmt, ap);
	va_end(ap);
	lock(pass);
	push(s->note, NOTES_MAX, &s->note_first, &s->note_n, &note);
	unlock(pass);
}

void
pass_output(struct pass *pass, const char *line)
{
	struct pass_state *s = pass->state;
	struct wire_note note = { .kind = WIRE_NOTE_OUTPUT, .turn = pass->turn, .t_ns = clock_now_ns() };
	snprintf(note.text, sizeof(note.text), "%s", line);
	lock(pass);
	push(s->output, OUTPUT_MAX, &s->output_first, &s->output_n, &note);
	unlock(pass);
}

void
pass_result(struct pass *pass, const char *name, double value, enum wire_result_state state)
{
	struct pass_end *end = &pass->state->end;
	lock(pass);
	if (end->n_results < WIRE_RESULTS_MAX) {
		struct wire_result *r = &end->result[end->n_results++];
		*r = (struct wire_result){ .value = value, .state = isnan(value) && state == WIRE_RESULT_OK ? WIRE_RESULT_NOT_RUN : state };
		snprintf(r->name, sizeof(r->name), "%s", name);
	}
	unlock(pass);
}

void
pass_progress(struct pass *pass, const char *what, uint64_t done, uint64_t total)
{
	struct pass_state *s = pass->state;
	lock(pass);
	s->progress = (struct wire_progress){ .done = done, .total = total };
	snprintf(s->progress.what, sizeof(s->progress.what), "%s", what);
	s->progress_news = true;
	unlock(pass);
}

double
pass_sync_target(struct pass *pass)
{
	struct stat st;
	int64_t start = clock_now_ns();
	int fd = open(pass->target->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NAN;
	int r = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? syncfs(fd) : fsync(fd);
	close(fd);
	return r < 0 ? NAN : (double)(clock_now_ns() - start) / 1e9;
}

static void *
thread_main(void *arg)
{
	struct pass *pass = arg;
	struct pass_state *s = pass->state;
	struct error err = { 0 };
	int status = s->setup.workload->pass->run(pass, &err);
	lock(pass);
	if (s->end.count_start_ns && !s->end.count_end_ns) {
		s->end.count_end_ns = clock_now_ns();
		set_phase(s, TALLY_DRAIN, s->end.count_end_ns);
	}
	s->end.status = status;
	s->end.stopped = atomic_load(&s->stop);
	s->end.end_ns = clock_now_ns();
	set_phase(s, TALLY_DRAIN, s->end.end_ns);
	snprintf(s->end.sentence, sizeof(s->end.sentence), "%.255s", status == 0 ? "" : err.text);
	unlock(pass);
	atomic_store(&s->finished, true);
	uint64_t one = 1;
	ssize_t ignored = write(s->setup.notify_fd, &one, sizeof(one));
	(void)ignored;
	return NULL;
}

int
pass_new(const struct pass_setup *setup, struct pass **ret, struct error *err)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	struct pass_state *s = calloc(1, sizeof(*s));
	if (!pass || !s) {
		free(pass);
		free(s);
		return error_set(err, -ENOMEM, "out of memory");
	}
	*pass = (struct pass){ .params = setup->params, .target = setup->target, .side_letter = setup->side_letter, .state = s };
	s->setup = *setup;
	s->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&s->lock, NULL);
	for (int p = 0; p < TALLY_PHASES; p++)
		tally_init(&s->tally[p]);
	*ret = pass;
	return 0;
}

int
pass_prepare(struct pass *pass, struct error *err)
{
	const struct pass_ops *ops = pass->state->setup.workload->pass;
	return ops->prepare ? ops->prepare(pass, err) : 0;
}

static void
join(struct pass_state *s)
{
	if (s->started)
		pthread_join(s->thread, NULL);
	s->started = false;
}

int
pass_go(struct pass *pass, uint32_t turn, int64_t settle_ns, int64_t slice_ns, struct error *err)
{
	struct pass_state *s = pass->state;
	uint64_t count;
	join(s);
	ssize_t ignored = read(s->stop_fd, &count, sizeof(count));
	(void)ignored;
	pass->turn = turn;
	pass->settle_ns = settle_ns;
	pass->slice_ns = slice_ns;
	atomic_store(&s->stop, false);
	atomic_store(&s->finished, false);
	memset(&s->end, 0, sizeof(s->end));
	s->end.start_ns = clock_now_ns();
	s->phase = TALLY_SETTLE;
	s->tally[TALLY_SETTLE].t0_ns = s->end.start_ns;
	int r = pthread_create(&s->thread, NULL, thread_main, pass);
	if (r)
		return error_set(err, -r, "cannot start a thread: %s", strerror(r));
	s->started = true;
	return 0;
}

void
pass_stop(struct pass *pass)
{
	uint64_t one = 1;
	atomic_store(&pass->state->stop, true);
	ssize_t ignored = write(pass->state->stop_fd, &one, sizeof(one));
	(void)ignored;
}

bool
pass_finished(const struct pass *pass)
{
	return atomic_load(&pass->state->finished);
}

int64_t
pass_start_ns(const struct pass *pass)
{
	return pass->state->end.start_ns;
}

void
pass_collect(struct pass *pass, struct tally by_phase[TALLY_PHASES])
{
	struct pass_state *s = pass->state;
	lock(pass);
	if (!atomic_load(&s->finished)) {
		s->tally[s->phase].t1_ns = clock_now_ns();
		s->touched[s->phase] = true;
	}
	for (int p = 0; p < TALLY_PHASES; p++) {
		struct tally *from = &s->tally[p], *into = &by_phase[p];
		if (!s->touched[p])
			continue;
		if (into->t1_ns == 0)
			into->t0_ns = from->t0_ns;
		into->t1_ns = from->t1_ns;
		tally_merge(into, from);
		int64_t t1 = from->t1_ns;
		tally_init(from);
		from->t0_ns = t1;
		s->touched[p] = false;
	}
	unlock(pass);
}

static bool
pop(const struct wire_note *ring, uint32_t size, uint32_t *first, uint32_t *n, struct wire_note *ret)
{
	if (*n == 0)
		return false;
	*ret = ring[*first];
	*first = (*first + 1) % size;
	(*n)--;
	return true;
}

bool
pass_take_note(struct pass *pass, struct wire_note *ret)
{
	struct pass_state *s = pass->state;
	lock(pass);
	bool got = pop(s->note, NOTES_MAX, &s->note_first, &s->note_n, ret) ||
		   pop(s->output, OUTPUT_MAX, &s->output_first, &s->output_n, ret);
	unlock(pass);
	return got;
}

bool
pass_take_progress(struct pass *pass, struct wire_progress *ret)
{
	struct pass_state *s = pass->state;
	lock(pass);
	bool got = s->progress_news;
	*ret = s->progress;
	s->progress_news = false;
	unlock(pass);
	return got;
}

void
pass_end(struct pass *pass, struct pass_end *ret)
{
	lock(pass);
	*ret = pass->state->end;
	unlock(pass);
}

bool
pass_free(struct pass *pass, int64_t wait_ns)
{
	if (!pass)
		return true;
	struct pass_state *s = pass->state;
	pass_stop(pass);
	if (s->started) {
		int64_t until = clock_wall_ns() + wait_ns;
		struct timespec ts = { .tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S };
		if (pthread_timedjoin_np(s->thread, NULL, &ts) != 0)
			return false;
	}
	if (s->setup.workload->pass->cleanup)
		s->setup.workload->pass->cleanup(pass);
	close(s->stop_fd);
	pthread_mutex_destroy(&s->lock);
	free(s);
	free(pass);
	return true;
}
