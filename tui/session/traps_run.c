// SPDX-License-Identifier: MIT
// Traps that the run itself shows: caches, holes, heat, other programs. One
// rule: a figure that was not measured makes the check unknown, not passed.
#include "session/traps_sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GIB (1024.0 * 1024.0 * 1024.0)
#define DEVICE_CACHE_BYTES (4 * GIB) // a device's own DRAM and mapping cache
#define FROM_DEVICE_SHARE 0.9
#define DIFFER_SHARE 0.10
#define EXTENT_SMALL_BYTES (1024.0 * 1024.0)
#define EXTENT_RATIO 4
#define POSITION_SHARE 0.25
#define HEAT_MARGIN_C 3
#define CLOCK_SHARE 0.03
#define STEAL_SHARE 0.02
#define PRESSURE_PERCENT 5
#define SYNC_SHARE 0.05
#define WAIT_SHARE 0.10

#define EACH_SIDE(s, i, side) \
	for (int i = 0; i < SIDES; i++) \
		for (const struct trap_side *side = &(s)->side[i]; side && side->present; side = NULL)

static int
is_memory(const struct trap_side *side)
{
	return side->stack && side->stack->is_memory;
}

static void
check_cache_read(const struct trap_session *s, struct trap_sink *sink)
{
	char program[TRAP_TEXT], device[TRAP_TEXT];
	EACH_SIDE(s, i, side) {
		if (!s->reads || is_memory(side) || side->program_read_bytes == 0)
			continue;
		double share = side->device_read_bytes / side->program_read_bytes;
		if (isnan(share))
			trap_unknown(sink, trap_side_bit(i), "how many of %s's reads the device served is not known", side->name);
		else if (share < FROM_DEVICE_SHARE)
			// what a cache absorbs is part of what a whole run measures
			trap_raise(sink, s->whole_runs ? LEVEL_YELLOW : LEVEL_RED, trap_side_bit(i),
				   "%s: %.0f %% of the reads came from memory (%s read, %s from the device). This compares RAM.", side->name,
				   100 * (1 - share), trap_size(side->program_read_bytes, program),
				   trap_size(side->device_read_bytes, device));
	}
}

static void
check_working_set(const struct trap_session *s, struct trap_sink *sink)
{
	char set[TRAP_TEXT], memory[TRAP_TEXT], wanted[TRAP_TEXT];
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		if (s->whole_runs || is_memory(side))
			continue;
		if (isnan(side->file_set_bytes) || side->direct < 0 || (side->direct == 0 && (!t || isnan(t->memory_bytes)))) {
			trap_unknown(sink, trap_side_bit(i), "whether %s's file set fits into a cache is not known", side->name);
			continue;
		}
		double limit = side->direct ? DEVICE_CACHE_BYTES : fmin(t->memory_bytes, t->limits.memory_bytes);
		if (side->direct && side->file_set_bytes < limit)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%s: file set %s may fit in the device's own cache: use at least %s", side->name,
				   trap_size(side->file_set_bytes, set), trap_size(limit, wanted));
		else if (!side->direct && side->file_set_bytes < 2 * limit)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%s: file set %s fits in RAM (%s): use at least %s or direct I/O",
				   side->name, trap_size(side->file_set_bytes, set), trap_size(limit, memory),
				   trap_size(2 * limit, wanted));
	}
}

static void
check_cached_file(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (!s->reads || side->direct == 1 || is_memory(side) || s->whole_runs)
			continue;
		if (!side->layout || isnan(side->layout->cached_share))
			trap_unknown(sink, trap_side_bit(i), "how much of %s's file is in memory is not known", side->name);
		else if (side->layout->cached_share > 1 - FROM_DEVICE_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%.0f %% of %s's file is in the page cache",
				   100 * side->layout->cached_share, side->name);
	}
}

static const char *
fs_of(const struct trap_side *side)
{
	return side->stack && side->stack->fs_type[0] ? side->stack->fs_type : "an unknown file system";
}

static int
is_refused(const struct trap_side *side)
{
	return side->present && side->direct_wanted == 1 && side->direct == 0;
}

