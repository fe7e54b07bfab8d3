// SPDX-License-Identifier: MIT
// Limits of the control groups, version 2 and version 1. One rule: the tightest
// limit on the way from this process's own group up to the root counts.

#include "signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct group {
	const struct sysroot *root;
	const struct stack *stack;
	struct trap_limits *limits;
};

static void
tighten(double *limit, double value)
{
	if (value > 0 && (isnan(*limit) || value < *limit))
		*limit = value;
}

static bool
is_on(const struct stack *stack, unsigned major, unsigned minor)
{
	for (int i = 0; i < stack->n_layers; i++)
		if (stack->layer[i].has_dev && stack->layer[i].major == major && stack->layer[i].minor == minor)
			return true;
	return false;
}

// A number or "max"; NAN for no limit. Version 1 writes no limit as a number close to 2^63.
static double
limit_of(const char *text)
{
	char *end;
	double value = strtod(text, &end);
	return end == text || value < 0 || value > 9e18 ? NAN : value;
}

// One line of io.max: "8:0 rbps=max wbps=209715200 riops=max wiops=max".
static void
read_io_max(const struct group *g, char *line)
{
	static const char *const names[] = {"rbps=", "wbps=", "riops=", "wiops="};
	double *limits[] = {&g->limits->read_bytes_per_s, &g->limits->write_bytes_per_s, &g->limits->read_iops,
			    &g->limits->write_iops};
	unsigned major, minor;
	if (sscanf(line, "%u:%u", &major, &minor) != 2 || !is_on(g->stack, major, minor))
		return;
	for (int i = 0; i < 4; i++) {
		const char *at = strstr(line, names[i]);
		if (at)
			tighten(limits[i], limit_of(at + strlen(names[i])));
	}
}

static void
each_line(const struct group *g, const char *dir, const char *file, void (*take)(const struct group *, char *))
{
	char text[8192], *rest = text, *line;
	if (sysroot_read(g->root, text, sizeof(text), "%s/%s", dir, file) <= 0)
		return;
	while ((line = strsep(&rest, "\n")))
		take(g, line);
}

static void
read_stat(const struct group *g, char *line)
{
	long long n;
	if (sscanf(line, "nr_throttled %lld", &n) == 1)
		g->limits->nr_throttled = (g->limits->nr_throttled < 0 ? 0 : g->limits->nr_throttled) + n;
}

static double
read_limit(const struct group *g, const char *dir, const char *file)
{
	char text[64];
	return sysroot_read(g->root, text, sizeof(text), "%s/%s", dir, file) > 0 ? limit_of(text) : NAN;
}

static void
read_v2(const struct group *g, const char *dir)
{
	char text[64];
	double quota, period;
	each_line(g, dir, "io.max", read_io_max);
	each_line(g, dir, "cpu.stat", read_stat);
	tighten(&g->limits->memory_bytes, read_limit(g, dir, "memory.max"));
	tighten(&g->limits->memory_bytes, read_limit(g, dir, "memory.high"));
	if (sysroot_read(g->root, text, sizeof(text), "%s/cpu.max", dir) > 0 &&
	    sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0)
		tighten(&g->limits->cpus, quota / period);
}

// Lines "8:0 1048576" of blkio.throttle.*.
static void
read_throttle(const struct group *g, const char *dir, const char *file, double *limit)
{
	char text[8192], *rest = text, *line;
	unsigned major, minor;
	double value;
	if (sysroot_read(g->root, text, sizeof(text), "%s/blkio.throttle.%s", dir, file) <= 0)
		return;
	while ((line = strsep(&rest, "\n")))
		if (sscanf(line, "%u:%u %lf", &major, &minor, &value) == 3 && is_on(g->stack, major, minor))
			tighten(limit, value);
}

static void
read_v1_blkio(const struct group *g, const char *dir)
{
	read_throttle(g, dir, "read_bps_device", &g->limits->read_bytes_per_s);
	read_throttle(g, dir, "write_bps_device", &g->limits->write_bytes_per_s);
	read_throttle(g, dir, "read_iops_device", &g->limits->read_iops);
	read_throttle(g, dir, "write_iops_device", &g->limits->write_iops);
}

static void
read_v1_cpu(const struct group *g, const char *dir)
{
	double quota = read_limit(g, dir, "cpu.cfs_quota_us"), period = read_limit(g, dir, "cpu.cfs_period_us");
	if (quota > 0 && period > 0)
		tighten(&g->limits->cpus, quota / period);
	each_line(g, dir, "cpu.stat", read_stat);
}

static void
read_v1_memory(const struct group *g, const char *dir)
{
	tighten(&g->limits->memory_bytes, read_limit(g, dir, "memory.limit_in_bytes"));
}

// Calls read for the group and all above it.
static void
climb(const struct group *g, const char *mount, const char *group, void (*read)(const struct group *, const char *))
{
	char path[SYSPATH_MAX];
	snprintf(path, sizeof(path), "%s%s", mount, strcmp(group, "/") == 0 ? "" : group);
	size_t base = strlen(mount);
	for (;;) {
		read(g, path);
		char *slash = strrchr(path, '/');
		if (strlen(path) <= base || !slash)
			return;
		*slash = '\0';
	}
}

static bool
has_controller(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = list; *at; at += *at == ',') {
		size_t length = strcspn(at, ",");
		if (length == n && strncmp(at, name, n) == 0)
			return true;
		at += length;
	}
	return false;
}

// One line of /proc/self/cgroup: "4:memory:/user.slice" or "0::/user.slice".
static void
read_group(const struct group *g, char *line)
{
	static const struct {
		const char *controller;
		void (*read)(const struct group *, const char *);
	} table[] = {{"blkio", read_v1_blkio}, {"cpu", read_v1_cpu}, {"memory", read_v1_memory}};
	char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
	if (!group || group[1] != '/' || strstr(group, "/../"))
		return;
	*group++ = '\0';
	list++;
	g->limits->known = 1;
	if (*list == '\0') {
		bool is_hybrid = sysroot_exists(g->root, "sys/fs/cgroup/unified");
		climb(g, is_hybrid ? "sys/fs/cgroup/unified" : "sys/fs/cgroup", group, read_v2);
		return;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char mount[128];
		if (!has_controller(list, table[i].controller))
			continue;
		snprintf(mount, sizeof(mount), "sys/fs/cgroup/%s", table[i].controller);
		climb(g, mount, group, table[i].read);
	}
}

void
signals_read_limits(const struct sysroot *root, const struct stack *stack, struct trap_limits *ret)
{
	struct group g = {root, stack, ret};
	*ret = (struct trap_limits){
		.read_bytes_per_s = NAN, .write_bytes_per_s = NAN, .read_iops = NAN, .write_iops = NAN,
		.cpus = NAN, .memory_bytes = NAN, .nr_throttled = TRAP_UNKNOWN,
	};
	each_line(&g, "proc/self", "cgroup", read_group);
}
