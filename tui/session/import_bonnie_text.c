// SPDX-License-Identifier: MIT
// The text report of bonnie++: fixed columns, often pasted into mail, quoted and wrapped. One rule: a figure is taken
// only where its column is certain; else the report is refused, for a wrong column is a wrong number.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/import_bonnie.h"
#include "session/text_safe.h"

#define PREFIX 19	// name and size, or the number of files
#define COLUMN 10	// " K/sec %CP"
#define N_PHASES 6
#define TOKENS_MAX 16

struct token {
	char text[24];
	int end; // column behind it; -1 on a wrapped line
};

void
bonnie_forget(struct result *r)
{
	for (int id = METRIC_PUTC; id <= METRIC_RAN_DEL_CPU; id++) {
		r->side[SIDE_A].totals[id] = NAN;
		r->side[SIDE_A].state[id] = WIRE_RESULT_OK;
	}
	r->params[0] = '\0';
	r->n_warnings = 0;
}

int
bonnie_text_begins(const char *line)
{
	return strncmp(line, "Version", 7) == 0 && strstr(line, "-----Sequential Output") != NULL;
}

static int
add_tokens(const char *line, int from, int wrapped, struct token *token, int n)
{
	const char *p = (int)strlen(line) > from ? line + from : "";
	while (*(p += strspn(p, " \t"))) {
		size_t length = strcspn(p, " \t");
		if (n == TOKENS_MAX || length >= sizeof(token->text))
			return -1;
		memcpy(token[n].text, p, length);
		token[n].text[length] = '\0';
		p += length;
		token[n++].end = wrapped ? -1 : (int)(p - line);
	}
	return n;
}

// "28299", "675k", "+++++": a rate in KiB/s, or a count.
static int
is_rate(const char *text)
{
	size_t n = strspn(text, "0123456789.");
	return strspn(text, "+") == strlen(text) || (n > 0 && (!text[n] || (strchr("kmgKMG", text[n]) && !text[n + 1])));
}

static int
is_cpu(const char *text)
{
	return strspn(text, "0123456789+") == strlen(text);
}

static void
set_rate(struct result *r, int metric, const char *text)
{
	char digits[24];
	size_t n = strspn(text, "0123456789.");
	double scale = text[n] == 'm' || text[n] == 'M' ? 1024 : text[n] == 'g' || text[n] == 'G' ? 1048576 : 1;
	if (n == 0) {
		bonnie_set(r, metric, text, 1);
		return;
	}
	snprintf(digits, sizeof(digits), "%.*s", (int)n, text);
	bonnie_set(r, metric, digits, scale);
}

// The phase of a rate that ends at a column, given how far wider figures before it pushed the line. -1: none.
static int
phase_at(const struct token *rate, int begin, int shift)
{
	int wide = (int)strlen(rate->text) > 5 ? (int)strlen(rate->text) - 5 : 0;
	int offset = rate->end - wide - shift - begin - 6;
	return offset >= 0 && offset % COLUMN == 0 && offset / COLUMN < N_PHASES ? offset / COLUMN : -1;
}

// Assigns pairs of rate and %CP to phases. 0, or -EINVAL where the columns are not certain.
static int
assign(struct result *r, const struct token *token, int n, int begin, int first_metric)
{
	int pairs = n / 2, shift = 0, last = -1, used[N_PHASES] = { 0 };
	if (n % 2 || pairs > N_PHASES)
		return -EINVAL;
	for (int i = 0; i < pairs; i++) {
		const struct token *rate = &token[2 * i], *cpu = &token[2 * i + 1];
		int phase = rate->end >= 0 && pairs < N_PHASES ? phase_at(rate, begin, shift) : -1;
		if (!is_rate(rate->text) || !is_cpu(cpu->text))
			return -EINVAL;
		if (pairs == N_PHASES)
			phase = i;
		else if (rate->end < 0 && N_PHASES - 1 - last == pairs - i)
			phase = last + 1; // wrapped, but exactly the rest is left
		if (phase <= last)
			return -EINVAL;
		shift += (int)strlen(rate->text) > 5 ? (int)strlen(rate->text) - 5 : 0;
		shift += (int)strlen(cpu->text) > 3 ? (int)strlen(cpu->text) - 3 : 0;
		last = phase;
		used[phase] = 1;
		set_rate(r, first_metric + 2 * phase, rate->text);
		bonnie_set(r, first_metric + 2 * phase + 1, cpu->text, 1);
	}
	for (int phase = 0; phase < N_PHASES; phase++)
		if (!used[phase]) {
			bonnie_set(r, first_metric + 2 * phase, "", 1);
			bonnie_set(r, first_metric + 2 * phase + 1, "", 1);
		}
	return 0;
}

static int
is_size(const char *text)
{
	size_t n = strspn(text, "0123456789");
	return n > 0 && (!text[n] || strchr("KMGT:", text[n]));
}

// Adds what mail moved from the end of a row to a line of its own: figures only, and no CSV.
static int
add_wrapped(struct import_lines *lines, struct token *token, int n)
{
	struct import_lines look = *lines;
	char buf[256];
	if (n < 0 || n >= 2 * N_PHASES || !import_line(&look, buf, sizeof(buf)))
		return n;
	const char *rest = import_unquote(buf);
	rest += strspn(rest, " \t");
	if (!*rest || rest[strspn(rest, "0123456789+kmgKMG. \t")] || strlen(rest) > 40)
		return n;
	// The number of files begins a row of its own, far from the margin.
	if (import_unquote(buf) + 8 < rest)
		return n;
	*lines = look;
	return add_tokens(rest, 0, 1, token, n);
}

