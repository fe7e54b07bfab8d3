// SPDX-License-Identifier: MIT
// Text on its way to the terminal: decoding and escaping. One rule: no byte of
// a foreign string reaches a cell but through text_next.
#include "screen/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

// Direction overrides and other invisible formatting can make a path read as another one.
static bool
is_deceptive(uint32_t ch)
{
	return (ch >= 0x200b && ch <= 0x200f) || (ch >= 0x2028 && ch <= 0x202e) || (ch >= 0x2060 && ch <= 0x206f) ||
	       ch == 0xfeff || ch == 0x61c || (ch >= 0xfff9 && ch <= 0xfffb) || (ch >= 0xe0000 && ch <= 0xe0fff) ||
	       (ch >= 0xe000 && ch <= 0xf8ff);
}

// Length of the well-formed sequence at s, 0 if it is none.
static size_t
decode(const unsigned char *s, uint32_t *ret)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 :
		   s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
	uint32_t ch = n == 1 ? s[0] : n == 0 ? 0 : s[0] & (0xffu >> (n + 1));

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		ch = ch << 6 | (s[i] & 0x3fu);
	}
	if (n == 0 || ch > 0x10ffff || (n > 1 && ch < smallest[n]) || (ch >= 0xd800 && ch <= 0xdfff))
		return 0;
	*ret = ch;
	return n;
}

static void
set_escape(struct text_piece *ret, const char *fmt, unsigned value)
{
	char buf[TEXT_PIECE_MAX + 1];

	snprintf(buf, sizeof(buf), fmt, value);
	ret->n = 0;
	for (int i = 0; buf[i] && i < TEXT_PIECE_MAX; i++)
		ret->ch[ret->n++] = (unsigned char)buf[i];
	ret->width = ret->n;
}

int
text_char_width(uint32_t ch)
{
	int width;

	if (ch < 0x300)
		return 1;
	width = wcwidth((wchar_t)ch);
	// -1: not known to the locale; it will be shown as one column, whatever it is
	return width < 0 ? 1 : width;
}

size_t
text_next(const char *s, struct text_piece *ret)
{
	uint32_t ch = 0;
	size_t n;

	if (!*s)
		return 0;
	n = decode((const unsigned char *)s, &ch);
	if (n == 0) {
		set_escape(ret, "\\x%02x", (unsigned char)*s);
		return 1;
	}
	if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0)) {
		set_escape(ret, "\\x%02x", ch);
	} else if (is_deceptive(ch)) {
		set_escape(ret, "\\u%04x", ch);
	} else {
		ret->n = 1;
		ret->ch[0] = ch;
		ret->width = text_char_width(ch);
	}
	return n;
}

int
text_width(const char *s)
{
	struct text_piece piece;
	int width = 0;

	for (size_t n; (n = text_next(s, &piece)) > 0; s += n)
		width += piece.width;
	return width;
}

size_t
text_encode(uint32_t ch, char *buf)
{
	size_t n = ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = n - 1; i > 0; i--) {
		buf[i] = (char)(0x80 | (ch & 0x3f));
		ch >>= 6;
	}
	buf[0] = (char)(n == 1 ? ch : lead[n] | ch);
	buf[n] = '\0';
	return n;
}

uint32_t
text_ascii(uint32_t ch)
{
	static const struct { uint32_t from; char to; } table[] = {
		{0x2500, '-'}, {0x2501, '='}, {0x2502, '|'}, {0x2503, '|'}, {0x250c, '+'}, {0x2510, '+'}, {0x2514, '+'},
		{0x2518, '+'}, {0x251c, '+'}, {0x2524, '|'}, {0x252c, '+'}, {0x2534, '+'}, {0x253c, '+'}, {0x256d, '+'},
		{0x256e, '+'}, {0x256f, '+'}, {0x2570, '+'}, {0x2013, '-'}, {0x2014, '-'}, {0x2026, '~'}, {0xb5, 'u'},
		{0xd7, 'x'}, {0x25b6, '>'}, {0x25b2, '^'}, {0x25bc, 'v'}, {0x25cf, 'o'}, {0x25c6, '*'}, {0x25c7, '.'},
		{0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x2588, '#'}, {0x2591, '.'}, {0x2592, ':'},
		{0x2593, '%'}, {0x2595, '['}, {0x258f, ']'}, {0x2022, '*'}, {0x2502, '|'}, {0xb1, '~'}, {0x2212, '-'},
		{0x2714, 'v'}, {0x2717, 'x'}, {0x251d, '+'}, {0x2525, '+'}, {0x2506, ':'}, {0x254c, '-'}, {0xb7, '.'},
		{0x2264, '<'}, {0x2265, '>'}, {0x258c, '|'}, {0x2584, '#'}, {0x2580, '#'}, {0x25b8, '>'}, {0x25be, 'v'},
		{0x2713, 'v'}, {0x2565, '|'}, {0x2578, '-'}, {0x257a, '-'}, {0x2581, '_'},
	};

	if (ch < 0x80)
		return ch;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].from == ch)
			return (unsigned char)table[i].to;
	return 0;
}
