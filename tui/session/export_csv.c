// SPDX-License-Identifier: MIT
// CSV: one table a kind. One rule: numbers are not rounded, what is unknown is an empty cell, and text is quoted.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/export.h"
#include "session/text_safe.h"

const char *const export_csv_tables[] = { "metrics", "pairs", "intervals", "devices", "marks", NULL };

static void
put_text(FILE *out, const char *text)
{
	char safe[4096];
	text_safe_copy(safe, sizeof(safe), text);
	fputc('"', out);
	for (const char *p = safe; *p; p++) {
		if (*p == '"')
			fputc('"', out);
		fputc(*p, out);
	}
	fputc('"', out);
}

static void
put_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, "%.17g", value);
}

static int
metrics(const struct export_source *source, FILE *out)
{
	const struct result *r = source->result;
	fputs("metric,unit,better,a,a_n,b,b_n,ratio,low,high,confidence,verdict,words\n", out);
	for (int i = 0; i < r->n_metrics; i++) {
		const struct metric_result *m = &r->metric[i];
		const struct metric_info *info = &metric_table[m->id];
		fprintf(out, "%s,%s,%s,", info->name, info->unit, info->higher_is_better ? "higher" : "lower");
		put_number(out, m->mean[SIDE_A]);
		fprintf(out, ",%d,", m->n[SIDE_A]);
		put_number(out, m->mean[SIDE_B]);
		fprintf(out, ",%d,", m->n[SIDE_B]);
		put_number(out, m->ratio);
		fputc(',', out);
		put_number(out, m->lo);
		fputc(',', out);
		put_number(out, m->hi);
		fputc(',', out);
		put_number(out, isfinite(m->lo) ? m->confidence : (double)NAN);
		fprintf(out, ",%s,", r->side[SIDE_A].present && r->side[SIDE_B].present ? verdict_word_name(m->verdict) : "");
		put_text(out, m->words);
		fputc('\n', out);
	}
	return 0;
}

static int
pairs(const struct export_source *source, FILE *out)
{
	const struct result *r = source->result;
	fputs("pair,order,counted,side,ops,bytes,counted_ns,drain_ns", out);
	for (int i = 0; i < r->n_metrics; i++)
		fprintf(out, ",%s", metric_table[r->metric[i].id].name);
	fputs(",reason\n", out);
	for (int i = 0; i < r->n_pairs; i++)
		for (int side = 0; side < SIDES; side++) {
			const struct pair *p = &r->pairs[i];
			const struct slice *s = &p->slice[side];
			if (!p->done[side])
				continue;
			fprintf(out, "%d,%s,%d,%c,", i + 1, p->first == SIDE_A ? "AB" : "BA", p->counted, 'a' + side);
			put_number(out, s->ops);
			fputc(',', out);
			put_number(out, s->bytes);
			fprintf(out, ",%" PRId64 ",%" PRId64, s->counted_ns, s->drain_ns);
			for (int k = 0; k < r->n_metrics; k++) {
				fputc(',', out);
				put_number(out, s->metric[r->metric[k].id]);
			}
			fputc(',', out);
			put_text(out, p->reason);
			fputc('\n', out);
		}
	return 0;
}

struct rows {
	FILE *out;
	const struct snapshot_reader *session;
};

static int
interval_row(void *context, const struct snapshot_interval *v)
{
	const struct rows *rows = context;
	const struct wire_interval *w = &v->w;
	fprintf(rows->out, "%.9f,%.9f,%c,%u,%d", (double)(w->t0_ns - rows->session->origin_ns) / 1e9,
		(double)(w->t1_ns - rows->session->origin_ns) / 1e9, 'a' + v->side, w->turn, (w->flags & WIRE_COUNTED) != 0);
	for (int c = 0; c < WIRE_CLASSES; c++) {
		fprintf(rows->out, ",%" PRIu64 ",%" PRIu64, w->ops[c], w->bytes[c]);
		for (int i = 0; i < 3; i++) {
			fputc(',', rows->out);
			put_number(rows->out, v->p[c][i]);
		}
		fputc(',', rows->out);
		if (w->ops[c])
			fprintf(rows->out, "%" PRIu64, w->lat_max_ns[c]);
	}
	fprintf(rows->out, ",%" PRIu64 ",%" PRIu64, w->errors, w->inflight);
	if (w->flags & WIRE_CPU_UNKNOWN)
		fputs(",,\n", rows->out);
	else
		fprintf(rows->out, ",%" PRIu64 ",%" PRIu64 "\n", w->user_us, w->sys_us);
	return ferror(rows->out);
}

