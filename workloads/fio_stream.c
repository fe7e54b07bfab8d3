// SPDX-License-Identifier: MIT
// Reads fio's output; see fio_stream.h.
#include "fio_stream.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT_BYTES_MAX (32u << 20)

int
fio_stream_init(struct fio_stream *s)
{
	memset(s, 0, sizeof(*s));
	s->capacity = 65536;
	s->text = malloc(s->capacity);
	return s->text ? 0 : -ENOMEM;
}

void
fio_stream_fini(struct fio_stream *s)
{
	free(s->text);
	s->text = NULL;
}

static int
append(struct fio_stream *s, const char *line, size_t length)
{
	while (s->n + length + 2 > s->capacity) {
		char *grown = s->capacity < OBJECT_BYTES_MAX ? realloc(s->text, s->capacity * 2) : NULL;
		if (!grown)
			return -ENOMEM;
		s->text = grown;
		s->capacity *= 2;
	}
	memcpy(s->text + s->n, line, length);
	s->text[s->n + length] = '\n';
	s->n += length + 1;
	return 0;
}

static double
number(const json_t *object, const char *key)
{
	double v = json_number_value(json_object_get(object, key));
	return v > 0 ? v : 0;
}

static void
add_bins(struct fio_counts *counts, int class, const json_t *latency)
{
	const char *key;
	json_t *value;
	json_t *bins = json_object_get(latency, "bins");
	json_object_foreach(bins, key, value) {
		counts->bucket[class][hist_index(strtoull(key, NULL, 10))] += (uint64_t)json_integer_value(value);
	}
}

static void
add_direction(struct fio_counts *counts, int class, const json_t *direction)
{
	counts->ops[class] += (uint64_t)number(direction, "total_ios");
	counts->bytes[class] += (uint64_t)number(direction, "io_bytes");
	double runtime_s = number(direction, "runtime") / 1000;
	if (runtime_s > counts->runtime_s)
		counts->runtime_s = runtime_s;
	add_bins(counts, class, json_object_get(direction, "clat_ns"));
}

static int
read_counts(const json_t *root, struct fio_counts *ret)
{
	size_t i;
	json_t *job, *jobs = json_object_get(root, "jobs");
	memset(ret, 0, sizeof(*ret));
	if (!json_is_array(jobs))
		return -EPROTO;
	json_array_foreach(jobs, i, job) {
		json_t *sync = json_object_get(job, "sync");
		if (json_integer_value(json_object_get(job, "error")))
			ret->error = (int)json_integer_value(json_object_get(job, "error"));
		add_direction(ret, WIRE_READS, json_object_get(job, "read"));
		add_direction(ret, WIRE_WRITES, json_object_get(job, "write"));
		add_direction(ret, WIRE_WRITES, json_object_get(job, "trim"));
		ret->ops[WIRE_SYNCS] += (uint64_t)number(sync, "total_ios");
		add_bins(ret, WIRE_SYNCS, json_object_get(sync, "lat_ns"));
		double job_s = number(job, "job_runtime") / 1000;
		ret->user_s += number(job, "usr_cpu") / 100 * job_s;
		ret->sys_s += number(job, "sys_cpu") / 100 * job_s;
	}
	return 0;
}

static bool
went_down(const struct fio_counts *now, const struct fio_counts *before)
{
	for (int c = 0; c < WIRE_CLASSES; c++)
		if (now->ops[c] < before->ops[c] || now->bytes[c] < before->bytes[c])
			return true;
	return now->runtime_s + 0.001 < before->runtime_s;
}

static void
add_bucket(struct hist *h, unsigned index, uint64_t n)
{
	uint64_t mid = hist_midpoint_ns(index);
	if (!n)
		return;
	hist_add(h, mid);
	h->count += n - 1;
	h->sum_ns += mid * (n - 1);
	h->bucket[index] += n - 1;
}

static void
difference(const struct fio_counts *now, const struct fio_counts *before, struct tally *ret)
{
	tally_init(ret);
	for (int c = 0; c < WIRE_CLASSES; c++) {
		ret->ops[c] = now->ops[c] - before->ops[c];
		ret->bytes[c] = now->bytes[c] - before->bytes[c];
		for (unsigned i = 0; i < HIST_BUCKETS; i++)
			if (now->bucket[c][i] > before->bucket[c][i])
				add_bucket(&ret->lat[c], i, now->bucket[c][i] - before->bucket[c][i]);
	}
}

static int
finish_object(struct fio_stream *s, struct tally *ret)
{
	static const struct fio_counts none;
	struct fio_counts *now = malloc(sizeof(*now));
	json_error_t problem;
	s->text[s->n] = '\0';
	json_t *root = json_loads(s->text, 0, &problem);
	int r = !now ? -ENOMEM : !root ? -EPROTO : read_counts(root, now);
	json_decref(root);
	if (r == 0) {
		bool reset = s->any && went_down(now, &s->last);
		difference(now, reset ? &none : &s->last, ret);
		s->last = *now;
		s->any = true;
		s->was_reset |= reset;
		r = reset ? FIO_RESET : FIO_COUNTS;
	}
	free(now);
	return r;
}

int
fio_stream_line(struct fio_stream *s, const char *line, size_t length, struct tally *ret)
{
	if (!s->inside && (length != 1 || *line != '{'))
		return FIO_TEXT;
	if (!s->inside) {
		s->inside = true;
		s->n = 0;
	}
	int r = append(s, line, length);
	if (r < 0)
		return r;
	if (length != 1 || *line != '}')
		return FIO_NOTHING;
	s->inside = false;
	return finish_object(s, ret);
}
