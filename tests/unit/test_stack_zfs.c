// SPDX-License-Identifier: MIT
// ZFS pools, as OpenZFS and zfs-fuse print them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "probes/zpool.h"
#include "support_roots.h"

#include <errno.h>
#include <string.h>

static void
openzfs_with_everything(void **state)
{
	const struct stack *stack = roots_stack("openzfs", "/tank/data/x");
	const struct layer *pool = roots_layer(stack, LAYER_POOL, "tank"), *leaves[16], *layer;
	char line[256];
	(void)state;
	assert_non_null(pool);
	assert_string_equal(pool->detail, "OpenZFS, DEGRADED");
	layer = roots_layer(stack, LAYER_FS, "zfs");
	assert_true(layer->compressed && layer->encrypted);
	assert_string_equal(layer->detail,
			    "compression lz4, recordsize 128K, encryption aes-256-gcm, copies 1, sync standard");
	// two mirrors, a special mirror, a log, a cache, a spare
	assert_int_equal(roots_children(stack, pool), 6);
	layer = roots_layer(stack, LAYER_VDEV, "mirror-0");
	assert_true(layer->copies == 2 && layer->redundant && layer->role == ROLE_DATA);
	assert_string_equal(layer->detail, "2 members, ONLINE");
	assert_int_equal(roots_children(stack, layer), 2);
	assert_int_equal(roots_layer(stack, LAYER_VDEV, "mirror-4")->role, ROLE_SPECIAL);
	assert_int_equal(roots_layer(stack, LAYER_PARTITION, "nvme0n1p2")->role, ROLE_LOG);
	assert_int_equal(roots_layer(stack, LAYER_PARTITION, "nvme0n1p3")->role, ROLE_CACHE);
	assert_int_equal(roots_layer(stack, LAYER_PARTITION, "sde1")->role, ROLE_SPARE);
	assert_string_equal(roots_layer(stack, LAYER_PARTITION, "sde1")->detail, "AVAIL");
	layer = roots_layer(stack, LAYER_UNKNOWN, "8129373916318274811");
	assert_non_null(layer);
	assert_non_null(strstr(layer->detail, "UNAVAIL"));
	assert_non_null(roots_layer(stack, LAYER_FILE, "/srv/files/special one"));
	assert_null(roots_layer(stack, LAYER_UNKNOWN, "sdz")); // the other pool's
	stack_format_line(stack, line, sizeof(line));
	assert_non_null(strstr(line, "zfs 2 x mirror +special +log +cache +spare on "));
	// sda, sdb, sdc, nvme0n1, sdd (under the file), sde
	assert_int_equal(stack_leaves(stack, leaves, 16), 6);
	assert_false(stack_mirror_on_one_device(stack, NULL, 0));
}

static void
zfs_fuse_on_files(void **state)
{
	char what[256];
	const struct stack *stack = roots_stack("zfs-fuse", "/build");
	const struct layer *pool = roots_layer(stack, LAYER_POOL, "build"), *layer;
	(void)state;
	assert_string_equal(pool->detail, "zfs-fuse, ONLINE");
	assert_int_equal(roots_children(stack, pool), 4); // two raidz1, two spares
	layer = roots_layer(stack, LAYER_VDEV, "raidz1-0");
	assert_int_equal(roots_children(stack, layer), 3);
	assert_true(layer->redundant);
	layer = roots_layer(stack, LAYER_VDEV, "spare-1");
	assert_false(layer->redundant);
	assert_int_equal(roots_children(stack, layer), 2);
	assert_string_equal(roots_layer(stack, LAYER_FILE, "/srv/vdev7")->detail, "AVAIL");
	// parity over files of one disk protects from nothing
	assert_true(stack_mirror_on_one_device(stack, what, sizeof(what)));
	assert_string_equal(what, "raidz1-0: copies on vda");
	stack_format_line(stack, what, sizeof(what));
	assert_string_equal(what, "fuse.zfs 2 x raidz1 +spare on vda  virtio disk 54 GB");
}

static void
text_that_is_no_pool(void **state)
{
	struct zpool_row rows[4];
	(void)state;
	assert_int_equal(zpool_parse("", "tank", rows, 4), -ENOENT);
	assert_int_equal(zpool_parse("no pools available\n", "tank", rows, 4), -ENOENT);
	assert_int_equal(zpool_parse("  pool: tank2\nconfig:\n\n\ttank2  ONLINE\n", "tank", rows, 4), -ENOENT);
	assert_int_equal(zpool_parse("  pool: tank\nconfig:\n\n", "tank", rows, 4), -ENOENT);
	assert_int_equal(zpool_parse("  pool: tank\nconfig:\n\t\n\ttank", "tank", rows, 4), 1);
	static const char many[] = "  pool: t\nconfig:\n\tt ONLINE\n\t  a ONLINE\n\t  b ONLINE\n\t  c ONLINE\n\t  d ONLINE\n";
	assert_int_equal(zpool_parse(many, "t", rows, 4), 4);
	static const char wild[] = "  pool: t\nconfig:\n\tt ONLINE\n\t                                        deep ONLINE\n";
	assert_int_equal(zpool_parse(wild, "t", rows, 4), 2);
}

static void
no_command_no_layout(void **state)
{
	// the pool of a machine whose zpool cannot be asked is an unknown leaf
	const struct stack *stack = roots_stack("zfs-silent", "/pool");
	(void)state;
	assert_non_null(roots_layer(stack, LAYER_POOL, "pool"));
	assert_non_null(roots_layer(stack, LAYER_UNKNOWN, "vdevs"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(openzfs_with_everything),
		cmocka_unit_test(zfs_fuse_on_files),
		cmocka_unit_test(text_that_is_no_pool),
		cmocka_unit_test(no_command_no_layout),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
