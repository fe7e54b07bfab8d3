// SPDX-License-Identifier: MIT
// The poll loop. Rule: nothing in here blocks for longer than a frame, except
// the goodbye to a worker, whose time is bounded.
#include "loop.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "confirm.h"
#include "effects.h"
#include "loop_state.h"
#include "session/library.h"
#include "signals.h"

#define FAST_NS (NS_PER_S / 10)
#define MESSAGES_AT_ONCE 64

void
loop_dispatch(struct loop *loop, struct event *event)
{
	struct effects fx;
	if (loop->recorder)
		recorder_event(loop->recorder, event);
	session_step(loop->session, event, &fx);
	for (int i = 0; i < fx.n; i++) {
		if (fx.effect[i].type == EFFECT_LAUNCH || fx.effect[i].type == EFFECT_GO)
			loop_start_recorder(loop);
		if (loop->recorder)
			recorder_effect(loop->recorder, loop->session, &fx.effect[i], event->now_ns);
		loop_apply(loop, &fx.effect[i]);
	}
	if (fx.n > 0)
		loop->draw_now = 1;
}

static void
take_sample(struct loop *loop)
{
	probes_read(loop->probes, &loop->sample);
	struct event ev = {.type = EVENT_SAMPLE, .now_ns = loop->sample.t_ns, .sample = &loop->sample};
	loop_dispatch(loop, &ev);
}

static void
emit(void *context, struct event *event)
{
	struct loop *loop = context;
	// The figures of a slice end at this instant, so the devices are read at it.
	if (event->type == EVENT_TURN_END)
		take_sample(loop);
	if (event->type == EVENT_READY)
		session_set_layout(loop->session, event->side,
				   &loop->workers.layout[loop->share_file ? SIDE_A : event->side]);
	event->now_ns = clock_now_ns();
	loop_dispatch(loop, event);
}

static void
arm_timer(struct loop *loop)
{
	int64_t want_ns = session_wants_fast_samples(loop->session) && loop->interval_ns > FAST_NS ? FAST_NS : loop->interval_ns;
	if (want_ns == loop->timer_ns)
		return;
	struct itimerspec spec = {
		.it_interval = {.tv_sec = want_ns / NS_PER_S, .tv_nsec = want_ns % NS_PER_S},
		.it_value = {.tv_sec = want_ns / NS_PER_S, .tv_nsec = want_ns % NS_PER_S},
	};
	timerfd_settime(loop->timer_fd, 0, &spec, NULL);
	loop->timer_ns = want_ns;
}

static void
on_timer(struct loop *loop)
{
	uint64_t expired = 0;
	if (read(loop->timer_fd, &expired, sizeof(expired)) != sizeof(expired))
		return;
	if (expired > 1)
		loop->samples_late += (unsigned long)(expired - 1);
	take_sample(loop);
	struct event ev = {.type = EVENT_TICK, .now_ns = clock_now_ns()};
	loop_dispatch(loop, &ev);
}

void
loop_interrupt(struct loop *loop)
{
	struct event ev = {.type = EVENT_INTERRUPT, .now_ns = clock_now_ns()};
	if (!loop->quit)
		loop_dispatch(loop, &ev);
	loop->quit = 1;
}

static void
on_signal(struct loop *loop)
{
	int number;
	while ((number = signals_next(loop->signal_fd)) != 0) {
		switch (number) {
		case SIGWINCH:
			if (loop->screen)
				screen_resized(loop->screen);
			loop->draw_now = 1;
			break;
		case SIGTSTP:
			loop_suspend(loop);
			break;
		case SIGCONT:
			break;
		default:
			loop_interrupt(loop);
		}
	}
}

// The session's view with what only the program knows.
static const struct view *
loop_view(struct loop *loop, int64_t now_ns)
{
	loop->view = *session_view(loop->session, now_ns);
	loop->view.own_cpu_share = loop->own_cpu_share;
	loop->view.own_frame_ms = loop->frame_ms;
	loop->view.samples_late = loop->samples_late;
	pickers_show(&loop->pickers, &loop->view);
	return &loop->view;
}

static void
on_terminal(struct loop *loop)
{
	struct command_event command;
	for (int i = 0; i < 256 && !loop->quit; i++) {
		int rc = screen_input(loop->screen, loop_view(loop, clock_now_ns()), &command);
		if (rc == 0)
			return;
		if (rc < 0) {
			loop->terminal_gone = 1;
			loop_interrupt(loop);
			return;
		}
		loop->draw_now = 1;
		if (command.command == COMMAND_NONE)
			continue;
		struct event ev = {.type = EVENT_COMMAND, .now_ns = clock_now_ns(), .command = &command};
		loop_dispatch(loop, &ev);
	}
}

