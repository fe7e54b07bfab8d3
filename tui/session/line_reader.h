// SPDX-License-Identifier: MIT
// Whole lines of a file, one after another, from any offset, with bounded memory.
#ifndef IODUEL_LINE_READER_H
#define IODUEL_LINE_READER_H

#include <stddef.h>
#include <stdint.h>

struct line_reader {
	int fd;
	int64_t at;	// file offset of buffer[0]
	size_t begin, end, capacity;
	char *buffer;
	size_t line_max;
	int failed;	// -errno of a read
};

void line_reader_init(struct line_reader *r, int fd, int64_t offset, size_t line_max);
// Goes on at an offset, without reading again what is there.
void line_reader_seek(struct line_reader *r, int64_t offset);
void line_reader_fini(struct line_reader *r);

// The next whole line without its newline, NUL-terminated, valid until the next call; its length and offset. NULL at
// the end, before a torn last line, and on failure. A line longer than line_max comes out empty.
char *line_reader_next(struct line_reader *r, size_t *ret_length, int64_t *ret_offset);
// Bytes after the last newline (a torn line), once line_reader_next has returned NULL.
size_t line_reader_rest(const struct line_reader *r);

#endif
