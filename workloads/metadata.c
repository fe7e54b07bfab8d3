// SPDX-License-Identifier: MIT
// Many small files with names: created, looked at and deleted, in the order
// of their names and in random order, by one or several threads. Rule: the
// names lie in one marked directory, removed on every way out.
#include "engine/scratch_dir.h"
#include "names.h"
#include "workloads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHORTEST_S 0.01
#define DIRS_MAX 1024

typedef int operation(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err);

struct metadata {
	struct pass *pass;
	struct scratch_dir dir;
	int dirs[DIRS_MAX];
	int n_dirs;
	struct names names;
	unsigned threads;
};

// One thread's share of a phase.
struct share {
	pthread_t id;
	const struct metadata *m;
	operation *work;
	uint32_t first, last;
	struct phase phase; // this thread's view: its own tally
	struct tally tally;
	int result;
	struct error err;
};

static void *
share_main(void *arg)
{
	struct share *s = arg;
	s->result = s->work(&s->m->names, s->first, s->last, &s->phase, &s->err);
	pass_merge(s->phase.pass, &s->tally);
	return NULL;
}

static int
run_shares(struct metadata *m, struct share *shares, operation *work, const struct phase *whole)
{
	unsigned started = 0;
	int r = 0;
	for (; started < m->threads; started++) {
		struct share *s = &shares[started];
		s->m = m;
		s->work = work;
		s->first = (uint32_t)((uint64_t)m->names.n * started / m->threads);
		s->last = (uint32_t)((uint64_t)m->names.n * (started + 1) / m->threads);
		s->phase = *whole;
		s->phase.tally = &s->tally;
		tally_init(&s->tally);
		s->err = (struct error){ 0 };
		r = -pthread_create(&s->id, NULL, share_main, s);
		if (r < 0)
			break;
	}
	for (unsigned i = 0; i < started; i++)
		pthread_join(shares[i].id, NULL);
	return r;
}

static int
run_phase(struct metadata *m, const char *name, const char *label, operation *work, struct error *err)
{
	struct phase whole;
	struct share *shares = calloc(m->threads, sizeof(*shares));
	struct tally *tally = malloc(sizeof(*tally));
	int r = shares && tally ? 0 : -ENOMEM;
	if (r == 0) {
		phase_begin(&whole, m->pass, name, label, true, SHORTEST_S, tally);
		r = run_shares(m, shares, work, &whole);
		phase_stop(&whole);
	}
	if (r < 0)
		error_set(err, r, "metadata: %s", strerror(-r));
	for (unsigned i = 0; r == 0 && i < m->threads; i++) {
		r = shares[i].result;
		if (r < 0 && err)
			*err = shares[i].err;
	}
	if (r == 0)
		phase_report(&whole, m->names.n);
	free(shares);
	free(tally);
	return r;
}

static int
run_phases(struct metadata *m, struct error *err)
{
	uint64_t seed = (uint64_t)param_number(m->pass->params, "seed", 1);
	int r;
	if ((r = run_phase(m, "create_per_s", "create", names_create, err)) < 0 ||
	    (r = run_phase(m, "stat_per_s", "stat", names_stat, err)) < 0 ||
	    (r = run_phase(m, "delete_per_s", "delete", names_delete, err)) < 0)
		return r;
	names_shuffle(&m->names, seed);
	if ((r = run_phase(m, "ran_create_per_s", "random create", names_create, err)) < 0)
		return r;
	names_shuffle(&m->names, seed + 1);
	if ((r = run_phase(m, "ran_stat_per_s", "random stat", names_stat, err)) < 0)
		return r;
	names_shuffle(&m->names, seed + 2);
	return run_phase(m, "ran_delete_per_s", "random delete", names_delete, err);
}

static int
make_dirs(struct metadata *m, int n, struct error *err)
{
	for (; m->n_dirs < n; m->n_dirs++) {
		char name[16];
		snprintf(name, sizeof(name), "d%04d", m->n_dirs);
		int fd = scratch_dir_sub(m->dir.fd, name);
		if (fd < 0)
			return error_set(err, fd, "metadata: cannot make a directory: %s", strerror(-fd));
		m->dirs[m->n_dirs] = fd;
	}
	return 0;
}

static int
metadata_run(struct pass *pass, struct error *err)
{
	const struct param_set *set = pass->params;
	struct metadata *m = calloc(1, sizeof(*m));
	if (!m)
		return error_set(err, -ENOMEM, "out of memory");
	m->pass = pass;
	m->threads = (unsigned)param_number(set, "threads", 1);
	int r = scratch_dir_make(pass->target->path, &m->dir, err);
	if (r < 0) {
		free(m);
		return r;
	}
	r = make_dirs(m, (int)param_number(set, "dirs", 1), err);
	if (r == 0 && (r = names_init(&m->names, (uint32_t)param_number(set, "files", 10000), false, (uint64_t)param_number(set, "seed", 1))) < 0)
		error_set(err, r, "out of memory");
	m->names.dir = m->dirs;
	m->names.n_dirs = m->n_dirs;
	m->names.size = (uint64_t)param_number(set, "size", 0);
	if (r == 0) {
		pass_sync_target(pass);
		pass_begin_counted(pass);
		r = run_phases(m, err);
		pass_end_counted(pass);
	}
	for (int i = 0; i < m->n_dirs; i++)
		close(m->dirs[i]);
	int removed = scratch_dir_remove(&m->dir);
	if (r == 0 && removed < 0)
		r = error_set(err, removed, "metadata: cannot remove the directory: %s", strerror(-removed));
	if (r == 0)
		pass_result(pass, "sync_s", pass_sync_target(pass), WIRE_RESULT_OK);
	names_fini(&m->names);
	free(m);
	return r;
}

static int
metadata_needs(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	if (target->kind != TARGET_DIRECTORY)
		return error_set_status(err, -ENOTDIR, EXIT_USAGE, "metadata needs a directory, and %.300s is none", target->path);
	double files = param_number(set, "files", 0);
	if (param_number(set, "threads", 1) > files)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "metadata: there are more threads than files");
	*ret = (struct workload_needs){
		// An inode and a name beside the content.
		.space_bytes = (uint64_t)(files * (param_number(set, "size", 0) + 1024)),
		.files = (uint64_t)files,
		.traffic = TRAFFIC_WHOLE_RUNS,
		.reads = 1,
		.writes = 1,
		.buffered = 1,
		.primary = "create_per_s",
		.queue_depth = 1,
		.threads = (uint32_t)param_number(set, "threads", 1),
	};
	return 0;
}

static const struct param_spec metadata_params[] = {
	{ "files", PARAM_COUNT, "", "10000", 1, 1e7, NULL, "files that are created, looked at and deleted" },
	{ "size", PARAM_SIZE, "bytes", "0", 0, 1 << 26, NULL, "content of each; it is written when created and read with stat" },
	{ "dirs", PARAM_COUNT, "", "1", 1, DIRS_MAX, NULL, "directories that the files are spread over" },
	{ "threads", PARAM_COUNT, "", "1", 1, 64, NULL, "threads, each with its share of the files" },
	{ "seed", PARAM_COUNT, "", "1", 0, 0x1p53, NULL, "of the names and the random orders" },
	{ 0 },
};

static const struct pass_ops metadata_pass = { .run = metadata_run };

const struct workload workload_metadata = {
	.name = "metadata",
	.summary = "many small files: create, stat and delete, in order and at random",
	.shape = WORKLOAD_PASS,
	.params = metadata_params,
	.needs = metadata_needs,
	.pass = &metadata_pass,
};
