// SPDX-License-Identifier: MIT
// Feeds the slots from a file instead of from workers. Rule: what a live
// session would have drawn from the same figures is what is drawn here.
#include "session/replay.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/snapshot_read.h"
#include "session/state.h"

#define CHUNK_NS (60 * NS_PER_S)

struct source {
	struct snapshot_reader *reader;
	int64_t begin_ns, end_ns; // of what it holds, in its own time
	int64_t loaded_ns;	  // read up to here
	int64_t shift_ns;	  // added to its times
};

struct replay {
	int n_sources;
	struct source source[2];
	struct session_side side[SIDES]; // what the slots show
	struct slot slot[SIDES];
	struct view view;
	struct result result; // of the pair of files; a single file's own result is shown instead
	struct cpu_sample cpu_last[2];
	int64_t sample_last_ns[2];
	int current; // source being read
	struct hist *no_hist;
	int n_marks;
	struct view_mark *marks; // shifted copies of both
};

static void
find_span(struct source *src)
{
	struct snapshot_reader *r = src->reader;
	src->begin_ns = r->origin_ns;
	src->end_ns = r->origin_ns;
	if (r->index.last_ns > 0)
		src->end_ns = r->origin_ns + r->index.last_ns;
	for (int i = 0; i < r->n_turns; i++)
		if (r->turns[i].end_ns > src->end_ns)
			src->end_ns = r->turns[i].end_ns;
	src->loaded_ns = src->begin_ns;
}

static void
init_slot(struct replay *r, enum side slot_side, int source, enum side file_side)
{
	const struct snapshot_reader *reader = r->source[source].reader;
	const struct result_side *from = &reader->result->side[file_side];
	struct session_side *side = &r->side[slot_side];

	side->present = from->present;
	snprintf(side->path, sizeof(side->path), "%s", from->path);
	snprintf(side->label, sizeof(side->label), "%s", from->label);
	side->stack = from->stack;
	slot_init(&r->slot[slot_side], side, r->source[0].begin_ns);
	for (int c = 0; c < WIRE_CLASSES; c++)
		if (reader->total[file_side][c])
			hist_merge(&r->slot[slot_side].total, reader->total[file_side][c]);
	for (int i = 0; i < reader->n_turns; i++) {
		if (reader->turns[i].side != (int)file_side)
			continue;
		r->slot[slot_side].turn_begin_ns = reader->turns[i].start_ns + r->source[source].shift_ns;
		r->slot[slot_side].last_turn[0] = r->slot[slot_side].turn_begin_ns;
		r->slot[slot_side].last_turn[1] = reader->turns[i].end_ns + r->source[source].shift_ns;
	}
}

static int
copy_marks(struct replay *r)
{
	int total = 0;
	for (int i = 0; i < r->n_sources; i++)
		total += r->source[i].reader->n_marks;
	r->marks = calloc((size_t)total + 1, sizeof(*r->marks));
	if (!r->marks)
		return -ENOMEM;
	for (int i = 0; i < r->n_sources; i++) {
		for (int k = 0; k < r->source[i].reader->n_marks; k++) {
			r->marks[r->n_marks] = r->source[i].reader->marks[k];
			r->marks[r->n_marks++].t_ns += r->source[i].shift_ns;
		}
	}
	return 0;
}

static enum side
first_side(const struct snapshot_reader *reader)
{
	return reader->result->side[SIDE_A].present ? SIDE_A : SIDE_B;
}

