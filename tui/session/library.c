// SPDX-License-Identifier: MIT
// The data directory read and tidied. One rule: only names of sessions are touched, and a file that cannot be read is
// listed as such.
#include "session/library.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/json_util.h"
#include "session/result_json_setup.h"
#include "session/snapshot_read.h"
#include "session/text_safe.h"

#define ENTRIES_MAX 20000
#define PAST_MAX 64

int
library_dir(char *buf, size_t size, struct error *err)
{
	const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	int n = -1;
	if (xdg && xdg[0] == '/')
		n = snprintf(buf, size, "%s/ioduel", xdg);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/.local/share/ioduel", home);
	if (n < 0 || (size_t)n >= size)
		return error_set(err, -ENOENT, "there is no place for sessions: set HOME or XDG_DATA_HOME");
	return 0;
}

static int
has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);
	return n > m && strcmp(name + n - m, suffix) == 0;
}

int
library_find(const char *name, char *path, size_t size)
{
	static const char *const endings[] = { "", LIBRARY_SUFFIX, LIBRARY_SUFFIX ".partial" };
	char dir[4096];
	struct stat st;
	if (!name[0] || name[0] == '.' || strchr(name, '/'))
		return -EINVAL;
	if (library_dir(dir, sizeof(dir), NULL))
		return -ENOENT;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		int n = snprintf(path, size, "%s/%s%s", dir, name, endings[i]);
		if (n > 0 && (size_t)n < size && stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return 0;
	}
	return -ENOENT;
}

static void
make_key(const struct result *r, char *buf, size_t size)
{
	// A short digest keeps the entry small; what it is made of is what makes two sessions the same question.
	uint64_t hash = UINT64_C(14695981039346656037);
	char params[SIDES][sizeof(r->side[0].params)];
	for (int side = 0; side < SIDES; side++) { // as a file has them: 4k and 4096 are the same
		json_t *object = params_to_json(r->workload, r->side[side].params);
		params_from_json(object, params[side], sizeof(params[side]));
		json_decref(object);
	}
	const char *part[] = { r->host.name, r->workload, r->side[SIDE_A].path, params[SIDE_A], r->side[SIDE_B].path,
			       params[SIDE_B] };
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		for (const char *c = part[i]; *c; c++)
			hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
		hash = (hash ^ 0xff) * UINT64_C(1099511628211);
	}
	snprintf(buf, size, "%s:%016llx", r->workload, (unsigned long long)hash);
}

static void
fill(struct library_entry *e, const struct result *r)
{
	json_copy_text(r->created, e->created, sizeof(e->created));
	json_copy_text(r->workload, e->workload, sizeof(e->workload));
	for (int side = 0; side < SIDES; side++)
		json_copy_text(r->side[side].label[0] ? r->side[side].label : r->side[side].path, e->target[side],
			       sizeof(e->target[side]));
	e->word = r->verdict.word;
	e->ratio = r->verdict.ratio;
	e->lo = r->verdict.has_interval ? r->verdict.lo : (double)NAN;
	e->hi = r->verdict.has_interval ? r->verdict.hi : (double)NAN;
	json_copy_text(r->verdict.text, e->text, sizeof(e->text));
	make_key(r, e->pair_key, sizeof(e->pair_key));
}

static void
read_entry(const char *dir, const char *file, struct library_entry *e)
{
	char path[4096 + 300];
	struct error err = { 0 };
	struct stat st;
	memset(e, 0, sizeof(*e));
	e->ratio = e->lo = e->hi = NAN;
	snprintf(e->name, sizeof(e->name), "%s", file);
	if (has_suffix(e->name, ".partial"))
		e->name[strlen(e->name) - strlen(".partial")] = '\0';
	if (has_suffix(e->name, LIBRARY_SUFFIX))
		e->name[strlen(e->name) - strlen(LIBRARY_SUFFIX)] = '\0';
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	e->bytes = stat(path, &st) == 0 ? (double)st.st_size : NAN;
	struct snapshot_reader *reader = snapshot_read_brief(path, &err);
	e->readable = reader != NULL;
	if (reader) {
		e->finished = reader->finished;
		fill(e, reader->result);
	} else {
		snprintf(e->error, sizeof(e->error), "%.300s", err.text);
	}
	snapshot_read_free(reader);
}

