// SPDX-License-Identifier: MIT
// Block workloads carried out by a real worker: what it says adds up, and it
// leaves nothing behind.
#include "support_worker.h"

#include <ioduel/clock.h>

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct support_worker s, other;

static void
check_sums(const struct support_worker *w)
{
	assert_int_equal(w->end.status, 0);
	for (int c = 0; c < WIRE_CLASSES; c++) {
		assert_int_equal(w->end.ops[c], w->counted_ops[c]);
		assert_int_equal(w->end.bytes[c], w->counted_bytes[c]);
	}
	assert_int_equal(w->end.count_end_ns - w->end.count_start_ns, w->counted_ns);
}

static void
a_slice_ends_by_itself(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "randread:size=4m,qd=4", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_int_equal(s.ready.scratch_bytes, 4 << 20);
	assert_int_equal(s.ready.shallower, 0);
	assert_true(s.n_progress > 0);
	support_go(&s, 7, 0.1, 0.4);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_int_equal(s.n_cpu_unknown, 0);
	assert_int_equal(s.end.turn, 7);
	assert_int_equal(s.end.stopped, 0);
	check_sums(&s);
	assert_true(s.end.ops[WIRE_READS] > 0);
	assert_int_equal(s.end.bytes[WIRE_READS], s.end.ops[WIRE_READS] * 4096);
	assert_int_equal(s.lat[WIRE_READS].count, s.end.ops[WIRE_READS]);
	assert_int_equal(s.end.count_end_ns - s.end.count_start_ns, 300 * NS_PER_MS);
	assert_int_equal(s.end.count_start_ns - s.end.start_ns, 100 * NS_PER_MS);
	support_stop(&s);
}

static void
pause_ends_a_turn(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "randrw:size=4m,qd=4,read=50,direct=0,threads=2,fsync=100", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_int_equal(s.ready.direct, 0);
	for (uint32_t turn = 1; turn <= 3; turn++) {
		support_go(&s, turn, 0, 0);
		support_wait_intervals(&s, 2);
		assert_int_equal(wire_send(s.handle.sock, WIRE_PAUSE, NULL, 0, -1), 0);
		assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
		assert_int_equal(s.end.stopped, 1);
		check_sums(&s);
		assert_true(s.end.ops[WIRE_READS] > 0 && s.end.ops[WIRE_WRITES] > 0);
	}
	support_stop(&s);
}

static void
paused_while_settling_counts_nothing(void **state)
{
	(void)state;
	static const char *const workloads[] = { "randread:size=1m", "seqwrite:size=1m,bs=4k,direct=0,threads=2" };
	for (int i = 0; i < 2; i++) {
		support_start(&s);
		support_setup(&s, workloads[i], NULL, 0, -1);
		assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
		support_go(&s, 1, 600, 1200);
		support_wait_intervals(&s, 1);
		assert_int_equal(wire_send(s.handle.sock, WIRE_PAUSE, NULL, 0, -1), 0);
		assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
		assert_int_equal(s.end.stopped, 1);
		assert_int_equal(s.end.count_start_ns, 0);
		assert_int_equal(s.end.ops[WIRE_READS] + s.end.ops[WIRE_WRITES], 0);
		support_stop(&s);
	}
}

static void
two_sides_share_a_file(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "randread:size=2m", NULL, 2, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_true(s.ready_fd >= 0);
	support_start_at(&other, NULL);
	support_setup(&other, "randread:size=2m,direct=0", s.dir, 1, s.ready_fd);
	assert_int_equal(support_wait(&other, WIRE_READY), WIRE_READY);
	assert_int_equal(other.n_progress, 0);
	support_go(&other, 1, 0, 0.2);
	assert_int_equal(support_wait(&other, WIRE_TURN_END), WIRE_TURN_END);
	check_sums(&other);
	support_go(&s, 2, 0, 0.2);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	check_sums(&s);
	support_stop(&other);
	support_stop(&s);
}

