// SPDX-License-Identifier: MIT
// Workloads whose files have names: all of their figures, and no name left,
// whatever ends them; and the sweep of what killed runs left.
#include "support_worker.h"

#include "workloads/engine/scratch_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct support_worker s;

static const struct wire_result *
find(const char *name)
{
	for (uint32_t i = 0; i < s.end.n_results; i++)
		if (strcmp(s.end.result[i].name, name) == 0)
			return &s.end.result[i];
	fail_msg("there is no result %s", name);
	return NULL;
}

static void
run(const char *workload)
{
	support_start(&s);
	support_setup(&s, workload, NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	support_go(&s, 1, 0, 0);
	assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
	assert_string_equal(s.end.sentence, "");
	assert_int_equal(s.end.status, 0);
}

static void
metadata_has_all_its_figures(void **state)
{
	(void)state;
	static const char *const names[] = { "create_per_s", "stat_per_s", "delete_per_s", "ran_create_per_s", "ran_stat_per_s", "ran_delete_per_s" };
	run("metadata:files=3000,dirs=3,threads=2,size=1k");
	for (int i = 0; i < 6; i++) {
		const struct wire_result *r = find(names[i]);
		assert_true(r->state == WIRE_RESULT_TOO_FAST || r->value > 0);
	}
	assert_int_equal(s.end.ops[WIRE_WRITES], 4 * 3000);
	assert_int_equal(s.end.ops[WIRE_READS], 2 * 3000);
	assert_int_equal(s.end.ops[WIRE_READS], s.counted_ops[WIRE_READS]);
	assert_non_null(strstr(s.notes, "random delete"));
	support_stop(&s);
}

static void
bonnie_has_all_its_figures(void **state)
{
	(void)state;
	static const char *const names[] = { "putc", "put_block", "rewrite", "getc", "get_block", "seeks",
					     "seq_create", "seq_stat", "seq_del", "ran_create", "ran_stat", "ran_del" };
	run("bonnie:size=8m,files=1,seeks=200");
	for (int i = 0; i < 12; i++) {
		char cpu[32];
		snprintf(cpu, sizeof(cpu), "%s_cpu", names[i]);
		assert_int_equal(find(names[i])->state, find(cpu)->state);
		if (find(names[i])->state == WIRE_RESULT_OK) {
			assert_true(find(names[i])->value > 0);
			assert_true(find(cpu)->value >= 0 && find(cpu)->value < 450);
		} else {
			assert_int_equal(find(names[i])->state, WIRE_RESULT_TOO_FAST);
		}
	}
	assert_non_null(strstr(s.notes, "less than twice the memory"));
	assert_int_equal(find("sync_s")->state, WIRE_RESULT_OK);
	support_stop(&s);
}

static void
phases_left_out_are_not_run(void **state)
{
	(void)state;
	run("bonnie:size=1m,files=0,fast=1,seeks=20");
	assert_int_equal(find("putc")->state, WIRE_RESULT_NOT_RUN);
	assert_int_equal(find("getc_cpu")->state, WIRE_RESULT_NOT_RUN);
	assert_int_equal(find("ran_del")->state, WIRE_RESULT_NOT_RUN);
	support_stop(&s);
	run("bonnie:size=0,files=1");
	assert_int_equal(find("put_block")->state, WIRE_RESULT_NOT_RUN);
	assert_int_equal(find("seeks")->state, WIRE_RESULT_NOT_RUN);
	support_stop(&s);
}

static void
an_early_end_leaves_no_name(void **state)
{
	(void)state;
	static const char *const workloads[] = { "metadata:files=2000000", "bonnie:size=1g,files=4096" };
	for (int i = 0; i < 4; i++) {
		support_start(&s);
		support_setup(&s, workloads[i % 2], NULL, 0, -1);
		assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
		support_go(&s, 1, 0, 0);
		while (!strstr(s.notes, i % 2 ? "per-char write" : "create"))
			support_wait_intervals(&s, 1);
		assert_true(support_count_names(s.dir) > 0);
		if (i < 2) {
			assert_int_equal(wire_send(s.handle.sock, WIRE_PAUSE, NULL, 0, -1), 0);
			assert_int_equal(support_wait(&s, WIRE_TURN_END), WIRE_TURN_END);
			assert_int_equal(s.end.stopped, 1);
			assert_int_equal(support_count_names(s.dir), 0);
		} else if (i == 3) {
			assert_int_equal(kill(s.handle.pid, SIGTERM), 0);
		}
		support_stop(&s);
	}
}

struct told {
	unsigned removed, left;
	char why[2048];
};

static void
tell(void *context, const char *path, bool removed, const char *why)
{
	struct told *t = context;
	(void)path;
	t->removed += removed;
	t->left += !removed;
	snprintf(t->why + strlen(t->why), sizeof(t->why) - strlen(t->why), "%s\n", why);
}

static struct told
sweep(const char *path)
{
	struct told t = { 0 };
	struct error err = { 0 };
	assert_int_equal(scratch_sweep(path, tell, &t, &err), 0);
	return t;
}

static void
a_killed_worker_is_swept(void **state)
{
	(void)state;
	support_start(&s);
	support_setup(&s, "metadata:files=1000000,dirs=3", NULL, 0, -1);
	assert_int_equal(support_wait(&s, WIRE_READY), WIRE_READY);
	support_go(&s, 1, 0, 0);
	while (!strstr(s.notes, "create"))
		support_wait_intervals(&s, 1);
	struct told t = sweep(s.dir);
	assert_int_equal(t.removed, 0);
	assert_int_equal(t.left, 1);
	assert_non_null(strstr(t.why, "in use"));
	kill(s.handle.pid, SIGKILL);
	support_reap(&s);
	close(s.handle.sock);
	assert_int_equal(support_count_names(s.dir), 1);
	t = sweep(s.dir);
	assert_int_equal(t.removed, 1);
	assert_int_equal(support_count_names(s.dir), 0);
	assert_int_equal(rmdir(s.dir), 0);
}

static void
write_file(const char *dir, const char *name, const char *text)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void
nothing_else_is_swept(void **state)
{
	(void)state;
	char base[] = "/tmp/ioduel-sweep-XXXXXX", path[512], text[128];
	struct scratch_dir real;
	struct error err = { 0 };
	struct stat st;
	assert_non_null(mkdtemp(base));
	// A directory of the right name without a marker, with a planted one, with a copied one.
	static const char *const names[] = { ".ioduel-aaaaaa", ".ioduel-bbbbbb", ".ioduel-cccccc" };
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", base, names[i]);
		assert_int_equal(mkdir(path, 0700), 0);
		write_file(path, "precious", "data");
		if (i == 1)
			write_file(path, ".ioduel-marker", "ioduel scratch directory, format 1\n");
		if (i == 2) {
			assert_int_equal(stat(base, &st), 0);
			snprintf(text, sizeof(text), "ioduel scratch directory, format 1\n%s %llu\n", names[i], (unsigned long long)st.st_ino);
			write_file(path, ".ioduel-marker", text);
		}
	}
	// A link to a real scratch directory elsewhere, and a file.
	assert_int_equal(scratch_dir_make("/tmp", &real, &err), 0);
	char elsewhere[64];
	snprintf(elsewhere, sizeof(elsewhere), "/tmp/%s", real.name);
	snprintf(path, sizeof(path), "%s/.ioduel-dddddd", base);
	assert_int_equal(symlink(elsewhere, path), 0);
	write_file(base, ".ioduel-eeeeee", "file");
	write_file(base, "other", "file");
	assert_int_equal(flock(real.marker_fd, LOCK_UN), 0); // as if its run had been killed
	struct told t = sweep(base);
	assert_int_equal(t.removed, 0);
	assert_int_equal(t.left, 5);
	assert_int_equal(access(elsewhere, F_OK), 0);
	assert_int_equal(scratch_dir_remove(&real), 0);
	assert_int_equal(access(elsewhere, F_OK), -1);
	snprintf(path, sizeof(path), "rm -r %s", base);
	assert_int_equal(system(path), 0);
}

// A link inside a scratch directory is removed, what it points at is not.
static void
links_inside_are_not_followed(void **state)
{
	(void)state;
	char base[] = "/tmp/ioduel-sweep-XXXXXX";
	struct scratch_dir d;
	struct error err = { 0 };
	assert_non_null(mkdtemp(base));
	write_file(base, "precious", "data");
	assert_int_equal(scratch_dir_make(base, &d, &err), 0);
	assert_int_equal(symlinkat(base, d.fd, "link"), 0);
	int sub = scratch_dir_sub(d.fd, "sub");
	assert_true(sub >= 0);
	close(scratch_dir_create(sub, "file"));
	close(sub);
	assert_int_equal(scratch_dir_remove(&d), 0);
	assert_int_equal(support_count_names(base), 1);
	char path[64];
	snprintf(path, sizeof(path), "%s/precious", base);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(base), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metadata_has_all_its_figures),
		cmocka_unit_test(bonnie_has_all_its_figures),
		cmocka_unit_test(phases_left_out_are_not_run),
		cmocka_unit_test(an_early_end_leaves_no_name),
		cmocka_unit_test(a_killed_worker_is_swept),
		cmocka_unit_test(nothing_else_is_swept),
		cmocka_unit_test(links_inside_are_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
