// SPDX-License-Identifier: MIT
// The worker's main thread: a poll loop over the socket, a timer, signals and
// the other threads' notices. Rule: it never blocks, so that ioduel's death
// or wish to end is always heard.
#include "worker.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define JOB_TICK_NS (100 * NS_PER_MS)
// How long a job may take to notice that it is to stop.
#define JOB_STOP_NS (10 * NS_PER_S)

void
worker_note(struct worker *w, enum wire_note_kind kind, int64_t t_ns, const char *text)
{
	struct wire_note note = { .kind = kind, .turn = w->turn.number, .t_ns = t_ns };
	snprintf(note.text, sizeof(note.text), "%s", text);
	outbox_send(&w->outbox, WIRE_NOTE, &note, sizeof(note), -1);
}

static void
fail(struct worker *w, const struct error *err)
{
	struct wire_note note = { .kind = WIRE_NOTE_ERROR, .turn = (uint32_t)err->exit_status, .t_ns = clock_now_ns() };
	snprintf(note.text, sizeof(note.text), "%s", err->text);
	outbox_send(&w->outbox, WIRE_FAILED, &note, sizeof(note), -1);
	w->quit = true;
}

static void
notify(int fd)
{
	uint64_t one = 1;
	ssize_t ignored = write(fd, &one, sizeof(one));
	(void)ignored;
}

static void *
job_main(void *arg)
{
	struct worker *w = arg;
	if (w->job == JOB_DROP_CACHE)
		scratch_drop_cache(&w->scratch);
	else
		w->job_result = worker_prepare(w, &w->job_error);
	atomic_store(&w->job_done, true);
	notify(w->notify_fd);
	return NULL;
}

static void
job_timer(const struct worker *w, bool on)
{
	struct itimerspec its = { 0 };
	if (on)
		its.it_interval.tv_nsec = its.it_value.tv_nsec = JOB_TICK_NS;
	timerfd_settime(w->timer_fd, 0, &its, NULL);
}

static void
start_job(struct worker *w, enum worker_job job)
{
	struct error err = { 0 };
	if (job != JOB_DROP_CACHE && !worker_release(w))
		_exit(EXIT_RUN_FAILED);
	w->job = job;
	w->job_result = 0;
	w->job_error = (struct error){ 0 };
	w->ready = false;
	atomic_store(&w->job_done, false);
	atomic_store(&w->progress.done, 0);
	atomic_store(&w->progress.total, 0);
	int r = pthread_create(&w->job_thread, NULL, job_main, w);
	if (r) {
		w->job = JOB_NONE;
		error_set(&err, -r, "cannot start a thread: %s", strerror(r));
		fail(w, &err);
		return;
	}
	job_timer(w, true);
}

static void
report_progress(struct worker *w)
{
	if (w->pass) {
		struct wire_progress news;
		if (pass_take_progress(w->pass, &news) && outbox_flush(&w->outbox))
			wire_send(w->sock, WIRE_PROGRESS, &news, sizeof(news), -1);
		return;
	}
	struct wire_progress progress = { .done = atomic_load(&w->progress.done), .total = atomic_load(&w->progress.total) };
	snprintf(progress.what, sizeof(progress.what), "laying out files");
	// One more or less does not matter: a full socket loses it.
	if (progress.total && outbox_flush(&w->outbox))
		wire_send(w->sock, WIRE_PROGRESS, &progress, sizeof(progress), -1);
}

static void
finish_job(struct worker *w)
{
	pthread_join(w->job_thread, NULL);
	w->job = JOB_NONE;
	job_timer(w, false);
	if (w->job_result < 0) {
		fail(w, &w->job_error);
		return;
	}
	report_progress(w);
	struct wire_ready ready = {
		.scratch_bytes = w->scratch.bytes,
		.direct = w->scratch.direct,
		.whole_run = w->needs.traffic == TRAFFIC_WHOLE_RUNS,
		.shallower = w->shallower,
	};
	snprintf(ready.backend, sizeof(ready.backend), "%s", w->pass ? "" : w->backend->name);
	snprintf(ready.sentence, sizeof(ready.sentence), "%s", w->sentence);
	w->ready = true;
	outbox_send(&w->outbox, WIRE_READY, &ready, sizeof(ready), w->setup.share_file == 2 ? w->scratch.fd : -1);
}

static void
take_setup(struct worker *w, const void *body, int fd)
{
	memcpy(&w->setup, body, sizeof(w->setup));
	if (w->shared_fd >= 0)
		close(w->shared_fd);
	w->shared_fd = fd;
	start_job(w, JOB_SETUP);
}

