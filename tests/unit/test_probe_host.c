// SPDX-License-Identifier: MIT
// CPU time, memory, pressure and facts of the host; the portable base.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "probes/probes.h"
#include "support_roots.h"

#include <math.h>
#include <string.h>

static void
cpu_shares_add_up(void **state)
{
	struct sample a, b;
	struct cpu_rate rate;
	(void)state;
	roots_sample("busy-nvme", "t0", &a);
	roots_sample("busy-nvme", "t1", &b);
	assert_int_equal(a.cpu.n_cpus, 2);
	assert_int_equal(a.cpu.ticks_per_s, 100);
	rate_cpu(&a.cpu, &b.cpu, 1, &rate);
	assert_near(rate.share[CPU_USER], 24 / 200.0, 1e-6);
	assert_near(rate.share[CPU_SYS], 82 / 200.0, 1e-6);
	assert_near(rate.share[CPU_IDLE], 88 / 200.0, 1e-6);
	assert_near(rate.share[CPU_IOWAIT], 3 / 200.0, 1e-6);
	assert_near(rate.share[CPU_SOFTIRQ], 2 / 200.0, 1e-6);
	assert_near(rate.share[CPU_STEAL], 1 / 200.0, 1e-6);
	double sum = 0;
	for (int i = 0; i < CPU_FIELDS; i++)
		sum += rate.share[i];
	assert_near(sum, 1, 1e-6);
	sample_fini(&a);
	sample_fini(&b);
}

static void
guests_are_not_counted_twice(void **state)
{
	struct cpu_sample cpu;
	(void)state;
	cpu_parse("cpu  1000 200 30 40 5 6 7 8 900 150\ncpu0 0 0\ncpu1 0 0\nintr 5\ncpu9 no\n", &cpu);
	assert_int_equal(cpu.n_cpus, 2);
	assert_int_equal(cpu.ticks[CPU_USER], 100);
	assert_int_equal(cpu.ticks[CPU_NICE], 50);
	assert_int_equal(cpu.ticks[CPU_GUEST], 900);
	assert_int_equal(cpu.valid, (1u << CPU_FIELDS) - 1);
	cpu_parse("cpu  10 200 30 40 5 6 7 8 900 150\n", &cpu);
	assert_int_equal(cpu.valid & 1u << CPU_USER, 0);
	assert_true(cpu.valid & 1u << CPU_NICE);
}

static void
only_iowait_may_go_back(void **state)
{
	struct sample a, b;
	struct cpu_rate rate;
	(void)state;
	roots_sample("counters", "t0", &a);
	roots_sample("counters", "t1", &b);
	rate_cpu(&a.cpu, &b.cpu, 1, &rate);
	assert_true(isnan(rate.share[CPU_IOWAIT]));
	assert_near(rate.share[CPU_USER], 0.25, 1e-6);
	rate_cpu(&b.cpu, &a.cpu, 1, &rate);
	for (int i = 0; i < CPU_FIELDS; i++)
		assert_true(isnan(rate.share[i]));
	rate_cpu(&a.cpu, &a.cpu, 1, &rate); // no tick passed
	assert_true(isnan(rate.share[CPU_IDLE]));
	rate_cpu(&a.cpu, &b.cpu, 0, &rate);
	assert_true(isnan(rate.share[CPU_USER]) && isnan(rate.elapsed_s));
	sample_fini(&a);
	sample_fini(&b);
}

static void
an_old_kernel_leaves_fields_unknown(void **state)
{
	struct sample a, b;
	struct cpu_rate rate;
	(void)state;
	roots_sample("old-kernel", "t0", &a);
	roots_sample("old-kernel", "t1", &b);
	assert_int_equal(a.cpu.valid, (1u << CPU_STEAL) - 1);
	rate_cpu(&a.cpu, &b.cpu, 1, &rate);
	assert_true(isnan(rate.share[CPU_STEAL]) && isnan(rate.share[CPU_GUEST]));
	assert_true(rate.share[CPU_USER] == 1);
	assert_false(a.memory.valid & (MEM_AVAILABLE | MEM_NR_DIRTIED));
	assert_true(a.memory.valid & MEM_TOTAL);
	for (int i = 0; i < PRESSURE_KINDS; i++)
		assert_int_equal(a.pressure[i].valid, 0);
	assert_int_equal(a.thermal.n, 0);
	assert_false(a.thermal.throttle_valid);
	assert_false(a.thermal.freq_valid);
	sample_fini(&a);
	sample_fini(&b);
}

