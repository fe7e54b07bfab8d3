// SPDX-License-Identifier: MIT
// The signals of the traps: queue, wire, mount, machine. One rule: it only
// reads and never judges; a file that is missing leaves its signal unknown.

#include "signals.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

static int64_t
read_number(const struct sysroot *root, const char *dir, const char *name)
{
	int64_t value;
	return sysroot_read_i64(root, &value, "%s/%s", dir, name) == 0 ? value : TRAP_UNKNOWN;
}

static void
read_disk(const struct sysroot *root, const struct layer *leaf, struct trap_disk *ret)
{
	char dir[SYSPATH_MAX];
	memset(ret, 0, sizeof(*ret));
	text_copy(ret->name, sizeof(ret->name), leaf->name);
	ret->major = leaf->major;
	ret->minor = leaf->minor;
	text_copy(ret->scheduler, sizeof(ret->scheduler), leaf->scheduler);
	ret->write_cache = leaf->write_cache;
	ret->rotational = leaf->rotational;
	ret->discard = leaf->discard;
	ret->size_bytes = leaf->size_bytes;
	text_copy(ret->link, sizeof(ret->link), leaf->link);
	ret->link_below_max = leaf->link[0] == '\0' ? TRAP_UNKNOWN : strstr(leaf->link, " of ") != NULL;
	snprintf(dir, sizeof(dir), "sys/block/%s/queue", leaf->name);
	ret->nr_requests = read_number(root, dir, "nr_requests");
	ret->read_ahead_kb = read_number(root, dir, "read_ahead_kb");
	ret->logical_block_bytes = read_number(root, dir, "logical_block_size");
	ret->wbt_lat_us = read_number(root, dir, "wbt_lat_usec");
	ret->numa_node = leaf->controller[0] ? (int)read_number(root, leaf->controller, "numa_node") : TRAP_UNKNOWN;
}

// Whether every layer between the file system and its disks takes discards.
static void
read_discard(const struct stack *stack, struct trap_signals *ret)
{
	ret->discard = TRAP_UNKNOWN;
	for (int i = 0; i < stack->n_layers; i++) {
		const struct layer *layer = &stack->layer[i];
		if (!layer->has_dev || layer->role == ROLE_SPARE)
			continue;
		if (layer->discard == 0) {
			ret->discard = 0;
			text_copy(ret->no_discard_layer, sizeof(ret->no_discard_layer), layer->name);
			return;
		}
		if (layer->discard == 1)
			ret->discard = 1;
	}
}

bool
signals_option(const char *options, const char *name, char *ret, size_t size)
{
	size_t n = strlen(name);
	for (const char *at = options; *at;) {
		size_t length = strcspn(at, ",");
		if (length >= n && strncmp(at, name, n) == 0 && (length == n || at[n] == '=')) {
			size_t skip = length == n ? n : n + 1;
			size_t value = length - skip;
			if (value >= size)
				value = size - 1;
			memcpy(ret, at + skip, value);
			ret[value] = '\0';
			return true;
		}
		at += length;
		at += *at == ',';
	}
	return false;
}

static void
read_mount(const struct stack *stack, struct trap_signals *ret)
{
	static const char *const names[] = {"compress-force", "compress", "compress_algorithm"};
	char value[64];
	ret->mount_discard = TRAP_UNKNOWN;
	if (stack->mount_options[0] == '\0')
		return;
	ret->mount_discard = signals_option(stack->mount_options, "discard", value, sizeof(value));
	text_copy(ret->compress, sizeof(ret->compress), "off");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!signals_option(stack->mount_options, names[i], value, sizeof(value)))
			continue;
		text_copy(ret->compress, sizeof(ret->compress), value[0] ? value : "on");
		break;
	}
	for (int i = 0; i < stack->n_layers; i++) // ZFS keeps it as a property, zram by nature
		if (stack->layer[i].compressed && strcmp(ret->compress, "off") == 0)
			text_copy(ret->compress, sizeof(ret->compress), stack->layer[i].name);
}

static uint64_t
magic_of_type(const char *type)
{
	static const struct {
		const char *type;
		uint64_t magic;
	} table[] = {
		{"tmpfs", 0x01021994}, {"ramfs", 0x858458f6}, {"overlay", 0x794c7630}, {"nfs", 0x6969}, {"nfs4", 0x6969},
		{"cifs", 0xff534d42}, {"smb3", 0xff534d42}, {"zfs", 0x2fc12fc1}, {"btrfs", 0x9123683e}, {"xfs", 0x58465342},
		{"ext4", 0xef53}, {"ext3", 0xef53}, {"ext2", 0xef53}, {"f2fs", 0xf2f52010}, {"fuse", 0x65735546},
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(type, table[i].type) == 0)
			return table[i].magic;
	return strncmp(type, "fuse", 4) == 0 ? 0x65735546 : 0;
}

