// SPDX-License-Identifier: MIT
// bonnie++'s phases, so that today's disk can be laid beside an old report:
// what each does, its units and its %CP follow version 1.03 (one process,
// per-char I/O through stdio, %CP = user + system / elapsed). Rule: a figure
// carries the name of bonnie++'s CSV field, in that field's unit.
#include "bonnie.h"
#include "random.h"
#include "workloads.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "Bonnie"
// Bytes between two looks at the clock of the per-char phases.
#define CHAR_BATCH 65536u

int
bonnie_stopped(struct error *err)
{
	return error_set(err, -ECANCELED, "stopped");
}

static int
failed(const char *phase, int error, struct error *err)
{
	return error_set(err, -error, "bonnie: %s: %s", phase, strerror(error));
}

static void
begin(struct bonnie *b, struct phase *ph, const char *name, const char *label)
{
	phase_begin(ph, b->pass, name, label, false, BONNIE_SHORTEST_S, b->tally);
}

static void
end(const struct bonnie *b, struct phase *ph)
{
	phase_stop(ph);
	phase_report(ph, (double)b->file_bytes / 1024);
	phase_report_cpu(ph);
}

// What is written counts only once it is on the device, as bonnie++ has it.
static int
sync_and_close(int fd, const char *phase, struct error *err)
{
	int error = fsync(fd) < 0 ? errno : 0;
	close(fd);
	return error ? failed(phase, error, err) : 0;
}

static int
put_chars(struct bonnie *b, struct error *err)
{
	struct phase ph;
	int fd = scratch_dir_create(b->dir.fd, FILE_NAME);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return failed("per-char write", errno, err);
	// 1.03 had one thread and so no lock per character.
	__fsetlocking(f, FSETLOCKING_BYCALLER);
	begin(b, &ph, "putc", "per-char write");
	int64_t now = ph.start_ns;
	int r = 0;
	for (uint64_t at = 0; r == 0 && at < b->file_bytes; at += CHAR_BATCH) {
		for (unsigned i = 0; i < CHAR_BATCH && r == 0; i++)
			if (putc((int)(i & 0x7f), f) == EOF)
				r = failed("per-char write", errno, err);
		int64_t since = now;
		now = clock_now_ns();
		phase_did(&ph, WIRE_WRITES, CHAR_BATCH, since, now);
		if (r == 0 && pass_stopping(b->pass))
			r = bonnie_stopped(err);
	}
	if (r == 0 && (fflush(f) == EOF || fsync(fd) < 0))
		r = failed("per-char write", errno, err);
	fclose(f);
	if (r == 0)
		end(b, &ph);
	return r;
}

static int
get_chars(struct bonnie *b, struct error *err)
{
	struct phase ph;
	int fd = scratch_dir_reopen(b->dir.fd, FILE_NAME);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f)
		return failed("per-char read", errno, err);
	__fsetlocking(f, FSETLOCKING_BYCALLER);
	begin(b, &ph, "getc", "per-char read");
	int64_t now = ph.start_ns;
	int r = 0;
	// A sum that is used keeps the compiler from leaving the loop out.
	volatile unsigned sum = 0;
	for (uint64_t at = 0; r == 0 && at < b->file_bytes; at += CHAR_BATCH) {
		unsigned part = 0;
		for (unsigned i = 0; i < CHAR_BATCH && r == 0; i++) {
			int c = getc(f);
			if (c == EOF)
				r = failed("per-char read", ferror(f) ? errno : EIO, err);
			part += (unsigned)c;
		}
		sum = sum + part;
		int64_t since = now;
		now = clock_now_ns();
		phase_did(&ph, WIRE_READS, CHAR_BATCH, since, now);
		if (r == 0 && pass_stopping(b->pass))
			r = bonnie_stopped(err);
	}
	fclose(f);
	if (r == 0)
		end(b, &ph);
	return r;
}

