// SPDX-License-Identifier: MIT
// Which key does what. A key is a number: a Unicode character, or one of enum
// key_code. The table of actions is the only place where a key's meaning, its
// name in the configuration and its help are written down.
#ifndef IODUEL_SCREEN_KEYMAP_H
#define IODUEL_SCREEN_KEYMAP_H

#include <ioduel/error.h>
#include <stddef.h>
#include <stdint.h>

enum key_code {
	KEY_CODES = 0x200000, // above every Unicode character
	KEYC_UP, KEYC_DOWN, KEYC_LEFT, KEYC_RIGHT, KEYC_HOME, KEYC_END, KEYC_PAGE_UP, KEYC_PAGE_DOWN, KEYC_INSERT,
	KEYC_DELETE, KEYC_BACK_TAB,
	KEYC_F1, KEYC_F2, KEYC_F3, KEYC_F4, KEYC_F5, KEYC_F6, KEYC_F7, KEYC_F8, KEYC_F9, KEYC_F10, KEYC_F11, KEYC_F12,
	KEYC_LAST
};
#define KEY_CTRL(c) ((uint32_t)(c) & 0x1f)
#define KEYC_TAB 9u
#define KEYC_ENTER 13u
#define KEYC_ESC 27u
#define KEYC_BACKSPACE 127u

enum action {
	ACTION_NONE,
	ACTION_FLIP, ACTION_PLAN, ACTION_RUN, ACTION_STOP, ACTION_WORKLOAD, ACTION_TARGETS,
	ACTION_VIEW, ACTION_VIEW_SIDE, ACTION_VIEW_OVERLAY, ACTION_VIEW_VERDICT, ACTION_VIEW_LATENCY, ACTION_VIEW_DEVICES,
	ACTION_VIEW_ONE,
	ACTION_SNAPSHOT, ACTION_NOTE, ACTION_EXPORT, ACTION_LIBRARY, ACTION_OUTPUT,
	ACTION_LEFT, ACTION_RIGHT, ACTION_HOME, ACTION_END, ACTION_BACK, ACTION_FORWARD, ACTION_ZOOM_IN, ACTION_ZOOM_OUT,
	ACTION_UP, ACTION_DOWN,
	ACTION_LOG, ACTION_SCALE, ACTION_THEME, ACTION_COST, ACTION_SAVE_CONFIG, ACTION_REDRAW, ACTION_HELP, ACTION_QUIT,
	ACTION_SUSPEND,
	ACTIONS
};

struct action_info {
	const char *name;  // in the configuration: "flip"
	const char *keys;  // default: "Tab", several divided by blanks
	const char *label; // in the key line: "flip"; "" = not there
	const char *help;  // one line
};
extern const struct action_info action_table[ACTIONS];

#define KEYMAP_KEYS_MAX 4
struct keymap {
	uint32_t key[ACTIONS][KEYMAP_KEYS_MAX]; // 0 = none
	int line[ACTIONS];			// of the configuration; 0 = default
};

void keymap_init(struct keymap *m);
// Sets the keys of one action from its configuration line: "Tab f". -EINVAL and
// a sentence with the line's number for an unknown action or key, or a key that
// another line has taken; the action keeps its keys then. A default that loses
// its key to a line is no conflict.
int keymap_set(struct keymap *m, const char *action, const char *keys, int line, struct error *err);
enum action keymap_find(const struct keymap *m, uint32_t key);

// "Tab", "Space", "Ctrl-L", "F1", "x"; parse returns 0 if there is no such key.
void key_format(uint32_t key, char *buf, size_t size);
uint32_t key_parse(const char *name);

#endif
