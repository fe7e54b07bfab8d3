// SPDX-License-Identifier: MIT
// The pseudo-terminal and libvterm behind support_term.h. One rule: the harness keeps the slave side open, so that the terminal's modes can
// be read after the program has gone.
#include "support_shell.h"

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
	char mode[64];	// a private mode sequence that is being read, from its ESC on
	size_t mode_n;
	char tail[512]; // what the program wrote last, for the record of a failure
	size_t tail_n;
};

static int
vt_on_prop(VTermProp prop, VTermValue *value, void *user)
{
	struct vt *vt = user;

	if (prop == VTERM_PROP_ALTSCREEN)
		vt->alternate = value->boolean;
	if (prop == VTERM_PROP_MOUSE)
		vt->mouse = value->number != VTERM_PROP_MOUSE_NONE;
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
	struct shell_event event;
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

// libvterm saves and restores the cursor's visibility with its position, which no other terminal does; so
// the sequences that set it (CSI ? ... 25 ... h or l) are read here.
static void
vt_scan_modes(struct vt *vt, const char *bytes, size_t n)
{
	for (; n > 0; n--, bytes++) {
		if (*bytes == '\033' || vt->mode_n + 1 >= sizeof(vt->mode))
			vt->mode_n = 0;
		if (*bytes != '\033' && vt->mode_n == 0)
			continue;
		vt->mode[vt->mode_n++] = *bytes;
		if (vt->mode_n <= 3 && strncmp(vt->mode, "\033[?", vt->mode_n) == 0)
			continue;
		if (vt->mode_n > 3 && strchr("0123456789;", *bytes))
			continue;
		vt->mode[vt->mode_n - 1] = '\0';
		for (char *p = vt->mode_n > 4 ? strtok(vt->mode + 3, ";") : NULL; p; p = strtok(NULL, ";"))
			if (strcmp(p, "25") == 0 && (*bytes == 'h' || *bytes == 'l'))
				vt->cursor_hidden = *bytes == 'l';
		vt->mode_n = 0;
	}
}

static void
vt_feed(struct vt *vt, const char *bytes, size_t n)
{
	size_t keep = sizeof(vt->tail) - 1;

	vt->bytes += n;
	vterm_input_write(vt->term, bytes, n);
	vt_scan_modes(vt, bytes, n);
	if (n < keep) {
		size_t old = vt->tail_n < keep - n ? vt->tail_n : keep - n;
		memmove(vt->tail, vt->tail + vt->tail_n - old, old);
		vt->tail_n = old;
	} else {
		bytes += n - keep;
		n = keep;
		vt->tail_n = 0;
	}
	memcpy(vt->tail + vt->tail_n, bytes, n);
	vt->tail_n += n;
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
	struct shell_event event;

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
		vt_feed(vt, buf, (size_t)n);
		vt_answer(vt);
	}
	if ((p[1].revents & (POLLHUP | POLLERR)) && !vt->end.exited && kill(vt->pid, 0) < 0)
		vt->end.exited = true;
}

// Reads what was written before this instant. What passes through a pty arrives some time later, so a
// mark is sent after it; the program must not be writing any more.
static void
vt_drain(struct vt *vt)
{
	static const char mark[] = "\001end of output\001";
	char buf[4096];
	size_t n = 0, length = sizeof(mark) - 1;
	int64_t deadline = clock_now_ns() + 5 * NS_PER_S;

	vt_pump(vt, 0);
	if (vt->master < 0 || write(vt->slave, mark, length) != (ssize_t)length)
		return;
	while (clock_now_ns() < deadline) {
		struct pollfd p = {.fd = vt->master, .events = POLLIN};
		poll(&p, 1, 100);
		ssize_t got = read(vt->master, buf + n, sizeof(buf) - n);
		if (got <= 0)
			continue;
		n += (size_t)got;
		bool found = n >= length && memcmp(buf + n - length, mark, length) == 0;
		// The last bytes may be the beginning of the mark.
		size_t sure = found ? n - length : n > length ? n - length : 0;
		vt_feed(vt, buf, sure);
		if (found)
			return;
		memmove(buf, buf + sure, n - sure);
		n -= sure;
	}
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
			fprintf(stderr, "%s; the screen was:\n%s\n", vt->end.exited ? "the program ended" : "deadline", vt_text(vt));
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
	bool stopped = vt_wait(vt, vt_is_stopped, NULL);

	if (stopped)
		vt_drain(vt);
	return stopped;
}

bool
vt_stops_soon(struct vt *vt)
{
	for (int i = 0; i < 50 && !vt->stopped; i++)
		vt_pump(vt, 100);
	return vt->stopped;
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
	if (vt->end.exited)
		vt_drain(vt);
	if (ret)
		*ret = vt->end;
	if (!vt->end.exited)
		fprintf(stderr, "the program still runs; the screen was:\n%s\n", vt_text(vt));
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

static const char *
vt_difference(const struct vt *vt)
{
	if (!vt_modes_restored(vt))
		return "the line's modes are changed";
	if (vt->alternate)
		return "the alternate screen is on";
	if (vt->mouse)
		return "mouse reports are on";
	return vt->cursor_hidden ? "the cursor is hidden" : NULL;
}

const char *
vt_left_behind(const struct vt *vt)
{
	const char *what = vt_difference(vt);

	if (!what)
		return NULL;
	fprintf(stderr, "left behind: %s; the last bytes were:", what);
	for (size_t i = 0; i < vt->tail_n; i++)
		fprintf(stderr, vt->tail[i] >= 0x20 && vt->tail[i] < 0x7f ? "%c" : "\\%03o", (unsigned char)vt->tail[i]);
	fprintf(stderr, "\n");
	return what;
}
