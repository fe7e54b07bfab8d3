// SPDX-License-Identifier: MIT
// Reading by lines. One rule: a line counts only when its newline is there.
#include "session/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 262144

void
line_reader_init(struct line_reader *r, int fd, int64_t offset, size_t line_max)
{
	*r = (struct line_reader){ .fd = fd, .at = offset, .line_max = line_max };
}

void
line_reader_seek(struct line_reader *r, int64_t offset)
{
	// Lines that were handed out have lost their newlines: going back reads again.
	if (offset >= r->at + (int64_t)r->begin && offset - r->at <= (int64_t)r->end) {
		r->begin = (size_t)(offset - r->at);
	} else {
		r->at = offset;
		r->begin = r->end = 0;
	}
}

void
line_reader_fini(struct line_reader *r)
{
	free(r->buffer);
	r->buffer = NULL;
}

// Reads more behind what is there. 1, 0 at the end of the file, or -errno.
static int
fill(struct line_reader *r)
{
	if (r->begin > 0) {
		memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
		r->at += (int64_t)r->begin;
		r->end -= r->begin;
		r->begin = 0;
	}
	if (r->capacity - r->end < BLOCK / 2) {
		size_t capacity = r->capacity ? r->capacity * 2 : BLOCK;
		char *buffer = realloc(r->buffer, capacity);
		if (!buffer)
			return -ENOMEM;
		r->buffer = buffer;
		r->capacity = capacity;
	}
	ssize_t n;
	do
		n = pread(r->fd, r->buffer + r->end, r->capacity - r->end, r->at + (int64_t)r->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	r->end += (size_t)n;
	return n > 0;
}

char *
line_reader_next(struct line_reader *r, size_t *ret_length, int64_t *ret_offset)
{
	size_t seen = 0;
	int64_t start = r->at + (int64_t)r->begin;
	int skipping = 0;
	for (;;) {
		size_t from = r->begin + seen;
		char *newline = r->end > from ? memchr(r->buffer + from, '\n', r->end - from) : NULL;
		if (newline) {
			char *line = r->buffer + r->begin;
			*newline = '\0';
			*ret_length = skipping ? 0 : (size_t)(newline - line);
			*ret_offset = start;
			r->begin = (size_t)(newline - r->buffer) + 1;
			return skipping ? newline : line;
		}
		seen = r->end - r->begin;
		if (seen > r->line_max) {
			skipping = 1;
			r->begin = r->end;
			seen = 0;
		}
		int rc = fill(r);
		if (rc <= 0) {
			r->failed = rc;
			return NULL;
		}
	}
}

size_t
line_reader_rest(const struct line_reader *r)
{
	return r->end - r->begin;
}
