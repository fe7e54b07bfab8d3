// SPDX-License-Identifier: MIT
// A made-up session. Pure: no clock, a generator with a fixed seed.
#include "support_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)
#define START (INT64_C(1000000) * MS)
#define SLICE_MS 5000
#define MARKS 512

struct fake_view {
	struct view view;
	struct series series[SIDES][VIEW_SERIES_N];
	struct view_heat heat[SIDES];
	struct hist hist[SIDES];
	struct view_device devices[SIDES][4];
	struct view_mark marks[MARKS];
	struct result result;
	struct view_place places[6];
	struct view_saved saved[12];
	uint64_t seed;
	int64_t ms;
	int64_t next_turn_ms;
	int turn;
};

static double
noise(struct fake_view *f)
{
	f->seed = f->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(f->seed >> 33) / (double)(UINT64_C(1) << 31) - 0.5;
}

// Order of turns: AB BA BA AB ...
static int
side_of_turn(int turn)
{
	static const char order[] = "ABBABAAB";

	return order[turn % 8] == 'A' ? SIDE_A : SIDE_B;
}

static void
put(struct fake_view *f, int side, enum view_series what, double value)
{
	int64_t t = START + f->ms * MS;

	series_add(&f->series[side][what], t - 100 * MS, t, value);
	f->view.side[side].now[what] = value;
}

static void
put_heat(struct fake_view *f, int side, double center_ns, double iops)
{
	struct view_heat *heat = &f->heat[side];
	int column = (int)((f->ms - 1) / 1000);

	heat->first_ns = START;
	heat->step_ns = 1000 * MS;
	if (column >= VIEW_HEAT_COLS)
		return;
	heat->n = column + 1;
	for (int row = 0; row < VIEW_HEAT_ROWS; row++) {
		double at = (log2(center_ns) - 8) * 2, d = row - at;
		double share = exp(-d * d / 2.5) * 0.8 + (d > 4 && d < 9 ? 0.01 : 0) + (fabs(d - 6) < 1 ? 0.03 : 0);
		heat->count[column][row] += (uint32_t)(share * iops / 10 * (1 + noise(f) * 0.5));
	}
}

static void
put_running(struct fake_view *f, int side, double ramp)
{
	double stall = side == SIDE_B && f->ms % 17000 < 200 ? 0.08 : 1;
	double iops = (side == SIDE_A ? 347e3 : 125e3) * ramp * stall * (1 + 0.08 * noise(f) + 0.05 * sin((double)f->ms / 4000));
	double p50 = (side == SIDE_A ? 88e3 : 245e3) * (1 + 0.1 * noise(f)) / stall;

	put(f, side, VIEW_APP_READ, iops * 4096);
	put(f, side, VIEW_APP_WRITE, 0);
	put(f, side, VIEW_DEVICE_READ, iops * 4096);
	put(f, side, VIEW_DEVICE_WRITE, 2e4 * (1 + noise(f)));
	put(f, side, VIEW_APP_IOPS, iops);
	put(f, side, VIEW_DEVICE_IOPS, iops * 1.001);
	put(f, side, VIEW_QUEUE, 31.8 + noise(f) * 0.3);
	put(f, side, VIEW_BUSY, 0.995);
	put(f, side, VIEW_LAT_P50, p50);
	put(f, side, VIEW_LAT_P99, p50 * (2.4 + noise(f) * 0.5));
	put(f, side, VIEW_LAT_P999, p50 * (7 + noise(f) * 4));
	put(f, side, VIEW_LAT_MAX, p50 * (20 + noise(f) * 20));
	put(f, side, VIEW_DEVICE_LAT, p50 * 0.93);
	put_heat(f, side, p50, iops);
}

static void
put_idle(struct fake_view *f, int side)
{
	for (int i = VIEW_APP_READ; i <= VIEW_DEVICE_LAT; i++)
		f->view.side[side].now[i] = NAN;
	put(f, side, VIEW_DEVICE_READ, 0);
	put(f, side, VIEW_DEVICE_WRITE, 2e4 * (1 + noise(f)));
	put(f, side, VIEW_DEVICE_IOPS, 3);
	put(f, side, VIEW_QUEUE, 0.01);
	put(f, side, VIEW_BUSY, 0.002);
}

