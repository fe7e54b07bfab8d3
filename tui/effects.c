// SPDX-License-Identifier: MIT
// Effects: start a worker, send it a message, run a set-up command, save a
// file. Rule: an effect that fails comes back to the session as an event or a
// sentence, never as an exit.
#include "effects.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export_now.h"
#include "session/library.h"
#include "config.h"
#include "confirm.h"
#include "signals.h"

#define CONFIG_LINES_MAX 32

static void
worker_gone(struct loop *loop, enum side side, const char *text)
{
	struct event ev = {.type = EVENT_WORKER_GONE, .side = side, .now_ns = clock_now_ns(), .text = text};
	loop_dispatch(loop, &ev);
}

static void
setup_finished(struct loop *loop, int status)
{
	struct event ev = {.type = EVENT_SETUP_DONE, .side = loop->setup.side, .now_ns = clock_now_ns(), .status = status};
	loop_dispatch(loop, &ev);
}

void
loop_start_recorder(struct loop *loop)
{
	struct error err;
	const struct options *o = loop->options->options;
	if (loop->recorder || o->no_save || loop->record_failed)
		return;
	// The name that the user gave is that of the first session; what is measured after it gets one by date.
	loop->recorder = recorder_new(loop->saved[0] || loop->lost[0] ? NULL : o->save, loop->session, loop->options->root, &err);
	if (!loop->recorder) {
		loop->record_failed = 1;
		session_say(loop->session, 1, "not recorded: %.220s", err.text);
		if (!loop->screen)
			fprintf(stderr, "ioduel: not recorded: %s\n", err.text);
	}
}

static void
launch(struct loop *loop, enum side side)
{
	struct error err;
	if (workers_launch(&loop->workers, side, session_get_side(loop->session, side), loop->share_file, &err))
		worker_gone(loop, side, err.text);
	signals_guard_group((int)side, loop->workers.worker[side].handle.pid);
}

static void
tell(struct loop *loop, enum side side, enum wire_type type, const void *body, size_t length)
{
	int rc = workers_send(&loop->workers, side, type, body, length);
	if (rc && rc != -ENOTCONN) {
		char text[128];
		snprintf(text, sizeof(text), "the worker does not take commands: %s", strerror(-rc));
		worker_gone(loop, side, text);
	}
}

static void
start_setup(struct loop *loop, enum side side, const char *command)
{
	char letter[2] = {side == SIDE_A ? 'a' : 'b', '\0'};
	char shell[1200];
	snprintf(shell, sizeof(shell), "%s", command);
	const char *path = session_get_side(loop->session, side)->path;
	loop->setup.side = side;
	pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		signals_reset_in_child();
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null >= 0) {
			dup2(null, STDIN_FILENO);
			dup2(null, STDOUT_FILENO);
			if (loop->screen)
				dup2(null, STDERR_FILENO);
		}
		setenv("IODUEL_TARGET", path, 1);
		setenv("IODUEL_SIDE", letter, 1);
		execl("/bin/sh", "sh", "-c", shell, (char *)NULL);
		_exit(127);
	}
	if (pid < 0) {
		setup_finished(loop, errno);
		return;
	}
	loop->setup.pid = pid;
	loop->setup.pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	signals_guard_group(SIDES, pid);
}

