// SPDX-License-Identifier: MIT
// The recorder: writes the session file while the session runs, without
// disturbing the devices under test.
#ifndef IODUEL_RECORD_H
#define IODUEL_RECORD_H

#include "session/session.h"

struct recorder;

// path NULL: a new file in the user's data directory, named by time. The file is opened at once as
// PATH.partial; its header holds the session's set-up. NULL and err on failure.
struct recorder *recorder_new(const char *path, const struct session *session, struct sysroot *root, struct error *err);
// Without recorder_finish the partial file is removed if nothing was measured, else left as it is.
void recorder_free(struct recorder *r); // accepts NULL

// The file as it is now (PATH.partial), with everything written that waited.
const char *recorder_path(struct recorder *r);

void recorder_event(struct recorder *r, const struct event *event);
void recorder_effect(struct recorder *r, const struct session *session, const struct effect *effect, int64_t now_ns);
// Lets pending lines go to disk where that disturbs nothing, every few seconds, and has them brought to the medium
// by another process. What a write or the medium refused becomes a sentence, once.
int recorder_flush(struct recorder *r, int measuring, struct error *err);

// Writes the verdict and the end marker, fsyncs and renames. ret_path gets the file's name.
int recorder_finish(struct recorder *r, const struct session *session, char *ret_path, size_t size, struct error *err);
// Saves what there is now under a name of its own; recording goes on. -EBUSY and no sentence while a plan's turn runs on a
// device that the copy would lie on: ask again when it is over.
int recorder_snapshot(struct recorder *r, const struct session *session, struct sysroot *root, char *ret_path, size_t size,
		      struct error *err);

#endif
