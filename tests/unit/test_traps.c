// SPDX-License-Identifier: MIT
// Every trap: values that set it off, values that do not, values that nobody
// could read. A rule without an example here fails.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/traps.h"
#include "support_roots.h"

#include <stdio.h>
#include <string.h>

#define GIB (1024.0 * 1024.0 * 1024.0)

// Two sides about which everything is known and nothing is wrong.
struct scene {
	struct trap_session s;
	struct stack stack[SIDES];
	struct trap_signals signals[SIDES], after[SIDES];
	struct trap_layout layout[SIDES];
};
static struct scene scene;

static void
quiet_signals(struct trap_signals *t, unsigned minor)
{
	memset(t, 0, sizeof(*t));
	t->n_disks = 1;
	struct trap_disk *d = &t->disk[0];
	*d = (struct trap_disk){.major = 259, .minor = minor, .nr_requests = 64, .read_ahead_kb = 128,
				.logical_block_bytes = 512, .wbt_lat_us = 0, .write_cache = 1, .rotational = 0,
				.discard = 1, .numa_node = 0, .link_below_max = 0, .size_bytes = 1000000000000};
	snprintf(d->name, sizeof(d->name), "nvme%un1", minor);
	strcpy(d->scheduler, "none");
	strcpy(d->link, "PCIe 16.0 GT/s x4");
	t->discard = 1;
	strcpy(t->compress, "off");
	t->now_s = 1800000000;
	t->last_trim_s = t->now_s - 86400;
	t->fs_free_share = 0.7;
	strcpy(t->md_action, "idle");
	strcpy(t->btrfs_operation, "none");
	strcpy(t->governor, "performance");
	strcpy(t->platform_profile, "performance");
	t->on_mains = 1;
	t->memory_bytes = 16 * GIB;
	t->limits = (struct trap_limits){.known = 1, .read_bytes_per_s = NAN, .write_bytes_per_s = NAN, .read_iops = NAN,
					 .write_iops = NAN, .cpus = NAN, .memory_bytes = NAN, .nr_throttled = 0};
}

static void
quiet_stack(struct stack *stack, unsigned minor)
{
	memset(stack, 0, sizeof(*stack));
	strcpy(stack->fs_type, "xfs");
	strcpy(stack->mount_options, "rw,relatime");
	stack->n_layers = 2;
	stack->layer[0] = (struct layer){.kind = LAYER_FS, .parent = -1};
	stack->layer[1] = (struct layer){.kind = LAYER_DISK, .leaf = true, .physical = true, .has_dev = true, .major = 259,
					 .minor = minor};
	snprintf(stack->layer[1].name, sizeof(stack->layer[1].name), "nvme%un1", minor);
	snprintf(stack->layer[1].controller, sizeof(stack->layer[1].controller),
		 "sys/devices/pci0000:00/0000:00:0%u.0/0000:0%u:00.0", minor + 1, minor + 1);
}

static void
make_scene(void)
{
	trap_session_init(&scene.s);
	scene.s.reads = scene.s.writes = 1;
	scene.s.remade = 1;
	scene.s.idle_pressure_io = scene.s.idle_pressure_cpu = 0;
	for (int i = 0; i < SIDES; i++) {
		struct trap_side *side = &scene.s.side[i];
		quiet_stack(&scene.stack[i], (unsigned)i);
		quiet_signals(&scene.signals[i], (unsigned)i);
		scene.after[i] = scene.signals[i];
		scene.layout[i] = (struct trap_layout){.known = 1, .size_bytes = (uint64_t)(8 * GIB),
						       .allocated_bytes = (uint64_t)(8 * GIB), .extents = 8,
						       .mean_extent_bytes = GIB, .first_physical = 1000,
						       .last_physical = (uint64_t)(8 * GIB), .cached_share = 0};
		side->present = 1;
		side->stack = &scene.stack[i];
		side->signals = &scene.signals[i];
		side->after = &scene.after[i];
		side->layout = &scene.layout[i];
		side->direct_wanted = side->direct = 1;
		side->file_set_bytes = 8 * GIB;
		side->program_read_bytes = side->device_read_bytes = 100 * GIB;
		side->program_write_bytes = side->device_write_bytes = 10 * GIB;
		side->dirtied_bytes = side->unsynced_bytes = side->foreign_bytes_per_s = side->foreign_share = 0;
		side->foreign_slices = side->drain_timeouts = 0;
		side->hottest_c = 50;
		side->heat_limit_c = 84;
		side->cpu_throttles = 0;
		side->mean_mhz = 3400;
		side->steal_share = 0;
		side->wait_share = 0.5;
		side->sync_s = 0.1;
		side->real_s = 10;
	}
}

