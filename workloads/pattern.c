// SPDX-License-Identifier: MIT
// The block patterns: sequential and random reads and writes, and mixtures.
// Rule: every intent lies within the scratch area, is aligned to the block
// size, and depends on nothing but the parameters and the seed.
#include "random.h"
#include "workloads.h"
#include "zipf.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SIZE_DEFAULT_MAX (UINT64_C(4) << 30)
#define BUFFERS_MAX (UINT64_C(1) << 30)

struct pattern {
	struct random random;
	struct zipf zipf;
	uint64_t n_blocks;	   // of the area
	uint64_t first, last, at;  // sequential: this thread's blocks, and the next one
	uint64_t read_below;	   // a random word below this is a read
	uint32_t block_bytes;
	uint32_t write_flags;
	uint32_t fsync_every, writes_since_fsync;
	bool sequential, skewed, only_reads, only_writes;
};

static int
pattern_init(void *state, const struct param_set *params, uint64_t area_bytes, unsigned thread, unsigned n_threads,
	     struct error *err)
{
	struct pattern *p = state;
	double read = param_number(params, "read", 100);
	memset(p, 0, sizeof(*p));
	random_init(&p->random, (uint64_t)param_number(params, "seed", 1), thread + 1);
	p->block_bytes = (uint32_t)param_number(params, "bs", 4096);
	p->n_blocks = area_bytes / p->block_bytes;
	p->sequential = strncmp(params->workload, "seq", 3) == 0;
	if (p->n_blocks == 0 || (p->sequential && p->n_blocks < n_threads))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: %.0f bytes are too small for %u thread%s with bs=%s",
					params->workload, (double)area_bytes, n_threads, n_threads == 1 ? "" : "s",
					param_text(params, "bs", "4k"));
	p->first = p->n_blocks / n_threads * thread;
	p->last = thread + 1 == n_threads ? p->n_blocks : p->n_blocks / n_threads * (thread + 1);
	p->at = p->first;
	p->only_reads = read >= 100;
	p->only_writes = read <= 0;
	p->read_below = p->only_reads ? UINT64_MAX : (uint64_t)(read / 100 * 0x1p64);
	p->fsync_every = (uint32_t)param_number(params, "fsync", 0);
	if (strcmp(param_text(params, "sync", "none"), "dsync") == 0)
		p->write_flags = IO_DSYNC;
	if (strncmp(param_text(params, "dist", "uniform"), "zipf", 4) == 0) {
		p->skewed = true;
		zipf_init(&p->zipf, p->n_blocks, param_number(params, "dist", 1));
	}
	return 0;
}

static void
pattern_next(void *state, struct io_intent *ret)
{
	struct pattern *p = state;
	if (p->fsync_every && p->writes_since_fsync >= p->fsync_every) {
		p->writes_since_fsync = 0;
		*ret = (struct io_intent){ .op = IO_FSYNC };
		return;
	}
	uint64_t block;
	if (p->sequential) {
		block = p->at++;
		if (p->at == p->last)
			p->at = p->first;
	} else if (p->skewed) {
		block = zipf_next(&p->zipf, &p->random);
	} else {
		block = random_below(&p->random, p->n_blocks);
	}
	bool read = p->only_reads || (!p->only_writes && random_next(&p->random) < p->read_below);
	ret->offset = block * p->block_bytes;
	ret->length = p->block_bytes;
	ret->op = read ? IO_READ : IO_WRITE;
	ret->flags = read ? 0 : p->write_flags;
	p->writes_since_fsync += !read;
}

// Fills in size= and direct= where they were left open.
static int
complete(struct param_set *set, const struct target_info *target, struct error *err)
{
	uint64_t bs = (uint64_t)param_number(set, "bs", 4096);
	bool null = strcmp(param_text(set, "backend", "uring"), "null") == 0;
	double size = param_number(set, "size", NAN);
	if (isnan(size)) {
		uint64_t s = target->kind == TARGET_DIRECTORY ? target->free_bytes / 4 : target->size_bytes;
		if (target->kind == TARGET_DIRECTORY && s > SIZE_DEFAULT_MAX)
			s = SIZE_DEFAULT_MAX;
		if (null)
			s = SIZE_DEFAULT_MAX;
		// Round steps, so that two sides on one file system come to the same although its free space moves.
		uint64_t step = s >= UINT64_C(1) << 30 ? 64 << 20 : s >= 16 << 20 ? 1 << 20 : bs;
		size = (double)(s / step * step);
		param_complete(set, "size", size);
	}
	if (size < (double)bs)
		return error_set_status(err, -ENOSPC, null ? EXIT_USAGE : EXIT_REFUSED, "%s: size=%.0f is less than one block of bs=%s",
					set->workload, size, param_text(set, "bs", "4k"));
	if (target->kind != TARGET_DIRECTORY && !null && size > (double)target->size_bytes)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: size=%s is more than %.250s has (%.0f bytes)", set->workload,
					param_text(set, "size", ""), target->path, (double)target->size_bytes);
	const struct param_value *direct = param_get(set, "direct");
	if (isnan(direct->number))
		param_complete(set, "direct", target->direct_ok != 0);
	else if (direct->is_set && direct->number > 0 && target->direct_ok == 0)
		return error_set_status(err, -EOPNOTSUPP, EXIT_USAGE, "%s: direct=1 is not possible on %.300s; use direct=0", set->workload,
					target->path);
	uint32_t align = target->direct_align ? target->direct_align : 512;
	if (param_number(set, "direct", 0) > 0 && !null && bs % align)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: bs=%s must be a multiple of %u for direct I/O (or use direct=0)",
					set->workload, param_text(set, "bs", "4k"), align);
	return 0;
}

