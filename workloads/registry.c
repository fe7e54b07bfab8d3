// SPDX-License-Identifier: MIT
// The table of workloads, and what turns "NAME:key=value,..." into a set.
// Rule: one line per workload; all texts come from the parameter tables.
#include "workloads.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

const struct workload *const workload_table[] = {
	&workload_randread,
	&workload_randwrite,
	&workload_randrw,
	&workload_seqread,
	&workload_seqwrite,
	&workload_synclog,
	&workload_metadata,
	&workload_bonnie,
	&workload_command,
	&workload_fio,
	NULL,
};

const struct workload *
workload_find(const char *name)
{
	for (int i = 0; workload_table[i]; i++)
		if (strcmp(workload_table[i]->name, name) == 0)
			return workload_table[i];
	return NULL;
}

// Levenshtein distance of two short words.
static unsigned
word_distance(const char *a, const char *b)
{
	unsigned row[64];
	size_t na = strlen(a), nb = strlen(b);
	if (na > 60 || nb > 60)
		return 99;
	for (unsigned j = 0; j <= nb; j++)
		row[j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned diagonal = row[0];
		row[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			unsigned best = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[nb];
}

static void
consider(const char *candidate, const char *word, const char **best, unsigned *best_distance)
{
	unsigned d = word_distance(candidate, word);
	if (d < *best_distance) {
		*best = candidate;
		*best_distance = d;
	}
}

static int
refuse_name(const char *name, struct error *err)
{
	const char *best = NULL;
	unsigned distance = 4;
	for (int i = 0; workload_table[i]; i++)
		consider(workload_table[i]->name, name, &best, &distance);
	for (int i = 0; workload_presets[i].name; i++)
		consider(workload_presets[i].name, name, &best, &distance);
	return error_set_status(err, -ENOENT, EXIT_USAGE, "there is no workload \"%.40s\"%s%s%s; `ioduel workloads` lists them",
				name, best ? "; did you mean \"" : "", best ? best : "", best ? "\"?" : "");
}

static int
refuse_key(const struct workload *w, const char *key, struct error *err)
{
	const char *best = NULL;
	unsigned distance = 3;
	for (int i = 0; w->params[i].name; i++)
		consider(w->params[i].name, key, &best, &distance);
	return error_set_status(err, -ENOENT, EXIT_USAGE, "%s has no key \"%.40s\"%s%s%s; `ioduel workloads %s` lists its keys",
				w->name, key, best ? "; did you mean \"" : "", best ? best : "", best ? "\"?" : "", w->name);
}

static int
set_defaults(const struct workload *w, struct param_set *set, struct error *err)
{
	memset(set, 0, sizeof(*set));
	snprintf(set->workload, sizeof(set->workload), "%s", w->name);
	for (const struct param_spec *spec = w->params; spec->name; spec++) {
		struct param_value *v = &set->value[set->n++];
		v->spec = spec;
		v->number = NAN;
		if (*spec->preset) {
			int r = param_parse_value(spec, spec->preset, v, err);
			if (r < 0)
				return r;
		}
	}
	return 0;
}

static int
set_value(const struct workload *w, struct param_set *set, const char *key, const char *text, bool given,
	  struct error *err)
{
	for (int i = 0; i < set->n; i++) {
		if (strcmp(set->value[i].spec->name, key) != 0)
			continue;
		// Only what the user says can be empty on purpose; a worked-out default is empty until then.
		if (!*text && !given)
			return 0;
		struct error inner = { 0 };
		int r = param_parse_value(set->value[i].spec, text, &set->value[i], &inner);
		if (r < 0)
			return error_set_status(err, r, EXIT_USAGE, "%s: %s", w->name, inner.text);
		set->value[i].is_set = given;
		return 0;
	}
	return refuse_key(w, key, err);
}

// Copies one "key=value" out of text, undoing quotes and "\,"; returns what follows its comma,
// or NULL where it is too long.
static const char *
take_assignment(const char *text, char *buf, size_t size)
{
	size_t n = 0;
	bool quoted = false;
	for (; *text && (quoted || *text != ','); text++) {
		if (*text == '"') {
			quoted = !quoted;
			continue;
		}
		if (*text == '\\' && (text[1] == ',' || text[1] == '"' || text[1] == '\\'))
			text++;
		if (n + 1 >= size)
			return NULL;
		buf[n++] = *text;
	}
	buf[n] = '\0';
	return *text ? text + 1 : text;
}

static int
assign(const struct workload *w, struct param_set *set, char *assignment, struct error *err)
{
	char *equals = strchr(assignment, '=');
	if (!equals || equals == assignment)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: \"%.80s\" is not of the form key=value", w->name, assignment);
	*equals = '\0';
	return set_value(w, set, assignment, equals + 1, true, err);
}

static int
assign_list(const struct workload *w, struct param_set *set, const char *list, struct error *err)
{
	char assignment[PARAM_TEXT_MAX + 64];
	while (*list) {
		list = take_assignment(list, assignment, sizeof(assignment));
		if (!list)
			return error_set_status(err, -E2BIG, EXIT_USAGE, "%s: a value is longer than %d bytes", w->name,
						PARAM_TEXT_MAX - 1);
		int r = assign(w, set, assignment, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int
workload_parse(const char *text, struct param_set *ret, struct error *err)
{
	char name[64];
	size_t n = strcspn(text, ":");
	const char *preset_list = "";
	int r;

	if (n == 0 || n >= sizeof(name))
		return error_set_status(err, -EINVAL, EXIT_USAGE, "a workload is written NAME or NAME:key=value,...");
	memcpy(name, text, n);
	name[n] = '\0';
	for (int i = 0; workload_presets[i].name; i++) {
		if (strcmp(workload_presets[i].name, name) == 0) {
			preset_list = workload_presets[i].list;
			snprintf(name, sizeof(name), "%s", workload_presets[i].workload);
		}
	}
	const struct workload *w = workload_find(name);
	if (!w)
		return refuse_name(name, err);
	static _Thread_local struct param_set set; // 50 kB, too much for a stack of unknown depth
	if ((r = set_defaults(w, &set, err)) < 0 || (r = assign_list(w, &set, preset_list, err)) < 0 ||
	    (text[n] && (r = assign_list(w, &set, text + n + 1, err)) < 0))
		return r;
	*ret = set;
	return 0;
}

int
workload_override(struct param_set *set, const char *assignment, struct error *err)
{
	const struct workload *w = workload_find(set->workload);
	char copy[PARAM_TEXT_MAX + 64];
	if (!w)
		return refuse_name(set->workload, err);
	if (snprintf(copy, sizeof(copy), "%s", assignment) >= (int)sizeof(copy))
		return error_set_status(err, -E2BIG, EXIT_USAGE, "%s: a value is longer than %d bytes", w->name, PARAM_TEXT_MAX - 1);
	return assign(w, set, copy, err);
}

void
workload_format(const struct param_set *set, char *buf, size_t size)
{
	static const char *const always[] = { "bs", "qd", "direct" };
	size_t at = (size_t)snprintf(buf, size, "%s", set->workload);
	for (int i = 0; i < set->n && at < size; i++) {
		const struct param_value *v = &set->value[i];
		bool show = v->is_set;
		for (size_t k = 0; k < sizeof(always) / sizeof(always[0]); k++)
			show |= strcmp(v->spec->name, always[k]) == 0;
		if (!show || !*v->text)
			continue;
		if (v->spec->kind == PARAM_BOOL && strcmp(v->spec->name, "direct") == 0)
			at += (size_t)snprintf(buf + at, size - at, v->number > 0 ? " direct" : " buffered");
		else
			at += (size_t)snprintf(buf + at, size - at, " %s=%s", v->spec->name, v->text);
	}
}

int
workload_encode(const struct param_set *set, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s\n", set->workload);
	size_t at = (size_t)n;
	for (int i = 0; i < set->n && at < size; i++) {
		const struct param_value *v = &set->value[i];
		at += (size_t)snprintf(buf + at, size - at, "%s%s=%s\n", v->is_set ? "" : "~", v->spec->name, v->text);
	}
	return at < size ? 0 : -E2BIG;
}

int
workload_decode(const char *text, struct param_set *ret, struct error *err)
{
	static _Thread_local char line[PARAM_TEXT_MAX + 64];
	size_t n = strcspn(text, "\n");
	if (n >= sizeof(line) || text[n] != '\n')
		return error_set(err, -EPROTO, "parameters without a workload's name");
	memcpy(line, text, n);
	line[n] = '\0';
	const struct workload *w = workload_find(line);
	if (!w)
		return refuse_name(line, err);
	int r = set_defaults(w, ret, err);
	for (text += n + 1; r == 0 && *text; text += n + 1) {
		n = strcspn(text, "\n");
		char *equals;
		if (n >= sizeof(line) || text[n] != '\n')
			return error_set(err, -EPROTO, "a parameter that does not end");
		memcpy(line, text, n);
		line[n] = '\0';
		if (!(equals = strchr(line, '=')))
			return error_set(err, -EPROTO, "a parameter without a value");
		*equals = '\0';
		bool given = line[0] != '~';
		r = set_value(w, ret, given ? line : line + 1, equals + 1, given, err);
	}
	return r;
}

int
workload_check(struct param_set *set, const struct target_info *target, struct workload_needs *ret, struct error *err)
{
	const struct workload *w = workload_find(set->workload);
	struct workload_needs needs = { 0 };
	if (!w)
		return refuse_name(set->workload, err);
	cpu_set_t cpus;
	const char *list = param_text(set, "cpus", "");
	if (param_parse_cpus(list, &cpus) < 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "%s: cpus=%.100s: cpus needs a list such as 0-3,8 of numbers below %d",
					w->name, list, CPU_SETSIZE);
	int r = w->needs(set, target, &needs, err);
	if (r < 0)
		return r;
	if (target->kind == TARGET_DIRECTORY && !target->writable)
		return error_set_status(err, -EACCES, EXIT_USAGE, "%.300s is not writable", target->path);
	if (needs.writes && !target->writable && target->kind == TARGET_FILE)
		return error_set_status(err, -EPERM, EXIT_REFUSED, "%s would write to %.300s, whose content is never changed unless --overwrite-file is given",
					w->name, target->path);
	if (needs.writes && !target->writable && target->kind == TARGET_DEVICE)
		return error_set_status(err, -EPERM, EXIT_REFUSED, "%s would destroy the data on %.300s; a device is only read unless --destroy-data is given",
					w->name, target->path);
	if (target->kind == TARGET_DIRECTORY && (double)needs.space_bytes * 1.05 > (double)target->free_bytes) {
		return error_set_status(err, -ENOSPC, EXIT_REFUSED,
					"%s needs %.0f MiB on %.250s and 5 %% to spare, but only %.0f MiB are free; give a smaller size=",
					w->name, (double)needs.space_bytes / 0x1p20, target->path,
					(double)target->free_bytes / 0x1p20);
	}
	*ret = needs;
	return 0;
}
