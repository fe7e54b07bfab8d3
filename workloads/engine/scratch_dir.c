// SPDX-License-Identifier: MIT
// Directories with a marker and a lock; see scratch_dir.h. Rule: nothing is
// ever removed through a symbolic link, on another file system, or without
// the marker, the owner and the lock being right.
#include "scratch_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".ioduel-"
#define NAME_LENGTH (sizeof(PREFIX) - 1 + 6)
#define MARKER ".ioduel-marker"
#define DEPTH_MAX 16

// What the marker of a directory must say.
static int
marker_text(const struct stat *st, const char *name, char *buf, size_t size)
{
	return snprintf(buf, size, "ioduel scratch directory, format 1\n%s %llu\n", name, (unsigned long long)st->st_ino);
}

static int
make_marker(struct scratch_dir *d)
{
	struct stat st;
	char text[128];
	if (fstat(d->fd, &st) < 0)
		return -errno;
	d->marker_fd = openat(d->fd, MARKER, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	// The lock comes before the text: a marker with its text is never without its lock while we live.
	if (d->marker_fd < 0 || flock(d->marker_fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	int n = marker_text(&st, d->name, text, sizeof(text));
	if (write(d->marker_fd, text, (size_t)n) != n)
		return errno ? -errno : -EIO;
	return 0;
}

int
scratch_dir_make(const char *parent, struct scratch_dir *ret, struct error *err)
{
	struct scratch_dir d = { .fd = -1, .parent_fd = -1, .marker_fd = -1 };
	char path[4200];
	int r;
	snprintf(path, sizeof(path), "%s/" PREFIX "XXXXXX", parent);
	if (!mkdtemp(path))
		return error_set_status(err, -errno, EXIT_USAGE, "cannot make a directory in %.300s: %s", parent, strerror(errno));
	snprintf(d.name, sizeof(d.name), "%s", strrchr(path, '/') + 1);
	d.parent_fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d.fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	r = d.parent_fd < 0 || d.fd < 0 ? -errno : make_marker(&d);
	if (r < 0) {
		error_set(err, r, "cannot mark %.300s: %s", path, strerror(-r));
		scratch_dir_remove(&d);
		return r;
	}
	*ret = d;
	return 0;
}

// Empties the open directory, except for keep (may be NULL). Takes over fd.
static int
empty_directory(int fd, dev_t dev, const char *keep, int depth)
{
	int result = 0;
	struct stat st;
	if (depth > DEPTH_MAX || fstat(fd, &st) < 0 || st.st_dev != dev) {
		close(fd);
		return -EXDEV;
	}
	DIR *dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -errno;
	}
	for (const struct dirent *e; (e = readdir(dir));) {
		int r = 0;
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || (keep && strcmp(e->d_name, keep) == 0))
			continue;
		if (unlinkat(dirfd(dir), e->d_name, 0) < 0)
			r = -errno;
		if (r == -EISDIR || r == -EPERM) {
			int sub = openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			r = sub < 0 ? -errno : empty_directory(sub, dev, NULL, depth + 1);
			if (r == 0 && unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR) < 0)
				r = -errno;
		}
		if (r < 0 && r != -ENOENT && result == 0)
			result = r;
	}
	closedir(dir);
	return result;
}

// Everything but the marker first, so that an interrupted removal can be resumed.
static int
remove_marked(int parent_fd, int fd, const char *name)
{
	struct stat st;
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (copy < 0 || fstat(copy, &st) < 0)
		return -errno;
	int r = empty_directory(copy, st.st_dev, MARKER, 0);
	if (r < 0)
		return r;
	if (unlinkat(fd, MARKER, 0) < 0 && errno != ENOENT)
		return -errno;
	return unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

int
scratch_dir_remove(struct scratch_dir *d)
{
	int r = d->fd >= 0 ? remove_marked(d->parent_fd, d->fd, d->name) : 0;
	int *const fds[] = { &d->marker_fd, &d->fd, &d->parent_fd };
	for (int i = 0; i < 3; i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	return r;
}

int
scratch_dir_sub(int dir_fd, const char *name)
{
	if (mkdirat(dir_fd, name, 0700) < 0 && errno != EEXIST)
		return -errno;
	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int
scratch_dir_create(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

int
scratch_dir_reopen(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

// Why the open directory may not be swept; NULL if it may. *ret_marker is then locked.
static const char *
why_not(int fd, const char *name, int *ret_marker)
{
	struct stat dir, st;
	char want[128], text[128];
	int marker = openat(fd, MARKER, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *reason = NULL;
	*ret_marker = -1;
	if (marker < 0)
		return errno == ENOENT ? "it has no marker of ioduel's" : "its marker cannot be read";
	ssize_t n = read(marker, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	if (fstat(fd, &dir) < 0 || fstat(marker, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)
		reason = "its marker is not a file of its own";
	else if (dir.st_uid != geteuid() || st.st_uid != geteuid())
		reason = "it belongs to somebody else";
	else if (marker_text(&dir, name, want, sizeof(want)) < 0 || strcmp(want, text) != 0)
		reason = "its marker is not one that ioduel made for it";
	else if (flock(marker, LOCK_EX | LOCK_NB) < 0)
		reason = "it is in use";
	if (reason)
		close(marker);
	else
		*ret_marker = marker;
	return reason;
}

static void
sweep_one(int parent_fd, const char *path, const char *name, scratch_sweep_fn *tell, void *context)
{
	char full[4400];
	struct stat st;
	int marker = -1;
	snprintf(full, sizeof(full), "%s/%s", path, name);
	if (fstatat(parent_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (!S_ISDIR(st.st_mode)) {
		tell(context, full, false, S_ISLNK(st.st_mode) ? "it is a symbolic link" : "it is not a directory");
		return;
	}
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		tell(context, full, false, strerror(errno));
		return;
	}
	const char *reason = why_not(fd, name, &marker);
	int r = reason ? 0 : remove_marked(parent_fd, fd, name);
	tell(context, full, !reason && r == 0, reason ? reason : r < 0 ? strerror(-r) : "left by a run that was killed");
	if (marker >= 0)
		close(marker);
	close(fd);
}

int
scratch_sweep(const char *path, scratch_sweep_fn *tell, void *context, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		int error = errno;
		if (fd >= 0)
			close(fd);
		return error_set_status(err, -error, EXIT_USAGE, "cannot look into %.400s: %s", path, strerror(error));
	}
	for (const struct dirent *e; (e = readdir(dir));)
		if (strlen(e->d_name) == NAME_LENGTH && strncmp(e->d_name, PREFIX, sizeof(PREFIX) - 1) == 0)
			sweep_one(dirfd(dir), path, e->d_name, tell, context);
	closedir(dir);
	return 0;
}
