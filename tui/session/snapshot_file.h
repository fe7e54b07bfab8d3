// SPDX-License-Identifier: MIT
// A file that grows by whole lines under the name NAME.partial and is given its name at the end. Nothing here knows
// what the lines say.
#ifndef IODUEL_SNAPSHOT_FILE_H
#define IODUEL_SNAPSHOT_FILE_H

#include <ioduel/error.h>
#include <stddef.h>
#include <stdint.h>

struct snapshot_file {
	char path[4096], partial[4096 + 16];
	int fd;
	char *buffer;
	size_t used, capacity;
	int64_t written; // bytes in the file
};

// 0, -EEXIST where either name is taken, or -errno; a sentence in err.
int snapshot_file_create(const char *path, struct snapshot_file *ret, struct error *err);
void snapshot_file_close(struct snapshot_file *f);
// Removes the partial file (of a copy that failed).
void snapshot_file_discard(struct snapshot_file *f);

// Adds a line and its newline to the buffer. 0 or -ENOMEM.
int snapshot_file_append(struct snapshot_file *f, const char *line, size_t length);
// Where the next line will begin.
int64_t snapshot_file_offset(const struct snapshot_file *f);
int snapshot_file_flush(struct snapshot_file *f);
int snapshot_file_sync(struct snapshot_file *f);
// Adds the whole of another file's written lines, past the buffer.
int snapshot_file_append_file(struct snapshot_file *f, const struct snapshot_file *from);
// fsync, rename without replacing anything, fsync of the directory.
int snapshot_file_commit(struct snapshot_file *f);

#endif
