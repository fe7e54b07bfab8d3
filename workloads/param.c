// SPDX-License-Identifier: MIT
// Values of workload parameters: text to number and back. Rule: every refusal
// is one sentence that names the key, the value and what would be allowed.
#include <ioduel/param.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A finite decimal number at text; *ret_rest is what follows it.
static bool
parse_decimal(const char *text, double *ret, const char **ret_rest)
{
	// strtod would also take hexadecimal, "inf" and leading blanks.
	const char *p = text;
	if (*p == '+' || *p == '-')
		p++;
	if ((*p < '0' || *p > '9') && *p != '.')
		return false;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return false;
	char *end;
	double value = strtod(text, &end);
	if (end == text || !isfinite(value))
		return false;
	*ret = value;
	*ret_rest = end;
	return true;
}

int
param_parse_size(const char *text, double *ret_bytes)
{
	double value;
	const char *rest;
	if (!parse_decimal(text, &value, &rest))
		return -EINVAL;
	static const char units[] = "kmgt";
	double factor = 1;
	if (*rest) {
		const char *u = strchr(units, *rest | 0x20);
		if (!u || !*u)
			return -EINVAL;
		for (const char *p = units; p <= u; p++)
			factor *= 1024;
		rest++;
		if (rest[0] == 'i' && rest[1] == 'B')
			rest += 2;
	}
	value *= factor;
	if (*rest || value < 0 || value > 0x1p62 || value != floor(value))
		return -EINVAL;
	*ret_bytes = value;
	return 0;
}

int
param_parse_time(const char *text, double *ret_ns)
{
	static const struct { const char *name; double ns; } units[] = {
		{ "", 1e9 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
	};
	double value;
	const char *rest;
	if (!parse_decimal(text, &value, &rest) || value < 0)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(rest, units[i].name) == 0) {
			value *= units[i].ns;
			if (value > 0x1p62)
				return -EINVAL;
			*ret_ns = value;
			return 0;
		}
	}
	return -EINVAL;
}

int
param_parse_cpus(const char *list, cpu_set_t *ret)
{
	CPU_ZERO(ret);
	while (*list) {
		char *end;
		long first = isdigit((unsigned char)*list) ? strtol(list, &end, 10) : -1, last = first;
		if (first >= 0 && *end == '-')
			last = isdigit((unsigned char)end[1]) ? strtol(end + 1, &end, 10) : -1;
		if (first < 0 || last < first || last >= CPU_SETSIZE || (*end && (*end != ',' || !end[1])))
			return -EINVAL;
		for (long cpu = first; cpu <= last; cpu++)
			CPU_SET((size_t)cpu, ret);
		list = *end ? end + 1 : end;
	}
	return 0;
}

void
param_format_size(double bytes, char *buf, size_t size)
{
	static const char units[] = "\0kmgt";
	int unit = 0;
	while (unit < 4 && bytes >= 1024) {
		// A step up must stay exact, at most with three decimals.
		double next = bytes / 1024;
		if (next * 1000 != floor(next * 1000))
			break;
		bytes = next;
		unit++;
	}
	snprintf(buf, size, "%.15g%.1s", bytes, &units[unit]);
}

static void
format_bound(const struct param_spec *spec, double value, char *buf, size_t size)
{
	if (spec->kind == PARAM_SIZE)
		param_format_size(value, buf, size);
	else if (spec->kind == PARAM_TIME)
		snprintf(buf, size, "%.9gs", value / 1e9);
	else if (spec->kind == PARAM_COUNT)
		snprintf(buf, size, "%.0f", value);
	else
		snprintf(buf, size, "%.15g", value);
}

static int
refuse(const struct param_spec *spec, const char *text, struct error *err)
{
	char low[32], high[32], allowed[160] = "";
	const char *form = "";
	switch (spec->kind) {
	case PARAM_SIZE: form = "a size such as 4k, 128k or 2g"; break;
	case PARAM_COUNT: form = "a whole number"; break;
	case PARAM_NUMBER: form = "a number"; break;
	case PARAM_PERCENT: form = "a percentage"; break;
	case PARAM_TIME: form = "a time such as 500ms, 5s or 2m"; break;
	case PARAM_BOOL: form = "0 or 1"; break;
	case PARAM_CHOICE: form = "one of "; break;
	case PARAM_TEXT: form = "a text of at most 1023 bytes without a line break"; break;
	}
	if (spec->kind == PARAM_CHOICE) {
		// A choice that ends with a colon takes a number.
		size_t n = strlen(spec->choices);
		snprintf(allowed, sizeof(allowed), "%s%s", spec->choices, n && spec->choices[n - 1] == ':' ? "NUMBER" : "");
	} else if (spec->kind != PARAM_BOOL && spec->kind != PARAM_TEXT && spec->min <= spec->max) {
		format_bound(spec, spec->min, low, sizeof(low));
		format_bound(spec, spec->max, high, sizeof(high));
		snprintf(allowed, sizeof(allowed), " from %s to %s", low, high);
	}
	return error_set_status(err, -EINVAL, EXIT_USAGE, "%s=%.200s: %s needs %s%s", spec->name, text, spec->name, form,
				allowed);
}