// The row of throughputs: name, size, six pairs.
static int
io_row(const char *line, struct import_lines *lines, struct import_item *item)
{
	struct token token[TOKENS_MAX];
	char name[64], size[32] = "";
	int begin = PREFIX, name_end = 0, size_end = 0;
	if (sscanf(line, "%63s%n %31s%n", name, &name_end, size, &size_end) < 1)
		return -EINVAL;
	if (is_size(size) && size_end >= PREFIX)
		begin = size_end;
	else if (is_size(size) && size_end > name_end)
		return -EINVAL; // narrower than bonnie++ prints: blanks were lost, and the columns with them
	else
		size[0] = '\0';
	if (begin < name_end)
		return -EINVAL;
	int n = add_wrapped(lines, token, add_tokens(line, begin, 0, token, 0));
	text_safe_copy(item->name, sizeof(item->name), name);
	if (size[0])
		import_param(item->result->params, sizeof(item->result->params), "size", size);
	return n < 0 ? -EINVAL : assign(item->result, token, n, begin, METRIC_PUTC);
}

// The row of file operations: number of files, six pairs.
static int
file_row(const char *line, struct import_lines *lines, struct import_item *item)
{
	struct token token[TOKENS_MAX];
	char files[48];
	int end = 0;
	if (sscanf(line, "%47s%n", files, &end) < 1 || !isdigit((unsigned char)files[0]))
		return -EINVAL;
	int begin = end > PREFIX ? end : PREFIX;
	int n = add_wrapped(lines, token, add_tokens(line, end, 0, token, 0));
	import_param(item->result->params, sizeof(item->result->params), "files_x1024", files);
	return n < 0 ? -EINVAL : assign(item->result, token, n, begin, METRIC_SEQ_CREATE);
}

static void
latency_row(const char *line, int first, struct import_item *item)
{
	static const char *const names[2 * N_PHASES] = {
		"latency_putc", "latency_put_block", "latency_rewrite", "latency_getc", "latency_get_block", "latency_seeks",
		"latency_seq_create", "latency_seq_stat", "latency_seq_del", "latency_ran_create", "latency_ran_stat",
		"latency_ran_del",
	};
	struct token token[TOKENS_MAX];
	int n = add_tokens(line, 7, 0, token, 0);
	for (int i = 0; n == N_PHASES && i < N_PHASES; i++)
		import_param(item->result->params, sizeof(item->result->params), names[first + i], token[i].text);
}

// bonnie++ 2.00a prints the number of files where its create rates belong.
static void
distrust_creates(struct result *r)
{
	static const int creates[] = { METRIC_SEQ_CREATE, METRIC_RAN_CREATE };
	for (size_t i = 0; bonnie_version(r) >= 2 && i < 2; i++) {
		if (!isfinite(r->side[SIDE_A].totals[creates[i]]))
			continue;
		r->side[SIDE_A].totals[creates[i]] = r->side[SIDE_A].totals[creates[i] + 1] = NAN;
		result_warn(r, "bonnie-create-rate", LEVEL_YELLOW, WARN_A,
			    "%s prints the number of files in its table instead of the create rate: that figure is left out "
			    "(the CSV line has it)", r->origin);
	}
}

static int
is_heading(const char *line)
{
	return strstr(line, "---") || strstr(line, "-Per Chr-") || strstr(line, "%CP") || strstr(line, "-Create--") ||
	       strstr(line, "--Random-") || strstr(line, "--Seeks--");
}

// Reads the lines of one report until both rows are there or another text begins. Returns the rows found.
static int
read_rows(struct import_lines *lines, struct import_item *item, int *ret_bad)
{
	int rows = 0, in_files = 0;
	char buf[512];
	for (int budget = 24; budget > 0; budget--) {
		struct import_lines look = *lines;
		if (!import_line(&look, buf, sizeof(buf)))
			break;
		const char *line = import_unquote(buf);
		if (bonnie_text_begins(line) || bonnie_csv_candidate(line) || (rows == 3 && strncmp(line, "Latency", 7) != 0))
			break;
		*lines = look;
		if (strstr(line, "Sequential Create") || strstr(line, "-Create--"))
			in_files = 1;
		if (!*line || is_heading(line) || strstr(line, "files  /sec"))
			continue;
		if (strncmp(line, "Latency", 7) == 0)
			latency_row(line, in_files ? N_PHASES : 0, item);
		else if (!in_files && !(rows & 1))
			rows |= io_row(line, lines, item) ? (*ret_bad = 1) : 1;
		else if (in_files && line[0] == ' ')
			rows |= file_row(line, lines, item) ? (*ret_bad = 1, 2) : 2;
	}
	return rows;
}

int
bonnie_text(const char *line, struct import_lines *lines, struct import *ret, int *ret_out_of_room)
{
	char version[32];
	int bad = 0;
	if (sscanf(line, "Version %31s", version) != 1)
		return -1;
	struct import_item *item = import_add(ret);
	if (!item) {
		*ret_out_of_room = 1;
		return -1;
	}
	char safe[24];
	text_safe_copy(safe, sizeof(safe), version);
	snprintf(item->result->origin, sizeof(item->result->origin), "bonnie++ %s", safe);
	int rows = read_rows(lines, item, &bad);
	if (rows == 0) {
		result_fini(item->result);
		free(item->result);
		ret->n--;
		return -1;
	}
	if (bad) {
		bonnie_forget(item->result);
		result_warn(item->result, "bonnie-columns", LEVEL_RED, WARN_A,
			    "the columns of this report were lost (blanks changed on the way): its figures cannot be told apart");
	} else {
		distrust_creates(item->result);
	}
	return ret->n - 1;
}
