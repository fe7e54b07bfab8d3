// SPDX-License-Identifier: MIT
// Blocking calls, one request at a time. Rule: a short transfer is reported
// as it came; it is never completed behind the engine's back.
#include "sync.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

struct sync_state {
	int fd;
	struct io_request *request; // done, not yet reaped
};

int32_t
sync_execute(int fd, const struct io_request *request)
{
	const struct io_intent *in = &request->intent;
	struct iovec iov = { request->buffer, in->length };
	ssize_t n = 0;
	do {
		switch (in->op) {
		case IO_READ:
			n = pread(fd, request->buffer, in->length, (off_t)in->offset);
			break;
		case IO_WRITE:
			if (in->flags & IO_DSYNC)
				n = pwritev2(fd, &iov, 1, (off_t)in->offset, RWF_DSYNC);
			else
				n = pwrite(fd, request->buffer, in->length, (off_t)in->offset);
			break;
		case IO_FSYNC:
			n = fsync(fd);
			break;
		case IO_FDATASYNC:
			n = fdatasync(fd);
			break;
		}
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : (int32_t)n;
}

static int
sync_open(const struct backend_config *config, void **ret_state, struct error *err)
{
	struct sync_state *s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(err, -ENOMEM, "out of memory");
	s->fd = config->fd;
	*ret_state = s;
	return 0;
}

static int
sync_submit(void *state, struct io_request *const *requests, unsigned n)
{
	struct sync_state *s = state;
	if (n == 0)
		return 0;
	if (n > 1 || s->request)
		return -EBUSY;
	requests[0]->result = sync_execute(s->fd, requests[0]);
	s->request = requests[0];
	return 0;
}

static int
sync_reap(void *state, unsigned min, int64_t wait_ns, struct io_request **done, unsigned max)
{
	struct sync_state *s = state;
	(void)min;
	(void)wait_ns;
	if (!s->request || max == 0)
		return 0;
	done[0] = s->request;
	s->request = NULL;
	return 1;
}

static void
sync_close(void *state)
{
	free(state);
}

const struct backend backend_sync = {
	.name = "sync",
	.max_depth = 1,
	.open = sync_open,
	.submit = sync_submit,
	.reap = sync_reap,
	.close = sync_close,
};
