// SPDX-License-Identifier: MIT
// Traps that lie in the target and the machine: known before anything runs.
// One rule: each check reads plain values and either raises, says what it could
// not know, or is silent.
#include "session/traps_sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DAY_S 86400
#define TRIM_OLD_DAYS 7
#define FULL_SHARE 0.20

// The loop that nearly every check has: index i and side of those that are there.
#define EACH_SIDE(s, i, side) \
	for (int i = 0; i < SIDES; i++) \
		for (const struct trap_side *side = &(s)->side[i]; side && side->present; side = NULL)

static void
check_memory(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (!side->stack)
			trap_unknown(sink, trap_side_bit(i), "what %s is kept in is not known", side->name);
		else if (side->stack->is_memory)
			trap_raise(sink, LEVEL_RED, trap_side_bit(i), "%s is memory (%s)", side->name,
				   side->stack->fs_type[0] ? side->stack->fs_type : "a RAM disk");
	}
}

static void
check_not_a_disk(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct stack *stack = side->stack;
		if (!stack) {
			trap_unknown(sink, trap_side_bit(i), "what %s is kept in is not known", side->name);
			continue;
		}
		const char *fs = stack->fs_type;
		if (stack->is_memory)
			continue;
		if (stack->is_network)
			trap_raise(sink, LEVEL_INFO, trap_side_bit(i), "%s is served over the network (%s)", side->name,
				   fs[0] ? fs : "block device");
		else if (strcmp(fs, "overlay") == 0 || strcmp(fs, "zfs") == 0 || strncmp(fs, "fuse", 4) == 0)
			trap_raise(sink, LEVEL_INFO, trap_side_bit(i), "%s is %s: its own layer stands between the program and the disk",
				   side->name, fs);
		for (int k = 0; k < stack->n_layers; k++)
			if (stack->layer[k].kind == LAYER_UNKNOWN) {
				trap_unknown(sink, trap_side_bit(i), "%s: %.120s: %.120s", side->name, stack->layer[k].name,
					     stack->layer[k].detail);
				break;
			}
	}
}

static void
check_virtual(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		if (!t)
			trap_unknown(sink, trap_side_bit(i), "signals of %s were not read", side->name);
		else if (t->virtual_disk)
			trap_raise(sink, LEVEL_INFO, trap_side_bit(i), "%s is on a virtual disk: the host may cache, and others share it",
				   side->name);
		else if (t->hypervisor == 1)
			trap_raise(sink, LEVEL_INFO, trap_side_bit(i), "%s: this is a virtual machine: the host may cache", side->name);
		else if (t->hypervisor < 0)
			trap_unknown(sink, trap_side_bit(i), "whether this is a virtual machine is not known");
	}
}

static void
check_shared(const struct trap_session *s, struct trap_sink *sink)
{
	char name[DISK_NAME_MAX];
	const struct stack *a = s->side[SIDE_A].stack, *b = s->side[SIDE_B].stack;
	if (!trap_has_both(s))
		return;
	if (!a || !b)
		trap_unknown(sink, WARN_BOTH, "whether A and B share a device is not known");
	else if (stack_share_device(a, b, name, sizeof(name)))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH,
			   "A and B are on %s: this compares file systems, not disks; leftovers of one slow the other (drain gate on)",
			   name);
}

static void
check_shared_wire(const struct trap_session *s, struct trap_sink *sink)
{
	char name[128];
	const struct stack *a = s->side[SIDE_A].stack, *b = s->side[SIDE_B].stack;
	if (!trap_has_both(s))
		return;
	if (!a || !b)
		trap_unknown(sink, WARN_BOTH, "whether A and B share a controller is not known");
	else if (stack_share_controller(a, b, name, sizeof(name)))
		trap_raise(sink, LEVEL_INFO, WARN_BOTH, "A and B share the %s: its speed may be what is measured", name);
}

static void
check_mirror(const struct trap_session *s, struct trap_sink *sink)
{
	char what[200];
	EACH_SIDE(s, i, side) {
		if (!side->stack)
			trap_unknown(sink, trap_side_bit(i), "the layout of %s is not known", side->name);
		else if (stack_mirror_on_one_device(side->stack, what, sizeof(what)))
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%s: redundancy on one device (%s): several copies, one point of failure; an SSD may put them next to each other",
				   side->name, what);
	}
}

// Rotating disks without discard are as they should be.
static int
wants_trim(const struct trap_signals *t)
{
	for (int i = 0; i < t->n_disks; i++)
		if (t->disk[i].rotational != 1 || t->disk[i].discard == 1)
			return 1;
	return 0;
}

