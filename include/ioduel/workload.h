// SPDX-License-Identifier: MIT
// The workload table: what can be run on a target. Two shapes: a block
// workload yields one I/O intent after another and the engine carries them
// out; a pass workload does one whole pass by itself (bonnie's phases, a
// command, a fio job) and reports its figures by name.
#ifndef IODUEL_WORKLOAD_H
#define IODUEL_WORKLOAD_H

#include <ioduel/error.h>
#include <ioduel/param.h>
#include <ioduel/target.h>
#include <stdint.h>

enum workload_shape { WORKLOAD_BLOCK, WORKLOAD_PASS };

// What the plan needs to know of a workload (METHOD.md 3.1).
enum workload_traffic { TRAFFIC_READS, TRAFFIC_WRITES, TRAFFIC_WHOLE_RUNS };

enum io_op { IO_READ, IO_WRITE, IO_FSYNC, IO_FDATASYNC };

#define IO_DSYNC 1u // flag of a write: done only when it is durable (RWF_DSYNC)

struct io_intent {
	enum io_op op;
	uint64_t offset; // bytes from the start of the scratch area
	uint32_t length; // bytes, 0 for syncs
	uint32_t flags;	 // IO_DSYNC
};

// What a run with these parameters comes to, before anything is touched.
struct workload_needs {
	uint64_t space_bytes;	 // that must be free on the target
	uint64_t layout_bytes;	 // written once while preparing
	uint64_t files;		 // names that are created, 0 = none
	enum workload_traffic traffic;
	int reads, writes;	 // whether the measured part reads or writes at all
	int buffered;		 // goes through the page cache
	int open_loop;		 // rate= was given
	const char *primary;	 // name of the primary metric ("iops")
	uint32_t queue_depth;	 // in flight per thread
	uint32_t threads;
};

struct block_ops {
	// Prepares the generator state of one thread (size block_state_bytes) for a scratch area.
	int (*init)(void *state, const struct param_set *params, uint64_t area_bytes,
		    unsigned thread, unsigned n_threads, struct error *err);
	// The next intent. Never fails, never allocates, never makes a system call.
	void (*next)(void *state, struct io_intent *ret);
	uint32_t state_bytes;
	uint32_t fresh; // 1: every turn starts with an empty scratch file, and init() is called for it anew
};

struct pass; // engine-side context of a pass workload, see workloads/engine/pass.h

struct pass_ops {
	int (*prepare)(struct pass *pass, struct error *err); // may be NULL
	int (*run)(struct pass *pass, struct error *err);     // one whole pass
	void (*cleanup)(struct pass *pass);		      // may be NULL
};

struct workload {
	const char *name;
	const char *summary; // one line
	enum workload_shape shape;
	const struct param_spec *params; // ends with a NULL name
	// Completes params that have a worked-out default and says what the run needs.
	int (*needs)(struct param_set *params, const struct target_info *target,
		     struct workload_needs *ret, struct error *err);
	const struct block_ops *block; // shape WORKLOAD_BLOCK
	const struct pass_ops *pass;   // shape WORKLOAD_PASS
};

// All workloads; NULL-terminated.
extern const struct workload *const workload_table[];
const struct workload *workload_find(const char *name); // NULL if there is none

// A named combination: workload and its keys.
struct workload_preset {
	const char *name;
	const char *summary;
	const char *workload;
	const char *list; // "key=value,..."
};

extern const struct workload_preset workload_presets[]; // ends with a NULL name

// Parses "NAME[:key=value,...]" into a full set with defaults. A comma inside
// a value is written as "\,", or the value is quoted with "...". A preset's name is replaced by
// its combination. Sentences name the workload, the key, what is allowed and the nearest known key.
int workload_parse(const char *text, struct param_set *ret, struct error *err);

// Sets "key=value" over a parsed set (--set-a, --set-b).
int workload_override(struct param_set *set, const char *assignment, struct error *err);

// "randread bs=4k qd=32 direct": the parameters that the user gave or that matter.
void workload_format(const struct param_set *set, char *buf, size_t size);

// Writes a set as the body of wire_setup.params (every value written out; a value that the user
// did not give is marked, so that a worker may fall back from it). -E2BIG if it does not fit.
int workload_encode(const struct param_set *set, char *buf, size_t size);
int workload_decode(const char *text, struct param_set *ret, struct error *err);

// needs() of the set's workload, plus the common checks: space with 5 % to
// spare, direct=1 possible, writable. -errno with exit status EXIT_REFUSED or EXIT_USAGE.
int workload_check(struct param_set *set, const struct target_info *target,
		   struct workload_needs *ret, struct error *err);

#endif
