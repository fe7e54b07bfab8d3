// SPDX-License-Identifier: MIT
// The mount table. One rule: libmount parses it, and it is always the root's
// own mountinfo, which also tells bind mounts and subvolumes apart.

#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <ioduel/stack.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

void
mounts_init(struct mounts *mounts, const struct sysroot *root)
{
	mounts->table = NULL;
	int fd = sysroot_open(root, O_RDONLY, "proc/self/mountinfo");
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file) {
		if (fd >= 0)
			close(fd);
		return;
	}
	struct libmnt_table *table = mnt_new_table();
	if (table && mnt_table_parse_stream(table, file, "mountinfo") == 0)
		mounts->table = table;
	else
		mnt_unref_table(table);
	fclose(file);
}

void
mounts_fini(struct mounts *mounts)
{
	mnt_unref_table(mounts->table);
	mounts->table = NULL;
}

// Length of target if it is a directory prefix of path, else -1.
static int
prefix_length(const char *target, const char *path)
{
	size_t n = strlen(target);
	if (n == 1 && target[0] == '/')
		return 0;
	if (strncmp(target, path, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return -1;
	return (int)n;
}

struct libmnt_fs *
mounts_find(const struct mounts *mounts, const char *path, int64_t mount_id)
{
	struct libmnt_fs *fs, *best = NULL;
	int best_length = -1;
	struct libmnt_iter *iter = mounts->table ? mnt_new_iter(MNT_ITER_FORWARD) : NULL;
	while (iter && mnt_table_next_fs(mounts->table, iter, &fs) == 0) {
		if (mount_id >= 0 && mnt_fs_get_id(fs) == mount_id) {
			best = fs;
			break;
		}
		const char *target = mnt_fs_get_target(fs);
		int length = target ? prefix_length(target, path) : -1;
		if (length >= best_length && length >= 0) {
			best = fs;
			best_length = length;
		}
	}
	mnt_free_iter(iter);
	return best;
}

bool
mount_option(struct libmnt_fs *fs, const char *name, char *ret, size_t size)
{
	const char *options[] = {mnt_fs_get_vfs_options(fs), mnt_fs_get_fs_options(fs)};
	for (size_t i = 0; i < 2; i++) {
		char *value = NULL;
		size_t length = 0;
		if (!options[i] || mnt_optstr_get_option(options[i], name, &value, &length) != 0)
			continue;
		if (length >= size)
			length = size - 1;
		if (value)
			memcpy(ret, value, length);
		ret[value ? length : 0] = '\0';
		return true;
	}
	return false;
}

static bool
is_one_of(const char *type, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(type, *list) == 0)
			return true;
	return false;
}

bool
fs_is_memory(const char *type)
{
	static const char *const list[] = {"tmpfs", "ramfs", "devtmpfs", "hugetlbfs", "rootfs", NULL};
	return is_one_of(type, list);
}

bool
fs_is_network(const char *type)
{
	static const char *const list[] = {
		"nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "coda", "9p", "virtiofs", "vboxsf", "lustre",
		"gfs2", "ocfs2", "orangefs", "beegfs", "gpfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.glusterfs",
		"fuse.ceph", "fuse.ceph-fuse", "fuse.davfs", "fuse.curlftpfs", "fuse.juicefs", "fuse.goofys",
		"fuse.vmhgfs-fuse", "fuse.gcsfuse", "fuse.mount-s3", "fuse.moosefs", "fuse.seaweedfs", NULL,
	};
	return is_one_of(type, list);
}

bool
fs_is_fuse(const char *type)
{
	return strcmp(type, "fuse") == 0 || strncmp(type, "fuse.", 5) == 0;
}

bool
fs_is_pseudo(const char *type)
{
	static const char *const list[] = {
		"proc", "sysfs", "devpts", "cgroup", "cgroup2", "mqueue", "debugfs", "tracefs", "securityfs", "bpf",
		"pstore", "configfs", "fusectl", "autofs", "binfmt_misc", "efivarfs", "nsfs", "rpc_pipefs", "selinuxfs",
		"sockfs", "pipefs", "nfsd", "devtmpfs", "hugetlbfs", "fuse.portal", "fuse.gvfsd-fuse", "fuse.lxcfs", NULL,
	};
	return is_one_of(type, list);
}

static void
fill_space(struct mount_entry *entry)
{
	struct statvfs vfs;
	if (statvfs(entry->mount_point, &vfs) < 0)
		return;
	entry->size_bytes = (uint64_t)vfs.f_blocks * vfs.f_frsize;
	entry->free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
}

static bool
fill_entry(struct mount_entry *entry, struct libmnt_fs *fs)
{
	const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs), *source = mnt_fs_get_source(fs);
	if (!type || !target || fs_is_pseudo(type))
		return false;
	memset(entry, 0, sizeof(*entry));
	text_copy(entry->mount_point, sizeof(entry->mount_point), target);
	text_copy(entry->fs_type, sizeof(entry->fs_type), type);
	text_copy(entry->source, sizeof(entry->source), source ? source : "");
	const char *vfs = mnt_fs_get_vfs_options(fs), *own = mnt_fs_get_fs_options(fs);
	char *at = NULL;
	size_t n = 0;
	entry->writable = !(vfs && mnt_optstr_get_option(vfs, "ro", &at, &n) == 0) &&
			  !(own && mnt_optstr_get_option(own, "ro", &at, &n) == 0);
	entry->is_memory = fs_is_memory(type);
	entry->is_network = fs_is_network(type);
	return true;
}

// On the running machine: whether this mount is what its mount point shows (not hidden by a later one), and a
// directory. A file system that may hang is not asked.
static bool
is_visible(const struct mount_entry *entry, struct libmnt_fs *fs)
{
	struct statx stx;
	if (entry->is_network || fs_is_fuse(entry->fs_type))
		return true;
	if (statx(AT_FDCWD, entry->mount_point, AT_NO_AUTOMOUNT, STATX_TYPE | STATX_MNT_ID, &stx) < 0 ||
	    !S_ISDIR(stx.stx_mode))
		return false;
	return !(stx.stx_mask & STATX_MNT_ID) || stx.stx_mnt_id == (uint64_t)mnt_fs_get_id(fs);
}

// Where a mount point is already listed; else the end of the list. The last mount of a place is the one it shows.
static int
place_of(const struct mount_entry *list, int n, const char *mount_point)
{
	for (int i = 0; i < n; i++)
		if (strcmp(list[i].mount_point, mount_point) == 0)
			return i;
	return n;
}

int
stack_list_mounts(struct sysroot *root, struct mount_entry *ret, int max, struct error *err)
{
	struct mounts mounts;
	struct libmnt_fs *fs;
	int n = 0;
	mounts_init(&mounts, root);
	if (!mounts.table)
		return error_set(err, -ENOENT, "the mount table (/proc/self/mountinfo) cannot be read");
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	bool running = !sysroot_is_recorded(root);
	while (iter && mnt_table_next_fs(mounts.table, iter, &fs) == 0) {
		struct mount_entry entry;
		if (!fill_entry(&entry, fs) || (running && !is_visible(&entry, fs)))
			continue;
		int at = place_of(ret, n, entry.mount_point);
		if (at == max)
			continue;
		if (running && !entry.is_network && !fs_is_fuse(entry.fs_type))
			fill_space(&entry);
		ret[at] = entry;
		n += at == n;
	}
	mnt_free_iter(iter);
	mounts_fini(&mounts);
	return n;
}
