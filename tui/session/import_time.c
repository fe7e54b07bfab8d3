// SPDX-License-Identifier: MIT
// The output of `time`, of shells, of POSIX and of GNU. One rule: figures come from what a line says, and a program
// that failed is no result.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/import.h"
#include "session/text_safe.h"

struct reading {
	struct import *im;
	struct import_item *now;
	unsigned seen;	  // bit: 0 real, 1 user, 2 sys
	char title[128];  // the line that stands before the figures
	int failed_status;
	int out_of_room;
};

enum { SEEN_REAL = 1, SEEN_USER = 2, SEEN_SYS = 4 };

// A plain decimal at *p ("12", "1.5", "1,5"); moves *p on. NAN where there is none.
static double
take_number(const char **p)
{
	char digits[40];
	size_t n = 0;
	while (n + 1 < sizeof(digits) && (isdigit((unsigned char)(*p)[n]) || (((*p)[n] == '.' || (*p)[n] == ',') && n > 0))) {
		digits[n] = (*p)[n] == ',' ? '.' : (*p)[n];
		n++;
	}
	digits[n] = '\0';
	char *end;
	double value = n ? strtod(digits, &end) : NAN;
	if (n == 0 || *end)
		return NAN;
	*p += n;
	return value;
}

// "3h19m16.88s", "0m1.234s", "1.23", "1.23s"; NAN where the text is something else.
static double
parse_units(const char *text)
{
	double total = 0, value;
	int units = 0;
	for (;;) {
		value = take_number(&text);
		if (isnan(value))
			return NAN;
		if (*text == 'h' || *text == 'm' || *text == 's') {
			total += value * (*text == 'h' ? 3600 : *text == 'm' ? 60 : 1);
			units++;
			text++;
			if (!*text)
				return total;
		} else {
			return *text || units ? (double)NAN : value;
		}
	}
}

// "3:19:16", "0:01.23".
static double
parse_clock(const char **text)
{
	double total = 0;
	int parts = 0;
	for (;;) {
		double value = take_number(text);
		if (isnan(value) || ++parts > 3)
			return NAN;
		total = total * 60 + value;
		if (**text != ':')
			return parts > 1 ? total : (double)NAN;
		(*text)++;
	}
}

static void
set_field(struct reading *rd, enum metric id, double value)
{
	unsigned bit = id == METRIC_REAL_S ? SEEN_REAL : id == METRIC_USER_S ? SEEN_USER : id == METRIC_SYS_S ? SEEN_SYS : 0;
	if (!isfinite(value) || rd->out_of_room)
		return;
	if (!rd->now || (rd->seen & bit)) {
		rd->now = import_add(rd->im);
		rd->seen = 0;
		if (!rd->now) {
			rd->out_of_room = 1;
			return;
		}
		struct result *r = rd->now->result;
		snprintf(r->origin, sizeof(r->origin), "time");
		snprintf(r->workload, sizeof(r->workload), "command");
		text_safe_copy(rd->now->name, sizeof(rd->now->name), rd->title);
		text_safe_copy(r->side[SIDE_A].label, sizeof(r->side[SIDE_A].label), rd->title);
		r->primary = METRIC_REAL_S;
		rd->title[0] = '\0';
	}
	rd->seen |= bit;
	rd->now->result->side[SIDE_A].totals[id] = value;
}

// "real 3h19m16.88s": a word, blanks or a tab, a time. 1 if the line was one.
static int
shell_line(struct reading *rd, const char *line)
{
	static const struct { const char *word; enum metric id; } words[] = {
		{ "real", METRIC_REAL_S }, { "user", METRIC_USER_S }, { "sys", METRIC_SYS_S },
	};
	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(words[i].word);
		if (strncmp(line, words[i].word, n) != 0 || (line[n] != ' ' && line[n] != '\t'))
			continue;
		double value = parse_units(line + n + strspn(line + n, " \t"));
		if (isnan(value))
			return 0;
		set_field(rd, words[i].id, value);
		return 1;
	}
	return 0;
}

// "1.02user 0.11system 0:01.23elapsed 95%CPU (0avgtext+0avgdata 1832maxresident)k".
static int
gnu_line(struct reading *rd, const char *line)
{
	const char *p = line;
	double user = take_number(&p);
	if (isnan(user) || strncmp(p, "user ", 5) != 0)
		return 0;
	p += 5;
	double sys = take_number(&p);
	if (isnan(sys) || strncmp(p, "system ", 7) != 0)
		return 0;
	p += 7;
	double real = parse_clock(&p);
	if (isnan(real) || strncmp(p, "elapsed", 7) != 0)
		return 0;
	set_field(rd, METRIC_USER_S, user);
	set_field(rd, METRIC_SYS_S, sys);
	set_field(rd, METRIC_REAL_S, real);
	const char *rss = strstr(p, "maxresident");
	while (rss && rss > p && isdigit((unsigned char)rss[-1]))
		rss--;
	if (rss)
		set_field(rd, METRIC_MAX_RSS, take_number(&rss) * 1024);
	return 1;
}