static void
put_cpu(struct fake_view *f, int side, int active)
{
	double user = active ? 0.12 : 0.03, sys = active ? 0.38 : 0.02;

	put(f, side, VIEW_CPU_USER, user * (1 + 0.3 * noise(f)));
	put(f, side, VIEW_CPU_SYS, sys * (1 + 0.2 * noise(f)));
	put(f, side, VIEW_CPU_IOWAIT, 0.04 * (1 + noise(f)));
	put(f, side, VIEW_CPU_IRQ, 0.015 * (1 + noise(f)));
	put(f, side, VIEW_CPU_STEAL, 0);
}

static void
add_mark(struct fake_view *f, enum view_mark_kind kind, const char *text)
{
	struct view_mark *mark;

	if (f->view.n_marks >= MARKS)
		return;
	mark = &f->marks[f->view.n_marks++];
	mark->t_ns = START + f->ms * MS;
	mark->kind = kind;
	snprintf(mark->text, sizeof(mark->text), "%s", text);
}

static void
step(struct fake_view *f)
{
	struct view *v = &f->view;
	int active;
	double into;

	if (f->ms >= f->next_turn_ms) {
		active = side_of_turn(f->turn++);
		v->side[active].last_turn[0] = v->side[active].turn_start_ns;
		v->side[active].last_turn[1] = v->side[active].turn_start_ns ? v->side[active].turn_start_ns + SLICE_MS * MS : 0;
		v->side[active].turn_start_ns = START + f->ms * MS;
		add_mark(f, active == SIDE_A ? MARK_TURN_A : MARK_TURN_B, "");
		f->next_turn_ms += SLICE_MS;
	}
	active = side_of_turn(f->turn - 1);
	f->ms += 100;
	into = (double)(f->ms - (f->next_turn_ms - SLICE_MS)) / 1000;
	for (int side = 0; side < SIDES; side++) {
		v->side[side].active = side == active;
		v->side[side].state = side == active ? (into < 2 ? VIEW_SETTLING : VIEW_RUNNING) : VIEW_READY;
		snprintf(v->side[side].state_text, sizeof(v->side[side].state_text), "%s",
			 side == active && into < 2 ? "settling" : "");
		if (side == active)
			put_running(f, side, 1 - 0.5 * exp(-into * 1.5));
		else
			put_idle(f, side);
		put_cpu(f, side, 1);
		v->side[side].app_bytes = v->side[side].now[VIEW_APP_READ];
		v->side[side].device_bytes = v->side[side].now[VIEW_DEVICE_READ];
	}
	v->slice_done_s = into;
}

void
fake_view_advance(struct fake_view *f, int ms)
{
	struct view *v = &f->view;

	for (int i = 0; i < ms / 100; i++)
		step(f);
	v->now_ns = v->end_ns = START + f->ms * MS;
	v->elapsed_s = (double)f->ms / 1000;
	v->left_s = fmax(0, 120 - v->elapsed_s);
	v->pair_now = (f->turn + 1) / 2;
	if (v->pair_now > v->pairs_planned)
		v->pair_now = v->pairs_planned;
}

static void
add_metric(struct result *r, enum metric id, double a, double b, double lo, double hi, enum verdict_word word, const char *words)
{
	struct metric_result *m = &r->metric[r->n_metrics++];

	*m = (struct metric_result){.id = id, .mean = {a, b}, .n = {8, 8}, .ratio = b / a, .lo = lo, .hi = hi,
				    .confidence = 0.99, .verdict = word};
	snprintf(m->words, sizeof(m->words), "%s", words);
}

