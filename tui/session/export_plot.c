// SPDX-License-Identifier: MIT
// Drawing in SVG. One rule: an axis begins at zero or is marked as logarithmic, and a gap stays a gap.
#include "session/export_plot.h"

#include <math.h>
#include <stdio.h>

#include "session/text_safe.h"
#include "session/text_value.h"

#define LEFT 96
#define RIGHT 24
#define WIDTH (PLOT_WIDTH - LEFT - RIGHT)
#define HEIGHT 150

void
plot_style(FILE *out)
{
	fputs("text{font:12px system-ui,sans-serif;fill:var(--ink,#1a1a1a)}text.t{font-weight:600;font-size:13px}"
	      "text.m{fill:var(--dim,#5c5c5c)}.g{stroke:var(--grid,#d8d8d8);stroke-width:1}.ax{stroke:var(--dim,#5c5c5c)}"
	      ".la,.lb{fill:none;stroke-width:1.5;vector-effect:non-scaling-stroke}.la{stroke:var(--a,#1f6fd0)}"
	      ".lb{stroke:var(--b,#c2560c);stroke-dasharray:5 3}.ba{fill:var(--a,#1f6fd0);opacity:.22}"
	      ".bb{fill:var(--b,#c2560c);opacity:.22}.da{fill:var(--a,#1f6fd0)}.db{fill:var(--b,#c2560c)}"
	      ".no{stroke:var(--dim,#5c5c5c);fill:var(--dim,#5c5c5c)}.one{stroke:var(--dim,#5c5c5c);stroke-dasharray:2 3}", out);
}

struct axis {
	double low, high; // of what is drawn: the logarithm where log
	int log;
};

static double
place(const struct axis *axis, double value)
{
	double v = axis->log ? log10(value) : value;
	return (v - axis->low) / (axis->high - axis->low);
}

static double
nice_step(double span, int ticks)
{
	double raw = span / ticks, power = pow(10, floor(log10(raw))), rest = raw / power;
	return (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10) * power;
}

static int
find_axis(const struct export_series *s, enum export_kind kind, struct axis *ret)
{
	double low = INFINITY, high = 0;
	for (int side = 0; side < SIDES; side++)
		for (int i = 0; s->line[kind][side].known && i < s->n; i++) {
			high = fmax(high, s->line[kind][side].max[i]);
			if (s->line[kind][side].min[i] > 0)
				low = fmin(low, s->line[kind][side].min[i]);
		}
	if (!(high > 0) || !isfinite(high))
		return 0;
	ret->log = export_kind_info[kind].log && isfinite(low);
	ret->low = ret->log ? floor(log10(low)) : 0;
	ret->high = ret->log ? ceil(log10(high) + 1e-9) : high * 1.05;
	return ret->high > ret->low;
}

static void
put_tick(FILE *out, const struct axis *axis, double value, const char *unit, int y)
{
	char text[64];
	double at = y + HEIGHT * (1 - place(axis, value));
	text_format_value(value, unit, text, sizeof(text));
	fprintf(out, "<line class='g' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/><text class='m' x='%d' y='%.1f' text-anchor='end'>",
		LEFT, LEFT + WIDTH, at, at, LEFT - 8, at + 4);
	text_safe_markup(out, text);
	fputs("</text>\n", out);
}

static void
put_ticks(FILE *out, const struct axis *axis, const char *unit, int y)
{
	if (axis->log) {
		for (double decade = axis->low; decade <= axis->high + 1e-9; decade++)
			put_tick(out, axis, pow(10, decade), unit, y);
		return;
	}
	double step = nice_step(axis->high, 4);
	for (int i = 0; i * step <= axis->high * 1.0001; i++)
		put_tick(out, axis, i * step, unit, y);
}

static void
put_times(FILE *out, double length_s, int y)
{
	double step = nice_step(length_s, 8);
	for (int i = 0; i * step <= length_s * 1.0001; i++)
		fprintf(out, "<text class='m' x='%.1f' y='%d' text-anchor='middle'>%g s</text>", LEFT + WIDTH * i * step / length_s,
			y + HEIGHT + 16, i * step);
	fputc('\n', out);
}

