// SPDX-License-Identifier: MIT
// Messages between ioduel and ioduel-worker. One message is one record of a
// SEQPACKET socket: a header and a fixed-layout body, little-endian, no
// pointers, so that a worker could sit on another host. End-of-file is the
// death notice. The worker knows one target and turns; it knows no sides.
#ifndef IODUEL_WIRE_H
#define IODUEL_WIRE_H

#include <ioduel/error.h>
#include <ioduel/hist.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WIRE_VERSION 2
#define WIRE_MAX_BYTES (96 * 1024)

enum wire_type {
	// to the worker
	WIRE_SETUP = 1, // struct wire_setup; may carry one descriptor (a scratch file to share)
	WIRE_GO,	// struct wire_go
	WIRE_PAUSE,	// end the turn: stop submitting, drain, TURN_END
	WIRE_REMAKE,	// make the files anew; answers PROGRESS..., READY
	WIRE_DROP_CACHE, // fadvise(DONTNEED) on the scratch files; answers READY
	WIRE_QUIT,	// drain, remove, exit
	// from the worker
	WIRE_PROGRESS = 64, // struct wire_progress
	WIRE_READY,	// struct wire_ready; may carry the scratch file's descriptor
	WIRE_INTERVAL,	// struct wire_interval + sparse histograms
	WIRE_TURN_END,	// struct wire_turn_end
	WIRE_NOTE,	// struct wire_note: a sentence, an output line, a phase mark
	WIRE_FAILED,	// struct wire_note: the worker cannot go on; it exits. turn holds the exit status, 0 = the caller's default
};

struct wire_header {
	uint16_t version;
	uint16_t type;
	uint32_t length; // of the body
};

struct wire_setup {
	uint32_t allow;	     // enum target_allow
	uint32_t share_file; // 1: use the descriptor that came along; 2: send yours with READY
	uint32_t side_letter; // 'a' or 'b', only to be passed on to a command's environment
	uint32_t flags;
	char path[4096];
	char params[20 * 1024]; // "workload\nkey=value\n...", every value written out
};

struct wire_go {
	uint32_t turn;	   // number chosen by ioduel, echoed in everything about this turn
	uint32_t flags;	   // WIRE_GO_*
	int64_t settle_ns; // not counted; the counted part begins after it
	int64_t slice_ns;  // whole turn, settle included; 0 = until PAUSE
};

struct wire_progress {
	uint64_t done, total; // bytes or files
	char what[64];	      // "laying out files"
};

struct wire_ready {
	uint64_t scratch_bytes;
	uint32_t direct;      // 1 = direct I/O really in use
	uint32_t whole_run;   // pass workload: a turn ends by itself
	uint32_t shallower;   // 1 = fewer I/Os in flight than the user asked for
	char backend[32];     // in use
	char sentence[512];   // what the user should know (no direct, fallback), or ""
};

#define WIRE_COUNTED 1u	 // the interval lies in the counted part of its turn
#define WIRE_MERGED 2u	 // several intervals, merged because the reader was slow
#define WIRE_DRAIN 4u	 // after the slice: waiting for I/O in flight, fdatasync
#define WIRE_CPU_UNKNOWN 8u // a child ran in it, whose CPU time is known only once it has ended: user_us and sys_us say nothing

enum wire_class { WIRE_READS, WIRE_WRITES, WIRE_SYNCS, WIRE_CLASSES };

struct wire_interval {
	uint32_t turn;
	uint32_t flags;
	int64_t t0_ns, t1_ns; // CLOCK_MONOTONIC
	uint64_t ops[WIRE_CLASSES];
	uint64_t bytes[WIRE_CLASSES];
	uint64_t errors, short_ios;
	uint64_t inflight; // at t1
	uint64_t backlog;  // open loop: due but not handed over at t1
	uint64_t user_us, sys_us; // of the worker and its reaped children, in this interval
	uint32_t hist_entries[WIRE_CLASSES]; // entries that follow, class after class
	uint64_t lat_sum_ns[WIRE_CLASSES], lat_min_ns[WIRE_CLASSES], lat_max_ns[WIRE_CLASSES];
	// followed by struct wire_hist_entry[]. In an open loop the last counted interval also has, in its
	// histogram only, the ages of the I/Os that were due or in flight and not done.
};

struct wire_hist_entry {
	uint32_t index, count;
};

#define WIRE_RESULTS_MAX 96
// State of a named figure of a pass workload.
enum wire_result_state { WIRE_RESULT_OK, WIRE_RESULT_NOT_RUN, WIRE_RESULT_TOO_FAST };

struct wire_result {
	char name[32];
	double value;
	uint32_t state;
	uint32_t spare;
};

struct wire_turn_end {
	uint32_t turn;
	int32_t status;	     // 0 done; > 0 exit status of a command; < 0 -errno
	uint32_t n_results;  // named figures (pass workloads)
	uint32_t stopped;    // 1: ended by PAUSE before its slice was complete
	int64_t start_ns, count_start_ns, count_end_ns, end_ns; // count_*: 0 = nothing counted
	int64_t drain_ns;    // from the end of submitting to the last completion
	uint64_t ops[WIRE_CLASSES], bytes[WIRE_CLASSES]; // of the counted part
	uint64_t errors;
	uint64_t backlog;    // open loop: operations still due at the end
	uint64_t user_us, sys_us; // of the counted part
	uint64_t unsynced_bytes; // buffered writes that no sync has covered
	char sentence[256];  // reason when status != 0
	struct wire_result result[WIRE_RESULTS_MAX];
};

enum wire_note_kind { WIRE_NOTE_INFO, WIRE_NOTE_WARNING, WIRE_NOTE_ERROR, WIRE_NOTE_OUTPUT, WIRE_NOTE_PHASE };

struct wire_note {
	uint32_t kind; // enum wire_note_kind
	uint32_t turn;
	int64_t t_ns;
	char text[1024];
};

// Sends one message; fd_to_pass -1 = none. 0, -EAGAIN when the socket is full, or -errno.
int wire_send(int sock, enum wire_type type, const void *body, size_t length, int fd_to_pass);

// Receives one message into buf (WIRE_MAX_BYTES). Returns the body's length,
// 0 with *ret_type = 0 on end-of-file, -EAGAIN, -EPROTO for a record of another version
// or a wrong length, or -errno. *ret_fd gets a passed descriptor (owned by the caller) or -1.
ssize_t wire_recv(int sock, void *buf, size_t size, enum wire_type *ret_type, int *ret_fd);

// Packs an interval and its histograms into buf (WIRE_MAX_BYTES, 8-byte aligned), filling in the
// histogram fields of the interval. Returns the body's length.
size_t wire_pack_interval(struct wire_interval *interval, const struct hist *const hist[WIRE_CLASSES], void *buf);

// Checks the body of an interval (8-byte aligned) and unpacks its histograms. -EPROTO if it lies.
int wire_unpack_interval(const void *body, size_t length, struct wire_interval *ret,
			 struct hist *ret_hist[WIRE_CLASSES]);

// A started worker. The caller owns sock and pidfd.
struct worker_handle {
	pid_t pid;
	int sock;
	int pidfd;
};

// Starts the worker binary: signals reset, descriptors closed, own process group, dies with
// the parent. program NULL: $IODUEL_WORKER, else ioduel-worker beside the running program,
// else in libexec. Returns 0 or -errno (of fork, or of exec as seen in the child).
int worker_launch(const char *program, struct worker_handle *ret, struct error *err);

#endif