static void
check_no_discard(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		if (!t || (t->discard < 0 && t->n_disks > 0))
			trap_unknown(sink, trap_side_bit(i), "whether %s takes discards is not known", side->name);
		else if (t->discard == 0 && wants_trim(t))
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%s's disk is never trimmed (%s takes no discards); it may be slow only because it looks full to itself",
				   side->name, t->no_discard_layer);
	}
}

static void
check_trim_old(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		if (t && (t->discard == 0 || t->mount_discard == 1 || t->n_disks == 0 || !wants_trim(t)))
			continue;
		if (!t || t->last_trim_s < 0) {
			trap_unknown(sink, trap_side_bit(i), "when %s was last trimmed is not known", side->name);
			continue;
		}
		long long days = (t->now_s - t->last_trim_s) / DAY_S;
		if (days > TRIM_OLD_DAYS)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%s's disk was last trimmed %lld days ago; it may be slow only because it looks full to itself", side->name,
				   days);
	}
}

static void
check_trim_differs(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *a = s->side[SIDE_A].signals, *b = s->side[SIDE_B].signals;
	if (!trap_has_both(s))
		return;
	if (!a || !b || a->discard < 0 || b->discard < 0 || a->mount_discard < 0 || b->mount_discard < 0)
		trap_unknown(sink, WARN_BOTH, "whether A and B are trimmed alike is not known");
	else if (a->discard != b->discard)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "%s's disk takes discards, %s's does not", a->discard ? "A" : "B",
			   a->discard ? "B" : "A");
	else if (a->mount_discard != b->mount_discard)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "%s is mounted with discard, %s is not", a->mount_discard ? "A" : "B",
			   a->mount_discard ? "B" : "A");
}

static void
check_full(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (side->stack && side->stack->is_device)
			continue;
		if (!side->signals || isnan(side->signals->fs_free_share))
			trap_unknown(sink, trap_side_bit(i), "how full %s is is not known", side->name);
		else if (side->signals->fs_free_share < FULL_SHARE)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%s has %.0f %% free: full file systems and SSDs are slower",
				   side->name, 100 * side->signals->fs_free_share);
	}
}

static void
check_compress(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		const struct trap_layout *file = side->layout;
		char size[TRAP_TEXT], allocated[TRAP_TEXT];
		if (file && file->known && file->compressed == 1)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%s compresses: %s became %s. ioduel's own data cannot be compressed; a command's data are its own", side->name,
				   trap_size((double)file->size_bytes, size), trap_size((double)file->allocated_bytes, allocated));
		else if (t && t->compress[0] && strcmp(t->compress, "off") != 0)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i),
				   "%s compresses (%s). ioduel's own data cannot be compressed; a command's data are its own", side->name,
				   t->compress);
		else if (!t || (t->compress[0] == '\0' && !(side->stack && side->stack->is_device)))
			trap_unknown(sink, trap_side_bit(i), "whether %s compresses is not known", side->name);
	}
}

static void
check_lazy_init(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		if (!side->signals || side->signals->ext4_lazy_init < 0)
			trap_unknown(sink, trap_side_bit(i), "whether ext4 still initialises %s is not known", side->name);
		else if (side->signals->ext4_lazy_init)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "ext4 still initialises inode tables on %s (ext4lazyinit)",
				   side->name);
	}
}

static void
check_md(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		int has_raid = 0;
		for (int k = 0; side->stack && k < side->stack->n_layers; k++)
			has_raid |= side->stack->layer[k].kind == LAYER_RAID;
		if (!t || (has_raid && t->md_action[0] == '\0'))
			trap_unknown(sink, trap_side_bit(i), "whether an array of %s is being rebuilt is not known", side->name);
		else if (t->md_action[0] && strcmp(t->md_action, "idle") != 0)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%s: the array %s is busy with itself (%s)", side->name, t->md_name,
				   t->md_action);
	}
}

static void
check_btrfs(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		int is_btrfs = side->stack && strcmp(side->stack->fs_type, "btrfs") == 0;
		if (!t || (is_btrfs && t->btrfs_operation[0] == '\0'))
			trap_unknown(sink, trap_side_bit(i), "whether btrfs is busy on %s is not known", side->name);
		else if (t->btrfs_operation[0] && strcmp(t->btrfs_operation, "none") != 0)
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "btrfs is busy with itself on %s (%s)", side->name,
				   t->btrfs_operation);
	}
}

static void
check_limits_io(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_limits *limits = side->signals ? &side->signals->limits : NULL;
		char text[TRAP_TEXT];
		if (!limits || !limits->known) {
			trap_unknown(sink, trap_side_bit(i), "I/O limits of this session's control group are not known");
			continue;
		}
		double bytes = fmin(limits->read_bytes_per_s, limits->write_bytes_per_s);
		double iops = fmin(limits->read_iops, limits->write_iops);
		if (!isnan(bytes))
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "this session is limited to %s on %s by its cgroup",
				   trap_rate(bytes, text), side->name);
		else if (!isnan(iops))
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "this session is limited to %.0f I/Os per second on %s by its cgroup",
				   iops, side->name);
	}
}

