// SPDX-License-Identifier: MIT
// Records that must arrive; see outbox.h. Rule: it never blocks.
#include "outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_MAX 256u

void
outbox_init(struct outbox *box, int sock)
{
	*box = (struct outbox){ .sock = sock };
	box->last = &box->first;
}

bool
outbox_flush(struct outbox *box)
{
	while (box->first) {
		struct outbox_item *item = box->first;
		int r = wire_send(box->sock, item->type, item->body, item->length, item->fd);
		if (r == -EAGAIN)
			return false;
		// Sent, or nobody is there any more; the owner sees the end-of-file.
		box->first = item->next;
		if (!box->first)
			box->last = &box->first;
		box->n--;
		free(item);
	}
	return true;
}

void
outbox_send(struct outbox *box, enum wire_type type, const void *body, size_t length, int fd)
{
	if (outbox_flush(box) && wire_send(box->sock, type, body, length, fd) != -EAGAIN)
		return;
	if (type == WIRE_NOTE && box->n >= NOTES_MAX)
		return;
	struct outbox_item *item = malloc(sizeof(*item) + length);
	if (!item)
		return;
	*item = (struct outbox_item){ .type = type, .fd = fd, .length = length };
	if (length)
		memcpy(item->body, body, length);
	*box->last = item;
	box->last = &item->next;
	box->n++;
}

void
outbox_fini(struct outbox *box)
{
	while (box->first) {
		struct outbox_item *next = box->first->next;
		free(box->first);
		box->first = next;
	}
	outbox_init(box, -1);
}