static void
dispatch(struct worker *w, enum wire_type type, const void *body, int fd)
{
	bool idle = w->job == JOB_NONE && !w->turn.running;
	struct error err = { 0 };
	if (type == WIRE_SETUP && idle) {
		take_setup(w, body, fd);
		return;
	}
	if (fd >= 0)
		close(fd);
	if (type == WIRE_QUIT) {
		w->quit = true;
	} else if (type == WIRE_PAUSE) {
		// Late by nature: the turn may have ended by itself in the meantime.
		if (w->turn.running)
			worker_turn_stop(w);
	} else if (type == WIRE_GO && idle && w->ready) {
		worker_turn_go(w, body);
	} else if (type == WIRE_REMAKE && idle && w->ready) {
		// The other side's file is not this worker's to make anew.
		start_job(w, w->setup.share_file == 1 ? JOB_DROP_CACHE : JOB_REMAKE);
	} else if (type == WIRE_DROP_CACHE && idle && w->ready) {
		start_job(w, JOB_DROP_CACHE);
	} else {
		error_set(&err, -EPROTO, "message %d came out of turn", (int)type);
		fail(w, &err);
	}
}

static void
receive(struct worker *w)
{
	static _Alignas(8) char buf[WIRE_MAX_BYTES];
	enum wire_type type;
	int fd;
	for (;;) {
		ssize_t n = wire_recv(w->sock, buf, sizeof(buf), &type, &fd);
		if (n == -EAGAIN)
			return;
		if (n < 0 || type == 0) {
			w->quit = true;
			return;
		}
		dispatch(w, type, buf, fd);
		if (w->quit)
			return;
	}
}

static void
handle_notice(struct worker *w)
{
	uint64_t count;
	ssize_t ignored = read(w->notify_fd, &count, sizeof(count));
	(void)ignored;
	if (w->job != JOB_NONE && atomic_load(&w->job_done))
		finish_job(w);
	else if (w->turn.running && (w->pass ? pass_finished(w->pass) : runner_finished(w->runner)))
		worker_turn_end(w);
}

static void
handle_timer(struct worker *w)
{
	uint64_t count;
	ssize_t ignored = read(w->timer_fd, &count, sizeof(count));
	(void)ignored;
	if (w->job != JOB_NONE)
		report_progress(w);
	else if (w->turn.running)
		worker_turn_report(w);
}

static int
open_descriptors(struct worker *w)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigdelset(&set, SIGPIPE);
	w->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	w->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	w->notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return w->signal_fd < 0 || w->timer_fd < 0 || w->notify_fd < 0 ? -errno : 0;
}

// Drains and gives back, or leaves what hangs to the kernel.
static void
shut_down(struct worker *w)
{
	atomic_store(&w->progress.abort, true);
	struct pass *pass = w->pass;
	if (pass)
		pass_stop(pass);
	if (w->job != JOB_NONE) {
		int64_t until = clock_wall_ns() + JOB_STOP_NS;
		struct timespec ts = { .tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S };
		if (pthread_timedjoin_np(w->job_thread, NULL, &ts) != 0)
			_exit(EXIT_RUN_FAILED);
	}
	if (!worker_release(w))
		_exit(EXIT_RUN_FAILED);
	if (w->shared_fd >= 0)
		close(w->shared_fd);
	outbox_flush(&w->outbox);
	outbox_fini(&w->outbox);
}

int
worker_run(int sock)
{
	struct worker *w = calloc(1, sizeof(*w));
	if (!w)
		return EXIT_RUN_FAILED;
	w->sock = sock;
	w->shared_fd = w->scratch.fd = -1;
	outbox_init(&w->outbox, sock);
	if (open_descriptors(w) < 0) {
		free(w);
		return EXIT_RUN_FAILED;
	}
	while (!w->quit) {
		short out = outbox_flush(&w->outbox) ? 0 : POLLOUT;
		struct pollfd fds[] = {
			{ w->sock, (short)(POLLIN | out), 0 },
			{ w->timer_fd, POLLIN, 0 },
			{ w->notify_fd, POLLIN, 0 },
			{ w->signal_fd, POLLIN, 0 },
		};
		if (poll(fds, 4, -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
			receive(w);
		if (!w->quit && fds[1].revents)
			handle_timer(w);
		if (!w->quit && fds[2].revents)
			handle_notice(w);
		if (fds[3].revents)
			break;
	}
	shut_down(w);
	free(w);
	return EXIT_DONE;
}
