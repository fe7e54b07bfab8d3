// SPDX-License-Identifier: MIT
// A process that calls fdatasync. One rule: ioduel never waits for it, whatever the medium does; a thread would not do,
// since one that hangs in the kernel keeps its whole process, and with it the terminal, from ending.
#include "file_sync.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"

struct file_sync {
	int socket;
	int busy;
};

// Only the files and the socket stay open: the end of ioduel is then the end of the socket, and of this process.
static void
keep_only(const int *fds, size_t n)
{
	unsigned from = 0;
	for (;;) {
		unsigned next = ~0U;
		for (size_t i = 0; i < n; i++)
			if ((unsigned)fds[i] >= from && (unsigned)fds[i] < next)
				next = (unsigned)fds[i];
		if (next > from)
			syscall(SYS_close_range, from, next == ~0U ? next : next - 1, 0U);
		if (next == ~0U)
			return;
		from = next + 1;
	}
}

_Noreturn static void
serve(int fd, int folder_fd, int socket, int (*sync)(int))
{
	char question;
	int named = 0;
	signals_reset_in_child();
	// What ends ioduel is for ioduel to answer; keys of the terminal reach a whole group.
	setsid();
	keep_only((int[]){fd, folder_fd, socket}, 3);
	while (recv(socket, &question, sizeof(question), 0) == (ssize_t)sizeof(question)) {
		int32_t answer = sync(fd) ? -errno : 0;
		// A file of which the folder knows nothing is lost as well; not every file system can be asked.
		if (!named && folder_fd >= 0)
			(void)fsync(folder_fd);
		named = 1;
		if (send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

struct file_sync *
file_sync_new(int fd, int folder_fd, int (*sync)(int), struct error *err)
{
	int pair[2];
	struct file_sync *s = calloc(1, sizeof(*s));
	if (!s) {
		error_set(err, -ENOMEM, "not enough memory");
		return NULL;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		error_set(err, -errno, "cannot make a socket: %s", strerror(errno));
		free(s);
		return NULL;
	}
	// A grandchild: nobody has to wait for its end.
	pid_t pid = fork();
	if (pid == 0) {
		pid_t second = fork();
		if (second == 0)
			serve(fd, folder_fd, pair[1], sync);
		_exit(second < 0);
	}
	int status = pid < 0, code = errno;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	close(pair[1]);
	s->socket = pair[0];
	if (status == 0)
		return s;
	error_set(err, pid < 0 ? -code : -EAGAIN, "cannot make a process: %s", strerror(pid < 0 ? code : EAGAIN));
	file_sync_free(s);
	return NULL;
}

void
file_sync_free(struct file_sync *s)
{
	if (!s)
		return;
	close(s->socket);
	free(s);
}

int
file_sync_ask(struct file_sync *s)
{
	if (s->busy || send(s->socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
		return 0;
	s->busy = 1;
	return 1;
}

int
file_sync_answer(struct file_sync *s)
{
	int32_t answer;
	if (!s->busy)
		return 0;
	ssize_t n = recv(s->socket, &answer, sizeof(answer), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n != (ssize_t)sizeof(answer))
		return 0; // it was killed: what is written then waits for the end, as it would have without it
	s->busy = 0;
	return answer ? answer : 1;
}
