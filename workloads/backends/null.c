// SPDX-License-Identifier: MIT
// Carries out nothing: every request is done at once. It shows the engine's
// own cost and makes everything above it testable. Rule: no system call.
#include <ioduel/backend.h>

#include <errno.h>
#include <stdlib.h>

struct null_state {
	unsigned n, capacity;
	struct io_request *request[];
};

static int
null_open(const struct backend_config *config, void **ret_state, struct error *err)
{
	struct null_state *s = calloc(1, sizeof(*s) + config->queue_depth * sizeof(s->request[0]));
	if (!s)
		return error_set(err, -ENOMEM, "out of memory");
	s->capacity = config->queue_depth;
	*ret_state = s;
	return 0;
}

static int
null_submit(void *state, struct io_request *const *requests, unsigned n)
{
	struct null_state *s = state;
	if (n > s->capacity - s->n)
		return -EBUSY;
	for (unsigned i = 0; i < n; i++) {
		requests[i]->result = (int32_t)requests[i]->intent.length;
		s->request[s->n++] = requests[i];
	}
	return 0;
}

static int
null_reap(void *state, unsigned min, int64_t wait_ns, struct io_request **done, unsigned max)
{
	struct null_state *s = state;
	unsigned n = s->n < max ? s->n : max;
	(void)min;
	(void)wait_ns;
	for (unsigned i = 0; i < n; i++)
		done[i] = s->request[--s->n];
	return (int)n;
}

static void
null_close(void *state)
{
	free(state);
}

const struct backend backend_null = {
	.name = "null",
	.open = null_open,
	.submit = null_submit,
	.reap = null_reap,
	.close = null_close,
};
