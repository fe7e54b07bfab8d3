// SPDX-License-Identifier: MIT
// A real worker at the other end of a socket, for tests. Every wait has a
// deadline; nothing sleeps.
#ifndef TESTS_ENGINE_SUPPORT_WORKER_H
#define TESTS_ENGINE_SUPPORT_WORKER_H

#include <ioduel/wire.h>
#include <ioduel/workload.h>

#define SUPPORT_DEADLINE_MS 60000

struct support_worker {
	struct worker_handle handle;
	char dir[256];		  // a temporary directory of its own
	struct wire_ready ready;
	struct wire_turn_end end;
	int ready_fd;
	char failed[1024];	  // text of WIRE_FAILED, "" = none
	char notes[8192];	  // texts of all notes, one per line
	unsigned n_intervals, n_progress;
	uint64_t counted_ops[WIRE_CLASSES], counted_bytes[WIRE_CLASSES]; // summed over counted intervals
	uint64_t counted_user_us;
	unsigned n_cpu_unknown; // counted intervals whose CPU time is unknown, since a child ran
	int64_t counted_ns;
	int64_t last_t1_ns;
	struct hist lat[WIRE_CLASSES]; // of the counted intervals
};

// Starts a worker on a fresh temporary directory.
void support_start(struct support_worker *s);
// As support_start, on a given path.
void support_start_at(struct support_worker *s, const char *path);
// Sends SETUP for "NAME:keys" on path (NULL: the own directory).
void support_setup(struct support_worker *s, const char *workload, const char *path, uint32_t share, int fd);
void support_go(struct support_worker *s, uint32_t turn, double settle_s, double slice_s);
// Reads until a message of this type (or FAILED, or end-of-file) came; returns its type.
enum wire_type support_wait(struct support_worker *s, enum wire_type type);
// Reads until n further intervals came.
void support_wait_intervals(struct support_worker *s, unsigned n);
// Ends the worker and asserts that it left nothing in its directory.
void support_stop(struct support_worker *s);
// Waits until the worker is dead; returns its wait status.
int support_reap(struct support_worker *s);
// Number of names in a directory.
unsigned support_count_names(const char *dir);

#endif
