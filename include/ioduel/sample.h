// SPDX-License-Identifier: MIT
// One instant of the machine as the probes read it: raw counters and gauges,
// each group with validity bits. A value whose bit is not set is unknown; its
// field then holds 0 and must not be used. Nothing here is a rate.
#ifndef IODUEL_SAMPLE_H
#define IODUEL_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

// Bits of disk_sample.valid.
enum disk_valid {
	DISK_RW = 1u << 0,	// reads/writes: ios, merges, sectors, ticks (11 fields)
	DISK_INFLIGHT = 1u << 1, // inflight, io_ticks, queue_ticks
	DISK_DISCARD = 1u << 2,	// kernel >= 4.18
	DISK_FLUSH = 1u << 3,	// kernel >= 5.5
	DISK_BYTES_ONLY = 1u << 4, // only *_sectors (libstatgrab base)
};

#define DISK_NAME_MAX 64
#define SECTOR_BYTES 512 // of the kernel's counters, whatever the device's block size

struct disk_sample {
	char name[DISK_NAME_MAX]; // kernel name, "nvme0n1"
	unsigned major, minor;	  // identity of the device; names may change
	unsigned valid;		  // enum disk_valid
	uint64_t read_ios, read_merges, read_sectors, read_ticks_ms;
	uint64_t write_ios, write_merges, write_sectors, write_ticks_ms;
	uint64_t inflight;	 // gauge: requests now in flight
	uint64_t io_ticks_ms;	 // time with at least one request in flight
	uint64_t queue_ticks_ms; // sum over requests of time in flight
	uint64_t discard_ios, discard_merges, discard_sectors, discard_ticks_ms;
	uint64_t flush_ios, flush_ticks_ms;
};

// Index into cpu_sample.ticks; user and nice do not contain guest time here
// (the probe subtracts it), so that the fields can be summed.
enum cpu_field {
	CPU_USER, CPU_NICE, CPU_SYS, CPU_IDLE, CPU_IOWAIT, CPU_IRQ, CPU_SOFTIRQ,
	CPU_STEAL, CPU_GUEST, CPU_GUEST_NICE, CPU_FIELDS
};

struct cpu_sample {
	unsigned valid; // bit i: ticks[i] was read
	unsigned n_cpus; // 0 = unknown
	uint64_t ticks_per_s; // unit of ticks (USER_HZ)
	uint64_t ticks[CPU_FIELDS];
};

enum memory_valid {
	MEM_TOTAL = 1u << 0, MEM_FREE = 1u << 1, MEM_AVAILABLE = 1u << 2,
	MEM_DIRTY = 1u << 3, MEM_WRITEBACK = 1u << 4, MEM_CACHED = 1u << 5,
	MEM_NR_DIRTIED = 1u << 6,
};

struct memory_sample {
	unsigned valid;
	uint64_t total_bytes, free_bytes, available_bytes;
	uint64_t dirty_bytes, writeback_bytes, cached_bytes;
	uint64_t nr_dirtied_pages; // counter of /proc/vmstat
};

enum pressure_kind { PRESSURE_CPU, PRESSURE_MEMORY, PRESSURE_IO, PRESSURE_KINDS };
enum pressure_valid { PRESSURE_SOME = 1u << 0, PRESSURE_FULL = 1u << 1 };

struct pressure_sample {
	unsigned valid;
	uint64_t some_us, full_us;	   // counters
	double some_avg10, full_avg10; // percent
};

// Temperatures and throttle counters; the arrays are as long as the machine has.
#define THERMAL_MAX 32
struct thermal_zone {
	char name[48];	  // "nvme0 Composite", "x86_pkg_temp"
	char device[DISK_NAME_MAX]; // disk it belongs to, "" = none
	int milli_c;
	int max_milli_c, crit_milli_c; // 0 = unknown
	int alarm; // the sensor's own alarm: 1, 0, -1 = it has none
};

struct thermal_sample {
	int64_t t_ns;	// when it was read: seldom, since asking a disk for its heat disturbs it; 0 = never
	unsigned n; // zones
	struct thermal_zone zone[THERMAL_MAX];
	int throttle_valid;
	uint64_t throttle_count; // sum over CPUs of core and package throttle counters
	int freq_valid;
	double mean_mhz; // mean over CPUs of scaling_cur_freq
};

struct sample {
	int64_t t_ns;	   // CLOCK_MONOTONIC, taken once, when the disks were read
	int64_t boot_ns;   // CLOCK_BOOTTIME at the same instant
	struct cpu_sample cpu;
	struct memory_sample memory;
	struct pressure_sample pressure[PRESSURE_KINDS];
	struct thermal_sample thermal;
	size_t n_disks;
	size_t cap_disks;
	struct disk_sample *disks; // owned; grows, never shrinks
};

// Rates between two samples; NAN = unknown (not read, first sample, counter
// went down, device replaced). elapsed_s is the measured time between the two.
struct disk_rate {
	double elapsed_s;
	double read_bytes_per_s, write_bytes_per_s, discard_bytes_per_s;
	double read_iops, write_iops, discard_iops, flush_iops;
	double read_latency_ns, write_latency_ns, flush_latency_ns; // mean per completed request; NAN if none
	double queue;	 // mean number of requests in flight
	double busy;	 // share of time with I/O in flight, 0..1; says little for parallel devices
	double inflight; // gauge of the later sample
};

struct cpu_rate {
	double elapsed_s;
	double share[CPU_FIELDS]; // of the total of all fields, 0..1
};

#endif