static int
add(struct library *l, const char *dir, const char *file)
{
	if (l->n == l->cap) {
		int cap = l->cap ? 2 * l->cap : 32;
		struct library_entry *entry = cap > ENTRIES_MAX ? NULL : realloc(l->entry, (size_t)cap * sizeof(*entry));
		if (!entry)
			return -ENOMEM;
		l->entry = entry;
		l->cap = cap;
	}
	read_entry(dir, file, &l->entry[l->n++]);
	return 0;
}

static int
newest_first(const void *x, const void *y)
{
	const struct library_entry *a = x, *b = y;
	int order = strcmp(b->created, a->created);
	return order ? order : strcmp(b->name, a->name);
}

int
library_read(const char *dir, struct library *ret, struct error *err)
{
	char safe[256];
	int rc = 0;
	memset(ret, 0, sizeof(*ret));
	DIR *d = opendir(dir);
	if (!d && errno == ENOENT)
		return 0;
	text_safe_copy(safe, sizeof(safe), dir);
	if (!d)
		return error_set(err, -errno, "cannot read %s: %s", safe, strerror(errno));
	for (struct dirent *entry; rc == 0 && (entry = readdir(d));)
		if (entry->d_name[0] != '.' && (has_suffix(entry->d_name, LIBRARY_SUFFIX) ||
						has_suffix(entry->d_name, LIBRARY_SUFFIX ".partial")))
			rc = add(ret, dir, entry->d_name);
	closedir(d);
	if (rc) {
		library_fini(ret);
		return error_set(err, rc, "out of memory");
	}
	if (ret->n > 0)
		qsort(ret->entry, (size_t)ret->n, sizeof(*ret->entry), newest_first);
	return 0;
}

void
library_fini(struct library *l)
{
	free(l->entry);
	memset(l, 0, sizeof(*l));
}

int
library_history(const struct library *l, const struct result *r, struct verdict_past *past, int max)
{
	char key[192];
	int n = 0;
	make_key(r, key, sizeof(key));
	for (int i = l->n - 1; i >= 0 && n < max; i--) {
		const struct library_entry *e = &l->entry[i];
		if (!e->readable || strcmp(e->pair_key, key) != 0 || strcmp(e->created, r->created) >= 0)
			continue;
		past[n] = (struct verdict_past){ .word = e->word, .ratio = e->ratio, .lo = e->lo, .hi = e->hi };
		snprintf(past[n].date, sizeof(past[n].date), "%.10s", e->created);
		n++;
	}
	return n;
}

int
library_say_history(const struct result *r, char *buf, size_t size)
{
	char dir[4096];
	struct library library;
	struct verdict_past past[PAST_MAX];
	buf[0] = '\0';
	if (library_dir(dir, sizeof(dir), NULL) || library_read(dir, &library, NULL))
		return 0;
	int n = library_history(&library, r, past, PAST_MAX);
	if (n > 0)
		verdict_format_history(past, n, buf, (unsigned)size);
	library_fini(&library);
	return n;
}

int
library_remove(const char *name, struct error *err)
{
	char path[4400], safe[256];
	text_safe_copy(safe, sizeof(safe), name);
	int rc = library_find(name, path, sizeof(path));
	if (rc)
		return error_set(err, rc, rc == -EINVAL ? "%s: not the name of a saved session"
							: "%s: there is no saved session of this name", safe);
	if (unlink(path))
		return error_set(err, -errno, "cannot remove %s: %s", safe, strerror(errno));
	return 0;
}
