// SPDX-License-Identifier: MIT
// Devices that fail: what goes wrong is counted, told with its place, and
// ends the turn where it passes the bound. And a kernel without io_uring.
#include "support_worker.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct support_worker s;

static void
run_with(const char *fault, const char *workload, double slice_s)
{
	setenv("IODUEL_FAULT", fault, 1);
	support_start(&s);
	unsetenv("IODUEL_FAULT");
	support_setup(&s, workload, NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_string_equal(s.ready.backend, "fault");
	support_go(&s, 1, 0, slice_s);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
}

static void
a_few_errors_are_counted_and_told(void **state)
{
	(void)state;
	run_with("eio=40,slow=5", "randread:size=1m,qd=1", 1);
	assert_int_equal(s.end.status, 0);
	assert_true(s.end.errors >= 1 && s.end.errors <= 10);
	assert_non_null(strstr(s.notes, "read of 4096 bytes at offset"));
	assert_non_null(strstr(s.notes, strerror(EIO)));
	// Failed I/Os are in no rate and no latency.
	assert_int_equal(s.end.ops[WIRE_READS], s.lat[WIRE_READS].count);
	support_stop(&s);
}

static void
many_errors_end_the_turn(void **state)
{
	(void)state;
	run_with("eio=2", "randread:size=1m", 600);
	assert_int_equal(s.end.status, -EIO);
	assert_true(s.end.errors > 10 && s.end.errors < 40);
	assert_non_null(strstr(s.end.sentence, "offset"));
	support_stop(&s);
	run_with("gone=100", "seqread:size=1m,bs=4k", 600);
	assert_int_equal(s.end.status, -ENODEV);
	assert_int_equal(s.end.ops[WIRE_READS], 99);
	support_stop(&s);
}

static void
short_transfers_are_errors_too(void **state)
{
	(void)state;
	run_with("short=3", "randread:size=1m", 600);
	assert_true(s.end.status < 0);
	assert_non_null(strstr(s.notes, "only 2048 bytes came through"));
	assert_non_null(strstr(s.end.sentence, "short transfer"));
	support_stop(&s);
}

static void
no_space_ends_the_turn_and_gives_it_back(void **state)
{
	(void)state;
	run_with("enospc=1048576", "seqwrite:size=4m,bs=64k", 600);
	assert_int_equal(s.end.status, -ENOSPC);
	assert_non_null(strstr(s.end.sentence, "no space left"));
	assert_int_equal(s.end.bytes[WIRE_WRITES], 1 << 20); // what was measured so far is kept
	support_go(&s, 2, 0, 1);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_int_equal(s.end.status, -ENOSPC);
	// Made anew, it works again (until it is full again).
	assert_int_equal(wire_send(s.handle.sock, WIRE_REMAKE, NULL, 0, -1), 0);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	support_go(&s, 3, 0, 600);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_int_equal(s.end.bytes[WIRE_WRITES], 1 << 20);
	support_stop(&s);
}

static void
an_open_loop_says_what_it_could_not_keep(void **state)
{
	(void)state;
	run_with("slow=10", "randread:size=1m,qd=1,rate=1000", 1);
	assert_int_equal(s.end.status, 0);
	assert_true(s.end.ops[WIRE_READS] <= 100);
	assert_true(s.end.backlog >= 850 && s.end.backlog <= 1000);
	assert_true(s.end.backlog + s.end.ops[WIRE_READS] >= 990 && s.end.backlog + s.end.ops[WIRE_READS] <= 1001);
	// Latency counts from the scheduled time, and what never started is in it with its age.
	assert_true(s.lat[WIRE_READS].count >= 990);
	assert_true(hist_quantile_ns(&s.lat[WIRE_READS], 0.5) > 300e6);
	assert_non_null(strstr(s.notes, "cannot keep the rate of 1000"));
	support_stop(&s);
}

static void
forbid_io_uring(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// Last, since what is forbidden once stays forbidden.
static void
without_io_uring_blocking_calls_serve(void **state)
{
	(void)state;
	forbid_io_uring();
	support_start(&s);
	support_setup(&s, "randread:size=1m,qd=4", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_string_equal(s.ready.backend, "sync");
	assert_non_null(strstr(s.ready.sentence, "io_uring is not available"));
	// Four were asked for.
	assert_int_equal(s.ready.shallower, 1);
	assert_non_null(strstr(s.ready.sentence, "keeps 1 I/O in flight per thread, not qd=4"));
	support_go(&s, 1, 0, 0.2);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_true(s.end.ops[WIRE_READS] > 0);
	support_stop(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_few_errors_are_counted_and_told),
		cmocka_unit_test(many_errors_end_the_turn),
		cmocka_unit_test(short_transfers_are_errors_too),
		cmocka_unit_test(no_space_ends_the_turn_and_gives_it_back),
		cmocka_unit_test(an_open_loop_says_what_it_could_not_keep),
		cmocka_unit_test(without_io_uring_blocking_calls_serve),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
