// SPDX-License-Identifier: MIT
// fio jobs: what is refused, how a job is rewritten, what is made of fio's
// output, and a run by an fio that behaves and by some that do not.
#include "support_worker.h"

#include "workloads/fio_job.h"
#include "workloads/fio_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct support_worker s;
static char bin[] = "/tmp/ioduel-fio-XXXXXX";

static void
jobs_that_cannot_be_sliced_are_refused(void **state)
{
	(void)state;
	static const struct { const char *text, *says; } bad[] = {
		{ "[a]\nrw=read\nstonewall\n", "stonewall" },
		{ "[a]\nfilename=/dev/sda\n", "outside of the target" },
		{ "[a]\nfilename=one:/etc/passwd\n", "outside of the target" },
		{ "[a]\nfilename=../x\n", "outside of the target" },
		{ "[a]\nread_iolog=/tmp/x\n", "read_iolog" },
		{ "[global]\nrw=read\n", "no job section" },
		{ "", "no job section" },
		{ "rw=read\n", "no fio job" },
		{ "\x7f" "ELF\n", "no fio job" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fio_job job;
		struct error err = { 0 };
		assert_true(fio_job_parse(bad[i].text, &job, &err) < 0);
		assert_int_equal(err.exit_status, EXIT_USAGE);
		if (!strstr(err.text, bad[i].says))
			fail_msg("\"%s\": %s", bad[i].text, err.text);
	}
	struct fio_job job;
	struct error err = { 0 };
	assert_true(fio_job_read("/nonexistent", &job, &err) < 0);
	assert_true(fio_job_read("/dev/zero", &job, &err) < 0);
}

static void
a_job_is_rewritten_for_a_slice(void **state)
{
	(void)state;
	static const char text[] = "; a comment\r\n[global]\n rw = randread \nsize=16m\ndirect=1\nruntime=1000\n\n"
				   "[one]\ndirectory=/elsewhere\niodepth=4\n[two]\nrw=write\nnumjobs=3\ngroup_reporting\n# end";
	struct fio_job job;
	struct error err = { 0 };
	assert_int_equal(fio_job_parse(text, &job, &err), 0);
	assert_int_equal(job.n_jobs, 2);
	assert_true(job.reads && job.writes && !job.buffered);
	assert_int_equal(job.bytes, (16 + 48) << 20);
	char *out = fio_job_rewrite(&job, "/t/d", 2000000000, 5000000000, false);
	assert_string_equal(out, "[global]\nrw=randread\nsize=16m\ndirect=1\n"
				 "[one]\ndirectory=/t/d\ngroup_reporting=1\ntime_based=1\nruntime=3000ms\nramp_time=2000ms\niodepth=4\n"
				 "[two]\ndirectory=/t/d\ngroup_reporting=1\ntime_based=1\nruntime=3000ms\nramp_time=2000ms\nrw=write\nnumjobs=3\n");
	free(out);
	out = fio_job_rewrite(&job, "/t/d", 0, 0, true);
	assert_non_null(strstr(out, "create_only=1"));
	assert_null(strstr(out, "runtime"));
	free(out);
	fio_job_fini(&job);
}

static int
feed(struct fio_stream *stream, const char *text, struct tally *tally)
{
	int event = FIO_NOTHING;
	while (*text) {
		size_t n = strcspn(text, "\n");
		event = fio_stream_line(stream, text, n, tally);
		text += n + (text[n] == '\n');
	}
	return event;
}

#define OBJECT(ios, bytes, runtime, bins, error) \
	"{\n \"jobs\" : [ {\n \"error\" : " #error ", \"job_runtime\" : " #runtime ", \"usr_cpu\" : 50.0, \"sys_cpu\" : 25.0,\n" \
	" \"read\" : { \"total_ios\" : " #ios ", \"io_bytes\" : " #bytes ", \"runtime\" : " #runtime \
	", \"clat_ns\" : { \"bins\" : { " bins " }, \"percentile\" : { \"0.00\" : 1, \"0.00\" : 2 } } } } ]\n}\n"

static void
output_becomes_differences(void **state)
{
	(void)state;
	static struct tally t;
	static struct fio_stream f;
	assert_int_equal(fio_stream_init(&f), 0);
	assert_int_equal(feed(&f, "note: both iodepth >= 1 and synchronous I/O engine are selected\n", &t), FIO_TEXT);
	assert_int_equal(feed(&f, OBJECT(10, 40960, 500, "\"1000\" : 4, \"2000000\" : 6", 0), &t), FIO_COUNTS);
	assert_int_equal(t.ops[WIRE_READS], 10);
	assert_int_equal(t.lat[WIRE_READS].count, 10);
	assert_int_equal(feed(&f, "fio: pid=1, something\n", &t), FIO_TEXT);
	assert_int_equal(feed(&f, OBJECT(15, 61440, 1000, "\"1000\" : 8, \"2000000\" : 7", 0), &t), FIO_COUNTS);
	assert_int_equal(t.ops[WIRE_READS], 5);
	assert_int_equal(t.bytes[WIRE_READS], 20480);
	assert_true(fabs(hist_quantile_ns(&t.lat[WIRE_READS], 0.5) - 1000) < 8);
	// ramp_time is over: the counters begin anew.
	assert_int_equal(feed(&f, OBJECT(3, 12288, 200, "\"1000\" : 3", 0), &t), FIO_RESET);
	assert_int_equal(t.ops[WIRE_READS], 3);
	assert_int_equal(feed(&f, OBJECT(3, 12288, 200, "\"1000\" : 3", 0), &t), FIO_COUNTS);
	assert_int_equal(t.ops[WIRE_READS], 0);
	assert_true(fabs(f.last.user_s - 0.1) < 1e-9 && fabs(f.last.sys_s - 0.05) < 1e-9);
	assert_int_equal(feed(&f, OBJECT(3, 12288, 200, "\"1000\" : 3", 5), &t), FIO_COUNTS);
	assert_int_equal(f.last.error, 5);
	assert_int_equal(feed(&f, "{\n not json\n}\n", &t), -EPROTO);
	fio_stream_fini(&f);
}

// A job file in the test's directory of programs; its path as a workload.
static const char *
job_workload(const char *text)
{
	static char workload[256];
	char path[128];
	snprintf(path, sizeof(path), "%s/job", bin);
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	snprintf(workload, sizeof(workload), "fio:job=%s", path);
	return workload;
}

// Puts a shell script named fio in front of (or instead of) the path.
static void
with_fio(const char *script, bool only)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/fio", bin);
	unlink(path);
	if (script) {
		int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0700);
		assert_true(fd >= 0 && write(fd, script, strlen(script)) == (ssize_t)strlen(script));
		close(fd);
	}
	snprintf(path, sizeof(path), "%s%s%s", bin, only ? "" : ":", only ? "" : getenv("PATH"));
	setenv("PATH", path, 1);
}

