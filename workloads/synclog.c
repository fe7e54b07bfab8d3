// SPDX-License-Identifier: MIT
// A log: records are appended to a file that starts empty each turn, and each
// is durable (fdatasync) before the next one of its thread begins. What a
// database's log, etcd or a ZFS slog sees. Rule: one record at a time per
// thread; how long the sync took is a latency of its own.
#include "workloads.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct synclog {
	uint64_t first, last, at; // this thread's part of the file
	uint32_t record_bytes;
	uint32_t sync_next;
};

static int
synclog_init(void *state, const struct param_set *params, uint64_t area_bytes, unsigned thread, unsigned n_threads, struct error *err)
{
	struct synclog *s = state;
	memset(s, 0, sizeof(*s));
	s->record_bytes = (uint32_t)param_number(params, "bs", 4096);
	uint64_t records = area_bytes / n_threads / s->record_bytes;
	if (records == 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "synclog: %.0f bytes are too small for %u threads with bs=%s", (double)area_bytes,
					n_threads, param_text(params, "bs", "4k"));
	s->first = s->at = records * s->record_bytes * thread;
	s->last = s->first + records * s->record_bytes;
	return 0;
}

static void
synclog_next(void *state, struct io_intent *ret)
{
	struct synclog *s = state;
	if (s->sync_next) {
		*ret = (struct io_intent){ .op = IO_FDATASYNC };
		s->sync_next = 0;
		return;
	}
	*ret = (struct io_intent){ .op = IO_WRITE, .offset = s->at, .length = s->record_bytes };
	s->sync_next = 1;
	s->at += s->record_bytes;
	if (s->at == s->last)
		s->at = s->first;
}

static int
synclog_needs(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	if (isnan(param_number(set, "size", NAN))) {
		uint64_t size = target->kind == TARGET_DIRECTORY ? target->free_bytes / 4 : target->size_bytes;
		param_complete(set, "size", (double)(size > UINT64_C(4) << 30 ? UINT64_C(4) << 30 : size / 4096 * 4096));
	}
	double size = param_number(set, "size", 0);
	if (target->kind != TARGET_DIRECTORY && size > (double)target->size_bytes)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "synclog: size=%s is more than %.250s has", param_text(set, "size", ""), target->path);
	if (param_number(set, "direct", 0) > 0 && (target->direct_ok == 0 || (uint64_t)param_number(set, "bs", 4096) % 512))
		return error_set_status(err, -EOPNOTSUPP, EXIT_USAGE, "synclog: direct=1 is not possible here (bs must be a multiple of 512, and the target must allow it)");
	*ret = (struct workload_needs){
		.space_bytes = target->kind == TARGET_DIRECTORY ? (uint64_t)size : 0,
		.traffic = TRAFFIC_WRITES,
		.writes = 1,
		.buffered = param_number(set, "direct", 0) <= 0,
		.primary = "iops",
		.queue_depth = 1,
		.threads = (uint32_t)param_number(set, "threads", 1),
	};
	return 0;
}

static const struct block_ops synclog_block = {
	.init = synclog_init,
	.next = synclog_next,
	.state_bytes = sizeof(struct synclog),
	.fresh = 1,
};

static const struct param_spec synclog_params[] = {
	{ "bs", PARAM_SIZE, "bytes", "4k", 16, 1 << 26, NULL, "size of each record" },
	{ "threads", PARAM_COUNT, "", "1", 1, 64, NULL, "writers, each with its own part of the log" },
	{ "size", PARAM_SIZE, "bytes", "", 4096, 0x1p50, NULL,
	  "where the log begins again from the front; default: the smaller of 4g and a quarter of the free space" },
	{ "direct", PARAM_BOOL, "", "0", 0, 1, NULL, "1 bypasses the page cache (the sync is made all the same)" },
	{ "compress", PARAM_PERCENT, "%", "0", 0, 100, NULL, "share of each record that is zeros and can be compressed away" },
	{ "seed", PARAM_COUNT, "", "1", 0, 0x1p53, NULL, "of the content" },
	{ "backend", PARAM_CHOICE, "", "sync", 1, 0, "uring|sync|null", "plain calls as a database makes them, or io_uring" },
	{ "cpus", PARAM_TEXT, "", "", 1, 0, NULL, "pins the worker to these CPUs, for instance 0-3,8" },
	{ 0 },
};

const struct workload workload_synclog = {
	.name = "synclog",
	.summary = "appends with an fdatasync each: what a database's log, etcd or a ZFS slog sees",
	.shape = WORKLOAD_BLOCK,
	.params = synclog_params,
	.needs = synclog_needs,
	.block = &synclog_block,
};
