// SPDX-License-Identifier: MIT
// fio job files; see fio_job.h.
#include "fio_job.h"

#include <ioduel/param.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOB_BYTES_MAX (1 << 20)
// Where a slice has no end of its own.
#define ENDLESS_NS (INT64_C(86400) * 1000000000)

struct line {
	bool section;
	char key[64];	 // or the section's name
	char value[512];
};

// Settings that [global] hands down.
struct settings {
	char rw[64];
	double size, numjobs;
	bool direct;
};

// Splits the line at *text into *ret; false for blank lines and comments. *text moves on.
static bool
next_line(const char **text, struct line *ret)
{
	const char *end = *text + strcspn(*text, "\n"), *p = *text, *stop = end;
	*text = *end ? end + 1 : end;
	while (p < stop && isspace((unsigned char)*p))
		p++;
	while (stop > p && isspace((unsigned char)stop[-1]))
		stop--;
	if (p == stop || *p == '#' || *p == ';')
		return false;
	memset(ret, 0, sizeof(*ret));
	if (*p == '[') {
		ret->section = true;
		snprintf(ret->key, sizeof(ret->key), "%.*s", (int)strcspn(p + 1, "]\n"), p + 1);
		return true;
	}
	const char *equals = memchr(p, '=', (size_t)(stop - p));
	const char *key_end = equals ? equals : stop;
	while (key_end > p && isspace((unsigned char)key_end[-1]))
		key_end--;
	snprintf(ret->key, sizeof(ret->key), "%.*s", (int)(key_end - p), p);
	if (equals) {
		do
			equals++;
		while (equals < stop && isspace((unsigned char)*equals));
		snprintf(ret->value, sizeof(ret->value), "%.*s", (int)(stop - equals), equals);
	}
	return true;
}

static bool
is_one_of(const char *key, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(key, *list) == 0)
			return true;
	return false;
}

// What ioduel decides itself, in every section.
static const char *const replaced[] = { "directory", "time_based", "runtime", "timeout", "ramp_time", "group_reporting",
					"startdelay", "start_delay", "status_interval", "eta", "output", "output-format", "loops",
					"steadystate", "ss", "ss_dur", "ss_ramp", "create_only", "unlink", NULL };
static const char *const refused[] = { "stonewall", "wait_for_previous", "wait_for", "include", "read_iolog", "write_iolog", "replay_redirect",
				       "opendir", "client", "ioscheduler", "filename_format", NULL };

static int
check_line(const struct line *l, struct error *err)
{
	if (is_one_of(l->key, refused) && strcmp(l->value, "0") != 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "the fio job uses %s, which cannot be measured in slices inside a target; take it out",
					l->key);
	if (strncmp(l->key, "include ", 8) == 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "the fio job includes another file; write it out as one");
	// A colon separates several names.
	bool outside = l->value[0] == '/' || strstr(l->value, ":/") || strstr(l->value, "..");
	if (strcmp(l->key, "filename") == 0 && outside)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "the fio job names a file outside of the target (filename=%.200s); leave it out or use a plain name",
					l->value);
	return 0;
}

static void
take_setting(const struct line *l, struct settings *s)
{
	double v;
	if (strcmp(l->key, "rw") == 0 || strcmp(l->key, "readwrite") == 0)
		snprintf(s->rw, sizeof(s->rw), "%.63s", l->value);
	else if (strcmp(l->key, "size") == 0 || strcmp(l->key, "filesize") == 0)
		s->size = param_parse_size(l->value, &v) == 0 ? v : 0;
	else if (strcmp(l->key, "numjobs") == 0)
		s->numjobs = param_parse_size(l->value, &v) == 0 ? v : 1;
	else if (strcmp(l->key, "direct") == 0)
		s->direct = strcmp(l->value, "0") != 0;
	else if (strcmp(l->key, "buffered") == 0)
		s->direct = strcmp(l->value, "0") == 0;
}

