// SPDX-License-Identifier: MIT
// The screen library in a real terminal on a made-up session. Without
// arguments a test: it starts itself with "live" in a pseudo-terminal and reads
// what appears. "test_screen_live live [LAYOUT [THEME [GLYPHS]]]" is for people.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/screen.h"
#include "support_term.h"
#include "support_view.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t resized, ended;

static void
on_signal(int signo)
{
	if (signo == SIGWINCH) {
		resized = 1;
		return;
	}
	ended = signo;
}

static void
on_crash(int signo)
{
	screen_restore();
	signal(signo, SIG_DFL);
	raise(signo);
}

// What a session would answer, as far as the picture needs it.
static int
obey(struct screen *s, struct view *view, const struct command_event *event)
{
	switch (event->command) {
	case COMMAND_QUIT:
		if (view->plan_running && !view->asking_quit) {
			view->asking_quit = 1;
			return 1;
		}
		return 0;
	case COMMAND_CONFIRM:
		if (view->asking_quit)
			return 0;
		view->destroy.open = 0;
		break;
	case COMMAND_CANCEL:
		view->asking_quit = view->destroy.open = 0;
		break;
	case COMMAND_SUSPEND:
		screen_suspend(s);
		raise(SIGSTOP);
		screen_resume(s);
		return 1;
	case COMMAND_NONE:
		return 1;
	default:
		break;
	}
	snprintf(view->message, sizeof(view->message), "command %d: %.200s", event->command, event->text);
	return 1;
}

static int
live(int argc, char **argv)
{
	struct screen_options options = {.mouse = 1, .layout = argc > 2 ? argv[2] : NULL, .theme = argc > 3 ? argv[3] : NULL,
					 .glyphs = argc > 4 ? argv[4] : NULL, .theme_dirs = {IODUEL_SOURCE_DIR "/themes"}};
	int frame_ms = argc > 5 ? atoi(argv[5]) : 1000, frames = argc > 6 ? atoi(argv[6]) : -1, rc = 0;
	struct fake_view *f = fake_view_new();
	struct command_event event;
	struct error err;
	struct screen *s;

	signal(SIGWINCH, on_signal);
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	signal(SIGSEGV, on_crash);
	s = screen_new(&options, &err);
	if (!s) {
		fprintf(stderr, "%s\n", err.text);
		return err.exit_status;
	}
	if (screen_complaints(s)[0])
		snprintf(fake_view(f)->message, 256, "%s", screen_complaints(s));
	screen_draw(s, fake_view(f));
	while (!ended && frames-- != 0) {
		struct pollfd in = {STDIN_FILENO, POLLIN, 0};
		int n = poll(&in, 1, frame_ms);
		if (resized) {
			resized = 0;
			screen_resized(s);
		}
		if (n == 0)
			fake_view_advance(f, frame_ms);
		while (n != 0 && (rc = screen_input(s, fake_view(f), &event)) > 0)
			if (!obey(s, fake_view(f), &event))
				ended = 1;
		if (rc < 0)
			break;
		screen_draw(s, fake_view(f));
	}
	screen_free(s);
	fake_view_free(f);
	return 0;
}

// A minute at one frame a second, as fast as it goes: what the terminal gets, and what it costs to make.
static int
cost(int argc, char **argv)
{
	struct screen_options options = {.mouse = 1, .layout = argc > 2 ? argv[2] : NULL};
	struct fake_view *f = fake_view_new();
	struct rusage before, after;
	struct error err;
	struct screen *s = screen_new(&options, &err);
	double used = 0;

	if (!s)
		return 1;
	screen_draw(s, fake_view(f));
	for (int i = 0; i < 60; i++) {
		fake_view_advance(f, 1000);
		getrusage(RUSAGE_SELF, &before);
		screen_draw(s, fake_view(f));
		getrusage(RUSAGE_SELF, &after);
		used += (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
			(double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
	}
	screen_free(s);
	fake_view_free(f);
	printf("cpu %.3f s\n", used);
	return 0;
}

// 200x50, all graphs of both sides, one update a second: 160 kB a minute after the first frame, which takes 20 kB.
static void
test_bytes_a_minute(void **state)
{
	static const char *const layouts[] = {"side", "overlay", "latency", "devices"};

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const char *argv[] = {IODUEL_BINARY_DIR "/tests/term-screen_live", "cost", layouts[i], NULL};
		const char *env[] = {"COLORTERM=truecolor", NULL};
		struct vt *vt = vt_start(&(struct vt_options){.rows = 50, .cols = 200, .env = env}, argv);
		struct vt_exit end;
		assert_true(vt_wait_exit(vt, &end));
		assert_int_equal(end.status, 0);
		print_message("%s: %zu bytes, %s\n", layouts[i], vt_bytes(vt), strstr(vt_text(vt), "cpu") ? strstr(vt_text(vt), "cpu") : "");
		assert_true(vt_bytes(vt) < 180000);
		vt_free(vt);
	}
}

static void
test_start_and_quit(void **state)
{
	const char *argv[] = {IODUEL_BINARY_DIR "/tests/term-screen_live", "live", NULL};
	struct vt *vt = vt_start(&(struct vt_options){0}, argv);
	struct vt_exit end;

	(void)state;
	assert_true(vt_wait_text(vt, "pair 5 of 12"));
	assert_true(vt_alternate(vt));
	assert_true(vt_mouse(vt));
	assert_false(vt_cursor_visible(vt));
	vt_type(vt, "?");
	assert_true(vt_wait_text(vt, "hand over to the other side"));
	vt_type(vt, "\033");
	assert_true(vt_wait_no_text(vt, "hand over to the other side"));
	vt_resize(vt, 10, 30);
	assert_true(vt_wait_text(vt, "too small"));
	vt_resize(vt, 50, 200);
	assert_true(vt_wait_text(vt, "pair 5 of 12"));
	vt_type(vt, "q");
	assert_true(vt_wait_text(vt, "Something runs"));
	vt_type(vt, "y");
	assert_true(vt_wait_exit(vt, &end));
	assert_int_equal(end.status, 0);
	assert_null(vt_left_behind(vt));
	vt_free(vt);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_start_and_quit), cmocka_unit_test(test_bytes_a_minute)};

	if (argc > 1 && strcmp(argv[1], "live") == 0)
		return live(argc, argv);
	if (argc > 1 && strcmp(argv[1], "cost") == 0)
		return cost(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