#define A (&scene.s.side[SIDE_A])
#define B (&scene.s.side[SIDE_B])

// One change to the scene. Their names say what is wrong with it then.
#define SETTER(name, ...)  \
	static void        \
	name(void)         \
	{                  \
		__VA_ARGS__; \
	}

SETTER(nothing, (void)0)
SETTER(whole_runs, scene.s.whole_runs = 1)
SETTER(buffered, A->direct = B->direct = A->direct_wanted = B->direct_wanted = 0;
       A->file_set_bytes = B->file_set_bytes = 40 * GIB)
SETTER(open_loop, A->rate_wanted_per_s = B->rate_wanted_per_s = 20000; A->rate_held = B->rate_held = 1)
SETTER(rotating, for (int i = 0; i < SIDES; i++) scene.signals[i].disk[0].rotational = 1)
SETTER(rotating_without_discard, rotating();
       for (int i = 0; i < SIDES; i++) scene.signals[i].discard = scene.signals[i].disk[0].discard = 0)
SETTER(raid, scene.stack[1].layer[0].kind = LAYER_RAID)
SETTER(automatic_powersave, strcpy(scene.signals[0].governor, "powersave");
       strcpy(scene.signals[0].governor_driver, "intel_pstate"))

static void
online_discard(void)
{
	for (int i = 0; i < SIDES; i++) {
		scene.signals[i].mount_discard = 1;
		scene.signals[i].last_trim_s = -1;
	}
}

SETTER(large_limit, scene.signals[0].limits.memory_bytes = 64 * GIB)
SETTER(memory_target, scene.stack[0].is_memory = true; strcpy(scene.stack[0].fs_type, "tmpfs"))
SETTER(network_target, scene.stack[1].is_network = true; strcpy(scene.stack[1].fs_type, "nfs4"))
SETTER(overlay_target, strcpy(scene.stack[1].fs_type, "overlay"))
SETTER(virtual_disk, scene.signals[0].virtual_disk = 1)
SETTER(guest, scene.signals[0].hypervisor = 1)
SETTER(same_disk, scene.stack[1] = scene.stack[0])
SETTER(same_controller, strcpy(scene.stack[1].layer[1].controller, scene.stack[0].layer[1].controller))

static void
mirror(void)
{
	struct stack *t = &scene.stack[1];
	t->layer[0] = (struct layer){.kind = LAYER_FS, .parent = -1, .copies = 2, .redundant = true, .name = "btrfs",
				     .detail = "data raid1"};
	t->layer[2] = t->layer[1];
	t->n_layers = 3;
}

