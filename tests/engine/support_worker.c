// SPDX-License-Identifier: MIT
// A real worker at the other end of a socket; see support_worker.h.
#include "support_worker.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

void
support_start(struct support_worker *s)
{
	char dir[] = "/tmp/ioduel-test-XXXXXX";
	assert_non_null(mkdtemp(dir));
	support_start_at(s, dir);
	snprintf(s->dir, sizeof(s->dir), "%s", dir);
}

void
support_start_at(struct support_worker *s, const char *path)
{
	struct error err = { 0 };
	memset(s, 0, sizeof(*s));
	s->ready_fd = -1;
	for (int c = 0; c < WIRE_CLASSES; c++)
		hist_init(&s->lat[c]);
	(void)path;
	if (worker_launch(IODUEL_BINARY_DIR "/ioduel-worker", &s->handle, &err) < 0)
		fail_msg("%s", err.text);
}

void
support_setup(struct support_worker *s, const char *workload, const char *path, uint32_t share, int fd)
{
	static struct wire_setup setup;
	static struct param_set set;
	struct error err = { 0 };
	memset(&setup, 0, sizeof(setup));
	if (workload_parse(workload, &set, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(workload_encode(&set, setup.params, sizeof(setup.params)), 0);
	setup.share_file = share;
	setup.side_letter = 'a';
	snprintf(setup.path, sizeof(setup.path), "%s", path ? path : s->dir);
	assert_int_equal(wire_send(s->handle.sock, WIRE_SETUP, &setup, sizeof(setup), fd), 0);
}

void
support_go(struct support_worker *s, uint32_t turn, double settle_s, double slice_s)
{
	struct wire_go go = { .turn = turn, .settle_ns = (int64_t)(settle_s * 1e9), .slice_ns = (int64_t)(slice_s * 1e9) };
	s->n_intervals = s->n_cpu_unknown = 0;
	memset(s->counted_ops, 0, sizeof(s->counted_ops));
	memset(s->counted_bytes, 0, sizeof(s->counted_bytes));
	s->counted_ns = s->last_t1_ns = 0;
	s->counted_user_us = 0;
	assert_int_equal(wire_send(s->handle.sock, WIRE_GO, &go, sizeof(go), -1), 0);
}

static void
take_interval(struct support_worker *s, const void *buf, size_t n)
{
	static struct hist lat[WIRE_CLASSES];
	struct hist *hists[WIRE_CLASSES] = { &lat[0], &lat[1], &lat[2] };
	struct wire_interval in;
	assert_int_equal(wire_unpack_interval(buf, n, &in, hists), 0);
	// Intervals of a turn follow each other without a gap.
	if (s->last_t1_ns)
		assert_int_equal(in.t0_ns, s->last_t1_ns);
	assert_true(in.t1_ns >= in.t0_ns);
	s->last_t1_ns = in.t1_ns;
	s->n_intervals++;
	if (!(in.flags & WIRE_COUNTED))
		return;
	s->counted_ns += in.t1_ns - in.t0_ns;
	s->counted_user_us += in.user_us;
	s->n_cpu_unknown += (in.flags & WIRE_CPU_UNKNOWN) != 0;
	for (int c = 0; c < WIRE_CLASSES; c++) {
		s->counted_ops[c] += in.ops[c];
		s->counted_bytes[c] += in.bytes[c];
		hist_merge(&s->lat[c], &lat[c]);
	}
}

static void
take_note(struct support_worker *s, const struct wire_note *note, bool failed)
{
	if (failed)
		snprintf(s->failed, sizeof(s->failed), "%s", note->text);
	size_t at = strlen(s->notes);
	snprintf(s->notes + at, sizeof(s->notes) - at, "%s\n", note->text);
}

// One message, or fails at the deadline.
static enum wire_type
next_message(struct support_worker *s)
{
	static _Alignas(8) char buf[WIRE_MAX_BYTES];
	enum wire_type type;
	int fd;
	ssize_t n;
	while ((n = wire_recv(s->handle.sock, buf, sizeof(buf), &type, &fd)) == -EAGAIN) {
		struct pollfd p = { s->handle.sock, POLLIN, 0 };
		if (poll(&p, 1, SUPPORT_DEADLINE_MS) == 0)
			fail_msg("the worker said nothing for %d s", SUPPORT_DEADLINE_MS / 1000);
	}
	assert_true(n >= 0);
	switch (type) {
	case WIRE_PROGRESS:
		s->n_progress++;
		break;
	case WIRE_READY:
		memcpy(&s->ready, buf, sizeof(s->ready));
		s->ready_fd = fd;
		break;
	case WIRE_INTERVAL:
		take_interval(s, buf, (size_t)n);
		break;
	case WIRE_TURN_END:
		memcpy(&s->end, buf, sizeof(s->end));
		break;
	case WIRE_NOTE:
	case WIRE_FAILED:
		take_note(s, (const struct wire_note *)(const void *)buf, type == WIRE_FAILED);
		break;
	default:
		assert_int_equal(type, 0);
	}
	return type;
}

enum wire_type
support_wait(struct support_worker *s, enum wire_type type)
{
	for (;;) {
		enum wire_type got = next_message(s);
		if (got == type || got == 0 || (got == WIRE_FAILED && type != (enum wire_type)0))
			return got;
	}
}

void
support_wait_intervals(struct support_worker *s, unsigned n)
{
	for (unsigned want = s->n_intervals + n; s->n_intervals < want;)
		assert_true(next_message(s) != WIRE_TURN_END);
}

int
support_reap(struct support_worker *s)
{
	int status = 0;
	struct pollfd p = { s->handle.pidfd, POLLIN, 0 };
	if (poll(&p, 1, SUPPORT_DEADLINE_MS) == 0)
		fail_msg("the worker does not end");
	assert_int_equal(waitpid(s->handle.pid, &status, 0), s->handle.pid);
	close(s->handle.pidfd);
	return status;
}

unsigned
support_count_names(const char *dir)
{
	unsigned n = 0;
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (const struct dirent *e; (e = readdir(d));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n;
}

void
support_stop(struct support_worker *s)
{
	close(s->handle.sock);
	if (s->ready_fd >= 0)
		close(s->ready_fd);
	int status = support_reap(s);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	if (s->dir[0]) {
		assert_int_equal(support_count_names(s->dir), 0);
		assert_int_equal(rmdir(s->dir), 0);
	}
}
