// SPDX-License-Identifier: MIT
// One page that needs nothing else: no network, no fonts, no library. One rule: it says everything without JavaScript;
// the script only adds zooming and reading at a point.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/export_page.h"
#include "session/export_plot.h"
#include "session/result_text.h"
#include "session/text_safe.h"
#include "session/text_value.h"

static void
tag(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<%s>", name);
	text_safe_markup(out, text);
	fprintf(out, "</%s>", name);
}

static void
put_side(const struct result *r, int side, FILE *out)
{
	const struct result_side *s = &r->side[side];
	char line[4096];
	fprintf(out, "<section class='side s%c'><h2>%c</h2><p class='path'>", 'a' + side, 'A' + side);
	text_safe_markup(out, s->path[0] ? s->path : s->label);
	fputs("</p>", out);
	if (s->label[0] && s->path[0])
		tag(out, "p", s->label);
	fputs("<ul class='stack'>", out);
	for (int i = 1; i < s->stack.n_layers; i++) {
		result_format_layer(&s->stack.layer[i], line, sizeof(line));
		fprintf(out, "<li style='margin-left:%dem'><small>%s</small> ", result_layer_depth(&s->stack, i) - 1,
			layer_kind_name(s->stack.layer[i].kind));
		text_safe_markup(out, line);
		fputs("</li>", out);
	}
	fputs("</ul>", out);
	result_format_params(s->params, line, sizeof(line));
	if (line[0]) {
		fputs("<p>set for this side: ", out);
		text_safe_markup(out, line);
		fputs("</p>", out);
	}
	fputs("</section>\n", out);
}

