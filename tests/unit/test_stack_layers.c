// SPDX-License-Identifier: MIT
// Layers between a file system and its disks: dm, md, btrfs, loop, bcache,
// multipath, overlay, network, FUSE; and what is read off the hardware.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_roots.h"

#include <stdlib.h>
#include <string.h>

// Asserts that the stack is a chain of exactly these kinds and names ("" = any name).
static void
assert_chain(const struct stack *stack, int n, const enum layer_kind *kinds, const char *const *names)
{
	int at = 0;
	for (int i = 0; i < n; i++) {
		assert_int_equal(stack->layer[at].kind, kinds[i]);
		if (names[i][0])
			assert_string_equal(stack->layer[at].name, names[i]);
		int below = -1;
		for (int k = at + 1; k < stack->n_layers && below < 0; k++)
			if (stack->layer[k].parent == at)
				below = k;
		if (i + 1 < n)
			assert_true(below > at);
		at = below;
	}
}

static void
lvm_on_luks_on_md(void **state)
{
	static const enum layer_kind kinds[] = {LAYER_PATH, LAYER_MOUNT, LAYER_FS, LAYER_DM, LAYER_DM, LAYER_RAID,
						LAYER_PARTITION, LAYER_DISK};
	static const char *const names[] = {"/home", "/", "ext4", "dm-1", "dm-0", "md0", "", ""};
	const struct stack *stack = roots_stack("lvm-luks-md", "/home");
	const struct layer *leaves[8];
	(void)state;
	assert_chain(stack, 8, kinds, names);
	assert_string_equal(roots_layer(stack, LAYER_DM, "dm-1")->detail, "LVM vg-root");
	assert_false(roots_layer(stack, LAYER_DM, "dm-1")->encrypted);
	assert_string_equal(roots_layer(stack, LAYER_DM, "dm-0")->detail, "LUKS cryptroot");
	assert_true(roots_layer(stack, LAYER_DM, "dm-0")->encrypted);
	const struct layer *md = roots_layer(stack, LAYER_RAID, "md0");
	assert_string_equal(md->detail, "raid1 of 2");
	assert_true(md->copies == 2 && md->redundant);
	assert_int_equal(roots_children(stack, md), 2);
	assert_int_equal(stack_leaves(stack, leaves, 8), 2);
	assert_string_equal(leaves[0]->model, "EXAMPLE SSD 870");
	assert_string_equal(leaves[0]->link, "SATA 6.0 Gbps");
	assert_false(stack_mirror_on_one_device(stack, NULL, 0));
	// the physical volume by its device path
	stack = roots_stack("lvm-luks-md", "/dev/mapper/vg-root");
	assert_true(stack->is_device);
	assert_int_equal(stack->layer[1].kind, LAYER_DM);
}

static void
nvme_multipath_counts_on_its_paths(void **state)
{
	const struct stack *stack = roots_stack("nvme-multipath", "/x");
	const struct layer *head = roots_layer(stack, LAYER_MULTIPATH, "nvme0n1"), *leaves[8];
	struct sample a, b;
	struct disk_rate rate;
	(void)state;
	assert_non_null(head);
	assert_false(head->leaf);
	assert_string_equal(head->detail, "NVMe multipath, 2 paths");
	assert_string_equal(head->model, "EXAMPLE ENTERPRISE NVMe 3.84TB");
	assert_int_equal(roots_children(stack, head), 2);
	assert_int_equal(stack_leaves(stack, leaves, 8), 2);
	const struct layer *path = roots_layer(stack, LAYER_DISK, "nvme0c0n1");
	assert_non_null(path);
	assert_true(path->has_dev && path->major == 259 && path->minor == 0 && path->physical);
	assert_string_equal(path->detail, "path optimized");
	assert_string_equal(path->link, "PCIe 16.0 GT/s x4");
	assert_string_equal(roots_layer(stack, LAYER_DISK, "nvme0c1n1")->link, "PCIe 8.0 GT/s x4 of 16.0 GT/s x4");
	roots_sample("nvme-multipath", "t0", &a);
	roots_sample("nvme-multipath", "t1", &b);
	rate_disk(stack_find_disk(path, &a), stack_find_disk(path, &b), 1, &rate);
	assert_true(rate.read_iops == 2000);
	sample_fini(&a);
	sample_fini(&b);
}

static void
old_nvme_multipath_counts_on_its_head(void **state)
{
	const struct stack *stack = roots_stack("nvme-multipath-old", "/x");
	const struct layer *leaves[8];
	struct sample s;
	(void)state;
	assert_int_equal(stack_leaves(stack, leaves, 8), 1);
	assert_string_equal(leaves[0]->name, "nvme0n1");
	const struct layer *path = roots_layer(stack, LAYER_DISK, "nvme0c0n1");
	assert_false(path->has_dev || path->leaf);
	roots_sample("nvme-multipath-old", "t0", &s);
	assert_string_equal(stack_find_disk(path, &s)->name, "nvme0c0n1");
	sample_fini(&s);
}