static void
add_pairs(struct fake_view *f)
{
	struct pair pair;

	for (int i = 0; i < 8; i++) {
		memset(&pair, 0, sizeof(pair));
		pair.first = i % 4 == 0 || i % 4 == 3 ? SIDE_A : SIDE_B;
		pair.counted = 1;
		for (int side = 0; side < SIDES; side++) {
			for (int m = 0; m < METRIC_N; m++)
				pair.slice[side].metric[m] = NAN;
			pair.done[side] = 1;
			pair.slice[side].metric[METRIC_IOPS] = (side == SIDE_A ? 347e3 : 125e3) * (1 + 0.1 * noise(f));
			pair.slice[side].metric[METRIC_LAT_P99] = (side == SIDE_A ? 212e3 : 611e3) * (1 + 0.2 * noise(f));
		}
		result_add_pair(&f->result, &pair);
	}
}

static void
fill_result(struct fake_view *f)
{
	struct result *r = &f->result;

	result_init(r);
	r->primary = METRIC_IOPS;
	r->plan.pairs_planned = 12;
	r->plan.pairs_done = 8;
	r->plan.effect = 0.02;
	snprintf(r->plan.name, sizeof(r->plan.name), "interleave");
	add_metric(r, METRIC_IOPS, 347e3, 125e3, 0.345, 0.384, VERDICT_A, "A is better");
	add_metric(r, METRIC_LAT_P99, 212e3, 611e3, 2.61, 3.2, VERDICT_A, "lower on A");
	add_metric(r, METRIC_CPU_NS_PER_IO, 4.1e3, 4.2e3, 0.97, 1.08, VERDICT_UNDECIDED, "unclear");
	add_metric(r, METRIC_READ_BYTES, 1.42e9, 0.512e9, 0.345, 0.384, VERDICT_A, "A is better");
	add_metric(r, METRIC_LAT_P50, 88e3, 245e3, 2.7, 2.86, VERDICT_A, "lower on A");
	add_metric(r, METRIC_LAT_P999, 1.1e6, NAN, NAN, NAN, VERDICT_UNDECIDED, "p99.9: only 3,200 I/Os per slice, not compared");
	add_metric(r, METRIC_CACHE_SHARE, 0, 0, NAN, NAN, VERDICT_UNDECIDED, "");
	add_pairs(f);
	r->verdict.word = VERDICT_A;
	r->verdict.has_interval = 1;
	r->verdict.ratio = 0.361;
	r->verdict.lo = 0.345;
	r->verdict.hi = 0.384;
	r->verdict.confidence = 0.99;
	r->verdict.pairs = 8;
	snprintf(r->verdict.text, sizeof(r->verdict.text),
		 "B is slower than A, by 61..66 %% (99 %% interval, valid at any time; 8 of 12 pairs). Space: go on to the planned end "
		 "for a narrower one; x: stop here");
	result_warn(r, "shared-device", LEVEL_YELLOW, WARN_BOTH,
		    "A and B are on vda: this compares file systems, not disks; leftovers of one slow the other (drain gate on)");
	result_warn(r, "virtual-disk", LEVEL_INFO, WARN_BOTH, "virtual disk: the host may cache");
}

static void
add_device(struct fake_view *f, int side, int depth, const char *name, const char *what, int leaf)
{
	struct view_side *v = &f->view.side[side];
	struct view_device *d = &f->devices[side][v->n_devices++];
	double share = leaf && side == SIDE_B ? 0.5 : 1;

	memset(d, 0, sizeof(*d));
	snprintf(d->name, sizeof(d->name), "%s", name);
	snprintf(d->what, sizeof(d->what), "%s", what);
	d->depth = depth;
	d->leaf = leaf;
	d->rate = (struct disk_rate){.elapsed_s = 1, .read_bytes_per_s = 512e6 * share, .write_bytes_per_s = 2e4,
		.discard_bytes_per_s = 0, .read_iops = 125e3 * share, .write_iops = 3, .discard_iops = 0, .flush_iops = NAN,
		.read_latency_ns = 231e3, .write_latency_ns = 1.2e6, .flush_latency_ns = NAN, .queue = 31.9 * share,
		.busy = 0.998, .inflight = 16};
}

