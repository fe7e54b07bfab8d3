// SPDX-License-Identifier: MIT
// Building and reading the index. One rule: it only speeds things up; everything in it can be found again by
// reading the lines.
#include "session/snapshot_index.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "session/json_util.h"

const char *const snapshot_kind_names[SNAPSHOT_KINDS] = {
	[SNAPSHOT_TURN] = "turn", [SNAPSHOT_TURN_END] = "turn_end", [SNAPSHOT_INTERVAL] = "interval",
	[SNAPSHOT_HIST] = "hist", [SNAPSHOT_SAMPLE] = "sample", [SNAPSHOT_MARK] = "mark",
	[SNAPSHOT_WARNING] = "warning", [SNAPSHOT_PAIR] = "pair", [SNAPSHOT_RESULT] = "result", [SNAPSHOT_HEAT] = "heat",
};

void
snapshot_index_init(struct snapshot_index *index)
{
	memset(index, 0, sizeof(*index));
	index->first_ns = index->last_ns = -1;
	index->chunk_ns = SNAPSHOT_CHUNK_NS;
	index->complete = 1;
}

void
snapshot_index_line(struct snapshot_index *index, enum snapshot_kind kind, int listed, int64_t offset)
{
	index->counts[kind]++;
	if (!listed)
		return;
	if (index->n_objects < SNAPSHOT_OBJECTS_MAX)
		index->object[index->n_objects++] = offset;
	else
		index->complete = 0;
}

static void
merge_side(struct snapshot_chunk_side *to, const struct snapshot_chunk_side *from)
{
	to->busy_ns += from->busy_ns;
	to->ops += from->ops;
	to->read_bytes += from->read_bytes;
	to->write_bytes += from->write_bytes;
	to->min_ops_per_s = fmin(to->min_ops_per_s, from->min_ops_per_s);
	to->max_ops_per_s = fmax(to->max_ops_per_s, from->max_ops_per_s);
}

static void
halve(struct snapshot_index *index)
{
	int n = 0;
	for (int i = 0; i < index->n_chunks; i += 2) {
		index->chunk[n] = index->chunk[i];
		for (int side = 0; side < SIDES && i + 1 < index->n_chunks; side++)
			merge_side(&index->chunk[n].side[side], &index->chunk[i + 1].side[side]);
		n++;
	}
	index->n_chunks = n;
	index->chunk_ns *= 2;
}

int
snapshot_index_time(struct snapshot_index *index, int64_t t_ns, int64_t offset)
{
	if (index->first_ns < 0 || t_ns < index->first_ns)
		index->first_ns = t_ns < 0 ? 0 : t_ns;
	if (t_ns > index->last_ns)
		index->last_ns = t_ns;
	if (index->n_chunks > 0 && t_ns < index->chunk[index->n_chunks - 1].t_ns + index->chunk_ns)
		return 0;
	if (index->n_chunks == SNAPSHOT_CHUNKS_MAX)
		halve(index);
	struct snapshot_chunk *chunk = &index->chunk[index->n_chunks++];
	*chunk = (struct snapshot_chunk){ .t_ns = t_ns, .offset = offset };
	for (int side = 0; side < SIDES; side++)
		chunk->side[side].min_ops_per_s = chunk->side[side].max_ops_per_s = NAN;
	return 1;
}

void
snapshot_index_interval(struct snapshot_index *index, const struct snapshot_interval *interval)
{
	const struct wire_interval *w = &interval->w;
	int64_t ns = w->t1_ns - w->t0_ns;
	if (index->n_chunks == 0 || ns <= 0)
		return;
	struct snapshot_chunk_side one = { .busy_ns = (uint64_t)ns };
	for (int c = 0; c < WIRE_CLASSES; c++)
		one.ops += w->ops[c];
	one.read_bytes = w->bytes[WIRE_READS];
	one.write_bytes = w->bytes[WIRE_WRITES];
	one.min_ops_per_s = one.max_ops_per_s = (double)one.ops * 1e9 / (double)ns;
	merge_side(&index->chunk[index->n_chunks - 1].side[interval->side], &one);
}

static json_t *
chunk_to_json(const struct snapshot_chunk *chunk)
{
	json_t *row = json_array();
	json_array_append_new(row, json_integer(chunk->t_ns));
	json_array_append_new(row, json_integer(chunk->offset));
	for (int side = 0; side < SIDES; side++) {
		const struct snapshot_chunk_side *s = &chunk->side[side];
		json_t *part = json_array();
		if (s->busy_ns > 0) {
			json_array_append_new(part, json_count_new(s->busy_ns));
			json_array_append_new(part, json_count_new(s->ops));
			json_array_append_new(part, json_count_new(s->read_bytes));
			json_array_append_new(part, json_count_new(s->write_bytes));
			json_array_append_new(part, json_number_new(s->min_ops_per_s));
			json_array_append_new(part, json_number_new(s->max_ops_per_s));
		}
		json_array_append_new(row, part);
	}
	return row;
}