static void
memory_and_pressure(void **state)
{
	struct sample s;
	(void)state;
	roots_sample("busy-nvme", "t1", &s);
	assert_int_equal(s.memory.valid, MEM_TOTAL | MEM_FREE | MEM_AVAILABLE | MEM_DIRTY | MEM_WRITEBACK |
						 MEM_CACHED | MEM_NR_DIRTIED);
	assert_true(s.memory.total_bytes == UINT64_C(16316412) * 1024);
	assert_true(s.memory.dirty_bytes == UINT64_C(262144) * 1024);
	assert_true(s.memory.writeback_bytes == UINT64_C(4096) * 1024); // not WritebackTmp
	assert_int_equal(s.memory.nr_dirtied_pages, 251000);
	const struct pressure_sample *io = &s.pressure[PRESSURE_IO];
	assert_int_equal(io->valid, PRESSURE_SOME | PRESSURE_FULL);
	assert_int_equal(io->some_us, 1400000);
	assert_int_equal(io->full_us, 1000000);
	assert_true(io->some_avg10 == 31.25 && io->full_avg10 == 20);
	sample_fini(&s);
}

static void
garbage_is_unknown(void **state)
{
	struct sample s;
	(void)state;
	roots_sample("garbage", "t0", &s);
	assert_int_equal(s.cpu.valid, 1u << CPU_USER);
	assert_int_equal(s.memory.valid, MEM_WRITEBACK);
	assert_int_equal(s.pressure[PRESSURE_IO].valid, 0);
	sample_fini(&s);
}

static void
facts_of_a_recorded_host(void **state)
{
	struct host_facts host;
	(void)state;
	struct sysroot *root = roots_open("idle", "t0");
	assert_true(sysroot_is_recorded(root));
	host_read(root, &host);
	assert_string_equal(host.name, "quiet");
	assert_string_equal(host.os, "Linux");
	assert_string_equal(host.kernel, "6.1.0-41-amd64");
	assert_int_equal(host.cpus, 2);
	assert_true(host.memory_bytes == UINT64_C(16316412) * 1024);
	sysroot_free(root);
	root = roots_open("garbage", "t0");
	host_read(root, &host);
	assert_string_equal(host.name, "");
	assert_true(host.memory_bytes == 0 && host.cpus == 1);
	sysroot_free(root);
}

// The portable base alone against our own probes' sample.
static void
compare_base(struct sysroot *root, const struct sample *s)
{
	void *base = NULL;
	struct sample own;
	sample_init(&own);
	assert_int_equal(probe_statgrab.open(root, &base), 0);
	probe_statgrab.read(base, &own);
	assert_true(own.memory.total_bytes == s->memory.total_bytes);
	assert_true(own.cpu.ticks[CPU_IDLE] >= s->cpu.ticks[CPU_IDLE]);
	for (size_t i = 0; i < own.n_disks; i++) {
		assert_int_equal(own.disks[i].valid, DISK_BYTES_ONLY);
		const struct disk_sample *disk = sample_find_disk_named(s, own.disks[i].name);
		if (disk)
			assert_true(own.disks[i].major == disk->major && own.disks[i].minor == disk->minor);
	}
	probe_statgrab.close(base);
	sample_fini(&own);
}

static void
the_running_machine_answers(void **state)
{
	struct host_facts host;
	struct sample s;
	struct error err;
	(void)state;
	struct sysroot *root = sysroot_new("/", &err);
	assert_non_null(root);
	assert_false(sysroot_is_recorded(root));
	host_read(root, &host);
	assert_true(host.name[0] && host.kernel[0] && host.cpus > 0 && host.memory_bytes > 0);
	struct probes *probes = probes_new(root, &err);
	sample_init(&s);
	probes_read(probes, &s);
	assert_true(s.cpu.valid & 1u << CPU_USER);
	assert_true(s.memory.valid & MEM_TOTAL);
	compare_base(root, &s);
	sample_fini(&s);
	probes_free(probes);
	sysroot_free(root);
}

static void
a_root_that_is_not_there(void **state)
{
	struct error err = {0};
	(void)state;
	assert_null(sysroot_new("/nonexistent/root", &err));
	assert_int_equal(err.exit_status, EXIT_USAGE);
	assert_non_null(strstr(err.text, "/nonexistent/root"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_shares_add_up),
		cmocka_unit_test(guests_are_not_counted_twice),
		cmocka_unit_test(only_iowait_may_go_back),
		cmocka_unit_test(an_old_kernel_leaves_fields_unknown),
		cmocka_unit_test(memory_and_pressure),
		cmocka_unit_test(garbage_is_unknown),
		cmocka_unit_test(facts_of_a_recorded_host),
		cmocka_unit_test(the_running_machine_answers),
		cmocka_unit_test(a_root_that_is_not_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
