// SPDX-License-Identifier: MIT
// Any program of the user's, run in the target directory: real, user and sys
// time, peak memory, bytes read and written. Rule: only cmd is timed, from
// just before its start to its end; what it left unwritten is timed apart.
#include "engine/child.h"
#include "workloads.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int
command_needs(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	if (!*param_text(set, "cmd", ""))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "command needs a program to run: command:cmd=\"make -j4\"");
	if (target->kind != TARGET_DIRECTORY)
		return error_set_status(err, -ENOTDIR, EXIT_USAGE, "command runs in a directory, and %.300s is none", target->path);
	*ret = (struct workload_needs){
		.traffic = TRAFFIC_WHOLE_RUNS,
		.reads = 1,
		.writes = 1,
		.buffered = 1,
		.primary = "real_s",
		.queue_depth = 1,
		.threads = 1,
	};
	return 0;
}

// Runs one shell line. 0, the exit status, or -errno.
static int
shell(struct pass *pass, const char *what, const char *line, struct child_result *ret, struct error *err)
{
	char side[2] = { pass->side_letter, '\0' };
	const char *argv[] = { "/bin/sh", "-c", line, NULL };
	struct child_spec spec = { .argv = argv, .directory = pass->target->path };
	// Of the worker's own environment, which only its children see.
	setenv("IODUEL_TARGET", pass->target->path, 1);
	setenv("IODUEL_SIDE", side, 1);
	int r = child_run(pass, &spec, ret, err);
	if (r < 0)
		return r;
	if (ret->stopped)
		return error_set(err, -ECANCELED, "%s was stopped", what);
	if (ret->leftovers)
		pass_note(pass, WIRE_NOTE_WARNING, "%s left %u process%s running; they were ended", what, ret->leftovers,
			  ret->leftovers == 1 ? "" : "es");
	if (ret->status > 128 && ret->status < 128 + NSIG)
		error_set(err, -EIO, "%s was ended by signal %d (%s)", what, ret->status - 128, strsignal(ret->status - 128));
	else if (ret->status)
		error_set(err, -EIO, "%s ended with exit status %d", what, ret->status);
	return ret->status;
}

static int
command_run(struct pass *pass, struct error *err)
{
	const char *prepare = param_text(pass->params, "prepare", ""), *cleanup = param_text(pass->params, "cleanup", "");
	struct child_result run, other;
	int r = 0;

	if (*prepare) {
		pass_note(pass, WIRE_NOTE_PHASE, "prepare");
		r = shell(pass, "prepare=", prepare, &other, err);
		if (r)
			return r;
	}
	pass_sync_target(pass);
	pass_note(pass, WIRE_NOTE_PHASE, "run");
	pass_begin_counted(pass);
	r = shell(pass, "cmd=", param_text(pass->params, "cmd", ""), &run, err);
	pass_end_counted(pass);
	if (r < 0)
		return r;
	if (r == 0) {
		pass_set_counted(pass, run.start_ns, run.end_ns);
		pass_note(pass, WIRE_NOTE_PHASE, "sync");
		pass_result(pass, "real_s", (double)(run.end_ns - run.start_ns) / 1e9, WIRE_RESULT_OK);
		pass_result(pass, "user_s", run.user_s, WIRE_RESULT_OK);
		pass_result(pass, "sys_s", run.sys_s, WIRE_RESULT_OK);
		pass_result(pass, "max_rss_bytes", run.max_rss_bytes, WIRE_RESULT_OK);
		pass_result(pass, "read_bytes", run.read_bytes, isfinite(run.read_bytes) ? WIRE_RESULT_OK : WIRE_RESULT_NOT_RUN);
		pass_result(pass, "written_bytes", run.written_bytes, WIRE_RESULT_OK);
		// Needs the kernel's delay accounting, which is off by default.
		pass_result(pass, "io_wait_share", NAN, WIRE_RESULT_NOT_RUN);
		pass_result(pass, "sync_s", pass_sync_target(pass), WIRE_RESULT_OK);
	}
	if (*cleanup && !pass_stopping(pass)) {
		struct error inner = { 0 };
		pass_note(pass, WIRE_NOTE_PHASE, "cleanup");
		int c = shell(pass, "cleanup=", cleanup, &other, &inner);
		if (r == 0 && c) {
			r = c;
			if (err)
				*err = inner;
		}
	}
	return r;
}

static const struct param_spec command_params[] = {
	{ "cmd", PARAM_TEXT, "", "", 1, 0, NULL, "the program, run by /bin/sh in the target directory (IODUEL_TARGET, IODUEL_SIDE are set)" },
	{ "prepare", PARAM_TEXT, "", "", 1, 0, NULL, "run before every run of cmd, not timed: the same starting state each time" },
	{ "cleanup", PARAM_TEXT, "", "", 1, 0, NULL, "run after every run of cmd, not timed" },
	{ 0 },
};

static const struct pass_ops command_pass = { .run = command_run };

const struct workload workload_command = {
	.name = "command",
	.summary = "any program of yours, run in the target directory: real, user and sys time, peak memory, bytes",
	.shape = WORKLOAD_PASS,
	.params = command_params,
	.needs = command_needs,
	.pass = &command_pass,
};
