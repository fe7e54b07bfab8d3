// SPDX-License-Identifier: MIT
// The metrics that a slice can have: one table for their names in JSON, units,
// direction and labels.
#ifndef IODUEL_METRICS_H
#define IODUEL_METRICS_H

#include "session/stats.h"

enum metric {
	METRIC_IOPS, METRIC_READ_BYTES, METRIC_WRITE_BYTES,
	METRIC_LAT_P50, METRIC_LAT_P99, METRIC_LAT_P999,
	METRIC_READ_LAT_P50, METRIC_READ_LAT_P99, METRIC_READ_LAT_P999,
	METRIC_WRITE_LAT_P50, METRIC_WRITE_LAT_P99, METRIC_WRITE_LAT_P999,
	METRIC_SYNC_LAT_P50, METRIC_SYNC_LAT_P99, METRIC_SYNC_LAT_P999,
	METRIC_CPU_USER, METRIC_CPU_SYS, METRIC_CPU_NS_PER_IO, METRIC_CPU_NS_PER_GIB,
	METRIC_HOST_CPU_USER, METRIC_HOST_CPU_SYS, METRIC_HOST_CPU_IOWAIT, METRIC_HOST_CPU_IRQ, METRIC_HOST_CPU_STEAL,
	METRIC_DEVICE_READ_BYTES, METRIC_DEVICE_WRITE_BYTES, METRIC_DEVICE_READ_LAT, METRIC_DEVICE_WRITE_LAT,
	METRIC_WRITE_MULTIPLICITY, METRIC_CACHE_SHARE,
	METRIC_REAL_S, METRIC_USER_S, METRIC_SYS_S, METRIC_MAX_RSS, METRIC_READ_TOTAL, METRIC_WRITTEN_TOTAL,
	METRIC_IO_WAIT_SHARE, METRIC_SYNC_S,
	METRIC_CREATE_PER_S, METRIC_STAT_PER_S, METRIC_DELETE_PER_S,
	METRIC_RAN_CREATE_PER_S, METRIC_RAN_STAT_PER_S, METRIC_RAN_DELETE_PER_S,
	// bonnie++: names and units of the CSV, each with its %CP
	METRIC_PUTC, METRIC_PUTC_CPU, METRIC_PUT_BLOCK, METRIC_PUT_BLOCK_CPU, METRIC_REWRITE, METRIC_REWRITE_CPU,
	METRIC_GETC, METRIC_GETC_CPU, METRIC_GET_BLOCK, METRIC_GET_BLOCK_CPU, METRIC_SEEKS, METRIC_SEEKS_CPU,
	METRIC_SEQ_CREATE, METRIC_SEQ_CREATE_CPU, METRIC_SEQ_STAT, METRIC_SEQ_STAT_CPU, METRIC_SEQ_DEL, METRIC_SEQ_DEL_CPU,
	METRIC_RAN_CREATE, METRIC_RAN_CREATE_CPU, METRIC_RAN_STAT, METRIC_RAN_STAT_CPU, METRIC_RAN_DEL, METRIC_RAN_DEL_CPU,
	METRIC_RATE, // figures measured elsewhere: work per second, whatever the work is
	METRIC_N
};

struct metric_info {
	enum metric id;
	const char *name;  // in JSON and on the wire: "iops"
	const char *label; // for people: "IOPS", "p99 latency"
	const char *unit;  // "1/s", "B/s", "ns", "cores", "s", "B", "ratio", "KiB/s", "%"
	int higher_is_better;
	enum figure_kind kind; // how pairs of it are compared
	double quantile;   // 0.99 for a p99, else 0
	int information;   // metrics with the same number carry the same information (closed loop), 0 = alone
};

extern const struct metric_info metric_table[METRIC_N];

// By JSON name; NULL if unknown.
const struct metric_info *metric_find(const char *name);

#endif
