// SPDX-License-Identifier: MIT
// What may be a target, and how the rest is refused.
#include <ioduel/target.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/ioduel-target-XXXXXX";

static void
refused(const char *path, const char *says)
{
	struct target_info info;
	struct error err = { 0 };
	assert_true(target_inspect(path, 0, &info, &err) < 0);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	if (!strstr(err.text, says))
		fail_msg("%s: \"%s\" lacks \"%s\"", path, err.text, says);
}

static void
other_things_are_refused(void **state)
{
	(void)state;
	char path[128];
	refused("", "empty");
	refused("/nonexistent/x", "does not exist");
	refused("/dev/null", "a character device");
	snprintf(path, sizeof(path), "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(path, "a FIFO");
	unlink(path);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", dir);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	refused(address.sun_path, "a socket");
	close(fd);
	unlink(address.sun_path);
	snprintf(path, sizeof(path), "%s/loop", dir);
	assert_int_equal(symlink(path, path), 0);
	refused(path, "cannot be used");
	unlink(path);
}

static void
directories_and_files(void **state)
{
	(void)state;
	struct target_info info;
	struct error err = { 0 };
	assert_int_equal(target_inspect(dir, 0, &info, &err), 0);
	assert_int_equal(info.kind, TARGET_DIRECTORY);
	assert_true(info.free_bytes > 0 && info.fs_size_bytes >= info.free_bytes);
	char path[128];
	snprintf(path, sizeof(path), "%s/file", dir);
	int fd = open(path, O_CREAT | O_RDWR, 0600);
	refused(path, "is empty");
	assert_int_equal(write(fd, dir, 10), 10);
	assert_int_equal(target_inspect(path, 0, &info, &err), 0);
	assert_int_equal(info.kind, TARGET_FILE);
	assert_int_equal(info.size_bytes, 10);
	assert_int_equal(info.writable, 0);
	assert_int_equal(target_inspect(path, TARGET_OVERWRITE_FILE, &info, &err), 0);
	assert_int_equal(info.writable, 1);
	close(fd);
	unlink(path);
}

static void
the_disk_of_the_system_is_never_written(void **state)
{
	(void)state;
	struct stat st;
	struct target_info info;
	struct error err = { 0 };
	static const char *const candidates[] = { "/dev/vda", "/dev/sda", "/dev/nvme0n1" };
	int tried = 0;
	for (int i = 0; i < 3; i++) {
		int fd = stat(candidates[i], &st) == 0 && S_ISBLK(st.st_mode) ? open(candidates[i], O_RDONLY) : -1;
		if (fd < 0)
			continue;
		close(fd);
		tried++;
		assert_true(target_inspect(candidates[i], TARGET_DESTROY_DATA, &info, &err) < 0);
		assert_int_equal(err.exit_status, EXIT_REFUSED);
	}
	if (!tried)
		skip();
}

static int
make(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int
remove_it(void **state)
{
	(void)state;
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_things_are_refused),
		cmocka_unit_test(directories_and_files),
		cmocka_unit_test(the_disk_of_the_system_is_never_written),
	};
	return cmocka_run_group_tests(tests, make, remove_it);
}