SETTER(mirror_on_two, mirror(); scene.stack[1].layer[2].minor = 7)
SETTER(no_discard, scene.signals[1].discard = 0; strcpy(scene.signals[1].no_discard_layer, "dm-0"))
SETTER(trim_old, scene.signals[0].last_trim_s = scene.signals[0].now_s - 30 * 86400)
SETTER(mount_differs, scene.signals[1].mount_discard = 1)
SETTER(fs_full, scene.signals[1].fs_free_share = 0.12)
SETTER(zstd, strcpy(scene.signals[1].compress, "zstd:3"))
SETTER(encoded, scene.layout[1].compressed = 1; scene.layout[1].allocated_bytes = (uint64_t)(2 * GIB))
SETTER(lazy_init, scene.signals[1].ext4_lazy_init = 1)
SETTER(md_resync, strcpy(scene.signals[1].md_action, "resync"); strcpy(scene.signals[1].md_name, "md0"))
SETTER(balance, strcpy(scene.signals[0].btrfs_operation, "balance"))
SETTER(io_limit, scene.signals[0].limits.write_bytes_per_s = 200e6)
SETTER(iops_limit, scene.signals[0].limits.read_iops = 1000)
SETTER(cpu_limit, scene.signals[0].limits.cpus = 1.5)
SETTER(memory_limit, scene.signals[0].limits.memory_bytes = 2 * GIB)
SETTER(powersave, strcpy(scene.signals[0].governor, "powersave");
       strcpy(scene.signals[0].governor_driver, "acpi-cpufreq"))
SETTER(battery, scene.signals[0].on_mains = 0)
SETTER(low_power, strcpy(scene.signals[0].platform_profile, "low-power"))
SETTER(slow_link, strcpy(scene.signals[1].disk[0].link, "PCIe 8.0 GT/s x2 of 16.0 GT/s x4");
       scene.signals[1].disk[0].link_below_max = 1)
SETTER(other_scheduler, strcpy(scene.signals[1].disk[0].scheduler, "mq-deadline");
       scene.signals[1].disk[0].read_ahead_kb = 4096)
SETTER(other_options, strcpy(scene.stack[1].mount_options, "rw,noatime"))
SETTER(write_through, scene.signals[1].disk[0].write_cache = 0)
SETTER(from_memory, A->program_read_bytes = 12 * GIB; A->device_read_bytes = 2 * GIB)
SETTER(small_set, B->file_set_bytes = 1 * GIB)
SETTER(cached_file, scene.layout[0].cached_share = 0.36)
SETTER(one_refuses, B->direct = 0; strcpy(scene.stack[1].fs_type, "zfs"))
SETTER(both_refuse, A->direct = B->direct = 0)
SETTER(one_buffers, B->dirtied_bytes = 10 * GIB; strcpy(scene.stack[1].fs_type, "btrfs"))
SETTER(both_buffer, A->dirtied_bytes = B->dirtied_bytes = 10 * GIB)
SETTER(holes, scene.layout[1].unwritten_bytes = (uint64_t)(3.2 * GIB))
SETTER(small_extents, scene.layout[0].extents = 34000; scene.layout[0].mean_extent_bytes = 250000)
SETTER(extents_differ, scene.layout[0].extents = 3400; scene.layout[0].mean_extent_bytes = 8 * GIB / 3400)
SETTER(far_away, scene.layout[1].first_physical = 900000000000; scene.layout[1].last_physical = 910000000000)
SETTER(once, scene.s.remade = 0)
SETTER(drain_timeout, B->drain_timeouts = 2)
SETTER(unsynced, A->unsynced_bytes = 6.2 * GIB; A->write_rate_bytes_per_s = 9e9)
SETTER(slow_sync, B->sync_s = 2)
SETTER(doubled, B->device_write_bytes = 20 * GIB)
SETTER(vanished, B->device_write_bytes = 3 * GIB)
SETTER(hot, B->hottest_c = 81; B->hottest_at_s = 72)
SETTER(alarm_on, B->heat_alarm = 1)
SETTER(throttled, A->cpu_throttles = 5; B->cpu_throttles = 9)
SETTER(clocks, A->mean_mhz = 2900)
SETTER(steal, A->steal_share = 0.04)
SETTER(others, A->foreign_share = 0.3; A->foreign_bytes_per_s = 180e6; A->foreign_slices = 3)
SETTER(busy, scene.s.idle_pressure_io = 12)
SETTER(limit_hit, scene.after[0].limits.nr_throttled = 17)
SETTER(cannot_keep, A->rate_held = 0)
SETTER(closed, scene.s.closed_loop = 1)
SETTER(cpu_bound, A->wait_share = 0.03)

