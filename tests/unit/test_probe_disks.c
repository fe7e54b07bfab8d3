// SPDX-License-Identifier: MIT
// /proc/diskstats of every kernel there was, and what must not be believed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_roots.h"

#include <math.h>
#include <string.h>

static void
idle_disks_are_found_by_number(void **state)
{
	struct sample s;
	(void)state;
	roots_sample("idle", "t0", &s);
	assert_int_equal(s.n_disks, 3);
	const struct disk_sample *disk = sample_find_disk(&s, 259, 0);
	assert_non_null(disk);
	assert_string_equal(disk->name, "nvme0n1");
	assert_int_equal(disk->valid, DISK_RW | DISK_INFLIGHT | DISK_DISCARD | DISK_FLUSH);
	assert_int_equal(disk->read_ios, 51234);
	assert_int_equal(disk->write_sectors, 1638400);
	assert_int_equal(disk->flush_ios, 640);
	assert_int_equal(disk->flush_ticks_ms, 254);
	assert_null(sample_find_disk(&s, 8, 0));
	assert_true(s.t_ns > 0);
	assert_true(s.boot_ns > 0);
	sample_fini(&s);
}

static void
an_idle_disk_rates_zero_and_has_no_latency(void **state)
{
	struct sample a, b;
	struct disk_rate rate;
	(void)state;
	roots_sample("idle", "t0", &a);
	roots_sample("idle", "t1", &b);
	rate_disk(sample_find_disk(&a, 259, 0), sample_find_disk(&b, 259, 0), 2, &rate);
	assert_true(rate.read_iops == 0 && rate.write_bytes_per_s == 0 && rate.busy == 0 && rate.queue == 0);
	assert_true(isnan(rate.read_latency_ns) && isnan(rate.write_latency_ns) && isnan(rate.flush_latency_ns));
	sample_fini(&a);
	sample_fini(&b);
}

static void
a_busy_disk_divides_by_the_measured_time(void **state)
{
	struct sample a, b;
	struct disk_rate rate;
	(void)state;
	roots_sample("busy-nvme", "t0", &a);
	roots_sample("busy-nvme", "t1", &b);
	rate_disk(sample_find_disk(&a, 259, 0), sample_find_disk(&b, 259, 0), 1.25, &rate);
	assert_near(rate.elapsed_s, 1.25, 1e-9);
	assert_near(rate.read_iops, 347000 / 1.25, 1e-1);
	assert_near(rate.read_bytes_per_s, 2776000.0 * 512 / 1.25, 1e2);
	assert_near(rate.write_iops, 800, 1e-3);
	assert_near(rate.read_latency_ns, 31925.0 * 1e6 / 347000, 1e-1);
	assert_near(rate.write_latency_ns, 40000, 1e-2);
	assert_near(rate.queue, 31980 / 1250.0, 1e-5);
	assert_near(rate.busy, 0.8, 1e-6);
	assert_true(rate.inflight == 32);
	assert_near(rate.discard_bytes_per_s, 20480 * 512 / 1.25, 1);
	assert_near(rate.flush_iops, 16, 1e-6);
	assert_near(rate.flush_latency_ns, 1e6, 1e-1);
	sample_fini(&a);
	sample_fini(&b);
}

static void
a_device_that_comes_back_is_a_gap(void **state)
{
	struct sample s[4];
	struct disk_rate rate;
	static const char *const instants[] = {"t0", "t1", "t2", "t3"};
	(void)state;
	for (int i = 0; i < 4; i++)
		roots_sample("gone", instants[i], &s[i]);
	assert_non_null(sample_find_disk(&s[0], 8, 16));
	assert_null(sample_find_disk(&s[1], 8, 16));
	rate_disk(sample_find_disk(&s[0], 8, 16), sample_find_disk(&s[2], 8, 16), 1, &rate);
	assert_true(isnan(rate.read_iops) && isnan(rate.read_bytes_per_s) && isnan(rate.busy) && isnan(rate.queue));
	assert_true(isnan(rate.write_iops) && isnan(rate.write_bytes_per_s));
	assert_true(rate.inflight == 0);
	rate_disk(sample_find_disk(&s[2], 8, 16), sample_find_disk(&s[3], 8, 16), 1, &rate);
	assert_true(rate.read_iops == 100);
	for (int i = 0; i < 4; i++)
		sample_fini(&s[i]);
}

