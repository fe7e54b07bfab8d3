// SPDX-License-Identifier: MIT
// Themes. One rule: a theme that leaves out anything is still complete.
#include "screen/theme.h"

#include "screen/canvas.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int32_t color;
} roles[THEME_ROLES] = {
	[THEME_MAIN_BG] = {"main_bg", COLOR_DEFAULT},
	[THEME_MAIN_FG] = {"main_fg", 0xcdd3de},
	[THEME_TITLE] = {"title", 0xf2f5fa},
	[THEME_HI_FG] = {"hi_fg", 0xffb454},
	[THEME_SELECTED_BG] = {"selected_bg", 0x2f4a6d},
	[THEME_SELECTED_FG] = {"selected_fg", 0xffffff},
	[THEME_INACTIVE_FG] = {"inactive_fg", 0x6b7689},
	[THEME_GRAPH_TEXT] = {"graph_text", 0x8a94a6},
	[THEME_METER_BG] = {"meter_bg", 0x39414f},
	[THEME_PROC_MISC] = {"proc_misc", 0x7fd1b9},
	[THEME_CPU_BOX] = {"cpu_box", 0x4a87c9},
	[THEME_MEM_BOX] = {"mem_box", 0x5c6b80},
	[THEME_NET_BOX] = {"net_box", 0xc9823f},
	[THEME_PROC_BOX] = {"proc_box", 0x7a88a0},
	[THEME_DIV_LINE] = {"div_line", 0x3c4656},
	[THEME_TEMP_START] = {"temp_start", 0x6fc3df}, [THEME_TEMP_MID] = {"temp_mid", 0xe8c547},
	[THEME_TEMP_END] = {"temp_end", 0xf2545b},
	[THEME_CPU_START] = {"cpu_start", 0x61d095}, [THEME_CPU_MID] = {"cpu_mid", 0xe8c547},
	[THEME_CPU_END] = {"cpu_end", 0xf2545b},
	[THEME_FREE_START] = {"free_start", 0x2f5d4a}, [THEME_FREE_MID] = {"free_mid", COLOR_NONE},
	[THEME_FREE_END] = {"free_end", 0x7fd1b9},
	[THEME_CACHED_START] = {"cached_start", 0x2d4f6e}, [THEME_CACHED_MID] = {"cached_mid", COLOR_NONE},
	[THEME_CACHED_END] = {"cached_end", 0x74c0fc},
	[THEME_AVAILABLE_START] = {"available_start", 0x6b5423}, [THEME_AVAILABLE_MID] = {"available_mid", COLOR_NONE},
	[THEME_AVAILABLE_END] = {"available_end", 0xffd166},
	[THEME_USED_START] = {"used_start", 0x6e2f36}, [THEME_USED_MID] = {"used_mid", COLOR_NONE},
	[THEME_USED_END] = {"used_end", 0xf2848a},
	[THEME_DOWNLOAD_START] = {"download_start", 0x2b62a8}, [THEME_DOWNLOAD_MID] = {"download_mid", 0x4aa3f0},
	[THEME_DOWNLOAD_END] = {"download_end", 0x9ad7ff},
	[THEME_UPLOAD_START] = {"upload_start", 0xa85a1c}, [THEME_UPLOAD_MID] = {"upload_mid", 0xf28c28},
	[THEME_UPLOAD_END] = {"upload_end", 0xffd08a},
	[THEME_PROCESS_START] = {"process_start", COLOR_NONE}, [THEME_PROCESS_MID] = {"process_mid", COLOR_NONE},
	[THEME_PROCESS_END] = {"process_end", COLOR_NONE},
	[THEME_SIDE_A_START] = {"side_a_start", COLOR_NONE}, [THEME_SIDE_A_MID] = {"side_a_mid", COLOR_NONE},
	[THEME_SIDE_A_END] = {"side_a_end", COLOR_NONE},
	[THEME_SIDE_B_START] = {"side_b_start", COLOR_NONE}, [THEME_SIDE_B_MID] = {"side_b_mid", COLOR_NONE},
	[THEME_SIDE_B_END] = {"side_b_end", COLOR_NONE},
	[THEME_GOOD] = {"good", COLOR_NONE}, [THEME_WARN] = {"warn", COLOR_NONE}, [THEME_BAD] = {"bad", COLOR_NONE},
	[THEME_STACK_USER] = {"stack_user", COLOR_NONE}, [THEME_STACK_SYS] = {"stack_sys", COLOR_NONE},
	[THEME_STACK_IOWAIT] = {"stack_iowait", COLOR_NONE}, [THEME_STACK_IRQ] = {"stack_irq", COLOR_NONE},
	[THEME_STACK_STEAL] = {"stack_steal", COLOR_NONE},
};