static void
lay_over(struct replay *r)
{
	const struct result *x = r->source[0].reader->result, *y = r->source[1].reader->result;
	enum side sx = first_side(r->source[0].reader), sy = first_side(r->source[1].reader);
	r->result.side[SIDE_A] = x->side[sx];
	r->result.side[SIDE_B] = y->side[sy];
	r->result.primary = x->primary;
	snprintf(r->result.workload, sizeof(r->result.workload), "%s", x->workload);
	for (int i = 0; i < x->n_metrics; i++) {
		struct metric_result *m = &r->result.metric[r->result.n_metrics];
		*m = x->metric[i];
		m->mean[SIDE_A] = x->metric[i].mean[sx];
		m->mean[SIDE_B] = m->lo = m->hi = m->ratio = NAN;
		m->verdict = VERDICT_UNDECIDED;
		m->words[0] = '\0';
		for (int k = 0; k < y->n_metrics; k++)
			if (y->metric[k].id == m->id)
				m->mean[SIDE_B] = y->metric[k].mean[sy];
		if (m->mean[SIDE_A] > 0 && m->mean[SIDE_B] > 0)
			m->ratio = m->mean[SIDE_B] / m->mean[SIDE_A];
		r->result.n_metrics++;
	}
	r->result.verdict.word = VERDICT_NONE;
	snprintf(r->result.verdict.text, sizeof(r->result.verdict.text),
		 "NO VERDICT: not interleaved: drift and difference cannot be told apart (ioduel compare tells more)");
}

struct replay *
replay_new(const char *path_x, const char *path_y, struct error *err)
{
	struct replay *r = calloc(1, sizeof(*r));
	const char *path[2] = {path_x, path_y};
	if (!r || !(r->no_hist = malloc(sizeof(*r->no_hist)))) {
		free(r);
		error_set(err, -ENOMEM, "not enough memory to open a session");
		return NULL;
	}
	hist_init(r->no_hist);
	result_init(&r->result);
	for (int i = 0; i < 2 && path[i]; i++) {
		if (!(r->source[i].reader = snapshot_read_new(path[i], err)))
			goto fail;
		r->n_sources++;
		find_span(&r->source[i]);
		r->source[i].shift_ns = r->source[0].begin_ns - r->source[i].begin_ns;
	}
	if (copy_marks(r)) {
		error_set(err, -ENOMEM, "not enough memory to open a session");
		goto fail;
	}
	if (r->n_sources == 2) {
		init_slot(r, SIDE_A, 0, first_side(r->source[0].reader));
		init_slot(r, SIDE_B, 1, first_side(r->source[1].reader));
		lay_over(r);
	} else {
		init_slot(r, SIDE_A, 0, SIDE_A);
		init_slot(r, SIDE_B, 0, SIDE_B);
	}
	replay_say(r, 0, r->source[0].reader->sentence);
	return r;
fail:
	replay_free(r);
	return NULL;
}

void
replay_free(struct replay *r)
{
	if (!r)
		return;
	for (int i = 0; i < 2; i++)
		snapshot_read_free(r->source[i].reader);
	// The sides of a laid-over result were copied by value; its lists are its own.
	result_fini(&r->result);
	free(r->marks);
	free(r->no_hist);
	free(r);
}

// The slot that a side of the source being read is shown in; NULL if it is not shown.
static struct slot *
slot_of(struct replay *r, int file_side)
{
	if (r->n_sources == 1)
		return &r->slot[file_side];
	if (file_side != (int)first_side(r->source[r->current].reader))
		return NULL;
	return &r->slot[r->current];
}

static int
on_interval(void *context, const struct snapshot_interval *interval)
{
	struct replay *r = context;
	struct slot *slot = interval->side == SIDE_A || interval->side == SIDE_B ? slot_of(r, interval->side) : NULL;
	const struct hist *none[WIRE_CLASSES] = {r->no_hist, r->no_hist, r->no_hist};
	struct wire_interval iv = interval->w;
	if (!slot)
		return 0;
	iv.t0_ns += r->source[r->current].shift_ns;
	iv.t1_ns += r->source[r->current].shift_ns;
	slot_add_interval(slot, &iv, none);
	// Of all operations, as while it was measured. A mixture in an older file has them by class only: unknown.
	double longest_ns = NAN;
	for (int c = 0; c < WIRE_CLASSES; c++)
		if (iv.ops[c] > 0)
			longest_ns = fmax(longest_ns, (double)iv.lat_max_ns[c]);
	for (int i = 0; i < 4; i++) {
		double value = i < 3 ? interval->all[i] : longest_ns;
		slot->now[VIEW_LAT_P50 + i] = value;
		series_add(&slot->series[VIEW_LAT_P50 + i], iv.t0_ns, iv.t1_ns, value);
	}
	return 0;
}

