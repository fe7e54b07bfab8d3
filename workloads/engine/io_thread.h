// SPDX-License-Identifier: MIT
// What the runner and its I/O threads share. Rule: fields without a comment
// about atomics are written by one side only while the other waits.
#ifndef WORKLOADS_ENGINE_IO_THREAD_H
#define WORKLOADS_ENGINE_IO_THREAD_H

#include "content.h"
#include "pace.h"
#include "run.h"

#include <pthread.h>
#include <stdatomic.h>

#define RUNNER_TICK_NS (100 * INT64_C(1000000))
#define RUNNER_FAULT_SLOTS 16u

struct io_thread {
	pthread_t id;
	struct runner *runner;
	unsigned index;
	int open_result; // of the backend
	struct error open_error;
	const struct block_ops *block;
	void *generator;
	const struct backend *backend;
	void *backend_state;
	uint32_t depth;
	struct content content;
	struct io_request *requests;
	struct io_request **free_ring, **batch, **done;
	uint32_t free_first, free_end; // the longest free slot goes first, so that content comes back late
	bool broken; // the backend itself failed: what is in flight will never be reaped
	uint32_t n_free, n_done; // n_done: reaped at now, not yet recorded
	struct pace pace;
	struct tally *current;
	enum tally_phase phase;
	int64_t tick_ns; // end of the current tally, unless a phase ends before
	struct runner_fault fault[RUNNER_FAULT_SLOTS];
	_Atomic uint32_t fault_head, fault_tail;
	struct tally_ring ring;
};

struct runner {
	struct runner_config config;
	unsigned n_threads;
	struct io_thread **thread;
	bool gated; // buffered writes: fdatasync opens and closes the counted part
	_Atomic int64_t fresh_ns; // when the file was emptied, for workloads that want that

	pthread_mutex_t lock; // for the four below
	pthread_cond_t changed;
	unsigned n_opened, turn;
	bool quit;
	unsigned gate_arrived, gate_passed;

	int64_t start_ns, settle_end_ns, slice_end_ns;
	_Atomic int64_t end_ns; // of the slice, or when PAUSE came
	_Atomic int64_t submit_end_ns;
	_Atomic int64_t count_start_ns, count_end_ns; // 0 = not (yet)
	_Atomic uint32_t n_entered, n_left, n_finished, n_faults;
	_Atomic int32_t status;
	_Atomic uint64_t backlog;
	struct runner_fault last_fault; // written once, by the thread that set status
	int64_t end_of_turn_ns;
	uint64_t user_us[2], sys_us[2]; // at the start and the end of the counted part
};

// Body of a thread; argument: its struct io_thread.
void *io_thread_main(void *arg);

// User and system time of the process and its reaped children in µs.
void run_usage(uint64_t *ret_user_us, uint64_t *ret_sys_us);

// Allocates what a thread needs; 0 or -ENOMEM.
int io_thread_prepare(struct io_thread *t, uint32_t depth, uint32_t block_bytes, struct error *err);
void io_thread_release(struct io_thread *t);

#endif
