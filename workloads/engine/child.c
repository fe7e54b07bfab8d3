// SPDX-License-Identifier: MIT
// Runs a program of the user's; see child.h. Rule: the worker is a subreaper
// while it does so, and every descendant is ended and waited for, however it
// tried to get away.
#include "child.h"

#include <ioduel/clock.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_BYTES 65536u
// From the polite signal to SIGKILL, and how long leftovers are hunted.
#define GRACE_NS (3 * NS_PER_S)
#define HUNT_NS (10 * NS_PER_S)

struct stream {
	int fd; // -1 = closed
	bool to_output;
	size_t n;
	char line[LINE_BYTES];
};

struct running {
	struct pass *pass;
	const struct child_spec *spec;
	pid_t pid;
	int pidfd;
	struct stream stream[2];
	struct child_result result;
};

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
deliver(struct running *r, struct stream *s)
{
	s->line[s->n] = '\0';
	if (s->to_output || !r->spec->line)
		pass_output(r->pass, s->line);
	else
		r->spec->line(r->spec->context, s->line, s->n);
	s->n = 0;
}

// Takes what is there; false when the stream has ended.
static bool
read_stream(struct running *r, struct stream *s)
{
	char buf[8192];
	ssize_t n = read(s->fd, buf, sizeof(buf));
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	for (ssize_t i = 0; i < n; i++) {
		if (buf[i] == '\n' || s->n + 1 == LINE_BYTES)
			deliver(r, s);
		if (buf[i] != '\n' && buf[i] != '\0')
			s->line[s->n++] = buf[i];
	}
	return n > 0;
}

static void
add_usage(struct child_result *result, const struct rusage *ru)
{
	result->user_s += (double)ru->ru_utime.tv_sec + (double)ru->ru_utime.tv_usec / 1e6;
	result->sys_s += (double)ru->ru_stime.tv_sec + (double)ru->ru_stime.tv_usec / 1e6;
	if ((double)ru->ru_maxrss * 1024 > result->max_rss_bytes)
		result->max_rss_bytes = (double)ru->ru_maxrss * 1024;
	result->written_bytes += (double)ru->ru_oublock * 512;
}

// What the ended program and the children that it waited for asked for by read calls, from the page cache or not. Its
// entry in /proc is there until it is waited for; NAN where it cannot be read.
static double
bytes_asked_for(pid_t pid)
{
	char path[64];
	unsigned long long n;
	snprintf(path, sizeof(path), "/proc/%ld/io", (long)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return (double)NAN;
	int found = fscanf(f, "rchar: %llu", &n);
	fclose(f);
	return found == 1 ? (double)n : (double)NAN;
}

// In the child: only async-signal-safe calls. Never returns.
static void
exec_child(const struct child_spec *spec, int out, int err_fd, int errno_pipe, pid_t parent)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };
	sigset_t none;
	setpgid(0, 0);
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &sa, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int null = getppid() == parent ? open("/dev/null", O_RDWR) : -1;
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err_fd, 2) >= 0 && chdir(spec->directory) == 0) {
#ifdef SYS_close_range
		// What remains closes at exec.
		syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
#endif
		execvp(spec->argv[0], (char *const *)(uintptr_t)spec->argv);
	}
	int error = errno;
	ssize_t ignored = write(errno_pipe, &error, sizeof(error));
	(void)ignored;
	_exit(127);
}

