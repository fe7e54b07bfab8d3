// SPDX-License-Identifier: MIT
// The text of a result. One rule: an estimate never stands without its interval or the reason why there is none.
#include "session/result_text.h"

#include <math.h>
#include <string.h>

#include "session/text_safe.h"
#include "session/text_value.h"

#define LABEL_COLUMNS 30
#define INTERVAL_COLUMNS 30

void
result_format_params(const char *params, char *buf, size_t size)
{
	char line[4096];
	size_t used = 0;
	for (; *params && used + 1 < sizeof(line); params++)
		if (*params != '\n' || params[1]) // no blank for the last line's end
			line[used++] = *params == '\n' ? ' ' : *params;
	line[used] = '\0';
	text_safe_copy(buf, size, line);
}

void
result_format_workload(const struct result *r, char *buf, size_t size)
{
	char name[128], params[2048];
	text_safe_copy(name, sizeof(name), r->workload);
	result_format_params(r->params, params, sizeof(params));
	snprintf(buf, size, "%s%s%s", name, params[0] ? " " : "", params);
}

const char *
result_side_name(const struct result *r, int side)
{
	return r->side[side].label[0] ? r->side[side].label : r->side[side].path;
}

// Four significant digits, outward: an interval is never printed narrower than it is.
static void
format_bound(double value, int up, char *buf, size_t size)
{
	if (value > 0) {
		double step = pow(10, floor(log10(value)) - 3);
		value = (up ? ceil(value / step - 1e-9) : floor(value / step + 1e-9)) * step;
	}
	snprintf(buf, size, "%.4g", value);
}

void
result_format_interval(const struct metric_result *m, char *buf, size_t size)
{
	char lo[32], hi[32];
	buf[0] = '\0';
	if (!isfinite(m->lo) || !isfinite(m->hi))
		return;
	format_bound(m->lo, 0, lo, sizeof(lo));
	format_bound(m->hi, 1, hi, sizeof(hi));
	// Beyond a hundred times either way an interval around 1 says only that nothing is known.
	if (m->lo < 0.01 && m->hi > 1)
		snprintf(lo, sizeof(lo), "<0.01");
	if (m->hi > 100 && m->lo < 1)
		snprintf(hi, sizeof(hi), ">100");
	snprintf(buf, size, "%s..%s (%.4g %%)", lo, hi, m->confidence * 100);
}

void
result_format_plan(const struct result *r, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s", r->plan.name[0] ? r->plan.name : "no plan");
	size_t used = n < 0 || (size_t)n >= size ? size : (size_t)n;
	if (r->plan.pairs_planned > 0 && used < size)
		used += (size_t)snprintf(buf + used, size - used, ", %d of %d pairs", r->plan.pairs_done,
					 r->plan.pairs_planned);
	if (r->plan.repeated > 0 && used < size)
		used += (size_t)snprintf(buf + used, size - used, ", %d repeated", r->plan.repeated);
	if (isfinite(r->plan.slice_s) && r->plan.slice_s > 0 && used < size)
		used += (size_t)snprintf(buf + used, size - used, ", slices of %g s (%g s settle)", r->plan.slice_s,
					 isfinite(r->plan.settle_s) ? r->plan.settle_s : 0.0);
	if (r->plan.pairs_planned > 0 && r->plan.seed > 0 && used < size)
		snprintf(buf + used, size - used, ", seed %llu", r->plan.seed);
}

int
result_layer_depth(const struct stack *stack, int index)
{
	int depth = 0;
	for (int i = stack->layer[index].parent; i >= 0 && i < index && depth < STACK_LAYERS_MAX; depth++) {
		index = i;
		i = stack->layer[i].parent;
	}
	return depth;
}

void
result_format_layer(const struct layer *layer, char *buf, size_t size)
{
	char model[256], detail[1024], link[128], bytes[48] = "";
	size_t used = text_safe_copy(buf, size, layer->name);
	text_safe_copy(detail, sizeof(detail), layer->detail);
	text_safe_copy(model, sizeof(model), layer->model);
	text_safe_copy(link, sizeof(link), layer->link);
	if (layer->size_bytes)
		text_format_value((double)layer->size_bytes, "B", bytes, sizeof(bytes));
	const char *part[] = { detail, layer_role_name(layer->role), model, bytes, link,
			       layer->encrypted ? "encrypted" : "", layer->compressed ? "compressed" : "",
			       layer->leaf && layer->rotational == 1 ? "rotating" : "",
			       layer->leaf && layer->write_cache == 1 ? "volatile write cache" : "" };
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		if (!part[i][0] || used >= size)
			continue;
		int n = snprintf(buf + used, size - used, "  %s", part[i]);
		used += n < 0 ? 0 : (size_t)n;
	}
}

static void
write_padded(FILE *out, const char *text, int columns)
{
	fputs(text, out);
	for (int i = text_columns(text); i < columns; i++)
		fputc(' ', out);
}