static int
put_blocks(struct bonnie *b, struct error *err)
{
	struct phase ph;
	struct random random;
	unlinkat(b->dir.fd, FILE_NAME, 0);
	int fd = scratch_dir_create(b->dir.fd, FILE_NAME), r = 0;
	if (fd < 0)
		return failed("block write", -fd, err);
	random_init(&random, b->seed, 9);
	random_fill(&random, b->chunk, b->chunk_bytes);
	begin(b, &ph, "put_block", "block write");
	int64_t now = ph.start_ns;
	for (uint64_t at = 0; r == 0 && at < b->file_bytes; at += b->chunk_bytes) {
		// Every chunk differs, so that nothing below can store one for all.
		memcpy(b->chunk, &at, sizeof(at));
		ssize_t n = write(fd, b->chunk, b->chunk_bytes);
		if (n != (ssize_t)b->chunk_bytes)
			r = failed("block write", n < 0 ? errno : ENOSPC, err);
		int64_t since = now;
		now = clock_now_ns();
		phase_did(&ph, WIRE_WRITES, b->chunk_bytes, since, now);
		if (r == 0 && pass_stopping(b->pass))
			r = bonnie_stopped(err);
	}
	int s = sync_and_close(fd, "block write", r ? NULL : err);
	if (r == 0 && (r = s) == 0)
		end(b, &ph);
	return r;
}

// Reads chunk by chunk; with rewrite every chunk is changed and written back.
static int
get_blocks(struct bonnie *b, bool rewrite, struct error *err)
{
	const char *label = rewrite ? "rewrite" : "block read";
	struct phase ph;
	int fd = scratch_dir_reopen(b->dir.fd, FILE_NAME), r = 0;
	if (fd < 0)
		return failed(label, -fd, err);
	begin(b, &ph, rewrite ? "rewrite" : "get_block", label);
	int64_t now = ph.start_ns;
	for (uint64_t at = 0; r == 0 && at < b->file_bytes; at += b->chunk_bytes) {
		ssize_t n = read(fd, b->chunk, b->chunk_bytes);
		if (n != (ssize_t)b->chunk_bytes)
			r = failed(label, n < 0 ? errno : EIO, err);
		if (r == 0 && rewrite) {
			b->chunk[at / b->chunk_bytes % b->chunk_bytes]++;
			if (lseek(fd, (off_t)at, SEEK_SET) < 0 || write(fd, b->chunk, b->chunk_bytes) != (ssize_t)b->chunk_bytes)
				r = failed(label, errno, err);
		}
		int64_t since = now;
		now = clock_now_ns();
		phase_did(&ph, rewrite ? WIRE_WRITES : WIRE_READS, b->chunk_bytes, since, now);
		if (r == 0 && pass_stopping(b->pass))
			r = bonnie_stopped(err);
	}
	int s = sync_and_close(fd, label, r ? NULL : err);
	if (r == 0 && (r = s) == 0)
		end(b, &ph);
	return r;
}

int
bonnie_file_phases(struct bonnie *b, struct error *err)
{
	int r = 0;
	if (b->per_char)
		r = put_chars(b, err);
	else
		phase_skip(b->pass, "putc");
	if (r < 0 || (r = put_blocks(b, err)) < 0 || (r = get_blocks(b, true, err)) < 0)
		return r;
	if (b->per_char)
		r = get_chars(b, err);
	else
		phase_skip(b->pass, "getc");
	if (r < 0 || (r = get_blocks(b, false, err)) < 0 || (r = bonnie_seeks(b, err)) < 0)
		return r;
	return unlinkat(b->dir.fd, FILE_NAME, 0) < 0 ? failed("delete", errno, err) : 0;
}

static double
memory_bytes(void)
{
	return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

static int
bonnie_needs(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	if (target->kind != TARGET_DIRECTORY)
		return error_set_status(err, -ENOTDIR, EXIT_USAGE, "bonnie works on files in a directory, and %.300s is none", target->path);
	double chunk = param_number(set, "chunk", 8192);
	if (isnan(param_number(set, "size", NAN)))
		param_complete(set, "size", ceil(2 * memory_bytes() / 0x1p30) * 0x1p30);
	double size = param_number(set, "size", 0), files = param_number(set, "files", 0) * 1024;
	if (size > 0 && size < chunk)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "bonnie: size=%s is less than one chunk", param_text(set, "size", ""));
	if (size == 0 && files == 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "bonnie: size=0 and files=0 leave nothing to do");
	*ret = (struct workload_needs){
		.space_bytes = (uint64_t)size,
		.files = (uint64_t)files + 1,
		.traffic = TRAFFIC_WHOLE_RUNS,
		.reads = 1,
		.writes = 1,
		.buffered = 1,
		.primary = size > 0 ? "put_block" : "seq_create",
		.queue_depth = 1,
		.threads = 1,
	};
	return 0;
}

