// SPDX-License-Identifier: MIT
// Starts the worker binary. Rule: the child begins with clean signals, no
// descriptor but its socket and standard error, its own process group, and a
// promise to end when its parent does; a failing exec is reported as such.
#include <ioduel/wire.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKER_NAME "ioduel-worker"
#define WORKER_SOCKET_FD 3 // as worker_main.c expects it

// The worker beside the running program; false where that cannot be told.
// Beside the running program (a build tree), or in libexec of the prefix that it was installed or moved to.
static bool
find_near(const char *where, char *buf, size_t size)
{
	const char *self = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	char real[PATH_MAX];
	if (!self || !realpath(self, real))
		return false;
	char *slash = strrchr(real, '/');
	if (!slash)
		return false;
	*slash = '\0';
	if (snprintf(buf, size, "%s/%s%s", real, where, WORKER_NAME) >= (int)size)
		return false;
	return access(buf, X_OK) == 0;
}

static void
find_program(const char *program, char *buf, size_t size)
{
	const char *from_env = getenv("IODUEL_WORKER");
	if (program)
		snprintf(buf, size, "%s", program);
	else if (from_env && *from_env)
		snprintf(buf, size, "%s", from_env);
	else if (!find_near("", buf, size) && !find_near("../libexec/ioduel/", buf, size))
		snprintf(buf, size, "%s/%s", IODUEL_LIBEXEC, WORKER_NAME);
}

static void
reset_signals(void)
{
	struct sigaction sa = { .sa_handler = SIG_DFL };
	sigset_t none;
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &sa, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

// In the child: only async-signal-safe calls. Never returns.
static void
exec_worker(const char *path, int sock, int errno_pipe, pid_t parent)
{
	setpgid(0, 0);
	reset_signals();
	// TERM, not KILL: the worker gives back what it holds. Lost if the parent is gone already.
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	int null = open("/dev/null", O_RDWR);
	// First out of the way of the numbers that are about to be given out.
	sock = fcntl(sock, F_DUPFD, 10);
	errno_pipe = fcntl(errno_pipe, F_DUPFD_CLOEXEC, 10);
	if (null >= 0 && sock >= 0 && errno_pipe >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(sock, WORKER_SOCKET_FD);
		dup2(errno_pipe, WORKER_SOCKET_FD + 1);
		fcntl(WORKER_SOCKET_FD + 1, F_SETFD, FD_CLOEXEC);
		errno_pipe = WORKER_SOCKET_FD + 1;
#ifdef SYS_close_range
		syscall(SYS_close_range, WORKER_SOCKET_FD + 2, ~0U, 0);
#endif
		char *const argv[] = { (char *)(uintptr_t)WORKER_NAME, NULL };
		execv(path, argv);
	}
	int error = errno;
	ssize_t ignored = write(errno_pipe, &error, sizeof(error));
	(void)ignored;
	_exit(127);
}

// What exec said: 0 once the pipe closed without a word.
static int
read_exec_error(int fd)
{
	int error = 0;
	ssize_t n;
	do
		n = read(fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? -error : 0;
}

int
worker_launch(const char *program, struct worker_handle *ret, struct error *err)
{
	char path[PATH_MAX];
	int socks[2] = { -1, -1 }, pipe_fds[2] = { -1, -1 };
	int r, pidfd = -1;
	pid_t pid = -1, parent = getpid();

	find_program(program, path, sizeof(path));
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks) < 0 || pipe2(pipe_fds, O_CLOEXEC) < 0) {
		r = error_set(err, -errno, "cannot talk to a worker: %s", strerror(errno));
		goto out;
	}
	pid = fork();
	if (pid < 0) {
		r = error_set(err, -errno, "cannot start a worker: %s", strerror(errno));
		goto out;
	}
	if (pid == 0)
		exec_worker(path, socks[1], pipe_fds[1], parent);
	close(pipe_fds[1]);
	pipe_fds[1] = -1;
	r = read_exec_error(pipe_fds[0]);
	if (r == 0) {
		pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
		if (pidfd < 0)
			r = -errno;
		else
			fcntl(pidfd, F_SETFD, FD_CLOEXEC);
	}
	if (r < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		error_set(err, r, "cannot start %.300s: %s", path, strerror(-r));
		goto out;
	}
	*ret = (struct worker_handle){ .pid = pid, .sock = socks[0], .pidfd = pidfd };
	socks[0] = -1;
out:
	for (int i = 0; i < 2; i++) {
		if (socks[i] >= 0)
			close(socks[i]);
		if (pipe_fds[i] >= 0)
			close(pipe_fds[i]);
	}
	return r;
}
