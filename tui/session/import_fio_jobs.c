// SPDX-License-Identifier: MIT
// From fio's jobs to figures. One rule: rates of jobs that ran together are added; quantiles only where the
// histograms are there to be merged; else they are unknown.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/import_fio.h"
#include "session/json_util.h"
#include "session/text_safe.h"

static const char *const directions[] = { "read", "write", "trim" };

void
fio_counters_read(const json_t *job, struct fio_counters *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (int d = 0; d < 3; d++) {
		const json_t *stats = json_object_get(job, directions[d]);
		ret->ops[d] = json_get_number(stats, "total_ios", 0);
		ret->bytes[d] = json_get_number(stats, "io_bytes", 0);
		ret->runtime_ms = fmax(ret->runtime_ms, json_get_number(stats, "runtime", 0));
		double clat = json_get_number(json_object_get(stats, "clat_ns"), "N", 0);
		ret->latencies += clat > 0 ? clat : json_get_number(json_object_get(stats, "lat_ns"), "N", 0);
	}
}

const json_t *
fio_jobs(const json_t *object)
{
	const json_t *jobs = json_object_get(object, "jobs");
	if (!json_is_array(jobs))
		jobs = json_object_get(object, "client_stats");
	return json_is_array(jobs) ? jobs : NULL;
}

static const char *
text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static int
same_group(const json_t *a, const json_t *b)
{
	int total_a = strcmp(text_of(a, "jobname"), "All clients") == 0;
	int total_b = strcmp(text_of(b, "jobname"), "All clients") == 0;
	return total_a == total_b && strcmp(text_of(a, "hostname"), text_of(b, "hostname")) == 0 &&
	       json_get_integer(a, "port", 0) == json_get_integer(b, "port", 0) &&
	       json_get_integer(a, "groupid", 0) == json_get_integer(b, "groupid", 0);
}

int
fio_groups(const json_t *jobs, int *group)
{
	size_t n = json_array_size(jobs), leader[FIO_JOBS_MAX];
	int n_groups = 0;
	if (n > FIO_JOBS_MAX)
		return -E2BIG;
	for (size_t i = 0; i < n; i++) {
		int g = 0;
		while (g < n_groups && !same_group(json_array_get(jobs, leader[g]), json_array_get(jobs, i)))
			g++;
		if (g == n_groups)
			leader[n_groups++] = i;
		group[i] = g;
	}
	return (int)n;
}

static double
add_known(double sum, double value)
{
	return isnan(sum) ? value : isnan(value) ? sum : sum + value;
}

// A direction's rate in bytes per second: fio's own figure, or KiB/s where an old one has no more.
static double
rate_of(const json_t *stats)
{
	double bytes = json_get_number(stats, "bw_bytes", NAN);
	return isfinite(bytes) ? bytes : json_get_number(stats, "bw", NAN) * 1024;
}

static const json_t *
latency_of(const json_t *stats, const char *part)
{
	const json_t *clat = json_object_get(json_object_get(stats, "clat_ns"), part);
	return json_is_object(clat) ? clat : json_object_get(json_object_get(stats, "lat_ns"), part);
}

// Adds a json+ histogram; 0 where there is none.
static int
add_bins(const json_t *stats, struct hist *h)
{
	const json_t *bins = latency_of(stats, "bins");
	const char *key;
	json_t *value;
	if (json_object_size(bins) == 0)
		return 0;
	json_object_foreach((json_t *)bins, key, value) {
		char *end;
		unsigned long long ns = strtoull(key, &end, 10);
		int64_t count = json_integer_value(value);
		if (*end || count <= 0 || count > INT64_MAX / 8192)
			continue;
		h->bucket[hist_index(ns)] += (uint64_t)count;
		h->count += (uint64_t)count;
		h->min_ns = ns < h->min_ns ? ns : h->min_ns;
		h->max_ns = ns > h->max_ns ? ns : h->max_ns;
	}
	return 1;
}

// A percentile by fio's own key, whatever its number of digits.
static double
percentile(const json_t *stats, double percent)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)latency_of(stats, "percentile"), key, value) {
		if (fabs(strtod(key, NULL) - percent) < 1e-6 && json_is_number(value))
			return json_number_value(value);
	}
	return NAN;
}

// Quantiles of one population: fio's own of a single job, else of merged histograms.
struct population {
	int n_jobs, n_bins;
	double own[3];
	struct hist hist;
};

