// SPDX-License-Identifier: MIT
// The command workload: times, results, and nothing left running.
#include "support_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
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

static struct support_worker s;

static double
result(const char *name)
{
	for (uint32_t i = 0; i < s.end.n_results; i++)
		if (strcmp(s.end.result[i].name, name) == 0)
			return s.end.result[i].state == WIRE_RESULT_OK ? s.end.result[i].value : (double)NAN;
	fail_msg("there is no result %s", name);
	return NAN;
}

static void
begin(const char *workload)
{
	support_start(&s);
	support_setup(&s, workload, NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_int_equal(s.ready.whole_run, 1);
	support_go(&s, 1, 0, 0);
}

static void
run(const char *workload)
{
	begin(workload);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
}

// Waits until a process whose id the file in the test's directory holds is gone.
static pid_t
read_pid(const char *name)
{
	char path[512], text[32] = "";
	snprintf(path, sizeof(path), "%s/%s", s.dir, name);
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	unlink(path);
	return (pid_t)atoi(text);
}

static void
a_run_has_its_figures(void **state)
{
	(void)state;
	run("command:cmd=\"test $IODUEL_TARGET = $PWD && test $IODUEL_SIDE = a && echo said && "
	    "dd if=/dev/zero of=x bs=64k count=64 conv=fsync 2>/dev/null && i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\",cleanup=\"rm x\"");
	assert_int_equal(s.end.status, 0);
	assert_string_equal(s.end.sentence, "");
	assert_true(result("real_s") > 0);
	assert_true(fabs(result("real_s") - (double)(s.end.count_end_ns - s.end.count_start_ns) / 1e9) < 1e-6);
	assert_true(result("user_s") + result("sys_s") > 0);
	assert_true(result("user_s") + result("sys_s") <= result("real_s") * 3 + 0.1);
	assert_true(result("max_rss_bytes") > 65536);
	assert_true(result("written_bytes") >= 64 * 65536 || result("written_bytes") == 0); // 0 where /tmp is memory
	assert_true(result("sync_s") >= 0);
	// While it runs nobody knows its CPU time.
	assert_true(s.n_cpu_unknown > 0);
	assert_true(isnan(result("io_wait_share")));
	assert_non_null(strstr(s.notes, "said\n"));
	support_stop(&s);
}

// Also what a child of the shell read, and from memory: the rest of it is what the cache absorbed.
static void
reads_are_those_of_the_program(void **state)
{
	(void)state;
	run("command:prepare=\"dd if=/dev/zero of=x bs=1M count=4 2>/dev/null\",cmd=\"cat x >/dev/null; true\",cleanup=\"rm x\"");
	assert_int_equal(s.end.status, 0);
	assert_in_range((uint64_t)result("read_bytes"), 4 << 20, (4 << 20) + 262144);
	support_stop(&s);
}

static void
a_failing_run_is_told(void **state)
{
	(void)state;
	run("command:cmd=\"exit 7\"");
	assert_int_equal(s.end.status, 7);
	assert_non_null(strstr(s.end.sentence, "exit status 7"));
	assert_int_equal(s.end.n_results, 0);
	support_stop(&s);
	run("command:cmd=\"kill -ABRT $$\"");
	assert_int_equal(s.end.status, 128 + SIGABRT);
	assert_non_null(strstr(s.end.sentence, "signal"));
	support_stop(&s);
	run("command:cmd=\"touch ran\",prepare=\"exit 3\"");
	assert_int_equal(s.end.status, 3);
	assert_non_null(strstr(s.end.sentence, "prepare="));
	support_stop(&s); // asserts that "ran" is not there
	run("command:cmd=true,cleanup=false");
	assert_int_equal(s.end.status, 1);
	assert_non_null(strstr(s.end.sentence, "cleanup="));
	support_stop(&s);
}

static void
what_forks_away_is_ended(void **state)
{
	(void)state;
	run("command:cmd=\"setsid sh -c 'echo $$ >pid; exec sleep 600' & while [ ! -s pid ]; do :; done\"");
	assert_int_equal(s.end.status, 0);
	pid_t pid = read_pid("pid");
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	assert_non_null(strstr(s.notes, "left 1 process running"));
	support_stop(&s);
}

static void
a_flood_of_output_blocks_nothing(void **state)
{
	(void)state;
	run("command:cmd=\"yes 0123456789012345678901234567890123456789 | head -c 30000000; echo; echo the last line\"");
	assert_int_equal(s.end.status, 0);
	assert_non_null(strstr(s.notes, "0123456789"));
	support_stop(&s);
}

static void
pause_ends_a_run_with_all_it_started(void **state)
{
	(void)state;
	begin("command:cmd=\"setsid sh -c 'trap : TERM; echo $$ >pid; while :; do sleep 600; done' & trap '' TERM; while [ ! -s pid ]; do :; done; echo up; sleep 600\"");
	while (!strstr(s.notes, "up\n"))
		support_wait_intervals(&s, 1);
	pid_t pid = read_pid("pid");
	assert_int_equal(wire_send(s.handle.sock, WIRE_PAUSE, NULL, 0, -1), 0);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_int_equal(s.end.stopped, 1);
	assert_int_equal(s.end.status, -ECANCELED);
	assert_int_equal(kill(pid, 0), -1);
	support_stop(&s);
}

static void
the_end_of_ioduel_ends_the_run(void **state)
{
	(void)state;
	begin("command:cmd=\"echo $$ >pid; echo up; sleep 600; true\"");
	while (!strstr(s.notes, "up\n"))
		support_wait_intervals(&s, 1);
	pid_t pid = read_pid("pid");
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	assert_true(pidfd >= 0);
	support_stop(&s);
	struct pollfd p = { pidfd, POLLIN, 0 };
	assert_int_equal(poll(&p, 1, SUPPORT_DEADLINE_MS), 1);
	close(pidfd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_has_its_figures),
		cmocka_unit_test(reads_are_those_of_the_program),
		cmocka_unit_test(a_failing_run_is_told),
		cmocka_unit_test(what_forks_away_is_ended),
		cmocka_unit_test(a_flood_of_output_blocks_nothing),
		cmocka_unit_test(pause_ends_a_run_with_all_it_started),
		cmocka_unit_test(the_end_of_ioduel_ends_the_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