static void
put_metrics(const struct result *r, FILE *out)
{
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	char text[128];
	fputs("<h2>Figures</h2><div class='wide'><table><thead><tr><th>metric</th>", out);
	for (int side = 0; side < SIDES; side++)
		if (r->side[side].present)
			fprintf(out, "<th>%c</th>", 'A' + side);
	fputs(both ? "<th>B/A</th><th>interval</th><th></th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n", out);
	for (int i = 0; i < r->n_metrics; i++) {
		const struct metric_result *m = &r->metric[i];
		fputs("<tr>", out);
		tag(out, "th", metric_table[m->id].label);
		for (int side = 0; side < SIDES; side++) {
			if (!r->side[side].present)
				continue;
			text_format_figure(m, side, text, sizeof(text));
			tag(out, "td", text);
		}
		if (both) {
			snprintf(text, sizeof(text), isfinite(m->ratio) ? "%.4g" : "-", m->ratio);
			tag(out, "td", text);
			result_format_interval(m, text, sizeof(text));
			tag(out, "td", text);
			tag(out, "td", m->words);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void
put_pairs(const struct result *r, FILE *out)
{
	char text[128];
	const char *unit = metric_table[r->primary].unit;
	if (r->n_pairs == 0)
		return;
	fputs("<h2>Pairs</h2><div class='wide'><table><thead><tr><th>pair</th><th>order</th><th>A</th><th>B</th><th>B/A</th><th></th>"
	      "</tr></thead><tbody>\n", out);
	for (int i = 0; i < r->n_pairs; i++) {
		const struct pair *p = &r->pairs[i];
		double a = p->done[SIDE_A] ? p->slice[SIDE_A].metric[r->primary] : (double)NAN;
		double b = p->done[SIDE_B] ? p->slice[SIDE_B].metric[r->primary] : (double)NAN;
		fprintf(out, "<tr><th>%d</th><td>%s</td>", i + 1, p->first == SIDE_A ? "AB" : "BA");
		text_format_value(a, unit, text, sizeof(text));
		tag(out, "td", text);
		text_format_value(b, unit, text, sizeof(text));
		tag(out, "td", text);
		snprintf(text, sizeof(text), isfinite(b / a) ? "%.4g" : "-", b / a);
		tag(out, "td", text);
		tag(out, "td", p->counted ? "" : p->reason[0] ? p->reason : "not counted");
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void
put_warnings(const struct result *r, FILE *out)
{
	static const char *const level[] = { "info", "yellow", "red" }, *const words[] = { "Note", "Caution", "Warning" };
	if (r->n_warnings == 0)
		return;
	fputs("<h2>What speaks for caution</h2><ul class='warnings'>", out);
	for (int i = 0; i < r->n_warnings; i++) {
		const struct warning *w = &r->warnings[i];
		fprintf(out, "<li class='%s'><b>%s</b> ", level[w->level], words[w->level]);
		text_safe_markup(out, w->text);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void
put_heat(const struct snapshot_reader *session, FILE *out)
{
	if (!session || session->heat.n == 0)
		return;
	fputs("<h2>Temperatures</h2><div class='wide'><table><thead><tr><th>sensor</th><th>first</th><th>last</th><th>lowest</th>"
	      "<th>highest</th><th>limit</th></tr></thead><tbody>\n", out);
	for (int i = 0; i < session->heat.n; i++) {
		const struct snapshot_sensor *s = &session->heat.sensor[i];
		fputs("<tr>", out);
		tag(out, "th", s->name);
		fprintf(out, "<td>%.1f °C</td><td>%.1f °C</td><td>%.1f °C</td><td>%.1f °C</td>", s->first_milli_c / 1e3,
			s->last_milli_c / 1e3, s->min_milli_c / 1e3, s->max_milli_c / 1e3);
		if (s->limit_milli_c > 0)
			fprintf(out, "<td>%.1f °C</td></tr>\n", s->limit_milli_c / 1e3);
		else
			fputs("<td>-</td></tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void
put_settings(const struct result *r, FILE *out)
{
	char line[4096];
	fputs("<h2>Settings</h2><dl>", out);
	const char *names[] = { "workload", "plan", "order", "measured", "by", "host", "kernel" };
	for (int i = 0; i < 7; i++) {
		const char *text = i == 2 ? r->plan.order : i == 3 ? r->created : i == 4 ? r->origin : i == 5 ? r->host.name :
				   i == 6 ? r->host.kernel : line;
		if (i == 0)
			result_format_workload(r, line, sizeof(line));
		else if (i == 1)
			result_format_plan(r, line, sizeof(line));
		if (!text[0])
			continue;
		fprintf(out, "<dt>%s</dt>", names[i]);
		tag(out, "dd", text);
	}
	fputs("</dl>\n", out);
}

// The figures behind the curves, for reading at a point: numbers and null only, no text.
static void
put_numbers(const struct export_series *s, FILE *out)
{
	fprintf(out, "<script type='application/json' id='data'>{\"step\":%.9g,\"plots\":{", s->step_s > 0 ? s->step_s : 1.0);
	int first = 1;
	for (int kind = 0; kind < EXPORT_KINDS; kind++) {
		if (!s->line[kind][SIDE_A].known && !s->line[kind][SIDE_B].known)
			continue;
		fprintf(out, "%s\"%d\":[", first ? "" : ",", kind);
		first = 0;
		for (int side = 0; side < SIDES; side++) {
			fputs(side ? ",[" : "[", out);
			for (int i = 0; s->line[kind][side].known && i < s->n; i++) {
				double value = s->line[kind][side].mean[i];
				fprintf(out, isfinite(value) ? "%s%.5g" : "%snull", i ? "," : "", value);
			}
			fputc(']', out);
		}
		fputc(']', out);
	}
	fputs("}}</script>\n", out);
}

static void
put_plots(const struct export_source *source, const struct export_series *s, FILE *out)
{
	char *body = NULL;
	size_t size = 0;
	const struct result *r = source->result;
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	// One picture each, so that pages break between them on paper.
	for (int i = -3; i < EXPORT_KINDS; i++) {
		FILE *memory = open_memstream(&body, &size);
		if (!memory)
			return;
		int height = i == -3 ? (both ? plot_ratios(memory, r, 0) : 0) : i == -2 ? (both ? plot_pairs(memory, r, 0) : 0) :
			     i == -1 ? plot_distribution(memory, source->session, 0) :
				       plot_course(memory, s, (enum export_kind)i, i, 0);
		fclose(memory);
		if (height > 0) {
			fprintf(out, "<figure><svg viewBox='0 0 %d %d' role='img'>\n", PLOT_WIDTH, height);
			fwrite(body, 1, size, out);
			fputs("</svg></figure>\n", out);
		}
		free(body);
		body = NULL;
	}
}

int
export_html(const struct export_source *source, FILE *out, struct error *err)
{
	const struct result *r = source->result;
	struct export_series *s = export_series_new(source);
	if (!s)
		return error_set(err, -ENOMEM, "out of memory");
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	fputs(export_page_head, out);
	plot_style(out);
	fputs("</style></head><body><main>\n<header><p class='brand'>ioduel</p>", out);
	tag(out, "h1", both && r->verdict.text[0] ? r->verdict.text : r->workload);
	for (int i = 0; both && i < r->n_reasons; i++)
		if (!strstr(r->verdict.text, r->reason[i]))
			tag(out, "p", r->reason[i]);
	if (r->interrupted)
		tag(out, "p", "interrupted before its end");
	fputs("</header>\n<div class='sides'>", out);
	for (int side = 0; side < SIDES; side++)
		if (r->side[side].present)
			put_side(r, side, out);
	fputs("</div>\n", out);
	put_metrics(r, out);
	fputs("<h2>Pictures</h2><p class='hint' hidden>Wheel or + and - zoom, drag moves, double click shows all; the pointer reads "
	      "the figures.</p>\n", out);
	put_plots(source, s, out);
	put_warnings(r, out);
	put_pairs(r, out);
	put_heat(source->session, out);
	put_settings(r, out);
	put_numbers(s, out);
	fputs(export_page_tail, out);
	free(s);
	return ferror(out) ? error_set(err, -EIO, "cannot write the page") : 0;
}
