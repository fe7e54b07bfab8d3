// SPDX-License-Identifier: MIT
// Reading saved sessions. One rule: a file is a stranger's; what does not make sense is left out and counted, and
// what was torn ends at its last whole line.
#include "session/snapshot_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/json_util.h"
#include "session/line_reader.h"
#include "session/result_json.h"
#include "session/text_safe.h"

#define OBJECT_LINES_MAX (4 * SNAPSHOT_OBJECTS_MAX) // turns and marks kept of an unindexed file

static int
parse_side(const json_t *object)
{
	const char *name = json_string_value(json_object_get(object, "side"));
	return name && strcmp(name, "a") == 0 ? SIDE_A : name && strcmp(name, "b") == 0 ? SIDE_B : -1;
}

// A time of the file as CLOCK_MONOTONIC; 0 where it is missing.
static int64_t
get_time(const struct snapshot_reader *r, const json_t *object, const char *key)
{
	int64_t t_ns = json_get_time(object, key, INT64_MIN);
	return t_ns == INT64_MIN ? 0 : t_ns + r->origin_ns;
}

static void *
grow(void *array, int n, int *cap, size_t size)
{
	if (n < *cap)
		return array;
	int wanted = *cap ? *cap * 2 : 64;
	void *bigger = wanted > OBJECT_LINES_MAX ? NULL : realloc(array, (size_t)wanted * size);
	if (bigger)
		*cap = wanted;
	return bigger;
}

static int
add_turn(struct snapshot_reader *r, const json_t *object)
{
	int side = parse_side(object);
	if (side < 0)
		return -EINVAL;
	struct snapshot_turn_info *turns = grow(r->turns, r->n_turns, &r->cap_turns, sizeof(*turns));
	if (!turns)
		return -ENOMEM;
	r->turns = turns;
	r->turns[r->n_turns++] = (struct snapshot_turn_info){
		.side = side,
		.turn = (uint32_t)json_get_integer(object, "turn", 0),
		.pair = (int)json_clamp(json_get_number(object, "pair", 0), 0, 1000000, 0),
		.by_hand = json_get_bool(object, "by_hand", 0),
		.start_ns = get_time(r, object, "t_ns"),
	};
	return 0;
}

static int
end_turn(struct snapshot_reader *r, const json_t *object)
{
	int side = parse_side(object);
	uint32_t number = (uint32_t)json_get_integer(object, "turn", 0);
	for (int i = r->n_turns - 1; i >= 0 && i > r->n_turns - 16; i--) {
		struct snapshot_turn_info *turn = &r->turns[i];
		if (turn->side != side || turn->turn != number)
			continue;
		turn->count_start_ns = get_time(r, object, "count_start_ns");
		turn->count_end_ns = get_time(r, object, "count_end_ns");
		turn->end_ns = get_time(r, object, "end_ns");
		turn->status = (int)json_clamp(json_get_number(object, "status", 0), -100000, 100000, 0);
		return 0;
	}
	return -EINVAL;
}

static int
add_mark(struct snapshot_reader *r, const json_t *object)
{
	static const char *const names[] = { "turn_a", "turn_b", "turn_end", "phase", "note", "error", "throttle" };
	const char *kind = json_string_value(json_object_get(object, "kind"));
	struct view_mark *marks = grow(r->marks, r->n_marks, &r->cap_marks, sizeof(*marks));
	if (!marks)
		return -ENOMEM;
	r->marks = marks;
	for (int i = 0; kind && i < (int)(sizeof(names) / sizeof(names[0])); i++) {
		if (strcmp(kind, names[i]) != 0)
			continue;
		struct view_mark *mark = &r->marks[r->n_marks++];
		mark->t_ns = get_time(r, object, "t_ns");
		mark->kind = (enum view_mark_kind)i;
		json_get_text(object, "text", mark->text, sizeof(mark->text));
		return 0;
	}
	return -EINVAL;
}

static int
parse_class(const json_t *object)
{
	static const char *const names[WIRE_CLASSES] = { "read", "write", "sync" };
	const char *name = json_string_value(json_object_get(object, "class"));
	for (int c = 0; name && c < WIRE_CLASSES; c++)
		if (strcmp(name, names[c]) == 0)
			return c;
	return -1;
}

