// SPDX-License-Identifier: MIT
// The jobs of one fio object: sums, groups, and the figures of a group.
#ifndef IODUEL_IMPORT_FIO_H
#define IODUEL_IMPORT_FIO_H

#include <jansson.h>

#include "session/import.h"

// What a job has summed up so far; 0 read, 1 write (2 trim).
struct fio_counters {
	double ops[3], bytes[3], runtime_ms; // the longest of the three
	double latencies; // how many were recorded; none while ramp_time runs
};
void fio_counters_read(const json_t *job, struct fio_counters *ret);

// The array of jobs: "jobs", or "client_stats" of fio's client. NULL where the object is not fio's.
const json_t *fio_jobs(const json_t *object);

// Jobs that run at the same time are one result: same group and same host. Numbers the groups from 0 in the order in
// which they first appear; group has room for FIO_JOBS_MAX. Returns the number of jobs, or -E2BIG.
#define FIO_JOBS_MAX 1024
int fio_groups(const json_t *jobs, int *group);

// One item per group. 0 or -errno and a sentence.
int fio_take_jobs(struct import *ret, const json_t *object, struct error *err);

#endif
