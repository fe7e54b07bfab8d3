// SPDX-License-Identifier: MIT
// Markdown: what one pastes into an issue. One rule: nothing of a name or a sentence becomes markup.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/export.h"
#include "session/result_text.h"
#include "session/text_safe.h"
#include "session/text_value.h"

static void
put(FILE *out, const char *text)
{
	char safe[4096];
	text_safe_copy(safe, sizeof(safe), text);
	for (const char *p = safe; *p; p++) {
		if (strchr("\\`*_{}[]()#|<>~!&@", *p))
			fputc(*p == '<' || *p == '&' || *p == '@' ? '&' : '\\', out);
		switch (*p) {
		case '<': fputs("lt;", out); break;
		case '&': fputs("amp;", out); break;
		case '@': fputs("#64;", out); break; // mentions nobody
		default: fputc(*p, out); break;
		}
	}
}

static void
put_side(const struct result *r, int side, FILE *out)
{
	const struct result_side *s = &r->side[side];
	char line[2048];
	fprintf(out, "- **%c**: ", 'A' + side);
	put(out, s->path[0] ? s->path : s->label);
	if (s->label[0] && s->path[0] && strcmp(s->label, s->path) != 0) {
		fputs(" — ", out);
		put(out, s->label);
	}
	for (int i = 1; i < s->stack.n_layers; i++) {
		result_format_layer(&s->stack.layer[i], line, sizeof(line));
		fputs(i == 1 ? "; " : " → ", out);
		put(out, line);
	}
	result_format_params(s->params, line, sizeof(line));
	if (line[0]) {
		fputs("; set: ", out);
		put(out, line);
	}
	fputc('\n', out);
}

static void
put_metrics(const struct result *r, FILE *out)
{
	int a = r->side[SIDE_A].present, b = r->side[SIDE_B].present;
	if (a && b)
		fputs("\n| metric | A | B | B/A | interval | |\n|---|--:|--:|--:|---|---|\n", out);
	else
		fprintf(out, "\n| metric | %s |\n|---|--:|\n", a ? "A" : "B");
	for (int i = 0; i < r->n_metrics; i++) {
		const struct metric_result *m = &r->metric[i];
		char value[64], interval[80];
		fputs("| ", out);
		put(out, metric_table[m->id].label);
		for (int side = 0; side < SIDES; side++) {
			if (!r->side[side].present)
				continue;
			text_format_figure(m, side, value, sizeof(value));
			fputs(" | ", out);
			put(out, value);
		}
		if (a && b) {
			result_format_interval(m, interval, sizeof(interval));
			if (isfinite(m->ratio))
				fprintf(out, " | %.4g | ", m->ratio);
			else
				fputs(" | - | ", out);
			put(out, interval);
			fputs(" | ", out);
			put(out, m->words);
		}
		fputs(" |\n", out);
	}
}

void
export_markdown(const struct result *r, FILE *out)
{
	static const char *const level[] = { "Note", "Caution", "**Warning**" };
	char line[4096];
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	if (both) {
		fputs("**", out);
		put(out, r->verdict.text);
		fputs("**\n\n", out);
		for (int i = 0; i < r->n_reasons; i++) {
			fputs("- ", out);
			put(out, r->reason[i]);
			fputc('\n', out);
		}
	}
	result_format_workload(r, line, sizeof(line));
	fputs("- **workload**: ", out);
	put(out, line);
	result_format_plan(r, line, sizeof(line));
	if (r->plan.name[0]) {
		fputs("; plan: ", out);
		put(out, line);
	}
	fputc('\n', out);
	for (int side = 0; side < SIDES; side++)
		if (r->side[side].present)
			put_side(r, side, out);
	if (r->host.name[0]) {
		fputs("- **host**: ", out);
		put(out, r->host.name);
		fputs(", Linux ", out);
		put(out, r->host.kernel);
		fputs("; ", out);
		put(out, r->created);
		fputc('\n', out);
	}
	put_metrics(r, out);
	fputc('\n', out);
	for (int i = 0; i < r->n_warnings; i++) {
		fprintf(out, "- %s: ", level[r->warnings[i].level]);
		put(out, r->warnings[i].text);
		fputc('\n', out);
	}
	fputs("\nMeasured with ioduel " IODUEL_VERSION ".\n", out);
}