static void
check_no_direct(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_side *a = &s->side[SIDE_A], *b = &s->side[SIDE_B];
	if (s->whole_runs)
		return;
	if ((a->present && a->direct_wanted != 0 && a->direct < 0) || (b->present && b->direct_wanted != 0 && b->direct < 0)) {
		trap_unknown(sink, WARN_BOTH, "whether direct I/O is in use is not known");
		return;
	}
	if (is_refused(a) && is_refused(b))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "neither target takes direct I/O (A is %s, B is %s)", fs_of(a), fs_of(b));
	else if (is_refused(a) && b->present && b->direct == 1)
		trap_raise(sink, LEVEL_RED, WARN_BOTH, "B uses direct I/O, A cannot (A is %s)", fs_of(a));
	else if (is_refused(b) && a->present && a->direct == 1)
		trap_raise(sink, LEVEL_RED, WARN_BOTH, "A uses direct I/O, B cannot (B is %s)", fs_of(b));
	else if (is_refused(a) || is_refused(b))
		trap_raise(sink, LEVEL_YELLOW, is_refused(a) ? WARN_A : WARN_B, "%s takes no direct I/O (it is %s)",
			   is_refused(a) ? a->name : b->name, fs_of(is_refused(a) ? a : b));
}

// 1: direct writes dirtied the page cache; 0; -1 unknown or not asked.
static int
went_through_cache(const struct trap_side *side)
{
	if (!side->present || side->direct != 1 || isnan(side->dirtied_bytes) || !(side->program_write_bytes > 0))
		return -1;
	return side->dirtied_bytes > 0.5 * side->program_write_bytes;
}

static void
check_direct_buffered(const struct trap_session *s, struct trap_sink *sink)
{
	int cached[SIDES];
	for (int i = 0; i < SIDES; i++)
		cached[i] = went_through_cache(&s->side[i]);
	EACH_SIDE(s, i, side) {
		if (!s->writes || side->direct == 0)
			continue;
		if (cached[i] < 0)
			trap_unknown(sink, trap_side_bit(i), "whether %s's direct writes reach the device directly is not known", side->name);
		else if (cached[i])
			trap_raise(sink, cached[!i] == 0 ? LEVEL_RED : LEVEL_YELLOW, trap_side_bit(i),
				   "%s takes direct writes through the page cache (%s)", side->name, fs_of(side));
	}
}

static void
check_holes(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_layout *file = side->layout;
		if (!s->reads || s->whole_runs || (side->stack && side->stack->is_device))
			continue;
		if (!file || !file->known || file->size_bytes == 0) {
			trap_unknown(sink, trap_side_bit(i), "whether %s's test file is fully written is not known", side->name);
			continue;
		}
		double share = (double)(file->hole_bytes + file->unwritten_bytes) / (double)file->size_bytes;
		if (share > 0)
			trap_raise(sink, LEVEL_RED, trap_side_bit(i),
				   "%s's test file has %.2g %% unwritten space; reading it does not touch the medium", side->name, 100 * share);
	}
}

static void
check_fragments(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_layout *a = s->side[SIDE_A].layout, *b = s->side[SIDE_B].layout;
	EACH_SIDE(s, i, side) {
		const struct trap_layout *file = side->layout;
		if (s->whole_runs || (side->stack && side->stack->is_device) || is_memory(side))
			continue;
		if (!file || isnan(file->mean_extent_bytes))
			trap_unknown(sink, trap_side_bit(i), "in how many pieces %s's file lies is not known", side->name);
		else if (file->mean_extent_bytes < EXTENT_SMALL_BYTES && file->extents > 1)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%s's file has %llu extents of %.0f KiB on average", side->name,
				   (unsigned long long)file->extents, file->mean_extent_bytes / 1024);
	}
	if (!trap_has_both(s) || s->same_files || !a || !b || isnan(a->mean_extent_bytes) || isnan(b->mean_extent_bytes))
		return;
	double ratio = a->mean_extent_bytes / b->mean_extent_bytes;
	if ((ratio > EXTENT_RATIO || ratio < 1.0 / EXTENT_RATIO) && (a->extents > 16 || b->extents > 16))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "A's file has %llu extents, B's %llu", (unsigned long long)a->extents,
			   (unsigned long long)b->extents);
}

