// SPDX-License-Identifier: MIT
// The recorder: appends a session to NAME.partial, which becomes NAME when it is finished. The format is
// doc/snapshot-format.md. Times are passed in; memory is constant however long the session runs.
//
// Lines are collected in memory and written by snapshot_flush alone, so that the caller can hold writing back while a
// device that the file lies on is measured. When SNAPSHOT_BUFFER_BYTES are full (about 50 minutes at ten intervals a
// second) the lines are written all the same, and the end marker counts that as a spill.
#ifndef IODUEL_SNAPSHOT_WRITE_H
#define IODUEL_SNAPSHOT_WRITE_H

#include <ioduel/error.h>
#include <ioduel/sample.h>
#include <ioduel/wire.h>

#include "session/result.h"
#include "session/view.h"

#define SNAPSHOT_BUFFER_BYTES (8u * 1024 * 1024)

struct snapshot_writer;

// Life cycle. snapshot_new refuses a name that is taken, finished or partial. snapshot_free closes; what was not
// finished stays as NAME.partial. Accepts NULL.
struct snapshot_writer *snapshot_new(const char *path, struct error *err);
void snapshot_free(struct snapshot_writer *w);

// What is recorded; snapshot_header comes first and once. Failures (disk full, no memory) are kept and returned by
// the next snapshot_flush or snapshot_finish.
void snapshot_header(struct snapshot_writer *w, const struct result *setup, int64_t origin_ns);
// pair: number from 1 of the planned pair, 0 = by hand or warm-up.
void snapshot_turn(struct snapshot_writer *w, enum side side, uint32_t turn, int64_t t_ns, int pair, int by_hand);
// hist may be NULL, and so may its members.
void snapshot_interval(struct snapshot_writer *w, enum side side, const struct wire_interval *interval,
		       struct hist *const hist[WIRE_CLASSES]);
void snapshot_turn_end(struct snapshot_writer *w, enum side side, const struct wire_turn_end *end);
void snapshot_sample(struct snapshot_writer *w, const struct sample *s);
void snapshot_mark(struct snapshot_writer *w, int64_t t_ns, enum view_mark_kind kind, const char *text);
void snapshot_warning(struct snapshot_writer *w, int64_t t_ns, const struct warning *warning);
void snapshot_pair(struct snapshot_writer *w, const struct pair *pair);
void snapshot_result(struct snapshot_writer *w, const struct result *r);

// Bytes that wait in memory.
size_t snapshot_pending(const struct snapshot_writer *w);
// The file, and how much was written to it: for whoever brings it to the medium while recording goes on.
int snapshot_fd(const struct snapshot_writer *w);
int64_t snapshot_written_bytes(const struct snapshot_writer *w);
// The medium refused (rc) what was written: nothing more is, as after a failed write. Returns rc and a sentence.
int snapshot_fail(struct snapshot_writer *w, int rc, struct error *err);
// Writes what waits; durable: also forces it onto the medium. 0 or -errno and a sentence.
int snapshot_flush(struct snapshot_writer *w, int durable, struct error *err);
// Adds the end marker, flushes, fsyncs, gives the file its name and fsyncs the directory.
int snapshot_finish(struct snapshot_writer *w, struct error *err);
// Writes what was recorded so far, with this result, as a finished file of its own; recording goes on.
int snapshot_copy(struct snapshot_writer *w, const char *path, const struct result *r, struct error *err);

#endif
