// SPDX-License-Identifier: MIT
// The system root: the only code of ours that opens anything of /proc or /sys.
// Everything is opened relative to one directory, and a recorded root is never
// left, not even by a symbolic link.

#include "sysroot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RACE_TRIES 1000

struct sysroot {
	int fd;
	bool recorded;
	char dir[PATH_MAX];
};

struct sysroot *
sysroot_new(const char *dir, struct error *err)
{
	struct sysroot *root = calloc(1, sizeof(*root));
	if (!root) {
		error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	root->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root->fd < 0 || !realpath(dir, root->dir)) {
		error_set_status(err, -errno, EXIT_USAGE, "cannot open the system root %s: %s", dir, strerror(errno));
		sysroot_free(root);
		return NULL;
	}
	root->recorded = strcmp(root->dir, "/") != 0;
	if (!root->recorded)
		root->dir[0] = '\0';
	return root;
}

void
sysroot_free(struct sysroot *root)
{
	if (!root)
		return;
	if (root->fd >= 0)
		close(root->fd);
	free(root);
}

int
sysroot_drop_caches(struct sysroot *root)
{
	if (root->recorded)
		return -EROFS;
	int fd = openat(root->fd, "proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int rc = write(fd, "3", 1) == 1 ? 0 : -errno;
	close(fd);
	return rc;
}

int
sysroot_is_recorded(const struct sysroot *root)
{
	return root->recorded;
}

const char *
sysroot_dir(const struct sysroot *root)
{
	return root->dir;
}

int
sysroot_open(const struct sysroot *root, int flags, const char *path)
{
	while (*path == '/')
		path++;
	if (*path == '\0')
		path = ".";
	flags |= flags & O_PATH ? O_CLOEXEC : O_CLOEXEC | O_NONBLOCK; // a FIFO must not hold us up
	if (root->recorded) {
		struct open_how how = {.flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT};
		long fd;
		// A rename or mount anywhere on the machine makes the kernel give up on a ".."; asking again is right then.
		int tries = RACE_TRIES;
		do
			fd = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
		while (fd < 0 && errno == EAGAIN && --tries > 0);
		if (fd >= 0)
			return (int)fd;
		if (errno != ENOSYS && errno != EPERM)
			return -errno;
	}
	int fd = openat(root->fd, path, flags);
	return fd < 0 ? -errno : fd;
}

// Formats a path; false if it does not fit.
static bool
path_format(char path[SYSPATH_MAX], const char *fmt, va_list ap)
{
	int n = vsnprintf(path, SYSPATH_MAX, fmt, ap);
	return n >= 0 && n < SYSPATH_MAX;
}

static ssize_t
read_path(const struct sysroot *root, char *buf, size_t size, const char *path)
{
	int fd = sysroot_open(root, O_RDONLY, path);
	if (fd < 0)
		return fd;
	size_t len = 0;
	ssize_t n = 0;
	while (len < size && (n = read(fd, buf + len, size - len)) > 0)
		len += (size_t)n;
	int error = n < 0 ? -errno : len == size ? -EFBIG : 0;
	close(fd);
	if (error)
		return error;
	while (len > 0 && isspace((unsigned char)buf[len - 1]))
		len--;
	buf[len] = '\0';
	return (ssize_t)len;
}

ssize_t
sysroot_read(const struct sysroot *root, char *buf, size_t size, const char *fmt, ...)
{
	char path[SYSPATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	bool fits = path_format(path, fmt, ap);
	va_end(ap);
	ssize_t n = fits ? read_path(root, buf, size, path) : -ENAMETOOLONG;
	if (n < 0 && size > 0)
		buf[0] = '\0';
	return n;
}

int
sysroot_read_i64(const struct sysroot *root, int64_t *ret, const char *fmt, ...)
{
	char path[SYSPATH_MAX], text[64], *end;
	va_list ap;
	va_start(ap, fmt);
	bool fits = path_format(path, fmt, ap);
	va_end(ap);
	ssize_t n = fits ? read_path(root, text, sizeof(text), path) : -ENAMETOOLONG;
	if (n < 0)
		return (int)n;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (errno || end == text || *end != '\0')
		return -EINVAL;
	*ret = value;
	return 0;
}

int
sysroot_read_u64(const struct sysroot *root, uint64_t *ret, const char *fmt, ...)
{
	char path[SYSPATH_MAX], text[64];
	va_list ap;
	va_start(ap, fmt);
	bool fits = path_format(path, fmt, ap);
	va_end(ap);
	ssize_t n = fits ? read_path(root, text, sizeof(text), path) : -ENAMETOOLONG;
	if (n < 0)
		return (int)n;
	const char *at = text;
	uint64_t value;
	if (!parse_u64(&at, &value) || *at != '\0')
		return -EINVAL;
	*ret = value;
	return 0;
}

bool
sysroot_exists(const struct sysroot *root, const char *fmt, ...)
{
	char path[SYSPATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	bool fits = path_format(path, fmt, ap);
	va_end(ap);
	int fd = fits ? sysroot_open(root, O_PATH, path) : -1;
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

DIR *
sysroot_opendir(const struct sysroot *root, const char *fmt, ...)
{
	char path[SYSPATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	bool fits = path_format(path, fmt, ap);
	va_end(ap);
	int fd = fits ? sysroot_open(root, O_RDONLY | O_DIRECTORY, path) : -1;
	if (fd < 0)
		return NULL;
	DIR *dir = fdopendir(fd);
	if (!dir)
		close(fd);
	return dir;
}

const struct dirent *
sysroot_next(DIR *dir)
{
	const struct dirent *entry;
	do {
		entry = readdir(dir);
	} while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
	return entry;
}

int
sysroot_real_path(const struct sysroot *root, char *ret, size_t size, const char *fmt, ...)
{
	char path[SYSPATH_MAX], link[64], full[PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	bool fits = path_format(path, fmt, ap);
	va_end(ap);
	int fd = fits ? sysroot_open(root, O_PATH, path) : -ENAMETOOLONG;
	if (fd < 0)
		return fd;
	// the kernel knows the path of an open file; following links by hand could leave the root
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, full, sizeof(full) - 1);
	int error = n < 0 ? -errno : 0;
	close(fd);
	if (error)
		return error;
	full[n] = '\0';
	size_t prefix = strlen(root->dir);
	if (strncmp(full, root->dir, prefix) != 0 || full[prefix] != '/')
		return -EXDEV;
	const char *inside = full + prefix + 1;
	if (strlen(inside) >= size)
		return -ENAMETOOLONG;
	memcpy(ret, inside, strlen(inside) + 1);
	return 0;
}

int
sysroot_mtime(const struct sysroot *root, const char *path, int64_t *ret_s)
{
	int fd = sysroot_open(root, O_PATH, path);
	if (fd < 0)
		return fd;
	struct stat st;
	int error = fstat(fd, &st) < 0 ? -errno : 0;
	close(fd);
	if (!error)
		*ret_s = st.st_mtime;
	return error;
}

void
sysfile_init(struct sysfile *file, const struct sysroot *root, const char *path, bool records)
{
	memset(file, 0, sizeof(*file));
	file->root = root;
	file->fd = -1;
	file->records = records;
	text_copy(file->path, sizeof(file->path), path);
}

void
sysfile_fini(struct sysfile *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->buf);
	file->fd = -1;
	file->buf = NULL;
	file->cap = file->len = 0;
}

bool
sysfile_open(struct sysfile *file)
{
	if (file->fd >= 0)
		return true;
	if (file->missing)
		return false;
	int fd = sysroot_open(file->root, O_RDONLY, file->path);
	// a lack of descriptors is no fact about this kernel
	if (fd < 0 && fd != -EMFILE && fd != -ENFILE && fd != -ENOMEM && fd != -EINTR)
		file->missing = true;
	file->fd = fd < 0 ? -1 : fd;
	return fd >= 0;
}

// Makes room for more; 0 or -ENOMEM.
static int
sysfile_grow(struct sysfile *file)
{
	size_t cap = file->cap ? file->cap * 2 : 8192;
	char *buf = realloc(file->buf, cap);
	if (!buf)
		return -ENOMEM;
	file->buf = buf;
	file->cap = cap;
	return 0;
}

int
sysfile_read(struct sysfile *file)
{
	if (!sysfile_open(file))
		return -ENOENT;
	size_t len = 0;
	for (;;) {
		if (file->cap - len < 2 && sysfile_grow(file) < 0)
			return -ENOMEM;
		size_t want = file->cap - len - 1;
		ssize_t n = pread(file->fd, file->buf + len, want, (off_t)len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int error = -errno;
			close(file->fd); // a device that went away: opened again at the next tick
			file->fd = -1;
			return error;
		}
		len += (size_t)n;
		if (n == 0 || (!file->records && (size_t)n < want))
			break;
	}
	file->len = len;
	file->buf[len] = '\0';
	return 0;
}

bool
parse_u64(const char **text, uint64_t *ret)
{
	const char *p = *text;
	while (*p == ' ' || *p == '\t')
		p++;
	if (*p < '0' || *p > '9')
		return false;
	uint64_t value = 0;
	for (; *p >= '0' && *p <= '9'; p++) {
		unsigned digit = (unsigned)(*p - '0');
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (*p != ' ' && *p != '\t' && *p != '\n' && *p != '\0')
		return false;
	*text = p;
	*ret = value;
	return true;
}

void
text_copy(char *dst, size_t size, const char *src)
{
	size_t n = strnlen(src, size - 1);
	memcpy(dst, src, n);
	dst[n] = '\0';
}

void
text_append(char *dst, size_t size, const char *fmt, ...)
{
	size_t used = strnlen(dst, size);
	if (used + 1 >= size)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(dst + used, size - used, fmt, ap);
	va_end(ap);
}
