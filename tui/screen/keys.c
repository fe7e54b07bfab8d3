// SPDX-License-Identifier: MIT
// Bytes from a terminal to keys. Sequences are those of ECMA-48 terminals
// (xterm, tmux, screen, linux, vt100 and their kin), mouse reports are SGR's.
#include "screen/keys.h"

#include "screen/keymap.h"

#include <stdio.h>
#include <string.h>

size_t
keys_room(const struct keys *k)
{
	return sizeof(k->buf) - k->n;
}

void
keys_add(struct keys *k, const void *bytes, size_t n)
{
	if (n > keys_room(k))
		n = keys_room(k);
	memcpy(k->buf + k->n, bytes, n);
	k->n += n;
}

static int
take(struct keys *k, size_t n)
{
	memmove(k->buf, k->buf + n, k->n - n);
	k->n -= n;
	return 1;
}

static uint32_t
key_of_tilde(unsigned number)
{
	static const uint32_t table[] = {
		[1] = KEYC_HOME, [2] = KEYC_INSERT, [3] = KEYC_DELETE, [4] = KEYC_END, [5] = KEYC_PAGE_UP,
		[6] = KEYC_PAGE_DOWN, [7] = KEYC_HOME, [8] = KEYC_END, [11] = KEYC_F1, [12] = KEYC_F2, [13] = KEYC_F3,
		[14] = KEYC_F4, [15] = KEYC_F5, [17] = KEYC_F6, [18] = KEYC_F7, [19] = KEYC_F8, [20] = KEYC_F9,
		[21] = KEYC_F10, [23] = KEYC_F11, [24] = KEYC_F12,
	};

	return number < sizeof(table) / sizeof(table[0]) ? table[number] : 0;
}

static uint32_t
key_of_letter(unsigned char c)
{
	switch (c) {
	case 'A': return KEYC_UP;
	case 'B': return KEYC_DOWN;
	case 'C': return KEYC_RIGHT;
	case 'D': return KEYC_LEFT;
	case 'H': return KEYC_HOME;
	case 'F': return KEYC_END;
	case 'Z': return KEYC_BACK_TAB;
	case 'P': return KEYC_F1;
	case 'Q': return KEYC_F2;
	case 'R': return KEYC_F3;
	case 'S': return KEYC_F4;
	case 'M': return KEYC_ENTER;
	default: return 0;
	}
}

// A mouse report "\e[<b;x;yM"; text ends with 'M' (press) or 'm' (release).
static void
decode_mouse(const char *text, struct input *ret)
{
	unsigned button, x, y;
	char end;

	if (sscanf(text, "%3u;%5u;%5u%c", &button, &x, &y, &end) != 4 || end != 'M' || x == 0 || y == 0)
		return;
	if ((button & 0x43) == 0x40)
		ret->kind = INPUT_WHEEL_UP;
	else if ((button & 0x43) == 0x41)
		ret->kind = INPUT_WHEEL_DOWN;
	else if ((button & 0x63) == 0)
		ret->kind = INPUT_CLICK;
	ret->x = (int)x - 1;
	ret->y = (int)y - 1;
}

static void
decode_csi(const struct keys *k, size_t length, struct input *ret)
{
	unsigned char last = k->buf[length - 1];
	char text[64];
	unsigned number = 0;

	snprintf(text, sizeof(text), "%.*s", length - 2 < 63 ? (int)(length - 2) : 63, (const char *)k->buf + 2);
	if (text[0] == '<') {
		decode_mouse(text + 1, ret);
		return;
	}
	if (last == '~' && sscanf(text, "%3u", &number) == 1)
		ret->key = key_of_tilde(number);
	else if (text[0] == '[' && last >= 'A' && last <= 'E') // linux console: \e[[A is F1
		ret->key = (uint32_t)KEYC_F1 + last - 'A';
	else
		ret->key = key_of_letter(last);
	if (ret->key)
		ret->kind = INPUT_KEY;
}

// Length of the sequence that begins with ESC [, 0 = not complete.
static size_t
csi_length(const struct keys *k)
{
	size_t i = 2;

	if (k->n > 2 && k->buf[2] == '[')
		return k->n > 3 ? 4 : 0;
	while (i < k->n && k->buf[i] >= 0x20 && k->buf[i] < 0x40)
		i++;
	if (i >= k->n)
		return k->n == sizeof(k->buf) ? k->n : 0;
	return i + 1;
}

static int
escape_next(struct keys *k, int final, struct input *ret)
{
	size_t length;

	if (k->n == 1) {
		if (!final)
			return 0;
		*ret = (struct input){INPUT_KEY, KEYC_ESC, 0, 0};
		return take(k, 1);
	}
	if (k->buf[1] == '[') {
		length = csi_length(k);
		if (length == 0) {
			if (!final)
				return 0;
			length = k->n; // a sequence that never ended
			return take(k, length);
		}
		// X10 mouse reports have three more bytes
		if (length == 3 && k->buf[2] == 'M') {
			if (k->n < 6 && !final)
				return 0;
			return take(k, k->n < 6 ? k->n : 6);
		}
		decode_csi(k, length, ret);
		return take(k, length);
	}
	if (k->buf[1] == 'O') {
		if (k->n < 3 && !final)
			return 0;
		if (k->n >= 3) {
			ret->key = key_of_letter(k->buf[2]);
			ret->kind = ret->key ? INPUT_KEY : INPUT_NONE;
		}
		return take(k, k->n < 3 ? k->n : 3);
	}
	// Alt and a key: the Esc is one, the key the next
	*ret = (struct input){INPUT_KEY, KEYC_ESC, 0, 0};
	return take(k, 1);
}

int
keys_next(struct keys *k, int final, struct input *ret)
{
	unsigned char c;
	size_t n;
	uint32_t ch;

	*ret = (struct input){INPUT_NONE, 0, 0, 0};
	if (k->n == 0)
		return 0;
	c = k->buf[0];
	if (c == KEYC_ESC)
		return escape_next(k, final, ret);
	n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 1;
	if (k->n < n && !final)
		return 0;
	ch = n == 1 ? c : c & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if (i >= k->n || (k->buf[i] & 0xc0) != 0x80)
			return take(k, i); // broken: dropped
		ch = ch << 6 | (k->buf[i] & 0x3fu);
	}
	if (n == 1 && c >= 0x80)
		return take(k, 1);
	ret->kind = INPUT_KEY;
	ret->key = ch == '\n' ? KEYC_ENTER : ch == 8 ? KEYC_BACKSPACE : ch;
	return take(k, n);
}
