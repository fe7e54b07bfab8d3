// SPDX-License-Identifier: MIT
// Reading and writing the configuration file. Writing happens only where the
// user asked for it, replaces the file in one step and touches no other line.
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_BYTES_MAX (1024 * 1024)

void
config_init(struct config *c)
{
	*c = (struct config){0};
}

void
config_fini(struct config *c)
{
	free(c->text);
	*c = (struct config){0};
}

int
config_path(char *buf, size_t size)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = -1;
	if (base && base[0] == '/')
		n = snprintf(buf, size, "%s/ioduel/config", base);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/.config/ioduel/config", home);
	return n < 0 || (size_t)n >= size ? -ENOENT : 0;
}

// Reads a whole file; *ret_text is the caller's to free. A missing file is an empty one.
static int
read_file(const char *path, char **ret_text, struct error *err)
{
	char *text = calloc(1, CONFIG_BYTES_MAX + 1);
	if (!text)
		return error_set(err, -ENOMEM, "there is not enough memory");
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, CONFIG_BYTES_MAX, f) : 0;
	int failure = !f ? errno : ferror(f) ? EIO : n == CONFIG_BYTES_MAX ? EFBIG : 0;
	if (f)
		fclose(f);
	if (failure && failure != ENOENT && failure != ENOTDIR) {
		free(text);
		return error_set(err, -failure, "cannot read %s: %s", path, strerror(failure));
	}
	*ret_text = text;
	return 0;
}

static char *
trim(char *text)
{
	text += strspn(text, " \t\r");
	size_t n = strlen(text);
	while (n > 0 && strchr(" \t\r\n", text[n - 1]))
		text[--n] = '\0';
	return text;
}

// Cuts "key = value" in place; 0, or -EINVAL where there is no key. Empty lines and comments give *ret_key NULL.
static int
split_line(char *line, char **ret_key, char **ret_value)
{
	line = trim(line);
	*ret_key = NULL;
	if (*line == '\0' || *line == '#')
		return 0;
	char *equals = strchr(line, '=');
	if (!equals || equals == line)
		return -EINVAL;
	*equals = '\0';
	*ret_key = trim(line);
	*ret_value = trim(equals + 1);
	return 0;
}

__attribute__((format(printf, 4, 5))) static void
add_problem(struct config *c, const char *path, int line, const char *fmt, ...)
{
	if (c->n_problems < CONFIG_PROBLEMS_MAX) {
		char *text = c->problem[c->n_problems];
		size_t size = sizeof(c->problem[0]);
		va_list ap;
		int n = snprintf(text, size, "%s:%d: ", path, line);
		va_start(ap, fmt);
		if (n >= 0 && (size_t)n < size)
			vsnprintf(text + n, size - (size_t)n, fmt, ap);
		va_end(ap);
	}
	c->n_problems++;
}

static const struct cli_option *
config_option(const char *key)
{
	for (const struct cli_option *option = cli_options; option->name; option++)
		if (option->in_config && strcmp(option->name, key) == 0)
			return option;
	return NULL;
}

static void
take_line(struct config *c, const char *path, int line, const char *key, const char *value, struct options *o)
{
	const char *names[64];
	struct error err = {0};
	size_t n = 0;
	const struct cli_option *option = config_option(key);
	if (strncmp(key, "key.", 4) == 0 && key[4]) {
		if (c->n_keys < CONFIG_KEYS_MAX)
			c->key[c->n_keys++] = (struct screen_key_line){key + 4, value, line};
		else
			add_problem(c, path, line, "there are more than %d keys; this one is ignored", CONFIG_KEYS_MAX);
		return;
	}
	if (option) {
		if (cli_set(o, option, key, value, &err) < 0)
			add_problem(c, path, line, "%s; the line is ignored", err.text);
		return;
	}
	for (option = cli_options; option->name && n < 64; option++)
		if (option->in_config)
			names[n++] = option->name;
	const char *near = cli_nearest(key, names, n);
	add_problem(c, path, line, "unknown key \"%s\"%s%s%s; the line is ignored", key, near ? " (did you mean " : "",
		    near ? near : "", near ? "?)" : "");
}

