// SPDX-License-Identifier: MIT
// Parser for `zpool status`, of OpenZFS and of zfs-fuse. One rule: pure; the
// depth of a row is its indentation, its name ends where a state begins.

#include "zpool.h"

#include "sysroot.h"

#include <errno.h>
#include <string.h>

static const char *
next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

// True for "  pool: NAME".
static bool
begins_pool(const char *line, const char *pool)
{
	size_t n = strlen(pool);
	line += strspn(line, " ");
	if (strncmp(line, "pool: ", 6) != 0)
		return false;
	line += 6;
	return strncmp(line, pool, n) == 0 && (line[n] == '\n' || line[n] == '\0');
}

// Where a state word begins within the line, or NULL.
static const char *
find_state(const char *line, size_t length, size_t *ret_length)
{
	static const char *const states[] = {"ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "REMOVED", "UNAVAIL", "AVAIL",
					     "INUSE", "SUSPENDED"};
	for (const char *at = line; at < line + length; at++) {
		if (at == line || at[-1] != ' ')
			continue;
		for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
			size_t n = strlen(states[i]), rest = (size_t)(line + length - at);
			if (rest < n || strncmp(at, states[i], n) != 0 || (rest > n && at[n] != ' '))
				continue;
			*ret_length = n;
			return at;
		}
	}
	return NULL;
}

static bool
section_role(const char *name, enum layer_role *ret)
{
	static const struct {
		const char *name;
		enum layer_role role;
	} sections[] = {
		{"logs", ROLE_LOG}, {"log", ROLE_LOG}, {"cache", ROLE_CACHE}, {"spares", ROLE_SPARE},
		{"special", ROLE_SPECIAL}, {"dedup", ROLE_SPECIAL},
	};
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (strcmp(name, sections[i].name) == 0) {
			*ret = sections[i].role;
			return true;
		}
	return false;
}

static void
parse_row(const char *line, size_t length, struct zpool_row *ret)
{
	size_t indent = strspn(line, " "), state_length = 0;
	line += indent;
	length -= indent;
	const char *state = find_state(line, length, &state_length);
	size_t n = state ? (size_t)(state - line) : length;
	while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		n--;
	memset(ret, 0, sizeof(*ret));
	ret->depth = (int)(indent / 2);
	memcpy(ret->name, line, n < sizeof(ret->name) ? n : sizeof(ret->name) - 1);
	if (state)
		memcpy(ret->state, state, state_length);
}

int
zpool_parse(const char *text, const char *pool, struct zpool_row *ret, int max)
{
	enum layer_role role = ROLE_DATA;
	bool in_config = false;
	int n = 0;
	while (*text && !begins_pool(text, pool))
		text = next_line(text);
	if (*text == '\0')
		return -ENOENT;
	for (text = next_line(text); *text; text = next_line(text)) {
		size_t length = strcspn(text, "\r\n");
		if (strncmp(text, "config:", 7) == 0) {
			in_config = true;
		} else if (in_config && text[0] == '\t' && n < max) {
			struct zpool_row *row = &ret[n];
			parse_row(text + 1, length - 1, row);
			if (n == 0 && strcmp(row->name, pool) != 0)
				continue; // the heading
			if (n > 0 && row->depth == 0 && section_role(row->name, &role))
				continue;
			row->role = role;
			n++;
		} else if (strncmp(text + strspn(text, " "), "pool: ", 6) == 0 || strncmp(text, "errors:", 7) == 0) {
			break;
		}
	}
	return n > 0 ? n : -ENOENT;
}
