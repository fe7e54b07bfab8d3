// SPDX-License-Identifier: MIT
// The series of a saved session for a stretch of time. One rule: only the chunks that can touch it are read.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/json_util.h"
#include "session/line_reader.h"
#include "session/snapshot_read.h"

struct pass {
	struct snapshot_reader *reader;
	const struct snapshot_calls *calls;
	void *context;
	int64_t t0_ns, t1_ns;
	int has_row; // a whole sample was met, differences can be added
	struct snapshot_row row;
	struct sample sample;
};

static int
pass_interval(struct pass *p, const char *text)
{
	struct snapshot_interval interval;
	if (!p->calls->interval || snapshot_interval_parse(text, p->reader->origin_ns, &interval))
		return 0;
	if (interval.w.t1_ns <= p->t0_ns || interval.w.t0_ns >= p->t1_ns)
		return 0;
	return p->calls->interval(p->context, &interval);
}

static int
pass_sample(struct pass *p, const char *text, int difference)
{
	if (!p->calls->sample || (difference && !p->has_row))
		return 0;
	p->has_row = snapshot_row_parse(text, difference, &p->row) == 0;
	if (!p->has_row)
		return 0;
	int rc = snapshot_row_to_sample(&p->row, &p->reader->devices, p->reader->origin_ns, &p->sample);
	if (rc)
		return rc == -EINVAL ? 0 : rc;
	if (p->sample.t_ns < p->t0_ns || p->sample.t_ns >= p->t1_ns)
		return 0;
	return p->calls->sample(p->context, &p->sample);
}

static int
pass_hist(struct pass *p, const char *line, size_t length)
{
	struct hist *h = NULL;
	int rc = 0;
	if (!p->calls->hist)
		return 0;
	json_t *object = json_parse(line, length, NULL);
	const json_t *value = json_object_get(object, "hist");
	int64_t begin = json_get_time(value, "t0_ns", INT64_MIN), end = json_get_time(value, "t1_ns", INT64_MIN);
	const char *side = json_string_value(json_object_get(value, "side"));
	const char *class = json_string_value(json_object_get(value, "class"));
	int has_time = begin != INT64_MIN && end != INT64_MIN;
	if (has_time) {
		begin += p->reader->origin_ns;
		end += p->reader->origin_ns;
	}
	if (has_time && side && class && end > p->t0_ns && begin < p->t1_ns)
		h = malloc(sizeof(*h));
	if (h && snapshot_hist_from_json(value, h) == 0)
		rc = p->calls->hist(p->context, side[0] == 'b' ? SIDE_B : SIDE_A,
				    class[0] == 's' ? WIRE_SYNCS : class[0] == 'w' ? WIRE_WRITES : WIRE_READS, begin, end, h);
	free(h);
	json_decref(object);
	return rc;
}

static int
pass_line(struct pass *p, const char *line, size_t length)
{
	if (strncmp(line, "{\"i\":", 5) == 0)
		return pass_interval(p, line + 5);
	if (strncmp(line, "{\"s\":", 5) == 0)
		return pass_sample(p, line + 5, 1);
	if (strncmp(line, "{\"S\":", 5) == 0)
		return pass_sample(p, line + 5, 0);
	if (strncmp(line, "{\"hist\":", 8) == 0)
		return pass_hist(p, line, length);
	return 0;
}

// The chunk to begin with: a line is at most one turn or ten seconds out of order, hence one chunk earlier. And where
// to stop: behind the second chunk that begins after the end.
static void
find_range(const struct snapshot_reader *r, int64_t t0_ns, int64_t t1_ns, int64_t *ret_from, int64_t *ret_to)
{
	const struct snapshot_index *index = &r->index;
	*ret_from = index->n_chunks > 0 ? index->chunk[0].offset : 0;
	*ret_to = r->file_bytes;
	for (int i = 1; i < index->n_chunks; i++) {
		int64_t begin = index->chunk[i].t_ns + r->origin_ns;
		if (begin <= t0_ns)
			*ret_from = index->chunk[i - 1].offset;
		if (begin > t1_ns && i + 1 < index->n_chunks) {
			*ret_to = index->chunk[i + 1].offset;
			break;
		}
	}
}

int
snapshot_read_series(struct snapshot_reader *r, int64_t t0_ns, int64_t t1_ns, const struct snapshot_calls *calls,
		     void *context)
{
	struct line_reader lines;
	size_t length;
	int64_t from, to, offset;
	char *line;
	int rc = 0;
	struct pass *p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	*p = (struct pass){ .reader = r, .calls = calls, .context = context, .t0_ns = t0_ns, .t1_ns = t1_ns };
	sample_init(&p->sample);
	find_range(r, t0_ns, t1_ns, &from, &to);
	line_reader_init(&lines, r->fd, from, SNAPSHOT_LINE_MAX);
	while (rc == 0 && (line = line_reader_next(&lines, &length, &offset)) && offset < to)
		rc = pass_line(p, line, length);
	if (rc == 0)
		rc = lines.failed;
	line_reader_fini(&lines);
	sample_fini(&p->sample);
	free(p);
	return rc;
}
