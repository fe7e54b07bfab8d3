// SPDX-License-Identifier: MIT
// Pictures as SVG, to stand alone or inside a page: a course over time, ratios with their intervals, a distribution.
// A is drawn solid, B dashed, so that they are told apart without colour.
#ifndef IODUEL_EXPORT_PLOT_H
#define IODUEL_EXPORT_PLOT_H

#include <stdio.h>

#include "session/export_series.h"

#define PLOT_WIDTH 920

// Each draws at y and returns the height used (0 where there is nothing to draw). id names the plot for the page.
int plot_course(FILE *out, const struct export_series *s, enum export_kind kind, int id, int y);
int plot_ratios(FILE *out, const struct result *r, int y);
int plot_distribution(FILE *out, const struct snapshot_reader *session, int y);
int plot_pairs(FILE *out, const struct result *r, int y);

// The style of all of it, light and dark.
void plot_style(FILE *out);

#endif