// The machine is the same for both sides: the first that knows speaks.
static const struct trap_signals *
machine(const struct trap_session *s)
{
	for (int i = 0; i < SIDES; i++)
		if (s->side[i].present && s->side[i].signals)
			return s->side[i].signals;
	return NULL;
}

static void
check_limits_cpu(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *t = machine(s);
	if (!t || !t->limits.known)
		trap_unknown(sink, WARN_BOTH, "CPU limits of this session's control group are not known");
	else if (!isnan(t->limits.cpus))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "this session is limited to %.2g CPUs by its cgroup", t->limits.cpus);
}

static void
check_limits_memory(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *t = machine(s);
	char text[TRAP_TEXT];
	if (!t || !t->limits.known)
		trap_unknown(sink, WARN_BOTH, "memory limits of this session's control group are not known");
	else if (!isnan(t->limits.memory_bytes) && !(t->limits.memory_bytes >= t->memory_bytes))
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "this session is limited to %s of memory (page cache included) by its cgroup",
			   trap_size(t->limits.memory_bytes, text));
}

static void
check_governor(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *t = machine(s);
	if (!t || t->governor[0] == '\0') {
		trap_unknown(sink, WARN_BOTH, "how the CPU's clock is governed is not known");
		return;
	}
	// there "powersave" is the name of the automatic one
	int is_automatic = strcmp(t->governor_driver, "intel_pstate") == 0 || strncmp(t->governor_driver, "amd-pstate", 10) == 0;
	if (strcmp(t->governor, "powersave") == 0 && !is_automatic)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "the CPU is held at its lowest clock (governor powersave, driver %s)",
			   t->governor_driver[0] ? t->governor_driver : "unknown");
}

static void
check_battery(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *t = machine(s);
	if (!t || t->on_mains < 0)
		trap_unknown(sink, WARN_BOTH, "what feeds the machine is not known");
	else if (t->on_mains == 0)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "the machine runs on battery");
}

static void
check_profile(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *t = machine(s);
	if (!t || t->platform_profile[0] == '\0')
		trap_unknown(sink, WARN_BOTH, "the firmware's power profile is not known");
	else if (strcmp(t->platform_profile, "low-power") == 0 || strcmp(t->platform_profile, "quiet") == 0 ||
		 strcmp(t->platform_profile, "cool") == 0)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "the firmware's power profile is \"%s\"", t->platform_profile);
}

static void
check_link(const struct trap_session *s, struct trap_sink *sink)
{
	EACH_SIDE(s, i, side) {
		const struct trap_signals *t = side->signals;
		int known = 0;
		for (int k = 0; t && k < t->n_disks; k++) {
			const struct trap_disk *disk = &t->disk[k];
			const char *of = strstr(disk->link, " of ");
			known |= disk->link_below_max >= 0;
			if (disk->link_below_max != 1 || !of)
				continue;
			trap_raise(sink, LEVEL_YELLOW, trap_side_bit(i), "%s's link runs %.*s, the card can do %s (%s)", side->name,
				   (int)(of - disk->link), disk->link, of + 4, disk->name);
			break;
		}
		if (!known)
			trap_unknown(sink, trap_side_bit(i), "the link speed of %s is not known", side->name);
	}
}

static void
append_difference(char *text, size_t size, const char *what, const char *a, const char *b)
{
	size_t used = strlen(text);
	if (a[0] && b[0] && strcmp(a, b) != 0)
		snprintf(text + used, size - used, "%s%s %.40s / %.40s", used ? ", " : "", what, a, b);
}

static void
append_numbers(char *text, size_t size, const char *what, int64_t a, int64_t b)
{
	char first[24] = "", second[24] = "";
	if (a >= 0 && b >= 0) {
		snprintf(first, sizeof(first), "%lld", (long long)a);
		snprintf(second, sizeof(second), "%lld", (long long)b);
	}
	append_difference(text, size, what, first, second);
}