static int
intervals(const struct export_source *source, FILE *out)
{
	static const char *const classes[] = { "read", "write", "sync" };
	static const struct snapshot_calls calls = { .interval = interval_row };
	struct rows rows = { out, source->session };
	if (!source->session) {
		fputs("end_s,duration_s,read_ops,write_ops,read_bytes,write_bytes\n", out);
		for (int i = 0; source->stream && i < source->stream->n_intervals; i++) {
			const struct import_interval *v = &source->stream->interval[i];
			if (v->item == source->item)
				fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", v->t_s, v->duration_s, v->read_ops,
					v->write_ops, v->read_bytes, v->write_bytes);
		}
		return 0;
	}
	fputs("begin_s,end_s,side,turn,counted", out);
	for (int c = 0; c < WIRE_CLASSES; c++)
		fprintf(out, ",%s_ops,%s_bytes,%s_p50_ns,%s_p99_ns,%s_p999_ns,%s_max_ns", classes[c], classes[c], classes[c],
			classes[c], classes[c], classes[c]);
	fputs(",errors,inflight,user_us,sys_us\n", out);
	return snapshot_read_series(source->session, INT64_MIN, INT64_MAX, &calls, &rows);
}

// Raw counters, as the kernel counts them: whoever wants rates divides by the time between two rows.
static int
device_rows(void *context, const struct sample *s)
{
	const struct rows *rows = context;
	for (size_t i = 0; i < s->n_disks; i++) {
		const struct disk_sample *d = &s->disks[i];
		fprintf(rows->out, "%.9f,", (double)(s->t_ns - rows->session->origin_ns) / 1e9);
		put_text(rows->out, d->name);
		if (d->valid & DISK_RW)
			fprintf(rows->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, d->read_ios,
				d->read_sectors, d->read_ticks_ms, d->write_ios, d->write_sectors, d->write_ticks_ms);
		else
			fputs(",,,,,,", rows->out);
		if (d->valid & DISK_INFLIGHT)
			fprintf(rows->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", d->inflight, d->io_ticks_ms, d->queue_ticks_ms);
		else
			fputs(",,,\n", rows->out);
	}
	return ferror(rows->out);
}

static int
devices(const struct export_source *source, FILE *out)
{
	static const struct snapshot_calls calls = { .sample = device_rows };
	struct rows rows = { out, source->session };
	fputs("t_s,device,read_ios,read_sectors,read_ticks_ms,write_ios,write_sectors,write_ticks_ms,inflight,io_ticks_ms,"
	      "queue_ticks_ms\n", out);
	return source->session ? snapshot_read_series(source->session, INT64_MIN, INT64_MAX, &calls, &rows) : 0;
}

static int
marks(const struct export_source *source, FILE *out)
{
	static const char *const kinds[] = { "turn_a", "turn_b", "turn_end", "phase", "note", "error", "throttle" };
	fputs("t_s,kind,text\n", out);
	for (int i = 0; source->session && i < source->session->n_marks; i++) {
		const struct view_mark *mark = &source->session->marks[i];
		fprintf(out, "%.9f,%s,", (double)(mark->t_ns - source->session->origin_ns) / 1e9, kinds[mark->kind]);
		put_text(out, mark->text);
		fputc('\n', out);
	}
	return 0;
}

int
export_csv(const struct export_source *source, const char *table, FILE *out, struct error *err)
{
	static int (*const writers[])(const struct export_source *, FILE *) = { metrics, pairs, intervals, devices, marks };
	int found = 0;
	for (int i = 0; export_csv_tables[i]; i++) {
		if (table && strcmp(table, export_csv_tables[i]) != 0)
			continue;
		if (!table)
			fprintf(out, "%s# table: %s\n", found ? "\n" : "", export_csv_tables[i]);
		int rc = writers[i](source, out);
		if (rc < 0)
			return error_set(err, rc, "cannot read the session: %s", strerror(-rc));
		found = 1;
	}
	return found ? 0 : error_set_status(err, -EINVAL, EXIT_USAGE, "there is no such table; the tables are metrics, pairs, "
					    "intervals, devices and marks");
}
