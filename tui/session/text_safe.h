// SPDX-License-Identifier: MIT
// Text of unknown origin made fit to be printed: names and contents of files may hold anything, and none of it
// may steer a terminal or become markup. Control characters, bytes that are not UTF-8, and characters that turn
// the direction of writing appear as \n, \x1b or \u202e.
#ifndef IODUEL_TEXT_SAFE_H
#define IODUEL_TEXT_SAFE_H

#include <stddef.h>
#include <stdio.h>

// Copies src to dst, escaped; cuts between characters where size is too small. Returns bytes written without the
// final NUL.
size_t text_safe_copy(char *dst, size_t size, const char *src);

// Prints src escaped.
void text_safe_write(FILE *out, const char *src);

// As fprintf, but what comes out is escaped, apart from newlines with which the format begins or ends. Others in the
// format would be escaped as well.
__attribute__((format(printf, 2, 3))) void text_safe_printf(FILE *out, const char *format, ...);

// Prints src as text or attribute value of XML and HTML: as above, and & < > " ' as entities.
void text_safe_markup(FILE *out, const char *src);

// True for a character that must not reach a terminal as it is.
int text_is_unsafe(unsigned code);

// Length in bytes of the UTF-8 character at s (0 for an invalid one) and its code point.
size_t text_utf8_decode(const char *s, unsigned *ret_code);

// Columns of src on a terminal, one per character (combining marks count nothing).
int text_columns(const char *src);

#endif
