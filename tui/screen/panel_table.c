// SPDX-License-Identifier: MIT
// The verdict in full: every metric with its interval as dot and bar, and the
// pairs one by one.
#include "screen/paint.h"

#include "screen/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A logarithmic axis of ratios, the same for all rows.
struct ratio_axis {
	int label_w; // of the column before the values
	int x, w;
	double span; // ln of the ratio at the right end; the left end is its inverse
};

static void
widen(double *span, double ratio)
{
	double size = isfinite(ratio) && ratio > 0 ? fabs(log(ratio)) : 0;

	if (size > *span)
		*span = size;
}

static struct ratio_axis
axis_make(const struct result *r, int x, int w)
{
	struct ratio_axis axis = {0, x, w, log(1.05)};

	for (int i = 0; i < r->n_metrics; i++) {
		widen(&axis.span, r->metric[i].ratio);
		widen(&axis.span, r->metric[i].lo);
		widen(&axis.span, r->metric[i].hi);
	}
	axis.span = fmin(axis.span * 1.1, log(10));
	return axis;
}

static int
axis_column(const struct ratio_axis *axis, double ratio)
{
	double at = log(ratio) / axis->span;

	at = at < -1 ? -1 : at > 1 ? 1 : at;
	return axis->x + (int)lround((at + 1) / 2 * (axis->w - 1));
}

// The line of "no difference", and beside it what does not matter.
static void
paint_axis_back(struct paint *p, const struct ratio_axis *axis, int y)
{
	double effect = p->view->result->plan.effect;
	struct style style = paint_style(p->ui, THEME_DIV_LINE);
	int from = axis_column(axis, 1 / (1 + effect)), to = axis_column(axis, 1 + effect);

	for (int x = from; x <= to && effect > 0; x++)
		canvas_put(p->canvas, x, y, 0xb7, style);
	canvas_put(p->canvas, axis_column(axis, 1), y, 0x2502, style);
}

static void
paint_interval(struct paint *p, const struct ratio_axis *axis, int y, const struct metric_result *m)
{
	struct style style = paint_verdict(p, m->verdict);

	paint_axis_back(p, axis, y);
	if (isfinite(m->lo) && isfinite(m->hi) && m->lo > 0) {
		int from = axis_column(axis, m->lo), to = axis_column(axis, m->hi);
		for (int x = from; x <= to; x++)
			canvas_put(p->canvas, x, y, 0x2501, style);
		if (to > from) {
			canvas_put(p->canvas, from, y, 0x251d, style);
			canvas_put(p->canvas, to, y, 0x2525, style);
		}
	}
	if (isfinite(m->ratio) && m->ratio > 0)
		canvas_put(p->canvas, axis_column(axis, m->ratio), y, 0x25cf, style);
}

static void
paint_axis_labels(struct paint *p, const struct ratio_axis *axis, int y)
{
	static const double ratios[] = {0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 2, 5, 10};
	struct style style = paint_style(p->ui, THEME_GRAPH_TEXT);
	int end = axis->x - 1;
	char text[16];

	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		int x, width = snprintf(text, sizeof(text), "%g", ratios[i]);
		if (fabs(log(ratios[i])) > axis->span * 1.001)
			continue;
		x = axis_column(axis, ratios[i]) - width / 2;
		if (x <= end || x + width > axis->x + axis->w)
			continue;
		// 1 is never left out for its neighbours
		if (ratios[i] < 1 && x + width >= axis_column(axis, 1) - 1)
			continue;
		end = x + canvas_text(p->canvas, x, y, width, style, text);
	}
}

enum { VALUE_W = 12, RATIO_W = 8 };