static void
fill_side(struct fake_view *f, int side)
{
	struct view_side *v = &f->view.side[side];

	v->present = 1;
	v->progress = NAN;
	v->cpu_ns_per_io = side == SIDE_A ? 4.1e3 : 4.2e3;
	v->devices = f->devices[side];
	v->heat = &f->heat[side];
	v->hist = &f->hist[side];
	for (int i = 0; i < VIEW_SERIES_N; i++) {
		series_init(&f->series[side][i], START);
		v->series[i] = &f->series[side][i];
		v->now[i] = NAN;
	}
	snprintf(v->path, sizeof(v->path), "%s", side == SIDE_A ? "/mnt/fast" : "/mnt/tank");
	snprintf(v->label, sizeof(v->label), "%s", v->path);
	snprintf(v->line, sizeof(v->line), "%s",
		 side == SIDE_A ? "xfs on nvme0n1  WD SN850X 1 TB" : "btrfs raid1 on sda sdb  Samsung 870 EVO 1 TB");
	if (side == SIDE_A) {
		add_device(f, side, 0, "xfs", "/mnt/fast", 0);
		add_device(f, side, 1, "nvme0n1", "WD SN850X 1 TB", 1);
	} else {
		add_device(f, side, 0, "btrfs", "raid1", 0);
		add_device(f, side, 1, "sda", "Samsung 870 EVO 1 TB", 1);
		add_device(f, side, 1, "sdb", "Samsung 870 EVO 1 TB", 1);
	}
}

static void
fill_lists(struct fake_view *f)
{
	static const struct view_place places[] = {
		{"/", "ext4 on vda1  virtual disk 40 GB", 21e9, 0, "virtual disk: the host may cache"},
		{"/mnt/fast", "xfs on nvme0n1  WD SN850X 1 TB", 612e9, 0, ""},
		{"/mnt/tank", "btrfs raid1 on sda sdb  Samsung 870 EVO 1 TB", 1.2e12, 0, ""},
		{"/tmp", "tmpfs", 8e9, 0, "memory, not a disk"},
		{"/boot/efi", "vfat on nvme0n1p1", 4e8, 1, "read-only"},
	};

	memcpy(f->places, places, sizeof(places));
	f->view.places = f->places;
	f->view.n_places = 5;
	f->view.saved = f->saved;
	f->view.n_saved = 12;
	for (int i = 0; i < 12; i++) {
		struct view_saved *s = &f->saved[i];
		snprintf(s->name, sizeof(s->name), "2026-11-%02d-2014-fast-tank", 28 - i);
		snprintf(s->created, sizeof(s->created), "2026-11-%02dT20:14:00Z", 28 - i);
		snprintf(s->summary, sizeof(s->summary), "/mnt/fast against /mnt/tank  %s  %s",
			 i % 3 ? "randread bs=4k qd=32" : "seqwrite bs=128k", i % 2 ? "undecided" : "B +3 % (0.2..6 %)");
		s->bytes = 1.3e6 + 2e5 * i;
		s->baseline = i == 2;
	}
}

struct fake_view *
fake_view_new(void)
{
	struct fake_view *f = calloc(1, sizeof(*f));
	struct view *v;

	if (!f)
		abort();
	v = &f->view;
	f->seed = 42;
	v->start_ns = START;
	v->marks = f->marks;
	v->result = &f->result;
	v->pairs_planned = 12;
	v->plan_running = 1;
	v->slice_s = 5;
	v->own_cpu_share = 0.003;
	v->own_frame_ms = 1.4;
	snprintf(v->workload, sizeof(v->workload), "randread bs=4k qd=32 direct");
	snprintf(v->plan, sizeof(v->plan), "interleave");
	for (int side = 0; side < SIDES; side++)
		fill_side(f, side);
	fill_result(f);
	fill_lists(f);
	fake_view_advance(f, 45000);
	return f;
}

void
fake_view_free(struct fake_view *f)
{
	if (!f)
		return;
	result_fini(&f->result);
	free(f);
}

struct view *
fake_view(struct fake_view *f)
{
	return &f->view;
}

struct result *
fake_view_result(struct fake_view *f)
{
	return &f->result;
}
