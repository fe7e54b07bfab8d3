// SPDX-License-Identifier: MIT
// What fio prints while it runs: JSON objects with cumulative values, and
// other lines between them. Rule: pure; lines in, differences out. A value
// that goes down is the end of ramp_time, where fio begins to count anew.
#ifndef WORKLOADS_FIO_STREAM_H
#define WORKLOADS_FIO_STREAM_H

#include "engine/tally.h"

#include <stdbool.h>

// Cumulative values of all jobs of one object.
struct fio_counts {
	uint64_t ops[WIRE_CLASSES], bytes[WIRE_CLASSES];
	uint64_t bucket[WIRE_CLASSES][HIST_BUCKETS];
	double runtime_s;	// the longest of any job and direction
	double user_s, sys_s;	// of the jobs' own threads
	int error;		// of any job
};

struct fio_stream {
	char *text;	 // of the object that is being read
	size_t n, capacity;
	bool inside;
	bool any;	 // at least one object was read
	bool was_reset;	 // the counts began anew
	struct fio_counts last;
};

int fio_stream_init(struct fio_stream *s);
void fio_stream_fini(struct fio_stream *s);

enum fio_event { FIO_NOTHING, FIO_TEXT, FIO_COUNTS, FIO_RESET };

// One line. FIO_TEXT: it is no part of an object. FIO_COUNTS: an object is complete, *ret holds what
// came on top of the last one. FIO_RESET: the same, but since counting began anew. -EPROTO: not what fio prints.
int fio_stream_line(struct fio_stream *s, const char *line, size_t length, struct tally *ret);

#endif
