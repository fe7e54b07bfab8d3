// SPDX-License-Identifier: MIT
// Refuses to write to a block device that anybody uses or that holds anything
// recognisable. Rule: by device number and by what the kernel says, never by
// name; when something cannot be checked, it is refused.
#include "device.h"

#include <blkid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int
refuse(const char *path, struct error *err, const char *what, const char *where)
{
	return error_set_status(err, -EBUSY, EXIT_REFUSED, "%.200s is not written to: %s%.200s", path, what, where);
}

// EBUSY here means: mounted, swap, a member of a RAID, of device mapper, of a pool ...
static int
check_exclusive(const char *device, const char *path, struct error *err)
{
	int fd = open(device, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno == EBUSY)
		return refuse(path, err, "the kernel says that it is in use: ", device);
	return error_set_status(err, -errno, EXIT_REFUSED, "%.200s cannot be checked: %s: %s", path, device, strerror(errno));
}

// Same device, or a partition of the same disk?
static int
same_disk(dev_t a, dev_t b)
{
	dev_t disk_a = 0, disk_b = 0;
	if (a == b)
		return 1;
	if (blkid_devno_to_wholedisk(a, NULL, 0, &disk_a) < 0 || blkid_devno_to_wholedisk(b, NULL, 0, &disk_b) < 0)
		return 0;
	// A partition clashes with its own disk and with itself, not with its sister.
	return (a == disk_a && disk_b == a) || (b == disk_b && disk_a == b);
}

static int
check_table(dev_t dev, const char *path, int swaps, struct error *err)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int r = 0;
	if (!table || !it || (swaps ? mnt_table_parse_swaps(table, NULL) : mnt_table_parse_mtab(table, NULL)) < 0) {
		// No list of swaps exists on kernels without swap.
		r = swaps ? 0 : error_set_status(err, -EIO, EXIT_REFUSED, "%.200s cannot be checked: the mount table cannot be read", path);
		goto out;
	}
	while (r == 0 && mnt_table_next_fs(table, it, &fs) == 0) {
		struct stat st;
		const char *source = mnt_fs_get_srcpath(fs);
		dev_t used = swaps ? 0 : mnt_fs_get_devno(fs);
		const char *where = mnt_fs_get_target(fs) ? mnt_fs_get_target(fs) : "";
		if (used && same_disk(dev, used))
			r = refuse(path, err, "it, or a part of it, is mounted at ", where);
		else if (source && source[0] == '/' && stat(source, &st) == 0 && S_ISBLK(st.st_mode) && same_disk(dev, st.st_rdev))
			r = refuse(path, err, swaps ? "it, or a part of it, is swap space: " : "it, or a part of it, is mounted at ",
				   swaps ? source : where);
	}
out:
	mnt_free_iter(it);
	mnt_unref_table(table);
	return r;
}

// Any file system, RAID, volume manager, encryption, swap or partition table.
static int
check_signatures(const char *path, struct error *err)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);
	const char *type = NULL;
	if (!probe)
		return error_set_status(err, -EIO, EXIT_REFUSED, "%.200s cannot be checked for what is stored on it: %s", path, strerror(errno));
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, 1);
	int found = blkid_do_probe(probe);
	int r = 0;
	if (found < 0) {
		r = error_set_status(err, -EIO, EXIT_REFUSED, "%.200s cannot be checked for what is stored on it", path);
	} else if (found == 0) {
		if (blkid_probe_lookup_value(probe, "TYPE", &type, NULL) == 0)
			r = refuse(path, err, "it holds data: ", type);
		else if (blkid_probe_lookup_value(probe, "PTTYPE", &type, NULL) == 0)
			r = refuse(path, err, "it holds a partition table: ", type);
		else
			r = refuse(path, err, "it holds something that libblkid recognises", "");
		if (err && r < 0 && type)
			snprintf(err->text, sizeof(err->text),
				 "%.200s is not written to: it holds %.60s; erase that yourself first (wipefs -a) if you are sure", path, type);
	}
	blkid_free_probe(probe);
	return r;
}

// What a loop device at /dev/name serves; 0 if it serves nothing.
static int
loop_backing(const char *name, struct loop_info64 *ret)
{
	char path[300];
	snprintf(path, sizeof(path), "/dev/%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	int found = ioctl(fd, LOOP_GET_STATUS64, ret) == 0;
	close(fd);
	return found;
}

int
device_refuse_if_loop(const char *path, const struct stat *st, struct error *err)
{
	DIR *dir = opendir("/dev");
	int r = 0;
	if (!dir)
		return error_set_status(err, -errno, EXIT_REFUSED, "%.200s cannot be checked: /dev: %s", path, strerror(errno));
	for (const struct dirent *e; r == 0 && (e = readdir(dir));) {
		struct loop_info64 info;
		if (strncmp(e->d_name, "loop", 4) != 0 || e->d_name[4] < '0' || e->d_name[4] > '9' ||
		    !loop_backing(e->d_name, &info))
			continue;
		int same = S_ISBLK(st->st_mode) ? info.lo_rdevice == (uint64_t)st->st_rdev
						: info.lo_device == (uint64_t)st->st_dev && info.lo_inode == (uint64_t)st->st_ino;
		if (same)
			r = refuse(path, err, "a loop device serves it: /dev/", e->d_name);
	}
	closedir(dir);
	return r;
}

int
device_refuse_if_used(const char *path, struct error *err)
{
	struct stat st, root;
	int r;
	if (stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
		return error_set_status(err, -ENOTBLK, EXIT_REFUSED, "%.200s is not a block device", path);
	if (stat("/", &root) == 0 && same_disk(st.st_rdev, root.st_dev))
		return refuse(path, err, "the running system lies on it", "");
	if ((r = check_table(st.st_rdev, path, 0, err)) < 0 || (r = check_table(st.st_rdev, path, 1, err)) < 0 ||
	    (r = check_exclusive(path, path, err)) < 0 || (r = device_refuse_if_loop(path, &st, err)) < 0)
		return r;
	return check_signatures(path, err);
}