json_t *
snapshot_index_to_json(const struct snapshot_index *index)
{
	json_t *object = json_object(), *counts = json_object(), *objects = json_array(), *chunks = json_array();
	for (int i = 0; i < SNAPSHOT_KINDS; i++)
		json_put(counts, snapshot_kind_names[i], json_count_new(index->counts[i]));
	json_put(object, "counts", counts);
	json_put(object, "first_ns", index->first_ns < 0 ? json_null() : json_integer(index->first_ns));
	json_put(object, "last_ns", index->last_ns < 0 ? json_null() : json_integer(index->last_ns));
	json_put(object, "objects_complete", json_boolean(index->complete));
	int64_t last = 0; // each offset as its distance from the one before
	for (int i = 0; i < index->n_objects; i++) {
		json_array_append_new(objects, json_integer(index->object[i] - last));
		last = index->object[i];
	}
	json_put(object, "objects", objects);
	json_put(object, "chunk_ns", json_integer(index->chunk_ns));
	for (int i = 0; i < index->n_chunks; i++)
		json_array_append_new(chunks, chunk_to_json(&index->chunk[i]));
	json_put(object, "chunks", chunks);
	return object;
}

static double
number_at(const json_t *array, size_t i)
{
	const json_t *value = json_array_get(array, i);
	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int
chunk_from_json(const json_t *row, struct snapshot_chunk *ret)
{
	ret->t_ns = json_integer_value(json_array_get(row, 0));
	ret->offset = json_integer_value(json_array_get(row, 1));
	for (int side = 0; side < SIDES; side++) {
		const json_t *part = json_array_get(row, 2 + (size_t)side);
		struct snapshot_chunk_side *s = &ret->side[side];
		s->busy_ns = (uint64_t)json_integer_value(json_array_get(part, 0));
		s->ops = (uint64_t)json_integer_value(json_array_get(part, 1));
		s->read_bytes = (uint64_t)json_integer_value(json_array_get(part, 2));
		s->write_bytes = (uint64_t)json_integer_value(json_array_get(part, 3));
		s->min_ops_per_s = number_at(part, 4);
		s->max_ops_per_s = number_at(part, 5);
	}
	return json_is_integer(json_array_get(row, 0)) && json_is_integer(json_array_get(row, 1)) &&
	       ret->t_ns <= JSON_TIME_MAX && ret->t_ns >= -JSON_TIME_MAX ? 0 : -EINVAL;
}

int
snapshot_index_from_json(const json_t *object, int64_t file_bytes, struct snapshot_index *ret)
{
	const json_t *objects = json_object_get(object, "objects"), *chunks = json_object_get(object, "chunks");
	const json_t *counts = json_object_get(object, "counts");
	snapshot_index_init(ret);
	if (!json_is_array(objects) || !json_is_array(chunks) || json_array_size(objects) > SNAPSHOT_OBJECTS_MAX ||
	    json_array_size(chunks) > SNAPSHOT_CHUNKS_MAX)
		return -EINVAL;
	for (int i = 0; i < SNAPSHOT_KINDS; i++)
		ret->counts[i] = (uint64_t)json_get_integer(counts, snapshot_kind_names[i], 0);
	ret->first_ns = json_get_time(object, "first_ns", -1);
	ret->last_ns = json_get_time(object, "last_ns", -1);
	ret->chunk_ns = json_get_time(object, "chunk_ns", SNAPSHOT_CHUNK_NS);
	ret->complete = json_get_bool(object, "objects_complete", 0);
	size_t i;
	json_t *item;
	int64_t at = 0;
	json_array_foreach(objects, i, item) {
		int64_t step = json_integer_value(item);
		if (step <= 0 || step >= file_bytes - at)
			return -EINVAL;
		at += step;
		ret->object[ret->n_objects++] = at;
	}
	json_array_foreach(chunks, i, item) {
		struct snapshot_chunk *chunk = &ret->chunk[ret->n_chunks];
		if (chunk_from_json(item, chunk) || chunk->offset <= 0 || chunk->offset >= file_bytes ||
		    (i > 0 && (chunk->offset < chunk[-1].offset || chunk->t_ns < chunk[-1].t_ns)))
			return -EINVAL;
		ret->n_chunks++;
	}
	return 0;
}
