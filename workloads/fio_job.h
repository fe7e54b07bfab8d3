// SPDX-License-Identifier: MIT
// A fio job file: what it does, and the same job rewritten for one slice.
// Rule: pure; text in, text out.
#ifndef WORKLOADS_FIO_JOB_H
#define WORKLOADS_FIO_JOB_H

#include <ioduel/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fio_job {
	char *text;	   // as read; owned
	unsigned n_jobs;   // sections beside [global]
	bool reads, writes;
	bool buffered;	   // some job goes through the page cache
	uint64_t bytes;	   // of all files, as far as size= and numjobs= say; 0 = unknown
};

// Reads and checks the file. What cannot run inside a target is refused with a sentence.
int fio_job_read(const char *path, struct fio_job *ret, struct error *err);
// The same from text (copied).
int fio_job_parse(const char *text, struct fio_job *ret, struct error *err);
void fio_job_fini(struct fio_job *job);

// The job for one slice: files in directory, runtime = slice - settle, ramp_time = settle.
// create_only: only lays the files out. Malloced text, or NULL.
char *fio_job_rewrite(const struct fio_job *job, const char *directory, int64_t settle_ns, int64_t slice_ns, bool create_only);

#endif