// Where the middle of the file lies on its rotating disk, 0..1; NAN unknown or it does not matter.
static double
position(const struct trap_side *side)
{
	const struct trap_layout *file = side->layout;
	if (!file || !side->signals || side->signals->n_disks != 1 || side->signals->disk[0].rotational != 1 ||
	    side->signals->disk[0].size_bytes == 0 || side->signals->fs_offset_bytes < 0 || file->last_physical == 0)
		return NAN;
	double middle = ((double)file->first_physical + (double)file->last_physical) / 2;
	return ((double)side->signals->fs_offset_bytes + middle) / (double)side->signals->disk[0].size_bytes;
}

static void
check_position(const struct trap_session *s, struct trap_sink *sink)
{
	double a = position(&s->side[SIDE_A]), b = position(&s->side[SIDE_B]);
	if (trap_has_both(s) && !s->same_files && fabs(a - b) > POSITION_SHARE)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH,
			   "A's file lies at %.0f %% of its disk, B's at %.0f %%: on a rotating disk that alone makes a difference", 100 * a,
			   100 * b);
}

static void
check_layout_luck(const struct trap_session *s, struct trap_sink *sink)
{
	if (trap_has_both(s) && !s->same_files && !s->remade && !s->whole_runs)
		trap_raise(sink, LEVEL_INFO, WARN_BOTH,
			   "files were made once: this verdict holds for these files (layout luck of a few %% is not in the interval)");
}

static void
check_drain(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (side->drain_timeouts < 0)
			trap_unknown(sink, trap_side_bit(i), "what %s leaves behind was not watched", side->name);
		else if (side->drain_timeouts > 0)
			trap_raise(sink, LEVEL_RED, trap_side_bit(i), "%s did not drain within its time, %d time%s", side->name,
				   side->drain_timeouts, side->drain_timeouts == 1 ? "" : "s");
	}
}

static void
check_unsynced(const struct trap_session *s, struct trap_sink *sink)
{
	char left[TRAP_TEXT], rate[TRAP_TEXT];
	EACH_SIDE(s, i, side) {
		if (!s->writes || side->direct == 1)
			continue;
		if (isnan(side->unsynced_bytes))
			trap_unknown(sink, trap_side_bit(i), "how much %s left unwritten is not known", side->name);
		else if (side->unsynced_bytes > 0 && isnan(side->write_rate_bytes_per_s))
			trap_raise(sink, s->whole_runs ? LEVEL_YELLOW : LEVEL_RED, trap_side_bit(i), "%s: %s were still unwritten at the end",
				   side->name, trap_size(side->unsynced_bytes, left));
		else if (side->unsynced_bytes > 0)
			trap_raise(sink, s->whole_runs ? LEVEL_YELLOW : LEVEL_RED, trap_side_bit(i),
				   "%s's %s is memory speed: %s were still unwritten", side->name,
				   trap_rate(side->write_rate_bytes_per_s, rate), trap_size(side->unsynced_bytes, left));
	}
}

static void
check_sync_share(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (!s->whole_runs)
			continue;
		double share = side->sync_s / side->real_s;
		if (isnan(share))
			trap_unknown(sink, trap_side_bit(i), "how long %s needs to write its leftovers is not known", side->name);
		else if (share > SYNC_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "after each run %s needs %.1f s more to reach the disk (%.0f %% of the run)",
				   side->name, side->sync_s, 100 * share);
	}
}

static double
multiplicity(const struct trap_side *side)
{
	return side->program_write_bytes > 0 ? side->device_write_bytes / side->program_write_bytes : NAN;
}

static void
check_multiplicity(const struct trap_session *s, struct trap_sink *sink)
{
	double a = multiplicity(&s->side[SIDE_A]), b = multiplicity(&s->side[SIDE_B]);
	if (!trap_has_both(s) || !s->writes)
		return;
	if (isnan(a) || isnan(b))
		trap_unknown(sink, WARN_BOTH, "how many bytes the devices wrote per byte is not known");
	else if (fabs(log(a / b)) > log(1 + DIFFER_SHARE))
		trap_raise(sink, LEVEL_INFO, WARN_BOTH, "bytes written to the device per byte: A %.2f, B %.2f", a, b);
}

static void
check_vanished(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		double share = multiplicity(side);
		if (!s->writes || is_memory(side) || side->program_write_bytes == 0)
			continue;
		if (isnan(share))
			trap_unknown(sink, trap_side_bit(i), "how much of what was written reached %s's device is not known", side->name);
		else if (share < FROM_DEVICE_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%.2f bytes reached %s's device per byte written: compressed, or still in memory", share, side->name);
	}
}

