// SPDX-License-Identifier: MIT
// The worker process: one target, one workload, turn after turn, driven by
// records on a socket. Its main thread only talks; laying out files is a job
// of a second thread, I/O is the runner's.
#ifndef WORKLOADS_ENGINE_WORKER_H
#define WORKLOADS_ENGINE_WORKER_H

#include "outbox.h"
#include "pass_run.h"
#include "run.h"

#include <ioduel/wire.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum worker_job { JOB_NONE, JOB_SETUP, JOB_REMAKE, JOB_DROP_CACHE };

// What a turn has shown so far, on its way to the socket.
struct worker_turn {
	bool running;
	uint32_t number;
	int64_t sent_until_ns, heard_ns;
	bool blocked; // the socket was full: the next interval is a merged one
	struct tally pending[TALLY_PHASES];
	uint64_t user_us, sys_us; // of the process, at the last interval
	bool cpu_unknown;	  // what was used since then
	uint64_t ops[WIRE_CLASSES], bytes[WIRE_CLASSES], errors; // of the counted part
};

struct worker {
	int sock, timer_fd, notify_fd, signal_fd;
	bool quit;
	struct outbox outbox;

	struct wire_setup setup;
	int shared_fd; // as it came with SETUP, -1 = none
	struct param_set params;
	const struct workload *workload;
	struct target_info target;
	struct workload_needs needs;
	struct scratch scratch;
	struct scratch_progress progress;
	struct runner *runner; // of a block workload
	struct pass *_Atomic pass; // of a pass workload; set by the second thread
	const struct backend *backend;
	bool ready, given_back;
	char sentence[512];
	bool shallower; // fewer I/Os in flight than asked for

	enum worker_job job; // of the second thread
	pthread_t job_thread;
	_Atomic bool job_done;
	int job_result;
	struct error job_error;

	struct worker_turn turn;
};

// Runs until end-of-file on sock, QUIT or SIGTERM. The exit status.
int worker_run(int sock);

// The job of the second thread: files, descriptors, rings. 0 or -errno with a sentence.
int worker_prepare(struct worker *w, struct error *err);
// Gives all of it back. False: a thread hangs in the kernel, only _exit is left.
bool worker_release(struct worker *w);

// A turn: begins, reports what there is (every tick and at the end), ends.
void worker_turn_go(struct worker *w, const struct wire_go *go);
void worker_turn_stop(struct worker *w);
void worker_turn_report(struct worker *w);
void worker_turn_end(struct worker *w);

void worker_note(struct worker *w, enum wire_note_kind kind, int64_t t_ns, const char *text);

#endif