static int64_t
read_start(const struct sysroot *root, const struct layer *partition)
{
	char dir[SYSPATH_MAX];
	snprintf(dir, sizeof(dir), "sys/class/block/%s", partition->name);
	int64_t sectors = read_number(root, dir, "start");
	return sectors < 0 ? TRAP_UNKNOWN : sectors * SECTOR_BYTES;
}

static void
read_fs(const struct sysroot *root, const struct stack *stack, struct trap_signals *ret)
{
	struct statfs fs;
	ret->fs_magic = magic_of_type(stack->fs_type);
	if (!sysroot_is_recorded(root) && statfs(stack->real_path, &fs) == 0)
		ret->fs_magic = (uint64_t)fs.f_type & 0xffffffff;
	ret->fs_free_share = stack->fs_size_bytes ? (double)stack->fs_free_bytes / (double)stack->fs_size_bytes : NAN;
	ret->fs_written_kib = ret->fs_offset_bytes = TRAP_UNKNOWN;
	for (int i = 0; i + 1 < stack->n_layers; i++) {
		char dir[SYSPATH_MAX];
		if (stack->layer[i].kind != LAYER_FS)
			continue;
		const struct layer *below = &stack->layer[i + 1];
		if (below->kind == LAYER_DISK && below->parent == i)
			ret->fs_offset_bytes = 0;
		else if (below->kind == LAYER_PARTITION && stack->n_layers == i + 3)
			ret->fs_offset_bytes = read_start(root, below);
		snprintf(dir, sizeof(dir), "sys/fs/%.32s/%.64s", stack->layer[i].name, below->name);
		ret->fs_written_kib = read_number(root, dir, "lifetime_write_kbytes");
		return;
	}
}

