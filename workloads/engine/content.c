// SPDX-License-Identifier: MIT
// Memory of an I/O thread, see the header.
#include "content.h"

#include "scratch.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

int
content_init(struct content *c, uint32_t depth, uint32_t block_bytes, double read_percent, double compress, uint64_t seed, unsigned index,
	     struct error *err)
{
	uint64_t together = (uint64_t)depth * block_bytes;
	uint64_t write_blocks = read_percent >= 100 ? 0 : (CONTENT_BYTES + together - 1) / together;
	*c = (struct content){ .depth = depth, .block_bytes = block_bytes };
	// What was read must not be written: it may be zeros, or somebody's.
	c->first_write = read_percent > 0 ? block_bytes : 0;
	c->region_bytes = (uint32_t)(c->first_write + write_blocks * block_bytes);
	c->stamp = seed + ((uint64_t)index << 56);
	size_t bytes = (size_t)depth * c->region_bytes;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return error_set(err, -ENOMEM, "not enough memory for %u buffers of %u bytes", depth, c->region_bytes);
	c->memory = memory;
	scratch_fill(memory, bytes, ~seed - index, compress);
	return 0;
}

void
content_fini(struct content *c)
{
	if (c->memory)
		munmap(c->memory, (size_t)c->depth * c->region_bytes);
	memset(c, 0, sizeof(*c));
}
