// SPDX-License-Identifier: MIT
// One picture of a result: verdict, ratios, the course of the main figures, the distribution. One rule: it needs
// nothing but itself.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/export_plot.h"
#include "session/result_text.h"
#include "session/text_safe.h"

static int
put_head(FILE *out, const struct result *r)
{
	char line[4096], cut[160];
	int both = r->side[SIDE_A].present && r->side[SIDE_B].present;
	result_format_workload(r, line, sizeof(line));
	text_safe_copy(cut, sizeof(cut) - 4, line);
	if (strlen(line) > strlen(cut))
		strcat(cut, " ...");
	fputs("<text class='t' x='20' y='28'>", out);
	text_safe_markup(out, cut);
	fputs("</text>\n", out);
	for (int side = 0; side < SIDES; side++) {
		if (!r->side[side].present)
			continue;
		fprintf(out, "<text x='20' y='%d'>%c  ", 50 + 18 * side, 'A' + side);
		text_safe_copy(cut, sizeof(cut), result_side_name(r, side));
		text_safe_markup(out, cut);
		fputs("</text>\n", out);
	}
	if (both) {
		fputs("<text class='t' x='20' y='92'>", out);
		text_safe_copy(cut, sizeof(cut), r->verdict.text);
		text_safe_markup(out, cut);
		fputs("</text>\n", out);
	}
	return 110;
}

static int
put_body(FILE *out, const struct export_source *source, const struct export_series *s)
{
	int y = put_head(out, source->result);
	if (source->result->side[SIDE_A].present && source->result->side[SIDE_B].present) {
		y += plot_ratios(out, source->result, y);
		y += plot_pairs(out, source->result, y);
	}
	for (int kind = 0; kind < EXPORT_KINDS; kind++)
		y += plot_course(out, s, (enum export_kind)kind, kind, y);
	return y + plot_distribution(out, source->session, y);
}

int
export_svg(const struct export_source *source, FILE *out, struct error *err)
{
	char *body = NULL;
	size_t size = 0;
	struct export_series *s = export_series_new(source);
	FILE *memory = s ? open_memstream(&body, &size) : NULL;
	if (!memory) {
		free(s);
		return error_set(err, -ENOMEM, "out of memory");
	}
	int height = put_body(memory, source, s);
	fclose(memory);
	fprintf(out, "<?xml version='1.0' encoding='UTF-8'?>\n<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
		"viewBox='0 0 %d %d'>\n<style>", PLOT_WIDTH, height, PLOT_WIDTH, height);
	plot_style(out);
	fputs("</style>\n<rect width='100%' height='100%' fill='#fff'/>\n", out);
	fwrite(body, 1, size, out);
	fputs("</svg>\n", out);
	free(body);
	free(s);
	return 0;
}
