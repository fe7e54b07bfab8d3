// SPDX-License-Identifier: MIT
// From a path to its disk: mounts, partitions, memory, devices.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_roots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
a_directory_leads_to_its_disk(void **state)
{
	const struct stack *stack = roots_stack("idle", "/home/someone");
	const struct layer *leaf;
	(void)state;
	assert_string_equal(stack->mount_point, "/");
	assert_string_equal(stack->fs_type, "ext4");
	assert_string_equal(stack->mount_source, "/dev/nvme0n1p2");
	assert_non_null(strstr(stack->mount_options, "relatime"));
	assert_int_equal(stack->n_layers, 5);
	static const enum layer_kind kinds[] = {LAYER_PATH, LAYER_MOUNT, LAYER_FS, LAYER_PARTITION, LAYER_DISK};
	for (int i = 0; i < 5; i++) {
		assert_int_equal(stack->layer[i].kind, kinds[i]);
		assert_int_equal(stack->layer[i].parent, i - 1);
	}
	assert_int_equal(stack_leaves(stack, &leaf, 1), 1);
	assert_string_equal(leaf->name, "nvme0n1");
	assert_string_equal(leaf->model, "EXAMPLE SSD 1TB");
	assert_string_equal(leaf->scheduler, "none");
	assert_string_equal(leaf->link, "PCIe 16.0 GT/s x4");
	assert_string_equal(leaf->controller, "sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0");
	assert_true(leaf->physical && leaf->rotational == 0 && leaf->write_cache == 1 && leaf->discard == 1);
	assert_true(leaf->size_bytes == UINT64_C(1953525168) * 512);
	assert_true(leaf->major == 259 && leaf->minor == 0 && leaf->queue_depth == 1023);
	assert_false(stack->is_memory || stack->is_network || stack->is_device || stack->truncated);
	char line[256];
	stack_format_line(stack, line, sizeof(line));
	assert_string_equal(line, "ext4 on nvme0n1  EXAMPLE SSD 1TB 1.0 TB");
}

static void
memory_is_no_disk(void **state)
{
	const struct stack *stack = roots_stack("idle", "/tmp/x");
	const struct layer *leaf;
	(void)state;
	assert_true(stack->is_memory);
	assert_int_equal(stack_leaves(stack, &leaf, 1), 0);
	// the mount that was made last hides the one below it
	stack = roots_stack("idle", "/mnt/over/x");
	assert_true(stack->is_memory);
}

static void
a_bind_mount_says_what_it_shows(void **state)
{
	const struct stack *stack = roots_stack("idle", "/mnt/bind");
	(void)state;
	assert_non_null(strstr(roots_layer(stack, LAYER_MOUNT, NULL)->detail, "bind mount of /srv/data"));
	assert_non_null(roots_layer(stack, LAYER_DISK, "nvme0n1"));
	stack = roots_stack("idle", "/mnt/bindings"); // not below /mnt/bind
	assert_string_equal(stack->mount_point, "/");
}

static void
a_device_is_its_own_target(void **state)
{
	const struct stack *stack = roots_stack("idle", "/dev/nvme0n1p2");
	(void)state;
	assert_true(stack->is_device);
	assert_string_equal(stack->fs_type, "");
	assert_int_equal(stack->layer[1].kind, LAYER_PARTITION);
	assert_int_equal(stack->layer[2].kind, LAYER_DISK);
	stack = roots_stack("idle", "/dev/nvme0n1");
	assert_int_equal(stack->n_layers, 2);
}

static void
two_stacks_share_a_disk(void **state)
{
	char name[64];
	(void)state;
	struct stack *first = malloc(sizeof(*first));
	assert_non_null(first);
	*first = *roots_stack("idle", "/home");
	const struct stack *second = roots_stack("idle", "/dev/nvme0n1p1");
	assert_true(stack_share_device(first, second, name, sizeof(name)));
	assert_string_equal(name, "nvme0n1");
	assert_false(stack_share_controller(first, second, NULL, 0)); // the same device, not two on one wire
	second = roots_stack("idle", "/tmp");
	assert_false(stack_share_device(first, second, NULL, 0));
	free(first);
}

static void
garbage_is_an_unknown_leaf(void **state)
{
	const struct stack *stack = roots_stack("garbage", "/home");
	(void)state;
	assert_int_equal(stack->layer[stack->n_layers - 1].kind, LAYER_UNKNOWN);
	stack = roots_stack("garbage", "/dev/sdg");
	const struct layer *disk = roots_layer(stack, LAYER_DISK, "sdg");
	assert_non_null(disk);
	assert_false(disk->has_dev);
	assert_true(disk->size_bytes == 0 && disk->rotational == -1 && disk->write_cache == -1 && disk->discard == -1);
	assert_string_equal(disk->scheduler, "");
}

static void
mounts_for_the_picker(void **state)
{
	struct mount_entry *list = calloc(16, sizeof(*list));
	(void)state;
	assert_non_null(list);
	struct sysroot *root = roots_open("idle", "t0");
	int n = stack_list_mounts(root, list, 16, NULL);
	assert_int_equal(n, 4);
	assert_string_equal(list[0].mount_point, "/");
	assert_string_equal(list[0].source, "/dev/nvme0n1p2");
	assert_true(list[0].writable && !list[0].is_memory);
	assert_string_equal(list[1].mount_point, "/tmp");
	assert_true(list[1].is_memory);
	assert_string_equal(list[3].mount_point, "/mnt/over");
	assert_string_equal(list[3].fs_type, "tmpfs"); // mounted over an ext4
	assert_int_equal(stack_list_mounts(root, list, 1, NULL), 1);
	sysroot_free(root);
	free(list);
}

static void
the_running_machine_resolves(void **state)
{
	struct stack *stack = malloc(sizeof(*stack));
	struct error err = {0};
	struct stat st;
	(void)state;
	assert_non_null(stack);
	struct sysroot *root = sysroot_new("/", &err);
	assert_int_equal(stack_resolve(root, IODUEL_SOURCE_DIR, stack, &err), 0);
	assert_true(stack->n_layers >= 3);
	assert_true(stack->fs_size_bytes > 0);
	assert_true(stat(stack->mount_point, &st) == 0);
	assert_int_equal(stack_resolve(root, "/nonexistent/path", stack, &err), -ENOENT);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	sysroot_free(root);
	free(stack);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_directory_leads_to_its_disk),
		cmocka_unit_test(memory_is_no_disk),
		cmocka_unit_test(a_bind_mount_says_what_it_shows),
		cmocka_unit_test(a_device_is_its_own_target),
		cmocka_unit_test(two_stacks_share_a_disk),
		cmocka_unit_test(garbage_is_an_unknown_leaf),
		cmocka_unit_test(mounts_for_the_picker),
		cmocka_unit_test(the_running_machine_resolves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
