// SPDX-License-Identifier: MIT
// Starts, feeds, hears and ends the two worker processes. Rule: whatever a
// worker does, the caller never waits for it longer than a stated time.
#include "workers.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GOODBYE_MS 700

int
workers_init(struct workers *w, const char *program, struct error *err)
{
	memset(w, 0, sizeof(*w));
	w->program = program;
	w->share_fd = -1;
	for (int i = 0; i < SIDES; i++)
		w->worker[i].handle.sock = w->worker[i].handle.pidfd = -1;
	w->buffer = malloc(WIRE_MAX_BYTES);
	for (int i = 0; i < WIRE_CLASSES; i++)
		w->hist[i] = malloc(sizeof(*w->hist[i]));
	if (!w->buffer || !w->hist[0] || !w->hist[1] || !w->hist[2]) {
		workers_fini(w);
		return error_set(err, -ENOMEM, "not enough memory for the workers' messages");
	}
	return 0;
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
worker_forget(struct worker *worker)
{
	close_fd(&worker->handle.sock);
	close_fd(&worker->handle.pidfd);
	worker->handle.pid = 0;
}

// Waits up to timeout_ms for the process to end and reaps it; 1 if it is gone.
static int
worker_wait(struct worker *worker, int timeout_ms)
{
	int64_t until_ns = clock_now_ns() + timeout_ms * NS_PER_MS;
	while (!worker->exited) {
		int status;
		if (waitpid(worker->handle.pid, &status, WNOHANG) != 0) {
			worker->exited = 1;
			break;
		}
		int left_ms = (int)((until_ns - clock_now_ns()) / NS_PER_MS);
		if (left_ms <= 0)
			return 0;
		struct pollfd fd = {.fd = worker->handle.pidfd, .events = POLLIN};
		if (fd.fd < 0)
			left_ms = left_ms < 10 ? left_ms : 10;
		(void)poll(&fd, 1, left_ms);
	}
	return 1;
}

void
workers_kill(struct workers *w, enum side side)
{
	struct worker *worker = &w->worker[side];
	if (worker->handle.pid <= 0)
		return;
	if (!worker->exited) {
		if (!worker->closed)
			(void)wire_send(worker->handle.sock, WIRE_QUIT, NULL, 0, -1);
		close_fd(&worker->handle.sock);
		if (!worker_wait(worker, GOODBYE_MS)) {
			kill(-worker->handle.pid, SIGKILL);
			kill(worker->handle.pid, SIGKILL);
			// A process stuck in the kernel dies once its I/O returns; its files have no names.
			(void)worker_wait(worker, GOODBYE_MS);
		}
	}
	kill(-worker->handle.pid, SIGKILL);
	worker_forget(worker);
}

void
workers_fini(struct workers *w)
{
	for (int i = 0; i < SIDES; i++)
		if (w->worker[i].handle.pid > 0 && !w->worker[i].closed)
			(void)wire_send(w->worker[i].handle.sock, WIRE_QUIT, NULL, 0, -1);
	for (int i = 0; i < SIDES; i++)
		workers_kill(w, (enum side)i);
	close_fd(&w->share_fd);
	free(w->buffer);
	for (int i = 0; i < WIRE_CLASSES; i++)
		free(w->hist[i]);
	memset(w->hist, 0, sizeof(w->hist));
	w->buffer = NULL;
}

static int
fill_setup(struct wire_setup *setup, const struct session_side *config, enum side side, unsigned allow, struct error *err)
{
	size_t at;
	memset(setup, 0, sizeof(*setup));
	setup->allow = allow;
	setup->side_letter = side == SIDE_A ? 'a' : 'b';
	snprintf(setup->path, sizeof(setup->path), "%s", config->path);
	at = (size_t)snprintf(setup->params, sizeof(setup->params), "%s\n", config->params.workload);
	for (int i = 0; i < config->params.n; i++) {
		const struct param_value *value = &config->params.value[i];
		if (!value->text[0])
			continue;
		int n = snprintf(setup->params + at, sizeof(setup->params) - at, "%s=%s\n", value->spec->name, value->text);
		if (n < 0 || (size_t)n >= sizeof(setup->params) - at)
			return error_set(err, -E2BIG, "the workload's parameters are too long");
		at += (size_t)n;
	}
	return 0;
}

int
workers_launch(struct workers *w, enum side side, const struct session_side *config, int share_file, struct error *err)
{
	struct worker *worker = &w->worker[side];
	int pass_fd = -1;
	struct wire_setup *setup = malloc(sizeof(*setup));
	if (!setup)
		return error_set(err, -ENOMEM, "not enough memory to start a worker");
	workers_kill(w, side);
	memset(worker, 0, sizeof(*worker));
	worker->handle.sock = worker->handle.pidfd = -1;
	int rc = fill_setup(setup, config, side, w->allow[side], err);
	if (rc == 0) {
		w->share_wanted = share_file;
		setup->share_file = 2; // its descriptor comes with READY, to see how the file lies
		if (share_file && side != SIDE_A && w->share_fd >= 0) {
			setup->share_file = 1;
			pass_fd = w->share_fd;
		}
		rc = worker_launch(w->program, &worker->handle, err);
	}
	if (rc == 0) {
		rc = wire_send(worker->handle.sock, WIRE_SETUP, setup, sizeof(*setup), pass_fd);
		if (rc) {
			error_set(err, rc, "cannot talk to the worker: %s", strerror(-rc));
			workers_kill(w, side);
		}
	}
	free(setup);
	return rc;
}

int
workers_send(struct workers *w, enum side side, enum wire_type type, const void *body, size_t length)
{
	struct worker *worker = &w->worker[side];
	if (worker->handle.pid <= 0 || worker->closed)
		return -ENOTCONN;
	return wire_send(worker->handle.sock, type, body, length, -1);
}

// Returns 1 if the message became an event.
static int
event_from_message(struct workers *w, enum side side, enum wire_type type, ssize_t length, struct wire_interval *interval,
		   struct event *ev)
{
	const void *body = w->buffer;
	size_t size = (size_t)length;
	switch (type) {
	case WIRE_PROGRESS:
		ev->type = EVENT_PROGRESS;
		ev->progress = body;
		return size == sizeof(*ev->progress);
	case WIRE_READY:
		ev->type = EVENT_READY;
		ev->ready = body;
		return size == sizeof(*ev->ready);
	case WIRE_INTERVAL:
		if (wire_unpack_interval(body, size, interval, w->hist))
			return 0;
		ev->type = EVENT_INTERVAL;
		ev->interval = interval;
		ev->hist = (const struct hist *const *)w->hist;
		return 1;
	case WIRE_TURN_END:
		ev->type = EVENT_TURN_END;
		ev->turn_end = body;
		return size == sizeof(*ev->turn_end);
	case WIRE_NOTE:
		ev->type = EVENT_NOTE;
		ev->note = body;
		return size == sizeof(*ev->note);
	case WIRE_FAILED:
		if (size == sizeof(struct wire_note))
			snprintf(w->worker[side].last_words, sizeof(w->worker[side].last_words), "%.255s",
				 ((const struct wire_note *)body)->text);
		return 0;
	default:
		return 0;
	}
}

void
workers_receive(struct workers *w, enum side side, int max, workers_emit *emit, void *context)
{
	struct worker *worker = &w->worker[side];
	for (int i = 0; i < max && worker->handle.sock >= 0 && !worker->closed; i++) {
		enum wire_type type;
		struct wire_interval interval;
		int fd = -1;
		struct event ev = {.side = side};
		ssize_t length = wire_recv(worker->handle.sock, w->buffer, WIRE_MAX_BYTES, &type, &fd);
		if (length == -EAGAIN)
			return;
		if (length < 0 || type == 0) {
			worker->closed = 1;
			if (length == -EPROTO)
				snprintf(worker->last_words, sizeof(worker->last_words),
					 "the worker speaks another version of the protocol: reinstall ioduel");
			return;
		}
		if (fd >= 0 && type == WIRE_READY)
			trap_read_layout(fd, &w->layout[side]);
		if (fd >= 0 && type == WIRE_READY && side == SIDE_A && w->share_wanted) {
			close_fd(&w->share_fd);
			w->share_fd = fd;
		} else if (fd >= 0) {
			close(fd); // what is open here would keep the space of a worker that has died
		}
		if (event_from_message(w, side, type, length, &interval, &ev)) {
			ev.now_ns = clock_now_ns();
			emit(context, &ev);
		}
	}
}

void
workers_reap(struct workers *w, enum side side, workers_emit *emit, void *context)
{
	struct worker *worker = &w->worker[side];
	struct event ev = {.type = EVENT_WORKER_GONE, .side = side, .now_ns = clock_now_ns()};
	char text[320];
	int status = 0;
	if (worker->handle.pid <= 0 || waitpid(worker->handle.pid, &status, WNOHANG) == 0)
		return;
	worker->exited = 1;
	workers_receive(w, side, 1000, emit, context); // what it said before it ended
	if (worker->last_words[0])
		snprintf(text, sizeof(text), "%s", worker->last_words);
	else if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "the worker was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(text, sizeof(text), "the worker ended with status %d", WEXITSTATUS(status));
	kill(-worker->handle.pid, SIGKILL); // children of the workload, if any
	worker_forget(worker);
	ev.text = text;
	emit(context, &ev);
}
