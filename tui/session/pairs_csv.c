// SPDX-License-Identifier: MIT
// Reads pairs from CSV. One rule: a row that is not two positive figures and
// an order stops the reading with its line number; nothing is left out.
#include "session/pairs_csv.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/conclude.h"
#include "session/plan.h"

#define LINE_MOST 4096
#define FIELDS 3

enum field { FIELD_ORDER, FIELD_A, FIELD_B };
static const char *const field_names[FIELDS] = {"order", "a", "b"};

struct reader {
	const char *name;
	long line;
	int column[FIELDS]; // which column holds which field
	locale_t c_locale;  // a number is written with a point, whatever the user's language
	struct error *err;
};

__attribute__((format(printf, 2, 3))) static int
refuse(const struct reader *r, const char *fmt, ...)
{
	char what[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return error_set_status(r->err, -EINVAL, EXIT_USAGE, "%.80s:%ld: %s", r->name, r->line, what);
}

// What a file says goes into a sentence for the terminal: short, and without control characters.
static const char *
shown(const char *text, char *buf, size_t size)
{
	size_t n = 0;
	for (; text[n] && n + 1 < size; n++)
		buf[n] = (unsigned char)text[n] < ' ' || text[n] == 127 ? '?' : text[n];
	buf[n] = '\0';
	return buf;
}

static char *
trim(char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n > 0 && strchr(" \t\r\n", text[n - 1]))
		text[--n] = '\0';
	if (n >= 2 && text[0] == '"' && text[n - 1] == '"') {
		text[n - 1] = '\0';
		text++;
	}
	return text;
}

// Cuts a line at its commas. Returns how many fields there are; those beyond FIELDS are only counted.
static int
split(char *line, char *field[FIELDS])
{
	int n = 0;
	for (char *p = line, *comma; p; p = comma ? comma + 1 : NULL, n++) {
		comma = strchr(p, ',');
		if (comma)
			*comma = '\0';
		if (n < FIELDS)
			field[n] = trim(p);
	}
	return n;
}

static int
read_header(struct reader *r, char *line)
{
	char *field[FIELDS] = {NULL, NULL, NULL}, buf[60];
	if (strncmp(line, "\xef\xbb\xbf", 3) == 0) // byte order mark
		line += 3;
	int n = split(line, field);
	for (int f = 0; f < FIELDS; f++)
		r->column[f] = -1;
	for (int i = 0; i < n && i < FIELDS; i++) {
		int f = 0;
		while (f < FIELDS && strcmp(field[i], field_names[f]) != 0)
			f++;
		if (f == FIELDS)
			return refuse(r, "\"%s\" is not a column of pairs: the first line must be order,a,b", shown(field[i], buf, sizeof(buf)));
		if (r->column[f] >= 0)
			return refuse(r, "the column \"%s\" stands there twice", field_names[f]);
		r->column[f] = i;
	}
	for (int f = 0; f < FIELDS; f++) {
		if (r->column[f] < 0)
			return refuse(r, "the column \"%s\" is missing: the first line must be order,a,b", field_names[f]);
	}
	return n > FIELDS ? refuse(r, "%d columns where 3 are expected: order,a,b", n) : 0;
}

static int
read_number(const struct reader *r, enum field f, const char *text, double *ret)
{
	char buf[60], *end;
	if (!*text)
		return refuse(r, "%s is empty", field_names[f]);
	double value = strtod_l(text, &end, r->c_locale);
	// strtod also knows nan, inf and hexadecimal; a measured figure is written in digits.
	if (*end || strspn(text, "0123456789+-.eE") != strlen(text)) {
		if (end != text && !*end && !isfinite(value))
			return refuse(r, "%s is %s: a figure is finite", field_names[f], shown(text, buf, sizeof(buf)));
		return refuse(r, "%s is \"%s\", which is not a number", field_names[f], shown(text, buf, sizeof(buf)));
	}
	if (!isfinite(value))
		return refuse(r, "%s is %s, which is too large", field_names[f], shown(text, buf, sizeof(buf)));
	if (!(value > 0))
		return refuse(r, "%s is %s: a figure is above 0", field_names[f], shown(text, buf, sizeof(buf)));
	*ret = value;
	return 0;
}

static int
add_pair(struct pairs_csv *p, double a, double b, int order)
{
	if (p->n == p->cap) {
		if (p->cap > 1 << 28)
			return -E2BIG;
		int cap = p->cap ? 2 * p->cap : 64;
		double *wider = realloc(p->a, (size_t)cap * sizeof(*wider));
		if (!wider)
			return -ENOMEM;
		p->a = wider;
		wider = realloc(p->b, (size_t)cap * sizeof(*wider));
		if (!wider)
			return -ENOMEM;
		p->b = wider;
		signed char *longer = realloc(p->order, (size_t)cap);
		if (!longer)
			return -ENOMEM;
		p->order = longer;
		p->cap = cap;
	}
	p->a[p->n] = a;
	p->b[p->n] = b;
	p->order[p->n++] = (signed char)order;
	return 0;
}