static const struct example {
	const char *id;
	void (*context)(void); // in which the check applies and is not set off
	void (*set)(void);
	enum warning_level level;
	enum warning_side side;
	const char *text;
} examples[] = {
	{"memory-target", nothing, memory_target, LEVEL_RED, WARN_A, "A is memory (tmpfs)"},
	{"not-a-disk", nothing, network_target, LEVEL_INFO, WARN_B, "B is served over the network (nfs4)"},
	{"not-a-disk", nothing, overlay_target, LEVEL_INFO, WARN_B, "B is overlay"},
	{"virtual-disk", nothing, virtual_disk, LEVEL_INFO, WARN_A, "A is on a virtual disk: the host may cache"},
	{"virtual-disk", nothing, guest, LEVEL_INFO, WARN_A, "virtual machine"},
	{"shared-device", nothing, same_disk, LEVEL_YELLOW, WARN_BOTH, "A and B are on nvme0n1"},
	{"shared-controller", nothing, same_controller, LEVEL_INFO, WARN_BOTH, "NVMe controller 0000:01:00.0"},
	{"mirror-on-one-device", mirror_on_two, mirror, LEVEL_YELLOW, WARN_B, "copies on nvme1n1"},
	{"no-discard", rotating_without_discard, nothing, LEVEL_INFO, 0, NULL},
	{"no-discard", nothing, no_discard, LEVEL_YELLOW, WARN_B, "B's disk is never trimmed (dm-0"},
	{"trim-old", online_discard, nothing, LEVEL_INFO, 0, NULL},
	{"trim-old", nothing, trim_old, LEVEL_YELLOW, WARN_A, "A's disk was last trimmed 30 days ago"},
	{"trim-differs", nothing, no_discard, LEVEL_YELLOW, WARN_BOTH, "A's disk takes discards, B's does not"},
	{"trim-differs", nothing, mount_differs, LEVEL_YELLOW, WARN_BOTH, "B is mounted with discard, A is not"},
	{"fs-full", nothing, fs_full, LEVEL_YELLOW, WARN_B, "B has 12 % free"},
	{"compresses", nothing, zstd, LEVEL_YELLOW, WARN_B, "B compresses (zstd:3)"},
	{"compresses", nothing, encoded, LEVEL_YELLOW, WARN_B, "8.0 GiB became 2.0 GiB"},
	{"ext4-lazy-init", nothing, lazy_init, LEVEL_YELLOW, WARN_B, "inode tables on B (ext4lazyinit)"},
	{"md-busy", raid, md_resync, LEVEL_YELLOW, WARN_B, "the array md0 is busy with itself (resync)"},
	{"btrfs-busy", nothing, balance, LEVEL_YELLOW, WARN_A, "busy with itself on A (balance)"},
	{"limit-io", nothing, io_limit, LEVEL_YELLOW, WARN_A, "limited to 200 MB/s on A by its cgroup"},
	{"limit-io", nothing, iops_limit, LEVEL_YELLOW, WARN_A, "limited to 1000 I/Os per second on A"},
	{"limit-cpu", nothing, cpu_limit, LEVEL_YELLOW, WARN_BOTH, "limited to 1.5 CPUs"},
	{"limit-memory", large_limit, memory_limit, LEVEL_YELLOW, WARN_BOTH, "limited to 2.0 GiB of memory"},
	{"cpu-governor", automatic_powersave, powersave, LEVEL_YELLOW, WARN_BOTH, "governor powersave, driver acpi-cpufreq"},
	{"on-battery", nothing, battery, LEVEL_YELLOW, WARN_BOTH, "runs on battery"},
	{"power-profile", nothing, low_power, LEVEL_YELLOW, WARN_BOTH, "\"low-power\""},
	{"slow-link", nothing, slow_link, LEVEL_YELLOW, WARN_B,
	 "B's link runs PCIe 8.0 GT/s x2, the card can do 16.0 GT/s x4 (nvme1n1)"},
	{"settings-differ", nothing, other_scheduler, LEVEL_INFO, WARN_BOTH,
	 "scheduler none / mq-deadline, read_ahead_kb 128 / 4096"},
	{"settings-differ", nothing, other_options, LEVEL_INFO, WARN_BOTH, "mount options rw,relatime / rw,noatime"},
	{"write-cache-differs", nothing, write_through, LEVEL_YELLOW, WARN_BOTH, "A acknowledges from a volatile cache, B does not"},
	{"cache-read", nothing, from_memory, LEVEL_RED, WARN_A,
	 "A: 83 % of the reads came from memory (12.0 GiB read, 2.0 GiB from the device). This compares RAM."},
	{"cache-read", whole_runs, from_memory, LEVEL_YELLOW, WARN_A, "83 %"},
	{"working-set", nothing, small_set, LEVEL_YELLOW, WARN_B, "file set 1.0 GiB may fit in the device's own cache"},
	{"working-set", buffered, small_set, LEVEL_YELLOW, WARN_B,
	 "file set 1.0 GiB fits in RAM (16.0 GiB): use at least 32.0 GiB or direct I/O"},
	{"cached-file", buffered, cached_file, LEVEL_YELLOW, WARN_A, "36 % of A's file is in the page cache"},
	{"no-direct", nothing, one_refuses, LEVEL_RED, WARN_BOTH, "A uses direct I/O, B cannot (B is zfs)"},
	{"no-direct", nothing, both_refuse, LEVEL_YELLOW, WARN_BOTH, "neither target takes direct I/O"},
	{"no-direct", buffered, nothing, LEVEL_INFO, 0, NULL},
	{"direct-buffered", nothing, one_buffers, LEVEL_RED, WARN_B, "B takes direct writes through the page cache (btrfs)"},
	{"direct-buffered", nothing, both_buffer, LEVEL_YELLOW, WARN_A, "A takes direct writes"},
	{"holes", nothing, holes, LEVEL_RED, WARN_B, "B's test file has 40 % unwritten space"},
	{"fragments", nothing, small_extents, LEVEL_YELLOW, WARN_A, "A's file has 34000 extents of 244 KiB"},
	{"fragments", nothing, extents_differ, LEVEL_YELLOW, WARN_BOTH, "A's file has 3400 extents, B's 8"},
	{"position", rotating, far_away, LEVEL_YELLOW, WARN_BOTH, "A's file lies at 0 % of its disk, B's at 90 %"},
	{"position", nothing, nothing, LEVEL_INFO, 0, NULL},
	{"layout-luck", nothing, once, LEVEL_INFO, WARN_BOTH, "holds for these files"},
	{"drain-timeout", nothing, drain_timeout, LEVEL_RED, WARN_B, "B did not drain within its time, 2 times"},
	{"unsynced", buffered, unsynced, LEVEL_RED, WARN_A, "A's 9.0 GB/s is memory speed: 6.2 GiB were still unwritten"},
	{"sync-share", whole_runs, slow_sync, LEVEL_YELLOW, WARN_B, "after each run B needs 2.0 s more to reach the disk (20 % of the run)"},
	{"multiplicity", nothing, doubled, LEVEL_INFO, WARN_BOTH, "A 1.00, B 2.00"},
	{"writes-vanish", nothing, vanished, LEVEL_YELLOW, WARN_B, "0.30 bytes reached B's device"},
	{"device-hot", nothing, hot, LEVEL_YELLOW, WARN_B, "B reached 81 °C (limit 84) at 1:12"},
	{"device-hot", nothing, alarm_on, LEVEL_YELLOW, WARN_B, "a sensor of B's disk raised its alarm"},
	{"cpu-throttled", nothing, throttled, LEVEL_YELLOW, WARN_BOTH, "the CPU throttled 14 times (9 in B slices)"},
	{"cpu-clock", nothing, clocks, LEVEL_YELLOW, WARN_BOTH, "CPU ran at 2.9 GHz in A slices, 3.4 in B slices"},
	{"steal", nothing, steal, LEVEL_YELLOW, WARN_A, "took away 4 % of the CPU time in A slices"},
	{"other-programs", nothing, others, LEVEL_YELLOW, WARN_A, "another program moved 180 MB/s on A's disk during 3 slices"},
	{"busy-machine", nothing, busy, LEVEL_YELLOW, WARN_BOTH, "12 % of the time something waited for storage"},
	{"cpu-limit-hit", nothing, limit_hit, LEVEL_YELLOW, WARN_A, "held this session up 17 times"},
	{"rate-not-held", open_loop, cannot_keep, LEVEL_RED, WARN_A, "A cannot keep 20000 IO/s; response times have no limit"},
	{"closed-loop", nothing, closed, LEVEL_INFO, WARN_BOTH, "service times"},
	{"cpu-bound", whole_runs, cpu_bound, LEVEL_YELLOW, WARN_A, "this command waits 3 % of its time for storage"},
};
#define N_EXAMPLES (sizeof(examples) / sizeof(examples[0]))