static int
on_sample(void *context, const struct sample *sample)
{
	struct replay *r = context;
	int64_t from_ns = r->sample_last_ns[r->current];
	struct sample shifted = *sample; // its disks stay the reader's
	struct cpu_rate cpu;
	shifted.t_ns += r->source[r->current].shift_ns;
	if (from_ns > 0)
		rate_cpu(&r->cpu_last[r->current], &sample->cpu, (double)(shifted.t_ns - from_ns) / 1e9, &cpu);
	for (int i = 0; i < SIDES; i++) {
		struct slot *slot = &r->slot[i];
		if (slot->state != SLOT_EMPTY && (r->n_sources == 1 || i == r->current))
			slot_add_sample(slot, &shifted, from_ns > 0 ? &cpu : NULL, from_ns, 1);
	}
	r->cpu_last[r->current] = sample->cpu;
	r->sample_last_ns[r->current] = shifted.t_ns;
	return 0;
}

static int
on_hist(void *context, int side, int class, int64_t t0_ns, int64_t t1_ns, const struct hist *h)
{
	struct replay *r = context;
	struct slot *slot = side == SIDE_A || side == SIDE_B ? slot_of(r, side) : NULL;
	const struct hist *by_class[WIRE_CLASSES] = {r->no_hist, r->no_hist, r->no_hist};
	(void)t0_ns;
	if (!slot || class < 0 || class >= WIRE_CLASSES)
		return 0;
	by_class[class] = h;
	slot_add_heat(slot, t1_ns + r->source[r->current].shift_ns, by_class);
	return 0;
}

int
replay_load(struct replay *r, int64_t (*now_ns)(void), int64_t budget_ns)
{
	static const struct snapshot_calls calls = {.interval = on_interval, .sample = on_sample, .hist = on_hist};
	int64_t until_ns = now_ns() + budget_ns;
	while (r->current < r->n_sources) {
		struct source *src = &r->source[r->current];
		if (src->loaded_ns > src->end_ns) {
			r->current++;
			continue;
		}
		int64_t t0_ns = src->loaded_ns;
		src->loaded_ns += CHUNK_NS;
		if (snapshot_read_series(src->reader, t0_ns, src->loaded_ns, &calls, r))
			src->loaded_ns = src->end_ns + 1;
		if (now_ns() >= until_ns)
			return 1;
	}
	return 0;
}

void
replay_say(struct replay *r, int is_error, const char *text)
{
	snprintf(r->view.message, sizeof(r->view.message), "%.255s", text);
	r->view.message_is_error = is_error;
}

const struct view *
replay_view(struct replay *r)
{
	struct view *v = &r->view;
	const struct result *result = r->n_sources == 2 ? &r->result : r->source[0].reader->result;
	int64_t end_ns = r->source[0].end_ns;
	if (r->n_sources == 2 && r->source[1].end_ns + r->source[1].shift_ns > end_ns)
		end_ns = r->source[1].end_ns + r->source[1].shift_ns;
	v->replay = 1;
	v->start_ns = r->source[0].begin_ns;
	v->now_ns = v->end_ns = end_ns;
	snprintf(v->workload, sizeof(v->workload), "%.31s", result->workload);
	snprintf(v->plan, sizeof(v->plan), r->current < r->n_sources ? "reading ..." : "saved %.30s", result->created);
	v->slice_s = v->slice_done_s = v->left_s = NAN;
	v->elapsed_s = (double)(end_ns - v->start_ns) / 1e9;
	v->pair_now = v->pairs_planned = 0;
	for (int i = 0; i < SIDES; i++)
		view_fill_side(&r->slot[i], end_ns, i == SIDE_A, &v->side[i]);
	v->n_marks = r->n_marks;
	v->marks = r->marks;
	v->result = result;
	return v;
}
