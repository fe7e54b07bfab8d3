// SPDX-License-Identifier: MIT
// The table of actions and their keys.
#include "screen/keymap.h"

#include "screen/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct action_info action_table[ACTIONS] = {
	[ACTION_NONE] = {"", "", "", ""},
	[ACTION_FLIP] = {"flip", "Tab", "flip", "hand over to the other side"},
	[ACTION_PLAN] = {"plan", "Space", "plan", "start the plan; pause it after the pair is complete"},
	[ACTION_RUN] = {"run", "r", "run", "run the active side by hand; again: stop it"},
	[ACTION_STOP] = {"stop", "x", "stop", "stop what runs; ends the plan"},
	[ACTION_WORKLOAD] = {"workload", "w", "workload", "choose the workload and its parameters"},
	[ACTION_TARGETS] = {"targets", "t", "targets", "choose the targets"},
	[ACTION_VIEW] = {"view", "v", "view", "next layout"},
	[ACTION_VIEW_SIDE] = {"view-side", "1", "", "layout: side by side"},
	[ACTION_VIEW_OVERLAY] = {"view-overlay", "2", "", "layout: A and B in one graph, aligned at the start of the turn"},
	[ACTION_VIEW_VERDICT] = {"view-verdict", "3", "", "layout: every metric and the pairs one by one"},
	[ACTION_VIEW_LATENCY] = {"view-latency", "4", "", "layout: distribution of the latency over time"},
	[ACTION_VIEW_DEVICES] = {"view-devices", "5", "", "layout: every layer and device of both targets"},
	[ACTION_VIEW_ONE] = {"view-one", "6", "", "layout: the active side alone"},
	[ACTION_SNAPSHOT] = {"snapshot", "s", "snapshot", "save a snapshot at once"},
	[ACTION_NOTE] = {"note", "n", "note", "write a note at this instant"},
	[ACTION_EXPORT] = {"export", "e", "export", "export the report to a file"},
	[ACTION_LIBRARY] = {"library", "o", "library", "saved sessions: open, baseline, delete"},
	[ACTION_OUTPUT] = {"output", "p", "", "the command's last output"},
	[ACTION_LEFT] = {"left", "Left", "", "move the cursor back in time"},
	[ACTION_RIGHT] = {"right", "Right", "", "move the cursor forward"},
	[ACTION_HOME] = {"home", "Home", "", "go to the start of the session"},
	[ACTION_END] = {"end", "End", "", "go back to now"},
	[ACTION_BACK] = {"back", "PageUp", "", "scroll back by half a window"},
	[ACTION_FORWARD] = {"forward", "PageDown", "", "scroll forward by half a window"},
	[ACTION_ZOOM_IN] = {"zoom-in", "+ =", "", "show a shorter time"},
	[ACTION_ZOOM_OUT] = {"zoom-out", "-", "", "show a longer time, up to the whole session"},
	[ACTION_UP] = {"up", "Up k", "", "scroll a table up"},
	[ACTION_DOWN] = {"down", "Down j", "", "scroll a table down"},
	[ACTION_LOG] = {"log", "l", "", "logarithmic graphs: latency alone, all, none"},
	[ACTION_SCALE] = {"scale", "c", "", "one scale for both sides, or each its own"},
	[ACTION_THEME] = {"theme", "T", "", "choose the colours"},
	[ACTION_COST] = {"cost", "i", "", "what ioduel itself costs"},
	[ACTION_SAVE_CONFIG] = {"save-config", "S", "", "keep layout, theme and scales in the configuration"},
	[ACTION_REDRAW] = {"redraw", "Ctrl-L", "", "draw the screen anew"},
	[ACTION_HELP] = {"help", "? F1 h", "help", "every key"},
	[ACTION_QUIT] = {"quit", "q", "quit", "leave; asks while something runs"},
	[ACTION_SUSPEND] = {"suspend", "Ctrl-Z", "", "suspend the program; fg comes back"},
};

static const struct {
	uint32_t key;
	const char *name;
} names[] = {
	{KEYC_TAB, "Tab"}, {' ', "Space"}, {KEYC_ENTER, "Enter"}, {KEYC_ESC, "Esc"}, {KEYC_BACKSPACE, "Backspace"},
	{KEYC_UP, "Up"}, {KEYC_DOWN, "Down"}, {KEYC_LEFT, "Left"}, {KEYC_RIGHT, "Right"}, {KEYC_HOME, "Home"},
	{KEYC_END, "End"}, {KEYC_PAGE_UP, "PageUp"}, {KEYC_PAGE_DOWN, "PageDown"}, {KEYC_INSERT, "Insert"},
	{KEYC_DELETE, "Delete"}, {KEYC_BACK_TAB, "BackTab"},
};