static struct trap_finding found[TRAP_FINDINGS_MAX];

// The finding of this id that is set, else any of it.
static const struct trap_finding *
find(int n, const char *id)
{
	const struct trap_finding *any = NULL;
	for (int i = 0; i < n; i++) {
		if (strcmp(found[i].warning.id, id) != 0)
			continue;
		if (found[i].state == TRAP_SET)
			return &found[i];
		any = any ? any : &found[i];
	}
	return any;
}

static void
each_trap_has_values_that_set_it_off_and_that_do_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_EXAMPLES; i++) {
		const struct example *e = &examples[i];
		make_scene();
		e->context();
		const struct trap_finding *f = find(traps_check(&scene.s, found, TRAP_FINDINGS_MAX), e->id);
		if (!f || f->state != TRAP_FINE)
			fail_msg("%s is not fine where it should be: %s", e->id, f ? f->warning.text : "no such check");
		make_scene();
		if (e->set != mirror)
			e->context();
		e->set();
		f = find(traps_check(&scene.s, found, TRAP_FINDINGS_MAX), e->id);
		if (!e->text)
			continue;
		if (f->state != TRAP_SET || f->warning.level != e->level || f->warning.side != e->side ||
		    !strstr(f->warning.text, e->text))
			fail_msg("%s: state %d level %d side %d \"%s\", expected \"%s\"", e->id, (int)f->state,
				 (int)f->warning.level, (int)f->warning.side, f->warning.text, e->text);
	}
}

