// SPDX-License-Identifier: MIT
// The seeks and the small files of the bonnie workload. Rule: a forked seeker
// makes plain system calls only, since it comes from a process with threads.
#include "bonnie.h"
#include "names.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// One seek in so many writes its chunk back.
#define UPDATE_EVERY 10u
#define NAMES_DIR "names"

// Shared with the seekers.
struct seek_state {
	_Atomic uint32_t next;	   // seek to be taken
	_Atomic int error;
	atomic_bool stop;
};

static void
seek_once(struct bonnie *b, struct seek_state *s, int fd, char *chunk, uint32_t i, struct random *random)
{
	off_t at = (off_t)(random_below(random, b->file_bytes / b->chunk_bytes) * b->chunk_bytes);
	if (lseek(fd, at, SEEK_SET) < 0 || read(fd, chunk, b->chunk_bytes) != (ssize_t)b->chunk_bytes)
		atomic_store(&s->error, errno ? errno : EIO);
	if (i % UPDATE_EVERY == 0) {
		chunk[i % b->chunk_bytes]++;
		if (lseek(fd, at, SEEK_SET) < 0 || write(fd, chunk, b->chunk_bytes) != (ssize_t)b->chunk_bytes)
			atomic_store(&s->error, errno ? errno : EIO);
	}
}

// In a seeker. Never returns.
static void
seek(struct bonnie *b, struct seek_state *s, uint32_t index, pid_t parent)
{
	struct random random;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	random_init(&random, b->seed, 1000 + index);
	int fd = scratch_dir_reopen(b->dir.fd, "Bonnie");
	if (fd < 0)
		atomic_store(&s->error, -fd);
	// The chunk is this process's own copy.
	while (fd >= 0 && !atomic_load(&s->error) && !atomic_load(&s->stop)) {
		uint32_t i = atomic_fetch_add(&s->next, 1);
		if (i >= b->seeks)
			break;
		seek_once(b, s, fd, b->chunk, i, &random);
	}
	if (fd >= 0)
		fsync(fd);
	_exit(0);
}

