// SPDX-License-Identifier: MIT
// Pairs that were measured elsewhere, as CSV: the header "order,a,b" and one row a pair, in time order. One rule: a
// row that is no pair stops the reading; nothing is left out in silence.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/import.h"

static int
parse_row(const char *line, struct pair *ret)
{
	char *end;
	const char *p = line + strspn(line, " \t");
	if (strncmp(p, "AB,", 3) != 0 && strncmp(p, "BA,", 3) != 0)
		return -EINVAL;
	memset(ret, 0, sizeof(*ret));
	ret->first = p[0] == 'A' ? SIDE_A : SIDE_B;
	for (int side = 0; side < SIDES; side++) {
		for (int id = 0; id < METRIC_N; id++)
			ret->slice[side].metric[id] = NAN;
		struct slice *s = &ret->slice[side];
		s->ops = s->bytes = s->read_ops = s->write_ops = s->sync_ops = NAN;
		p = side == SIDE_A ? p + 3 : p + 1;
		s->metric[METRIC_IOPS] = strtod(p, &end);
		if (end == p || !isfinite(s->metric[METRIC_IOPS]))
			return -EINVAL;
		p = end + strspn(end, " \t");
		if (*p != (side == SIDE_A ? ',' : '\0'))
			return -EINVAL;
		ret->done[side] = 1;
	}
	ret->counted = 1;
	return 0;
}

int
import_pairs(const char *text, size_t length, struct import *ret, struct error *err)
{
	struct import_lines lines = { text, text + length };
	struct import_item *item = NULL;
	struct pair pair;
	char line[512];
	int number = 0;
	while (import_line(&lines, line, sizeof(line))) {
		number++;
		if (!line[0] || line[0] == '#')
			continue;
		if (!item) {
			if (strcmp(line, "order,a,b") != 0)
				return -ENOENT;
			item = import_add(ret);
			if (!item)
				return error_set(err, -ENOMEM, "out of memory");
			continue;
		}
		if (parse_row(line, &pair))
			return error_set(err, -EINVAL, "line %d is not a pair (AB or BA, then two numbers)", number);
		if (item->result->n_pairs >= 8192 || result_add_pair(item->result, &pair))
			return error_set(err, -E2BIG, "more than 8192 pairs");
	}
	if (!item)
		return -ENOENT;
	struct result *r = item->result;
	ret->kind = IMPORT_PAIRS;
	snprintf(r->origin, sizeof(r->origin), "pairs");
	snprintf(r->plan.name, sizeof(r->plan.name), "interleave");
	r->plan.pairs_planned = r->n_pairs;
	r->side[SIDE_B].present = 1;
	result_conclude(r, 0);
	return 0;
}