static const double quantiles[3] = { .5, .99, .999 };

static void
population_add(struct population *p, const json_t *stats)
{
	if (json_get_number(stats, "total_ios", 0) <= 0)
		return;
	p->n_jobs++;
	p->n_bins += add_bins(stats, &p->hist);
	for (int i = 0; i < 3; i++)
		p->own[i] = percentile(stats, quantiles[i] * 100);
}

static void
population_put(const struct population *p, double *totals, int first_metric)
{
	for (int i = 0; i < 3; i++) {
		if (p->n_jobs == 1 && isfinite(p->own[i]))
			totals[first_metric + i] = p->own[i];
		else if (p->n_jobs > 0 && p->n_bins == p->n_jobs)
			totals[first_metric + i] = hist_quantile_ns(&p->hist, quantiles[i]);
	}
}

struct group {
	struct population pop[4]; // reads, writes, syncs, reads and writes together
	double iops, rate[3], user, sys;
	int n_jobs, n_failed, cpu_known;
	int64_t error;
};

// How many jobs one entry stands for: fio averages their CPU figures when it reports by group, and says neither that it
// does nor, for all clients together, how many there are. numjobs copies that left one entry are a group. NAN: unknown.
static double
jobs_behind(const json_t *object, const json_t *job)
{
	size_t i;
	json_t *other;
	int same = 0;
	if (strcmp(text_of(job, "jobname"), "All clients") == 0)
		return NAN;
	json_array_foreach(fio_jobs(object), i, other) {
		same += same_group(job, other) && strcmp(text_of(job, "jobname"), text_of(other, "jobname")) == 0;
	}
	const char *text = text_of(json_object_get(job, "job options"), "numjobs");
	double n = strtod(*text ? text : text_of(json_object_get(object, "global options"), "numjobs"), NULL);
	return same == 1 && n >= 1 && n < 1e6 ? n : 1;
}

static void
group_add(struct group *g, const json_t *object, const json_t *job)
{
	struct fio_counters counters;
	fio_counters_read(job, &counters);
	g->n_jobs++;
	if (json_get_integer(job, "error", 0) != 0) {
		g->n_failed++;
		g->error = json_get_integer(job, "error", 0);
	}
	for (int d = 0; d < 3; d++) {
		const json_t *stats = json_object_get(job, directions[d]);
		if (counters.ops[d] <= 0)
			continue;
		g->iops = add_known(g->iops, json_get_number(stats, "iops", NAN));
		g->rate[d] = add_known(g->rate[d], rate_of(stats));
		if (d < 2) {
			population_add(&g->pop[d], stats);
			population_add(&g->pop[3], stats);
		}
	}
	population_add(&g->pop[2], json_object_get(job, "sync"));
	double n = jobs_behind(object, job);
	g->user = add_known(g->user, json_get_number(job, "usr_cpu", NAN) / 100 * n);
	g->sys = add_known(g->sys, json_get_number(job, "sys_cpu", NAN) / 100 * n);
}

static void
group_put(const struct group *g, struct result *r)
{
	double *totals = r->side[SIDE_A].totals;
	totals[METRIC_IOPS] = g->iops;
	totals[METRIC_READ_BYTES] = g->rate[0];
	totals[METRIC_WRITE_BYTES] = g->rate[1];
	population_put(&g->pop[3], totals, METRIC_LAT_P50);
	population_put(&g->pop[0], totals, METRIC_READ_LAT_P50);
	population_put(&g->pop[1], totals, METRIC_WRITE_LAT_P50);
	population_put(&g->pop[2], totals, METRIC_SYNC_LAT_P50);
	totals[METRIC_CPU_USER] = g->user;
	totals[METRIC_CPU_SYS] = g->sys;
	if (g->iops > 0)
		totals[METRIC_CPU_NS_PER_IO] = (g->user + g->sys) * 1e9 / g->iops;
}

static void
take_options(struct result *r, const json_t *options)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)options, key, value) {
		if (json_is_string(value))
			import_param(r->params, sizeof(r->params), key, json_string_value(value));
	}
}

