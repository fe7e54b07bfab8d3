// SPDX-License-Identifier: MIT
// The raw signals of the traps, from recorded roots and from real files.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ioduel/trap.h>

#include "support_roots.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct trap_signals signals;

static const struct trap_signals *
read_signals(const char *story, const char *path)
{
	const struct stack *stack = roots_stack(story, path);
	struct sysroot *root = roots_open(story, "t0");
	trap_read(root, stack, &signals);
	sysroot_free(root);
	return &signals;
}

static void
a_laptop_on_battery(void **state)
{
	const struct trap_signals *t = read_signals("laptop", "/home");
	(void)state;
	assert_string_equal(t->governor, "powersave");
	assert_string_equal(t->governor_driver, "acpi-cpufreq");
	assert_near(t->max_mhz, 4200, 1e-9);
	assert_int_equal(t->on_mains, 0);
	assert_string_equal(t->platform_profile, "low-power");
	assert_int_equal(t->hypervisor, 0);
	assert_int_equal(t->virtual_disk, 0);
	assert_near(t->memory_bytes, 16316412.0 * 1024, 1);
	assert_int_equal(t->n_disks, 1);
	const struct trap_disk *disk = &t->disk[0];
	assert_string_equal(disk->name, "nvme0n1");
	assert_true(disk->nr_requests == 1023 && disk->read_ahead_kb == 128 && disk->logical_block_bytes == 512);
	assert_true(disk->wbt_lat_us == 2000 && disk->write_cache == 1 && disk->discard == 1 && disk->numa_node == 0);
	assert_int_equal(disk->link_below_max, 1);
	assert_string_equal(disk->link, "PCIe 8.0 GT/s x2 of 16.0 GT/s x4");
	assert_true(t->last_trim_s < 0 && !t->limits.known);
	assert_int_equal(t->mount_discard, 0);
	assert_string_equal(t->compress, "off");
	assert_int_equal(t->ext4_lazy_init, TRAP_UNKNOWN); // ext4, and no process list in this root
}

static void
nothing_there_is_nothing_known(void **state)
{
	const struct trap_signals *t = read_signals("garbage", "/dev/sdg");
	(void)state;
	assert_int_equal(t->hypervisor, TRAP_UNKNOWN);
	assert_int_equal(t->on_mains, TRAP_UNKNOWN);
	assert_int_equal(t->discard, TRAP_UNKNOWN);
	assert_int_equal(t->mount_discard, TRAP_UNKNOWN);
	assert_true(isnan(t->memory_bytes) && isnan(t->max_mhz) && isnan(t->fs_free_share));
	assert_true(isnan(t->pressure_io_avg10));
	assert_true(t->governor[0] == '\0' && t->platform_profile[0] == '\0' && t->compress[0] == '\0');
	assert_false(t->limits.known);
	assert_true(t->fs_written_kib == TRAP_UNKNOWN && t->fs_magic == 0);
}

static void
discards_of_every_layer(void **state)
{
	const struct trap_signals *t = read_signals("lvm-luks-md", "/home");
	(void)state;
	assert_int_equal(t->discard, 1);
	assert_int_equal(t->mount_discard, 1);
	assert_string_equal(t->md_action, "idle");
	assert_int_equal(t->ext4_lazy_init, 0);
	assert_int_equal(t->n_disks, 2);
	t = read_signals("openzfs", "/tank/data");
	assert_int_equal(t->discard, 0);
	assert_string_equal(t->no_discard_layer, "sda1");
	assert_string_equal(t->compress, "zfs");
}

static void
background_work(void **state)
{
	const struct trap_signals *t = read_signals("btrfs", "/two");
	(void)state;
	assert_string_equal(t->btrfs_operation, "balance");
	assert_string_equal(t->compress, "zstd:3");
	assert_true(t->fs_magic == 0x9123683e);
	assert_string_equal(read_signals("btrfs", "/one")->btrfs_operation, "none");
	t = read_signals("zoo", "/dev/md1");
	assert_string_equal(t->md_action, "recover");
	assert_string_equal(t->md_name, "md1");
}

static void
limits_of_a_container(void **state)
{
	const struct trap_limits *limits = &read_signals("container", "/data")->limits;
	(void)state;
	assert_int_equal(limits->known, 1);
	assert_near(limits->write_bytes_per_s, 209715200, 1e-6);
	assert_true(isnan(limits->read_bytes_per_s) && isnan(limits->read_iops) && isnan(limits->write_iops));
	assert_near(limits->cpus, 1.5, 1e-9);
	assert_near(limits->memory_bytes, 2147483648.0, 1e-6);
	assert_int_equal(limits->nr_throttled, 7);
	// a limit on another disk is none on this one
	assert_true(isnan(read_signals("container", "/ro")->limits.write_bytes_per_s));
}

