// SPDX-License-Identifier: MIT
// A block device that is picked in the screen, about which nobody was asked: not
// a byte of it changes, whatever the program was started with. Its rule: the
// loop device is taken down on every way out.
#include "support_ioduel.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define IMAGE_BYTES (16 << 20)
#define CONTENT 0xa5

struct device {
	struct duel duel;
	char image[640], path[64];
	int has_duel;
};

static int
run(const char *command, char *line, size_t size)
{
	FILE *f = popen(command, "r");
	if (!f)
		return -1;
	line[0] = '\0';
	if (fgets(line, (int)size, f))
		line[strcspn(line, "\n")] = '\0';
	return pclose(f);
}

// fsync: what the page cache holds is what is on the device.
static void
fill_image(const char *path)
{
	static unsigned char block[1 << 16];
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	memset(block, CONTENT, sizeof(block));
	for (int i = 0; i < IMAGE_BYTES / (int)sizeof(block); i++)
		assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

// Bytes of the device that are no longer what they were.
static long
changed_bytes(const char *path)
{
	static unsigned char block[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	long changed = 0, total = 0;
	ssize_t n;
	assert_true(fd >= 0);
	while ((n = read(fd, block, sizeof(block))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			changed += block[i] != CONTENT;
		total += n;
	}
	close(fd);
	assert_int_equal(total, IMAGE_BYTES);
	return changed;
}

static int
teardown(void **state)
{
	struct device *device = *state;
	char command[128], line[8];
	if (device->has_duel)
		vt_free(device->duel.vt);
	device->duel.vt = NULL;
	if (device->path[0]) {
		snprintf(command, sizeof(command), "losetup -d %s", device->path);
		(void)run(command, line, sizeof(line));
	}
	if (device->has_duel)
		duel_fini(&device->duel);
	free(device);
	return 0;
}

static int
setup(void **state)
{
	struct device *device = calloc(1, sizeof(*device));
	char command[800];
	if (!device)
		return -1;
	*state = device;
	duel_init(&device->duel);
	device->has_duel = 1;
	snprintf(device->image, sizeof(device->image), "%s/image", device->duel.dir);
	fill_image(device->image);
	snprintf(command, sizeof(command), "losetup --show -f '%s'", device->image);
	return run(command, device->path, sizeof(device->path)) == 0 && device->path[0] == '/' ? 0 : -1;
}

static void
pick(struct device *device, const char *says)
{
	struct vt *vt = device->duel.vt;
	vt_type(vt, "t");
	assert_true(vt_wait_text(vt, "target A"));
	vt_type(vt, device->path);
	assert_true(vt_wait_text(vt, device->path));
	vt_type(vt, "\r");
	assert_true(vt_wait_text(vt, says));
}

static void
picked_device_keeps_its_bytes(void **state)
{
	static const char *const extra[] = {"--destroy-data", "-w", "randwrite:bs=4k,qd=4,size=8m", "--no-save", NULL};
	struct device *device = *state;
	struct duel *d = &device->duel;

	duel_start(d, NULL, extra);
	assert_true(vt_wait_text(d->vt, "A runs"));
	pick(device, "something runs");
	vt_type(d->vt, "x");
	assert_true(vt_wait_text(d->vt, "monitor"));
	pick(device, "stays as it is");
	vt_type(d->vt, "r");
	vt_type(d->vt, "n");
	assert_true(vt_wait_text(d->vt, "note")); // r was taken before
	vt_type(d->vt, "\033");
	duel_quit(d);
	assert_int_equal(changed_bytes(device->path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(picked_device_keeps_its_bytes, setup, teardown),
	};
	char line[128];
	if (geteuid() != 0 || run("losetup -f 2>/dev/null", line, sizeof(line)) != 0 || line[0] != '/') {
		printf("skipped: loop devices need root and a kernel that has them\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
