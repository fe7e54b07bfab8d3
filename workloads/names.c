// SPDX-License-Identifier: MIT
// Many small files; see names.h.
#include "names.h"

#include "engine/scratch_dir.h"

#include <ioduel/clock.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
names_init(struct names *names, uint32_t n, bool random_first, uint64_t seed)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct random random;
	random_init(&random, seed, 0x7a3e5);
	*names = (struct names){ .n = n, .name = calloc(n, NAME_BYTES), .order = calloc(n, sizeof(uint32_t)) };
	if (!names->name || !names->order)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		char noise[13];
		unsigned k = (unsigned)random_below(&random, sizeof(noise));
		for (unsigned j = 0; j < k; j++)
			noise[j] = letters[random_below(&random, sizeof(letters) - 1)];
		noise[k] = '\0';
		if (random_first)
			snprintf(names->name[i], NAME_BYTES, "%s%010x", noise, i);
		else
			snprintf(names->name[i], NAME_BYTES, "%010x%s", i, noise);
		names->order[i] = i;
	}
	return 0;
}

void
names_shuffle(struct names *names, uint64_t seed)
{
	struct random random;
	random_init(&random, seed, 0x50f7);
	for (uint32_t i = names->n; i > 1; i--) {
		uint32_t k = (uint32_t)random_below(&random, i), t = names->order[i - 1];
		names->order[i - 1] = names->order[k];
		names->order[k] = t;
	}
}

void
names_fini(struct names *names)
{
	free(names->name);
	free(names->order);
	*names = (struct names){ 0 };
}

static int
dir_of(const struct names *names, uint32_t i)
{
	return names->dir[i % (uint32_t)names->n_dirs];
}

static int
say_failure(int error, const char *what, const char *name, struct error *err)
{
	return error_set(err, -error, "cannot %s %s: %s", what, name, strerror(error));
}

static int
write_content(int fd, uint64_t size, uint64_t salt)
{
	static const uint64_t chunk = 65536;
	uint64_t buffer[8192];
	struct random random;
	random_init(&random, salt, 1);
	while (size) {
		uint64_t part = size < chunk ? size : chunk;
		random_fill(&random, buffer, (part + 7) / 8 * 8);
		ssize_t n = write(fd, buffer, part);
		if (n <= 0)
			return n < 0 ? errno : EIO;
		size -= (uint64_t)n;
	}
	return 0;
}

int
names_create(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err)
{
	int64_t now = clock_now_ns();
	for (uint32_t k = first; k < last; k++) {
		uint32_t i = names->order[k];
		if (pass_stopping(ph->pass))
			return error_set(err, -ECANCELED, "stopped");
		int fd = scratch_dir_create(dir_of(names, i), names->name[i]);
		if (fd < 0)
			return say_failure(-fd, "create", names->name[i], err);
		int error = names->size ? write_content(fd, names->size, i) : 0;
		close(fd);
		if (error)
			return say_failure(error, "write", names->name[i], err);
		int64_t since = now;
		now = clock_now_ns();
		phase_did(ph, WIRE_WRITES, names->size, since, now);
	}
	return 0;
}

static int
stat_one(int dir, const char *name, uint64_t size, struct error *err)
{
	struct stat st;
	char buffer[65536];
	if (fstatat(dir, name, &st, 0) < 0)
		return say_failure(errno, "look at", name, err);
	if (size == 0)
		return 0;
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : 1;
	while (n > 0)
		n = read(fd, buffer, sizeof(buffer));
	int error = errno;
	if (fd >= 0)
		close(fd);
	return n < 0 ? say_failure(error, "read", name, err) : 0;
}

int
names_stat(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err)
{
	int64_t now = clock_now_ns();
	for (uint32_t k = first; k < last; k++) {
		uint32_t i = names->order[k];
		if (pass_stopping(ph->pass))
			return error_set(err, -ECANCELED, "stopped");
		int r = stat_one(dir_of(names, i), names->name[i], names->size, err);
		if (r < 0)
			return r;
		int64_t since = now;
		now = clock_now_ns();
		phase_did(ph, WIRE_READS, names->size, since, now);
	}
	return 0;
}

int
names_delete(const struct names *names, uint32_t first, uint32_t last, struct phase *ph, struct error *err)
{
	int64_t now = clock_now_ns();
	for (uint32_t k = first; k < last; k++) {
		uint32_t i = names->order[k];
		if (pass_stopping(ph->pass))
			return error_set(err, -ECANCELED, "stopped");
		if (unlinkat(dir_of(names, i), names->name[i], 0) < 0)
			return say_failure(errno, "delete", names->name[i], err);
		int64_t since = now;
		now = clock_now_ns();
		phase_did(ph, WIRE_WRITES, 0, since, now);
	}
	return 0;
}

// Walks the one directory; what begins with a dot is not ours to touch.
static int
walk(const struct names *names, bool remove, struct phase *ph, struct error *err)
{
	int fd = openat(names->dir[0], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int64_t now = clock_now_ns();
	if (!dir)
		return say_failure(errno, "list", "the directory", err);
	for (const struct dirent *e; r == 0 && (e = readdir(dir));) {
		if (e->d_name[0] == '.')
			continue;
		if (pass_stopping(ph->pass))
			r = error_set(err, -ECANCELED, "stopped");
		else if (!remove)
			r = stat_one(names->dir[0], e->d_name, names->size, err);
		else if (unlinkat(names->dir[0], e->d_name, 0) < 0)
			r = say_failure(errno, "delete", e->d_name, err);
		int64_t since = now;
		now = clock_now_ns();
		phase_did(ph, remove ? WIRE_WRITES : WIRE_READS, remove ? 0 : names->size, since, now);
	}
	closedir(dir);
	return r;
}

int
names_stat_listed(const struct names *names, struct phase *ph, struct error *err)
{
	return walk(names, false, ph, err);
}

int
names_delete_listed(const struct names *names, struct phase *ph, struct error *err)
{
	return walk(names, true, ph, err);
}
