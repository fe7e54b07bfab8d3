// SPDX-License-Identifier: MIT
// Records that must arrive, in order, although the socket may be full.
// Intervals can be merged and need no place here; the end of a turn cannot.
#ifndef WORKLOADS_ENGINE_OUTBOX_H
#define WORKLOADS_ENGINE_OUTBOX_H

#include <ioduel/wire.h>
#include <stdbool.h>

struct outbox_item {
	struct outbox_item *next;
	enum wire_type type;
	int fd; // passed along, not owned; -1 = none
	size_t length;
	_Alignas(8) char body[];
};

struct outbox {
	int sock;
	struct outbox_item *first, **last;
	unsigned n;
};

void outbox_init(struct outbox *box, int sock);

// Sends now or keeps a copy. A note is dropped when very many wait already.
void outbox_send(struct outbox *box, enum wire_type type, const void *body, size_t length, int fd);

// Sends what waits, as far as the socket takes it. True if nothing waits any more.
bool outbox_flush(struct outbox *box);

void outbox_fini(struct outbox *box);

#endif