int
config_load(struct config *c, const char *path, struct options *o, struct error *err)
{
	char *text;
	int line = 1, r = read_file(path, &text, err);
	if (r < 0)
		return r;
	config_fini(c);
	c->text = text;
	for (char *next = text; next && *next; line++) {
		char *key, *value, *now = next;
		next = strchr(now, '\n');
		if (next)
			*next++ = '\0';
		if (split_line(now, &key, &value) < 0)
			add_problem(c, path, line, "this is not \"key = value\"; the line is ignored");
		else if (key)
			take_line(c, path, line, key, value, o);
	}
	return 0;
}

// True where the line, comments aside, sets the key.
static bool
line_sets(const char *line, size_t length, const char *key)
{
	char copy[512], *found, *value;
	if (length >= sizeof(copy))
		return false;
	memcpy(copy, line, length);
	copy[length] = '\0';
	return split_line(copy, &found, &value) == 0 && found && strcmp(found, key) == 0;
}

// The old text with every change made; a key that has no line gets one at the end.
static int
write_changed(FILE *f, const char *text, const struct config_change *changes, size_t n)
{
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n"), i;
		for (i = 0; i < n && !line_sets(line, length, changes[i].key); i++)
			;
		if (i < n)
			fprintf(f, "%s = %s\n", changes[i].key, changes[i].value);
		else
			fprintf(f, "%.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
	for (size_t i = 0; i < n; i++) {
		bool found = false;
		for (const char *line = text; *line && !found;) {
			size_t length = strcspn(line, "\n");
			found = line_sets(line, length, changes[i].key);
			line += length + (line[length] == '\n');
		}
		if (!found)
			fprintf(f, "%s = %s\n", changes[i].key, changes[i].value);
	}
	return ferror(f) ? -EIO : 0;
}

static void
make_parents(const char *path)
{
	char dir[4096];
	snprintf(dir, sizeof(dir), "%s", path);
	for (char *slash = strchr(dir + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(dir, 0777);
		*slash = '/';
	}
}

// Writes temporary and puts it in the place of path; 0 or -errno.
static int
replace_file(const char *path, const char *temporary, const char *text, const struct config_change *changes, size_t n)
{
	struct stat st;
	mode_t mode = stat(path, &st) == 0 ? st.st_mode & 0777 : 0666;
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	FILE *f = fdopen(fd, "w");
	int r = 0;
	if (!f || write_changed(f, text, changes, n) < 0 || fflush(f) != 0 || fsync(fd) < 0)
		r = errno ? -errno : -EIO;
	if (f ? fclose(f) != 0 : close(fd) != 0)
		r = r ? r : -errno;
	if (r == 0 && rename(temporary, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temporary);
	return r;
}

int
config_save(const char *path, const struct config_change *changes, size_t n, struct error *err)
{
	char *text, *real = realpath(path, NULL), temporary[4200];
	const char *target = real ? real : path;
	int r = read_file(target, &text, err);
	if (r < 0) {
		free(real);
		return r;
	}
	make_parents(target);
	snprintf(temporary, sizeof(temporary), "%s.%ld.new", target, (long)getpid());
	r = replace_file(target, temporary, text, changes, n);
	if (r < 0)
		error_set(err, r, "cannot write %s: %s", target, strerror(-r));
	free(text);
	free(real);
	return r;
}

void
config_print_template(void)
{
	printf("# ioduel's configuration: every option of the screen. A line without # counts.\n");
	for (const struct cli_option *option = cli_options; option->name; option++)
		if (option->in_config)
			printf("\n# %s\n# %s = %s\n", option->help, option->name, option->arg ? option->arg : "yes|no");
	printf("\n# Keys, by the action that ? names in the screen\n# key.flip = Tab\n");
}