static void
paint_metric_row(struct paint *p, struct rect r, const struct metric_result *m, const struct ratio_axis *axis)
{
	const struct metric_info *info = &metric_table[m->id];
	int x = r.x, end = r.x + r.w;
	double factor;
	enum quantity q = format_unit(info->unit, &factor);
	struct style label = m->id == p->view->result->primary ? paint_bold(p->ui, THEME_TITLE) : paint_style(p->ui, THEME_MAIN_FG);
	char text[64];

	canvas_text(p->canvas, x, r.y, axis->label_w - 1, label, info->label);
	x += axis->label_w;
	for (int side = 0; side < SIDES; side++) {
		format_quantity(q, m->mean[side] * factor, text, sizeof(text));
		canvas_text(p->canvas, x, r.y, VALUE_W - 1, paint_style(p->ui, THEME_MAIN_FG), text);
		x += VALUE_W;
	}
	format_quantity(QUANTITY_RATIO, m->ratio, text, sizeof(text));
	canvas_text(p->canvas, x, r.y, RATIO_W, paint_bold(p->ui, THEME_MAIN_FG), text);
	if (axis->w > 0)
		paint_interval(p, axis, r.y, m);
	x = axis->w > 0 ? axis->x + axis->w + 2 : x + RATIO_W;
	if (end - x > 3)
		canvas_text(p->canvas, x, r.y, end - x, paint_verdict(p, m->verdict), m->words);
}

static void
paint_metric_head(struct paint *p, struct rect r, const struct ratio_axis *axis)
{
	struct style style = paint_style(p->ui, THEME_GRAPH_TEXT);

	canvas_text(p->canvas, r.x, r.y, axis->label_w, style, "metric");
	canvas_text(p->canvas, r.x + axis->label_w + 4, r.y, 1, paint_side(p->ui, SIDE_A), "A");
	canvas_text(p->canvas, r.x + axis->label_w + VALUE_W + 4, r.y, 1, paint_side(p->ui, SIDE_B), "B");
	canvas_text(p->canvas, r.x + axis->label_w + 2 * VALUE_W + 2, r.y, 3, style, "B/A");
	if (axis->w > 0)
		paint_axis_labels(p, axis, r.y);
}

static void
paint_pair(struct paint *p, struct rect r, int number, double span)
{
	const struct pair *pair = &p->view->result->pairs[number];
	enum metric primary = p->view->result->primary;
	double factor, a = pair->slice[SIDE_A].metric[primary], b = pair->slice[SIDE_B].metric[primary];
	enum quantity q = format_unit(metric_table[primary].unit, &factor);
	struct style plain = paint_style(p->ui, pair->counted ? THEME_MAIN_FG : THEME_INACTIVE_FG);
	int x = r.x, end = r.x + r.w;
	char va[64], vb[64], ratio[64];

	format_quantity(q, a * factor, va, sizeof(va));
	format_quantity(q, b * factor, vb, sizeof(vb));
	format_quantity(QUANTITY_RATIO, a > 0 ? b / a : NAN, ratio, sizeof(ratio));
	x += canvas_textf(p->canvas, x, r.y, end - x, plain, "%4d  %s", number + 1, pair->first == SIDE_A ? "AB" : "BA") + 2;
	x += canvas_text(p->canvas, x, r.y, end - x, plain, va) + 2;
	x += canvas_text(p->canvas, x, r.y, end - x, plain, vb) + 2;
	x += canvas_text(p->canvas, x, r.y, end - x, plain, ratio) + 2;
	if (pair->reason[0]) {
		canvas_text(p->canvas, x, r.y, end - x, paint_style(p->ui, THEME_WARN), pair->reason);
	} else if (end - x >= 12 && a > 0 && b > 0) {
		struct ratio_axis axis = {0, x, end - x < 48 ? end - x : 48, span};
		paint_axis_back(p, &axis, r.y);
		canvas_put(p->canvas, axis_column(&axis, b / a), r.y, 0x25cf, paint_bold(p->ui, THEME_HI_FG));
	}
}

