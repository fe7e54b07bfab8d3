// SPDX-License-Identifier: MIT
// Helpers around jansson. One rule: no value that was read is used before its type and bounds were checked.
#include "session/json_util.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/text_safe.h"

json_t *
json_number_new(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

// Escapes only what is not UTF-8: JSON itself can carry control characters.
static json_t *
text_new_escaped(const char *text)
{
	size_t size = strlen(text) * 4 + 1, used = 0;
	char *copy = malloc(size);
	if (!copy)
		return NULL;
	while (*text) {
		unsigned code;
		size_t n = text_utf8_decode(text, &code);
		if (n > 0) {
			memcpy(copy + used, text, n);
			used += n;
			text += n;
		} else {
			used += (size_t)snprintf(copy + used, size - used, "\\x%02x", (unsigned char)*text++);
		}
	}
	json_t *value = json_stringn(copy, used);
	free(copy);
	return value;
}

json_t *
json_text_new(const char *text)
{
	json_t *value = json_string(text);
	return value ? value : text_new_escaped(text);
}

json_t *
json_count_new(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

int
json_put(json_t *object, const char *key, json_t *value)
{
	if (!value)
		return -ENOMEM;
	return json_object_set_new(object, key, value) ? -ENOMEM : 0;
}

double
json_get_number(const json_t *object, const char *key, double fallback)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : fallback;
}

int64_t
json_clamp(double value, int64_t lowest, int64_t highest, int64_t fallback)
{
	if (isnan(value))
		return fallback;
	if (value <= (double)lowest)
		return lowest;
	return value >= (double)highest ? highest : (int64_t)value;
}

int64_t
json_get_integer(const json_t *object, const char *key, int64_t fallback)
{
	const json_t *value = json_object_get(object, key);
	if (json_is_integer(value))
		return json_integer_value(value);
	return json_is_real(value) ? json_clamp(json_real_value(value), INT64_MIN, INT64_MAX, fallback) : fallback;
}

int64_t
json_get_time(const json_t *object, const char *key, int64_t fallback)
{
	int64_t value = json_get_integer(object, key, fallback);
	return value > JSON_TIME_MAX || value < -JSON_TIME_MAX ? fallback : value;
}

int
json_get_bool(const json_t *object, const char *key, int fallback)
{
	const json_t *value = json_object_get(object, key);
	return json_is_boolean(value) ? json_is_true(value) : fallback;
}

void
json_get_text(const json_t *object, const char *key, char *buf, size_t size)
{
	json_copy_text(json_string_value(json_object_get(object, key)), buf, size);
}

void
json_copy_text(const char *text, char *buf, size_t size)
{
	size_t used = 0;
	while (text && text[used]) {
		unsigned code;
		size_t n = text_utf8_decode(text + used, &code);
		if (n == 0 || used + n >= size)
			break;
		used += n;
	}
	if (used)
		memcpy(buf, text, used);
	buf[used] = '\0';
}

static int
is_too_deep(const char *text, size_t length)
{
	int depth = 0, in_string = 0;
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = 0;
		} else if (c == '"') {
			in_string = 1;
		} else if (c == '{' || c == '[') {
			if (++depth > JSON_DEPTH_MAX)
				return 1;
		} else if (c == '}' || c == ']') {
			depth--;
		}
	}
	return 0;
}

json_t *
json_parse(const char *text, size_t length, struct error *err)
{
	json_error_t json_error;
	if (is_too_deep(text, length)) {
		error_set(err, -EINVAL, "JSON nested deeper than %d levels", JSON_DEPTH_MAX);
		return NULL;
	}
	json_t *value = json_loadb(text, length, 0, &json_error);
	if (!value) {
		char safe[JSON_ERROR_TEXT_LENGTH * 4];
		text_safe_copy(safe, sizeof(safe), json_error.text);
		error_set(err, -EINVAL, "not valid JSON (line %d: %s)", json_error.line, safe);
	}
	return value;
}

int
json_write(const json_t *value, size_t flags, FILE *out)
{
	char *text = json_dumps(value, flags);
	unsigned code;
	if (!text)
		return -EIO;
	for (const char *p = text; *p;) {
		size_t n = text_utf8_decode(p, &code);
		// Below stand the layout's own newlines; jansson has escaped those in texts.
		if (n > 1 && code <= 0xffff && text_is_unsafe(code))
			fprintf(out, "\\u%04x", code);
		else if (n > 1 && text_is_unsafe(code))
			fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
		else if (*p == 0x7f)
			fputs("\\u007f", out);
		else
			fwrite(p, 1, n ? n : 1, out);
		p += n ? n : 1;
	}
	free(text);
	return ferror(out) ? -EIO : 0;
}