static int
start(struct running *r, struct error *err)
{
	int out[2] = { -1, -1 }, errs[2] = { -1, -1 }, errno_pipe[2] = { -1, -1 };
	int result = 0, error = 0;
	pid_t parent = getpid();

	if (pipe2(out, O_CLOEXEC) < 0 || (r->spec->split_stderr && pipe2(errs, O_CLOEXEC) < 0) || pipe2(errno_pipe, O_CLOEXEC) < 0) {
		result = -errno;
		goto fail;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	r->result.start_ns = clock_now_ns();
	r->pid = fork();
	if (r->pid < 0) {
		result = -errno;
		goto fail;
	}
	if (r->pid == 0)
		exec_child(r->spec, out[1], r->spec->split_stderr ? errs[1] : out[1], errno_pipe[1], parent);
	setpgid(r->pid, r->pid);
	close_fd(&out[1]);
	close_fd(&errs[1]);
	close_fd(&errno_pipe[1]);
	if (read(errno_pipe[0], &error, sizeof(error)) == (ssize_t)sizeof(error)) {
		waitpid(r->pid, NULL, 0);
		result = -error;
		goto fail;
	}
	close_fd(&errno_pipe[0]);
	r->pidfd = (int)syscall(SYS_pidfd_open, r->pid, 0);
	r->stream[0].fd = out[0];
	r->stream[1].fd = errs[0];
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	if (errs[0] >= 0)
		fcntl(errs[0], F_SETFL, O_NONBLOCK);
	return 0;
fail:
	for (int i = 0; i < 2; i++) {
		close_fd(&out[i]);
		close_fd(&errs[i]);
		close_fd(&errno_pipe[i]);
	}
	return error_set(err, result, "cannot start %.200s: %s", r->spec->argv[0], strerror(-result));
}

// Signals every child of every thread of this process.
static void
signal_children(int sig)
{
	DIR *tasks = opendir("/proc/self/task");
	if (!tasks)
		return;
	for (const struct dirent *e; (e = readdir(tasks));) {
		char path[300];
		long pid;
		snprintf(path, sizeof(path), "/proc/self/task/%s/children", e->d_name);
		FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "re");
		while (f && fscanf(f, "%ld", &pid) == 1)
			kill((pid_t)pid, sig);
		if (f)
			fclose(f);
	}
	closedir(tasks);
}

// Ends and waits for whatever the program left running.
static void
hunt_leftovers(struct running *r)
{
	int64_t deadline = clock_now_ns() + HUNT_NS;
	kill(-r->pid, SIGKILL);
	for (;;) {
		struct rusage ru;
		int status;
		pid_t pid = wait4(-1, &status, WNOHANG, &ru);
		if (pid > 0) {
			add_usage(&r->result, &ru);
			r->result.leftovers += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
			continue;
		}
		if (pid < 0 || clock_now_ns() > deadline)
			return;
		signal_children(SIGKILL);
		struct timespec ts = { 0, NS_PER_MS };
		nanosleep(&ts, NULL);
	}
}

// Reads output until the program itself has ended; asks it to end when the turn is to.
static void
watch(struct running *r)
{
	int64_t kill_at = 0;
	for (;;) {
		struct pollfd fds[] = {
			{ r->pidfd, POLLIN, 0 },
			{ r->stream[0].fd, POLLIN, 0 },
			{ r->stream[1].fd, POLLIN, 0 },
			{ kill_at ? -1 : pass_stop_fd(r->pass), POLLIN, 0 },
		};
		poll(fds, 4, kill_at ? 100 : -1);
		for (int i = 0; i < 2; i++)
			if (fds[1 + i].revents && !read_stream(r, &r->stream[i]))
				close_fd(&r->stream[i].fd);
		if (fds[3].revents) {
			r->result.stopped = true;
			kill(-r->pid, r->spec->stop_signal ? r->spec->stop_signal : SIGTERM);
			kill_at = clock_now_ns() + GRACE_NS;
		}
		if (kill_at && clock_now_ns() > kill_at)
			kill(-r->pid, SIGKILL);
		if (fds[0].revents)
			return;
	}
}

int
child_run(struct pass *pass, const struct child_spec *spec, struct child_result *ret, struct error *err)
{
	struct running *r = calloc(1, sizeof(*r));
	struct rusage ru;
	int status;
	if (!r)
		return error_set(err, -ENOMEM, "out of memory");
	r->pass = pass;
	r->spec = spec;
	r->pidfd = r->stream[0].fd = r->stream[1].fd = -1;
	r->stream[1].to_output = true;
	pass_child_runs(pass, true);
	int result = start(r, err);
	if (result < 0) {
		pass_child_runs(pass, false);
		free(r);
		return result;
	}
	watch(r);
	r->result.end_ns = clock_now_ns();
	r->result.read_bytes = bytes_asked_for(r->pid);
	while (wait4(r->pid, &status, 0, &ru) < 0 && errno == EINTR)
		;
	add_usage(&r->result, &ru);
	r->result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	hunt_leftovers(r);
	pass_child_runs(pass, false);
	for (int i = 0; i < 2; i++) {
		struct stream *s = &r->stream[i];
		for (size_t k = 0; s->fd >= 0 && k < 1000; k++) {
			struct pollfd p = { s->fd, POLLIN, 0 };
			if (poll(&p, 1, 0) <= 0 || !read_stream(r, s))
				break;
		}
		if (s->n)
			deliver(r, s);
		close_fd(&s->fd);
	}
	close_fd(&r->pidfd);
	*ret = r->result;
	free(r);
	return 0;
}
