// SPDX-License-Identifier: MIT
// What is written: never the same block, nothing that comes back within the
// window of a compressor, and nothing that was read.
#include "workloads/engine/content.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// One word of every 512 bytes, up to the block that may be the same again.
#define WORDS ((uint32_t)(CONTENT_BYTES / 512) - 1)

struct seen {
	uint64_t word[WORDS]; // the latest
	uint32_t at, n;
};

static int
is_new(struct seen *seen, uint64_t word)
{
	for (uint32_t i = 0; i < seen->n; i++)
		if (seen->word[i] == word)
			return 0;
	seen->word[seen->at] = word;
	seen->at = (seen->at + 1) % WORDS;
	seen->n += seen->n < WORDS;
	return 1;
}

static void
check_writes(uint32_t depth, uint32_t block, double read_percent)
{
	static struct seen body, stamp;
	struct content c;
	struct error err = { 0 };
	struct io_request request[32];
	memset(request, 0, sizeof(request));
	memset(&body, 0, sizeof(body));
	memset(&stamp, 0, sizeof(stamp));
	assert_int_equal(content_init(&c, depth, block, read_percent, 0, 7, 0, &err), 0);
	for (uint64_t bytes = 0, i = 0; bytes < 2 * CONTENT_BYTES; bytes += block, i++) {
		struct io_request *r = &request[i % depth];
		r->slot = (uint32_t)(i % depth);
		r->intent = (struct io_intent){ .op = IO_WRITE, .length = block };
		content_attach(&c, r);
		assert_true((char *)r->buffer >= c.memory + (size_t)r->slot * c.region_bytes + c.first_write);
		assert_true((char *)r->buffer + block <= c.memory + (size_t)(r->slot + 1) * c.region_bytes);
		for (uint32_t at = 0; at < block; at += 512) {
			uint64_t word;
			memcpy(&word, (char *)r->buffer + at, sizeof(word));
			assert_true(is_new(&body, word));
		}
		for (uint32_t end = CONTENT_STAMP_EVERY < block ? CONTENT_STAMP_EVERY : block; end <= block; end += CONTENT_STAMP_EVERY) {
			uint64_t word;
			memcpy(&word, (char *)r->buffer + end - sizeof(word), sizeof(word));
			assert_true(is_new(&stamp, word));
		}
	}
	content_fini(&c);
}

static void
test_writes_never_repeat(void **state)
{
	(void)state;
	check_writes(1, 4096, 0);
	check_writes(1, 512, 0);
	check_writes(32, 4096, 0);
	check_writes(8, 131072, 0);
	check_writes(4, 8192, 70);
}

static void
test_reads_have_their_own_place(void **state)
{
	(void)state;
	struct content c;
	struct error err = { 0 };
	struct io_request r = { .intent = { .op = IO_READ, .length = 4096 }, .slot = 3 };
	assert_int_equal(content_init(&c, 4, 4096, 50, 0, 7, 0, &err), 0);
	content_attach(&c, &r);
	char *read_into = r.buffer;
	assert_ptr_equal(read_into, c.memory + 3 * (size_t)c.region_bytes);
	r.intent.op = IO_WRITE;
	for (int i = 0; i < 2000; i++) {
		content_attach(&c, &r);
		assert_true((char *)r.buffer >= read_into + 4096);
	}
	content_fini(&c);
	assert_int_equal(content_init(&c, 4, 4096, 100, 0, 7, 0, &err), 0);
	assert_int_equal(c.region_bytes, 4096); // a reader pins no more than it needs
	content_fini(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writes_never_repeat),
		cmocka_unit_test(test_reads_have_their_own_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