// A line in the plot's own 1000 x 1000 square; what it spans from least to most is a band behind it.
static void
put_line(FILE *out, const struct export_series *s, const struct export_line *line, const struct axis *axis, int side)
{
	for (int from = 0; from < s->n;) {
		int to = from;
		while (to < s->n && line->mean[to] >= 0 && (!axis->log || line->mean[to] > 0))
			to++;
		if (to == from) {
			from++;
			continue;
		}
		fprintf(out, "<polygon class='b%c' points='", 'a' + side);
		for (int i = from; i < to; i++)
			fprintf(out, "%.2f,%.1f ", 1000.0 * (i + .5) / s->n, 1000 * (1 - place(axis, line->max[i])));
		for (int i = to - 1; i >= from; i--)
			fprintf(out, "%.2f,%.1f ", 1000.0 * (i + .5) / s->n, 1000 * (1 - place(axis, fmax(line->min[i], 1e-9))));
		fprintf(out, "'/><polyline class='l%c' points='", 'a' + side);
		if (to == from + 1) // a lone step has a length too
			fprintf(out, "%.2f,%.1f ", 1000.0 * from / s->n, 1000 * (1 - place(axis, line->mean[from])));
		for (int i = from; i < to; i++)
			fprintf(out, "%.2f,%.1f ", 1000.0 * (i + .5) / s->n, 1000 * (1 - place(axis, line->mean[i])));
		fputs("'/>\n", out);
		from = to;
	}
}

static void
put_title(FILE *out, const char *title, const char *rest, int y)
{
	fprintf(out, "<text class='t' x='%d' y='%d'>", LEFT, y);
	text_safe_markup(out, title);
	fputs("</text>", out);
	if (rest[0]) {
		fprintf(out, "<text class='m' x='%d' y='%d' text-anchor='end'>", LEFT + WIDTH, y);
		text_safe_markup(out, rest);
		fputs("</text>", out);
	}
	fputc('\n', out);
}

int
plot_course(FILE *out, const struct export_series *s, enum export_kind kind, int id, int y)
{
	struct axis axis;
	const struct export_kind_info *info = &export_kind_info[kind];
	if (s->n < 2 || !find_axis(s, kind, &axis))
		return 0;
	int top = y + 26;
	put_title(out, info->label, axis.log ? "logarithmic; A solid, B dashed" : "A solid, B dashed", y + 16);
	put_ticks(out, &axis, info->unit, top);
	put_times(out, s->n * s->step_s, top);
	fprintf(out, "<svg class='z' data-id='%d' data-length='%.9g' x='%d' y='%d' width='%d' height='%d' viewBox='0 0 1000 1000' "
		"preserveAspectRatio='none'><rect width='1000' height='1000' fill='transparent'/>\n", id, s->n * s->step_s, LEFT,
		top, WIDTH, HEIGHT);
	for (int side = 0; side < SIDES; side++)
		if (s->line[kind][side].known)
			put_line(out, s, &s->line[kind][side], &axis, side);
	fputs("</svg>\n", out);
	fprintf(out, "<line class='ax' x1='%d' x2='%d' y1='%d' y2='%d'/>\n", LEFT, LEFT, top, top + HEIGHT);
	return 26 + HEIGHT + 34;
}

// Ratios on a logarithmic axis around 1, at least 5 % to each side.
static struct axis
ratio_axis(const struct result *r)
{
	double far = log10(1.05);
	for (int i = 0; i < r->n_metrics; i++) {
		const struct metric_result *m = &r->metric[i];
		if (m->ratio > 0)
			far = fmax(far, fabs(log10(m->ratio)));
		if (m->lo > 0 && m->hi > 0)
			far = fmax(far, fmin(fmax(fabs(log10(m->lo)), fabs(log10(m->hi))), 2 * fabs(log10(m->ratio)) + .3));
	}
	return (struct axis){ .low = -far * 1.1, .high = far * 1.1, .log = 1 };
}

static double
clamp01(double v)
{
	return v < 0 ? 0 : v > 1 ? 1 : v;
}