static void
check_heat(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		int is_near = side->hottest_c >= side->heat_limit_c - HEAT_MARGIN_C;
		if (side->heat_alarm == 1 && !is_near) {
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "a sensor of %s's disk raised its alarm: it may be throttling",
				   side->name);
			continue;
		}
		if (isnan(side->hottest_c) || isnan(side->heat_limit_c)) {
			trap_unknown(sink, trap_side_bit(i), "the temperature of %s's disk is not known", side->name);
			continue;
		}
		if (!is_near)
			continue;
		char when[32] = "";
		if (!isnan(side->hottest_at_s))
			snprintf(when, sizeof(when), " at %d:%02d", (int)side->hottest_at_s / 60, (int)side->hottest_at_s % 60);
		trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%s reached %.0f °C (limit %.0f)%s and may be throttling", side->name,
			   side->hottest_c, side->heat_limit_c, when);
	}
}

static void
check_cpu_throttle(const struct trap_session *s, struct trap_sink *sink)
{
	double total = 0;
	EACH_SIDE(s, i, side) {
		if (isnan(side->cpu_throttles)) {
			trap_unknown(sink, WARN_BOTH, "whether the CPU throttles is not known");
			return;
		}
		total += side->cpu_throttles;
	}
	if (total > 0 && trap_has_both(s))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "the CPU throttled %.0f times (%.0f in B slices)", total,
			   s->side[SIDE_B].cpu_throttles);
	else if (total > 0)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "the CPU throttled %.0f times", total);
}

static void
check_clock(const struct trap_session *s, struct trap_sink *sink)
{
	double a = s->side[SIDE_A].mean_mhz, b = s->side[SIDE_B].mean_mhz;
	if (!trap_has_both(s))
		return;
	if (isnan(a) || isnan(b))
		trap_unknown(sink, WARN_BOTH, "the CPU's clock is not known");
	else if (fabs(a - b) > CLOCK_SHARE * fmin(a, b))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "CPU ran at %.1f GHz in A slices, %.1f in B slices", a / 1000, b / 1000);
}

static void
check_steal(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (isnan(side->steal_share))
			trap_unknown(sink, trap_side_bit(i), "the time that the host took away is not known");
		else if (side->steal_share > STEAL_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "the host took away %.0f %% of the CPU time in %s slices",
				   100 * side->steal_share, side->name);
	}
}

static void
check_others(const struct trap_session *s, struct trap_sink *sink)
{
	char rate[TRAP_TEXT];
	EACH_SIDE(s, i, side) {
		if (isnan(side->foreign_share) || isnan(side->foreign_bytes_per_s))
			trap_unknown(sink, trap_side_bit(i), "I/O of other programs on %s's disk is not known", side->name);
		else if (side->foreign_share > DIFFER_SHARE && side->foreign_slices > 0)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "another program moved %s on %s's disk during %d slice%s",
				   trap_rate(side->foreign_bytes_per_s, rate), side->name, side->foreign_slices,
				   side->foreign_slices == 1 ? "" : "s");
		else if (side->foreign_share > DIFFER_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "another program moves %s on %s's disk",
				   trap_rate(side->foreign_bytes_per_s, rate), side->name);
	}
}

static void
check_pressure(const struct trap_session *s, struct trap_sink *sink)
{
	if (isnan(s->idle_pressure_io) || isnan(s->idle_pressure_cpu))
		trap_unknown(sink, WARN_BOTH, "whether the machine was idle before is not known");
	else if (s->idle_pressure_io > PRESSURE_PERCENT || s->idle_pressure_cpu > PRESSURE_PERCENT)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH,
			   "the machine was busy before the session: %.0f %% of the time something waited for storage, %.0f %% for a CPU",
			   s->idle_pressure_io, s->idle_pressure_cpu);
}

static void
check_cgroup_throttle(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (!side->signals || !side->after)
			continue;
		int64_t before = side->signals->limits.nr_throttled, after = side->after->limits.nr_throttled;
		if (before >= 0 && after > before)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "the CPU limit of its cgroup held this session up %lld times",
				   (long long)(after - before));
	}
}