// "make -j8  1.02s user 0.11s system 95% cpu 1.234 total" of zsh.
static int
zsh_line(struct reading *rd, const char *line)
{
	const char *mark = strstr(line, "s user "), *p = mark;
	if (!mark || !strstr(mark, " cpu ") || !strstr(mark, " total"))
		return 0;
	while (p > line && (isdigit((unsigned char)p[-1]) || p[-1] == '.'))
		p--;
	const char *start = p;
	double user = take_number(&p);
	p = mark + 7;
	double sys = take_number(&p);
	const char *cpu = strstr(mark, " cpu ") + 5;
	double real = strchr(cpu, ':') ? parse_clock(&cpu) : take_number(&cpu);
	if (isnan(user) || isnan(sys) || isnan(real) || strncmp(p, "s system", 8) != 0)
		return 0;
	if (start > line)
		snprintf(rd->title, sizeof(rd->title), "%.*s", (int)(start - line > 120 ? 120 : start - line), line);
	set_field(rd, METRIC_USER_S, user);
	set_field(rd, METRIC_SYS_S, sys);
	set_field(rd, METRIC_REAL_S, real);
	return 1;
}

static const char *
after(const char *line, const char *prefix)
{
	line += strspn(line, " \t");
	size_t n = strlen(prefix);
	return strncmp(line, prefix, n) == 0 ? line + n : NULL;
}

// A line of GNU `time -v`.
static int
verbose_line(struct reading *rd, const char *line)
{
	const char *p;
	if ((p = after(line, "Command being timed: "))) {
		rd->now = NULL;
		text_safe_copy(rd->title, sizeof(rd->title), p);
	} else if ((p = after(line, "User time (seconds): "))) {
		set_field(rd, METRIC_USER_S, take_number(&p));
	} else if ((p = after(line, "System time (seconds): "))) {
		set_field(rd, METRIC_SYS_S, take_number(&p));
	} else if ((p = after(line, "Elapsed (wall clock) time (h:mm:ss or m:ss): "))) {
		set_field(rd, METRIC_REAL_S, parse_clock(&p));
	} else if (rd->now && (p = after(line, "Maximum resident set size (kbytes): "))) {
		set_field(rd, METRIC_MAX_RSS, take_number(&p) * 1024);
	} else if (rd->now && (p = after(line, "Exit status: "))) {
		if (take_number(&p) > 0)
			rd->now->failed = 1;
	} else if ((p = after(line, "Command exited with non-zero status ")) ||
		   (p = after(line, "Command terminated by signal "))) {
		rd->failed_status = 1;
	} else {
		return 0;
	}
	return 1;
}

static void
conclude_item(struct import_item *item)
{
	struct result *r = item->result;
	if (!isfinite(r->side[SIDE_A].totals[METRIC_REAL_S])) {
		item->failed = 1;
		result_warn(r, "no-real-time", LEVEL_RED, WARN_A, "no real time stands beside these figures");
	} else if (item->failed) {
		result_warn(r, "command-failed", LEVEL_RED, WARN_A, "the command failed: its time is no result");
	}
	import_take_totals(r);
}

int
import_time(const char *text, size_t length, struct import *ret, struct error *err)
{
	struct reading rd = { .im = ret };
	struct import_lines lines = { text, text + length };
	char line[2048];
	int first = ret->n;
	while (import_line(&lines, line, sizeof(line))) {
		const char *bare = import_unquote(line);
		int before = ret->n;
		if (shell_line(&rd, bare) || gnu_line(&rd, bare) || verbose_line(&rd, bare) || zsh_line(&rd, bare)) {
			if (ret->n > before && rd.failed_status) {
				ret->item[before].failed = 1;
				rd.failed_status = 0;
			}
			continue;
		}
		// The first line of a paragraph before the figures is what the user called the run.
		if (bare[strspn(bare, " \t")] && !rd.title[0])
			text_safe_copy(rd.title, sizeof(rd.title), bare);
	}
	if (rd.out_of_room)
		return error_set(err, -E2BIG, "more than %d results in one file", IMPORT_ITEMS_MAX);
	if (ret->n == first)
		return -ENOENT;
	ret->kind = IMPORT_TIME;
	for (int i = first; i < ret->n; i++)
		conclude_item(&ret->item[i]);
	return 0;
}
