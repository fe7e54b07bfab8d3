// SPDX-License-Identifier: MIT
// Opens a saved session, finished or partial, and hands out what it holds. A day opens through its index; series are
// read for the time that is asked for. All times are the CLOCK_MONOTONIC of the recording machine.
#ifndef IODUEL_SNAPSHOT_READ_H
#define IODUEL_SNAPSHOT_READ_H

#include <ioduel/error.h>
#include <ioduel/sample.h>

#include "session/result.h"
#include "session/snapshot_heat.h"
#include "session/snapshot_index.h"
#include "session/snapshot_pack.h"
#include "session/view.h"

struct snapshot_turn_info {
	int side;
	uint32_t turn;
	int pair, by_hand;  // pair 0 = none
	int64_t start_ns, count_start_ns, count_end_ns, end_ns; // 0 = unknown, not counted, still running
	int status;
};

struct snapshot_reader {
	int fd;
	int64_t file_bytes;
	int64_t origin_ns;
	int brief;	     // only the result is wanted
	int finished;	     // has its end marker; else it was cut, and opens up to its last whole line
	int recomputed;	     // no result was in the file: the verdict was made from its pairs
	long bad_lines;	     // lines that could not be understood, left out
	char program[64];    // that wrote it
	char sentence[256];  // what the user should know (partial, cut), "" = nothing
	struct result *result; // owned; never NULL once open
	struct snapshot_devices devices;
	int n_turns, cap_turns;
	struct snapshot_turn_info *turns; // owned
	int n_marks, cap_marks;
	struct view_mark *marks; // owned
	struct snapshot_heat heat;
	struct hist *total[SIDES][WIRE_CLASSES]; // latencies of all counted work; NULL = none
	struct snapshot_index index; // rebuilt from the lines where the file has none
};

// Opens; the reader is big, so it comes from the heap. NULL and a sentence: no such file, not a session
// (err->code -EINVAL), written in a newer format (-ENOTSUP).
struct snapshot_reader *snapshot_read_new(const char *path, struct error *err);
// Only the result, for a list of many: no turns, marks or histograms.
struct snapshot_reader *snapshot_read_brief(const char *path, struct error *err);
// The same from a descriptor, which it takes over in any case.
struct snapshot_reader *snapshot_read_fd(int fd, const char *name, struct error *err);
void snapshot_read_free(struct snapshot_reader *r); // accepts NULL

// What a pass over the series meets; members may be NULL. A callback that returns other than 0 ends the pass.
struct snapshot_calls {
	int (*interval)(void *context, const struct snapshot_interval *interval);
	int (*sample)(void *context, const struct sample *s);
	int (*hist)(void *context, int side, int class, int64_t t0_ns, int64_t t1_ns, const struct hist *h);
};
// Walks over all series lines that touch [t0_ns, t1_ns), in file order. 0, what a callback returned, or -errno.
int snapshot_read_series(struct snapshot_reader *r, int64_t t0_ns, int64_t t1_ns, const struct snapshot_calls *calls,
			 void *context);

#endif