static double
pairs_span(const struct result *r)
{
	double span = log(1.05);

	for (int i = 0; i < r->n_pairs; i++)
		widen(&span, r->pairs[i].slice[SIDE_B].metric[r->primary] / r->pairs[i].slice[SIDE_A].metric[r->primary]);
	return fmin(span * 1.1, log(10));
}

// The pairs, the last ones where there are too many; scrolled by the operator.
static void
paint_pairs(struct paint *p, struct rect r)
{
	const struct result *result = p->view->result;
	int rows = r.h - 1, first = result->n_pairs - rows - p->ui->scroll;
	double span = pairs_span(result);

	if (r.h < 2)
		return;
	if (first < 0)
		first = 0;
	canvas_textf(p->canvas, r.x, r.y, r.w, paint_style(p->ui, THEME_GRAPH_TEXT), "pair  order  %s of A and B, B/A%s",
		     metric_table[result->primary].label, first > 0 ? "   (Up: earlier ones)" : "");
	for (int i = 0; i < rows && first + i < result->n_pairs; i++)
		paint_pair(p, (struct rect){r.x, r.y + 1 + i, r.w, 1}, first + i, span);
}

static int
shown_metrics(const struct result *r, const struct metric_result **ret)
{
	int n = 0;

	for (int i = 0; i < r->n_metrics; i++)
		if ((!isnan(r->metric[i].mean[SIDE_A]) || !isnan(r->metric[i].mean[SIDE_B])) && result_shows_metric(r, i))
			ret[n++] = &r->metric[i];
	return n;
}

void
panel_table(struct paint *p, struct rect r)
{
	const struct result *result = p->view->result;
	const struct metric_result *metrics[METRIC_N];
	struct rect inner = paint_box(p, r, paint_style(p->ui, THEME_MEM_BOX), paint_bold(p->ui, THEME_TITLE), "verdict");
	int n = shown_metrics(result, metrics), y, rows, label_w = inner.w > 130 ? 30 : inner.w > 100 ? 24 : 18, fixed = label_w + 2 * VALUE_W + RATIO_W;
	struct ratio_axis axis;

	inner.x++;
	inner.w -= 2;
	y = canvas_wrap(p->canvas, inner, paint_verdict(p, result->verdict.text[0] ? result->verdict.word : VERDICT_UNDECIDED),
			result->verdict.text[0] ? result->verdict.text : "no pairs yet: Space starts the plan");
	for (int i = 0; i < result->n_reasons && y < inner.h - 4; i++)
		y += canvas_wrap(p->canvas, (struct rect){inner.x, inner.y + y, inner.w, 1}, paint_bold(p->ui, THEME_BAD),
				 result->reason[i]) > 0;
	for (int i = 0; i < result->n_warnings && y < inner.h / 2; i++)
		canvas_textf(p->canvas, inner.x, inner.y + y++, inner.w, paint_level(p, result->warnings[i].level), "%s %s",
			     result->warnings[i].level == LEVEL_INFO ? "i" : "!", result->warnings[i].text);
	y += y < inner.h - 4;
	axis = axis_make(result, inner.x + fixed + 2, inner.w - fixed > 50 ? inner.w - fixed - (inner.w > 130 ? 44 : 22) : 0);
	axis.label_w = label_w;
	paint_metric_head(p, (struct rect){inner.x, inner.y + y, inner.w, 1}, &axis);
	y++;
	rows = inner.h - y;
	if (result->n_pairs > 0 && rows > 8) // both have a right to be seen
		rows = n < rows - result->n_pairs - 2 ? n : rows - result->n_pairs - 2 < rows / 2 ? rows / 2 : rows - result->n_pairs - 2;
	for (int i = 0; i < n && i < rows; i++)
		paint_metric_row(p, (struct rect){inner.x, inner.y + y++, inner.w, 1}, metrics[i], &axis);
	if (result->n_pairs > 0 && inner.h - y > 2)
		paint_pairs(p, (struct rect){inner.x, inner.y + y + 1, inner.w, inner.h - y - 1});
}
