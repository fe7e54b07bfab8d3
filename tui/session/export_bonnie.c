// SPDX-License-Identifier: MIT
// Results as bonnie++ prints them. One rule: what was not run is empty, what was too fast is pluses, and what is
// unknown is never made up.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/export.h"
#include "session/text_safe.h"

#define N_PHASES 6

struct figures {
	char name[64], size[32], files[32];
	double value[2][2 * N_PHASES]; // throughput, file operations: rate and %CP in turn; NAN = none
	unsigned char state[2][2 * N_PHASES];
};

// A parameter's value, "" where there is none. No comma or control character gets into a field.
static void
get_param(const struct result *r, const struct result_side *side, const char *key, char *buf, size_t size)
{
	const char *const params[] = { side->params, r->params };
	size_t n = strlen(key);
	buf[0] = '\0';
	for (int i = 0; i < 2 && !buf[0]; i++)
		for (const char *p = params[i]; *p; p += strcspn(p, "\n"), p += *p == '\n')
			if (strncmp(p, key, n) == 0 && p[n] == '=') {
				snprintf(buf, size, "%.*s", (int)strcspn(p + n + 1, "\n,"), p + n + 1);
				break;
			}
}

static int
take(const struct result *r, int side, struct figures *ret)
{
	int known = 0;
	memset(ret, 0, sizeof(*ret));
	for (int group = 0; group < 2; group++)
		for (int i = 0; i < 2 * N_PHASES; i++) {
			ret->value[group][i] = NAN;
			ret->state[group][i] = WIRE_RESULT_NOT_RUN;
		}
	for (int i = 0; i < r->n_metrics; i++) {
		const struct metric_result *m = &r->metric[i];
		int k = (int)m->id - METRIC_PUTC;
		if (m->id < METRIC_PUTC || m->id > METRIC_RAN_DEL_CPU)
			continue;
		ret->value[k / (2 * N_PHASES)][k % (2 * N_PHASES)] = m->mean[side];
		ret->state[k / (2 * N_PHASES)][k % (2 * N_PHASES)] = m->state[side];
		known = 1;
	}
	const char *label = r->side[side].label[0] ? r->side[side].label : r->side[side].path;
	size_t used = 0;
	for (const char *c = label; *c && used + 1 < sizeof(ret->name); c++)
		ret->name[used++] = (*c > ' ' && *c < 127 && *c != ',') ? *c : '_';
	if (used == 0)
		snprintf(ret->name, sizeof(ret->name), "%c", 'A' + side);
	get_param(r, &r->side[side], "size", ret->size, sizeof(ret->size));
	get_param(r, &r->side[side], "files_x1024", ret->files, sizeof(ret->files));
	if (!ret->files[0])
		get_param(r, &r->side[side], "files", ret->files, sizeof(ret->files));
	return known;
}

// A figure as a field: whole numbers, seeks with one decimal.
static void
format(const struct figures *f, int group, int i, char *buf, size_t size)
{
	double value = f->value[group][i];
	if (f->state[group][i] == WIRE_RESULT_TOO_FAST)
		snprintf(buf, size, "%s", i % 2 ? "+++" : "+++++");
	else if (f->state[group][i] == WIRE_RESULT_NOT_RUN || !isfinite(value))
		buf[0] = '\0';
	else
		snprintf(buf, size, group == 0 && i == 10 ? "%.1f" : "%.0f", value);
}

static void
put_fields(const struct figures *f, int group, FILE *out)
{
	char text[64];
	for (int i = 0; i < 2 * N_PHASES; i++) {
		format(f, group, i, text, sizeof(text));
		fprintf(out, ",%s", text);
	}
}

static void
put_columns(const struct figures *f, int group, FILE *out)
{
	char rate[64], cpu[64];
	for (int i = 0; i < 2 * N_PHASES; i += 2) {
		format(f, group, i, rate, sizeof(rate));
		format(f, group, i + 1, cpu, sizeof(cpu));
		if (group == 0 && i == 10 && isfinite(f->value[group][i]))
			snprintf(rate, sizeof(rate), "%.0f", f->value[group][i]); // the table has no room for decimals
		fprintf(out, " %5s %3s", rate, cpu);
	}
	fputc('\n', out);
}

static void
put_text(const struct figures *f, FILE *out)
{
	fputs("Version 1.03c       ------Sequential Output------ --Sequential Input- --Random-\n"
	      "                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n"
	      "Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP\n", out);
	fprintf(out, "%-11.11s %7s", f->name, f->size);
	put_columns(f, 0, out);
	fputs("                    ------Sequential Create------ --------Random Create--------\n"
	      "                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--\n"
	      "              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP\n", out);
	fprintf(out, "%19s", f->files[0] ? f->files : "0");
	put_columns(f, 1, out);
}

static void
put_27(const struct figures *f, FILE *out)
{
	fprintf(out, "%s,%s", f->name, f->size);
	put_fields(f, 0, out);
	fprintf(out, ",%s", f->files);
	put_fields(f, 1, out);
	fputc('\n', out);
}

static void
put_50(const struct figures *f, FILE *out)
{
	fprintf(out, "1.98,2.00a,%s,1,,%s,,,", f->name, f->size);
	put_fields(f, 0, out);
	fprintf(out, ",%s,,,,", f->files);
	put_fields(f, 1, out);
	for (int i = 0; i < 2 * N_PHASES; i++) // latencies are not among the figures
		fputc(',', out);
	fputc('\n', out);
}

int
export_bonnie(const struct result *r, int fields, FILE *out, struct error *err)
{
	struct figures f;
	int written = 0;
	for (int side = 0; side < SIDES; side++) {
		if (!r->side[side].present || !take(r, side, &f))
			continue;
		if (fields == 50) {
			put_50(&f, out);
		} else {
			put_text(&f, out);
			put_27(&f, out);
		}
		written = 1;
	}
	return written ? 0 : error_set(err, -EINVAL, "this result has no figures of bonnie++'s phases");
}