// Sequential jobs are judged by bytes per second, all others by IOPS.
static enum metric
primary_of(const json_t *object, const json_t *job, const struct group *g)
{
	const char *rw = text_of(json_object_get(job, "job options"), "rw");
	if (!*rw)
		rw = text_of(json_object_get(object, "global options"), "rw");
	if (!*rw || strncmp(rw, "rand", 4) == 0 || (isfinite(g->rate[0]) && isfinite(g->rate[1])))
		return METRIC_IOPS;
	return isfinite(g->rate[1]) ? METRIC_WRITE_BYTES : isfinite(g->rate[0]) ? METRIC_READ_BYTES : METRIC_IOPS;
}

static void
describe(struct import_item *item, const json_t *object, const json_t *job, const struct group *g)
{
	struct result *r = item->result;
	char version[64], name[128];
	json_get_text(object, "fio version", version, sizeof(version));
	text_safe_copy(name, sizeof(name), text_of(job, "jobname"));
	if (g->n_jobs > 1)
		snprintf(item->name, sizeof(item->name), "%.90s and %d more", name, g->n_jobs - 1);
	else if (text_of(job, "hostname")[0] && strcmp(name, "All clients") != 0)
		snprintf(item->name, sizeof(item->name), "%.60s on %.60s", name, text_of(job, "hostname"));
	else
		snprintf(item->name, sizeof(item->name), "%s", name);
	text_safe_copy(r->origin, sizeof(r->origin), version[0] ? version : "fio");
	if (strncmp(r->origin, "fio-", 4) == 0)
		r->origin[3] = ' ';
	snprintf(r->workload, sizeof(r->workload), "fio");
	text_safe_copy(r->side[SIDE_A].label, sizeof(r->side[SIDE_A].label), item->name);
	double ms = json_get_number(object, "timestamp_ms", NAN);
	import_date(isfinite(ms) ? ms / 1000 : json_get_number(object, "timestamp", NAN), r->created, sizeof(r->created));
	take_options(r, json_object_get(object, "global options"));
	take_options(r, json_object_get(job, "job options"));
	r->primary = primary_of(object, job, g);
}

static void
judge(struct import_item *item, const struct group *g)
{
	struct result *r = item->result;
	if (g->n_failed > 0) {
		item->failed = 1;
		result_warn(r, "fio-failed", LEVEL_RED, WARN_A, "%d of %d job%s failed (error %lld: %s): this is no result",
			    g->n_failed, g->n_jobs, g->n_jobs == 1 ? "" : "s", (long long)g->error,
			    g->error > 0 && g->error < 200 ? strerror((int)g->error) : "unknown");
	} else if (!(g->iops > 0)) {
		item->failed = 1;
		result_warn(r, "nothing-measured", LEVEL_RED, WARN_A, "this job did no I/O: there is nothing to compare");
	} else {
		group_put(g, r);
		if (isfinite(g->user))
			result_warn(r, "fio-cpu", LEVEL_INFO, WARN_A,
				    "fio counts the CPU time of its own threads; kernel threads (polling, writeback) are not in it");
	}
	import_take_totals(r);
}

static int
take_group(struct import *ret, const json_t *object, const int *group, int n, int number)
{
	const json_t *jobs = fio_jobs(object), *first = NULL;
	struct import_item *item = import_add(ret);
	struct group *g = item ? calloc(1, sizeof(*g)) : NULL;
	if (!g)
		return -ENOMEM;
	g->iops = g->user = g->sys = g->rate[0] = g->rate[1] = g->rate[2] = NAN;
	for (int i = 0; i < 4; i++)
		hist_init(&g->pop[i].hist);
	for (int i = 0; i < n; i++) {
		if (group[i] != number)
			continue;
		if (!first)
			first = json_array_get(jobs, (size_t)i);
		group_add(g, object, json_array_get(jobs, (size_t)i));
	}
	describe(item, object, first, g);
	judge(item, g);
	free(g);
	return 0;
}

int
fio_take_jobs(struct import *ret, const json_t *object, struct error *err)
{
	int group[FIO_JOBS_MAX], last = -1;
	int n = fio_groups(fio_jobs(object), group);
	if (n == 0)
		return error_set(err, -EINVAL, "this fio output has no jobs");
	if (n < 0)
		return error_set(err, n, "more than %d jobs in one fio output", FIO_JOBS_MAX);
	for (int i = 0; i < n; i++)
		if (group[i] > last && take_group(ret, object, group, n, ++last))
			return error_set(err, -ENOMEM, "out of memory");
	return 0;
}