static int
is_gradient_part(enum theme_role role)
{
	const char *name = roles[role].name;
	size_t n = strlen(name);

	return n > 4 && (strcmp(name + n - 4, "_mid") == 0 || strcmp(name + n - 4, "_end") == 0);
}

int32_t
theme_parse_color(const char *text)
{
	unsigned r, g, b;
	char rest;

	while (isspace((unsigned char)*text))
		text++;
	if (*text == '#') {
		size_t n = strspn(text + 1, "0123456789abcdefABCDEF");
		unsigned long v = strtoul(text + 1, NULL, 16);
		if (text[1 + n] != '\0')
			return COLOR_NONE;
		return n == 6 ? (int32_t)v : n == 2 ? (int32_t)(v * 0x10101) : COLOR_NONE;
	}
	if (sscanf(text, "ansi:%3u%c", &r, &rest) == 1)
		return r < 16 ? COLOR_ANSI((int32_t)r) : COLOR_NONE;
	if (strcmp(text, "default") == 0)
		return COLOR_DEFAULT;
	if (sscanf(text, "%3u %3u %3u %c", &r, &g, &b, &rest) == 3 && r < 256 && g < 256 && b < 256)
		return (int32_t)(r << 16 | g << 8 | b);
	return COLOR_NONE;
}

static int
distance(int32_t a, int32_t b)
{
	int dr = ((a >> 16) & 255) - ((b >> 16) & 255), dg = ((a >> 8) & 255) - ((b >> 8) & 255), db = (a & 255) - (b & 255);

	return 2 * dr * dr + 4 * dg * dg + 3 * db * db;
}

static void
copy_gradient(struct theme *t, enum theme_role to, enum theme_role from)
{
	for (unsigned i = 0; i < 3; i++)
		t->color[to + i] = t->color[from + i];
}

// The two sides must be told apart: of the theme's gradients the pair that differs most, unless it names its own.
static void
derive_sides(struct theme *t)
{
	static const enum theme_role from[] = {THEME_DOWNLOAD_START, THEME_UPLOAD_START, THEME_CACHED_START,
					       THEME_AVAILABLE_START, THEME_USED_START, THEME_FREE_START};
	enum theme_role a = from[0], b = from[1];
	int best = -1, n = (int)(sizeof(from) / sizeof(from[0]));

	if (t->color[THEME_SIDE_A_START] != COLOR_NONE && t->color[THEME_SIDE_B_START] != COLOR_NONE)
		return;
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++) {
			int d = distance(theme_gradient(t, from[i], 0.7), theme_gradient(t, from[j], 0.7));
			// the usual pair stays where it is good enough
			if (i == 0 && j == 1 && d > 60000)
				d = 1 << 30;
			if (d > best) {
				best = d;
				a = from[i];
				b = from[j];
			}
		}
	copy_gradient(t, THEME_SIDE_A_START, a);
	copy_gradient(t, THEME_SIDE_B_START, b);
}

static void
fall_back(struct theme *t, enum theme_role role, int32_t color)
{
	if (t->color[role] == COLOR_NONE)
		t->color[role] = color;
}

// given: which roles the file set, so that a derived value prefers the file's own.
static void
complete(struct theme *t, const unsigned char *given)
{
	if (!given[THEME_GRAPH_TEXT] && given[THEME_INACTIVE_FG])
		t->color[THEME_GRAPH_TEXT] = t->color[THEME_INACTIVE_FG];
	if (!given[THEME_METER_BG] && given[THEME_INACTIVE_FG])
		t->color[THEME_METER_BG] = t->color[THEME_INACTIVE_FG];
	if (!given[THEME_PROCESS_START])
		copy_gradient(t, THEME_PROCESS_START, THEME_CPU_START);
	derive_sides(t);
	fall_back(t, THEME_GOOD, theme_gradient(t, THEME_CPU_START, 0));
	fall_back(t, THEME_WARN, theme_gradient(t, THEME_CPU_START, 0.5));
	fall_back(t, THEME_BAD, theme_gradient(t, THEME_CPU_START, 1));
	fall_back(t, THEME_STACK_USER, theme_gradient(t, THEME_CPU_START, 0));
	fall_back(t, THEME_STACK_SYS, theme_gradient(t, THEME_CPU_START, 1));
	fall_back(t, THEME_STACK_IOWAIT, theme_gradient(t, THEME_CACHED_START, 1));
	fall_back(t, THEME_STACK_IRQ, theme_gradient(t, THEME_CPU_START, 0.5));
	fall_back(t, THEME_STACK_STEAL, theme_gradient(t, THEME_UPLOAD_START, 1));
}

