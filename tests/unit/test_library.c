// SPDX-License-Identifier: MIT
// The data directory: what is listed, found, counted as measured before, and removed.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/library.h"
#include "session/snapshot_write.h"
#include "support_result.h"

static char home[256], dir[300];

static int
make_home(void **state)
{
	(void)state;
	support_dir_make(home, sizeof(home));
	snprintf(dir, sizeof(dir), "%s/ioduel", home);
	setenv("XDG_DATA_HOME", home, 1);
	return mkdir(dir, 0700);
}

static int
remove_home(void **state)
{
	(void)state;
	support_dir_remove(dir);
	return rmdir(home);
}

static void
save(const char *name, const char *created, const char *path_b, int finish)
{
	char path[700];
	struct error err;
	struct result *r = support_result(12);
	snprintf(r->created, sizeof(r->created), "%s", created);
	snprintf(r->side[SIDE_B].path, sizeof(r->side[SIDE_B].path), "%s", path_b);
	snprintf(path, sizeof(path), "%s/%s.jsonl", dir, name);
	struct snapshot_writer *w = snapshot_new(path, &err);
	assert_non_null(w);
	snapshot_header(w, r, 0);
	for (int i = 0; i < r->n_pairs; i++)
		snapshot_pair(w, &r->pairs[i]);
	snapshot_result(w, r);
	assert_int_equal(finish ? snapshot_finish(w, &err) : snapshot_flush(w, 0, &err), 0);
	snapshot_free(w);
	result_fini(r);
	free(r);
}

static void
test_list_and_history(void **state)
{
	(void)state;
	struct library l;
	struct error err;
	assert_int_equal(library_read(dir, &l, &err), 0);
	assert_int_equal(l.n, 0);
	save("first", "2026-11-28T10:00:00Z", "/mnt/b", 1);
	save("second", "2026-11-29T10:00:00Z", "/mnt/b", 1);
	save("other", "2026-11-29T11:00:00Z", "/mnt/c", 1);
	save("cut", "2026-11-29T12:00:00Z", "/mnt/b", 0);
	char path[700];
	snprintf(path, sizeof(path), "%s/junk.jsonl", dir);
	FILE *f = fopen(path, "w");
	fputs("junk\n", f);
	fclose(f);
	snprintf(path, sizeof(path), "%s/notes.txt", dir);
	f = fopen(path, "w");
	fclose(f);
	assert_int_equal(library_read(dir, &l, &err), 0);
	assert_int_equal(l.n, 5);
	assert_string_equal(l.entry[0].name, "cut");
	assert_int_equal(l.entry[0].finished, 0);
	assert_string_equal(l.entry[1].name, "other");
	assert_string_equal(l.entry[3].name, "first");
	assert_string_equal(l.entry[3].target[SIDE_B], "/mnt/b");
	assert_int_equal(l.entry[3].word, VERDICT_B);
	assert_int_equal(l.entry[4].readable, 0);
	struct result *now = support_result(12);
	struct verdict_past past[8];
	assert_int_equal(library_history(&l, now, past, 8), 3);
	assert_string_equal(past[0].date, "2026-11-28");
	assert_int_equal(past[0].word, VERDICT_B);
	snprintf(now->side[SIDE_A].params, sizeof(now->side[SIDE_A].params), "qd=1");
	assert_int_equal(library_history(&l, now, past, 8), 0);
	result_fini(now);
	free(now);
	library_fini(&l);
}

static void
test_find_and_remove(void **state)
{
	(void)state;
	char path[4400];
	struct error err;
	assert_int_equal(library_find("first", path, sizeof(path)), 0);
	assert_int_equal(library_find("first.jsonl", path, sizeof(path)), 0);
	assert_int_equal(library_find("cut", path, sizeof(path)), 0);
	assert_int_equal(library_find("nosuch", path, sizeof(path)), -ENOENT);
	static const char *const escapes[] = { "../x", "/etc/passwd", ".", "..", "", "a/b", ".hidden" };
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		assert_int_equal(library_find(escapes[i], path, sizeof(path)), -EINVAL);
		assert_true(library_remove(escapes[i], &err) < 0);
	}
	assert_int_equal(library_remove("first", &err), 0);
	assert_int_equal(library_remove("first", &err), -ENOENT);
	struct library l;
	assert_int_equal(library_read(dir, &l, &err), 0);
	assert_int_equal(l.n, 4);
	library_fini(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_list_and_history), cmocka_unit_test(test_find_and_remove) };
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