static void
a_slow_reader_loses_nothing(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "randrw:size=1m,backend=null,qd=8", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	support_go(&s, 1, 0, 3);
	// Not read until the turn is over: far more intervals than the socket holds.
	struct timespec ts = { 3, 200000000 };
	nanosleep(&ts, NULL);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	check_sums(&s);
	assert_int_equal(s.lat[WIRE_READS].count, s.end.ops[WIRE_READS]);
	assert_int_equal(s.end.count_end_ns - s.end.count_start_ns, 3 * NS_PER_S);
	support_stop(&s);
}

static void
a_log_is_synced_record_by_record(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "synclog:size=1m,threads=2,bs=1000", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	for (uint32_t turn = 1; turn <= 2; turn++) {
		support_go(&s, turn, 0.05, 0.3);
		assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
		check_sums(&s);
		assert_true(s.end.ops[WIRE_SYNCS] > 0);
		// One sync for each record, but for those that the ends of the counted part cut in two.
		int64_t difference = (int64_t)(s.end.ops[WIRE_WRITES] - s.end.ops[WIRE_SYNCS]);
		assert_true(difference >= -2 && difference <= 2);
		assert_int_equal(s.end.bytes[WIRE_WRITES], s.end.ops[WIRE_WRITES] * 1000);
	}
	support_stop(&s);
}

static void
killed_workers_leave_nothing(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "randread:size=4m", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	support_go(&s, 1, 0, 0);
	support_wait_intervals(&s, 1);
	kill(s.handle.pid, SIGKILL);
	assert_int_equal(support_wait(&s, (enum wire_type)0), 0);
	assert_true(WIFSIGNALED(support_reap(&s)));
	close(s.handle.sock);
	assert_int_equal(support_count_names(s.dir), 0);
	assert_int_equal(rmdir(s.dir), 0);
}

// The parent is killed: the worker must notice and leave nothing, also while it lays out files.
static void
workers_die_with_their_parent(void **state)
{
	(void)state;
	int pids[2];
	assert_int_equal(pipe(pids), 0);
	char dir[] = "/tmp/ioduel-test-XXXXXX";
	assert_non_null(mkdtemp(dir));
	pid_t parent = fork();
	if (parent == 0) {
		static struct support_worker mine;
		support_start_at(&mine, dir);
		support_setup(&mine, "seqwrite:size=8m", dir, 0, -1);
		support_wait(&mine, WIRE_READY);
		support_go(&mine, 1, 0, 0);
		support_wait_intervals(&mine, 1);
		ssize_t ignored = write(pids[1], &mine.handle.pid, sizeof(pid_t));
		(void)ignored;
		pause();
		_exit(0);
	}
	close(pids[1]);
	pid_t worker;
	assert_int_equal(read(pids[0], &worker, sizeof(worker)), sizeof(worker));
	int pidfd = (int)syscall(SYS_pidfd_open, worker, 0);
	assert_true(pidfd >= 0);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	struct pollfd gone = { pidfd, POLLIN, 0 };
	assert_int_equal(poll(&gone, 1, SUPPORT_DEADLINE_MS), 1);
	close(pidfd);
	close(pids[0]);
	assert_int_equal(support_count_names(dir), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void
bad_setups_are_refused_with_a_sentence(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "randread:size=4m", "/nonexistent/place", 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_FAILED);
	assert_non_null(strstr(s.failed, "does not exist"));
	support_stop(&s);
	support_start(&s);
	support_setup(&s, "randread:size=900t", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_FAILED);
	assert_non_null(strstr(s.failed, "free"));
	support_stop(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slice_ends_by_itself),
		cmocka_unit_test(pause_ends_a_turn),
		cmocka_unit_test(paused_while_settling_counts_nothing),
		cmocka_unit_test(two_sides_share_a_file),
		cmocka_unit_test(a_slow_reader_loses_nothing),
		cmocka_unit_test(a_log_is_synced_record_by_record),
		cmocka_unit_test(killed_workers_leave_nothing),
		cmocka_unit_test(workers_die_with_their_parent),
		cmocka_unit_test(bad_setups_are_refused_with_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
