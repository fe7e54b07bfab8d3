// SPDX-License-Identifier: MIT
// `ioduel open FILE [FILE]`: a saved session in the screen. Rule: nothing runs
// and nothing is written.
#include <ioduel/clock.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "screen/screen.h"
#include "session/replay.h"
#include "signals.h"

#define LOAD_NS (30 * NS_PER_MS)

static void
suspend(struct screen *screen)
{
	screen_suspend(screen);
	raise(SIGSTOP);
	screen_resume(screen);
}

// Keys until none is pending; 1 = leave.
static int
on_keys(struct screen *screen, struct replay *replay)
{
	struct command_event ev;
	int rc;
	while ((rc = screen_input(screen, replay_view(replay), &ev)) > 0) {
		if (ev.command == COMMAND_QUIT)
			return 1;
		if (ev.command == COMMAND_SUSPEND)
			suspend(screen);
		else if (ev.command != COMMAND_NONE && ev.command != COMMAND_CANCEL && ev.command != COMMAND_CONFIRM)
			replay_say(replay, 1, "this is a saved session: nothing runs here");
	}
	return rc < 0;
}

static int
on_signals(struct screen *screen, int signal_fd, int *ret_status)
{
	int number;
	while ((number = signals_next(signal_fd)) != 0) {
		if (number == SIGWINCH) {
			screen_resized(screen);
		} else if (number == SIGTSTP) {
			suspend(screen);
		} else if (number != SIGCONT) {
			*ret_status = EXIT_INTERRUPTED;
			return 1;
		}
	}
	return 0;
}

static int
show(struct screen *screen, struct replay *replay, int signal_fd)
{
	int status = EXIT_DONE, more = 1;
	for (;;) {
		struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = signal_fd, .events = POLLIN}};
		screen_draw(screen, replay_view(replay));
		if (poll(fds, 2, more ? 0 : -1) < 0 && errno != EINTR)
			return EXIT_RUN_FAILED;
		if (fds[1].revents && on_signals(screen, signal_fd, &status))
			return status;
		if (fds[0].revents && on_keys(screen, replay))
			return status;
		if (more)
			more = replay_load(replay, clock_now_ns, LOAD_NS);
	}
}

int
cmd_open(int argc, char **argv)
{
	struct error err;
	struct replay *replay = NULL;
	struct screen *screen = NULL;
	struct screen_options options = {.mouse = 1};
	struct cli_scan scan = {0};
	int signal_fd = -1, status;

	if (cli_next(&scan, argc, argv, "", NULL, &err) == '?')
		return cli_fail(&err, EXIT_USAGE);
	if (argc < 2 || argc > 3) {
		error_set(&err, -EINVAL, "open takes one or two saved sessions: ioduel open FILE [FILE]");
		return cli_fail(&err, EXIT_USAGE);
	}
	if (!(replay = replay_new(argv[1], argc > 2 ? argv[2] : NULL, &err)))
		return cli_fail(&err, EXIT_RUN_FAILED);
	if ((signal_fd = signals_open()) < 0)
		error_set(&err, signal_fd, "cannot watch for signals: %s", strerror(-signal_fd));
	signals_guard(screen_restore);
	if (signal_fd >= 0)
		screen = screen_new(&options, &err);
	status = screen ? show(screen, replay, signal_fd) : -1;
	screen_free(screen);
	if (signal_fd >= 0)
		close(signal_fd);
	replay_free(replay);
	return status >= 0 ? status : cli_fail(&err, EXIT_RUN_FAILED);
}
