// SPDX-License-Identifier: MIT
// Commands that are asked. One rule: a tool that hangs (a pool whose disk is
// gone) is killed after a few seconds and costs an "unknown", not the program.

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <ioduel/clock.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_NS (3 * NS_PER_S)

static int
spawn(char *const argv[], int out, pid_t *ret_pid)
{
	static const char *const dirs[] = {"/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"};
	char *const environment[] = {(char[]){"LC_ALL=C"}, (char[]){"PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin"},
				     NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int error = ENOENT;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDONLY, 0); // complaints go nowhere
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]) && error != 0; i++) {
		char path[128];
		snprintf(path, sizeof(path), "%s/%s", dirs[i], argv[0]);
		if (access(path, X_OK) == 0)
			error = posix_spawn(ret_pid, path, &actions, &attr, argv, environment);
	}
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

// Reads until end of file; 0, -ETIMEDOUT, -EFBIG or -errno.
static int
read_all(int fd, int64_t deadline_ns, char *buf, size_t size)
{
	size_t len = 0;
	for (;;) {
		int64_t left_ns = deadline_ns - clock_now_ns();
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int ready = left_ns > 0 ? poll(&p, 1, (int)(left_ns / NS_PER_MS) + 1) : 0;
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready < 0 ? -errno : -ETIMEDOUT;
		if (len + 1 == size)
			return -EFBIG;
		ssize_t n = read(fd, buf + len, size - 1 - len);
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	buf[len] = '\0';
	return 0;
}

static int
run(char *const argv[], char *buf, size_t size)
{
	int fd[2], status = 0;
	pid_t pid;
	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	int error = spawn(argv, fd[1], &pid);
	close(fd[1]);
	if (error) {
		close(fd[0]);
		return error;
	}
	error = read_all(fd[0], clock_now_ns() + PATIENCE_NS, buf, size);
	close(fd[0]);
	if (error)
		kill(pid, SIGKILL);
	// one that does not even die (stuck in the kernel) is not waited for
	pid_t ended = waitpid(pid, &status, error ? WNOHANG : 0);
	if (!error && (ended != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0))
		error = -EIO;
	return error;
}

int
command_output(const struct sysroot *root, const char *recorded, char *const argv[], char *buf, size_t size)
{
	if (!sysroot_is_recorded(root))
		return run(argv, buf, size);
	ssize_t n = sysroot_read(root, buf, size, "cmd/%s", recorded);
	return n < 0 ? (int)n : 0;
}
