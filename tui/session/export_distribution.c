// SPDX-License-Identifier: MIT
// The distribution of latencies of both sides. One rule: all counted operations are in it, each side as shares of its
// own, so that a side with more operations does not look taller.
#include <math.h>
#include <stdlib.h>

#include "session/export_plot.h"
#include "session/text_safe.h"
#include "session/text_value.h"

#define LEFT 96
#define WIDTH (PLOT_WIDTH - LEFT - 24)
#define HEIGHT 150
#define BINS_PER_OCTAVE 8
#define BINS (HIST_MAX_BITS * BINS_PER_OCTAVE)

struct shares {
	double share[BINS];
	int known;
};

static void
fill(const struct snapshot_reader *session, int side, struct shares *ret)
{
	double all = 0;
	for (int c = 0; c < WIRE_CLASSES; c++) {
		const struct hist *h = session->total[side][c];
		for (unsigned i = 0; h && i < HIST_BUCKETS; i++) {
			if (h->bucket[i] == 0)
				continue;
			double at = log2((double)hist_midpoint_ns(i) + 1) * BINS_PER_OCTAVE;
			int bin = at < 0 ? 0 : at >= BINS ? BINS - 1 : (int)at;
			ret->share[bin] += (double)h->bucket[i];
			all += (double)h->bucket[i];
		}
	}
	ret->known = all > 0;
	for (int i = 0; ret->known && i < BINS; i++)
		ret->share[i] /= all;
}

static void
put_axis(FILE *out, int first, int last, int top)
{
	for (double ns = 1; ns < 1e13; ns *= 10) {
		double at = (log2(ns) * BINS_PER_OCTAVE - first) / (last - first);
		char text[48];
		if (at < 0 || at > 1)
			continue;
		text_format_value(ns, "ns", text, sizeof(text));
		fprintf(out, "<line class='g' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/><text class='m' x='%.1f' y='%d' "
			"text-anchor='middle'>", LEFT + WIDTH * at, LEFT + WIDTH * at, top, top + HEIGHT, LEFT + WIDTH * at,
			top + HEIGHT + 16);
		text_safe_markup(out, text);
		fputs("</text>", out);
	}
	fprintf(out, "<line class='ax' x1='%d' x2='%d' y1='%d' y2='%d'/>\n", LEFT, LEFT + WIDTH, top + HEIGHT, top + HEIGHT);
}

int
plot_distribution(FILE *out, const struct snapshot_reader *session, int y)
{
	struct shares *s = session ? calloc(SIDES, sizeof(*s)) : NULL;
	int first = BINS, last = 0, top = y + 26;
	double most = 0;
	if (!s)
		return 0;
	for (int side = 0; side < SIDES; side++) {
		fill(session, side, &s[side]);
		for (int i = 0; i < BINS; i++) {
			if (s[side].share[i] <= 0)
				continue;
			first = i < first ? i : first;
			last = i + 1 > last ? i + 1 : last;
			most = fmax(most, s[side].share[i]);
		}
	}
	if (most > 0) {
		fprintf(out, "<text class='t' x='%d' y='%d'>latency of all counted operations</text><text class='m' x='%d' y='%d' "
			"text-anchor='end'>share of each side's operations; logarithmic; A solid, B dashed</text>\n", LEFT, y + 16,
			LEFT + WIDTH, y + 16);
		put_axis(out, first, last, top);
	}
	for (int side = 0; most > 0 && side < SIDES; side++) {
		if (!s[side].known)
			continue;
		fprintf(out, "<polyline class='l%c' points='", 'a' + side);
		for (int i = first; i < last; i++)
			for (int edge = 0; edge < 2; edge++)
				fprintf(out, "%.1f,%.1f ", LEFT + WIDTH * (double)(i - first + edge) / (last - first),
					top + HEIGHT * (1 - s[side].share[i] / most));
		fputs("'/>\n", out);
	}
	free(s);
	return most > 0 ? 26 + HEIGHT + 34 : 0;
}