static int
parse_bool(const char *text, double *ret)
{
	static const char *const yes[] = { "1", "yes", "on", "true" }, *const no[] = { "0", "no", "off", "false" };
	for (size_t i = 0; i < 4; i++) {
		if (strcasecmp(text, yes[i]) == 0 || strcasecmp(text, no[i]) == 0) {
			*ret = strcasecmp(text, yes[i]) == 0;
			return 0;
		}
	}
	return -EINVAL;
}

// "uniform|zipf:": a choice that ends with ':' takes a number after it.
static int
parse_choice(const struct param_spec *spec, const char *text, double *ret)
{
	const char *p = spec->choices;
	while (*p) {
		size_t n = strcspn(p, "|");
		if (p[n - 1] == ':') {
			const char *rest;
			if (strncmp(text, p, n) == 0 && parse_decimal(text + n, ret, &rest) && !*rest &&
			    (spec->min > spec->max || (*ret >= spec->min && *ret <= spec->max)))
				return 0;
		} else if (strlen(text) == n && strncmp(text, p, n) == 0) {
			*ret = NAN;
			return 0;
		}
		p += n + (p[n] == '|');
	}
	return -EINVAL;
}

int
param_parse_value(const struct param_spec *spec, const char *text, struct param_value *ret, struct error *err)
{
	double number = NAN;
	const char *rest = "";
	int r = 0;

	if (strlen(text) >= PARAM_TEXT_MAX)
		return refuse(spec, text, err);
	switch (spec->kind) {
	case PARAM_SIZE:
		r = param_parse_size(text, &number);
		break;
	case PARAM_TIME:
		r = param_parse_time(text, &number);
		break;
	case PARAM_BOOL:
		r = parse_bool(text, &number);
		break;
	case PARAM_CHOICE:
		r = parse_choice(spec, text, &number);
		break;
	case PARAM_TEXT:
		r = strchr(text, '\n') ? -EINVAL : 0;
		break;
	case PARAM_PERCENT:
		r = parse_decimal(text, &number, &rest) && (!*rest || strcmp(rest, "%") == 0) ? 0 : -EINVAL;
		break;
	case PARAM_COUNT:
	case PARAM_NUMBER:
		r = parse_decimal(text, &number, &rest) && !*rest ? 0 : -EINVAL;
		if (r == 0 && spec->kind == PARAM_COUNT && number != floor(number))
			r = -EINVAL;
		break;
	}
	if (r == 0 && spec->kind != PARAM_CHOICE && spec->min <= spec->max && (number < spec->min || number > spec->max))
		r = -EINVAL;
	if (r < 0)
		return refuse(spec, text, err);
	ret->spec = spec;
	ret->number = number;
	snprintf(ret->text, sizeof(ret->text), "%s", text);
	return 0;
}

const struct param_value *
param_get(const struct param_set *set, const char *name)
{
	for (int i = 0; i < set->n; i++)
		if (strcmp(set->value[i].spec->name, name) == 0)
			return &set->value[i];
	return NULL;
}

double
param_number(const struct param_set *set, const char *name, double fallback)
{
	const struct param_value *v = param_get(set, name);
	return v && !isnan(v->number) ? v->number : fallback;
}

const char *
param_text(const struct param_set *set, const char *name, const char *fallback)
{
	const struct param_value *v = param_get(set, name);
	return v ? v->text : fallback;
}

void
param_complete(struct param_set *set, const char *name, double number)
{
	for (int i = 0; i < set->n; i++) {
		struct param_value *v = &set->value[i];
		if (strcmp(v->spec->name, name) != 0)
			continue;
		v->number = number;
		if (v->spec->kind == PARAM_SIZE)
			param_format_size(number, v->text, sizeof(v->text));
		else
			snprintf(v->text, sizeof(v->text), "%.15g", number);
	}
}