// Waits for the seekers, telling the pass how far they are.
static void
wait_seekers(struct bonnie *b, struct seek_state *s, struct phase *ph, const pid_t *pids, uint32_t n)
{
	uint32_t told = 0, left = n;
	while (left) {
		for (uint32_t i = 0; i < n; i++) {
			struct rusage ru;
			if (pids[i] <= 0 || wait4(pids[i], NULL, WNOHANG, &ru) != pids[i])
				continue;
			phase_add_cpu(ph, (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6,
				      (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6);
			((pid_t *)(uintptr_t)pids)[i] = 0;
			left--;
		}
		uint32_t now = atomic_load(&s->next);
		now = now > b->seeks ? b->seeks : now;
		b->tally->ops[WIRE_READS] += now - told;
		b->tally->bytes[WIRE_READS] += (uint64_t)(now - told) * b->chunk_bytes;
		told = now;
		pass_merge(b->pass, b->tally);
		if (pass_stopping(b->pass))
			atomic_store(&s->stop, true);
		struct timespec ts = { 0, left ? NS_PER_MS : 0 };
		nanosleep(&ts, NULL);
	}
}

int
bonnie_seeks(struct bonnie *b, struct error *err)
{
	struct phase ph;
	pid_t pids[64], parent = getpid();
	uint32_t n = 0;
	struct seek_state *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s == MAP_FAILED)
		return error_set(err, -errno, "out of memory");
	phase_begin(&ph, b->pass, "seeks", "seeks", false, BONNIE_SHORTEST_S, b->tally);
	pass_child_runs(b->pass, true);
	for (; n < b->seekers; n++) {
		pids[n] = fork();
		if (pids[n] == 0)
			seek(b, s, n, parent);
		if (pids[n] < 0) {
			atomic_store(&s->error, errno);
			break;
		}
	}
	wait_seekers(b, s, &ph, pids, n);
	pass_child_runs(b->pass, false);
	phase_stop(&ph);
	int error = atomic_load(&s->error);
	munmap(s, sizeof(*s));
	if (pass_stopping(b->pass))
		return bonnie_stopped(err);
	if (error)
		return error_set(err, -error, "bonnie: seeks: %s", strerror(error));
	phase_report(&ph, b->seeks);
	phase_report_cpu(&ph);
	return 0;
}

static void
begin_names(struct bonnie *b, struct phase *ph, const char *name, const char *label)
{
	phase_begin(ph, b->pass, name, label, false, BONNIE_SHORTEST_S, b->tally);
}

static void
end_names(const struct bonnie *b, struct phase *ph)
{
	phase_stop(ph);
	phase_report(ph, b->files);
	phase_report_cpu(ph);
}

// bonnie++ ends create and delete with a sync of the machine and counts it. Here it is that of the target's file
// system: what waits for another disk says nothing about this one.
static int
sync_names(const struct bonnie *b, struct error *err)
{
	return syncfs(b->dir.fd) < 0 ? error_set(err, -errno, "bonnie: sync: %s", strerror(errno)) : 0;
}

static int
create_phase(struct bonnie *b, struct names *names, const char *name, const char *label, struct error *err)
{
	struct phase ph;
	begin_names(b, &ph, name, label);
	int r = names_create(names, 0, names->n, &ph, err);
	if (r < 0 || (r = sync_names(b, err)) < 0)
		return r;
	end_names(b, &ph);
	return 0;
}

// The directory goes within the time, too, as it does in bonnie++.
static int
end_delete(struct bonnie *b, struct phase *ph, struct error *err)
{
	if (unlinkat(b->dir.fd, NAMES_DIR, AT_REMOVEDIR) < 0)
		return error_set(err, -errno, "bonnie: removing the directory of the small files: %s", strerror(errno));
	int r = sync_names(b, err);
	if (r == 0)
		end_names(b, ph);
	return r;
}

static int
sequential_names(struct bonnie *b, struct names *names, struct error *err)
{
	struct phase ph;
	int r = create_phase(b, names, "seq_create", "sequential create", err);
	if (r < 0)
		return r;
	begin_names(b, &ph, "seq_stat", "sequential stat");
	if ((r = names_stat_listed(names, &ph, err)) < 0)
		return r;
	end_names(b, &ph);
	begin_names(b, &ph, "seq_del", "sequential delete");
	if ((r = names_delete_listed(names, &ph, err)) < 0)
		return r;
	return end_delete(b, &ph, err);
}

static int
random_names(struct bonnie *b, struct names *names, struct error *err)
{
	struct phase ph;
	int r = create_phase(b, names, "ran_create", "random create", err);
	if (r < 0)
		return r;
	names_shuffle(names, b->seed);
	begin_names(b, &ph, "ran_stat", "random stat");
	if ((r = names_stat(names, 0, names->n, &ph, err)) < 0)
		return r;
	end_names(b, &ph);
	names_shuffle(names, b->seed + 1);
	begin_names(b, &ph, "ran_del", "random delete");
	if ((r = names_delete(names, 0, names->n, &ph, err)) < 0)
		return r;
	return end_delete(b, &ph, err);
}

// Each half has a directory of its own, empty and new, as in bonnie++.
static int
in_fresh_directory(struct bonnie *b, struct names *names, bool random, struct error *err)
{
	int dir = scratch_dir_sub(b->dir.fd, NAMES_DIR);
	if (dir < 0)
		return error_set(err, dir, "bonnie: a directory for the small files: %s", strerror(-dir));
	names->dir = &dir;
	names->n_dirs = 1;
	int r = random ? random_names(b, names, err) : sequential_names(b, names, err);
	close(dir);
	return r;
}

int
bonnie_name_phases(struct bonnie *b, struct error *err)
{
	static const char *const all[] = { "seq_create", "seq_stat", "seq_del", "ran_create", "ran_stat", "ran_del" };
	int r = 0;
	for (int i = 0; b->files == 0 && i < 6; i++)
		phase_skip(b->pass, all[i]);
	for (int random = 0; b->files > 0 && random < 2 && r == 0; random++) {
		struct names names;
		r = names_init(&names, b->files, random, b->seed + (uint64_t)random);
		if (r < 0)
			error_set(err, r, "out of memory");
		else
			r = in_fresh_directory(b, &names, random, err);
		names_fini(&names);
	}
	return r;
}
