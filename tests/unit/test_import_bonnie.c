// SPDX-License-Identifier: MIT
// bonnie++ results: the figures of real ones, mail's quoting and wrapping, and that an uncertain column is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session/import.h"
#include "session/result_text.h"
#include "support_result.h"

static const char csv_27[] =
	"sys26,2G,,,28299,17,18633,12,,,85702,29,3093.9,18,16,7513,99,+++++,+++,5140,98,3964,67,+++++,+++,5652,99";

static void
check(const struct result *r, enum metric id, double value, double cpu)
{
	assert_int_equal(r->side[SIDE_A].state[id], WIRE_RESULT_OK);
	assert_true(r->side[SIDE_A].totals[id] == value);
	assert_true(r->side[SIDE_A].totals[id + 1] == cpu);
}

static void
check_state(const struct result *r, enum metric id, unsigned state)
{
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(r->side[SIDE_A].state[(unsigned)id + i], state);
		assert_true(isnan(r->side[SIDE_A].totals[(unsigned)id + i]));
	}
}

// What the 1.03c result that started it all must come to.
static void
check_seed(const struct import *im, double seeks)
{
	assert_int_equal(im->kind, IMPORT_BONNIE);
	assert_int_equal(im->n, 1);
	const struct result *r = im->item[0].result;
	assert_string_equal(im->item[0].name, "sys26");
	assert_non_null(strstr(r->params, "size=2G"));
	assert_non_null(strstr(r->params, "files_x1024=16"));
	check(r, METRIC_PUT_BLOCK, 28299, 17);
	check(r, METRIC_REWRITE, 18633, 12);
	check(r, METRIC_GET_BLOCK, 85702, 29);
	check(r, METRIC_SEEKS, seeks, 18);
	check(r, METRIC_SEQ_CREATE, 7513, 99);
	check(r, METRIC_SEQ_DEL, 5140, 98);
	check(r, METRIC_RAN_CREATE, 3964, 67);
	check(r, METRIC_RAN_DEL, 5652, 99);
	check_state(r, METRIC_PUTC, WIRE_RESULT_NOT_RUN);
	check_state(r, METRIC_GETC, WIRE_RESULT_NOT_RUN);
	check_state(r, METRIC_SEQ_STAT, WIRE_RESULT_TOO_FAST);
	check_state(r, METRIC_RAN_STAT, WIRE_RESULT_TOO_FAST);
}

static void
read_text(const char *text, struct import *im)
{
	struct error err = { 0 };
	import_init(im);
	if (import_text("test", text, strlen(text), im, &err))
		fail_msg("%s\n%s", err.text, text);
}

static void
test_seeds(void **state)
{
	(void)state;
	static const char *const names[] = { "bonnie-1.03c.txt", "bonnie-1.03c-mail.txt" };
	for (int i = 0; i < 2; i++) {
		struct import im;
		support_import(names[i], &im);
		check_seed(&im, 3093.9);
		assert_string_equal(im.item[0].result->origin, "bonnie++ 1.03c");
		import_fini(&im);
	}
	struct import im;
	read_text(csv_27, &im);
	check_seed(&im, 3093.9);
	import_fini(&im);
}

// The table alone, without the CSV line: seeks have lost a digit, as printed.
static void
test_table_alone(void **state)
{
	(void)state;
	static const char *const names[] = { "tests/data/foreign/bonnie-1.03c.txt", "tests/data/foreign/bonnie-1.03c-mail.txt" };
	for (int i = 0; i < 2; i++) {
		char *text = support_read(names[i], NULL);
		*strstr(text, i ? "> sys26,2G" : "sys26,2G") = '\0';
		struct import im;
		read_text(text, &im);
		check_seed(&im, 3094);
		import_fini(&im);
		free(text);
	}
}

// The row as mail wraps it: at a blank near the end, or the CSV line anywhere.
static void
test_wrapped(void **state)
{
	(void)state;
	struct import im;
	char *text = support_read("tests/data/foreign/bonnie-1.03c-mail.txt", NULL), wrapped[2048];
	char *cut = strstr(text, "  3094  18\n");
	*cut = '\0';
	char *csv = strstr(cut + 1, "> sys26,2G");
	*csv = '\0';
	snprintf(wrapped, sizeof(wrapped), "%s\n> 3094  18\n%s", text, cut + 11);
	read_text(wrapped, &im);
	check_seed(&im, 3094);
	import_fini(&im);
	snprintf(wrapped, sizeof(wrapped), "%s  3094\n>> 18\n%s", text, cut + 11);
	read_text(wrapped, &im);
	check_seed(&im, 3094);
	import_fini(&im);
	free(text);
	for (size_t at = 30; at < strlen(csv_27); at += 7) {
		snprintf(wrapped, sizeof(wrapped), "Hello,\n\n> %.*s\n> %s\n\nbye\n", (int)at, csv_27, csv_27 + at);
		read_text(wrapped, &im);
		check_seed(&im, 3093.9);
		import_fini(&im);
	}
}

