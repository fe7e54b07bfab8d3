// SPDX-License-Identifier: MIT
// The series lines of a snapshot: intervals and probe samples as arrays of numbers, to text and back. Shared by the
// writer and the reader; doc/snapshot-format.md describes the same layout.
#ifndef IODUEL_SNAPSHOT_PACK_H
#define IODUEL_SNAPSHOT_PACK_H

#include <ioduel/probe.h>
#include <ioduel/sample.h>
#include <ioduel/wire.h>
#include <jansson.h>

#include "session/result.h"

#define SNAPSHOT_VERSION 1
#define SNAPSHOT_DEVICES_MAX 64
#define SNAPSHOT_LINE_MAX (32u * 1024 * 1024)

// The devices whose counters a snapshot keeps: every layer of both targets that is a device.
struct snapshot_devices {
	int n;
	struct { char name[DISK_NAME_MAX]; unsigned major, minor; unsigned sides; } item[SNAPSHOT_DEVICES_MAX];
};
void snapshot_devices_find(const struct result *setup, struct snapshot_devices *ret);

// A sample as groups of whole numbers.
enum { GROUP_TIME, GROUP_CPU, GROUP_MEMORY, GROUP_PRESSURE, GROUP_THERMAL, GROUP_DEVICE };
#define SNAPSHOT_GROUPS (GROUP_DEVICE + SNAPSHOT_DEVICES_MAX)
#define SNAPSHOT_GROUP_SIZE 20
struct snapshot_row {
	int n_groups;
	int n[SNAPSHOT_GROUPS];
	int64_t value[SNAPSHOT_GROUPS][SNAPSHOT_GROUP_SIZE];
};
void snapshot_row_from_sample(const struct sample *s, const struct snapshot_devices *devices, int64_t origin_ns,
			      struct snapshot_row *ret);
// Fills a sample (initialised, with room made by the first call) with what the row holds. 0, -EINVAL (no such time) or -ENOMEM.
int snapshot_row_to_sample(const struct snapshot_row *row, const struct snapshot_devices *devices, int64_t origin_ns,
			   struct sample *ret);

// {"S":[...]} of the whole row, or {"s":[...]} of its differences to before. Returns bytes (without a NUL counted).
#define SNAPSHOT_ROW_TEXT (32 * (size_t)SNAPSHOT_GROUPS * SNAPSHOT_GROUP_SIZE)
size_t snapshot_row_print(const struct snapshot_row *row, const struct snapshot_row *before, char *buf, size_t size);
// Reads the array at text (which begins at '['). difference: added to *row. 0 or -EINVAL (row is then unusable).
int snapshot_row_parse(const char *text, int difference, struct snapshot_row *row);

// An interval; p[class][0..2] are p50, p99, p99.9 in ns, NAN where unknown.
struct snapshot_interval {
	int side;
	struct wire_interval w; // hist_entries are 0
	double p[WIRE_CLASSES][3];
	double all[3]; // of all operations together
};
#define SNAPSHOT_INTERVAL_TEXT 2048
size_t snapshot_interval_print(const struct snapshot_interval *interval, int64_t origin_ns, char *buf, size_t size);
int snapshot_interval_parse(const char *text, int64_t origin_ns, struct snapshot_interval *ret);

// A histogram's non-empty buckets, each as its distance from the one before and its count. New reference.
json_t *snapshot_hist_to_json(const struct hist *h);
int snapshot_hist_from_json(const json_t *object, struct hist *ret);

#endif
