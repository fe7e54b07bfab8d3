// SPDX-License-Identifier: MIT
// Finding and reading theme files, and the nearest colours of small palettes.
#include "screen/theme.h"

#include "screen/canvas.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".theme"
#define FILE_MAX 65536

static int
read_file(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return -errno;
	n = fread(buf, 1, size - 1, f);
	fclose(f);
	buf[n] = '\0';
	return 0;
}

static void
set_name(struct theme *t, const char *path)
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strlen(base);
	if (n > strlen(SUFFIX) && strcmp(base + n - strlen(SUFFIX), SUFFIX) == 0)
		n -= strlen(SUFFIX);
	snprintf(t->name, sizeof(t->name), "%.*s", (int)n, base);
}

static int
load_path(struct theme *t, const char *path)
{
	char *text = malloc(FILE_MAX);
	struct theme read;
	int rc;

	if (!text)
		return -ENOMEM;
	rc = read_file(path, text, FILE_MAX);
	if (rc == 0) {
		theme_parse(&read, text);
		set_name(&read, path);
		*t = read;
	}
	free(text);
	return rc;
}

int
theme_load(struct theme *t, const char *name, const char *const *dirs, size_t n_dirs, struct error *err)
{
	char path[4200];

	if (strcmp(name, "default") == 0 || strcmp(name, "mono") == 0) {
		theme_init(t);
		snprintf(t->name, sizeof(t->name), "%s", name);
		t->mono = name[0] == 'm';
		return 0;
	}
	if (strchr(name, '/') && load_path(t, name) == 0)
		return 0;
	for (size_t i = 0; i < n_dirs && dirs[i] && !strchr(name, '/'); i++) {
		snprintf(path, sizeof(path), "%.2000s/%.200s%s", dirs[i], name, SUFFIX);
		if (load_path(t, path) == 0)
			return 0;
		snprintf(path, sizeof(path), "%.2000s/%.200s", dirs[i], name);
		if (strstr(name, SUFFIX) && load_path(t, path) == 0)
			return 0;
	}
	return error_set_status(err, -ENOENT, EXIT_USAGE, "there is no theme \"%s\"; the theme picker lists what is there", name);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void
add_name(struct theme_names *ret, const char *name, size_t n)
{
	if (ret->n >= THEME_NAMES_MAX || n >= sizeof(ret->name[0]))
		return;
	for (int i = 0; i < ret->n; i++)
		if (strlen(ret->name[i]) == n && memcmp(ret->name[i], name, n) == 0)
			return;
	memcpy(ret->name[ret->n], name, n);
	ret->name[ret->n++][n] = '\0';
}

void
theme_list(struct theme_names *ret, const char *const *dirs, size_t n_dirs)
{
	memset(ret, 0, sizeof(*ret));
	add_name(ret, "default", 7);
	add_name(ret, "mono", 4);
	for (size_t i = 0; i < n_dirs && dirs[i]; i++) {
		DIR *dir = opendir(dirs[i]);
		const struct dirent *entry;
		while (dir && (entry = readdir(dir))) {
			size_t n = strlen(entry->d_name);
			if (n > strlen(SUFFIX) && strcmp(entry->d_name + n - strlen(SUFFIX), SUFFIX) == 0)
				add_name(ret, entry->d_name, n - strlen(SUFFIX));
		}
		if (dir)
			closedir(dir);
	}
	qsort(ret->name + 1, (size_t)ret->n - 1, sizeof(ret->name[0]), compare_names);
}

static int
squared(int a)
{
	return a * a;
}

static int
rgb_distance(int32_t a, int32_t b)
{
	return 2 * squared(((a >> 16) & 255) - ((b >> 16) & 255)) + 4 * squared(((a >> 8) & 255) - ((b >> 8) & 255)) +
	       3 * squared((a & 255) - (b & 255));
}

int
theme_to_256(int32_t rgb)
{
	static const int levels[6] = {0, 95, 135, 175, 215, 255};
	int best = 16, best_distance = 1 << 30;

	for (int i = 16; i < 256; i++) {
		int c = i - 16, grey = 8 + (i - 232) * 10, d;
		int32_t color = i < 232 ? levels[c / 36] << 16 | levels[c / 6 % 6] << 8 | levels[c % 6] : grey * 0x10101;
		d = rgb_distance(rgb, color);
		if (d < best_distance) {
			best_distance = d;
			best = i;
		}
	}
	return best;
}

int
theme_to_16(int32_t rgb)
{
	int r = (rgb >> 16) & 255, g = (rgb >> 8) & 255, b = rgb & 255;
	int max = r > g ? (r > b ? r : b) : (g > b ? g : b), min = r < g ? (r < b ? r : b) : (g < b ? g : b);
	int half = (max + min + max) / 3;

	if (max - min < 40) // a grey
		return max < 48 ? 0 : max < 128 ? 8 : max < 208 ? 7 : 15;
	// the hue counts more than the brightness: a dark blue is still blue
	return (r > half ? 1 : 0) | (g > half ? 2 : 0) | (b > half ? 4 : 0) | (max > 200 ? 8 : 0);
}
