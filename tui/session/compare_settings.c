// SPDX-License-Identifier: MIT
// The settings of two results, name by name. One rule: what differs is said; whether it matters is the reader's to
// judge.
#include "session/compare_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/text_safe.h"

#define SETTINGS_MAX 64

struct setting {
	char key[48];
	char value[160];
};

struct settings {
	int n;
	struct setting item[SETTINGS_MAX];
};

static void
set(struct settings *s, const char *key, const char *value)
{
	int i = 0;
	while (i < s->n && strcmp(s->item[i].key, key) != 0)
		i++;
	if (i == SETTINGS_MAX)
		return;
	if (i == s->n)
		s->n++;
	text_safe_copy(s->item[i].key, sizeof(s->item[i].key), key);
	text_safe_copy(s->item[i].value, sizeof(s->item[i].value), value);
}

// What identifies the run but is no setting: names of jobs and files, and bonnie++'s latencies.
static int
is_no_setting(const char *key)
{
	return strcmp(key, "name") == 0 || strcmp(key, "filename") == 0 || strcmp(key, "directory") == 0 ||
	       strncmp(key, "latency_", 8) == 0;
}

static void
set_params(struct settings *s, const char *params)
{
	char key[48], value[160];
	while (*params) {
		size_t length = strcspn(params, "\n");
		const char *equals = memchr(params, '=', length);
		if (equals) {
			snprintf(key, sizeof(key), "%.*s", (int)(equals - params > 47 ? 47 : equals - params), params);
			size_t n = length - (size_t)(equals + 1 - params);
			snprintf(value, sizeof(value), "%.*s", (int)(n > 159 ? 159 : n), equals + 1);
			if (!is_no_setting(key))
				set(s, key, value);
		}
		params += length + (params[length] == '\n');
	}
}

static void
collect(const struct compare_part *part, struct settings *s)
{
	const struct result *r = part->result;
	const struct result_side *side = &r->side[part->side];
	char devices[512] = "";
	set(s, "program", r->origin);
	set(s, "workload", r->workload);
	set(s, "host", r->host.name);
	set(s, "kernel", r->host.kernel);
	set(s, "file system", side->stack.fs_type);
	set(s, "mount options", side->stack.mount_options);
	for (int i = 0; i < side->stack.n_layers; i++) {
		const struct layer *layer = &side->stack.layer[i];
		size_t used = strlen(devices);
		if (stack_is_first_leaf(&side->stack, i))
			snprintf(devices + used, sizeof(devices) - used, "%s%s%s%s", used ? ", " : "", layer->name,
				 layer->model[0] ? " " : "", layer->model);
	}
	set(s, "devices", devices);
	set_params(s, r->params);
	set_params(s, side->params);
}

static const char *
find(const struct settings *s, const char *key)
{
	for (int i = 0; i < s->n; i++)
		if (strcmp(s->item[i].key, key) == 0)
			return s->item[i].value;
	return "";
}

static void
say(struct result *ret, const char *key, const char *a, const char *b)
{
	char id[40];
	if (strcmp(a, b) == 0)
		return;
	snprintf(id, sizeof(id), "differs-%.31s", key);
	for (char *c = id; *c; c++)
		if (*c == ' ')
			*c = '-';
	result_warn(ret, id, LEVEL_INFO, WARN_BOTH, "%s differs: A %s, B %s", key, a[0] ? a : "unknown or not set",
		    b[0] ? b : "unknown or not set");
}

void
compare_settings(const struct compare_part *x, const struct compare_part *y, struct result *ret)
{
	struct settings *a = calloc(2, sizeof(*a)), *b = a ? a + 1 : NULL;
	if (!a)
		return;
	collect(x, a);
	collect(y, b);
	for (int i = 0; i < a->n; i++)
		say(ret, a->item[i].key, a->item[i].value, find(b, a->item[i].key));
	for (int i = 0; i < b->n; i++)
		if (!find(a, b->item[i].key)[0])
			say(ret, b->item[i].key, "", b->item[i].value);
	free(a);
}