static double
own_cpu_s(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void
draw(struct loop *loop)
{
	int64_t now_ns = clock_now_ns();
	int due = now_ns >= loop->next_frame_ns;
	if (!loop->screen || !(loop->draw_now || due) || loop->quit)
		return;
	// A late frame is skipped, never queued.
	if (due)
		loop->next_frame_ns = now_ns + loop->interval_ns - (now_ns - loop->start_ns) % loop->interval_ns;
	loop->draw_now = 0;
	screen_draw(loop->screen, loop_view(loop, now_ns));
	loop->frame_ms = (double)(clock_now_ns() - now_ns) / 1e6;
	if (now_ns - loop->own_since_ns > 2 * NS_PER_S) {
		double cpu_s = own_cpu_s();
		loop->own_cpu_share = (cpu_s - loop->own_cpu_s) / ((double)(now_ns - loop->own_since_ns) / 1e9);
		loop->own_cpu_s = cpu_s;
		loop->own_since_ns = now_ns;
	}
}

static void
print_progress(struct loop *loop)
{
	int64_t now_ns = clock_now_ns();
	if (!loop->options->progress || now_ns - loop->progress_ns < NS_PER_S)
		return;
	const struct view *v = session_view(loop->session, now_ns);
	const struct view_side *side = &v->side[v->side[SIDE_B].active ? SIDE_B : SIDE_A];
	loop->progress_ns = now_ns;
	if (v->pairs_planned == 0)
		return;
	fprintf(stderr, "\r\033[Kioduel: %s, pair %d of %d, %c %s", v->plan, v->pair_now, v->pairs_planned,
		side == &v->side[SIDE_A] ? 'A' : 'B', side->state_text);
	if (side->progress >= 0)
		fprintf(stderr, " %.0f %%", 100 * side->progress);
	if (v->left_s >= 0)
		fprintf(stderr, ", %.0f s left", v->left_s);
	loop->progress_shown = 1;
	fflush(stderr);
}

static int
fill_poll(struct loop *loop, struct pollfd *fds)
{
	int n = 0;
	fds[n++] = (struct pollfd){.fd = loop->timer_fd, .events = POLLIN};
	fds[n++] = (struct pollfd){.fd = loop->signal_fd, .events = POLLIN};
	fds[n++] = (struct pollfd){.fd = loop->screen ? STDIN_FILENO : -1, .events = POLLIN};
	fds[n++] = (struct pollfd){.fd = loop->setup.pidfd, .events = POLLIN};
	for (int i = 0; i < SIDES; i++) {
		const struct worker *w = &loop->workers.worker[i];
		fds[n++] = (struct pollfd){.fd = w->handle.pid > 0 && !w->closed ? w->handle.sock : -1, .events = POLLIN};
		fds[n++] = (struct pollfd){.fd = w->handle.pid > 0 ? w->handle.pidfd : -1, .events = POLLIN};
	}
	return n;
}

static void
loop_once(struct loop *loop)
{
	struct pollfd fds[4 + 2 * SIDES];
	struct error err;
	arm_timer(loop);
	int n = fill_poll(loop, fds);
	if (poll(fds, (nfds_t)n, 1000) < 0 && errno != EINTR) {
		loop->quit = 1;
		return;
	}
	if (fds[1].revents)
		on_signal(loop);
	if (fds[2].revents && !loop->quit)
		on_terminal(loop);
	for (int i = 0; i < SIDES && !loop->quit; i++) {
		if (fds[4 + 2 * i].revents)
			workers_receive(&loop->workers, (enum side)i, MESSAGES_AT_ONCE, emit, loop);
		if (fds[5 + 2 * i].revents)
			workers_reap(&loop->workers, (enum side)i, emit, loop);
		signals_guard_group(i, loop->workers.worker[i].handle.pid);
	}
	if (fds[3].revents)
		loop_setup_done(loop);
	if (fds[0].revents && !loop->quit)
		on_timer(loop);
	if (loop->recorder && recorder_flush(loop->recorder, session_is_measuring(loop->session), &err))
		session_say(loop->session, 1, "%s", err.text);
	loop_save_waiting(loop);
	draw(loop);
	print_progress(loop);
}

static int
loop_open(struct loop *loop, const struct loop_options *lo, const struct session_config *config, struct error *err)
{
	int rc;
	loop->options = lo;
	loop->timer_fd = loop->signal_fd = loop->setup.pidfd = -1;
	loop->interval_ns = (int64_t)(lo->options->interval_s * 1e9);
	if (loop->interval_ns < FAST_NS)
		loop->interval_ns = FAST_NS;
	loop->start_ns = loop->own_since_ns = clock_now_ns();
	loop->own_cpu_s = own_cpu_s();
	loop->share_file = config->share_file;
	sample_init(&loop->sample);
	if (!(loop->probes = probes_new(lo->root, err)))
		return err->code;
	if ((rc = workers_init(&loop->workers, NULL, err)))
		return rc;
	confirm_note(config, &loop->asked);
	for (int i = 0; i < SIDES; i++)
		loop->workers.allow[i] = confirm_allow(lo->options, &loop->asked, &config->side[i].target);
	if (!(loop->session = session_new(config, clock_now_ns(), err)))
		return err->code;
	char history[320];
	if (library_say_history(session_result(loop->session), history, sizeof(history)) > 0)
		session_note_history(loop->session, history);
	// A file that the user named is opened first: nobody wants to hear of it after the run.
	if (lo->options->save && !lo->options->no_save) {
		loop->recorder = recorder_new(lo->options->save, loop->session, lo->root, err);
		if (!loop->recorder) {
			err->exit_status = EXIT_USAGE;
			return err->code;
		}
	}
	if ((loop->signal_fd = signals_open()) < 0)
		return error_set(err, loop->signal_fd, "cannot watch for signals: %s", strerror(-loop->signal_fd));
	if ((loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) < 0)
		return error_set(err, -errno, "cannot make a timer: %s", strerror(errno));
	if (lo->screen) {
		signals_guard(screen_restore);
		if (!(loop->screen = screen_new(lo->screen, err)))
			return err->code;
		const char *complaints = screen_complaints(loop->screen);
		if (complaints && complaints[0])
			session_say(loop->session, 1, "%.250s", complaints);
	} else {
		signals_guard(NULL);
	}
	return 0;
}

static void
loop_close(struct loop *loop)
{
	loop_setup_kill(loop);
	screen_free(loop->screen);
	workers_fini(&loop->workers);
	recorder_free(loop->recorder);
	session_free(loop->session);
	probes_free(loop->probes);
	sample_fini(&loop->sample);
	if (loop->timer_fd >= 0)
		close(loop->timer_fd);
	if (loop->signal_fd >= 0)
		close(loop->signal_fd);
}

static int
copy_result(const struct result *from, struct result *to)
{
	*to = *from;
	to->pairs = NULL;
	to->warnings = NULL;
	to->n_pairs = to->cap_pairs = to->n_warnings = to->cap_warnings = 0;
	for (int i = 0; i < from->n_pairs; i++)
		if (result_add_pair(to, &from->pairs[i]))
			return -ENOMEM;
	for (int i = 0; i < from->n_warnings; i++)
		if (result_warn(to, from->warnings[i].id, from->warnings[i].level, from->warnings[i].side, "%s",
				from->warnings[i].text))
			return -ENOMEM;
	return 0;
}

int
loop_run(const struct loop_options *lo, struct session_config *config)
{
	struct error err = {0};
	const char *reason = "";
	int status = EXIT_DONE;
	struct loop *loop = calloc(1, sizeof(*loop));
	if (!loop) {
		free(config);
		error_set(&err, -ENOMEM, "not enough memory");
		return cli_fail(&err, EXIT_RUN_FAILED);
	}
	int rc = loop_open(loop, lo, config, &err);
	free(config);
	if (rc) {
		loop_close(loop);
		free(loop);
		return cli_fail(&err, EXIT_RUN_FAILED);
	}
	loop->draw_now = 1;
	take_sample(loop);
	struct event first = {.type = EVENT_TICK, .now_ns = clock_now_ns()};
	loop_dispatch(loop, &first);
	draw(loop);
	while (!loop->quit && !(lo->screen == NULL && session_is_over(loop->session, &status, &reason)))
		loop_once(loop);
	(void)session_is_over(loop->session, &status, &reason);
	if (lo->screen && status != EXIT_INTERRUPTED)
		status = EXIT_DONE;
	if (lo->ret_result && copy_result(session_result(loop->session), lo->ret_result))
		status = EXIT_RUN_FAILED;
	if (loop->progress_shown)
		fprintf(stderr, "\r\033[K");
	char why[320], saved[4200], lost[sizeof(loop->lost)];
	snprintf(why, sizeof(why), "%s", reason);
	snprintf(saved, sizeof(saved), "%s", loop->saved);
	snprintf(lost, sizeof(lost), "%s", loop->lost);
	int quiet = lo->options->quiet;
	loop_close(loop);
	free(loop);
	if (status != EXIT_DONE && why[0])
		fprintf(stderr, "ioduel: %s\n", why);
	if (lost[0])
		fprintf(stderr, "ioduel: %s\n", lost);
	if (lost[0] && status == EXIT_DONE)
		status = EXIT_RUN_FAILED;
	if (saved[0] && !quiet)
		fprintf(stderr, "ioduel: saved %s\n", saved);
	return status;
}