static void
check_settings(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *a = s->side[SIDE_A].signals, *b = s->side[SIDE_B].signals;
	char text[256] = "";
	if (!trap_has_both(s))
		return;
	if (!a || !b || a->n_disks == 0 || b->n_disks == 0) {
		trap_unknown(sink, WARN_BOTH, "whether A and B are set alike is not known");
		return;
	}
	const struct trap_disk *x = &a->disk[0], *y = &b->disk[0];
	append_difference(text, sizeof(text), "scheduler", x->scheduler, y->scheduler);
	append_numbers(text, sizeof(text), "nr_requests", x->nr_requests, y->nr_requests);
	append_numbers(text, sizeof(text), "read_ahead_kb", x->read_ahead_kb, y->read_ahead_kb);
	append_numbers(text, sizeof(text), "wbt_lat_usec", x->wbt_lat_us, y->wbt_lat_us);
	append_numbers(text, sizeof(text), "logical_block_size", x->logical_block_bytes, y->logical_block_bytes);
	append_numbers(text, sizeof(text), "numa_node", x->numa_node, y->numa_node);
	const struct stack *p = s->side[SIDE_A].stack, *q = s->side[SIDE_B].stack;
	if (p && q && strcmp(p->fs_type, q->fs_type) == 0)
		append_difference(text, sizeof(text), "mount options", p->mount_options, q->mount_options);
	if (text[0])
		trap_raise(sink, LEVEL_INFO, WARN_BOTH, "settings differ (A / B): %s", text);
}

static void
check_write_cache(const struct trap_session *s, struct trap_sink *sink)
{
	const struct trap_signals *a = s->side[SIDE_A].signals, *b = s->side[SIDE_B].signals;
	if (!trap_has_both(s))
		return;
	if (!a || !b || a->n_disks == 0 || b->n_disks == 0 || a->disk[0].write_cache < 0 || b->disk[0].write_cache < 0)
		trap_unknown(sink, WARN_BOTH, "whether the disks acknowledge from a volatile cache is not known");
	else if (a->disk[0].write_cache != b->disk[0].write_cache)
		trap_raise(sink, LEVEL_YELLOW, WARN_BOTH, "%s acknowledges from a volatile cache, %s does not",
			   a->disk[0].write_cache ? "A" : "B", a->disk[0].write_cache ? "B" : "A");
}

const struct trap_rule trap_rules_target[] = {
	{"memory-target", "memory instead of a disk", check_memory, "Choose a directory on a real disk."},
	{"not-a-disk", "what kind of file system it is", check_not_a_disk,
	 "Test below it as well (the server, the upper layer, the pool's disks), or say in the report what was measured."},
	{"virtual-disk", "virtual disks", check_virtual,
	 "Repeat at another time of day; figures of a virtual disk hold for this host and its neighbours."},
	{"shared-device", "one device behind both", check_shared,
	 "To compare disks, put A and B on different ones; to compare file systems or settings, this is right."},
	{"shared-controller", "one controller or link behind both", check_shared_wire,
	 "Plug one of them into another port or controller, or compare with one of them alone."},
	{"mirror-on-one-device", "redundancy on one device", check_mirror, "Put the copies on different physical devices."},
	{"no-discard", "discards reach the disk", check_no_discard,
	 "Let every layer pass discards on (dm-crypt: allow-discards; LVM: issue_discards), then run fstrim -v."},
	{"trim-old", "last trim", check_trim_old, "Run fstrim -v on both targets, wait a minute, repeat."},
	{"trim-differs", "both are trimmed alike", check_trim_differs, "Mount both with or both without discard, and run fstrim -v on both."},
	{"fs-full", "free space", check_full, "Free at least a fifth of the file system, run fstrim -v, repeat."},
	{"compresses", "compression", check_compress, "Compare without compression, or with data like your own (workload command)."},
	{"ext4-lazy-init", "ext4 initialises itself", check_lazy_init,
	 "Wait until the thread ext4lazyinit is gone, or make the file system with -E lazy_itable_init=0,lazy_journal_init=0."},
	{"md-busy", "arrays that rebuild or check themselves", check_md, "Wait until sync_action is idle, or write \"idle\" to it."},
	{"btrfs-busy", "btrfs balances or replaces", check_btrfs, "Wait until the operation is done, or pause it (btrfs balance pause)."},
	{"limit-io", "I/O limits of the control group", check_limits_io, "Run outside of that control group, or lift io.max."},
	{"limit-cpu", "CPU limits of the control group", check_limits_cpu, "Run outside of that control group, or lift cpu.max."},
	{"limit-memory", "memory limits of the control group", check_limits_memory,
	 "Use direct I/O or a file set of several times the limit, or lift memory.max and memory.high."},
	{"cpu-governor", "CPU clock governor", check_governor, "Set the governor to performance while you measure (cpupower frequency-set -g performance)."},
	{"on-battery", "battery", check_battery, "Plug the machine in."},
	{"power-profile", "firmware power profile", check_profile, "Choose the firmware profile performance or balanced (powerprofilesctl, or the platform_profile file of ACPI)."},
	{"slow-link", "link speed", check_link, "Try another slot or cable; look at the firmware's settings for the slot."},
	{"settings-differ", "queue settings and mount options", check_settings, "Set both alike, unless the setting is what you compare."},
	{"write-cache-differs", "volatile write cache", check_write_cache,
	 "Use fsync in the workload (synclog, fsync=N), or switch both caches to the same mode."},
	{NULL, NULL, NULL, NULL},
};
