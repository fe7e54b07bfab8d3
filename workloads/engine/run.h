// SPDX-License-Identifier: MIT
// The runner: I/O threads that carry out a block workload, turn after turn.
// The owner's thread (the one with the socket) starts and ends turns and
// collects; it never waits for an I/O. Threads, rings and buffers live from
// runner_new to runner_free; nothing is allocated in between.
#ifndef WORKLOADS_ENGINE_RUN_H
#define WORKLOADS_ENGINE_RUN_H

#include "scratch.h"
#include "tally.h"

#include <ioduel/backend.h>
#include <ioduel/workload.h>
#include <stdbool.h>

struct runner;

struct runner_config {
	const struct workload *workload;
	const struct param_set *params;
	const struct scratch *scratch;
	const struct backend *backend;
	const char *fault; // for backend_fault
	int notify_fd;	   // eventfd, written when a turn is over
};

// An I/O that went wrong.
struct runner_fault {
	int64_t t_ns;
	uint64_t offset;
	uint32_t length;
	enum io_op op;
	int32_t result; // bytes of a short transfer or -errno
};

// A turn fails when more I/Os than this went wrong in it.
#define RUNNER_FAULTS_MAX 10

struct runner_end {
	int status;	     // 0 or -errno
	struct runner_fault last; // where status != 0
	bool too_many;	     // status came from more faults than the bound allows
	bool paused;	     // by runner_pause, before the slice was complete
	int64_t start_ns, count_start_ns, count_end_ns, end_ns, submit_end_ns;
	uint64_t user_us, sys_us; // of the process, in the counted part
	uint64_t backlog;
};

// Starts the threads and opens the backend in each. -ENOSYS, -EPERM ... if the backend cannot be had.
int runner_new(const struct runner_config *config, struct runner **ret, struct error *err);

// In use: may be less than asked for (backend_sync carries one at a time).
uint32_t runner_depth(const struct runner *r);

// When the running turn began.
int64_t runner_start_ns(const struct runner *r);

// Begins a turn; none may be running.
void runner_go(struct runner *r, int64_t settle_ns, int64_t slice_ns);

// Ends the turn before its time. Returns at once.
void runner_pause(struct runner *r);

// True once all threads are through with the turn (notify_fd was written).
bool runner_finished(struct runner *r);

// The phase that is running now, and since when; for intervals in which no thread had anything to say.
enum tally_phase runner_phase(const struct runner *r, int64_t *ret_since_ns);

// Merges what the threads have published into by_phase; t0_ns/t1_ns of a phase are
// the earliest and latest seen (t1_ns 0 = nothing). Returns whether there was anything.
bool runner_collect(struct runner *r, struct tally by_phase[TALLY_PHASES]);

// Takes one recorded fault; false if there is none.
bool runner_take_fault(struct runner *r, struct runner_fault *ret);

// After runner_finished.
void runner_end(struct runner *r, struct runner_end *ret);

// Ends the threads. Where one hangs in the kernel, it is left behind after wait_ns
// and false is returned: the process must then exit without touching the runner.
bool runner_free(struct runner *r, int64_t wait_ns);

#endif
