// SPDX-License-Identifier: MIT
// The table of metrics. One rule: a name, once published, stays.
#include "session/metrics.h"

#include <string.h>

#define ROW(id, name, label, unit, higher, kind, quantile, information) \
	[METRIC_##id] = {METRIC_##id, name, label, unit, higher, kind, quantile, information}

// Metrics with the same number in the last column carry the same information: IOPS and bytes of
// a fixed block size, CPU time per operation and per byte, %CP and the times it is made of.
const struct metric_info metric_table[METRIC_N] = {
	ROW(IOPS, "iops", "IOPS", "1/s", 1, FIGURE_RATE, 0, 1),
	ROW(READ_BYTES, "read_bytes_per_s", "read rate", "B/s", 1, FIGURE_RATE, 0, 1),
	ROW(WRITE_BYTES, "write_bytes_per_s", "write rate", "B/s", 1, FIGURE_RATE, 0, 1),
	ROW(LAT_P50, "lat_p50_ns", "p50 latency", "ns", 0, FIGURE_QUANTILE, 0.5, 0),
	ROW(LAT_P99, "lat_p99_ns", "p99 latency", "ns", 0, FIGURE_QUANTILE, 0.99, 0),
	ROW(LAT_P999, "lat_p999_ns", "p99.9 latency", "ns", 0, FIGURE_QUANTILE, 0.999, 0),
	ROW(READ_LAT_P50, "read_lat_p50_ns", "p50 read latency", "ns", 0, FIGURE_QUANTILE, 0.5, 0),
	ROW(READ_LAT_P99, "read_lat_p99_ns", "p99 read latency", "ns", 0, FIGURE_QUANTILE, 0.99, 0),
	ROW(READ_LAT_P999, "read_lat_p999_ns", "p99.9 read latency", "ns", 0, FIGURE_QUANTILE, 0.999, 0),
	ROW(WRITE_LAT_P50, "write_lat_p50_ns", "p50 write latency", "ns", 0, FIGURE_QUANTILE, 0.5, 0),
	ROW(WRITE_LAT_P99, "write_lat_p99_ns", "p99 write latency", "ns", 0, FIGURE_QUANTILE, 0.99, 0),
	ROW(WRITE_LAT_P999, "write_lat_p999_ns", "p99.9 write latency", "ns", 0, FIGURE_QUANTILE, 0.999, 0),
	ROW(SYNC_LAT_P50, "sync_lat_p50_ns", "p50 sync latency", "ns", 0, FIGURE_QUANTILE, 0.5, 0),
	ROW(SYNC_LAT_P99, "sync_lat_p99_ns", "p99 sync latency", "ns", 0, FIGURE_QUANTILE, 0.99, 0),
	ROW(SYNC_LAT_P999, "sync_lat_p999_ns", "p99.9 sync latency", "ns", 0, FIGURE_QUANTILE, 0.999, 0),
	ROW(CPU_USER, "cpu_user", "CPU user", "cores", 0, FIGURE_RATE, 0, 0),
	ROW(CPU_SYS, "cpu_sys", "CPU sys", "cores", 0, FIGURE_RATE, 0, 0),
	ROW(CPU_NS_PER_IO, "cpu_ns_per_io", "CPU per I/O", "ns", 0, FIGURE_RATE, 0, 2),
	ROW(CPU_NS_PER_GIB, "cpu_ns_per_gib", "CPU per GiB", "ns", 0, FIGURE_RATE, 0, 2),
	ROW(HOST_CPU_USER, "host_cpu_user", "host CPU user", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(HOST_CPU_SYS, "host_cpu_sys", "host CPU sys", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(HOST_CPU_IOWAIT, "host_cpu_iowait", "host CPU iowait", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(HOST_CPU_IRQ, "host_cpu_irq", "host CPU irq", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(HOST_CPU_STEAL, "host_cpu_steal", "host CPU steal", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(DEVICE_READ_BYTES, "device_read_bytes_per_s", "device read rate", "B/s", 1, FIGURE_RATE, 0, 0),
	ROW(DEVICE_WRITE_BYTES, "device_write_bytes_per_s", "device write rate", "B/s", 1, FIGURE_RATE, 0, 0),
	ROW(DEVICE_READ_LAT, "device_read_lat_ns", "device read latency", "ns", 0, FIGURE_RATE, 0, 0),
	ROW(DEVICE_WRITE_LAT, "device_write_lat_ns", "device write latency", "ns", 0, FIGURE_RATE, 0, 0),
	ROW(WRITE_MULTIPLICITY, "write_multiplicity", "device bytes per byte written", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(CACHE_SHARE, "cache_share", "share of reads from memory", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(REAL_S, "real_s", "real time", "s", 0, FIGURE_DURATION, 0, 0),
	ROW(USER_S, "user_s", "user time", "s", 0, FIGURE_DURATION, 0, 0),
	ROW(SYS_S, "sys_s", "sys time", "s", 0, FIGURE_DURATION, 0, 0),
	ROW(MAX_RSS, "max_rss_bytes", "peak memory", "B", 0, FIGURE_RATE, 0, 0),
	ROW(READ_TOTAL, "read_bytes", "bytes read", "B", 0, FIGURE_RATE, 0, 0),
	ROW(WRITTEN_TOTAL, "written_bytes", "bytes written", "B", 0, FIGURE_RATE, 0, 0),
	ROW(IO_WAIT_SHARE, "io_wait_share", "time waiting for storage", "ratio", 0, FIGURE_RATE, 0, 0),
	ROW(SYNC_S, "sync_s", "sync time", "s", 0, FIGURE_DURATION, 0, 0),
	ROW(CREATE_PER_S, "create_per_s", "creates", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(STAT_PER_S, "stat_per_s", "stats", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(DELETE_PER_S, "delete_per_s", "deletes", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(RAN_CREATE_PER_S, "ran_create_per_s", "random creates", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(RAN_STAT_PER_S, "ran_stat_per_s", "random stats", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(RAN_DELETE_PER_S, "ran_delete_per_s", "random deletes", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(PUTC, "putc", "per-char write", "KiB/s", 1, FIGURE_RATE, 0, 0),
	ROW(PUTC_CPU, "putc_cpu", "per-char write %CP", "%", 0, FIGURE_RATE, 0, 3),
	ROW(PUT_BLOCK, "put_block", "block write", "KiB/s", 1, FIGURE_RATE, 0, 0),
	ROW(PUT_BLOCK_CPU, "put_block_cpu", "block write %CP", "%", 0, FIGURE_RATE, 0, 4),
	ROW(REWRITE, "rewrite", "rewrite", "KiB/s", 1, FIGURE_RATE, 0, 0),
	ROW(REWRITE_CPU, "rewrite_cpu", "rewrite %CP", "%", 0, FIGURE_RATE, 0, 5),
	ROW(GETC, "getc", "per-char read", "KiB/s", 1, FIGURE_RATE, 0, 0),
	ROW(GETC_CPU, "getc_cpu", "per-char read %CP", "%", 0, FIGURE_RATE, 0, 6),
	ROW(GET_BLOCK, "get_block", "block read", "KiB/s", 1, FIGURE_RATE, 0, 0),
	ROW(GET_BLOCK_CPU, "get_block_cpu", "block read %CP", "%", 0, FIGURE_RATE, 0, 7),
	ROW(SEEKS, "seeks", "seeks", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(SEEKS_CPU, "seeks_cpu", "seeks %CP", "%", 0, FIGURE_RATE, 0, 8),
	ROW(SEQ_CREATE, "seq_create", "sequential create", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(SEQ_CREATE_CPU, "seq_create_cpu", "sequential create %CP", "%", 0, FIGURE_RATE, 0, 9),
	ROW(SEQ_STAT, "seq_stat", "sequential stat", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(SEQ_STAT_CPU, "seq_stat_cpu", "sequential stat %CP", "%", 0, FIGURE_RATE, 0, 10),
	ROW(SEQ_DEL, "seq_del", "sequential delete", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(SEQ_DEL_CPU, "seq_del_cpu", "sequential delete %CP", "%", 0, FIGURE_RATE, 0, 11),
	ROW(RAN_CREATE, "ran_create", "random create", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(RAN_CREATE_CPU, "ran_create_cpu", "random create %CP", "%", 0, FIGURE_RATE, 0, 12),
	ROW(RAN_STAT, "ran_stat", "random stat", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(RAN_STAT_CPU, "ran_stat_cpu", "random stat %CP", "%", 0, FIGURE_RATE, 0, 13),
	ROW(RAN_DEL, "ran_del", "random delete", "1/s", 1, FIGURE_RATE, 0, 0),
	ROW(RAN_DEL_CPU, "ran_del_cpu", "random delete %CP", "%", 0, FIGURE_RATE, 0, 14),
	ROW(PUTC_USER_S, "putc_user_s", "per-char write user time", "s", 0, FIGURE_DURATION, 0, 3),
	ROW(PUTC_SYS_S, "putc_sys_s", "per-char write sys time", "s", 0, FIGURE_DURATION, 0, 3),
	ROW(PUT_BLOCK_USER_S, "put_block_user_s", "block write user time", "s", 0, FIGURE_DURATION, 0, 4),
	ROW(PUT_BLOCK_SYS_S, "put_block_sys_s", "block write sys time", "s", 0, FIGURE_DURATION, 0, 4),
	ROW(REWRITE_USER_S, "rewrite_user_s", "rewrite user time", "s", 0, FIGURE_DURATION, 0, 5),
	ROW(REWRITE_SYS_S, "rewrite_sys_s", "rewrite sys time", "s", 0, FIGURE_DURATION, 0, 5),
	ROW(GETC_USER_S, "getc_user_s", "per-char read user time", "s", 0, FIGURE_DURATION, 0, 6),
	ROW(GETC_SYS_S, "getc_sys_s", "per-char read sys time", "s", 0, FIGURE_DURATION, 0, 6),
	ROW(GET_BLOCK_USER_S, "get_block_user_s", "block read user time", "s", 0, FIGURE_DURATION, 0, 7),
	ROW(GET_BLOCK_SYS_S, "get_block_sys_s", "block read sys time", "s", 0, FIGURE_DURATION, 0, 7),
	ROW(SEEKS_USER_S, "seeks_user_s", "seeks user time", "s", 0, FIGURE_DURATION, 0, 8),
	ROW(SEEKS_SYS_S, "seeks_sys_s", "seeks sys time", "s", 0, FIGURE_DURATION, 0, 8),
	ROW(SEQ_CREATE_USER_S, "seq_create_user_s", "sequential create user time", "s", 0, FIGURE_DURATION, 0, 9),
	ROW(SEQ_CREATE_SYS_S, "seq_create_sys_s", "sequential create sys time", "s", 0, FIGURE_DURATION, 0, 9),
	ROW(SEQ_STAT_USER_S, "seq_stat_user_s", "sequential stat user time", "s", 0, FIGURE_DURATION, 0, 10),
	ROW(SEQ_STAT_SYS_S, "seq_stat_sys_s", "sequential stat sys time", "s", 0, FIGURE_DURATION, 0, 10),
	ROW(SEQ_DEL_USER_S, "seq_del_user_s", "sequential delete user time", "s", 0, FIGURE_DURATION, 0, 11),
	ROW(SEQ_DEL_SYS_S, "seq_del_sys_s", "sequential delete sys time", "s", 0, FIGURE_DURATION, 0, 11),
	ROW(RAN_CREATE_USER_S, "ran_create_user_s", "random create user time", "s", 0, FIGURE_DURATION, 0, 12),
	ROW(RAN_CREATE_SYS_S, "ran_create_sys_s", "random create sys time", "s", 0, FIGURE_DURATION, 0, 12),
	ROW(RAN_STAT_USER_S, "ran_stat_user_s", "random stat user time", "s", 0, FIGURE_DURATION, 0, 13),
	ROW(RAN_STAT_SYS_S, "ran_stat_sys_s", "random stat sys time", "s", 0, FIGURE_DURATION, 0, 13),
	ROW(RAN_DEL_USER_S, "ran_del_user_s", "random delete user time", "s", 0, FIGURE_DURATION, 0, 14),
	ROW(RAN_DEL_SYS_S, "ran_del_sys_s", "random delete sys time", "s", 0, FIGURE_DURATION, 0, 14),
	ROW(RATE, "rate", "rate", "1/s", 1, FIGURE_RATE, 0, 0),
};

#undef ROW

const struct metric_info *
metric_find(const char *name)
{
	for (int i = 0; i < METRIC_N; i++) {
		if (strcmp(metric_table[i].name, name) == 0)
			return &metric_table[i];
	}
	return NULL;
}