static void
check_rate(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (isnan(side->rate_wanted_per_s))
			continue;
		if (side->rate_held < 0)
			trap_unknown(sink, trap_side_bit(i), "whether %s keeps up is not known", side->name);
		else if (side->rate_held == 0)
			trap_raise(sink, LEVEL_RED, trap_side_bit(i), "%s cannot keep %.0f IO/s; response times have no limit", side->name,
				   side->rate_wanted_per_s);
	}
}

static void
check_closed_loop(const struct trap_session *s, struct trap_sink *sink)
{
	if (s->closed_loop && !s->whole_runs)
		trap_raise(sink, LEVEL_INFO, WARN_BOTH,
			   "latencies are service times at this queue depth: a slow answer delays the next request");
}

static void
check_cpu_bound(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (!s->whole_runs)
			continue;
		if (isnan(side->wait_share))
			trap_unknown(sink, trap_side_bit(i), "how long %s's runs wait for storage is not known", side->name);
		else if (side->wait_share < WAIT_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "on %s this command waits %.0f %% of its time for storage; at best that can be gained", side->name,
				   100 * fmax(0, side->wait_share));
	}
}

const struct trap_rule trap_rules_run[] = {
	{"cache-read", "reads served by memory", check_cache_read, "Use direct I/O (direct=1), or a file set of twice the memory, or --cold."},
	{"working-set", "size of the file set", check_working_set, "Give the workload a larger size=, or direct=1."},
	{"cached-file", "test file in the page cache", check_cached_file, "Run with --cold, or use direct I/O."},
	{"no-direct", "direct I/O", check_no_direct, "Set direct=0 for both sides, or choose file systems that take direct I/O."},
	{"direct-buffered", "direct writes that are buffered", check_direct_buffered,
	 "Switch off checksums for the test directory (chattr +C on btrfs), or compare buffered writes on both (direct=0)."},
	{"holes", "unwritten space in the test file", check_holes, "Have the files made anew: they must be written in full."},
	{"fragments", "fragments of the test file", check_fragments, "Make the files anew on a file system with more free space, or use --careful."},
	{"position", "position on a rotating disk", check_position, "Use partitions of the same place on the disks, or fill both alike."},
	{"layout-luck", "files made once", check_layout_luck, "Use --careful: the files are made anew every two pairs."},
	{"drain-timeout", "leftovers between slices", check_drain, "Stop whatever else writes to the disk; use longer slices; mount with less write-back."},
	{"unsynced", "memory speed instead of disk speed", check_unsynced, "Use direct I/O, fsync=N or synclog; let every slice end with a sync."},
	{"sync-share", "what a run leaves to be written", check_sync_share, "Let the command end with sync, so that its time includes the disk's."},
	{"multiplicity", "bytes written per byte", check_multiplicity, "Nothing to mend: mirrors, parity, journals and copy on write cost that."},
	{"writes-vanish", "written bytes that reach the disk", check_vanished, "Use incompressible data (compress=0) and end slices with a sync."},
	{"device-hot", "temperature of the disks", check_heat, "Cool the disk, or use shorter slices with pauses between the pairs."},
	{"cpu-throttled", "the CPU throttles", check_cpu_throttle, "Cool the machine, or lower the load (fewer threads)."},
	{"cpu-clock", "the CPU's clock on both sides", check_clock, "Set the governor to performance and the same for both, or fix the clock."},
	{"steal", "time taken by the host", check_steal, "Run when the host's other guests are quiet."},
	{"other-programs", "other programs on the disks", check_others, "Stop them, or use disks that nothing else uses."},
	{"busy-machine", "the machine was idle before", check_pressure, "Wait until backups, updates and indexers are done."},
	{"cpu-limit-hit", "the CPU limit was hit", check_cgroup_throttle, "Lift cpu.max of the control group, or use fewer threads."},
	{"rate-not-held", "the asked rate was held", check_rate, "Ask for a lower rate=; what is being compared is then both sides' answer to it."},
	{"closed-loop", "what latency means here", check_closed_loop, "For response times as users see them, give the workload a rate=."},
	{"cpu-bound", "the command waits for storage", check_cpu_bound, "Compare something that uses the storage more: a cold cache, more jobs, fewer CPUs."},
	{NULL, NULL, NULL, NULL},
};
