// SPDX-License-Identifier: MIT
// Blocking calls with planned failures, for tests: "eio=N" makes every Nth
// request fail, "short=N" cuts every Nth to half, "enospc=BYTES" refuses
// writes once so many bytes were written, "slow=MS" delays each, "gone=N"
// fails all from the Nth on with ENODEV. Rule: reachable by
// configuration of the worker only, never by a parameter of a workload.
#include "sync.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fault_state {
	int fd;
	uint64_t eio, cut, enospc, slow_ms, gone; // 0 = off
	uint64_t requests, written;
	struct io_request *request;
};

static int
parse_plan(struct fault_state *s, const char *plan, struct error *err)
{
	struct { const char *name; uint64_t *to; } keys[] = {
		{ "eio=", &s->eio }, { "short=", &s->cut }, { "enospc=", &s->enospc }, { "slow=", &s->slow_ms }, { "gone=", &s->gone },
	};
	while (plan && *plan) {
		size_t i;
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (strncmp(plan, keys[i].name, strlen(keys[i].name)) == 0)
				break;
		if (i == sizeof(keys) / sizeof(keys[0]))
			return error_set(err, -EINVAL, "no such fault: %.100s", plan);
		char *end;
		*keys[i].to = strtoull(plan + strlen(keys[i].name), &end, 10);
		plan = *end == ',' ? end + 1 : end;
	}
	return 0;
}

static int
fault_open(const struct backend_config *config, void **ret_state, struct error *err)
{
	struct fault_state *s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(err, -ENOMEM, "out of memory");
	s->fd = config->fd;
	int r = parse_plan(s, config->fault, err);
	if (r < 0) {
		free(s);
		return r;
	}
	*ret_state = s;
	return 0;
}

static int32_t
execute(struct fault_state *s, struct io_request *request)
{
	uint64_t n = ++s->requests;
	if (s->slow_ms) {
		struct timespec ts = { (time_t)(s->slow_ms / 1000), (long)(s->slow_ms % 1000) * 1000000 };
		nanosleep(&ts, NULL);
	}
	if (s->gone && n >= s->gone)
		return -ENODEV;
	if (s->eio && n % s->eio == 0)
		return -EIO;
	if (request->intent.op == IO_WRITE) {
		if (s->enospc && s->written >= s->enospc)
			return -ENOSPC;
		s->written += request->intent.length;
	}
	int32_t result = s->fd >= 0 ? sync_execute(s->fd, request) : (int32_t)request->intent.length;
	if (s->cut && n % s->cut == 0 && result > 1)
		result /= 2;
	return result;
}

static int
fault_submit(void *state, struct io_request *const *requests, unsigned n)
{
	struct fault_state *s = state;
	if (n == 0)
		return 0;
	if (n > 1 || s->request)
		return -EBUSY;
	requests[0]->result = execute(s, requests[0]);
	s->request = requests[0];
	return 0;
}

static int
fault_reap(void *state, unsigned min, int64_t wait_ns, struct io_request **done, unsigned max)
{
	struct fault_state *s = state;
	(void)min;
	(void)wait_ns;
	if (!s->request || max == 0)
		return 0;
	done[0] = s->request;
	s->request = NULL;
	return 1;
}

static void
fault_close(void *state)
{
	free(state);
}

const struct backend backend_fault = {
	.name = "fault",
	.max_depth = 1,
	.open = fault_open,
	.submit = fault_submit,
	.reap = fault_reap,
	.close = fault_close,
};
