// SPDX-License-Identifier: MIT
// The real ioduel on two fresh folders; see support_ioduel.h.
#include "support_ioduel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define ARGS_MAX 32

void
duel_init(struct duel *d)
{
	memset(d, 0, sizeof(*d));
	vt_make_dir(d->dir, sizeof(d->dir));
	snprintf(d->a, sizeof(d->a), "%s/a", d->dir);
	snprintf(d->b, sizeof(d->b), "%s/b", d->dir);
	snprintf(d->home, sizeof(d->home), "%s/home", d->dir);
	assert_int_equal(mkdir(d->a, 0700), 0);
	assert_int_equal(mkdir(d->b, 0700), 0);
	assert_int_equal(mkdir(d->home, 0700), 0);
}

void
duel_fini(struct duel *d)
{
	vt_free(d->vt);
	for (int i = 0; i < d->n_workers; i++)
		kill(d->worker[i], SIGKILL);
	vt_remove_dir(d->dir);
}

void
duel_start(struct duel *d, const struct vt_options *options, const char *const *extra)
{
	const char *argv[ARGS_MAX] = {IODUEL_BINARY_DIR "/ioduel", d->a, d->b};
	struct vt_options o = options ? *options : (struct vt_options){0};
	int n = 3;

	while (extra && *extra && n < ARGS_MAX - 1)
		argv[n++] = *extra++;
	o.home = d->home;
	d->vt = vt_start(&o, argv);
}

void
duel_note_workers(struct duel *d)
{
	d->n_workers = vt_children(vt_pid(d->vt), d->worker, 8);
}

void
duel_start_running(struct duel *d, const struct vt_options *options)
{
	static const char *const extra[] = {"-w", DUEL_WORK, "--pairs", "6", "--slice", "0.5", "--settle", "0.1",
					    "--warmup", "0", "--interval", "0.1", NULL};

	duel_start(d, options, extra);
	assert_true(vt_wait_match(d->vt, "IOPS +[0-9]"));
	duel_note_workers(d);
	assert_int_equal(d->n_workers, 2);
}

void
duel_quit(struct duel *d)
{
	struct vt_exit end;

	vt_type(d->vt, "q");
	vt_pump(d->vt, 50);
	vt_type(d->vt, "y");
	assert_true(vt_wait_exit(d->vt, &end));
	assert_true(WIFEXITED(end.status));
	assert_int_equal(WEXITSTATUS(end.status), 0);
	if (vt_left_behind(d->vt))
		print_error("left behind: %s\n", vt_left_behind(d->vt));
	assert_null(vt_left_behind(d->vt));
}

void
duel_assert_clean(struct duel *d)
{
	for (int i = 0; i < d->n_workers; i++)
		assert_true(vt_wait_gone(d->worker[i]));
	assert_int_equal(vt_count_files(d->a, ""), 0);
	assert_int_equal(vt_count_files(d->b, ""), 0);
}

static int
count_below(const struct duel *d, const char *suffix)
{
	char path[700];
	int n;

	snprintf(path, sizeof(path), "%s/data", d->home);
	n = vt_count_files(path, suffix);
	return n < 0 ? 0 : n;
}

int
duel_saved(const struct duel *d)
{
	return count_below(d, ".jsonl");
}

int
duel_partial(const struct duel *d)
{
	return count_below(d, ".partial");
}