static void
test_quoting(void **state)
{
	(void)state;
	assert_string_equal(import_unquote("> > x"), "x");
	assert_string_equal(import_unquote(">>   x"), "  x");
	assert_string_equal(import_unquote(">   x > y"), "  x > y");
	assert_string_equal(import_unquote("  x"), "  x");
	assert_string_equal(import_unquote(">"), "");
}

// Blanks that were squeezed on the way: which phases were skipped can no longer be told.
static void
test_lost_columns(void **state)
{
	(void)state;
	char *text = support_read("tests/data/foreign/bonnie-1.03c.txt", NULL), squeezed[2048];
	size_t n = 0;
	*strstr(text, "sys26,2G") = '\0';
	for (const char *p = text; *p; p++)
		if (p[0] != ' ' || p[1] != ' ')
			squeezed[n++] = *p;
	squeezed[n] = '\0';
	struct import im;
	read_text(squeezed, &im);
	assert_int_equal(im.n, 1);
	assert_true(im.item[0].failed);
	for (int id = METRIC_PUTC; id <= METRIC_RAN_DEL_CPU; id++)
		assert_true(isnan(im.item[0].result->side[SIDE_A].totals[id]));
	import_fini(&im);
	free(text);
}

// Rates of six digits push the rest of a row to the right.
static void
test_wide_row(void **state)
{
	(void)state;
	static const char text[] =
		"Version 1.03e       ------Sequential Output------ --Sequential Input- --Random-\n"
		"                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n"
		"Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP\n"
		"fast            32G           1234567  47 183633  32           2085702  79 +++++ +++\n";
	struct import im;
	read_text(text, &im);
	const struct result *r = im.item[0].result;
	check(r, METRIC_PUT_BLOCK, 1234567, 47);
	check(r, METRIC_REWRITE, 183633, 32);
	check(r, METRIC_GET_BLOCK, 2085702, 79);
	check_state(r, METRIC_GETC, WIRE_RESULT_NOT_RUN);
	check_state(r, METRIC_SEEKS, WIRE_RESULT_TOO_FAST);
	import_fini(&im);
}

// 2.00a prints the number of files (16384) where its create rate belongs: left out, and said.
static void
test_create_rate_of_2_00a(void **state)
{
	(void)state;
	struct import im;
	support_import("bonnie-2.00a.txt", &im);
	assert_int_equal(im.n, 1);
	const struct result *r = im.item[0].result;
	assert_string_equal(r->origin, "bonnie++ 2.00a");
	check(r, METRIC_PUTC, 675, 99);
	check(r, METRIC_PUT_BLOCK, 367 * 1024, 79);
	check(r, METRIC_REWRITE, 846 * 1024, 63);
	check(r, METRIC_GETC, 558, 99);
	check_state(r, METRIC_GET_BLOCK, WIRE_RESULT_TOO_FAST);
	assert_true(isnan(r->side[SIDE_A].totals[METRIC_RAN_CREATE]));
	int said = 0;
	for (int i = 0; i < r->n_warnings; i++)
		said |= strcmp(r->warnings[i].id, "bonnie-create-rate") == 0;
	assert_true(said);
	assert_non_null(strstr(r->params, "latency_put_block=3350us"));
	assert_non_null(strstr(r->params, "latency_ran_del=3378us"));
	import_fini(&im);
}

// What 2.00a really writes: its text and, behind it, its CSV of 50 fields, which replaces the text.
static void
test_real_50_fields(void **state)
{
	(void)state;
	struct import im;
	support_import("bonnie-2.00a-csv.txt", &im);
	assert_int_equal(im.n, 1);
	const struct result *r = im.item[0].result;
	assert_string_equal(r->origin, "bonnie++ 2.00a");
	check(r, METRIC_PUTC, 582, 44);
	check(r, METRIC_GETC, 1003, 48);
	check_state(r, METRIC_SEEKS, WIRE_RESULT_TOO_FAST);
	check_state(r, METRIC_RAN_DEL, WIRE_RESULT_TOO_FAST);
	assert_non_null(strstr(r->params, "latency_ran_del=3578us"));
	assert_non_null(strstr(r->params, "files_x1024=2"));
	import_fini(&im);
}