void
theme_init(struct theme *t)
{
	static const unsigned char none[THEME_ROLES];

	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "default");
	for (int i = 0; i < THEME_ROLES; i++)
		t->color[i] = roles[i].color;
	complete(t, none);
}

// Splits `theme[name]="value"`; 0 if the line is not of this form.
static int
split_line(char *line, char **ret_name, char **ret_value)
{
	char *name = line + strspn(line, " \t"), *end, *value;

	if (strncmp(name, "theme[", 6) != 0 || !(end = strchr(name, ']')))
		return 0;
	*end = '\0';
	value = end + 1 + strspn(end + 1, " \t");
	if (*value++ != '=')
		return 0;
	value += strspn(value, " \t");
	if (*value == '"' || *value == '\'') {
		char quote = *value++;
		end = strchr(value, quote);
		if (!end)
			return 0;
		*end = '\0';
	} else {
		size_t n = strcspn(value, "\r\n");
		while (n > 0 && isspace((unsigned char)value[n - 1]))
			n--;
		value[n] = '\0';
	}
	*ret_name = name + 6;
	*ret_value = value;
	return 1;
}

static int
apply_line(struct theme *t, unsigned char *given, char *line)
{
	char *name, *value;
	int32_t color;

	if (!split_line(line, &name, &value))
		return -EINVAL;
	for (int i = 0; i < THEME_ROLES; i++) {
		if (strcmp(roles[i].name, name) != 0)
			continue;
		if (!*value && i == THEME_MAIN_BG) {
			t->color[i] = COLOR_DEFAULT;
		} else if (!*value && is_gradient_part((enum theme_role)i)) {
			t->color[i] = COLOR_NONE;
			given[i] = 1;
		} else if (*value) {
			color = theme_parse_color(value);
			if (color == COLOR_NONE)
				return -EINVAL;
			t->color[i] = color;
			given[i] = 1;
		}
		return 0;
	}
	return -ENOENT;
}

// A gradient whose start the file names owes nothing to the default's middle and end.
static void
forget_default_gradients(struct theme *t, const unsigned char *given)
{
	for (int i = THEME_TEMP_START; i + 2 < THEME_ROLES && i <= THEME_SIDE_B_START; i += 3)
		if (given[i])
			for (int k = 1; k < 3; k++)
				if (!given[i + k])
					t->color[i + k] = COLOR_NONE;
}

int
theme_parse(struct theme *t, const char *text)
{
	unsigned char given[THEME_ROLES] = {0};
	int skipped = 0;
	char line[512];

	theme_init(t);
	for (int i = THEME_SIDE_A_START; i < THEME_ROLES; i++)
		t->color[i] = COLOR_NONE;
	while (*text) {
		size_t n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", n < 500 ? (int)n : 500, text);
		text += n + (text[n] == '\n');
		line[strcspn(line, "\r")] = '\0';
		if (line[strspn(line, " \t")] == '\0' || line[strspn(line, " \t")] == '#')
			continue;
		skipped += apply_line(t, given, line) < 0;
	}
	forget_default_gradients(t, given);
	complete(t, given);
	return skipped;
}

static int32_t
blend(int32_t from, int32_t to, double share)
{
	int32_t color = 0;

	if (from < 0 || to < 0 || COLOR_IS_ANSI(from) || COLOR_IS_ANSI(to))
		return share < 0.5 ? from : to;
	for (int shift = 16; shift >= 0; shift -= 8) {
		int a = (from >> shift) & 255, b = (to >> shift) & 255;
		color |= (int32_t)lround(a + (b - a) * share) << shift;
	}
	return color;
}

int32_t
theme_gradient(const struct theme *t, enum theme_role start, double share)
{
	int32_t from = t->color[start], mid = t->color[start + 1], to = t->color[start + 2];

	share = isnan(share) || share < 0 ? 0 : share > 1 ? 1 : share;
	share = round(share * 32) / 32;
	if (to == COLOR_NONE && mid == COLOR_NONE)
		return from;
	if (to == COLOR_NONE)
		to = mid;
	if (mid == COLOR_NONE)
		return blend(from, to, share);
	return share < 0.5 ? blend(from, mid, share * 2) : blend(mid, to, share * 2 - 1);
}

int32_t
theme_heat(const struct theme *t, enum theme_role start, double share)
{
	int32_t ground = t->color[THEME_MAIN_BG];

	// the terminal's own background is taken for a dark one
	if (ground < 0 || COLOR_IS_ANSI(ground))
		ground = 0x0a0e14;
	if (share >= 0.4)
		return theme_gradient(t, start, (share - 0.4) / 0.6);
	return blend(ground, theme_gradient(t, start, 0), 0.3 + share / 0.4 * 0.7);
}