static void
limits_of_version_1_on_the_way_up(void **state)
{
	const struct trap_signals *t = read_signals("cgroup-v1", "/srv");
	(void)state;
	assert_int_equal(t->limits.known, 1);
	assert_near(t->limits.read_iops, 1000, 1e-9);
	assert_near(t->limits.write_bytes_per_s, 104857600, 1e-6);
	assert_near(t->limits.memory_bytes, 4294967296.0, 1e-6);
	assert_true(isnan(t->limits.cpus));
	assert_int_equal(t->limits.nr_throttled, 3);
	assert_int_equal(t->hypervisor, 1);
	assert_int_equal(t->virtual_disk, 1);
	assert_int_equal(t->ext4_lazy_init, 1);
	assert_int_equal(t->mount_discard, 1);
	assert_int_equal(t->fs_written_kib, 123456);
	assert_int_equal(t->fs_offset_bytes, 0);
}

static void
the_stamp_of_fstrim(void **state)
{
	char dir[] = "/tmp/ioduel-stamp.XXXXXX", path[128];
	static const char *const parts[] = {"var", "var/lib", "var/lib/systemd", "var/lib/systemd/timers"};
	struct stack stack = {0};
	struct error err;
	(void)state;
	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, parts[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s/var/lib/systemd/timers/stamp-fstrim.timer", dir);
	int fd = open(path, O_CREAT | O_WRONLY, 0600);
	struct timespec times[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
	struct sysroot *root = sysroot_new(dir, &err);
	trap_read(root, &stack, &signals);
	assert_int_equal(signals.last_trim_s, 1700000000);
	assert_true(signals.now_s > signals.last_trim_s);
	sysroot_free(root);
	unlink(path);
	for (int i = 3; i >= 0; i--) {
		snprintf(path, sizeof(path), "%s/%s", dir, parts[i]);
		rmdir(path);
	}
	rmdir(dir);
}

static void
holes_and_unwritten_space_of_a_file(void **state)
{
	struct trap_layout layout;
	char path[] = IODUEL_BINARY_DIR "/layout.XXXXXX", block[65536];
	(void)state;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	unlink(path);
	memset(block, 'x', sizeof(block));
	for (int i = 0; i < 4; i++)
		assert_int_equal(pwrite(fd, block, sizeof(block), i * (off_t)sizeof(block)), sizeof(block));
	fsync(fd);
	trap_read_layout(fd, &layout);
	assert_int_equal(layout.size_bytes, 4 * sizeof(block));
	if (layout.known) {
		assert_int_equal(layout.hole_bytes, 0);
		assert_int_equal(layout.unwritten_bytes, 0);
	}
	assert_int_equal(ftruncate(fd, 8 * (off_t)sizeof(block)), 0); // a hole at the end
	trap_read_layout(fd, &layout);
	if (layout.known)
		assert_int_equal(layout.hole_bytes, 4 * sizeof(block));
	if (posix_fallocate(fd, 4 * (off_t)sizeof(block), 4 * (off_t)sizeof(block)) == 0) {
		fsync(fd);
		trap_read_layout(fd, &layout);
		// preallocated, never written: either kind of "reads as zeros"
		if (layout.known)
			assert_int_equal(layout.hole_bytes + layout.unwritten_bytes, 4 * sizeof(block));
	}
	assert_true(isnan(layout.cached_share) || (layout.cached_share > 0.3 && layout.cached_share <= 1));
	close(fd);
	int pipes[2];
	assert_int_equal(pipe(pipes), 0);
	trap_read_layout(pipes[0], &layout);
	assert_true(!layout.known && isnan(layout.cached_share) && layout.compressed == TRAP_UNKNOWN);
	close(pipes[0]);
	close(pipes[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_laptop_on_battery),
		cmocka_unit_test(nothing_there_is_nothing_known),
		cmocka_unit_test(discards_of_every_layer),
		cmocka_unit_test(background_work),
		cmocka_unit_test(limits_of_a_container),
		cmocka_unit_test(limits_of_version_1_on_the_way_up),
		cmocka_unit_test(the_stamp_of_fstrim),
		cmocka_unit_test(holes_and_unwritten_space_of_a_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