static int
pattern_needs(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	int r = complete(set, target, err);
	if (r < 0)
		return r;
	double read = param_number(set, "read", 100);
	double in_flight = param_number(set, "qd", 1) * param_number(set, "threads", 1);
	bool null = strcmp(param_text(set, "backend", "uring"), "null") == 0;
	if (in_flight * param_number(set, "bs", 4096) > (double)BUFFERS_MAX)
		return error_set_status(err, -ENOMEM, EXIT_USAGE, "%s: qd x threads x bs comes to more than 1g of buffers", set->workload);
	if (param_number(set, "iopoll", 0) > 0 && param_number(set, "direct", 0) <= 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: iopoll=1 needs direct=1", set->workload);
	*ret = (struct workload_needs){
		.space_bytes = null || target->kind != TARGET_DIRECTORY ? 0 : (uint64_t)param_number(set, "size", 0),
		.traffic = read >= 100 && param_number(set, "direct", 0) > 0 ? TRAFFIC_READS : TRAFFIC_WRITES,
		.reads = read > 0,
		.writes = read < 100 && !null,
		.buffered = param_number(set, "direct", 0) <= 0,
		.open_loop = param_number(set, "rate", 0) > 0,
		.primary = "iops",
		.queue_depth = (uint32_t)param_number(set, "qd", 1),
		.threads = (uint32_t)param_number(set, "threads", 1),
	};
	ret->layout_bytes = ret->space_bytes;
	return 0;
}

static const struct block_ops pattern_block = {
	.init = pattern_init,
	.next = pattern_next,
	.state_bytes = sizeof(struct pattern),
};

#define ANY 1, 0 // no bounds

#define PATTERN_PARAMS(bs_default, read_default, more) \
	{ \
		{ "bs", PARAM_SIZE, "bytes", bs_default, 512, 1 << 26, NULL, "size of each I/O" }, \
		{ "qd", PARAM_COUNT, "", "32", 1, 4096, NULL, "I/Os in flight, per thread" }, \
		{ "threads", PARAM_COUNT, "", "1", 1, 64, NULL, "threads, each with its own ring and queue" }, \
		{ "size", PARAM_SIZE, "bytes", "", 4096, 0x1p50, NULL, \
		  "scratch file; default: the smaller of 4g and a quarter of the free space; of a file or device: all of it" }, \
		{ "direct", PARAM_BOOL, "", "", 0, 1, NULL, "1 bypasses the page cache; default: 1 where the target allows it" }, \
		{ "read", PARAM_PERCENT, "%", read_default, 0, 100, NULL, "share of reads among the I/Os, the rest are writes" }, \
		more \
		{ "rate", PARAM_NUMBER, "per second", "0", 0, 1e9, NULL, \
		  "I/Os that come due each second, whether or not the target keeps up (open loop); 0: as fast as it goes" }, \
		{ "arrival", PARAM_CHOICE, "", "even", ANY, "even|poisson", "with rate=: evenly spaced, or at random as independent users" }, \
		{ "fsync", PARAM_COUNT, "writes", "0", 0, 1e9, NULL, "an fsync after every so many writes of a thread; 0: none" }, \
		{ "sync", PARAM_CHOICE, "", "none", ANY, "none|dsync", "dsync: every write is durable before it counts as done" }, \
		{ "compress", PARAM_PERCENT, "%", "0", 0, 100, NULL, "share of each block that is zeros and can be compressed away" }, \
		{ "seed", PARAM_COUNT, "", "1", 0, 0x1p53, NULL, "the same seed gives the same sequence of I/Os and the same content" }, \
		{ "backend", PARAM_CHOICE, "", "uring", ANY, "uring|sync|null", \
		  "io_uring; one blocking call at a time per thread; or no I/O at all, to see the engine's own cost" }, \
		{ "iopoll", PARAM_BOOL, "", "0", 0, 1, NULL, "poll the device for completions instead of interrupts (needs direct=1 and a driver that can)" }, \
		{ "sqpoll", PARAM_BOOL, "", "0", 0, 1, NULL, "a kernel thread submits; it uses a core of its own" }, \
		{ "cpus", PARAM_TEXT, "", "", ANY, NULL, "pins the worker to these CPUs, for instance 0-3,8" }, \
		{ 0 } \
	}

#define DIST \
	{ "dist", PARAM_CHOICE, "", "uniform", 0, 10, "uniform|zipf:", \
	  "which blocks: all alike, or zipf:THETA with a few hot ones (0.9 is typical)" },

static const struct param_spec randread_params[] = PATTERN_PARAMS("4k", "100", DIST);
static const struct param_spec randwrite_params[] = PATTERN_PARAMS("4k", "0", DIST);
static const struct param_spec randrw_params[] = PATTERN_PARAMS("4k", "50", DIST);
static const struct param_spec seqread_params[] = PATTERN_PARAMS("128k", "100", );
static const struct param_spec seqwrite_params[] = PATTERN_PARAMS("128k", "0", );

#define PATTERN(id, text) \
	const struct workload workload_##id = { .name = #id, .summary = text, .shape = WORKLOAD_BLOCK, \
						.params = id##_params, .needs = pattern_needs, .block = &pattern_block }

PATTERN(randread, "random reads of one block size");
PATTERN(randwrite, "random writes over a file that is already full");
PATTERN(randrw, "random reads and writes, mixed");
PATTERN(seqread, "reads from front to back, again and again");
PATTERN(seqwrite, "writes from front to back over a file that is already full");