static void
overlay_goes_through_the_upper_layer(void **state)
{
	const struct stack *stack = roots_stack("overlay", "/merged2/x");
	(void)state;
	assert_non_null(strstr(roots_layer(stack, LAYER_FS, "overlay")->detail, "upper layer /data/upper"));
	assert_non_null(roots_layer(stack, LAYER_FS, "ext4"));
	assert_non_null(roots_layer(stack, LAYER_DISK, "sda"));
	stack = roots_stack("overlay", "/merged/x");
	assert_true(stack->is_memory);
	// in a container the upper layer's path belongs to the host
	stack = roots_stack("container", "/work");
	assert_null(roots_layer(stack, LAYER_DISK, NULL));
	assert_non_null(strstr(roots_layer(stack, LAYER_UNKNOWN, NULL)->detail, "not visible"));
	stack = roots_stack("container", "/data");
	assert_non_null(roots_layer(stack, LAYER_DISK, "sda"));
	stack = roots_stack("container", "/ro/x");
	assert_non_null(strstr(roots_layer(stack, LAYER_UNKNOWN, NULL)->detail, "read only"));
}

static int
count_first_leaves(const struct stack *stack)
{
	int n = 0;
	for (int i = 0; i < stack->n_layers; i++)
		n += stack_is_first_leaf(stack, i);
	return n;
}

static void
network_and_fuse(void **state)
{
	const struct stack *stack = roots_stack("network", "/mnt/nfs/dir");
	const struct layer *leaf;
	(void)state;
	assert_true(stack->is_network);
	assert_int_equal(stack_leaves(stack, &leaf, 1), 0);
	assert_int_equal(count_first_leaves(stack), 1); // a server has no device number, and is one all the same
	const struct layer *server = roots_layer(stack, LAYER_NETWORK, "filer:/export/home");
	assert_non_null(server);
	assert_string_equal(server->detail, "vers=4.2,proto=tcp,addr=192.0.2.9,rsize=1048576,wsize=1048576");
	assert_true(roots_stack("network", "/mnt/smb")->is_network);
	assert_true(roots_stack("network", "/mnt/ssh")->is_network);
	assert_true(roots_stack("network", "/mnt/host")->is_network);
	stack = roots_stack("network", "/mnt/pool/x");
	assert_false(stack->is_network);
	const struct layer *fs = roots_layer(stack, LAYER_FS, "fuse.mergerfs");
	assert_int_equal(roots_children(stack, fs), 2);
	assert_non_null(roots_layer(stack, LAYER_FILE, "/mnt/d1"));
	assert_non_null(roots_layer(stack, LAYER_PARTITION, "sda2"));
	assert_int_equal(stack_leaves(stack, &leaf, 1), 1); // both branches are on one disk
	assert_int_equal(count_first_leaves(stack), 1);
	stack = roots_stack("network", "/mnt/odd");
	assert_non_null(roots_layer(stack, LAYER_UNKNOWN, NULL));
	assert_false(stack->is_network || stack->is_memory);
}

static void
btrfs_profiles_and_devices(void **state)
{
	char what[256], line[256];
	const struct layer *leaves[8];
	const struct stack *stack = roots_stack("btrfs", "/one");
	const struct layer *fs = roots_layer(stack, LAYER_FS, "btrfs");
	(void)state;
	assert_string_equal(fs->detail, "data raid1, metadata raid1");
	assert_true(fs->copies == 2 && fs->redundant && !fs->compressed);
	assert_int_equal(roots_children(stack, fs), 2);
	assert_int_equal(stack_leaves(stack, leaves, 8), 1); // one disk, counted once
	assert_true(stack_mirror_on_one_device(stack, what, sizeof(what)));
	assert_string_equal(what, "btrfs data raid1, metadata raid1: copies on sda");
	stack_format_line(stack, line, sizeof(line));
	assert_string_equal(line, "btrfs raid1 on sda  EXAMPLE HDD 1TB 1.0 TB");

	stack = roots_stack("btrfs", "/two/user");
	fs = roots_layer(stack, LAYER_FS, "btrfs");
	assert_string_equal(fs->detail, "data raid1, metadata raid1c3");
	assert_true(fs->compressed);
	assert_non_null(strstr(roots_layer(stack, LAYER_MOUNT, "/two")->detail, "subvolume /@home"));
	assert_int_equal(stack_leaves(stack, leaves, 8), 2);
	assert_false(stack_mirror_on_one_device(stack, what, sizeof(what)));
	assert_non_null(roots_layer(stack, LAYER_UNKNOWN, "missing device"));

	stack = roots_stack("btrfs", "/three");
	fs = roots_layer(stack, LAYER_FS, "btrfs");
	assert_string_equal(fs->detail, "data single+raid0, metadata dup");
	assert_false(fs->redundant);
	stack = roots_stack("btrfs", "/four");
	assert_int_equal(roots_layer(stack, LAYER_FS, "btrfs")->copies, 2);
	assert_true(stack_mirror_on_one_device(stack, what, sizeof(what)));
}

