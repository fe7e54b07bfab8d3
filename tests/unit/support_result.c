// SPDX-License-Identifier: MIT
#include "support_result.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/result_json.h"

static void
fill_side(struct result_side *side, const char *path, unsigned minor)
{
	side->present = 1;
	snprintf(side->path, sizeof(side->path), "%s", path);
	struct stack *stack = &side->stack;
	snprintf(stack->path, sizeof(stack->path), "%s", path);
	snprintf(stack->real_path, sizeof(stack->real_path), "%s", path);
	snprintf(stack->fs_type, sizeof(stack->fs_type), "xfs");
	snprintf(stack->mount_options, sizeof(stack->mount_options), "rw,noatime");
	stack->n_layers = 3;
	stack->layer[0] = (struct layer){ .kind = LAYER_PATH, .parent = -1, .rotational = -1, .write_cache = -1 };
	stack->layer[1] = (struct layer){ .kind = LAYER_FS, .parent = 0, .rotational = -1, .write_cache = -1 };
	stack->layer[2] = (struct layer){ .kind = LAYER_DISK, .parent = 1, .has_dev = true, .major = 259, .minor = minor,
					  .leaf = true, .physical = true, .size_bytes = UINT64_C(1000204886016),
					  .rotational = 0, .write_cache = 1 };
	snprintf(stack->layer[0].name, LAYER_NAME_MAX, "%s", path);
	snprintf(stack->layer[1].name, LAYER_NAME_MAX, "xfs");
	snprintf(stack->layer[2].name, LAYER_NAME_MAX, "nvme%un1", minor);
	snprintf(stack->layer[2].model, sizeof(stack->layer[2].model), "WD SN850X 1 TB");
}

static void
fill_slice(struct slice *s, double iops, int64_t start_ns)
{
	memset(s, 0, sizeof(*s));
	for (int i = 0; i < METRIC_N; i++)
		s->metric[i] = NAN;
	s->metric[METRIC_IOPS] = iops;
	s->metric[METRIC_READ_BYTES] = iops * 4096;
	s->metric[METRIC_LAT_P50] = 8e9 / iops;
	s->metric[METRIC_LAT_P99] = 16e9 / iops;
	s->metric[METRIC_CPU_USER] = 0.1 + iops / 1e5;
	s->metric[METRIC_CPU_SYS] = 0.3 + iops / 7e4;
	s->ops = s->read_ops = iops * 3;
	s->bytes = iops * 3 * 4096;
	s->write_ops = s->sync_ops = 0;
	s->start_ns = start_ns;
	s->counted_ns = 3000000000;
	s->n_seconds = 3;
	for (int i = 0; i < 3; i++)
		s->second[i] = (float)(iops * (1 + 0.01 * (i - 1)));
}

struct result *
support_result(int pairs)
{
	static const double noise[] = { 0.3, -0.2, 0.5, -0.4, 0.1, -0.3, 0.2, -0.1, 0.4, -0.5, 0.05, -0.05 };
	struct result *r = malloc(sizeof(*r));
	assert_non_null(r);
	result_init(r);
	snprintf(r->created, sizeof(r->created), "2026-11-30T20:00:00Z");
	snprintf(r->origin, sizeof(r->origin), "ioduel");
	snprintf(r->host.name, sizeof(r->host.name), "box");
	snprintf(r->host.kernel, sizeof(r->host.kernel), "6.18.44");
	r->host.cpus = 2;
	r->host.memory_bytes = 25e9;
	snprintf(r->workload, sizeof(r->workload), "randread");
	snprintf(r->params, sizeof(r->params), "bs=4096\nqd=32\ndirect=1");
	snprintf(r->plan.name, sizeof(r->plan.name), "interleave");
	r->plan.slice_s = 5;
	r->plan.settle_s = 2;
	r->plan.pairs_planned = 12;
	r->plan.seed = UINT64_C(18446744073709551557);
	fill_side(&r->side[SIDE_A], "/mnt/a", 0);
	fill_side(&r->side[SIDE_B], "/mnt/b", 1);
	snprintf(r->side[SIDE_B].params, sizeof(r->side[SIDE_B].params), "qd=8");
	for (int i = 0; i < pairs; i++) {
		struct pair pair = { .first = (i + 1) / 2 % 2 ? SIDE_B : SIDE_A, .done = { 1, 1 }, .counted = 1 };
		int64_t at = INT64_C(1000000000000) + i * INT64_C(10000000000);
		fill_slice(&pair.slice[SIDE_A], 10000 * (1 + noise[i % 12] / 100), at);
		fill_slice(&pair.slice[SIDE_B], 12000 * (1 + noise[(i * 5 + 3) % 12] / 100), at + INT64_C(5000000000));
		assert_int_equal(result_add_pair(r, &pair), 0);
	}
	result_warn(r, "shared-port", LEVEL_INFO, WARN_BOTH, "A and B share a PCIe port");
	result_conclude(r, pairs < 12);
	return r;
}

char *
support_read(const char *name, size_t *ret_length)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", IODUEL_SOURCE_DIR, name);
	FILE *file = fopen(name[0] == '/' ? name : path, "rb");
	if (!file)
		fail_msg("cannot open %s", path);
	char *text = malloc(1 << 22);
	size_t n = fread(text, 1, (1 << 22) - 1, file);
	text[n] = '\0';
	fclose(file);
	if (ret_length)
		*ret_length = n;
	return text;
}

void
support_import(const char *name, struct import *ret)
{
	char path[4096];
	struct error err = { 0 };
	snprintf(path, sizeof(path), "%s/tests/data/foreign/%s", IODUEL_SOURCE_DIR, name);
	if (import_file(path, ret, &err))
		fail_msg("%s", err.text);
}

void
support_dir_make(char *dir, size_t size)
{
	const char *base = getenv("TMPDIR");
	snprintf(dir, size, "%s/ioduel-test-XXXXXX", base ? base : "/tmp");
	assert_non_null(mkdtemp(dir));
}

void
support_dir_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	while (d && (entry = readdir(d)))
		if (entry->d_name[0] != '.')
			assert_int_equal(unlinkat(dirfd(d), entry->d_name, 0), 0);
	if (d)
		closedir(d);
	rmdir(dir);
}

void
support_close(double value, double expected, double epsilon)
{
	if (!(fabs(value - expected) <= epsilon))
		fail_msg("%.17g is not %.17g", value, expected);
}

char *
support_print(void (*print)(const struct result *, FILE *), const struct result *r)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	print(r, out);
	fclose(out);
	return text;
}

char *
support_json(const struct result *r)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(result_write_json(r, out), 0);
	fclose(out);
	return text;
}
