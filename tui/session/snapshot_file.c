// SPDX-License-Identifier: MIT
// The partial file. One rule: no file of the user's is ever replaced or removed.
#include "session/snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/text_safe.h"

int
snapshot_file_create(const char *path, struct snapshot_file *ret, struct error *err)
{
	char safe[1024];
	struct stat st;
	text_safe_copy(safe, sizeof(safe) / 3, path);
	memset(ret, 0, sizeof(*ret));
	ret->fd = -1;
	if (strlen(path) >= sizeof(ret->path))
		return error_set(err, -ENAMETOOLONG, "the name of the session file is too long");
	strcpy(ret->path, path);
	snprintf(ret->partial, sizeof(ret->partial), "%s.partial", path);
	if (lstat(path, &st) == 0)
		return error_set(err, -EEXIST, "%s exists already; a session never replaces a file", safe);
	ret->fd = open(ret->partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (ret->fd < 0)
		return error_set(err, -errno, "cannot create %s.partial: %s", safe, strerror(errno));
	return 0;
}

void
snapshot_file_close(struct snapshot_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	free(f->buffer);
	f->buffer = NULL;
	f->used = f->capacity = 0;
}

void
snapshot_file_discard(struct snapshot_file *f)
{
	if (f->fd >= 0)
		unlink(f->partial);
}

int
snapshot_file_append(struct snapshot_file *f, const char *line, size_t length)
{
	if (f->used + length + 1 > f->capacity) {
		size_t capacity = (f->used + length + 1) * 2;
		char *buffer = realloc(f->buffer, capacity);
		if (!buffer)
			return -ENOMEM;
		f->buffer = buffer;
		f->capacity = capacity;
	}
	memcpy(f->buffer + f->used, line, length);
	f->buffer[f->used + length] = '\n';
	f->used += length + 1;
	return 0;
}

int64_t
snapshot_file_offset(const struct snapshot_file *f)
{
	return f->written + (int64_t)f->used;
}

static int
write_all(struct snapshot_file *f, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t n = write(f->fd, data, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		data += n;
		length -= (size_t)n;
		f->written += n;
	}
	return 0;
}

int
snapshot_file_flush(struct snapshot_file *f)
{
	int rc = write_all(f, f->buffer, f->used);
	f->used = 0;
	return rc;
}

int
snapshot_file_sync(struct snapshot_file *f)
{
	return fdatasync(f->fd) ? -errno : 0;
}

int
snapshot_file_append_file(struct snapshot_file *f, const struct snapshot_file *from)
{
	char block[65536];
	int64_t at = 0;
	int rc = snapshot_file_flush(f);
	while (rc == 0 && at < from->written) {
		size_t want = from->written - at < (int64_t)sizeof(block) ? (size_t)(from->written - at) : sizeof(block);
		ssize_t n = pread(from->fd, block, want, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		rc = write_all(f, block, (size_t)n);
		at += n;
	}
	return rc;
}

static int
sync_directory(const char *path)
{
	char copy[4096];
	strcpy(copy, path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int rc = fsync(fd) && errno != EINVAL ? -errno : 0;
	close(fd);
	return rc;
}

int
snapshot_file_commit(struct snapshot_file *f)
{
	if (fsync(f->fd))
		return -errno;
	if (renameat2(AT_FDCWD, f->partial, AT_FDCWD, f->path, RENAME_NOREPLACE)) {
		if (errno != EINVAL && errno != ENOSYS)
			return -errno;
		// A file system without this flag: a hard link refuses a taken name as well.
		if (link(f->partial, f->path)) {
			if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
				return -errno;
			if (access(f->path, F_OK) == 0)
				return -EEXIST;
			if (rename(f->partial, f->path))
				return -errno;
		} else {
			unlink(f->partial);
		}
	}
	return sync_directory(f->path);
}
