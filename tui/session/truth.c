// SPDX-License-Identifier: MIT
// Fills the raw figures that the trap rules look at. Rule: a sum is known only
// if every slice's share of it was.
#include "session/truth.h"

#include <ioduel/clock.h>

#include <math.h>
#include <string.h>

#define BACKLOG_SHARE 0.05 // of what was due: above it the rate was not held
#define FOREIGN_SHARE 0.1

void
truth_begin(struct session *s)
{
	struct trap_session *t = &s->traps;
	const struct workload_needs *needs = &s->slot[s->slot[SIDE_A].state != SLOT_EMPTY ? SIDE_A : SIDE_B].side->needs;
	trap_session_init(t);
	t->reads = needs->reads;
	t->writes = needs->writes;
	t->whole_runs = needs->traffic == TRAFFIC_WHOLE_RUNS;
	t->closed_loop = !needs->open_loop && !t->whole_runs;
	t->same_files = s->config.share_file;
	t->remade = s->plan.remake_every > 0 && !s->config.share_file;
	for (int i = 0; i < SIDES; i++) {
		const struct session_side *side = &s->config.side[i];
		struct trap_side *to = &t->side[i];
		to->present = side->present;
		to->stack = &side->stack;
		to->signals = &side->signals;
		to->drain_timeouts = to->foreign_slices = 0;
		to->direct_wanted = t->whole_runs ? -1 : !side->needs.buffered;
		if (side->needs.open_loop)
			to->rate_wanted_per_s = param_number(&side->params, "rate", NAN);
		s->truth[i].throttles_at = -1;
		s->truth[i].slices = 0;
	}
}

void
truth_ready(struct session *s)
{
	for (int i = 0; i < SIDES; i++) {
		const struct slot *slot = &s->slot[i];
		struct trap_side *to = &s->traps.side[i];
		if (slot->state == SLOT_EMPTY)
			continue;
		to->layout = slot->have_layout ? &slot->layout : NULL;
		if (slot->ready.whole_run || slot->state == SLOT_IDLE || slot->state == SLOT_PREPARING)
			continue;
		to->direct = (int)slot->ready.direct;
		to->file_set_bytes = slot->ready.scratch_bytes ? (double)slot->ready.scratch_bytes : NAN;
	}
}

void
truth_sample(struct session *s, const struct sample *sample)
{
	const struct thermal_sample *heat = &sample->thermal;
	double at_s = (double)(sample->t_ns - s->plan_begin_ns) / 1e9;
	for (int i = 0; i < SIDES; i++) {
		struct trap_side *to = &s->traps.side[i];
		struct truth *truth = &s->truth[i];
		if (s->slot[i].state != SLOT_RUNNING) {
			truth->throttles_at = -1;
			continue;
		}
		trap_note_heat(to, heat, at_s);
		if (!heat->throttle_valid)
			continue;
		if (truth->throttles_at >= 0 && (double)heat->throttle_count >= truth->throttles_at)
			to->cpu_throttles = (isnan(to->cpu_throttles) ? 0 : to->cpu_throttles) +
					    (double)heat->throttle_count - truth->throttles_at;
		truth->throttles_at = (double)heat->throttle_count;
	}
}

// The first slice begins a sum; an unknown share makes it unknown for good.
static void
add(double *sum, double share, int first)
{
	*sum = first ? share : *sum + share;
}

static void
add_foreign(struct trap_side *to, const struct trap_session *t, const struct slice *slice, double read, double written)
{
	const double *m = slice->metric;
	if (t->whole_runs || to->direct != 1 || t->writes)
		return;
	// Reads past the cache: every byte that the device moved beyond them is somebody else's.
	double device = m[METRIC_DEVICE_READ_BYTES] + m[METRIC_DEVICE_WRITE_BYTES];
	double foreign = device - read - written;
	if (!isfinite(foreign) || foreign < 0 || !(device > 0) || foreign / device < FOREIGN_SHARE)
		return;
	to->foreign_slices++;
	if (!(to->foreign_bytes_per_s >= foreign)) {
		to->foreign_bytes_per_s = foreign;
		to->foreign_share = foreign / device;
	}
}

void
truth_slice(struct session *s, enum side side, const struct slice *slice)
{
	struct trap_side *to = &s->traps.side[side];
	const double *m = slice->metric;
	double counted_s = (double)slice->counted_ns / 1e9;
	int whole = s->traps.whole_runs, first = s->truth[side].slices++ == 0;
	double read = whole ? m[METRIC_READ_TOTAL] : m[METRIC_READ_BYTES] * counted_s;
	double written = whole ? m[METRIC_WRITTEN_TOTAL] : m[METRIC_WRITE_BYTES] * counted_s;
	add(&to->program_read_bytes, read, first);
	add(&to->program_write_bytes, written, first);
	add(&to->device_read_bytes, m[METRIC_DEVICE_READ_BYTES] * counted_s, first);
	add(&to->device_write_bytes, written > 0 ? m[METRIC_WRITE_MULTIPLICITY] * written : 0, first);
	add(&to->dirtied_bytes, slice->dirtied_bytes, first);
	add_foreign(to, &s->traps, slice, m[METRIC_READ_BYTES], m[METRIC_WRITE_BYTES]);
	double steal = m[METRIC_HOST_CPU_STEAL];
	if (isfinite(steal) && !(to->steal_share >= steal))
		to->steal_share = steal;
	if (whole) {
		to->wait_share = m[METRIC_IO_WAIT_SHARE];
		to->sync_s = m[METRIC_SYNC_S];
		to->real_s = m[METRIC_REAL_S];
	}
}

void
truth_turn_end(struct session *s, enum side side, const struct wire_turn_end *end)
{
	struct trap_side *to = &s->traps.side[side];
	double counted_s = (double)(end->count_end_ns - end->count_start_ns) / 1e9;
	if (end->unsynced_bytes > 0 && counted_s > 0) {
		to->unsynced_bytes = (double)end->unsynced_bytes;
		to->write_rate_bytes_per_s = (double)end->bytes[WIRE_WRITES] / counted_s;
	}
	if (to->rate_wanted_per_s > 0 && counted_s > 0) {
		int held = (double)end->backlog <= BACKLOG_SHARE * to->rate_wanted_per_s * counted_s;
		to->rate_held = to->rate_held == 0 ? 0 : held;
	}
}

void
truth_warn(struct session *s)
{
	struct trap_finding *finding = s->findings;
	truth_ready(s);
	int n = traps_check(&s->traps, finding, TRAP_FINDINGS_MAX);
	for (int i = 0; i < n; i++) // what was said earlier may have changed
		result_unwarn(&s->result, finding[i].warning.id);
	traps_warn(&s->traps, &s->result);
}
