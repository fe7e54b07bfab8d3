// SPDX-License-Identifier: MIT
// The drain gate between slices (doc/METHOD.md): waits until the devices of
// both targets have settled, and times it. A pure state machine: facts from
// samples go in, a state comes out.
#ifndef IODUEL_GATE_H
#define IODUEL_GATE_H

#include <stdint.h>

#define GATE_LEAVES_MAX 128
#define GATE_LIMIT_NS (INT64_C(30) * 1000000000)

enum gate_state { GATE_WAITING, GATE_PASSED, GATE_TIMED_OUT };

// What one sample says of every leaf device of both targets (each device once), and of the page cache.
struct gate_facts {
	int64_t t_ns;
	int n_leaves;
	struct gate_leaf {
		unsigned major, minor;
		int inflight_known, writes_known;
		uint64_t inflight;
		uint64_t write_sectors; // counter, 512 bytes each
	} leaf[GATE_LEAVES_MAX];
	int dirty_known;
	double dirty_bytes; // Dirty + Writeback
};

// The idle machine before the session, from two samples around an idle stretch.
struct gate_idle {
	int known;
	int n_leaves;
	struct {
		unsigned major, minor;
		double write_bytes_per_s;
	} leaf[GATE_LEAVES_MAX];
	int dirty_known;
	double dirty_bytes;
};

struct gate {
	int after_writes; // also wait for write-back; after reads only for I/O in flight
	int64_t begin_ns;
	struct gate_idle idle;
	unsigned char leaf_quiet[GATE_LEAVES_MAX]; // seen with nothing in flight
	struct gate_facts window;  // start of the current one-second window
	int have_window;
	enum gate_state state;
	int64_t drain_ns;	   // until it passed; grows while waiting
	char reason[160];	   // what it waits for: "vda: 3 requests in flight"
};

// from is the sample at the start of the idle stretch, to the one at its end.
void gate_idle_measure(const struct gate_facts *from, const struct gate_facts *to, struct gate_idle *ret);

void gate_init(struct gate *g, int after_writes, const struct gate_idle *idle, int64_t now_ns);

// Feeds one sample. A leaf whose figures are unknown is not waited for (a network target, a recorded machine).
enum gate_state gate_feed(struct gate *g, const struct gate_facts *facts);

#endif
