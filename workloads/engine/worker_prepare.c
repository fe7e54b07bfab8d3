// SPDX-License-Identifier: MIT
// What happens once per target, before any turn: parameters, target, scratch
// file, rings. Runs in the second thread, since each step may take long.
// Rule: what does not go as asked is either an error or in the sentence.
#include "worker.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HUNG_AFTER_NS (2 * INT64_C(1000000000))
// A pass may have many files to remove.
#define PASS_ENDS_NS (60 * INT64_C(1000000000))

__attribute__((format(printf, 2, 3))) static void
say(struct worker *w, const char *fmt, ...)
{
	size_t at = strlen(w->sentence);
	va_list ap;
	if (at && at + 2 < sizeof(w->sentence))
		at += (size_t)snprintf(w->sentence + at, sizeof(w->sentence) - at, "; ");
	va_start(ap, fmt);
	if (at < sizeof(w->sentence))
		vsnprintf(w->sentence + at, sizeof(w->sentence) - at, fmt, ap);
	va_end(ap);
}

// "0-3,8": pins this thread and those that it starts.
static int
pin(const char *list, struct error *err)
{
	cpu_set_t set;
	if (param_parse_cpus(list, &set) < 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "cpus=%.100s is not a list such as 0-3,8", list);
	if (*list && sched_setaffinity(0, sizeof(set), &set) < 0)
		return error_set_status(err, -errno, EXIT_USAGE, "cpus=%.100s: this machine has none of them to give (%s)", list,
					strerror(errno));
	return 0;
}

static int
make_scratch(struct worker *w, struct error *err)
{
	const struct param_value *direct = param_get(&w->params, "direct");
	struct scratch_want want = {
		.target = &w->target,
		.bytes = (uint64_t)param_number(&w->params, "size", 0),
		.write = w->needs.writes,
		.direct = direct && direct->number > 0,
		.direct_required = direct && direct->is_set,
		.compress = param_number(&w->params, "compress", 0),
		.seed = (uint64_t)param_number(&w->params, "seed", 1),
		.shared_fd = w->setup.share_file == 1 ? w->shared_fd : -1,
		.empty = w->workload->block->fresh,
	};
	if (w->backend == &backend_null) {
		w->scratch = (struct scratch){ .fd = -1, .bytes = want.bytes, .direct = want.direct };
		return 0;
	}
	if (w->setup.share_file == 1 && w->shared_fd < 0)
		return error_set(err, -EPROTO, "no scratch file came along");
	int r = scratch_make(&want, &w->progress, &w->scratch, err);
	if (r < 0)
		return r;
	if (w->setup.share_file == 1)
		w->shared_fd = -1; // the scratch owns it now
	uint64_t bs = (uint64_t)param_number(&w->params, "bs", 4096);
	if (w->scratch.direct && w->scratch.align && bs % w->scratch.align)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "bs=%s must be a multiple of %u for direct I/O on %.250s (or use direct=0)",
					param_text(&w->params, "bs", ""), w->scratch.align, w->target.path);
	if (*w->scratch.sentence)
		say(w, "%s", w->scratch.sentence);
	return 0;
}

static int
make_runner(struct worker *w, struct error *err)
{
	struct runner_config config = {
		.workload = w->workload,
		.params = &w->params,
		.scratch = &w->scratch,
		.backend = w->backend,
		.fault = getenv("IODUEL_FAULT"),
		.notify_fd = w->notify_fd,
	};
	struct error refused = { 0 };
	int r = runner_new(&config, &w->runner, &refused);
	// What the user asked for by name is not dropped behind his back.
	bool asked = param_number(&w->params, "iopoll", 0) > 0 || param_number(&w->params, "sqpoll", 0) > 0;
	if (r < 0 && w->backend == &backend_uring && !asked && (r == -ENOSYS || r == -EPERM || r == -EACCES || r == -ENOMEM || r == -EINVAL)) {
		w->backend = config.backend = &backend_sync;
		r = runner_new(&config, &w->runner, err);
		if (r == 0)
			say(w, "%s: blocking calls instead", refused.text);
	} else if (r < 0 && err) {
		*err = refused;
	}
	w->shallower = r == 0 && runner_depth(w->runner) < (uint32_t)param_number(&w->params, "qd", 1);
	if (w->shallower)
		say(w, "backend %s keeps %u I/O in flight per thread, not qd=%s; more threads= keep more", w->backend->name,
		    runner_depth(w->runner), param_text(&w->params, "qd", "1"));
	return r;
}

static int
make_pass(struct worker *w, struct error *err)
{
	struct pass_setup setup = {
		.workload = w->workload,
		.params = &w->params,
		.target = &w->target,
		.side_letter = (char)w->setup.side_letter,
		.notify_fd = w->notify_fd,
	};
	struct pass *pass;
	int r = pass_new(&setup, &pass, err);
	if (r < 0)
		return r;
	w->pass = pass;
	return pass_prepare(pass, err);
}

int
worker_prepare(struct worker *w, struct error *err)
{
	int r;
	w->sentence[0] = '\0';
	w->given_back = false;
	w->setup.path[sizeof(w->setup.path) - 1] = '\0';
	w->setup.params[sizeof(w->setup.params) - 1] = '\0';
	if ((r = workload_decode(w->setup.params, &w->params, err)) < 0 ||
	    (r = target_inspect(w->setup.path, w->setup.allow, &w->target, err)) < 0)
		return r;
	w->workload = workload_find(w->params.workload);
	// A shared file is there already: its space is not needed a second time.
	if (w->setup.share_file == 1)
		w->target.free_bytes = UINT64_MAX;
	if ((r = workload_check(&w->params, &w->target, &w->needs, err)) < 0 ||
	    (r = pin(param_text(&w->params, "cpus", ""), err)) < 0)
		return r;
	if (w->workload->shape == WORKLOAD_PASS)
		return make_pass(w, err);
	w->backend = getenv("IODUEL_FAULT") ? &backend_fault : backend_find(param_text(&w->params, "backend", "uring"));
	if (!w->backend)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "there is no backend \"%.40s\"", param_text(&w->params, "backend", ""));
	if ((r = make_scratch(w, err)) < 0)
		return r;
	return make_runner(w, err);
}

bool
worker_release(struct worker *w)
{
	if (!runner_free(w->runner, HUNG_AFTER_NS))
		return false;
	w->runner = NULL;
	if (!pass_free(w->pass, PASS_ENDS_NS))
		return false;
	w->pass = NULL;
	scratch_fini(&w->scratch);
	return true;
}
