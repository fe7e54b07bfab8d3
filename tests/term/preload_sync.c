// SPDX-License-Identifier: MIT
// Notes every fsync, fdatasync and rename in the file $IODUEL_SYNC_LOG, a line each, and goes on to the real one.
// Rule: it changes nothing of what the program sees.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
note(const char *what, const char *name)
{
	char line[PATH_MAX + 64];
	const char *log = getenv("IODUEL_SYNC_LOG");
	int fd = log ? open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	int n = snprintf(line, sizeof(line), "%s %s\n", what, name);
	if (write(fd, line, (size_t)n) != n)
		abort();
	close(fd);
}

static void
note_fd(const char *what, int fd)
{
	char path[64], name[PATH_MAX];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(path, name, sizeof(name) - 1);
	name[n > 0 ? n : 0] = '\0';
	note(what, name);
}

// dlsym gives a pointer to an object; this is how POSIX has it turned into one to a function.
static void
find(void *ret_function, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found)
		abort();
	memcpy(ret_function, &found, sizeof(found));
}

int
fsync(int fd)
{
	int (*real)(int);
	find(&real, "fsync");
	note_fd("fsync", fd);
	return real(fd);
}

int
fdatasync(int fd)
{
	int (*real)(int);
	find(&real, "fdatasync");
	note_fd("fdatasync", fd);
	return real(fd);
}

int
renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
	int (*real)(int, const char *, int, const char *, unsigned);
	find(&real, "renameat2");
	note("rename", to);
	return real(from_fd, from, to_fd, to, flags);
}
