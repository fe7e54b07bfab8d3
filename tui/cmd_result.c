// SPDX-License-Identifier: MIT
// Opening and printing results for the subcommands. One rule: standard output carries the result and nothing else.
#include "cmd_result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session/result_json.h"
#include "session/result_text.h"
#include "session/text_safe.h"

int
chosen_open(const char *spec, struct chosen *ret, struct error *err)
{
	ret->spec = spec;
	int rc = compare_open(spec, &ret->im, &ret->item, &ret->side, err);
	if (rc)
		return rc;
	// A foreign result that names nothing is named by its file.
	for (int i = 0; i < ret->im.n; i++) {
		struct result_side *side = &ret->im.item[i].result->side[SIDE_A];
		if (side->present && !side->path[0] && !side->label[0])
			text_safe_copy(side->path, sizeof(side->path), spec);
	}
	if (ret->im.sentence[0]) {
		fputs("ioduel: ", stderr);
		text_safe_write(stderr, spec);
		fprintf(stderr, ": %s\n", ret->im.sentence);
	}
	return 0;
}

void
chosen_fini(struct chosen *c)
{
	import_fini(&c->im);
}

struct compare_part
chosen_part(const struct chosen *c, int item, int side)
{
	struct stat st;
	const struct import_item *it = &c->im.item[item];
	double time_s = compare_parse_date(it->result->created);
	int of_file = isnan(time_s) && stat(c->spec, &st) == 0;
	if (of_file)
		time_s = (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9;
	return (struct compare_part){ .result = it->result, .side = (enum side)side, .failed = it->failed,
				      .name = c->spec, .time_s = time_s, .time_of_file = of_file };
}

int
result_print(const struct result *r, int json)
{
	if (json)
		return result_write_json(r, stdout);
	result_write_text(r, stdout);
	return ferror(stdout) ? -EIO : 0;
}

void
result_keep_side(struct result *r, int side)
{
	r->side[1 - side].present = 0;
	for (int i = 0; i < r->n_metrics; i++) {
		struct metric_result *m = &r->metric[i];
		m->mean[1 - side] = m->ratio = m->lo = m->hi = m->confidence = NAN;
		m->n[1 - side] = 0;
		m->state[1 - side] = WIRE_RESULT_OK;
		m->words[0] = '\0';
	}
	int kept = 0;
	for (int i = 0; i < r->n_warnings; i++)
		if (r->warnings[i].side & (side == SIDE_A ? WARN_A : WARN_B))
			r->warnings[kept++] = r->warnings[i];
	r->n_warnings = kept;
	for (int i = 0; i < r->n_pairs; i++)
		r->pairs[i].done[1 - side] = 0;
}

struct result *
result_new(void)
{
	struct result *r = malloc(sizeof(*r));
	if (r)
		result_init(r);
	return r;
}

void
result_free(struct result *r)
{
	if (r)
		result_fini(r);
	free(r);
}
