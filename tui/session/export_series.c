// SPDX-License-Identifier: MIT
// From raw intervals and samples to steps. One rule: a rate is work over the time it really took, weighted by that
// time; nothing is drawn where nothing was measured.
#include "session/export_series.h"

#include <math.h>
#include <stdlib.h>

const struct export_kind_info export_kind_info[EXPORT_KINDS] = {
	[EXPORT_OPS] = { "IOPS of the application", "1/s", 0 },
	[EXPORT_BYTES] = { "bytes per second, application", "B/s", 0 },
	[EXPORT_P50] = { "latency p50 of all operations, per interval", "ns", 1 },
	[EXPORT_P99] = { "latency p99 of all operations, per interval", "ns", 1 },
	[EXPORT_LAT_MAX] = { "longest latency, per interval", "ns", 1 },
	[EXPORT_CPU] = { "CPU of the worker", "cores", 0 },
	[EXPORT_DEVICE_BYTES] = { "bytes per second, devices", "B/s", 0 },
};

// While collecting, mean holds value x time and weight the time.
struct collector {
	struct export_series *s;
	double (*weight)[SIDES][EXPORT_STEPS_MAX];
	const struct snapshot_reader *session;
	int64_t t0_ns;
	struct sample before;
	int has_before;
};

static void
add(struct collector *c, enum export_kind kind, int side, double t0_s, double t1_s, double value)
{
	struct export_line *line = &c->s->line[kind][side];
	if (!isfinite(value) || !(t1_s > t0_s))
		return;
	double middle = (t0_s + t1_s) / 2;
	int i = (int)(middle / c->s->step_s);
	if (middle < 0 || i >= c->s->n)
		return;
	double weight = t1_s - t0_s;
	line->mean[i] += value * weight;
	c->weight[kind][side][i] += weight;
	line->min[i] = fmin(line->min[i], value);
	line->max[i] = fmax(line->max[i], value);
	line->known = 1;
}

static int
take_interval(void *context, const struct snapshot_interval *interval)
{
	struct collector *c = context;
	const struct wire_interval *w = &interval->w;
	double t0 = (double)(w->t0_ns - c->t0_ns) / 1e9, t1 = (double)(w->t1_ns - c->t0_ns) / 1e9, s = t1 - t0;
	double ops = 0, bytes = 0, longest = NAN;
	for (int class = 0; class < WIRE_CLASSES; class++) {
		ops += (double)w->ops[class];
		bytes += (double)w->bytes[class];
		if (w->ops[class] == 0)
			continue;
		longest = fmax(longest, (double)w->lat_max_ns[class]);
	}
	// What drained in a few milliseconds has no rate worth a point: it would look like a peak.
	if (!(s > 0) || ((w->flags & WIRE_DRAIN) && s < 0.05))
		return 0;
	add(c, EXPORT_OPS, interval->side, t0, t1, ops / s);
	add(c, EXPORT_BYTES, interval->side, t0, t1, bytes / s);
	add(c, EXPORT_P50, interval->side, t0, t1, interval->all[0]);
	add(c, EXPORT_P99, interval->side, t0, t1, interval->all[1]);
	add(c, EXPORT_LAT_MAX, interval->side, t0, t1, longest);
	add(c, EXPORT_CPU, interval->side, t0, t1, w->flags & WIRE_CPU_UNKNOWN ? NAN : (double)(w->user_us + w->sys_us) / 1e6 / s);
	return 0;
}

static int
keep_sample(struct collector *c, const struct sample *s)
{
	if (c->before.cap_disks < s->n_disks) {
		struct disk_sample *disks = realloc(c->before.disks, s->n_disks * sizeof(*disks));
		if (!disks)
			return 1;
		c->before.disks = disks;
		c->before.cap_disks = s->n_disks;
	}
	for (size_t i = 0; i < s->n_disks; i++)
		c->before.disks[i] = s->disks[i];
	c->before.n_disks = s->n_disks;
	c->before.t_ns = s->t_ns;
	c->has_before = 1;
	return 0;
}