static void
loops_are_followed(void **state)
{
	static const enum layer_kind kinds[] = {LAYER_PATH, LAYER_MOUNT, LAYER_FS, LAYER_LOOP, LAYER_FILE, LAYER_FS,
						LAYER_LOOP, LAYER_FILE, LAYER_FS, LAYER_PARTITION, LAYER_DISK};
	static const char *const names[] = {"", "/mnt/b", "xfs", "loop1", "/mnt/a/b.img", "ext4", "loop0", "/srv/a.img",
					    "ext4", "nvme0n1p2", "nvme0n1"};
	(void)state;
	const struct stack *stack = roots_stack("loops", "/mnt/b/x");
	assert_chain(stack, 11, kinds, names);
	assert_string_equal(roots_layer(stack, LAYER_LOOP, "loop0")->detail, "direct I/O");
	assert_string_equal(roots_layer(stack, LAYER_LOOP, "loop1")->detail, "buffered: its file is cached");
	assert_true(roots_stack("loops", "/mnt/c")->is_memory);
	// a loop that is mounted over its own file must not turn for ever
	stack = roots_stack("loops", "/mnt/self/y");
	assert_true(stack->n_layers < STACK_LAYERS_MAX);
	assert_int_equal(stack->layer[stack->n_layers - 1].kind, LAYER_UNKNOWN);
}

static void
bcache_multipath_and_the_rest_of_the_zoo(void **state)
{
	const struct layer *leaves[8], *layer;
	(void)state;
	const struct stack *stack = roots_stack("zoo", "/dev/bcache0");
	layer = roots_layer(stack, LAYER_CACHE, "bcache0");
	assert_string_equal(layer->detail, "bcache writeback, dirty");
	assert_int_equal(roots_children(stack, layer), 2);
	assert_int_equal(roots_layer(stack, LAYER_DISK, "sda")->role, ROLE_DATA);
	assert_int_equal(roots_layer(stack, LAYER_PARTITION, "nvme0n1p1")->role, ROLE_CACHE);
	assert_string_equal(roots_layer(stack, LAYER_DISK, "nvme0n1")->link, "PCIe 8.0 GT/s x2 of 16.0 GT/s x4");

	stack = roots_stack("zoo", "/dev/mapper/mpatha-part1");
	assert_int_equal(stack->layer[1].kind, LAYER_DM);
	layer = roots_layer(stack, LAYER_MULTIPATH, "dm-0");
	assert_string_equal(layer->detail, "multipath mpatha");
	assert_int_equal(stack_leaves(stack, leaves, 8), 2);
	assert_string_equal(leaves[0]->model, "EXAMPLE ARRAY LUN");

	stack = roots_stack("zoo", "/dev/zram0");
	assert_true(stack->is_memory && stack->is_device);
	assert_string_equal(stack->layer[1].detail, "compressed memory (zstd)");
	assert_true(roots_stack("zoo", "/dev/ram0")->is_memory);
	stack = roots_stack("zoo", "/dev/mmcblk0p1");
	assert_string_equal(roots_layer(stack, LAYER_DISK, "mmcblk0")->model, "EXCARD");
	assert_int_equal(roots_layer(stack, LAYER_DISK, "mmcblk0")->write_cache, 0);
	stack = roots_stack("zoo", "/dev/sdf");
	assert_string_equal(roots_layer(stack, LAYER_NETWORK, "sdf")->detail, "iSCSI");
	assert_true(stack->is_network && !roots_layer(stack, LAYER_NETWORK, "sdf")->physical);
	stack = roots_stack("zoo", "/dev/nvme5n1");
	assert_string_equal(roots_layer(stack, LAYER_NETWORK, "nvme5n1")->detail, "NVMe over tcp");
	stack = roots_stack("zoo", "/dev/sdd");
	assert_string_equal(roots_layer(stack, LAYER_DISK, "sdd")->link, "USB 480 Mbit/s");
	stack = roots_stack("zoo", "/dev/vda");
	assert_string_equal(roots_layer(stack, LAYER_DISK, "vda")->model, "virtio disk");
	assert_true(roots_layer(stack, LAYER_DISK, "vda")->physical);
}

