// SPDX-License-Identifier: MIT
// Looks at what the user named. Rule: nothing is changed and nothing is kept
// open; whatever ioduel cannot load is refused with one sentence.
#include <ioduel/target.h>

#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int
refuse_errno(const char *path, int error, struct error *err)
{
	switch (error) {
	case ENOENT:
		return error_set_status(err, -error, EXIT_USAGE, "%.400s does not exist", path);
	case EACCES:
	case EPERM:
		return error_set_status(err, -error, EXIT_USAGE, "%.400s may not be read (permission denied)", path);
	default:
		return error_set_status(err, -error, EXIT_USAGE, "%.400s cannot be used: %s", path, strerror(error));
	}
}

static const char *
kind_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	case S_IFCHR:
		return "a character device";
	default:
		return "something else";
	}
}

// What O_DIRECT can be on a file or device; opened for reading only.
static void
inspect_direct(const char *path, struct target_info *ret)
{
	struct statx stx;
	ret->direct_ok = -1;
#ifdef STATX_DIOALIGN
	if (statx(AT_FDCWD, path, 0, STATX_DIOALIGN, &stx) == 0 && (stx.stx_mask & STATX_DIOALIGN)) {
		ret->direct_ok = stx.stx_dio_offset_align != 0;
		ret->direct_align = stx.stx_dio_offset_align;
		return;
	}
#else
	(void)stx;
#endif
	int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	ret->direct_ok = fd >= 0 ? 1 : errno == EINVAL ? 0 : -1;
}

static int
inspect_directory(const char *path, struct target_info *ret, struct error *err)
{
	struct statvfs vfs;
	struct statfs fs;
	if (statvfs(path, &vfs) < 0 || statfs(path, &fs) < 0)
		return refuse_errno(path, errno, err);
	ret->kind = TARGET_DIRECTORY;
	ret->free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	ret->fs_size_bytes = (uint64_t)vfs.f_blocks * vfs.f_frsize;
	ret->writable = !(vfs.f_flag & ST_RDONLY) && access(path, W_OK | X_OK) == 0;
	// Whether a file there can do direct I/O is known only once there is one.
	ret->direct_ok = fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC ? 0 : -1;
	if (vfs.f_flag & ST_RDONLY)
		return error_set_status(err, -EROFS, EXIT_USAGE, "%.400s is on a file system that is mounted read-only", path);
	if (!ret->writable)
		return error_set_status(err, -EACCES, EXIT_USAGE, "%.400s is not writable by this user", path);
	return 0;
}

static int
inspect_file(const char *path, const struct stat *st, unsigned allow, struct target_info *ret, struct error *err)
{
	struct statvfs vfs;
	ret->kind = TARGET_FILE;
	ret->size_bytes = (uint64_t)st->st_size;
	if (access(path, R_OK) < 0)
		return refuse_errno(path, errno, err);
	if (st->st_size == 0)
		return error_set_status(err, -ENODATA, EXIT_USAGE, "%.400s is empty; name a file with content, or its directory", path);
	if (statvfs(path, &vfs) == 0) {
		ret->free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
		ret->fs_size_bytes = (uint64_t)vfs.f_blocks * vfs.f_frsize;
	}
	if (allow & TARGET_OVERWRITE_FILE) {
		if (access(path, W_OK) < 0)
			return error_set_status(err, -errno, EXIT_USAGE, "%.400s is not writable", path);
		int r = device_refuse_if_loop(path, st, err);
		if (r < 0)
			return r;
		ret->writable = 1;
	}
	inspect_direct(path, ret);
	return 0;
}

static int
inspect_device(const char *path, unsigned allow, struct target_info *ret, struct error *err)
{
	ret->kind = TARGET_DEVICE;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return refuse_errno(path, errno, err);
	uint64_t bytes = 0;
	int failed = ioctl(fd, BLKGETSIZE64, &bytes) < 0 ? errno : 0;
	int sector = 0;
	if (ioctl(fd, BLKSSZGET, &sector) < 0 || sector < 0)
		sector = 0;
	close(fd);
	if (failed)
		return refuse_errno(path, failed, err);
	if (bytes == 0)
		return error_set_status(err, -ENOMEDIUM, EXIT_USAGE, "%.400s has no medium (its size is 0)", path);
	ret->size_bytes = bytes;
	ret->direct_ok = 1;
	ret->direct_align = (uint32_t)sector;
	if (allow & TARGET_DESTROY_DATA) {
		int r = device_refuse_if_used(path, err);
		if (r < 0)
			return r;
		ret->writable = 1;
	}
	return 0;
}

int
target_inspect(const char *path, unsigned allow, struct target_info *ret, struct error *err)
{
	struct target_info info;
	char real[PATH_MAX];
	struct stat st;
	int r;

	memset(&info, 0, sizeof(info));
	if (!*path)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "the path of a target is empty");
	if (!realpath(path, real) || stat(real, &st) < 0)
		return refuse_errno(path, errno, err);
	snprintf(info.path, sizeof(info.path), "%s", real);
	if (S_ISDIR(st.st_mode))
		r = inspect_directory(real, &info, err);
	else if (S_ISREG(st.st_mode))
		r = inspect_file(real, &st, allow, &info, err);
	else if (S_ISBLK(st.st_mode))
		r = inspect_device(real, allow, &info, err);
	else
		r = error_set_status(err, -ENOTSUP, EXIT_USAGE, "%.400s is %s; a target is a directory, a file or a block device", path,
				     kind_name(st.st_mode));
	if (r == 0)
		*ret = info;
	return r;
}