static void
close_job(struct fio_job *job, const struct settings *s)
{
	bool both = strstr(s->rw, "rw") || strstr(s->rw, "readwrite");
	job->reads |= both || strstr(s->rw, "read") || !s->rw[0];
	job->writes |= both || strstr(s->rw, "write") || strstr(s->rw, "trim");
	job->buffered |= !s->direct;
	job->bytes += (uint64_t)(s->size * s->numjobs);
	job->n_jobs++;
}

int
fio_job_parse(const char *text, struct fio_job *ret, struct error *err)
{
	struct fio_job job = { 0 };
	struct settings global = { .numjobs = 1 }, current = global;
	bool in_global = true, any_section = false;
	struct line l;
	for (const char *p = text; *p;) {
		if (!next_line(&p, &l))
			continue;
		if (l.section) {
			if (!in_global)
				close_job(&job, &current);
			in_global = strcmp(l.key, "global") == 0;
			any_section = true;
			current = global;
			continue;
		}
		if (!any_section)
			return error_set_status(err, -EINVAL, EXIT_USAGE, "this is no fio job: \"%.60s\" stands before any [section]", l.key);
		int r = check_line(&l, err);
		if (r < 0)
			return r;
		take_setting(&l, in_global ? &global : &current);
	}
	if (any_section && !in_global)
		close_job(&job, &current);
	if (job.n_jobs == 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "the fio job has no job section");
	job.text = strdup(text);
	if (!job.text)
		return error_set(err, -ENOMEM, "out of memory");
	*ret = job;
	return 0;
}

int
fio_job_read(const char *path, struct fio_job *ret, struct error *err)
{
	FILE *f = fopen(path, "re");
	if (!f)
		return error_set_status(err, -errno, EXIT_USAGE, "cannot read the fio job %.300s: %s", path, strerror(errno));
	char *text = malloc(JOB_BYTES_MAX);
	if (!text) {
		fclose(f);
		return error_set(err, -ENOMEM, "out of memory");
	}
	size_t n = fread(text, 1, JOB_BYTES_MAX - 1, f);
	text[n] = '\0';
	int r;
	if (ferror(f))
		r = error_set_status(err, -EIO, EXIT_USAGE, "cannot read the fio job %.300s", path);
	else if (n == JOB_BYTES_MAX - 1 || strlen(text) != n)
		r = error_set_status(err, -EINVAL, EXIT_USAGE, "%.300s is no fio job (too long, or not text)", path);
	else
		r = fio_job_parse(text, ret, err);
	fclose(f);
	free(text);
	return r;
}

void
fio_job_fini(struct fio_job *job)
{
	free(job->text);
	job->text = NULL;
}

char *
fio_job_rewrite(const struct fio_job *job, const char *directory, int64_t settle_ns, int64_t slice_ns, bool create_only)
{
	char *out = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);
	struct line l;
	if (!f)
		return NULL;
	int64_t runtime_ms = ((slice_ns > settle_ns ? slice_ns - settle_ns : ENDLESS_NS) + 999999) / 1000000;
	for (const char *p = job->text; *p;) {
		if (!next_line(&p, &l))
			continue;
		if (!l.section) {
			if (!is_one_of(l.key, replaced) && !is_one_of(l.key, refused))
				fprintf(f, *l.value ? "%s=%s\n" : "%s\n", l.key, l.value);
			continue;
		}
		fprintf(f, "[%s]\n", l.key);
		if (strcmp(l.key, "global") == 0)
			continue;
		fprintf(f, "directory=%s\ngroup_reporting=1\n", directory);
		if (create_only)
			fprintf(f, "create_only=1\n");
		else
			fprintf(f, "time_based=1\nruntime=%lldms\nramp_time=%lldms\n", (long long)runtime_ms, (long long)(settle_ns / 1000000));
	}
	if (fclose(f) != 0) {
		free(out);
		return NULL;
	}
	return out;
}