static int
read_row(const struct reader *r, char *line, struct pairs_csv *p)
{
	char *field[FIELDS] = {NULL, NULL, NULL}, buf[60];
	double a, b;
	int n = split(line, field), order = 0, ret;
	if (n != FIELDS)
		return refuse(r, "%d field%s where 3 are expected: order,a,b", n, n == 1 ? "" : "s");
	const char *text = field[r->column[FIELD_ORDER]];
	if (strcmp(text, "AB") == 0 || strcmp(text, "ab") == 0)
		order = 1;
	else if (strcmp(text, "BA") == 0 || strcmp(text, "ba") == 0)
		order = -1;
	else
		return refuse(r, "the order is \"%s\", not AB or BA", shown(text, buf, sizeof(buf)));
	if ((ret = read_number(r, FIELD_A, field[r->column[FIELD_A]], &a)) ||
	    (ret = read_number(r, FIELD_B, field[r->column[FIELD_B]], &b)))
		return ret;
	ret = add_pair(p, a, b, order);
	return ret ? error_set(r->err, ret, "%.80s:%ld: no memory for so many pairs", r->name, r->line) : 0;
}

static int
read_line(struct reader *r, char *line, size_t length, int *have_header, struct pairs_csv *p)
{
	if (strlen(line) != length)
		return refuse(r, "a byte of value 0: this is not text");
	if (length > LINE_MOST)
		return refuse(r, "a line of %zu characters: this is not a table of pairs", length);
	if (line[strspn(line, " \t\r\n")] == '\0')
		return 0;
	if (!*have_header) {
		*have_header = 1;
		return read_header(r, line);
	}
	p->last_line = r->line;
	return read_row(r, line, p);
}

static int
check_whole(struct reader *r, FILE *in, int have_header, const struct pairs_csv *p)
{
	if (ferror(in))
		return error_set(r->err, -EIO, "%.80s: cannot be read", r->name);
	if (!have_header)
		return error_set_status(r->err, -EINVAL, EXIT_USAGE,
					"%.80s: empty; the header order,a,b and one line for each pair are expected", r->name);
	if (!p->n)
		return error_set_status(r->err, -EINVAL, EXIT_USAGE, "%.80s: no pairs below the header", r->name);
	r->line = p->last_line;
	// Below the least number there is no interval anyway, and more pairs are asked for.
	if (p->n > 6 && p->n % 2)
		return refuse(r, "an odd number of pairs (%d): pairs are planned in twos, AB BA or BA AB; one more is needed", p->n);
	return 0;
}

int
pairs_csv_read(FILE *in, const char *name, struct pairs_csv *ret, struct error *err)
{
	struct reader r = {.name = name, .err = err, .c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int failed = 0, have_header = 0;
	*ret = (struct pairs_csv){0};
	if (!r.c_locale)
		return error_set(err, -ENOMEM, "out of memory");
	while (!failed && (length = getline(&line, &size, in)) >= 0) {
		r.line++;
		failed = read_line(&r, line, (size_t)length, &have_header, ret);
	}
	if (!failed)
		failed = check_whole(&r, in, have_header, ret);
	free(line);
	freelocale(r.c_locale);
	if (failed)
		pairs_csv_fini(ret);
	return failed;
}

void
pairs_csv_fini(struct pairs_csv *p)
{
	free(p->a);
	free(p->b);
	free(p->order);
	*p = (struct pairs_csv){0};
}

static int
add_pairs(const struct pairs_csv *p, enum metric primary, struct result *r)
{
	struct pair pair;
	for (int i = 0; i < p->n; i++) {
		pair_init(&pair);
		pair.first = p->order[i] > 0 ? SIDE_A : SIDE_B;
		pair.slice[SIDE_A].metric[primary] = p->a[i];
		pair.slice[SIDE_B].metric[primary] = p->b[i];
		pair.done[SIDE_A] = pair.done[SIDE_B] = pair.counted = 1;
		int failed = result_add_pair(r, &pair);
		if (failed)
			return failed;
	}
	return 0;
}

int
pairs_csv_conclude(const struct pairs_csv *p, enum metric primary, int planned, double effect, struct result *ret)
{
	int failed;
	snprintf(ret->origin, sizeof(ret->origin), "pairs measured elsewhere");
	snprintf(ret->workload, sizeof(ret->workload), "pairs");
	snprintf(ret->plan.name, sizeof(ret->plan.name), "interleave");
	ret->plan.pairs_planned = planned ? planned : p->n;
	ret->plan.effect = effect;
	ret->primary = primary;
	for (int side = 0; side < SIDES; side++) {
		ret->side[side].present = 1;
		snprintf(ret->side[side].label, sizeof(ret->side[side].label), "%c", 'A' + side);
	}
	if (p->n <= PLAN_PAIRS_MAX) {
		struct plan plan = {.pairs = p->n};
		memcpy(plan.order, p->order, (size_t)p->n);
		plan_format_order(&plan, ret->plan.order, sizeof(ret->plan.order));
	}
	if (p->n <= PAIRS_CSV_KEPT) {
		failed = add_pairs(p, primary, ret);
		if (!failed)
			result_conclude(ret, p->n < ret->plan.pairs_planned);
		return failed;
	}
	failed = conclude_figures(ret, p->a, p->b, p->order, p->n, p->n < ret->plan.pairs_planned);
	if (!failed)
		failed = result_warn(ret, "pairs-left-out", LEVEL_INFO, WARN_BOTH, "%d pairs: too many to be listed here one by one", p->n);
	return failed ? -ENOMEM : 0;
}