static void
test_newer_csv(void **state)
{
	(void)state;
	// 50 fields: 7 and 8 are seeks asked and seekers; 48 fields lack these two.
	static const char csv_50[] =
		"1.98,2.00a,host,1,1796072000,2G,,8192,5,675,99,375808,79,866304,63,558,99,+++++,+++,3093.9,905,"
		"16,,,,,7513,99,+++++,+++,5140,98,3964,67,+++++,+++,5652,99,"
		"14321us,3350us,124us,17661us,378us,12073us,514us,265us,1940us,2446us,100us,3378us";
	static const char csv_48[] =
		"1.97,1.97,host,1,1796072000,2G,,675,99,375808,79,866304,63,558,99,+++++,+++,3093.9,905,"
		"16,,,,,7513,99,+++++,+++,5140,98,3964,67,+++++,+++,5652,99,"
		"14321us,3350us,124us,17661us,378us,12073us,514us,265us,1940us,2446us,100us,3378us";
	static const char *const both[] = { csv_50, csv_48 };
	for (int i = 0; i < 2; i++) {
		struct import im;
		read_text(both[i], &im);
		assert_int_equal(im.n, 1);
		const struct result *r = im.item[0].result;
		assert_string_equal(im.item[0].name, "host");
		assert_string_equal(r->origin, i ? "bonnie++ 1.97" : "bonnie++ 2.00a");
		check(r, METRIC_PUTC, 675, 99);
		check(r, METRIC_PUT_BLOCK, 375808, 79);
		check(r, METRIC_SEEKS, 3093.9, 905);
		check(r, METRIC_SEQ_CREATE, 7513, 99);
		check(r, METRIC_RAN_DEL, 5652, 99);
		check_state(r, METRIC_GET_BLOCK, WIRE_RESULT_TOO_FAST);
		assert_non_null(strstr(r->params, "latency_seeks=12073us"));
		assert_non_null(strstr(r->params, "latency_seq_create=514us"));
		assert_string_equal(r->warnings[0].id, "bonnie-seeks-cpu");
		import_fini(&im);
	}
}

// Several results in one file: two tables, and a run of CSV lines with the header that bonnie++ prints.
static void
test_several(void **state)
{
	(void)state;
	char *one = support_read("tests/data/foreign/bonnie-1.03c.txt", NULL);
	char *two = support_read("tests/data/foreign/bonnie-2.00a.txt", NULL), all[8192];
	struct import im;
	snprintf(all, sizeof(all), "%s\n%s\nname,size,x,x,x,x,x,x,x\nother%s\nthird%s\n", one, two, csv_27 + 5, csv_27 + 5);
	read_text(all, &im);
	assert_int_equal(im.n, 4);
	assert_string_equal(im.item[0].name, "sys26");
	assert_string_equal(im.item[1].name, "test");
	assert_string_equal(im.item[2].name, "other");
	assert_string_equal(im.item[3].name, "third");
	check(im.item[3].result, METRIC_REWRITE, 18633, 12);
	import_fini(&im);
	free(one);
	free(two);
}

// With -s 0 the throughput fields are empty, with -n 0 the last thirteen.
static void
test_parts_not_run(void **state)
{
	(void)state;
	struct import im;
	read_text("box,,,,,,,,,,,,,,16,7513,99,+++++,+++,5140,98,3964,67,+++++,+++,5652,99\n", &im);
	check_state(im.item[0].result, METRIC_PUT_BLOCK, WIRE_RESULT_NOT_RUN);
	check(im.item[0].result, METRIC_SEQ_CREATE, 7513, 99);
	import_fini(&im);
	read_text("box,300M:16k,,,28299,17,18633,12,,,85702,29,3093.9,18,,,,,,,,,,,,,\n", &im);
	check_state(im.item[0].result, METRIC_RAN_DEL, WIRE_RESULT_NOT_RUN);
	check(im.item[0].result, METRIC_SEEKS, 3093.9, 18);
	import_fini(&im);
}

static void
test_shown(void **state)
{
	(void)state;
	struct import im;
	support_import("bonnie-1.03c.txt", &im);
	char *text = support_print(result_write_text, im.item[0].result);
	assert_non_null(strstr(text, "28299 KiB/s"));
	assert_non_null(strstr(text, "3093.9 1/s"));
	assert_non_null(strstr(text, "too fast"));
	assert_non_null(strstr(text, "not run"));
	free(text);
	import_fini(&im);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seeds), cmocka_unit_test(test_table_alone), cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_quoting), cmocka_unit_test(test_lost_columns), cmocka_unit_test(test_wide_row),
		cmocka_unit_test(test_create_rate_of_2_00a), cmocka_unit_test(test_real_50_fields), cmocka_unit_test(test_newer_csv),
		cmocka_unit_test(test_several), cmocka_unit_test(test_parts_not_run), cmocka_unit_test(test_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
