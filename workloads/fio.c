// SPDX-License-Identifier: MIT
// The user's own fio job, run slice by slice by the installed fio. Rule: the
// numbers are fio's (its counters, its latency bins, its own runtime); only
// where its files lie and how long it runs is decided here.
#include "engine/child.h"
#include "engine/scratch_dir.h"
#include "fio_job.h"
#include "fio_stream.h"
#include "workloads.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOB_NAME "job.fio"
// fio reports five times a second: of a ramp of this length the end is always seen.
#define SURE_RAMP_NS NS_PER_S

struct fio {
	struct scratch_dir dir;
	char path[4200]; // of the directory
	struct fio_job job;
};

// While one fio runs.
struct fio_run {
	struct pass *pass;
	struct fio_stream stream;
	struct tally tally;
	bool ramping;	  // what comes now is not counted yet
	bool hold;	  // the ramp is so short that its end may not be seen: wait before telling
	struct tally held;
	int64_t last_ns;  // when the last object came
	int problem;	  // -errno from the stream
	char complaint[256]; // the last line that fio printed beside its objects
};

static int
fio_needs(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	struct fio_job job;
	if (target->kind != TARGET_DIRECTORY)
		return error_set_status(err, -ENOTDIR, EXIT_USAGE, "fio works on files in a directory, and %.300s is none", target->path);
	if (!*param_text(set, "job", ""))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "fio needs a job file: fio:job=FILE");
	int r = fio_job_read(param_text(set, "job", ""), &job, err);
	if (r < 0)
		return r;
	*ret = (struct workload_needs){
		.space_bytes = job.bytes,
		.layout_bytes = job.bytes,
		.files = job.n_jobs,
		.traffic = job.writes || job.buffered ? TRAFFIC_WRITES : TRAFFIC_READS,
		.reads = job.reads,
		.writes = job.writes,
		.buffered = job.buffered,
		.primary = "iops",
		.queue_depth = 1,
		.threads = job.n_jobs,
	};
	fio_job_fini(&job);
	return 0;
}

static void
take_line(void *context, const char *line, size_t length)
{
	struct fio_run *run = context;
	int event = fio_stream_line(&run->stream, line, length, &run->tally);
	if (event == FIO_TEXT && length) {
		pass_output(run->pass, line);
		if (strncmp(line, "note:", 5) != 0)
			snprintf(run->complaint, sizeof(run->complaint), "%.255s", line);
	} else if (event < 0) {
		run->problem = event;
	} else if (event == FIO_COUNTS || event == FIO_RESET) {
		run->last_ns = clock_now_ns();
		if (event == FIO_RESET && run->ramping) {
			run->ramping = false;
			tally_init(&run->held);
			pass_begin_counted(run->pass);
		}
		if (run->ramping && run->hold)
			tally_merge(&run->held, &run->tally);
		else
			pass_merge(run->pass, &run->tally);
	}
}

static int
write_job(struct fio *fio, const char *text, struct error *err)
{
	unlinkat(fio->dir.fd, JOB_NAME, 0);
	int fd = text ? scratch_dir_create(fio->dir.fd, JOB_NAME) : -ENOMEM;
	if (fd < 0)
		return error_set(err, fd, "cannot write the fio job: %s", strerror(-fd));
	size_t n = strlen(text);
	ssize_t written = write(fd, text, n);
	int error = written == (ssize_t)n ? 0 : errno ? errno : ENOSPC;
	close(fd);
	return error ? error_set(err, -error, "cannot write the fio job: %s", strerror(error)) : 0;
}

static int
explain(const struct fio_run *run, const struct child_result *result, struct error *err)
{
	const char *why = run->complaint[0] ? run->complaint : "it said nothing more";
	if (result->stopped)
		return error_set(err, -ECANCELED, "stopped");
	if (run->problem)
		return error_set(err, run->problem, "fio printed something that is not its JSON output: %.200s", why);
	if (result->status >= 128 && result->status < 128 + NSIG && result->status != 128)
		return error_set(err, -EIO, "fio was ended by signal %d (%s)", result->status - 128, strsignal(result->status - 128));
	if (result->status)
		return error_set(err, -EIO, "fio ended with exit status %d: %.180s", result->status, why);
	if (run->stream.last.error)
		return error_set(err, -EIO, "fio reports error %d (%s): %.150s", run->stream.last.error, strerror(run->stream.last.error), why);
	return 0;
}