static void
run(const char *job, double settle_s, double slice_s)
{
	support_start(&s);
	support_setup(&s, job_workload(job), NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	assert_int_equal(s.ready.whole_run, 0);
	support_go(&s, 1, settle_s, slice_s);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
}

static void
the_installed_fio_runs_a_job(void **state)
{
	(void)state;
	if (system("fio --version >/dev/null 2>&1") != 0) {
		print_message("fio is not installed\n");
		skip();
	}
	run("[a]\nrw=randread\nsize=4m\nbs=4k\n", 0.5, 1.5);
	assert_string_equal(s.end.sentence, "");
	assert_int_equal(s.end.status, 0);
	double counted_s = (double)(s.end.count_end_ns - s.end.count_start_ns) / 1e9;
	assert_true(counted_s > 0.5 && counted_s < 30); // fio's own runtime
	assert_true(s.end.ops[WIRE_READS] > 0);
	assert_int_equal(s.end.bytes[WIRE_READS], s.end.ops[WIRE_READS] * 4096);
	assert_true(s.end.user_us + s.end.sys_us > 0);
	// By hand: no end but PAUSE, and what was counted is kept.
	support_go(&s, 2, 0, 0);
	while (s.counted_ops[WIRE_READS] == 0)
		support_wait_intervals(&s, 1);
	assert_int_equal(wire_send(s.handle.sock, WIRE_PAUSE, NULL, 0, -1), 0);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_int_equal(s.end.status, 0);
	assert_int_equal(s.end.stopped, 1);
	assert_true(s.end.ops[WIRE_READS] > 0);
	support_stop(&s);
	support_start(&s);
	support_setup(&s, job_workload("[a]\nrw=randread\nsize=1m\nioengine=nonsense\n"), NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_FAILED);
	assert_non_null(strstr(s.failed, "fio ended with exit status 1"));
	support_stop(&s);
}

static void
bad_fios_are_told(void **state)
{
	(void)state;
	static const struct { const char *script, *says; } bad[] = {
		{ "#!/bin/sh\ncase $2 in --eta*) exit 0;; esac\necho 'fio: it is broken' >&2\nexit 3\n", "exit status 3: fio: it is broken" },
		{ "#!/bin/sh\ncase $2 in --eta*) exit 0;; esac\nkill -SEGV $$\n", "signal 11" },
		{ "#!/bin/sh\ncase $2 in --eta*) exit 0;; esac\nprintf '{\\n}\\n'\n", "not its JSON" },
		{ "#!/bin/sh\ncase $2 in --eta*) exit 0;; esac\nprintf '{\\n\"jobs\" : [ { \"error\" : 5 } ]\\n}\\n'\n", "reports error 5" },
	};
	char *path = strdup(getenv("PATH"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		with_fio(bad[i].script, false);
		run("[a]\nrw=randread\nsize=1m\n", 0, 1);
		assert_true(s.end.status < 0);
		if (!strstr(s.end.sentence, bad[i].says))
			fail_msg("%s", s.end.sentence);
		support_stop(&s);
		setenv("PATH", path, 1);
	}
	with_fio(NULL, true);
	support_start(&s);
	support_setup(&s, job_workload("[a]\nrw=read\n"), NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_FAILED);
	assert_non_null(strstr(s.failed, "fio is not installed"));
	support_stop(&s);
	setenv("PATH", path, 1);
	free(path);
}

static int
make(void **state)
{
	(void)state;
	return mkdtemp(bin) ? 0 : -1;
}

static int
remove_it(void **state)
{
	char path[128];
	(void)state;
	snprintf(path, sizeof(path), "rm -r %s", bin);
	return system(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_that_cannot_be_sliced_are_refused),
		cmocka_unit_test(a_job_is_rewritten_for_a_slice),
		cmocka_unit_test(output_becomes_differences),
		cmocka_unit_test(the_installed_fio_runs_a_job),
		cmocka_unit_test(bad_fios_are_told),
	};
	return cmocka_run_group_tests(tests, make, remove_it);
}
