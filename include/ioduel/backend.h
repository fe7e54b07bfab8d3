// SPDX-License-Identifier: MIT
// The backend table: how intents reach the kernel. One instance per thread;
// no allocation and no lock between open and close.
#ifndef IODUEL_BACKEND_H
#define IODUEL_BACKEND_H

#include <ioduel/error.h>
#include <ioduel/workload.h>
#include <stdint.h>

struct io_request {
	struct io_intent intent;
	void *buffer; // inside the buffer of its slot
	uint32_t slot;	   // 0 .. queue_depth-1, chosen by the engine
	int64_t due_ns;	   // scheduled time of an open loop, else 0
	int64_t start_ns;  // when it was handed over
	int32_t result;	   // bytes or negative errno
};

struct backend_config {
	int fd;
	uint32_t queue_depth;
	uint32_t buffer_bytes;	 // size of each of queue_depth buffers; a request's lies anywhere in that of its slot
	void *buffers;		 // queue_depth * buffer_bytes, page aligned
	int iopoll, sqpoll;
	const char *fault;	 // what backend_fault does: "eio=N,...", NULL = nothing
};

struct backend {
	const char *name;
	uint32_t max_depth; // requests in flight that it can carry, 0 = any
	// -ENOSYS or -EPERM where the kernel forbids it (the engine then falls back and says so).
	int (*open)(const struct backend_config *config, void **ret_state, struct error *err);
	// Takes n requests; starts them, at the latest in the reap that follows. 0 or -errno
	// (of the interface, not of an I/O).
	int (*submit)(void *state, struct io_request *const *requests, unsigned n);
	// Waits for at least min completions, at most for wait_ns; fills done with at most max.
	// Returns how many (fewer than min after wait_ns or a signal), or -errno.
	int (*reap)(void *state, unsigned min, int64_t wait_ns, struct io_request **done, unsigned max);
	void (*close)(void *state);
};

extern const struct backend backend_uring, backend_sync, backend_null, backend_fault;
extern const struct backend *const backend_table[]; // NULL-terminated
const struct backend *backend_find(const char *name);

#endif
