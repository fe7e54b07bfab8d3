// SPDX-License-Identifier: MIT
// io_uring, one ring per thread, opened by the thread that uses it. Rule: the
// only system call of the measured loop is io_uring_enter: one per reap, which
// also hands over what the last submit() queued, and one per submit() before it.
#include <ioduel/backend.h>

#include <errno.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

// Newer than some headers; a kernel that lacks them says EINVAL.
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif

struct uring_state {
	struct io_uring ring;
	int fd;
	bool fixed_file, fixed_buffers;
};

static int
ring_init(struct uring_state *s, const struct backend_config *config)
{
	unsigned base = config->iopoll ? IORING_SETUP_IOPOLL : 0;
	unsigned choices[4], n = 0;
	if (config->sqpoll) {
		choices[n++] = base | IORING_SETUP_SQPOLL | IORING_SETUP_SINGLE_ISSUER;
		choices[n++] = base | IORING_SETUP_SQPOLL;
	} else {
		choices[n++] = base | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
		choices[n++] = base | IORING_SETUP_COOP_TASKRUN;
		choices[n++] = base;
	}
	int r = -EINVAL;
	for (unsigned i = 0; i < n && r == -EINVAL; i++)
		r = io_uring_queue_init(config->queue_depth, &s->ring, choices[i]);
	return r;
}

static void
register_resources(struct uring_state *s, const struct backend_config *config)
{
	// Both are only faster; a memlock limit may forbid the buffers.
	s->fixed_file = io_uring_register_files(&s->ring, &config->fd, 1) == 0;
	struct iovec *iov = calloc(config->queue_depth, sizeof(*iov));
	if (!iov)
		return;
	for (uint32_t i = 0; i < config->queue_depth; i++)
		iov[i] = (struct iovec){ (char *)config->buffers + (size_t)i * config->buffer_bytes, config->buffer_bytes };
	s->fixed_buffers = io_uring_register_buffers(&s->ring, iov, config->queue_depth) == 0;
	free(iov);
}

// Whether the device can be polled is known only once it was asked.
static int
try_polling(struct uring_state *s, const struct backend_config *config)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&s->ring);
	struct io_uring_cqe *cqe;
	io_uring_prep_read(sqe, config->fd, config->buffers, config->buffer_bytes < 4096 ? config->buffer_bytes : 4096, 0);
	int r = io_uring_submit(&s->ring);
	if (r < 0 || (r = io_uring_wait_cqe(&s->ring, &cqe)) < 0)
		return r;
	r = cqe->res;
	io_uring_cqe_seen(&s->ring, cqe);
	return r < 0 ? r : 0;
}

static int
uring_open(const struct backend_config *config, void **ret_state, struct error *err)
{
	struct uring_state *s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(err, -ENOMEM, "out of memory");
	int r = ring_init(s, config);
	if (r < 0) {
		free(s);
		return error_set(err, r, "io_uring is not available (%s)", strerror(-r));
	}
	s->fd = config->fd;
	r = config->iopoll ? try_polling(s, config) : 0;
	if (r < 0) {
		io_uring_queue_exit(&s->ring);
		free(s);
		return error_set_status(err, r, EXIT_USAGE, "iopoll=1: the device cannot be polled (%s); its driver needs poll queues", strerror(-r));
	}
	register_resources(s, config);
	*ret_state = s;
	return 0;
}

static void
prepare(struct uring_state *s, struct io_uring_sqe *sqe, struct io_request *request)
{
	const struct io_intent *in = &request->intent;
	int fd = s->fixed_file ? 0 : s->fd;
	switch (in->op) {
	case IO_READ:
		if (s->fixed_buffers)
			io_uring_prep_read_fixed(sqe, fd, request->buffer, in->length, in->offset, (int)request->slot);
		else
			io_uring_prep_read(sqe, fd, request->buffer, in->length, in->offset);
		break;
	case IO_WRITE:
		if (s->fixed_buffers)
			io_uring_prep_write_fixed(sqe, fd, request->buffer, in->length, in->offset, (int)request->slot);
		else
			io_uring_prep_write(sqe, fd, request->buffer, in->length, in->offset);
		sqe->rw_flags = in->flags & IO_DSYNC ? RWF_DSYNC : 0;
		break;
	case IO_FSYNC:
		io_uring_prep_fsync(sqe, fd, 0);
		break;
	case IO_FDATASYNC:
		io_uring_prep_fsync(sqe, fd, IORING_FSYNC_DATASYNC);
		break;
	}
	if (s->fixed_file)
		sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, request);
}

// What the kernel does not take now stays queued.
static int
submit_queued(struct uring_state *s)
{
	int r = io_uring_submit(&s->ring);
	return r < 0 && r != -EINTR && r != -EAGAIN && r != -EBUSY ? r : 0;
}

static int
uring_submit(void *state, struct io_request *const *requests, unsigned n)
{
	struct uring_state *s = state;
	if (io_uring_sq_ready(&s->ring)) {
		int r = submit_queued(s);
		if (r < 0)
			return r;
	}
	for (unsigned i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&s->ring);
		while (!sqe) {
			// The kernel has not taken all of an earlier batch yet (it may stop at an error, or poll).
			int r = submit_queued(s);
			if (r < 0)
				return r;
			sqe = io_uring_get_sqe(&s->ring);
		}
		prepare(s, sqe, requests[i]);
	}
	return 0;
}

static int
uring_reap(void *state, unsigned min, int64_t wait_ns, struct io_request **done, unsigned max)
{
	struct uring_state *s = state;
	struct io_uring_cqe *cqe = NULL;
	struct __kernel_timespec ts = { .tv_sec = wait_ns / 1000000000, .tv_nsec = wait_ns % 1000000000 };
	int r = io_uring_submit_and_wait_timeout(&s->ring, &cqe, min, &ts, NULL);
	if (r < 0 && r != -ETIME && r != -EINTR && r != -EAGAIN && r != -EBUSY)
		return r;
	unsigned head, n = 0;
	io_uring_for_each_cqe(&s->ring, head, cqe) {
		if (n == max)
			break;
		struct io_request *request = io_uring_cqe_get_data(cqe);
		request->result = cqe->res;
		done[n++] = request;
	}
	io_uring_cq_advance(&s->ring, n);
	return (int)n;
}

static void
uring_close(void *state)
{
	struct uring_state *s = state;
	if (!s)
		return;
	// Closing a ring gives its file back some time later, in the kernel's own thread; a file system could then
	// not be unmounted, and its space not be used, right after the program has ended.
	if (s->fixed_file)
		(void)io_uring_unregister_files(&s->ring);
	io_uring_queue_exit(&s->ring);
	free(s);
}

const struct backend backend_uring = {
	.name = "uring",
	.open = uring_open,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
