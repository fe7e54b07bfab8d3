// SPDX-License-Identifier: MIT
// fio's JSON, 3.1 to 3.42: one object, or one each status interval, with anything in between. One rule: what fio sums
// up is differenced, a counter that fell was reset, and a job that failed is no result.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/import_fio.h"
#include "session/json_util.h"
#include "session/text_safe.h"

#define OBJECT_MAX (64u * 1024 * 1024)

// What the stream said beside its objects.
struct stream {
	struct import *im;
	json_t *last;	 // newest whole object
	int n_objects, n_broken;
	int interrupted;
	char complaint[200]; // first line that speaks of an error
	double start_s, end_s;	     // time stamps
	struct fio_counters *before; // of each job entry of the object before
	size_t n_before;
};

static double
stamp(const json_t *object)
{
	double ms = json_get_number(object, "timestamp_ms", NAN);
	return isfinite(ms) ? ms / 1000 : json_get_number(object, "timestamp", NAN);
}

static int
add_interval(struct import *im, const struct import_interval *interval)
{
	if (im->n_intervals == im->cap_intervals) {
		int cap = im->cap_intervals ? im->cap_intervals * 2 : 64;
		struct import_interval *bigger = realloc(im->interval, (size_t)cap * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		im->interval = bigger;
		im->cap_intervals = cap;
	}
	im->interval[im->n_intervals++] = *interval;
	return 0;
}

// Whether the counters began anew in between, as they do when ramp_time ends: a sum fell, or more latencies were
// added than I/Os (none are recorded during the ramp, and a second of full speed can hide that the sum fell).
static int
was_reset(const struct fio_counters *now, const struct fio_counters *before)
{
	double added = 0;
	for (int d = 0; d < 3; d++) {
		if (now->ops[d] < before->ops[d] || now->bytes[d] < before->bytes[d])
			return 1;
		added += now->ops[d] - before->ops[d];
	}
	return now->runtime_ms < before->runtime_ms || now->latencies < before->latencies ||
	       now->latencies - before->latencies > added * 1.02 + 256;
}

// Compares a job's sums with those of the object before.
static int
difference(struct stream *s, int index, double t_s, const struct fio_counters *now, const struct fio_counters *before)
{
	static const struct fio_counters nothing;
	if (was_reset(now, before))
		before = &nothing;
	double step = now->runtime_ms - before->runtime_ms;
	if (step <= 0 || !isfinite(step))
		return 0;
	struct import_interval interval = {
		.item = index, .t_s = t_s, .duration_s = step / 1000,
		.read_ops = now->ops[0] - before->ops[0], .write_ops = now->ops[1] - before->ops[1],
		.read_bytes = now->bytes[0] - before->bytes[0], .write_bytes = now->bytes[1] - before->bytes[1],
	};
	return add_interval(s->im, &interval);
}

static int
add_differences(struct stream *s, const json_t *object)
{
	const json_t *jobs = fio_jobs(object);
	int group[FIO_JOBS_MAX];
	int found = fio_groups(jobs, group);
	size_t n = found < 0 ? 0 : (size_t)found;
	double t = stamp(object);
	if (s->n_objects == 0)
		s->start_s = t;
	if (n > s->n_before) {
		struct fio_counters *bigger = realloc(s->before, n * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		memset(bigger + s->n_before, 0, (n - s->n_before) * sizeof(*bigger));
		s->before = bigger;
		s->n_before = n;
	}
	for (size_t i = 0; i < n; i++) {
		struct fio_counters now;
		fio_counters_read(json_array_get(jobs, i), &now);
		int rc = difference(s, group[i], t - s->start_s, &now, &s->before[i]);
		if (rc)
			return rc;
		s->before[i] = now;
	}
	s->end_s = t;
	return 0;
}

static int
take_object(struct stream *s, json_t *object)
{
	if (!json_is_object(object) || !fio_jobs(object)) {
		json_decref(object);
		return 0;
	}
	int rc = add_differences(s, object);
	s->n_objects++;
	json_decref(s->last);
	s->last = object;
	return rc;
}

// A line that is not JSON: fio's own words.
static void
take_junk(struct stream *s, const char *line, size_t length)
{
	char text[200];
	snprintf(text, sizeof(text), "%.*s", (int)(length < 180 ? length : 180), line);
	if (strstr(text, "terminating on signal"))
		s->interrupted = 1;
	else if (!s->complaint[0] && strncmp(text, "fio:", 4) == 0)
		text_safe_copy(s->complaint, sizeof(s->complaint), text);
}

static int
is_exactly(const char *line, size_t length, char c)
{
	while (length > 0 && line[length - 1] == '\r')
		length--;
	return length == 1 && line[0] == c;
}

// Objects framed by lines that are exactly "{" and "}".
static int
take_lines(struct stream *s, const char *text, size_t length)
{
	const char *p = text, *end = text + length, *start = NULL;
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t n = newline ? (size_t)(newline - p) : (size_t)(end - p);
		const char *next = newline ? newline + 1 : end;
		if (is_exactly(p, n, '{')) {
			s->n_broken += start != NULL;
			start = p;
		} else if (start && is_exactly(p, n, '}')) {
			json_t *object = (size_t)(next - start) > OBJECT_MAX ? NULL : json_parse(start, (size_t)(next - start), NULL);
			s->n_broken += object == NULL;
			int rc = object ? take_object(s, object) : 0;
			if (rc)
				return rc;
			start = NULL;
		} else if (!start) {
			take_junk(s, p, n);
		}
		p = next;
	}
	s->n_broken += start != NULL;
	return 0;
}

// JSON that another tool has written anew: objects one after another, or an array of them.
static int
take_values(struct stream *s, const char *text, size_t length)
{
	struct error err;
	const char *brace = memchr(text, '{', length), *bracket = memchr(text, '[', length);
	const char *from = bracket && (!brace || bracket < brace) ? bracket : brace;
	if (!from)
		return 0;
	json_t *value = json_parse(from, length - (size_t)(from - text), &err);
	if (json_is_object(value))
		return take_object(s, value);
	int rc = 0;
	size_t i;
	json_t *object;
	json_array_foreach(value, i, object) {
		if (rc == 0)
			rc = take_object(s, json_incref(object));
	}
	int parsed = value != NULL;
	json_decref(value);
	if (parsed)
		return rc;
	for (const char *p = from, *end = text + length; rc == 0 && p < end;) { // one object a line
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t n = newline ? (size_t)(newline - p) : (size_t)(end - p);
		if (n > 0 && *p == '{' && (object = json_parse(p, n, NULL)))
			rc = take_object(s, object);
		p += n + 1;
	}
	return rc;
}

static void
say_of_stream(struct stream *s)
{
	struct import *im = s->im;
	for (int i = 0; i < im->n; i++) {
		struct result *r = im->item[i].result;
		if (s->interrupted) {
			r->interrupted = 1;
			result_warn(r, "fio-interrupted", LEVEL_YELLOW, WARN_A, "fio was ended by a signal before its time");
		}
		if (s->complaint[0])
			result_warn(r, "fio-complaint", im->item[i].failed ? LEVEL_RED : LEVEL_YELLOW, WARN_A, "%s", s->complaint);
	}
	if (s->n_broken > 0)
		snprintf(im->sentence, sizeof(im->sentence), "%d object%s of this file %s incomplete and left out", s->n_broken,
			 s->n_broken == 1 ? "" : "s", s->n_broken == 1 ? "is" : "are");
	if (s->n_objects < 2)
		im->n_intervals = 0; // one object is the result itself, not a stretch of a stream
}

int
import_fio(const char *text, size_t length, struct import *ret, struct error *err)
{
	struct stream s = { .im = ret };
	int rc = take_lines(&s, text, length);
	if (rc == 0 && s.n_objects == 0)
		rc = take_values(&s, text, length);
	if (rc)
		error_set(err, rc, "out of memory");
	else if (s.n_objects == 0)
		rc = -ENOENT;
	else
		rc = fio_take_jobs(ret, s.last, err);
	if (rc == 0) {
		ret->kind = IMPORT_FIO;
		say_of_stream(&s);
	}
	json_decref(s.last);
	free(s.before);
	return rc;
}
