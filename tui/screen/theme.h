// SPDX-License-Identifier: MIT
// Colours by what they are for, read from btop's theme files. A theme is
// always complete: what a file leaves out is derived or the default's.
#ifndef IODUEL_SCREEN_THEME_H
#define IODUEL_SCREEN_THEME_H

#include <ioduel/error.h>
#include <stddef.h>
#include <stdint.h>

enum theme_role {
	// btop's names
	THEME_MAIN_BG, THEME_MAIN_FG, THEME_TITLE, THEME_HI_FG, THEME_SELECTED_BG, THEME_SELECTED_FG, THEME_INACTIVE_FG,
	THEME_GRAPH_TEXT, THEME_METER_BG, THEME_PROC_MISC, THEME_CPU_BOX, THEME_MEM_BOX, THEME_NET_BOX, THEME_PROC_BOX,
	THEME_DIV_LINE,
	THEME_TEMP_START, THEME_TEMP_MID, THEME_TEMP_END, THEME_CPU_START, THEME_CPU_MID, THEME_CPU_END,
	THEME_FREE_START, THEME_FREE_MID, THEME_FREE_END, THEME_CACHED_START, THEME_CACHED_MID, THEME_CACHED_END,
	THEME_AVAILABLE_START, THEME_AVAILABLE_MID, THEME_AVAILABLE_END, THEME_USED_START, THEME_USED_MID, THEME_USED_END,
	THEME_DOWNLOAD_START, THEME_DOWNLOAD_MID, THEME_DOWNLOAD_END, THEME_UPLOAD_START, THEME_UPLOAD_MID, THEME_UPLOAD_END,
	THEME_PROCESS_START, THEME_PROCESS_MID, THEME_PROCESS_END,
	// ioduel's own; a btop theme has none of these
	THEME_SIDE_A_START, THEME_SIDE_A_MID, THEME_SIDE_A_END, THEME_SIDE_B_START, THEME_SIDE_B_MID, THEME_SIDE_B_END,
	THEME_GOOD, THEME_WARN, THEME_BAD,
	THEME_STACK_USER, THEME_STACK_SYS, THEME_STACK_IOWAIT, THEME_STACK_IRQ, THEME_STACK_STEAL,
	THEME_ROLES
};

// A gradient is named by its start role; mid and end follow it.
struct theme {
	char name[64];
	int mono; // no colours: attributes only
	int32_t color[THEME_ROLES]; // see canvas.h; COLOR_NONE = not given (mid and end of gradients)
};

#define COLOR_NONE (-2)

// The built-in default.
void theme_init(struct theme *t);

// Reads the text of a theme file over the default. Unknown names and broken
// values are skipped; returns how many lines were.
int theme_parse(struct theme *t, const char *text);

// name: of a theme in one of dirs (NULL-terminated list of at most n_dirs), with or without ".theme", or a path.
// "default" is the built-in one, "mono" needs no file. -ENOENT and a sentence otherwise; *t is untouched then.
int theme_load(struct theme *t, const char *name, const char *const *dirs, size_t n_dirs, struct error *err);

#define THEME_DIRS_MAX 8
struct theme_dirs {
	size_t n;
	const char *dir[THEME_DIRS_MAX]; // into text
	char text[THEME_DIRS_MAX][768];
};
void theme_default_dirs(struct theme_dirs *ret);

#define THEME_NAMES_MAX 128
struct theme_names {
	int n;
	char name[THEME_NAMES_MAX][64];
};
// Themes that can be loaded from dirs, without doubles, sorted, "default" first.
void theme_list(struct theme_names *ret, const char *const *dirs, size_t n_dirs);

// Colour of a gradient at share 0..1, in 32 steps at most.
int32_t theme_gradient(const struct theme *t, enum theme_role start, double share);

// The same for a map of heat: begins near the background.
int32_t theme_heat(const struct theme *t, enum theme_role start, double share);

// "#RRGGBB", "#GG", "R G B" or "ansi:N"; COLOR_NONE if it is none of them.
int32_t theme_parse_color(const char *text);

// Nearest colours of smaller palettes.
int theme_to_256(int32_t rgb);
int theme_to_16(int32_t rgb);

#endif
