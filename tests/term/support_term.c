// SPDX-License-Identifier: MIT
// The pseudo-terminal, the small shell and libvterm behind support_term.h. One
// rule: the harness keeps the slave side open, so that the terminal's modes can
// be read after the program has gone.
#include "support_term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>

#include <cmocka.h>

#include <ioduel/clock.h>

struct vt {
	int master, slave, events;
	pid_t leader, pid;
	struct termios before;
	VTerm *term;
	VTermScreen *screen;
	int rows, cols;
	int alternate, mouse, cursor_hidden;
	size_t bytes;
	bool stopped;
	struct vt_exit end;
	char text[400 * 300];
};

// What the small shell reports, one record a change.
struct event {
	pid_t pid;
	int status;
};

static pid_t shell_job;
static volatile sig_atomic_t shell_wants_fg;

static void
shell_on_usr1(int signo)
{
	(void)signo;
	shell_wants_fg = 1;
}

static _Noreturn void
shell_exec(const struct vt_options *o, const char *const *argv)
{
	char text[4200];
	const char *home = o->home ? o->home : "/";

	const struct rlimit no_core = {0, 0};

	setpgid(0, 0);
	tcsetpgrp(0, getpid());
	setrlimit(RLIMIT_CORE, &no_core);
	if (o->file_bytes_max > 0) {
		const struct rlimit limit = {o->file_bytes_max, o->file_bytes_max};
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	setenv("TERM", o->term ? o->term : "xterm-256color", 1);
	setenv("LC_ALL", o->locale ? o->locale : "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	setenv("HOME", home, 1);
	snprintf(text, sizeof(text), "%s/data", home);
	setenv("XDG_DATA_HOME", text, 1);
	snprintf(text, sizeof(text), "%s/config", home);
	setenv("XDG_CONFIG_HOME", text, 1);
	static const char *const unset[] = {"COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "TMUX", "IODUEL_WORKER"};
	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	for (const char *const *e = o->env; e && *e; e++)
		putenv(strdup(*e));
	if (chdir(o->cwd ? o->cwd : home) < 0)
		_exit(126);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

// The session's leader: starts the job, reports each change of its state, and
// brings it to the foreground on SIGUSR1.
static _Noreturn void
shell_main(const struct vt_options *o, const char *const *argv, int slave, int events)
{
	struct sigaction on_usr1 = {.sa_handler = shell_on_usr1};
	struct event event;

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(slave, fd);
	signal(SIGTTOU, SIG_IGN);
	if (o->leader_ignores_hup)
		signal(SIGHUP, SIG_IGN);
	sigaction(SIGUSR1, &on_usr1, NULL);
	shell_job = fork();
	if (shell_job == 0) {
		close(events);
		if (slave > 2)
			close(slave);
		shell_exec(o, argv);
	}
	setpgid(shell_job, shell_job);
	tcsetpgrp(0, shell_job);
	event = (struct event){.pid = shell_job, .status = -1};
	if (write(events, &event, sizeof(event)) < 0)
		_exit(1);
	for (;;) {
		int status;
		pid_t pid = waitpid(shell_job, &status, WUNTRACED | WCONTINUED);
		if (pid < 0 && errno != EINTR)
			_exit(1);
		if (pid == shell_job) {
			event.status = status;
			if (write(events, &event, sizeof(event)) < 0)
				_exit(1);
			if (WIFSTOPPED(status))
				tcsetpgrp(0, getpgrp());
			if (WIFEXITED(status) || WIFSIGNALED(status))
				_exit(0);
		}
		if (shell_wants_fg) {
			shell_wants_fg = 0;
			tcsetpgrp(0, shell_job);
			kill(-shell_job, SIGCONT);
		}
	}
}

static int
vt_on_prop(VTermProp prop, VTermValue *value, void *user)
{
	struct vt *vt = user;

	if (prop == VTERM_PROP_ALTSCREEN)
		vt->alternate = value->boolean;
	if (prop == VTERM_PROP_MOUSE)
		vt->mouse = value->number != VTERM_PROP_MOUSE_NONE;
	if (prop == VTERM_PROP_CURSORVISIBLE)
		vt->cursor_hidden = !value->boolean;
	return 1;
}

static const VTermScreenCallbacks vt_callbacks = {.settermprop = vt_on_prop};

static void
vt_screen_init(struct vt *vt)
{
	vt->term = vterm_new(vt->rows, vt->cols);
	assert_non_null(vt->term);
	vterm_set_utf8(vt->term, 1);
	vt->screen = vterm_obtain_screen(vt->term);
	vterm_screen_set_callbacks(vt->screen, &vt_callbacks, vt);
	vterm_screen_enable_altscreen(vt->screen, 1);
	vterm_screen_reset(vt->screen, 1);
}

struct vt *
vt_start(const struct vt_options *options, const char *const *argv)
{
	struct vt *vt = calloc(1, sizeof(*vt));
	struct winsize size;
	struct event event;
	int pipe_fds[2];

	assert_non_null(vt);
	signal(SIGPIPE, SIG_IGN);
	vt->rows = options->rows ? options->rows : 36;
	vt->cols = options->cols ? options->cols : 120;
	size = (struct winsize){.ws_row = (unsigned short)vt->rows, .ws_col = (unsigned short)vt->cols};
	assert_int_equal(openpty(&vt->master, &vt->slave, NULL, NULL, &size), 0);
	assert_int_equal(tcgetattr(vt->slave, &vt->before), 0);
	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	fcntl(vt->master, F_SETFD, FD_CLOEXEC);
	fcntl(vt->master, F_SETFL, O_NONBLOCK);
	vt->leader = fork();
	assert_true(vt->leader >= 0);
	if (vt->leader == 0) {
		close(vt->master);
		shell_main(options, argv, vt->slave, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	fcntl(vt->slave, F_SETFD, FD_CLOEXEC);
	vt->events = pipe_fds[0];
	assert_int_equal(read(vt->events, &event, sizeof(event)), sizeof(event));
	vt->pid = event.pid;
	fcntl(vt->events, F_SETFL, O_NONBLOCK);
	vt_screen_init(vt);
	return vt;
}

void
vt_free(struct vt *vt)
{
	if (!vt)
		return;
	if (!vt->end.exited)
		kill(vt->pid, SIGKILL);
	kill(vt->leader, SIGKILL);
	waitpid(vt->leader, NULL, 0);
	if (vt->master >= 0)
		close(vt->master);
	close(vt->slave);
	close(vt->events);
	vterm_free(vt->term);
	free(vt);
}

pid_t
vt_pid(const struct vt *vt)
{
	return vt->pid;
}

int
vt_rows(const struct vt *vt)
{
	return vt->rows;
}

int
vt_cols(const struct vt *vt)
{
	return vt->cols;
}

size_t
vt_bytes(const struct vt *vt)
{
	return vt->bytes;
}

void
vt_type_n(struct vt *vt, const char *keys, size_t n)
{
	while (n > 0 && vt->master >= 0) {
		ssize_t done = write(vt->master, keys, n);
		if (done < 0 && errno == EAGAIN) {
			struct pollfd p = {.fd = vt->master, .events = POLLOUT};
			vt_pump(vt, 0);
			poll(&p, 1, 100);
			continue;
		}
		if (done <= 0)
			return;
		keys += done;
		n -= (size_t)done;
	}
}

void
vt_type(struct vt *vt, const char *keys)
{
	vt_type_n(vt, keys, strlen(keys));
}

void
vt_resize(struct vt *vt, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	vt_pump(vt, 0);
	vt->rows = rows;
	vt->cols = cols;
	vterm_set_size(vt->term, rows, cols);
	ioctl(vt->master, TIOCSWINSZ, &size);
}

void
vt_signal(struct vt *vt, int signo)
{
	kill(vt->pid, signo);
}

void
vt_foreground(struct vt *vt)
{
	vt->stopped = false;
	kill(vt->leader, SIGUSR1);
}

void
vt_hang_up(struct vt *vt)
{
	vt_pump(vt, 0);
	close(vt->master);
	vt->master = -1;
}

// Answers of the terminal (cursor position, attributes) go back to the program.
static void
vt_answer(struct vt *vt)
{
	char buf[256];
	size_t n;

	while ((n = vterm_output_read(vt->term, buf, sizeof(buf))) > 0)
		if (write(vt->master, buf, n) < 0)
			return;
}

static void
vt_read_events(struct vt *vt)
{
	struct event event;

	while (read(vt->events, &event, sizeof(event)) == (ssize_t)sizeof(event)) {
		if (WIFSTOPPED(event.status))
			vt->stopped = true;
		else if (WIFCONTINUED(event.status))
			vt->stopped = false;
		else
			vt->end = (struct vt_exit){.exited = true, .status = event.status};
	}
}

void
vt_pump(struct vt *vt, int ms)
{
	struct pollfd p[2] = {{.fd = vt->master, .events = POLLIN}, {.fd = vt->events, .events = POLLIN}};
	char buf[65536];
	ssize_t n;

	// After the leader's death its pipe is readable for ever; only the screen counts then.
	if (vt->end.exited)
		p[1].fd = -1;
	poll(p, 2, ms);
	vt_read_events(vt);
	while (vt->master >= 0 && (n = read(vt->master, buf, sizeof(buf))) > 0) {
		vt->bytes += (size_t)n;
		vterm_input_write(vt->term, buf, (size_t)n);
		vt_answer(vt);
	}
	if ((p[1].revents & (POLLHUP | POLLERR)) && !vt->end.exited && kill(vt->pid, 0) < 0)
		vt->end.exited = true;
}

static void
vt_append_row(struct vt *vt, int row, char *buf, size_t size)
{
	VTermRect rect = {.start_row = row, .end_row = row + 1, .start_col = 0, .end_col = vt->cols};
	size_t n = vterm_screen_get_text(vt->screen, buf, size - 1, rect);

	while (n > 0 && (buf[n - 1] == ' ' || buf[n - 1] == '\0'))
		n--;
	buf[n] = '\0';
}

const char *
vt_row(struct vt *vt, int row)
{
	vt_append_row(vt, row, vt->text, sizeof(vt->text));
	return vt->text;
}

const char *
vt_text(struct vt *vt)
{
	size_t used = 0;

	for (int row = 0; row < vt->rows && used + 2 < sizeof(vt->text); row++) {
		vt_append_row(vt, row, vt->text + used, sizeof(vt->text) - used - 1);
		used += strlen(vt->text + used);
		vt->text[used++] = '\n';
	}
	vt->text[used] = '\0';
	return vt->text;
}

static int64_t
vt_deadline(void)
{
	return clock_now_ns() + VT_DEADLINE_MS * NS_PER_MS;
}

bool
vt_wait(struct vt *vt, bool (*holds)(struct vt *vt, const void *arg), const void *arg)
{
	int64_t deadline = vt_deadline();

	vt_pump(vt, 0);
	while (!holds(vt, arg)) {
		if (vt->end.exited || clock_now_ns() > deadline) {
			print_error("%s; the screen was:\n%s\n", vt->end.exited ? "the program ended" : "deadline", vt_text(vt));
			return false;
		}
		vt_pump(vt, 100);
	}
	return true;
}

static bool
vt_has_text(struct vt *vt, const void *arg)
{
	return strstr(vt_text(vt), arg) != NULL;
}

static bool
vt_has_no_text(struct vt *vt, const void *arg)
{
	return !vt_has_text(vt, arg);
}

static bool
vt_differs(struct vt *vt, const void *arg)
{
	return strcmp(vt_text(vt), arg) != 0;
}

static bool
vt_is_stopped(struct vt *vt, const void *arg)
{
	(void)arg;
	return vt->stopped;
}

bool
vt_wait_text(struct vt *vt, const char *text)
{
	bool found = vt_wait(vt, vt_has_text, text);

	if (!found)
		print_error("waited for: %s\n", text);
	return found;
}

static bool
vt_matches(struct vt *vt, const void *arg)
{
	return regexec(arg, vt_text(vt), 0, NULL, 0) == 0;
}

bool
vt_wait_match(struct vt *vt, const char *pattern)
{
	regex_t regex;
	bool found;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE), 0);
	found = vt_wait(vt, vt_matches, &regex);
	regfree(&regex);
	if (!found)
		print_error("waited for: %s\n", pattern);
	return found;
}

bool
vt_wait_no_text(struct vt *vt, const char *text)
{
	return vt_wait(vt, vt_has_no_text, text);
}

bool
vt_wait_change(struct vt *vt, const char *before)
{
	return vt_wait(vt, vt_differs, before);
}

bool
vt_wait_stop(struct vt *vt)
{
	return vt_wait(vt, vt_is_stopped, NULL);
}

static bool
vt_has_alternate(struct vt *vt, const void *arg)
{
	(void)arg;
	return vt->alternate;
}

bool
vt_wait_alternate(struct vt *vt)
{
	return vt_wait(vt, vt_has_alternate, NULL);
}

bool
vt_wait_exit(struct vt *vt, struct vt_exit *ret)
{
	int64_t deadline = vt_deadline();

	while (!vt->end.exited && clock_now_ns() < deadline)
		vt_pump(vt, 100);
	vt_pump(vt, 0);
	if (ret)
		*ret = vt->end;
	if (!vt->end.exited)
		print_error("the program still runs; the screen was:\n%s\n", vt_text(vt));
	return vt->end.exited;
}

bool
vt_alternate(const struct vt *vt)
{
	return vt->alternate;
}

bool
vt_mouse(const struct vt *vt)
{
	return vt->mouse;
}

bool
vt_cursor_visible(const struct vt *vt)
{
	return !vt->cursor_hidden;
}

bool
vt_modes_restored(const struct vt *vt)
{
	struct termios now;

	assert_int_equal(tcgetattr(vt->slave, &now), 0);
	return now.c_iflag == vt->before.c_iflag && now.c_oflag == vt->before.c_oflag &&
	       now.c_cflag == vt->before.c_cflag && now.c_lflag == vt->before.c_lflag &&
	       memcmp(now.c_cc, vt->before.c_cc, sizeof(now.c_cc)) == 0;
}

const char *
vt_left_behind(const struct vt *vt)
{
	if (!vt_modes_restored(vt))
		return "the line's modes are changed";
	if (vt->alternate)
		return "the alternate screen is on";
	if (vt->mouse)
		return "mouse reports are on";
	if (vt->cursor_hidden)
		return "the cursor is hidden";
	return NULL;
}
