// SPDX-License-Identifier: MIT
// What one sampling tick costs: 50 and 2,000 devices in recorded roots made
// here, and the running machine. It asserts what was read, and prints the time.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <ioduel/clock.h>
#include <ioduel/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TICKS 200

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static FILE *
create(const char *dir, const char *name)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	return file;
}

static void
make_directory(const char *dir, const char *name)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

// A machine of n devices with the counters of a long life.
static void
make_root(const char *dir, int n)
{
	make_directory(dir, "proc");
	make_directory(dir, "proc/pressure");
	FILE *file = create(dir, "proc/diskstats");
	for (int i = 0; i < n; i++)
		fprintf(file, "%4d %7d nvme%dn1 %d 120 4098723220 81239991 20480123 3310 1638400123 9120333 32 12000123 "
			      "17500777 10123 0 81920456 3555 640777 254123\n",
			259, i, i, 1000000 + i);
	fclose(file);
	file = create(dir, "proc/stat");
	fprintf(file, "cpu  123456 789 45678 9012345 678 90 1234 56 0 0\n");
	for (int i = 0; i < 64; i++)
		fprintf(file, "cpu%d 1234 78 4567 901234 67 9 123 5 0 0\n", i);
	fprintf(file, "intr 1\nctxt 1\n");
	fclose(file);
	file = create(dir, "proc/meminfo");
	fprintf(file, "MemTotal: 16316412 kB\nMemFree: 9400000 kB\nDirty: 128 kB\n");
	fclose(file);
	static const char *const kinds[] = {"proc/pressure/cpu", "proc/pressure/memory", "proc/pressure/io"};
	for (int i = 0; i < 3; i++) {
		file = create(dir, kinds[i]);
		fprintf(file, "some avg10=0.12 avg60=0.10 avg300=0.05 total=5000\n");
		fclose(file);
	}
}

static void
remove_root(const char *dir)
{
	static const char *const names[] = {"proc/diskstats", "proc/stat", "proc/meminfo", "proc/pressure/cpu",
					    "proc/pressure/memory", "proc/pressure/io", "proc/pressure", "proc", ""};
	char path[512];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		if (unlink(path) < 0)
			rmdir(path);
	}
}

// Median of many ticks, first one left out.
static double
median_us(struct probes *probes, struct sample *s)
{
	static int64_t took[TICKS];
	probes_read(probes, s);
	for (int i = 0; i < TICKS; i++) {
		int64_t start = clock_now_ns();
		probes_read(probes, s);
		took[i] = clock_now_ns() - start;
	}
	qsort(took, TICKS, sizeof(took[0]), compare);
	return (double)took[TICKS / 2] / 1000.0;
}

static void
measure(const char *dir, const char *what, int expected, double limit_us)
{
	struct sample s;
	struct error err = {0};
	struct sysroot *root = sysroot_new(dir, &err);
	struct probes *probes = root ? probes_new(root, &err) : NULL;
	assert_non_null(probes);
	sample_init(&s);
	double us = median_us(probes, &s);
	printf("one tick, %-28s %8.1f us (aim: %.0f us), %zu devices\n", what, us, limit_us, s.n_disks);
	if (expected >= 0) {
		assert_int_equal(s.n_disks, expected);
		const struct disk_sample *last = sample_find_disk(&s, 259, (unsigned)expected - 1);
		assert_non_null(last);
		assert_int_equal(last->read_ios, 1000000 + expected - 1);
		assert_int_equal(last->flush_ticks_ms, 254123);
	}
	sample_fini(&s);
	probes_free(probes);
	sysroot_free(root);
}

static void
measure_recorded(int n, double limit_us)
{
	const char *base = getenv("TMPDIR");
	char dir[256], what[64];
	snprintf(dir, sizeof(dir), "%s/ioduel-bench.XXXXXX", base ? base : "/tmp");
	assert_non_null(mkdtemp(dir));
	make_root(dir, n);
	snprintf(what, sizeof(what), "%d recorded devices", n);
	measure(dir, what, n, limit_us);
	remove_root(dir);
}

static void
fifty_devices(void **state)
{
	(void)state;
	measure_recorded(50, 100);
}

static void
two_thousand_devices(void **state)
{
	(void)state;
	measure_recorded(2000, 1000);
}

static void
this_machine(void **state)
{
	(void)state;
	measure("/", "this machine", -1, 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fifty_devices),
		cmocka_unit_test(two_thousand_devices),
		cmocka_unit_test(this_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
