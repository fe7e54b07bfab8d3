// SPDX-License-Identifier: MIT
// The memory of one I/O thread: where reads go and what writes carry. Rule: a
// 4 KiB block is never written twice, and no content comes back within
// CONTENT_BYTES, so that neither deduplication nor a compressor with a window
// of a record finds anything in data that are meant to be incompressible.
#ifndef ENGINE_CONTENT_H
#define ENGINE_CONTENT_H

#include <ioduel/backend.h>

#include <stddef.h>

// More than the largest record that file systems compress as one by default.
#define CONTENT_BYTES (UINT64_C(2) << 20)
#define CONTENT_STAMP_EVERY 4096u

struct content {
	char *memory; // depth regions of region_bytes each, page aligned
	uint32_t depth, block_bytes;
	uint32_t first_write; // offset in a region of the first block that is written from; before it is what reads fill
	uint32_t region_bytes;
	uint64_t stamp;
};

// For depth I/Os of block_bytes each, of which read_percent (0 .. 100) are reads; compress as of scratch_fill. Two
// threads with other index write other data. 0 or -ENOMEM; content_fini also after a failure.
int content_init(struct content *c, uint32_t depth, uint32_t block_bytes, double read_percent, double compress, uint64_t seed, unsigned index,
		 struct error *err);
void content_fini(struct content *c);

// Sets the buffer of a request whose intent and slot are known.
static inline void
content_attach(struct content *c, struct io_request *request)
{
	char *region = c->memory + (size_t)request->slot * c->region_bytes;
	if (request->intent.op != IO_WRITE) {
		request->buffer = region;
		return;
	}
	char *next = (char *)request->buffer + c->block_bytes;
	if (next < region + c->first_write || next >= region + c->region_bytes)
		next = region + c->first_write;
	request->buffer = next;
	uint32_t length = request->intent.length;
	for (uint32_t end = 0; end < length;) {
		end = length - end < CONTENT_STAMP_EVERY ? length : end + CONTENT_STAMP_EVERY;
		uint64_t word = ++c->stamp * UINT64_C(0x9e3779b97f4a7c15);
		if (end >= sizeof(word))
			__builtin_memcpy(next + end - sizeof(word), &word, sizeof(word));
	}
}

#endif
