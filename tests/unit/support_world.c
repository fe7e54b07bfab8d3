// SPDX-License-Identifier: MIT
// The pretended workers and machine. Rule: no real clock, no descriptor.
#include "support_world.h"

#include <ioduel/clock.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS (NS_PER_S / 10)
#define BLOCK 4096

static void world_event(struct world *w, struct event *ev);

void
world_init(struct world *w, const struct plan_options *plan, enum session_start start)
{
	struct error err;
	memset(w, 0, sizeof(*w));
	w->now_ns = 1000 * NS_PER_S;
	w->config.plan = *plan;
	w->config.start = start;
	w->config.primary = METRIC_N;
	sample_init(&w->sample);
	for (int i = 0; i < SIDES; i++) {
		struct session_side *side = &w->config.side[i];
		side->present = 1;
		snprintf(side->path, sizeof(side->path), "/%c", 'a' + i);
		if (workload_parse("randread:bs=4k,qd=8,size=16m", &side->params, &err))
			abort();
		side->needs.primary = "iops";
		side->needs.traffic = TRAFFIC_READS;
		side->needs.reads = 1;
		snprintf(side->stack.real_path, sizeof(side->stack.real_path), "/%c", 'a' + i);
		side->stack.n_layers = 1;
		side->stack.layer[0] = (struct layer){.kind = LAYER_DISK, .parent = -1, .has_dev = true, .major = 8,
						      .minor = (unsigned)(16 * i), .leaf = true, .physical = true,
						      .rotational = -1, .write_cache = -1};
		snprintf(side->stack.layer[0].name, sizeof(side->stack.layer[0].name), "sd%c", 'a' + i);
		w->side[i].iops = 1000;
		w->side[i].run_s = 1;
	}
}

void
world_start(struct world *w)
{
	struct error err;
	w->session = session_new(&w->config, w->now_ns, &err);
	if (!w->session)
		abort();
	struct event ev = {.type = EVENT_TICK};
	world_event(w, &ev);
}

void
world_fini(struct world *w)
{
	session_free(w->session);
	sample_fini(&w->sample);
}

static void
send_ready(struct world *w, enum side side)
{
	struct wire_ready ready = {.direct = 1, .whole_run = (uint32_t)w->side[side].whole_run};
	struct event ev = {.type = EVENT_READY, .side = side, .ready = &ready};
	world_event(w, &ev);
}

static void
apply(struct world *w, const struct effect *e)
{
	struct world_side *side = &w->side[e->side];
	w->n_effects[e->type]++;
	switch (e->type) {
	case EFFECT_LAUNCH:
		side->launched = 1;
		send_ready(w, e->side);
		break;
	case EFFECT_GO:
		side->running = 1;
		side->paused = 0;
		side->go = (struct wire_go){.turn = e->turn, .settle_ns = e->settle_ns, .slice_ns = e->slice_ns};
		side->go_ns = side->told_ns = w->now_ns;
		if (e->pair > 0 && w->n_went < 4096)
			w->went[w->n_went++] = e->side;
		break;
	case EFFECT_PAUSE:
		side->paused = 1;
		break;
	case EFFECT_REMAKE:
	case EFFECT_DROP_CACHE:
		send_ready(w, e->side);
		break;
	case EFFECT_SETUP: {
		struct event ev = {.type = EVENT_SETUP_DONE, .side = e->side, .status = 0};
		world_event(w, &ev);
		break;
	}
	case EFFECT_SAVE:
		w->saves++;
		break;
	case EFFECT_SNAPSHOT:
		w->snapshots++;
		break;
	case EFFECT_PAIR:
		w->pairs_recorded++;
		break;
	case EFFECT_QUIT:
		w->quits++;
		break;
	default:
		break;
	}
}

static void
world_event(struct world *w, struct event *ev)
{
	struct effects fx;
	ev->now_ns = w->now_ns;
	session_step(w->session, ev, &fx);
	for (int i = 0; i < fx.n; i++)
		apply(w, &fx.effect[i]);
}

void
world_command(struct world *w, enum command command)
{
	struct command_event c = {.command = command};
	struct event ev = {.type = EVENT_COMMAND, .command = &c};
	world_event(w, &ev);
}

static void
send_sample(struct world *w)
{
	struct sample *s = &w->sample;
	static struct disk_sample disks[SIDES];
	struct disk_sample *own = s->disks;
	s->t_ns = w->now_ns;
	s->boot_ns = w->now_ns;
	s->n_disks = SIDES;
	s->disks = disks;
	for (int i = 0; i < SIDES; i++) {
		memset(&disks[i], 0, sizeof(disks[i]));
		disks[i].major = 8;
		disks[i].minor = (unsigned)(16 * i);
		disks[i].valid = DISK_RW | DISK_INFLIGHT;
		disks[i].read_sectors = w->device_reads / SECTOR_BYTES;
		disks[i].inflight = w->inflight;
	}
	struct event ev = {.type = EVENT_SAMPLE, .sample = s};
	world_event(w, &ev);
	s->disks = own;
	s->n_disks = 0;
}