static int
take_sample(void *context, const struct sample *s)
{
	struct collector *c = context;
	const struct snapshot_devices *devices = &c->session->devices;
	double sum[SIDES] = { NAN, NAN };
	for (int k = 0; c->has_before && k < devices->n; k++) {
		const struct disk_sample *from = sample_find_disk(&c->before, devices->item[k].major, devices->item[k].minor);
		const struct disk_sample *to = sample_find_disk(s, devices->item[k].major, devices->item[k].minor);
		struct disk_rate rate;
		if (!from || !to)
			continue;
		rate_disk(from, to, (double)(s->t_ns - c->before.t_ns) / 1e9, &rate);
		double bytes = rate.read_bytes_per_s + rate.write_bytes_per_s;
		for (int side = 0; side < SIDES; side++)
			if (devices->item[k].sides & (1u << side) && isfinite(bytes))
				sum[side] = isnan(sum[side]) ? bytes : sum[side] + bytes;
	}
	for (int side = 0; side < SIDES; side++)
		add(c, EXPORT_DEVICE_BYTES, side, (double)(c->before.t_ns - c->t0_ns) / 1e9, (double)(s->t_ns - c->t0_ns) / 1e9,
		    sum[side]);
	return keep_sample(c, s);
}

static void
finish(struct collector *c)
{
	for (int kind = 0; kind < EXPORT_KINDS; kind++)
		for (int side = 0; side < SIDES; side++) {
			struct export_line *line = &c->s->line[kind][side];
			for (int i = 0; i < c->s->n; i++)
				line->mean[i] = c->weight[kind][side][i] > 0 ? line->mean[i] / c->weight[kind][side][i] : NAN;
		}
}

static void
take_stream(struct collector *c, const struct import *stream, int item)
{
	for (int i = 0; i < stream->n_intervals; i++) {
		const struct import_interval *v = &stream->interval[i];
		if (v->item != item)
			continue;
		double t0 = v->t_s - v->duration_s;
		add(c, EXPORT_OPS, SIDE_A, t0, v->t_s, (v->read_ops + v->write_ops) / v->duration_s);
		add(c, EXPORT_BYTES, SIDE_A, t0, v->t_s, (v->read_bytes + v->write_bytes) / v->duration_s);
	}
}

static double
length_of(const struct export_source *source, int64_t *ret_t0_ns, double *ret_finest_s)
{
	*ret_finest_s = 0.1;
	if (source->session && source->session->index.last_ns > 0) {
		const struct snapshot_index *index = &source->session->index;
		*ret_t0_ns = source->session->origin_ns + (index->first_ns > 0 ? index->first_ns : 0);
		return (double)(index->last_ns - (index->first_ns > 0 ? index->first_ns : 0)) / 1e9;
	}
	double last = 0, finest = INFINITY;
	for (int i = 0; source->stream && i < source->stream->n_intervals; i++) {
		const struct import_interval *v = &source->stream->interval[i];
		if (v->item != source->item || !(v->t_s < 1e9))
			continue;
		last = fmax(last, v->t_s);
		finest = fmin(finest, v->duration_s);
	}
	*ret_finest_s = fmax(0.1, fmin(finest, 1));
	return last;
}

struct export_series *
export_series_new(const struct export_source *source)
{
	static const struct snapshot_calls calls = { .interval = take_interval, .sample = take_sample };
	struct collector c = { .session = source->session };
	double finest_s = 0.1;
	c.s = calloc(1, sizeof(*c.s));
	c.weight = calloc(EXPORT_KINDS, sizeof(*c.weight));
	if (!c.s || !c.weight) {
		free(c.s);
		free(c.weight);
		return NULL;
	}
	double length = length_of(source, &c.t0_ns, &finest_s);
	if (length > 0 && length < 1e9) {
		c.s->step_s = fmax(finest_s, length / EXPORT_STEPS_MAX);
		c.s->n = (int)fmin(EXPORT_STEPS_MAX, ceil(length / c.s->step_s) + 1);
		for (int kind = 0; kind < EXPORT_KINDS; kind++)
			for (int side = 0; side < SIDES; side++)
				for (int i = 0; i < EXPORT_STEPS_MAX; i++)
					c.s->line[kind][side].min[i] = c.s->line[kind][side].max[i] = NAN;
		if (source->session)
			snapshot_read_series(source->session, INT64_MIN, INT64_MAX, &calls, &c);
		else
			take_stream(&c, source->stream, source->item);
		finish(&c);
	}
	free(c.before.disks);
	free(c.weight);
	return c.s;
}
