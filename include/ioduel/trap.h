// SPDX-License-Identifier: MIT
// Raw signals of the traps of doc/METHOD.md: what /proc, /sys and the scratch
// file say about a target, read when it is asked for, not at every tick. No
// judgement here. A number below 0, NAN or an empty text is unknown.
#ifndef IODUEL_TRAP_H
#define IODUEL_TRAP_H

#include <ioduel/error.h>
#include <ioduel/probe.h>
#include <ioduel/stack.h>
#include <stdint.h>

#define TRAP_UNKNOWN (-1)

// One leaf device: its queue, its wire, what it promises.
struct trap_disk {
	char name[DISK_NAME_MAX];
	unsigned major, minor;
	char scheduler[32];
	int64_t nr_requests, read_ahead_kb, logical_block_bytes, wbt_lat_us;
	int write_cache; // 1 volatile, 0 write through
	int rotational;
	int discard;	 // 1, 0
	int numa_node;	 // -1 = unknown, or the machine has one node only
	char link[64];	 // "PCIe 8.0 GT/s x2 of 16.0 GT/s x4"
	int link_below_max;
	uint64_t size_bytes; // 0 = unknown
};

// Limits of the cgroup that ioduel and its workers run in: the tightest on the way up to the root.
struct trap_limits {
	int known;		  // the cgroup was found and read
	double read_bytes_per_s, write_bytes_per_s, read_iops, write_iops; // on the target's disks; NAN = no limit
	double cpus;		  // NAN = no limit
	double memory_bytes;	  // memory.max or memory.high; NAN = no limit
	int64_t nr_throttled;	  // counter; TRAP_UNKNOWN
};

#define TRAP_DISKS_MAX 32
struct trap_signals {
	int n_disks;
	struct trap_disk disk[TRAP_DISKS_MAX];

	// file system and mount
	uint64_t fs_magic;	// statfs f_type, 0 = unknown
	int mount_discard;	// 1: mounted with discard
	char compress[64];	// value of the compression option, "off" = none asked for, "" = unknown
	char no_discard_layer[DISK_NAME_MAX]; // first layer below that passes no discard on; "" = none or unknown
	int discard;		// every layer down to the disks takes discards: 1, 0
	int64_t last_trim_s;	// since 1970, of the fstrim timer's stamp
	int64_t now_s;
	double fs_free_share;	// NAN
	int64_t fs_written_kib; // counter of the file system itself (ext4, f2fs)
	int64_t fs_offset_bytes; // where it begins on its disk, if that is a plain disk or partition

	// its own background work
	int ext4_lazy_init;	// 1: the kernel's ext4lazyinit thread runs and the target is ext4
	char md_action[32];	// "idle", "resync", ...; of the first array that is not idle
	char md_name[DISK_NAME_MAX];
	char btrfs_operation[32]; // "none", "balance", ...

	// machine
	int hypervisor;		// the CPU says that it is a guest's
	int virtual_disk;	// one of the disks is a virtual one
	char governor[32], governor_driver[32], energy_preference[48];
	char platform_profile[32];
	double max_mhz;		// NAN
	int on_mains;		// 1, 0 = on battery
	double memory_bytes;	// NAN
	double pressure_io_avg10, pressure_cpu_avg10; // percent, NAN
	struct trap_limits limits;
};

// Reads all signals for a resolved target. Never fails: what cannot be read is unknown.
void trap_read(struct sysroot *root, const struct stack *stack, struct trap_signals *ret);

// How a file lies on its file system.
struct trap_layout {
	int known;	       // the extents were read
	uint64_t size_bytes, allocated_bytes;
	uint64_t hole_bytes;   // within the size: reads as zeros without touching the medium
	uint64_t unwritten_bytes; // allocated, but never written: the same
	uint64_t extents;
	double mean_extent_bytes; // NAN
	uint64_t first_physical, last_physical; // bytes on the device below the file system
	int compressed;	       // 1: an extent is encoded; 0; TRAP_UNKNOWN
	double cached_share;   // of the file's pages in the page cache; NAN
};

// Looks at an open file (also one without a name). Reads nothing of its content.
void trap_read_layout(int fd, struct trap_layout *ret);

#endif