void
key_format(uint32_t key, char *buf, size_t size)
{
	char utf8[5];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].key == key) {
			snprintf(buf, size, "%s", names[i].name);
			return;
		}
	if (key >= KEYC_F1 && key <= KEYC_F12) {
		snprintf(buf, size, "F%u", key - KEYC_F1 + 1);
	} else if (key < 0x20) {
		snprintf(buf, size, "Ctrl-%c", (int)(key + 64));
	} else {
		text_encode(key, utf8);
		snprintf(buf, size, "%s", utf8);
	}
}

uint32_t
key_parse(const char *name)
{
	struct text_piece piece;
	unsigned f;
	char rest;
	size_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].key;
	if (sscanf(name, "F%2u%c", &f, &rest) == 1 && f >= 1 && f <= 12)
		return KEYC_F1 + f - 1;
	if (strncasecmp(name, "Ctrl-", 5) == 0 && name[5] >= '@' && name[5] && !name[6])
		return KEY_CTRL(name[5]);
	n = text_next(name, &piece);
	return n > 0 && !name[n] && piece.n == 1 && piece.ch[0] > 0x20 ? piece.ch[0] : 0;
}

// Reads a list of key names. 0 or -EINVAL.
static int
parse_keys(const char *keys, uint32_t *ret, char *ret_bad, size_t size)
{
	char name[32];
	int n = 0;

	memset(ret, 0, KEYMAP_KEYS_MAX * sizeof(*ret));
	for (keys += strspn(keys, " ,\t"); *keys; keys += strspn(keys, " ,\t")) {
		size_t length = strcspn(keys, " ,\t");
		if (length == 0)
			length = 1;
		snprintf(name, sizeof(name), "%.*s", length < sizeof(name) ? (int)length : (int)sizeof(name) - 1, keys);
		keys += length;
		if (n >= KEYMAP_KEYS_MAX || (ret[n++] = key_parse(name)) == 0) {
			snprintf(ret_bad, size, "%s", name);
			return -EINVAL;
		}
	}
	return 0;
}

void
keymap_init(struct keymap *m)
{
	char bad[32];

	memset(m, 0, sizeof(*m));
	for (int i = 1; i < ACTIONS; i++)
		parse_keys(action_table[i].keys, m->key[i], bad, sizeof(bad));
}

static int
has_key(const struct keymap *m, int action, uint32_t key)
{
	for (int i = 0; i < KEYMAP_KEYS_MAX; i++)
		if (m->key[action][i] == key)
			return 1;
	return 0;
}

static void
drop_key(struct keymap *m, int action, uint32_t key)
{
	int n = 0;

	for (int i = 0; i < KEYMAP_KEYS_MAX; i++)
		if (m->key[action][i] != key)
			m->key[action][n++] = m->key[action][i];
	while (n < KEYMAP_KEYS_MAX)
		m->key[action][n++] = 0;
}

int
keymap_set(struct keymap *m, const char *action, const char *keys, int line, struct error *err)
{
	uint32_t wanted[KEYMAP_KEYS_MAX];
	char name[32];
	int at = 1;

	while (at < ACTIONS && strcmp(action_table[at].name, action) != 0)
		at++;
	if (at == ACTIONS)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "line %d: there is no action \"%s\"", line, action);
	if (parse_keys(keys, wanted, name, sizeof(name)) < 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "line %d: \"%s\" is not a key, or more than %d are given",
					line, name, KEYMAP_KEYS_MAX);
	for (int i = 0; i < KEYMAP_KEYS_MAX && wanted[i]; i++)
		for (int other = 1; other < ACTIONS; other++)
			if (other != at && m->line[other] && has_key(m, other, wanted[i])) {
				key_format(wanted[i], name, sizeof(name));
				return error_set_status(err, -EINVAL, EXIT_USAGE,
							"line %d: the key %s of \"%s\" is already taken by \"%s\" in line %d",
							line, name, action, action_table[other].name, m->line[other]);
			}
	for (int i = 0; i < KEYMAP_KEYS_MAX && wanted[i]; i++)
		for (int other = 1; other < ACTIONS; other++)
			if (other != at)
				drop_key(m, other, wanted[i]);
	memcpy(m->key[at], wanted, sizeof(wanted));
	m->line[at] = line;
	return 0;
}

enum action
keymap_find(const struct keymap *m, uint32_t key)
{
	for (int i = 1; key && i < ACTIONS; i++)
		if (has_key(m, i, key))
			return (enum action)i;
	return ACTION_NONE;
}
