// SPDX-License-Identifier: MIT
// Bytes from a terminal to keys and mouse events. Pure; whatever comes in, no
// byte is lost for the next key and no sequence is ever taken for text.
#ifndef IODUEL_SCREEN_KEYS_H
#define IODUEL_SCREEN_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum input_kind { INPUT_NONE, INPUT_KEY, INPUT_CLICK, INPUT_WHEEL_UP, INPUT_WHEEL_DOWN };

struct input {
	enum input_kind kind;
	uint32_t key; // Unicode or enum key_code
	int x, y;     // cells, from 0
};

struct keys {
	unsigned char buf[512];
	size_t n;
};

// Room left for more bytes, and adding them.
size_t keys_room(const struct keys *k);
void keys_add(struct keys *k, const void *bytes, size_t n);

// Takes one event. 1 and *ret; 0 when nothing complete is there. final: no more
// bytes are to be expected now, so that a lone Esc is the key Esc.
int keys_next(struct keys *k, int final, struct input *ret);

#endif