static void
every_rule_has_an_example_and_a_mend(void **state)
{
	(void)state;
	make_scene();
	int n = traps_check(&scene.s, found, TRAP_FINDINGS_MAX);
	assert_true(n > 40);
	for (int i = 0; i < n; i++) {
		const char *id = found[i].warning.id;
		size_t k = 0;
		while (k < N_EXAMPLES && (strcmp(examples[k].id, id) != 0 || !examples[k].text))
			k++;
		if (k == N_EXAMPLES)
			fail_msg("no example sets off %s", id);
		assert_int_equal(found[i].state, TRAP_FINE);
		assert_true(strlen(found[i].mend) > 10 && strlen(found[i].title) > 5);
		assert_ptr_equal(trap_mend(id), found[i].mend);
		for (int m = 0; m < i; m++)
			assert_string_not_equal(found[m].warning.id, id);
	}
	assert_null(trap_mend("no-such-trap"));
}

// What can only be fine or set: it needs no reading.
static int
is_always_known(const char *id)
{
	static const char *const ids[] = {"layout-luck", "closed-loop", "rate-not-held", "cpu-limit-hit", "position",
					  "sync-share", "cpu-bound"};
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (strcmp(id, ids[i]) == 0)
			return 1;
	return 0;
}

static void
what_nobody_read_is_unknown(void **state)
{
	struct trap_session s;
	(void)state;
	trap_session_init(&s);
	s.reads = s.writes = 1;
	s.side[SIDE_A].present = s.side[SIDE_B].present = 1;
	int n = traps_check(&s, found, TRAP_FINDINGS_MAX);
	for (int i = 0; i < n; i++) {
		const char *id = found[i].warning.id;
		if (is_always_known(id) || strcmp(id, "cached-file") == 0 || strcmp(id, "unsynced") == 0)
			continue;
		if (found[i].state != TRAP_NOT_KNOWN)
			fail_msg("%s: nothing was read, but it is %s", id, found[i].state == TRAP_FINE ? "fine" : "set");
		assert_true(found[i].warning.text[0]);
	}
	s.whole_runs = 1;
	n = traps_check(&s, found, TRAP_FINDINGS_MAX);
	assert_int_equal(find(n, "sync-share")->state, TRAP_NOT_KNOWN);
	assert_int_equal(find(n, "cpu-bound")->state, TRAP_NOT_KNOWN);
}

