// SPDX-License-Identifier: MIT
// What one thread did in one stretch of time, and the ring through which the
// thread hands these stretches to the one that reports. One writer, one
// reader, no lock; the reader gives slots back emptied, so that the writer
// never clears anything. Invariant: a tally lies in one phase of its turn.
#ifndef WORKLOADS_ENGINE_TALLY_H
#define WORKLOADS_ENGINE_TALLY_H

#include <ioduel/hist.h>
#include <ioduel/wire.h>
#include <stdatomic.h>
#include <stdint.h>

enum tally_phase { TALLY_SETTLE, TALLY_COUNTED, TALLY_DRAIN, TALLY_PHASES };

struct tally {
	int64_t t0_ns, t1_ns;
	enum tally_phase phase;
	uint64_t ops[WIRE_CLASSES], bytes[WIRE_CLASSES];
	uint64_t errors, short_ios;
	uint64_t inflight, backlog; // gauges at t1
	struct hist lat[WIRE_CLASSES];
};

void tally_init(struct tally *t);
void tally_merge(struct tally *dst, const struct tally *src);

#define TALLY_SLOTS 8u
// Free slots that ordinary ticks leave for the ends of phases.
#define TALLY_RESERVE 4u

struct tally_ring {
	_Atomic uint32_t head; // next to be published, written by the thread
	_Atomic uint32_t tail; // next to be consumed, written by the reader
	struct tally slot[TALLY_SLOTS];
};

void tally_ring_init(struct tally_ring *ring);

static inline struct tally *
tally_ring_current(struct tally_ring *ring)
{
	return &ring->slot[atomic_load_explicit(&ring->head, memory_order_relaxed) % TALLY_SLOTS];
}

// Publishes the current slot if more than reserve others are free; returns the slot to go on with.
static inline struct tally *
tally_ring_publish(struct tally_ring *ring, uint32_t reserve)
{
	uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint32_t used = head - atomic_load_explicit(&ring->tail, memory_order_acquire) + 1;
	if (TALLY_SLOTS - used > reserve)
		atomic_store_explicit(&ring->head, ++head, memory_order_release);
	return &ring->slot[head % TALLY_SLOTS];
}

// The oldest published slot, or NULL; give it back with tally_ring_release.
struct tally *tally_ring_peek(struct tally_ring *ring);
void tally_ring_release(struct tally_ring *ring);

#endif