static void
counters_that_go_down_are_unknown(void **state)
{
	struct sample a, b;
	struct disk_rate rate;
	(void)state;
	roots_sample("counters", "t0", &a);
	roots_sample("counters", "t1", &b);
	// times wrap at 32 bits: the work is known, the latency is not
	rate_disk(sample_find_disk(&a, 8, 0), sample_find_disk(&b, 8, 0), 1, &rate);
	assert_true(rate.read_iops == 100 && rate.write_iops == 10);
	assert_true(isnan(rate.read_latency_ns) && isnan(rate.queue) && isnan(rate.busy));
	assert_true(rate.write_latency_ns == 1e6);
	// work that went down: nothing is known
	rate_disk(sample_find_disk(&a, 8, 16), sample_find_disk(&b, 8, 16), 1, &rate);
	assert_true(isnan(rate.read_iops) && isnan(rate.write_iops) && isnan(rate.read_bytes_per_s));
	// a number in flight below zero says that the kernel counts it wrongly
	const struct disk_sample *sdc = sample_find_disk(&b, 8, 32);
	assert_int_equal(sdc->valid, DISK_RW);
	rate_disk(sample_find_disk(&a, 8, 32), sdc, 1, &rate);
	assert_true(rate.read_iops == 10 && isnan(rate.inflight) && isnan(rate.queue) && isnan(rate.busy));
	// the same name under another number is another device
	rate_disk(sample_find_disk_named(&a, "sdd"), sample_find_disk_named(&b, "sdd"), 1, &rate);
	assert_true(isnan(rate.read_iops));
	sample_fini(&a);
	sample_fini(&b);
}

static void
no_time_no_rate(void **state)
{
	struct sample a;
	struct disk_rate rate;
	(void)state;
	roots_sample("busy-nvme", "t1", &a);
	static const double times[] = {0, -1, NAN};
	for (int i = 0; i < 3; i++) {
		rate_disk(&a.disks[0], &a.disks[0], times[i], &rate);
		assert_true(isnan(rate.elapsed_s) && isnan(rate.read_iops) && isnan(rate.busy));
	}
	sample_fini(&a);
}

static void
old_kernels_count_less(void **state)
{
	struct sample a, b;
	struct disk_rate rate;
	(void)state;
	roots_sample("old-kernel", "t0", &a);
	roots_sample("old-kernel", "t1", &b);
	assert_int_equal(a.n_disks, 3);
	assert_int_equal(a.disks[0].valid, DISK_RW | DISK_INFLIGHT);
	assert_int_equal(a.disks[2].valid, DISK_BYTES_ONLY);
	rate_disk(&a.disks[0], &b.disks[0], 1, &rate);
	assert_true(rate.read_iops == 100 && rate.read_latency_ns == 5e6 && rate.write_latency_ns == 5e6);
	assert_true(rate.busy == 0.4 && rate.queue == 0.75);
	assert_true(isnan(rate.discard_iops) && isnan(rate.flush_iops) && isnan(rate.discard_bytes_per_s));
	rate_disk(&a.disks[2], &b.disks[2], 1, &rate);
	assert_true(rate.read_bytes_per_s == 0 && isnan(rate.read_iops) && isnan(rate.read_latency_ns));
	sample_fini(&a);
	sample_fini(&b);
	roots_sample("kernel-4.18", "t0", &a);
	roots_sample("kernel-4.18", "t1", &b);
	assert_int_equal(a.disks[0].valid, DISK_RW | DISK_INFLIGHT | DISK_DISCARD);
	rate_disk(&a.disks[0], &b.disks[0], 1, &rate);
	assert_true(rate.discard_iops == 2 && rate.discard_bytes_per_s == 16000.0 * 512 && isnan(rate.flush_iops));
	sample_fini(&a);
	sample_fini(&b);
}

static void
garbage_is_not_a_disk(void **state)
{
	struct sample s;
	(void)state;
	roots_sample("garbage", "t0", &s);
	assert_int_equal(s.n_disks, 1);
	assert_string_equal(s.disks[0].name, "sdg");
	assert_int_equal(s.disks[0].queue_ticks_ms, 11);
	sample_fini(&s);
}

static void
a_tick_after_the_first_allocates_nothing(void **state)
{
	struct sample s;
	(void)state;
	struct sysroot *root = roots_open("busy-nvme", "t0");
	struct probes *probes = probes_new(root, NULL);
	sample_init(&s);
	probes_read(probes, &s);
	const struct disk_sample *disks = s.disks;
	size_t cap = s.cap_disks;
	for (int i = 0; i < 100; i++) {
		probes_read(probes, &s);
		assert_ptr_equal(s.disks, disks);
		assert_int_equal(s.cap_disks, cap);
		assert_int_equal(s.n_disks, 1);
	}
	sample_fini(&s);
	probes_free(probes);
	sysroot_free(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle_disks_are_found_by_number),
		cmocka_unit_test(an_idle_disk_rates_zero_and_has_no_latency),
		cmocka_unit_test(a_busy_disk_divides_by_the_measured_time),
		cmocka_unit_test(a_device_that_comes_back_is_a_gap),
		cmocka_unit_test(counters_that_go_down_are_unknown),
		cmocka_unit_test(no_time_no_rate),
		cmocka_unit_test(old_kernels_count_less),
		cmocka_unit_test(garbage_is_not_a_disk),
		cmocka_unit_test(a_tick_after_the_first_allocates_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
