// SPDX-License-Identifier: MIT
// The process that brings a file to its medium: asked without waiting, once at a time, gone with its owner.
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "file_sync.h"

// In memory that both processes share; the call waits until the test lets it go.
static struct {
	volatile int calls, go, fail;
} *shared;

static int
counted_sync(int fd)
{
	(void)fd;
	shared->calls++;
	for (int i = 0; i < 10000 && !shared->go; i++)
		poll(NULL, 0, 1);
	errno = EIO;
	return shared->fail ? -1 : 0;
}

static int
answer_of(struct file_sync *s)
{
	int rc = 0;
	for (int i = 0; i < 10000 && rc == 0; i++) {
		poll(NULL, 0, 1);
		rc = file_sync_answer(s);
	}
	return rc;
}

static int
setup(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED;
}

static void
test_never_waits(void **state)
{
	(void)state;
	struct error err;
	struct file_sync *s = file_sync_new(STDERR_FILENO, -1, counted_sync, &err);
	assert_non_null(s);
	assert_int_equal(file_sync_answer(s), 0);
	assert_int_equal(file_sync_ask(s), 1);
	assert_int_equal(file_sync_ask(s), 0); // still busy: this question is not queued
	assert_int_equal(file_sync_answer(s), 0);
	shared->go = 1;
	assert_int_equal(answer_of(s), 1);
	assert_int_equal(file_sync_answer(s), 0);
	assert_int_equal(shared->calls, 1);
	shared->fail = 1;
	assert_int_equal(file_sync_ask(s), 1);
	assert_int_equal(answer_of(s), -EIO);
	assert_int_equal(shared->calls, 2);
	file_sync_free(s);
	file_sync_free(NULL);
}

// It holds no descriptor of its owner's but those it was given, and ends when the owner lets go.
static void
test_ends(void **state)
{
	(void)state;
	struct error err;
	int unrelated[2], given[2];
	char byte;
	assert_int_equal(pipe(unrelated), 0);
	assert_int_equal(pipe(given), 0);
	struct file_sync *s = file_sync_new(given[1], -1, counted_sync, &err);
	assert_non_null(s);
	close(unrelated[1]);
	close(given[1]);
	struct pollfd fds[2] = { { .fd = unrelated[0], .events = POLLIN }, { .fd = given[0], .events = POLLIN } };
	assert_int_equal(poll(&fds[0], 1, 10000), 1);
	assert_int_equal(read(unrelated[0], &byte, 1), 0);
	assert_int_equal(poll(&fds[1], 1, 0), 0);
	file_sync_free(s);
	assert_int_equal(poll(&fds[1], 1, 10000), 1);
	assert_int_equal(read(given[0], &byte, 1), 0);
	close(unrelated[0]);
	close(given[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_never_waits), cmocka_unit_test(test_ends) };
	return cmocka_run_group_tests(tests, setup, NULL);
}