// True if a thread of this name runs.
static int
find_thread(const struct sysroot *root, const char *name)
{
	char text[64];
	DIR *dir = sysroot_opendir(root, "proc");
	const struct dirent *entry;
	int seen = 0, found = 0;
	while (dir && !found && (entry = sysroot_next(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    sysroot_read(root, text, sizeof(text), "proc/%s/comm", entry->d_name) <= 0)
			continue;
		seen++;
		found = strcmp(text, name) == 0;
	}
	if (dir)
		closedir(dir);
	return seen > 0 ? found : TRAP_UNKNOWN;
}

static void
read_md(const struct sysroot *root, const struct layer *layer, struct trap_signals *ret)
{
	char text[32];
	if (ret->md_action[0] && strcmp(ret->md_action, "idle") != 0)
		return;
	if (sysroot_read(root, text, sizeof(text), "sys/block/%s/md/sync_action", layer->name) <= 0)
		return;
	text_copy(ret->md_action, sizeof(ret->md_action), text);
	text_copy(ret->md_name, sizeof(ret->md_name), layer->name);
}

static void
read_btrfs(const struct sysroot *root, const struct stack *stack, int fs, struct trap_signals *ret)
{
	const struct layer *device = NULL;
	for (int i = fs + 1; i < stack->n_layers && !device; i++)
		if (stack->layer[i].parent == fs && stack->layer[i].has_dev)
			device = &stack->layer[i];
	DIR *dir = device ? sysroot_opendir(root, "sys/fs/btrfs") : NULL;
	const struct dirent *entry;
	while (dir && (entry = sysroot_next(dir))) {
		// a dm device is called by its kernel name here, as everywhere in sysfs
		if (!sysroot_exists(root, "sys/fs/btrfs/%s/devices/%s", entry->d_name, device->name))
			continue;
		sysroot_read(root, ret->btrfs_operation, sizeof(ret->btrfs_operation), "sys/fs/btrfs/%s/exclusive_operation",
			     entry->d_name);
		break;
	}
	if (dir)
		closedir(dir);
}

static void
read_background(const struct sysroot *root, const struct stack *stack, struct trap_signals *ret)
{
	bool has_ext4 = false;
	for (int i = 0; i < stack->n_layers; i++) {
		const struct layer *layer = &stack->layer[i];
		if (layer->kind == LAYER_RAID)
			read_md(root, layer, ret);
		if (layer->kind == LAYER_FS && strcmp(layer->name, "btrfs") == 0)
			read_btrfs(root, stack, i, ret);
		has_ext4 |= layer->kind == LAYER_FS && strcmp(layer->name, "ext4") == 0;
	}
	ret->ext4_lazy_init = has_ext4 ? find_thread(root, "ext4lazyinit") : 0;
}

static void
read_power(const struct sysroot *root, struct trap_signals *ret)
{
	static const char policy[] = "sys/devices/system/cpu/cpufreq/policy0";
	sysroot_read(root, ret->governor, sizeof(ret->governor), "%s/scaling_governor", policy);
	sysroot_read(root, ret->governor_driver, sizeof(ret->governor_driver), "%s/scaling_driver", policy);
	sysroot_read(root, ret->energy_preference, sizeof(ret->energy_preference), "%s/energy_performance_preference",
		     policy);
	int64_t khz = read_number(root, policy, "cpuinfo_max_freq");
	ret->max_mhz = khz > 0 ? (double)khz / 1000 : NAN;
	sysroot_read(root, ret->platform_profile, sizeof(ret->platform_profile), "sys/firmware/acpi/platform_profile");
	ret->on_mains = TRAP_UNKNOWN;
	DIR *dir = sysroot_opendir(root, "sys/class/power_supply");
	const struct dirent *entry;
	char type[32];
	int64_t online;
	while (dir && (entry = sysroot_next(dir))) {
		if (sysroot_read(root, type, sizeof(type), "sys/class/power_supply/%s/type", entry->d_name) <= 0 ||
		    (strcmp(type, "Mains") != 0 && strcmp(type, "USB") != 0) ||
		    sysroot_read_i64(root, &online, "sys/class/power_supply/%s/online", entry->d_name) < 0)
			continue;
		if (online == 1)
			ret->on_mains = 1;
		else if (ret->on_mains != 1 && strcmp(type, "Mains") == 0)
			ret->on_mains = 0;
	}
	if (dir)
		closedir(dir);
}

// The word in the first "flags" line; TRAP_UNKNOWN where there is no such line (not x86).
static int
read_hypervisor(const struct sysroot *root)
{
	static const size_t size = 1 << 20;
	char *text = malloc(size);
	int found = TRAP_UNKNOWN;
	if (text && sysroot_read(root, text, size, "proc/cpuinfo") > 0) {
		char *flags = strstr(text, "\nflags");
		char *end = flags ? strchr(flags + 1, '\n') : NULL;
		if (end)
			*end = '\0';
		if (flags)
			found = strstr(flags, " hypervisor") != NULL;
	}
	free(text);
	return found;
}

static void
read_machine(const struct sysroot *root, struct trap_signals *ret)
{
	static const size_t size = 64 << 10;
	char *text = malloc(size);
	struct memory_sample memory = {0};
	struct pressure_sample pressure = {0};
	if (text && sysroot_read(root, text, size, "proc/meminfo") > 0)
		meminfo_parse(text, &memory);
	ret->memory_bytes = memory.valid & MEM_TOTAL ? (double)memory.total_bytes : NAN;
	ret->pressure_io_avg10 = ret->pressure_cpu_avg10 = NAN;
	if (text && sysroot_read(root, text, size - 1, "proc/pressure/io") > 0) {
		pressure_parse(strcat(text, "\n"), &pressure);
		if (pressure.valid & PRESSURE_SOME)
			ret->pressure_io_avg10 = pressure.some_avg10;
	}
	if (text && sysroot_read(root, text, size - 1, "proc/pressure/cpu") > 0) {
		pressure_parse(strcat(text, "\n"), &pressure);
		if (pressure.valid & PRESSURE_SOME)
			ret->pressure_cpu_avg10 = pressure.some_avg10;
	}
	free(text);
	ret->hypervisor = read_hypervisor(root);
}

void
trap_read(struct sysroot *root, const struct stack *stack, struct trap_signals *ret)
{
	const struct layer *leaves[TRAP_DISKS_MAX];
	memset(ret, 0, sizeof(*ret));
	ret->n_disks = stack_leaves(stack, leaves, TRAP_DISKS_MAX);
	for (int i = 0; i < ret->n_disks; i++) {
		read_disk(root, leaves[i], &ret->disk[i]);
		ret->virtual_disk |= strstr(leaves[i]->model, "virtio") != NULL || strstr(leaves[i]->model, "Virtual") ||
				     strstr(leaves[i]->model, "QEMU") || strncmp(leaves[i]->name, "xvd", 3) == 0;
	}
	read_discard(stack, ret);
	read_mount(stack, ret);
	read_fs(root, stack, ret);
	read_background(root, stack, ret);
	read_power(root, ret);
	read_machine(root, ret);
	signals_read_limits(root, stack, &ret->limits);
	ret->last_trim_s = TRAP_UNKNOWN;
	int64_t stamp;
	if (sysroot_mtime(root, "var/lib/systemd/timers/stamp-fstrim.timer", &stamp) == 0)
		ret->last_trim_s = stamp;
	ret->now_s = clock_wall_ns() / NS_PER_S;
}
