// SPDX-License-Identifier: MIT
// What counts as a yes before a device is written over, and what does not.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "confirm.h"

static void
test_phrase(void **state)
{
	(void)state;
	char text[64];
	struct target_info device = {.kind = TARGET_DEVICE, .path = "/dev/sdb", .size_bytes = 1000204886016};
	confirm_phrase(&device, text, sizeof(text));
	assert_string_equal(text, "sdb 1 TB");
	device.size_bytes = 274877906944;
	confirm_phrase(&device, text, sizeof(text));
	assert_string_equal(text, "sdb 275 GB");
}

static void
test_matches(void **state)
{
	(void)state;
	assert_true(confirm_matches("sdb 275 GB", "sdb 275 GB\n"));
	assert_true(confirm_matches("sdb 275 GB", "  sdb 275GB\r\n"));
	static const char *const wrong[] = {"", "\n", "y\n", "yes\n", "sdb\n", "sdb 275\n", "sdc 275 GB\n", "SDB 275 GB\n",
					    "sdb 275 GB please\n", "sdb 27 GB\n"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (confirm_matches("sdb 275 GB", wrong[i]))
			fail_msg("\"%s\" was taken for a yes", wrong[i]);
}

static void
test_named(void **state)
{
	(void)state;
	assert_true(confirm_named("sdb", "sdb"));
	assert_true(confirm_named("sda,sdb", "sdb"));
	assert_false(confirm_named("sdb1", "sdb"));
	assert_false(confirm_named("sd", "sdb"));
	assert_false(confirm_named("", "sdb"));
	assert_false(confirm_named(",", "sdb"));
	assert_false(confirm_named("sdb ", "sdb"));
}

static int
confirm(struct options *o, struct session_config *config, struct error *err)
{
	memset(err, 0, sizeof(*err));
	return confirm_destroy(o, config, err);
}

static void
test_destroy(void **state)
{
	(void)state;
	struct session_config *config = calloc(1, sizeof(*config));
	struct options o;
	struct error err;
	assert_non_null(config);
	assert_non_null(freopen("/dev/null", "r", stdin)); // no terminal
	options_init(&o);
	struct session_side *a = &config->side[SIDE_A], *b = &config->side[SIDE_B];
	a->present = b->present = 1;
	a->target.kind = TARGET_DEVICE;
	b->target.kind = TARGET_DIRECTORY;
	strcpy(a->target.path, "/dev/sdb");
	strcpy(b->target.path, "/mnt");
	assert_int_equal(confirm(&o, config, &err), 0);
	o.destroy_data = 1;
	assert_int_equal(confirm(&o, config, &err), -EPERM);
	assert_int_equal(err.exit_status, EXIT_REFUSED);
	assert_non_null(strstr(err.text, "--yes-destroy sdb"));
	o.yes_destroy = "sda";
	assert_int_equal(confirm(&o, config, &err), -EPERM);
	assert_non_null(strstr(err.text, "names \"sda\", not \"sdb\""));
	o.yes_destroy = "sdb";
	assert_int_equal(confirm(&o, config, &err), 0);
	// both sides are devices: each must be named
	b->target.kind = TARGET_DEVICE;
	strcpy(b->target.path, "/dev/sdc");
	assert_int_equal(confirm(&o, config, &err), -EPERM);
	o.yes_destroy = "sdb,sdc";
	assert_int_equal(confirm(&o, config, &err), 0);
	free(config);
}

static void
test_allow(void **state)
{
	(void)state;
	struct session_config *config = calloc(1, sizeof(*config));
	struct confirm_asked asked;
	struct options o;
	struct target_info other = {.kind = TARGET_DEVICE, .path = "/dev/sdc"}, folder = {.kind = TARGET_DIRECTORY, .path = "/mnt"};
	assert_non_null(config);
	struct target_info *named = &config->side[SIDE_A].target;
	options_init(&o);
	config->side[SIDE_A].present = 1;
	named->kind = TARGET_DEVICE;
	strcpy(named->path, "/dev/sdb");
	confirm_note(config, &asked);
	assert_int_equal(confirm_allow(&o, &asked, named), 0);
	o.destroy_data = o.overwrite_file = 1;
	assert_int_equal(confirm_allow(&o, &asked, named), TARGET_OVERWRITE_FILE | TARGET_DESTROY_DATA);
	// a device that is picked later is not one that was asked about
	assert_int_equal(confirm_allow(&o, &asked, &other), TARGET_OVERWRITE_FILE);
	assert_int_equal(confirm_allow(&o, &asked, &folder), TARGET_OVERWRITE_FILE);
	o.yes_destroy = "sdc";
	assert_int_equal(confirm_allow(&o, &asked, &other), TARGET_OVERWRITE_FILE | TARGET_DESTROY_DATA);
	o.yes_destroy = NULL;
	config->side[SIDE_A].is_baseline = 1;
	confirm_note(config, &asked);
	assert_int_equal(confirm_allow(&o, &asked, named), TARGET_OVERWRITE_FILE);
	free(config);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_phrase), cmocka_unit_test(test_matches), cmocka_unit_test(test_named),
		cmocka_unit_test(test_destroy), cmocka_unit_test(test_allow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
