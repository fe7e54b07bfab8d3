// SPDX-License-Identifier: MIT
// Escaping of text for terminals and markup. One rule: what is not a printable character is shown as its number,
// never sent.
#include "session/text_safe.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

size_t
text_utf8_decode(const char *s, unsigned *ret_code)
{
	const unsigned char *p = (const unsigned char *)s;
	static const unsigned lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;
	if (n == 0 || p[0] == 0)
		return 0;
	if (n == 1) {
		*ret_code = p[0];
		return 1;
	}
	unsigned code = p[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < lowest[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return n;
}

// Characters that are valid but must not reach a terminal: C0, DEL, C1, line separators, direction marks,
// the byte order mark, and what is never a character.
int
text_is_unsafe(unsigned code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
	       (code >= 0xfff0 && code <= 0xfffb) || (code & 0xfffe) == 0xfffe || (code >= 0xe0000 && code < 0xe0080);
}

// Writes the next character of *src, escaped, to buf (at least 12 bytes) and moves *src on. 0 at the end.
static size_t
take(const char **src, char *buf)
{
	static const char letters[] = "abtnvfr";
	unsigned code = 0;
	size_t n = text_utf8_decode(*src, &code);
	if (n > 0 && !text_is_unsafe(code)) {
		memcpy(buf, *src, n);
		*src += n;
		return n;
	}
	unsigned char byte = (unsigned char)**src;
	if (byte == 0)
		return 0;
	*src += n > 0 ? n : 1;
	if (byte >= 7 && byte <= 13)
		return (size_t)snprintf(buf, 12, "\\%c", letters[byte - 7]);
	if (n <= 1)
		return (size_t)snprintf(buf, 12, "\\x%02x", byte);
	return (size_t)snprintf(buf, 12, code > 0xffff ? "\\U%06x" : "\\u%04x", code);
}

size_t
text_safe_copy(char *dst, size_t size, const char *src)
{
	char buf[12];
	size_t used = 0, n;
	if (size == 0)
		return 0;
	while ((n = take(&src, buf)) > 0 && used + n < size) {
		memcpy(dst + used, buf, n);
		used += n;
	}
	dst[used] = '\0';
	return used;
}

void
text_safe_write(FILE *out, const char *src)
{
	char buf[12];
	size_t n;
	while ((n = take(&src, buf)) > 0)
		fwrite(buf, 1, n, out);
}

void
text_safe_printf(FILE *out, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		return;
	size_t from = strspn(format, "\n"), end = strlen(format), to = (size_t)n;
	while (end > from && format[end - 1] == '\n') {
		end--;
		to--;
	}
	fwrite(text, 1, from, out);
	text[to] = '\0';
	text_safe_write(out, text + from);
	fputs(format + end, out);
	free(text);
}

void
text_safe_markup(FILE *out, const char *src)
{
	char buf[12];
	size_t n;
	while ((n = take(&src, buf)) > 0) {
		switch (n == 1 ? buf[0] : 0) {
		case '&': fputs("&amp;", out); break;
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '"': fputs("&quot;", out); break;
		case '\'': fputs("&#39;", out); break;
		default: fwrite(buf, 1, n, out); break;
		}
	}
}

int
text_columns(const char *src)
{
	int columns = 0;
	while (*src) {
		unsigned code = 0;
		size_t n = text_utf8_decode(src, &code);
		src += n ? n : 1;
		columns += !(code >= 0x300 && code < 0x370);
	}
	return columns;
}