static void
send_interval(struct world *w, enum side i, int64_t t0_ns, int64_t t1_ns, int counted)
{
	struct world_side *side = &w->side[i];
	static struct hist hist[WIRE_CLASSES];
	const struct hist *pointers[WIRE_CLASSES];
	double ops = side->iops * (double)(t1_ns - t0_ns) / 1e9;
	struct wire_interval iv = {.turn = side->go.turn, .flags = counted ? WIRE_COUNTED : 0, .t0_ns = t0_ns, .t1_ns = t1_ns};
	iv.ops[WIRE_READS] = (uint64_t)(ops + 0.5);
	iv.bytes[WIRE_READS] = iv.ops[WIRE_READS] * BLOCK;
	w->device_reads += iv.bytes[WIRE_READS];
	for (int c = 0; c < WIRE_CLASSES; c++) {
		hist_init(&hist[c]);
		pointers[c] = &hist[c];
	}
	for (uint64_t k = 0; k < iv.ops[WIRE_READS]; k++)
		hist_add(&hist[WIRE_READS], 100000);
	struct event ev = {.type = EVENT_INTERVAL, .side = i, .interval = &iv, .hist = pointers};
	world_event(w, &ev);
}

static void
end_turn(struct world *w, enum side i)
{
	struct world_side *side = &w->side[i];
	static struct wire_turn_end end;
	memset(&end, 0, sizeof(end));
	end.turn = side->go.turn;
	end.stopped = (uint32_t)side->paused;
	end.start_ns = side->go_ns;
	end.count_start_ns = side->go_ns + side->go.settle_ns;
	end.count_end_ns = end.end_ns = w->now_ns;
	double counted_s = (double)(end.count_end_ns - end.count_start_ns) / 1e9;
	end.ops[WIRE_READS] = (uint64_t)(side->iops * counted_s + 0.5);
	end.bytes[WIRE_READS] = end.ops[WIRE_READS] * BLOCK;
	end.user_us = end.sys_us = 1000;
	if (side->whole_run) {
		end.n_results = 1;
		snprintf(end.result[0].name, sizeof(end.result[0].name), "real_s");
		end.result[0].value = counted_s;
	}
	if (side->fail_turns > 0) {
		side->fail_turns--;
		end.status = 7;
	}
	side->running = 0;
	send_sample(w);
	struct event ev = {.type = EVENT_TURN_END, .side = i, .turn_end = &end};
	world_event(w, &ev);
}

static void
step_worker(struct world *w, enum side i)
{
	struct world_side *side = &w->side[i];
	if (!side->running || side->stuck)
		return;
	if (side->dies_in_turn) {
		struct event ev = {.type = EVENT_WORKER_GONE, .side = i, .text = "the worker was killed by signal 9 (Killed)"};
		side->running = side->dies_in_turn = 0;
		world_event(w, &ev);
		return;
	}
	int64_t age_ns = w->now_ns - side->go_ns;
	if (w->now_ns > side->told_ns) {
		send_interval(w, i, side->told_ns, w->now_ns, side->told_ns - side->go_ns >= side->go.settle_ns);
		side->told_ns = w->now_ns;
	}
	int64_t length_ns = side->whole_run ? (int64_t)(side->run_s * 1e9) : side->go.slice_ns;
	if (side->paused || (length_ns > 0 && age_ns >= length_ns))
		end_turn(w, i);
}

void
world_run(struct world *w, double seconds)
{
	int64_t until_ns = w->now_ns + (int64_t)(seconds * 1e9);
	while (w->now_ns < until_ns) {
		w->now_ns += STEP_NS;
		for (int i = 0; i < SIDES; i++)
			step_worker(w, (enum side)i);
		send_sample(w);
		struct event ev = {.type = EVENT_TICK};
		world_event(w, &ev);
	}
}

int
world_run_until_over(struct world *w, double seconds)
{
	int status;
	const char *reason;
	for (double t = 0; t < seconds; t += 1) {
		if (session_is_over(w->session, &status, &reason))
			return 1;
		world_run(w, 1);
	}
	return session_is_over(w->session, &status, &reason);
}

const struct view *
world_view(struct world *w)
{
	return session_view(w->session, w->now_ns);
}