static int
run_in(struct bonnie *b, struct error *err)
{
	static const char *const file_phases[] = { "putc", "put_block", "rewrite", "getc", "get_block", "seeks" };
	int r = 0;
	if (b->file_bytes > 0)
		r = bonnie_file_phases(b, err);
	for (int i = 0; b->file_bytes == 0 && i < 6; i++)
		phase_skip(b->pass, file_phases[i]);
	return r < 0 ? r : bonnie_name_phases(b, err);
}

static int
bonnie_run(struct pass *pass, struct error *err)
{
	const struct param_set *set = pass->params;
	struct bonnie b = {
		.pass = pass,
		.chunk_bytes = (uint32_t)param_number(set, "chunk", 8192),
		.seekers = (uint32_t)param_number(set, "seekers", 3),
		.seeks = (uint32_t)param_number(set, "seeks", 8192),
		.files = (uint32_t)param_number(set, "files", 16) * 1024,
		.seed = (uint64_t)param_number(set, "seed", 1),
		.per_char = param_number(set, "fast", 0) <= 0,
	};
	double size = param_number(set, "size", 0), memory = memory_bytes();
	// Whole batches of every phase.
	uint64_t unit = b.chunk_bytes > CHAR_BATCH ? b.chunk_bytes : CHAR_BATCH;
	b.file_bytes = (uint64_t)size / unit * unit;
	if (size > 0 && b.file_bytes == 0)
		b.file_bytes = unit;
	if (size > 0 && size < 2 * memory)
		pass_note(pass, WIRE_NOTE_WARNING, "the file of %.0f MiB is less than twice the memory (%.0f MiB): up to %.0f %% of the reads may come from the cache",
			  size / 0x1p20, memory / 0x1p20, size <= memory ? 100.0 : 100 * memory / size);
	int r = scratch_dir_make(pass->target->path, &b.dir, err);
	if (r < 0)
		return r;
	b.tally = malloc(sizeof(*b.tally));
	if (!b.tally || posix_memalign((void **)&b.chunk, 4096, b.chunk_bytes) != 0)
		r = error_set(err, -ENOMEM, "out of memory");
	if (r == 0) {
		pass_sync_target(pass);
		pass_begin_counted(pass);
		r = run_in(&b, err);
		pass_end_counted(pass);
	}
	int removed = scratch_dir_remove(&b.dir);
	if (r == 0 && removed < 0)
		r = failed("removing the directory", -removed, err);
	if (r == 0)
		pass_result(pass, "sync_s", pass_sync_target(pass), WIRE_RESULT_OK);
	free(b.chunk);
	free(b.tally);
	return r;
}

static const struct param_spec bonnie_params[] = {
	{ "size", PARAM_SIZE, "bytes", "", 0, 0x1p50, NULL, "size of the file; default: twice the memory; 0: no file phases" },
	{ "files", PARAM_COUNT, "x 1024", "16", 0, 4096, NULL, "small files of the create, stat and delete phases, in units of 1024; 0: none" },
	{ "chunk", PARAM_SIZE, "bytes", "8k", 512, 1 << 24, NULL, "size of each read and write of the block phases" },
	{ "seekers", PARAM_COUNT, "", "3", 1, 64, NULL, "processes that seek" },
	{ "seeks", PARAM_COUNT, "", "8192", 1, 1e9, NULL, "seeks in all; one in ten writes its chunk back" },
	{ "fast", PARAM_BOOL, "", "0", 0, 1, NULL, "1 leaves out the per-char phases" },
	{ "seed", PARAM_COUNT, "", "1", 0, 0x1p53, NULL, "of the names, the content and the places to seek" },
	{ 0 },
};

static const struct pass_ops bonnie_pass = { .run = bonnie_run };

const struct workload workload_bonnie = {
	.name = "bonnie",
	.summary = "bonnie++'s phases: per-char, block, rewrite, read, seeks, create, stat and delete",
	.shape = WORKLOAD_PASS,
	.params = bonnie_params,
	.needs = bonnie_needs,
	.pass = &bonnie_pass,
};