// Whole-session histograms replace what was summed up from the pieces.
static int
add_hist(struct snapshot_reader *r, const json_t *object)
{
	int side = parse_side(object), class = parse_class(object);
	int is_total = json_is_null(json_object_get(object, "turn"));
	struct hist *h = malloc(sizeof(*h));
	if (!h || side < 0 || class < 0 || snapshot_hist_from_json(object, h)) {
		free(h);
		return -EINVAL;
	}
	if (r->total[side][class] && !is_total) {
		hist_merge(r->total[side][class], h);
		free(h);
	} else {
		free(r->total[side][class]);
		r->total[side][class] = h;
	}
	return 0;
}

static int
add_result(struct snapshot_reader *r, const json_t *object)
{
	struct result *fresh = malloc(sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	result_init(fresh);
	int rc = result_from_json(object, fresh, NULL);
	if (rc) {
		result_fini(fresh);
		free(fresh);
		return rc;
	}
	result_fini(r->result);
	free(r->result);
	r->result = fresh;
	r->recomputed = 0;
	return 0;
}

static int
add_pair(struct snapshot_reader *r, const json_t *object)
{
	struct pair pair;
	// Once a result is there it holds all pairs up to itself; later ones make it stale.
	if (pair_from_json(object, &pair) || r->result->n_pairs >= 8192)
		return -EINVAL;
	r->recomputed = 1;
	return result_add_pair(r->result, &pair);
}

static int
add_object(struct snapshot_reader *r, const char *key, const json_t *value)
{
	if (strcmp(key, "turn") == 0)
		return add_turn(r, value);
	if (strcmp(key, "turn_end") == 0)
		return end_turn(r, value);
	if (strcmp(key, "mark") == 0)
		return add_mark(r, value);
	if (strcmp(key, "heat") == 0)
		return snapshot_heat_add(&r->heat, value);
	if (strcmp(key, "warning") == 0)
		return warning_from_json(value, r->result);
	if (strcmp(key, "pair") == 0)
		return add_pair(r, value);
	if (strcmp(key, "hist") == 0)
		return add_hist(r, value);
	if (strcmp(key, "result") == 0)
		return add_result(r, value);
	return 0; // of a later minor version: nothing that a verdict needs
}

static void
read_object_line(struct snapshot_reader *r, const char *line, size_t length)
{
	json_t *object = json_parse(line, length, NULL);
	const char *key = NULL;
	json_t *value = NULL;
	if (json_is_object(object)) {
		void *member = json_object_iter(object);
		key = member ? json_object_iter_key(member) : NULL;
		value = member ? json_object_iter_value(member) : NULL;
	}
	if (!key || add_object(r, key, value))
		r->bad_lines++;
	json_decref(object);
}

static int
read_header(struct snapshot_reader *r, const char *line, size_t length, struct error *err)
{
	char kind[32], safe[256];
	json_t *object = json_parse(line, length, NULL);
	json_get_text(object, "kind", kind, sizeof(kind));
	int64_t version = json_get_integer(object, "ioduel", 0);
	json_get_text(object, "program", r->program, sizeof(r->program));
	int rc = 0;
	if (!json_is_object(object) || strcmp(kind, "session") != 0 || version < 1)
		rc = error_set(err, -EINVAL, "not a session of ioduel");
	text_safe_copy(safe, sizeof(safe), r->program);
	if (rc == 0 && version > SNAPSHOT_VERSION)
		rc = error_set(err, -ENOTSUP, "written in session format %lld by %s, which is newer than this ioduel "
			       "(%s, format %d); open it with that version", (long long)version,
			       safe[0] ? safe : "a newer ioduel", IODUEL_VERSION, SNAPSHOT_VERSION);
	if (rc == 0) {
		r->origin_ns = json_get_time(object, "origin_ns", 0);
		result_setup_from_json(object, r->result);
	}
	size_t i;
	json_t *device;
	json_array_foreach(json_object_get(object, "devices"), i, device) {
		if (rc || r->devices.n >= SNAPSHOT_DEVICES_MAX)
			break;
		int k = r->devices.n++;
		json_get_text(device, "name", r->devices.item[k].name, DISK_NAME_MAX);
		r->devices.item[k].major = (unsigned)json_get_integer(device, "major", 0);
		r->devices.item[k].minor = (unsigned)json_get_integer(device, "minor", 0);
		int side = parse_side(device);
		r->devices.item[k].sides = side == SIDE_A ? 1 : side == SIDE_B ? 2 : 3;
	}
	json_decref(object);
	return rc;
}

static int
is_series(const char *line)
{
	return line[0] == '{' && line[1] == '"' && (line[2] == 'i' || line[2] == 's' || line[2] == 'S') && line[3] == '"';
}

// Reads the lines that the index names.
static void
read_listed(struct snapshot_reader *r)
{
	struct line_reader lines;
	size_t length;
	int64_t at;
	line_reader_init(&lines, r->fd, 0, SNAPSHOT_LINE_MAX);
	for (int i = 0; i < r->index.n_objects; i++) {
		line_reader_seek(&lines, r->index.object[i]);
		char *line = line_reader_next(&lines, &length, &at);
		if (line)
			read_object_line(r, line, length);
		else
			r->bad_lines++;
	}
	line_reader_fini(&lines);
}

// The index, where the last line says there is one. 1 if it was read.
static int
read_index(struct snapshot_reader *r)
{
	char tail[64];
	size_t want = r->file_bytes < 63 ? (size_t)r->file_bytes : 63;
	ssize_t n = pread(r->fd, tail, want, r->file_bytes - (int64_t)want);
	if (n <= 0)
		return 0;
	tail[n] = '\0';
	char *last = strstr(tail, "{\"end_at\":"), *rest = NULL;
	long long at = last ? strtoll(last + 10, &rest, 10) : 0;
	if (at <= 0 || at >= r->file_bytes || strcmp(rest, "}\n") != 0)
		return 0;
	struct line_reader lines;
	size_t length;
	int64_t offset;
	line_reader_init(&lines, r->fd, at, SNAPSHOT_LINE_MAX);
	char *line = line_reader_next(&lines, &length, &offset);
	json_t *object = line ? json_parse(line, length, NULL) : NULL;
	const json_t *end = json_object_get(object, "end");
	int ok = end && snapshot_index_from_json(end, at, &r->index) == 0;
	r->finished = ok;
	json_decref(object);
	line_reader_fini(&lines);
	return ok && r->index.complete;
}

// The last result among the listed lines; it holds all pairs and warnings. 1 if there was one.
static int
read_last_result(struct snapshot_reader *r)
{
	struct line_reader lines;
	size_t length;
	int64_t at;
	int found = 0;
	line_reader_init(&lines, r->fd, 0, SNAPSHOT_LINE_MAX);
	for (int i = r->index.n_objects - 1; i >= 0 && i > r->index.n_objects - 16 && !found; i--) {
		line_reader_seek(&lines, r->index.object[i]);
		char *line = line_reader_next(&lines, &length, &at);
		found = line && strncmp(line, "{\"result\":", 10) == 0;
		if (found)
			read_object_line(r, line, length);
	}
	line_reader_fini(&lines);
	return found;
}

static void
index_series(struct snapshot_reader *r, const char *line, int64_t offset)
{
	struct snapshot_interval interval;
	if (line[2] == 'i') {
		if (snapshot_interval_parse(line + 5, r->origin_ns, &interval)) {
			r->bad_lines++;
			return;
		}
		snapshot_index_time(&r->index, interval.w.t1_ns - r->origin_ns, offset);
		snapshot_index_interval(&r->index, &interval);
	} else if (line[2] == 'S') {
		// A chunk of a rebuilt index begins where a whole sample does, as far as there are samples.
		int64_t t_ns = strtoll(line + 7, NULL, 10);
		if (t_ns >= -JSON_TIME_MAX && t_ns <= JSON_TIME_MAX)
			snapshot_index_time(&r->index, t_ns, offset);
	}
	snapshot_index_line(&r->index, line[2] == 'i' ? SNAPSHOT_INTERVAL : SNAPSHOT_SAMPLE, 0, offset);
}

// Reads every line of a file that has no index. Returns the bytes of a torn last line.
static size_t
read_all(struct snapshot_reader *r, int64_t from)
{
	struct line_reader lines;
	size_t length;
	int64_t offset;
	char *line;
	int finished = r->finished;
	snapshot_index_init(&r->index);
	line_reader_init(&lines, r->fd, from, SNAPSHOT_LINE_MAX);
	while ((line = line_reader_next(&lines, &length, &offset))) {
		if (length > 5 && is_series(line))
			index_series(r, line, offset);
		else if (strncmp(line, "{\"end", 5) != 0)
			read_object_line(r, line, length);
	}
	size_t rest = line_reader_rest(&lines);
	line_reader_fini(&lines);
	r->finished = finished;
	return rest;
}

static void
conclude(struct snapshot_reader *r, size_t torn)
{
	if (r->recomputed || r->result->verdict.text[0] == '\0') {
		int stopped = r->result->verdict.stopped_early;
		if (r->result->n_pairs > 0) {
			if (!r->finished && r->result->n_pairs < r->result->plan.pairs_planned)
				stopped = 1;
			result_conclude(r->result, stopped);
			r->recomputed = 1;
		}
	}
	if (!r->finished)
		snprintf(r->sentence, sizeof(r->sentence),
			 "this session was not finished: it is shown up to its last whole line%s",
			 torn ? " (the rest of a torn line was left out)" : "");
	else if (r->bad_lines > 0)
		snprintf(r->sentence, sizeof(r->sentence), "%ld lines of this session could not be understood and were left out",
			 r->bad_lines);
}

static int
read_everything(struct snapshot_reader *r, struct error *err)
{
	struct line_reader lines;
	size_t length, torn = 0;
	int64_t offset;
	line_reader_init(&lines, r->fd, 0, SNAPSHOT_LINE_MAX);
	char *line = line_reader_next(&lines, &length, &offset);
	int rc = line ? read_header(r, line, length, err) : error_set(err, -EINVAL, "not a session of ioduel: no whole line");
	int64_t body = (int64_t)length + 1;
	line_reader_fini(&lines);
	if (rc)
		return rc;
	if (read_index(r)) {
		if (!r->brief || !read_last_result(r))
			read_listed(r);
	} else {
		torn = read_all(r, body);
	}
	conclude(r, torn);
	return 0;
}

static struct snapshot_reader *
reader_new(int fd, const char *name, int brief, struct error *err)
{
	char safe[256];
	struct stat st;
	struct snapshot_reader *r = calloc(1, sizeof(*r));
	struct result *result = malloc(sizeof(*result));
	struct error cause = { 0 };
	text_safe_copy(safe, sizeof(safe), name);
	if (!r || !result || fstat(fd, &st)) {
		error_set(err, -ENOMEM, "%s: cannot be read", safe);
		close(fd);
		free(r);
		free(result);
		return NULL;
	}
	result_init(result);
	r->result = result;
	r->fd = fd;
	r->brief = brief;
	r->file_bytes = st.st_size;
	snapshot_index_init(&r->index);
	int rc = read_everything(r, &cause);
	if (rc) {
		error_set(err, rc, "%s: %s", safe, cause.text);
		snapshot_read_free(r);
		return NULL;
	}
	return r;
}

struct snapshot_reader *
snapshot_read_fd(int fd, const char *name, struct error *err)
{
	return reader_new(fd, name, 0, err);
}

static struct snapshot_reader *
open_path(const char *path, int brief, struct error *err)
{
	char safe[256];
	// A FIFO or a device must not hang the program.
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		int rc = -errno;
		text_safe_copy(safe, sizeof(safe), path);
		error_set(err, rc, "cannot open %s: %s", safe, strerror(-rc));
		return NULL;
	}
	return reader_new(fd, path, brief, err);
}

struct snapshot_reader *
snapshot_read_new(const char *path, struct error *err)
{
	return open_path(path, 0, err);
}

struct snapshot_reader *
snapshot_read_brief(const char *path, struct error *err)
{
	return open_path(path, 1, err);
}

void
snapshot_read_free(struct snapshot_reader *r)
{
	if (!r)
		return;
	close(r->fd);
	result_fini(r->result);
	free(r->result);
	free(r->turns);
	free(r->marks);
	for (int side = 0; side < SIDES; side++)
		for (int c = 0; c < WIRE_CLASSES; c++)
			free(r->total[side][c]);
	free(r);
}
