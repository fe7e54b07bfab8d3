// SPDX-License-Identifier: MIT
// The index at the end of a snapshot: where its objects are, and the session in about a thousand chunks, so that a
// day opens without being read. Its memory is bounded: when the chunks are full, two become one of double length.
#ifndef IODUEL_SNAPSHOT_INDEX_H
#define IODUEL_SNAPSHOT_INDEX_H

#include <jansson.h>
#include <stdint.h>

#include "session/result.h"
#include "session/snapshot_pack.h"

#define SNAPSHOT_CHUNKS_MAX 2048
#define SNAPSHOT_OBJECTS_MAX 65536
#define SNAPSHOT_CHUNK_NS (60 * INT64_C(1000000000))

enum snapshot_kind {
	SNAPSHOT_TURN, SNAPSHOT_TURN_END, SNAPSHOT_INTERVAL, SNAPSHOT_HIST, SNAPSHOT_SAMPLE, SNAPSHOT_MARK,
	SNAPSHOT_WARNING, SNAPSHOT_PAIR, SNAPSHOT_RESULT, SNAPSHOT_HEAT, SNAPSHOT_KINDS
};
extern const char *const snapshot_kind_names[SNAPSHOT_KINDS];

// One side's work in a chunk.
struct snapshot_chunk_side {
	uint64_t busy_ns, ops, read_bytes, write_bytes;
	double min_ops_per_s, max_ops_per_s; // of one interval; NAN = none
};

struct snapshot_chunk {
	int64_t t_ns;	// since the origin
	int64_t offset; // of its first line
	struct snapshot_chunk_side side[SIDES];
};

struct snapshot_index {
	uint64_t counts[SNAPSHOT_KINDS];
	int64_t first_ns, last_ns; // of the series, since the origin; -1 = none
	int64_t chunk_ns;
	int n_chunks;
	struct snapshot_chunk chunk[SNAPSHOT_CHUNKS_MAX];
	int n_objects, complete; // complete: every object is listed
	int64_t object[SNAPSHOT_OBJECTS_MAX];
};

void snapshot_index_init(struct snapshot_index *index);
// Notes a line; objects (not series, not histograms of turns) are listed.
void snapshot_index_line(struct snapshot_index *index, enum snapshot_kind kind, int listed, int64_t offset);
// A series line at t_ns begins at offset. Returns 1 where it opens a new chunk.
int snapshot_index_time(struct snapshot_index *index, int64_t t_ns, int64_t offset);
void snapshot_index_interval(struct snapshot_index *index, const struct snapshot_interval *interval);

json_t *snapshot_index_to_json(const struct snapshot_index *index); // new reference
// Offsets beyond file_bytes, or not rising, are refused. 0 or -EINVAL.
int snapshot_index_from_json(const json_t *object, int64_t file_bytes, struct snapshot_index *ret);

#endif