// Runs fio on a rewritten job. 0 or -errno; *run is left filled.
static int
run_fio(struct fio *fio, struct fio_run *run, int64_t settle_ns, int64_t slice_ns, bool create_only, struct error *err)
{
	const char *argv[] = { "fio", "--output-format=json+", "--status-interval=200ms", "--eta=never", JOB_NAME, NULL };
	struct child_spec spec = { .argv = argv, .directory = fio->path, .line = take_line, .context = run, .stop_signal = SIGINT };
	struct child_result result;
	char *text = fio_job_rewrite(&fio->job, fio->path, settle_ns, slice_ns, create_only);
	int r = write_job(fio, text, err);
	free(text);
	if (create_only)
		argv[2] = "--eta=never";
	if (r == 0)
		r = child_run(run->pass, &spec, &result, err);
	if (r == -ENOENT)
		return error_set_status(err, r, EXIT_USAGE, "fio is not installed (or not in PATH); install it to run fio jobs");
	return r < 0 ? r : explain(run, &result, err);
}

static int
new_run(struct pass *pass, struct fio_run **ret, struct error *err)
{
	struct fio_run *run = calloc(1, sizeof(*run));
	if (!run || fio_stream_init(&run->stream) < 0) {
		free(run);
		return error_set(err, -ENOMEM, "out of memory");
	}
	run->pass = pass;
	tally_init(&run->held);
	*ret = run;
	return 0;
}

static void
free_run(struct fio_run *run)
{
	fio_stream_fini(&run->stream);
	free(run);
}

static int
fio_prepare(struct pass *pass, struct error *err)
{
	struct fio_run *run;
	struct fio *fio = calloc(1, sizeof(*fio));
	if (!fio)
		return error_set(err, -ENOMEM, "out of memory");
	fio->dir.fd = fio->dir.parent_fd = fio->dir.marker_fd = -1;
	pass->own = fio;
	int r = fio_job_read(param_text(pass->params, "job", ""), &fio->job, err);
	if (r < 0 || (r = scratch_dir_make(pass->target->path, &fio->dir, err)) < 0)
		return r;
	snprintf(fio->path, sizeof(fio->path), "%s/%s", pass->target->path, fio->dir.name);
	if ((r = new_run(pass, &run, err)) < 0)
		return r;
	pass_progress(pass, "fio lays out its files", 0, 1);
	r = run_fio(fio, run, 0, 0, true, err);
	free_run(run);
	pass_sync_target(pass);
	pass_progress(pass, "fio lays out its files", 1, 1);
	return r;
}

static int
fio_run(struct pass *pass, struct error *err)
{
	struct fio_run *run;
	int r = new_run(pass, &run, err);
	if (r < 0)
		return r;
	run->ramping = pass->settle_ns > 0;
	run->hold = pass->settle_ns < SURE_RAMP_NS;
	if (!run->ramping)
		pass_begin_counted(pass);
	r = run_fio(pass->own, run, pass->settle_ns, pass->slice_ns, false, err);
	// Stopped by hand: what fio counted until then is complete and right.
	bool open_end = r == -ECANCELED && pass->slice_ns == 0 && run->stream.any;
	if (r == 0 || open_end) {
		int64_t counted_ns = (int64_t)(run->stream.last.runtime_s * 1e9);
		if (run->ramping && !run->hold && !open_end) {
			r = error_set(err, -EPROTO, "fio ended before its ramp_time was over");
		} else {
			if (run->ramping)
				pass_begin_counted(pass);
			pass_merge(pass, &run->held);
			pass_end_counted(pass);
			pass_set_counted(pass, run->last_ns - counted_ns, run->last_ns);
			pass_set_cpu(pass, run->stream.last.user_s, run->stream.last.sys_s);
			r = 0;
		}
	}
	free_run(run);
	return r;
}

static void
fio_cleanup(struct pass *pass)
{
	struct fio *fio = pass->own;
	if (!fio)
		return;
	scratch_dir_remove(&fio->dir);
	fio_job_fini(&fio->job);
	free(fio);
	pass->own = NULL;
}

static const struct param_spec fio_params[] = {
	{ "job", PARAM_TEXT, "", "", 1, 0, NULL, "job file; directory, runtime and ramp_time are set by ioduel, the rest is as written" },
	{ 0 },
};

static const struct pass_ops fio_pass = { .prepare = fio_prepare, .run = fio_run, .cleanup = fio_cleanup };

const struct workload workload_fio = {
	.name = "fio",
	.summary = "your own fio job file, run in slices by the installed fio",
	.shape = WORKLOAD_PASS,
	.params = fio_params,
	.needs = fio_needs,
	.pass = &fio_pass,
};