int
plot_ratios(FILE *out, const struct result *r, int y)
{
	const int left = 260, width = PLOT_WIDTH - left - RIGHT - 120, row = 20;
	struct axis axis = ratio_axis(r);
	int n = 0, top = y + 30;
	for (int i = 0; i < r->n_metrics; i++) {
		const struct metric_result *m = &r->metric[i];
		double at = top + n * row + 10;
		if (!(m->ratio > 0) || !isfinite(m->ratio))
			continue;
		const char *class = m->verdict == VERDICT_A ? "da" : m->verdict == VERDICT_B ? "db" : "no";
		fprintf(out, "<text x='%d' y='%.1f' text-anchor='end'>", left - 12, at + 4);
		text_safe_markup(out, metric_table[m->id].label);
		fputs("</text>", out);
		if (m->lo > 0 && m->hi > 0)
			fprintf(out, "<rect class='%s' x='%.1f' y='%.1f' width='%.1f' height='2'/>", class,
				left + width * clamp01(place(&axis, m->lo)), at - 1,
				width * (clamp01(place(&axis, m->hi)) - clamp01(place(&axis, m->lo))));
		fprintf(out, "<circle class='%s' cx='%.1f' cy='%.1f' r='4'/><text class='m' x='%d' y='%.1f'>%.4g</text>\n", class,
			left + width * place(&axis, m->ratio), at, left + width + 16, at + 4, m->ratio);
		n++;
	}
	if (n == 0)
		return 0;
	double one = left + width * place(&axis, 1);
	fprintf(out, "<text class='t' x='%d' y='%d'>B over A</text><line class='one' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>"
		"<text class='m' x='%.1f' y='%d' text-anchor='middle'>1 (no difference); bars: intervals</text>\n", LEFT, y + 16, one,
		one, top, top + n * row, one, top + n * row + 16);
	return 30 + n * row + 34;
}

int
plot_pairs(FILE *out, const struct result *r, int y)
{
	struct axis axis = { .log = 1, .low = -log10(1.05), .high = log10(1.05) };
	int top = y + 26, n = 0;
	for (int i = 0; i < r->n_pairs; i++) {
		double ratio = r->pairs[i].slice[SIDE_B].metric[r->primary] / r->pairs[i].slice[SIDE_A].metric[r->primary];
		if (!r->pairs[i].counted || !(ratio > 0) || !isfinite(ratio))
			continue;
		axis.high = fmax(axis.high, fabs(log10(ratio)) * 1.1);
		n++;
	}
	if (n < 2)
		return 0;
	axis.low = -axis.high;
	put_title(out, "each pair: B over A", metric_table[r->primary].label, y + 16);
	double one = top + HEIGHT * .5;
	fprintf(out, "<line class='one' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/><text class='m' x='%d' y='%.1f' text-anchor='end'>1</text>",
		LEFT, LEFT + WIDTH, one, one, LEFT - 8, one + 4);
	fprintf(out, "<text class='m' x='%d' y='%d' text-anchor='end'>%.3g</text><text class='m' x='%d' y='%d' text-anchor='end'>%.3g"
		"</text>\n", LEFT - 8, top + 10, pow(10, axis.high), LEFT - 8, top + HEIGHT, pow(10, axis.low));
	for (int i = 0, k = 0; i < r->n_pairs; i++) {
		double ratio = r->pairs[i].slice[SIDE_B].metric[r->primary] / r->pairs[i].slice[SIDE_A].metric[r->primary];
		if (!r->pairs[i].counted || !(ratio > 0) || !isfinite(ratio))
			continue;
		fprintf(out, "<circle class='no' cx='%.1f' cy='%.1f' r='4'><title>pair %d (%s): %.6g</title></circle>",
			LEFT + WIDTH * (k + .5) / n, top + HEIGHT * (1 - place(&axis, ratio)), i + 1,
			r->pairs[i].first == SIDE_A ? "AB" : "BA", ratio);
		k++;
	}
	fputc('\n', out);
	return 26 + HEIGHT + 20;
}
