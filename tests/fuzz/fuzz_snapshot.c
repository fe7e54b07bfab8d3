// SPDX-License-Identifier: MIT
// A session file: opened, walked through, concluded again and exported.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "session/export.h"
#include "session/result_json.h"
#include "session/result_text.h"
#include "session/snapshot_read.h"

static int
take_interval(void *context, const struct snapshot_interval *interval)
{
	*(uint64_t *)context += interval->w.ops[0];
	return 0;
}

static int
take_sample(void *context, const struct sample *s)
{
	*(uint64_t *)context += s->n_disks;
	return 0;
}

static int
take_hist(void *context, int side, int class, int64_t t0_ns, int64_t t1_ns, const struct hist *h)
{
	*(uint64_t *)context += h->count + (uint64_t)side + (uint64_t)class + (uint64_t)(t0_ns < t1_ns);
	return 0;
}

static void
use(struct snapshot_reader *session, FILE *out)
{
	static const struct snapshot_calls calls = { take_interval, take_sample, take_hist };
	uint64_t sum = 0;
	struct error err;
	struct export_source source = { .result = session->result, .session = session };
	snapshot_read_series(session, INT64_MIN, INT64_MAX, &calls, &sum);
	snapshot_read_series(session, session->origin_ns, session->origin_ns, &calls, &sum);
	result_write_text(session->result, out);
	result_write_json(session->result, out);
	export_csv(&source, NULL, out, &err);
	export_html(&source, out, &err);
	result_conclude(session->result, 1);
	result_write_json(session->result, out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err;
	FILE *out = fopen("/dev/null", "w");
	int fd = memfd_create("session", MFD_CLOEXEC);
	if (!out || fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	struct snapshot_reader *session = snapshot_read_fd(fd, "x", &err);
	if (session)
		use(session, out);
	snapshot_read_free(session);
	fclose(out);
	return 0;
}
