// SPDX-License-Identifier: MIT
// Text on its way to the terminal: UTF-8 is decoded, and whatever a terminal
// could obey (control characters, broken bytes, direction overrides) comes out
// as a visible escape. Nothing else turns foreign bytes into cells.
#ifndef IODUEL_SCREEN_TEXT_H
#define IODUEL_SCREEN_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_PIECE_MAX 12
struct text_piece {
	int n;			     // code points
	uint32_t ch[TEXT_PIECE_MAX]; // one character, or the characters of an escape
	int width;		     // columns of the whole piece; 0 = combines with the one before
};

// Decodes the piece at s and returns how many bytes it took; 0 at the end.
size_t text_next(const char *s, struct text_piece *ret);

// Columns that the whole string takes.
int text_width(const char *s);

// Columns of one code point: 0, 1 or 2.
int text_char_width(uint32_t ch);

// Writes ch as UTF-8 into buf (5 bytes at least, NUL-terminated); returns the length.
size_t text_encode(uint32_t ch, char *buf);

// The ASCII stand-in of a symbol of the screen's own; 0 where there is none.
uint32_t text_ascii(uint32_t ch);

#endif
