// SPDX-License-Identifier: MIT
// Reading below the system root: the inside of the probes' only door to /proc
// and /sys. Paths are relative to the root ("proc/stat", "sys/block/vda/size").
#ifndef IODUEL_PROBES_SYSROOT_H
#define IODUEL_PROBES_SYSROOT_H

#include <dirent.h>
#include <ioduel/probe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SYSPATH_MAX 1024

// The directory as given, without a final slash ("" for "/").
const char *sysroot_dir(const struct sysroot *root);

// Opens a file or directory for reading; a descriptor or -errno.
int sysroot_open(const struct sysroot *root, int flags, const char *path);

// Reads a whole small file: text with a final NUL, without blanks at its end.
// The length or -errno; -EFBIG where size does not hold it.
__attribute__((format(printf, 4, 5))) ssize_t sysroot_read(const struct sysroot *root, char *buf, size_t size,
							    const char *fmt, ...);

// A file that holds one unsigned number; 0 or -errno (-EINVAL: something else is in it).
__attribute__((format(printf, 3, 4))) int sysroot_read_u64(const struct sysroot *root, uint64_t *ret, const char *fmt,
							    ...);
__attribute__((format(printf, 3, 4))) int sysroot_read_i64(const struct sysroot *root, int64_t *ret, const char *fmt,
							    ...);

__attribute__((format(printf, 2, 3))) bool sysroot_exists(const struct sysroot *root, const char *fmt, ...);

// NULL where the directory is missing; the caller ends with closedir.
__attribute__((format(printf, 2, 3))) DIR *sysroot_opendir(const struct sysroot *root, const char *fmt, ...);

// The next entry that is neither "." nor ".."; NULL at the end.
const struct dirent *sysroot_next(DIR *dir);

// Follows all symbolic links; the result is relative to the root
// ("sys/devices/..."). 0 or -errno.
__attribute__((format(printf, 4, 5))) int sysroot_real_path(const struct sysroot *root, char *ret, size_t size,
							     const char *fmt, ...);

// Modification time of any file below the root in s since 1970; 0 or -errno.
int sysroot_mtime(const struct sysroot *root, const char *path, int64_t *ret_s);

// A file that is read at every tick: it stays open, and a file that this kernel
// lacks is looked for once. The buffer grows to what the file needs.
struct sysfile {
	const struct sysroot *root;
	char path[128];
	int fd;
	bool missing;
	bool records; // made record by record (a short read is not its end)
	char *buf;
	size_t cap, len;
};

void sysfile_init(struct sysfile *file, const struct sysroot *root, const char *path, bool records);
void sysfile_fini(struct sysfile *file);
// True if it could be opened; a file that is not there is not looked for again.
bool sysfile_open(struct sysfile *file);
// 0 and the whole content in buf[0..len], NUL at its end; or -errno.
int sysfile_read(struct sysfile *file);

// The unsigned number at *text, which is moved behind it; leading blanks are
// skipped. False: there is none, it is too large, or it ends in something else.
bool parse_u64(const char **text, uint64_t *ret);

// Copies with truncation and a final NUL.
void text_copy(char *dst, size_t size, const char *src);
__attribute__((format(printf, 3, 4))) void text_append(char *dst, size_t size, const char *fmt, ...);

#endif