static void
write_side(const struct result *r, int side, FILE *out)
{
	const struct result_side *s = &r->side[side];
	char params[2048], line[2048];
	if (!s->present)
		return;
	fprintf(out, "%c  ", 'A' + side);
	text_safe_write(out, s->path[0] ? s->path : s->label);
	if (s->label[0] && s->path[0] && strcmp(s->label, s->path) != 0) {
		fputs("  \"", out);
		text_safe_write(out, s->label);
		fputc('"', out);
	}
	fputc('\n', out);
	for (int i = 1; i < s->stack.n_layers; i++) {
		result_format_layer(&s->stack.layer[i], line, sizeof(line));
		fprintf(out, "   %*s%s\n", 2 * (result_layer_depth(&s->stack, i) - 1), "", line);
	}
	if (s->params[0]) {
		result_format_params(s->params, params, sizeof(params));
		fprintf(out, "   set for this side: %s\n", params);
	}
}

static const char *
metric_words(const struct metric_result *m)
{
	switch (m->verdict) {
	case VERDICT_A: return "A is better";
	case VERDICT_B: return "B is better";
	case VERDICT_SMALL: return "small";
	case VERDICT_SAME: return "same";
	default: return "";
	}
}

static void
write_metric(const struct metric_result *m, int both, FILE *out)
{
	char a[64], b[64], ratio[32], interval[80];
	text_format_figure(m, SIDE_A, a, sizeof(a));
	text_format_figure(m, SIDE_B, b, sizeof(b));
	write_padded(out, metric_table[m->id].label, LABEL_COLUMNS);
	write_padded(out, a, both ? 16 : 0);
	if (both) {
		write_padded(out, b, 16);
		snprintf(ratio, sizeof(ratio), isfinite(m->ratio) ? "%.4g" : "-", m->ratio);
		write_padded(out, ratio, 9);
		result_format_interval(m, interval, sizeof(interval));
		write_padded(out, interval, interval[0] ? INTERVAL_COLUMNS : 0);
		text_safe_write(out, m->words[0] ? m->words : metric_words(m));
	}
	fputc('\n', out);
}

static void
write_metrics(const struct result *r, FILE *out)
{
	int a = r->side[SIDE_A].present, b = r->side[SIDE_B].present;
	if (r->n_metrics == 0)
		return;
	fputc('\n', out);
	write_padded(out, "", LABEL_COLUMNS);
	if (a && b) {
		write_padded(out, "A", 16);
		write_padded(out, "B", 16);
		write_padded(out, "B/A", 9);
		fputs("interval\n", out);
	} else {
		fprintf(out, "%s\n", a ? "A" : "B");
	}
	for (int i = 0; i < r->n_metrics; i++) {
		struct metric_result m = r->metric[i];
		if (!result_shows_metric(r, i))
			continue;
		if (!a && b) { // a lone B stands in the only column
			m.mean[SIDE_A] = m.mean[SIDE_B];
			m.state[SIDE_A] = m.state[SIDE_B];
		}
		write_metric(&m, a && b, out);
	}
}

static void
write_heading(const struct result *r, FILE *out)
{
	char line[4096];
	result_format_workload(r, line, sizeof(line));
	fprintf(out, "%s", line[0] ? line : "unknown workload");
	if (r->origin[0] && strcmp(r->origin, "ioduel") != 0) {
		fputs("  from ", out);
		text_safe_write(out, r->origin);
	}
	if (r->created[0]) {
		fputs("  ", out);
		text_safe_write(out, r->created);
	}
	fputc('\n', out);
	if (r->host.name[0]) {
		fputs("host ", out);
		text_safe_write(out, r->host.name);
		fputs(r->host.kernel[0] ? "  " : "", out);
		text_safe_write(out, r->host.kernel);
		if (r->host.cpus > 0)
			fprintf(out, "  %d CPU%s", r->host.cpus, r->host.cpus == 1 ? "" : "s");
		fputc('\n', out);
	}
	if (r->plan.name[0]) {
		result_format_plan(r, line, sizeof(line));
		fputs("plan ", out);
		text_safe_write(out, line);
		fputc('\n', out);
	}
}

void
result_write_text(const struct result *r, FILE *out)
{
	static const char *const level[] = { "note", "caution", "WARNING" };
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	write_heading(r, out);
	for (int side = 0; side < SIDES; side++)
		write_side(r, side, out);
	write_metrics(r, out);
	if (both && r->verdict.text[0]) {
		fputc('\n', out);
		text_safe_write(out, r->verdict.text);
		fputc('\n', out);
	}
	for (int i = 0; both && i < r->n_reasons; i++) {
		if (strstr(r->verdict.text, r->reason[i]))
			continue;
		fputs("  because: ", out);
		text_safe_write(out, r->reason[i]);
		fputc('\n', out);
	}
	for (int i = 0; i < r->n_warnings; i++) {
		fprintf(out, "%s: ", level[r->warnings[i].level]);
		text_safe_write(out, r->warnings[i].text);
		fputc('\n', out);
	}
	if (r->interrupted)
		fputs("interrupted before its end\n", out);
}