static void
md_roles_and_copies(void **state)
{
	const struct stack *stack = roots_stack("zoo", "/dev/md1");
	const struct layer *md = roots_layer(stack, LAYER_RAID, "md1");
	(void)state;
	assert_string_equal(md->detail, "raid10 of 4, 1 missing, recover");
	assert_int_equal(md->copies, 2); // layout 258 = far 1, near 2
	assert_int_equal(roots_layer(stack, LAYER_DISK, "sdg")->role, ROLE_DATA);
	assert_int_equal(roots_layer(stack, LAYER_DISK, "sdh")->role, ROLE_SPARE);
	assert_int_equal(roots_layer(stack, LAYER_DISK, "sdi")->role, ROLE_LOG);
	assert_non_null(strstr(roots_layer(stack, LAYER_DISK, "sdj")->detail, "faulty"));
}

static void
levels_of_lvm_are_in_its_table(void **state)
{
	char what[256];
	const struct stack *stack = roots_stack("zoo", "/dev/mapper/vg-m");
	const struct layer *layer = roots_layer(stack, LAYER_RAID, "dm-14");
	(void)state;
	assert_non_null(layer);
	assert_string_equal(layer->detail, "LVM vg-m raid1");
	assert_true(layer->copies == 2 && layer->redundant);
	assert_true(stack_mirror_on_one_device(stack, what, sizeof(what)));
	assert_string_equal(what, "dm-14 LVM vg-m raid1: copies on sdg");
	// data and metadata of one member on one disk are as they should be
	stack = roots_stack("zoo", "/dev/mapper/vg-n");
	assert_int_equal(roots_layer(stack, LAYER_RAID, "dm-24")->copies, 2);
	assert_false(stack_mirror_on_one_device(stack, what, sizeof(what)));
	stack = roots_stack("zoo", "/dev/mapper/vg-c");
	assert_string_equal(roots_layer(stack, LAYER_CACHE, "dm-17")->detail, "LVM vg-c cache");
	assert_int_equal(roots_layer(stack, LAYER_DM, "dm-15")->role, ROLE_CACHE);
	assert_int_equal(roots_layer(stack, LAYER_DM, "dm-16")->role, ROLE_DATA);
	stack = roots_stack("zoo", "/dev/mapper/vg-s");
	assert_string_equal(roots_layer(stack, LAYER_DM, "dm-18")->detail, "LVM vg-s striped over 2");
	assert_false(stack_mirror_on_one_device(stack, what, sizeof(what)));
}

static bool
share_wire(const char *a, const char *b, char *name, size_t size)
{
	struct stack *first = malloc(sizeof(*first));
	assert_non_null(first);
	*first = *roots_stack("zoo", a);
	bool shared = stack_share_controller(first, roots_stack("zoo", b), name, size);
	free(first);
	return shared;
}

static void
wires_that_are_shared(void **state)
{
	char name[128];
	(void)state;
	assert_true(share_wire("/dev/sdg", "/dev/sdh", name, sizeof(name)));
	assert_string_equal(name, "controller 0000:00:17.0");
	assert_true(share_wire("/dev/sdd", "/dev/sde", name, sizeof(name)));
	assert_string_equal(name, "USB hub 2-1");
	assert_true(share_wire("/dev/nvme1n1", "/dev/nvme2n1", name, sizeof(name)));
	assert_string_equal(name, "PCI port 0000:41:00.0");
	assert_false(share_wire("/dev/nvme0n1", "/dev/sdg", name, sizeof(name))); // only the root complex
	assert_false(share_wire("/dev/nvme0n1", "/dev/zram0", name, sizeof(name)));
	assert_false(share_wire("/dev/mmcblk0", "/dev/sdf", name, sizeof(name)));
	assert_false(share_wire("/dev/sdg", "/dev/sdg", name, sizeof(name)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lvm_on_luks_on_md),
		cmocka_unit_test(nvme_multipath_counts_on_its_paths),
		cmocka_unit_test(old_nvme_multipath_counts_on_its_head),
		cmocka_unit_test(overlay_goes_through_the_upper_layer),
		cmocka_unit_test(network_and_fuse),
		cmocka_unit_test(btrfs_profiles_and_devices),
		cmocka_unit_test(loops_are_followed),
		cmocka_unit_test(bcache_multipath_and_the_rest_of_the_zoo),
		cmocka_unit_test(md_roles_and_copies),
		cmocka_unit_test(levels_of_lvm_are_in_its_table),
		cmocka_unit_test(wires_that_are_shared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
