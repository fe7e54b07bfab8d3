// SPDX-License-Identifier: MIT
// Stretches of work and their ring; see tally.h. Rule: nothing here waits.
#include "tally.h"

#include <string.h>

void
tally_init(struct tally *t)
{
	memset(t, 0, sizeof(*t));
	for (int c = 0; c < WIRE_CLASSES; c++)
		hist_init(&t->lat[c]);
}

void
tally_merge(struct tally *dst, const struct tally *src)
{
	for (int c = 0; c < WIRE_CLASSES; c++) {
		dst->ops[c] += src->ops[c];
		dst->bytes[c] += src->bytes[c];
		if (src->lat[c].count)
			hist_merge(&dst->lat[c], &src->lat[c]);
	}
	dst->errors += src->errors;
	dst->short_ios += src->short_ios;
}

void
tally_ring_init(struct tally_ring *ring)
{
	atomic_store(&ring->head, 0);
	atomic_store(&ring->tail, 0);
	for (unsigned i = 0; i < TALLY_SLOTS; i++)
		tally_init(&ring->slot[i]);
}

struct tally *
tally_ring_peek(struct tally_ring *ring)
{
	uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
		return NULL;
	return &ring->slot[tail % TALLY_SLOTS];
}

void
tally_ring_release(struct tally_ring *ring)
{
	uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	tally_init(&ring->slot[tail % TALLY_SLOTS]);
	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}
