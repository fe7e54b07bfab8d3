// SPDX-License-Identifier: MIT
// What the readers of foreign text share. One rule: foreign text is cut and bounded here, so that a reader sees only
// lines and numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session/import.h"
#include "session/text_safe.h"

int
import_line(struct import_lines *lines, char *buf, size_t size)
{
	if (lines->at >= lines->end)
		return 0;
	size_t left = (size_t)(lines->end - lines->at);
	const char *newline = memchr(lines->at, '\n', left);
	size_t length = newline ? (size_t)(newline - lines->at) : left;
	size_t used = 0;
	for (size_t i = 0; i < length && used + 1 < size; i++)
		if (lines->at[i] != '\0')
			buf[used++] = lines->at[i];
	while (used > 0 && (buf[used - 1] == '\r' || buf[used - 1] == ' ' || buf[used - 1] == '\t'))
		used--;
	buf[used] = '\0';
	lines->at += length + (newline != NULL);
	return 1;
}

const char *
import_unquote(const char *line)
{
	const char *p = line;
	int quoted = 0;
	for (;;) {
		const char *mark = p + strspn(p, " ");
		if (*mark != '>' || (!quoted && mark > line + 1))
			break;
		p = mark + 1;
		quoted = 1;
	}
	return quoted && *p == ' ' ? p + 1 : p;
}

void
import_param(char *params, size_t size, const char *key, const char *value)
{
	char safe_key[128], safe_value[512];
	size_t used = strlen(params);
	text_safe_copy(safe_key, sizeof(safe_key), key);
	text_safe_copy(safe_value, sizeof(safe_value), value);
	if (!safe_key[0] || strchr(safe_key, '='))
		return;
	size_t need = strlen(safe_key) + strlen(safe_value) + 2;
	if (used + need >= size)
		return;
	snprintf(params + used, size - used, "%s%s=%s", used ? "\n" : "", safe_key, safe_value);
}

void
import_date(double seconds, char *buf, size_t size)
{
	struct tm tm;
	buf[0] = '\0';
	if (!(seconds > 0 && seconds < 253402300799.0))
		return;
	time_t t = (time_t)seconds;
	if (gmtime_r(&t, &tm))
		strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

struct import_item *
import_add(struct import *im)
{
	if (im->n >= IMPORT_ITEMS_MAX)
		return NULL;
	if (im->n == im->cap) {
		int cap = im->cap ? im->cap * 2 : 4;
		struct import_item *item = realloc(im->item, (size_t)cap * sizeof(*item));
		if (!item)
			return NULL;
		im->item = item;
		im->cap = cap;
	}
	struct result *r = malloc(sizeof(*r));
	if (!r)
		return NULL;
	result_init(r);
	r->side[SIDE_A].present = 1;
	im->item[im->n] = (struct import_item){ .result = r };
	return &im->item[im->n++];
}

void
import_take_totals(struct result *r)
{
	r->n_metrics = 0;
	for (int id = 0; id < METRIC_N; id++) {
		struct metric_result m = { .id = (enum metric)id, .ratio = NAN, .lo = NAN, .hi = NAN, .confidence = NAN,
					   .verdict = VERDICT_NONE };
		int known = 0;
		for (int side = 0; side < SIDES; side++) {
			m.mean[side] = r->side[side].totals[id];
			m.state[side] = r->side[side].state[id];
			m.n[side] = isfinite(m.mean[side]) ? 1 : 0;
			known |= r->side[side].present && (m.n[side] || m.state[side] != WIRE_RESULT_OK);
		}
		if (known)
			r->metric[r->n_metrics++] = m;
	}
}