static void
one_target_alone(void **state)
{
	(void)state;
	make_scene();
	scene.s.side[SIDE_B].present = 0;
	A->name = "/mnt/x";
	fs_full();
	scene.signals[0].fs_free_share = 0.05;
	int n = traps_check(&scene.s, found, TRAP_FINDINGS_MAX);
	assert_int_equal(find(n, "shared-device")->state, TRAP_FINE);
	const struct trap_finding *f = find(n, "fs-full");
	assert_int_equal(f->warning.side, WARN_A);
	assert_non_null(strstr(f->warning.text, "/mnt/x has 5 % free"));
	// too small a list is not overrun
	assert_int_equal(traps_check(&scene.s, found, 3), 3);
}

static void
warnings_go_into_the_result(void **state)
{
	struct result r;
	(void)state;
	make_scene();
	same_disk();
	fs_full();
	result_init(&r);
	assert_int_equal(traps_warn(&scene.s, &r), 2);
	assert_int_equal(traps_warn(&scene.s, &r), 2); // again: replaced, not doubled
	assert_int_equal(r.n_warnings, 2);
	assert_string_equal(r.warnings[0].id, "shared-device");
	result_fini(&r);
}

static void
heat_of_a_laptop(void **state)
{
	struct sample sample;
	(void)state;
	make_scene();
	struct trap_side side = *A;
	side.stack = roots_stack("laptop", "/home");
	side.hottest_c = side.heat_limit_c = NAN;
	roots_sample("laptop", "t0", &sample);
	trap_note_heat(&side, &sample.thermal, 72);
	assert_near(side.hottest_c, 81.85, 1e-9);
	assert_near(side.heat_limit_c, 83.85, 1e-9);
	scene.s.side[SIDE_A] = side;
	const struct trap_finding *f = find(traps_check(&scene.s, found, TRAP_FINDINGS_MAX), "device-hot");
	assert_int_equal(f->state, TRAP_SET);
	assert_non_null(strstr(f->warning.text, "A reached 82 °C (limit 84) at 1:12"));
	side.stack = roots_stack("laptop", "/mnt/disk");
	side.hottest_c = side.heat_limit_c = NAN;
	trap_note_heat(&side, &sample.thermal, 80);
	assert_near(side.hottest_c, 38, 1e-9);
	scene.s.side[SIDE_A] = side;
	assert_int_equal(find(traps_check(&scene.s, found, TRAP_FINDINGS_MAX), "device-hot")->state, TRAP_FINE);
	sample_fini(&sample);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_trap_has_values_that_set_it_off_and_that_do_not),
		cmocka_unit_test(every_rule_has_an_example_and_a_mend),
		cmocka_unit_test(what_nobody_read_is_unknown),
		cmocka_unit_test(one_target_alone),
		cmocka_unit_test(warnings_go_into_the_result),
		cmocka_unit_test(heat_of_a_laptop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