void
loop_setup_done(struct loop *loop)
{
	int status = 0;
	if (loop->setup.pid <= 0 || waitpid(loop->setup.pid, &status, WNOHANG) == 0)
		return;
	close(loop->setup.pidfd);
	loop->setup.pidfd = -1;
	loop->setup.pid = 0;
	signals_guard_group(SIDES, 0);
	setup_finished(loop, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void
loop_setup_kill(struct loop *loop)
{
	if (loop->setup.pid <= 0)
		return;
	kill(-loop->setup.pid, SIGKILL);
	kill(loop->setup.pid, SIGKILL);
	waitpid(loop->setup.pid, NULL, 0);
	if (loop->setup.pidfd >= 0)
		close(loop->setup.pidfd);
	loop->setup.pid = 0;
}

void
loop_suspend(struct loop *loop)
{
	if (loop->screen)
		screen_suspend(loop->screen);
	raise(SIGSTOP);
	if (loop->screen)
		screen_resume(loop->screen);
	loop->draw_now = 1;
}

static void
save(struct loop *loop, int finish)
{
	struct error err;
	char path[4200];
	if (!loop->recorder) {
		if (!finish)
			session_say(loop->session, 1, "nothing has been measured yet, so there is nothing to save");
		return;
	}
	int rc = finish ? recorder_finish(loop->recorder, loop->session, path, sizeof(path), &err)
			: recorder_snapshot(loop->recorder, loop->session, loop->options->root, path, sizeof(path), &err);
	if (rc == -EBUSY && !finish && session_is_measuring(loop->session)) {
		loop->save_waits = 1;
		session_say(loop->session, 0, "the copy would lie on a device under test: saved as soon as this turn is over");
		return;
	}
	if (rc) {
		session_say(loop->session, 1, "%s", err.text);
		if (finish)
			snprintf(loop->lost, sizeof(loop->lost), "%s", err.text);
	} else {
		session_say(loop->session, 0, "saved %.230s", path);
		snprintf(loop->saved, sizeof(loop->saved), "%s", path);
	}
	if (finish) { // what is measured next gets a file of its own
		recorder_free(loop->recorder);
		loop->recorder = NULL;
	}
}

void
loop_save_waiting(struct loop *loop)
{
	if (!loop->save_waits || session_is_measuring(loop->session))
		return;
	loop->save_waits = 0;
	if (loop->recorder)
		save(loop, 0);
}

static void
export_report(struct loop *loop, const char *request)
{
	struct error err;
	char path[4200];
	const char *saved = loop->recorder ? recorder_path(loop->recorder) : loop->saved;
	if (session_is_measuring(loop->session))
		session_say(loop->session, 1, "something runs, and writing would disturb it: x stops it first");
	else if (export_now(request, session_result(loop->session), saved, path, sizeof(path), &err))
		session_say(loop->session, 1, "%.250s", err.text);
	else
		session_say(loop->session, 0, "exported %.230s", path);
}

static void
delete_saved(struct loop *loop, const char *name)
{
	struct error err;
	if (library_remove(name, &err))
		session_say(loop->session, 1, "%.250s", err.text);
	else
		session_say(loop->session, 0, "removed %.200s", name);
}

// Looks at a place as one whose data stay; only where it turns out to be a device that the user was asked about, again.
static int
look_at_side(struct loop *loop, enum side side, const char *path, const char *workload, struct session_side *ret,
	     struct error *err)
{
	const struct options *asked = loop->options->options;
	struct options careful = *asked;
	careful.destroy_data = 0;
	int rc = setup_side(loop->options->root, &careful, side, path, workload, 0, ret, err);
	if (rc || !asked->destroy_data || ret->target.kind != TARGET_DEVICE)
		return rc;
	if (confirm_allow(asked, &loop->asked, &ret->target) & TARGET_DESTROY_DATA)
		return setup_side(loop->options->root, asked, side, path, workload, 0, ret, err);
	if (ret->refusal[0])
		snprintf(ret->refusal, sizeof(ret->refusal),
			 "%.100s stays as it is: only a device that ioduel was started with, and asked about, is written over",
			 ret->target.path);
	return 0;
}

static void
set_side(struct loop *loop, enum side side, const char *path, const char *workload)
{
	struct session_side new_side;
	struct error err;
	if (look_at_side(loop, side, path, workload, &new_side, &err)) {
		session_say(loop->session, 1, "%.250s", err.text);
		return;
	}
	// Asked before the worker is ended: a side that runs goes on undisturbed.
	if (session_set_side(loop->session, side, &new_side) == -EBUSY) {
		session_say(loop->session, 1, "something runs: x stops it first");
		return;
	}
	workers_kill(&loop->workers, side);
	loop->workers.allow[side] = confirm_allow(loop->options->options, &loop->asked, &new_side.target);
	if (new_side.refusal[0])
		session_say(loop->session, 1, "%.250s", new_side.refusal);
}

static void
set_workload(struct loop *loop, const char *workload)
{
	if (session_is_measuring(loop->session)) {
		session_say(loop->session, 1, "something runs: x stops it first");
		return;
	}
	for (int i = 0; i < SIDES; i++) {
		const struct session_side *side = session_get_side(loop->session, (enum side)i);
		char path[4096];
		if (!side->present)
			continue;
		snprintf(path, sizeof(path), "%s", side->path);
		set_side(loop, (enum side)i, path, workload);
	}
}

static char *
trimmed(char *text)
{
	text += strspn(text, " \t");
	for (size_t n = strlen(text); n > 0 && strchr(" \t\n", text[n - 1]); n--)
		text[n - 1] = '\0';
	return text;
}

static void
save_config(struct loop *loop, const char *lines)
{
	struct config_change change[CONFIG_LINES_MAX];
	char text[2048], path[4096], *rest = NULL;
	struct error err;
	size_t n = 0;
	snprintf(text, sizeof(text), "%s", lines);
	for (char *line = strtok_r(text, "\n", &rest); line && n < CONFIG_LINES_MAX; line = strtok_r(NULL, "\n", &rest)) {
		char *equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = '\0';
		change[n].key = trimmed(line);
		change[n++].value = trimmed(equals + 1);
	}
	if (config_path(path, sizeof(path)) < 0)
		session_say(loop->session, 1, "there is no place for the configuration: set HOME or XDG_CONFIG_HOME");
	else if (config_save(path, change, n, &err))
		session_say(loop->session, 1, "%.250s", err.text);
	else
		session_say(loop->session, 0, "saved %.230s", path);
}

void
loop_apply(struct loop *loop, const struct effect *effect)
{
	struct wire_go go = {.turn = effect->turn, .settle_ns = effect->settle_ns, .slice_ns = effect->slice_ns};
	switch (effect->type) {
	case EFFECT_LAUNCH:
		launch(loop, effect->side);
		break;
	case EFFECT_GO:
		tell(loop, effect->side, WIRE_GO, &go, sizeof(go));
		break;
	case EFFECT_PAUSE:
		tell(loop, effect->side, WIRE_PAUSE, NULL, 0);
		break;
	case EFFECT_REMAKE:
		tell(loop, effect->side, WIRE_REMAKE, NULL, 0);
		break;
	case EFFECT_DROP_CACHE:
		// An ordinary user may not; the scratch file is dropped by its worker all the same.
		(void)sysroot_drop_caches(loop->options->root);
		tell(loop, effect->side, WIRE_DROP_CACHE, NULL, 0);
		break;
	case EFFECT_SETUP:
		start_setup(loop, effect->side, effect->text);
		break;
	case EFFECT_KILL:
		workers_kill(&loop->workers, effect->side);
		break;
	case EFFECT_SAVE:
		save(loop, 1);
		break;
	case EFFECT_SNAPSHOT:
		save(loop, 0);
		break;
	case EFFECT_EXPORT:
		export_report(loop, effect->text);
		break;
	case EFFECT_DELETE:
		delete_saved(loop, effect->text);
		pickers_refresh(&loop->pickers, loop->options->root);
		break;
	case EFFECT_SUSPEND:
		loop_suspend(loop);
		break;
	case EFFECT_SET_WORKLOAD:
		set_workload(loop, effect->text);
		break;
	case EFFECT_SET_TARGET:
		set_side(loop, effect->side, effect->text, NULL);
		break;
	case EFFECT_SAVE_CONFIG:
		save_config(loop, effect->text);
		break;
	case EFFECT_REFRESH:
		pickers_refresh(&loop->pickers, loop->options->root);
		break;
	case EFFECT_OPEN:
		session_say(loop->session, 0, "this screen is busy with a live session: ioduel open %.180s shows that one", effect->text);
		break;
	case EFFECT_BASELINE:
		session_say(loop->session, 0, "ioduel compare lays %.180s beside another session", effect->text);
		break;
	case EFFECT_QUIT:
		loop->quit = 1;
		break;
	default:
		break;
	}
}
