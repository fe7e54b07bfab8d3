// SPDX-License-Identifier: MIT
// Exports: what goes out comes in again, nothing hostile becomes markup, pictures hold numbers only.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "export_now.h"
#include "session/export.h"
#include "session/export_series.h"
#include "session/snapshot_write.h"
#include "support_result.h"

static char *
print(int (*write)(const struct export_source *, FILE *, struct error *), const struct export_source *source)
{
	char *text = NULL;
	size_t size;
	struct error err;
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(write(source, out, &err), 0);
	fclose(out);
	return text;
}

static char *
csv(const struct export_source *source, const char *table)
{
	char *text = NULL;
	size_t size;
	struct error err;
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(export_csv(source, table, out, &err), 0);
	fclose(out);
	return text;
}

static int
count(const char *text, const char *what)
{
	int n = 0;
	for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

static void
drop(struct result *r)
{
	result_fini(r);
	free(r);
}

static void
test_bonnie_comes_back(void **state)
{
	(void)state;
	static const char *const names[] = { "bonnie-1.03c.txt", "bonnie-2.00a.txt" };
	for (int i = 0; i < 2; i++)
		for (int fields = 27; fields <= 50; fields += 23) {
			struct import im, again;
			struct error err = { 0 };
			char *text = NULL;
			size_t size;
			support_import(names[i], &im);
			FILE *out = open_memstream(&text, &size);
			assert_int_equal(export_bonnie(im.item[0].result, fields, out, &err), 0);
			fclose(out);
			import_init(&again);
			if (import_text("again", text, size, &again, &err))
				fail_msg("%s\n%s", err.text, text);
			assert_int_equal(again.n, 1);
			for (int id = METRIC_PUTC; id <= METRIC_RAN_DEL_CPU; id++) {
				const struct result_side *x = &im.item[0].result->side[SIDE_A];
				const struct result_side *y = &again.item[0].result->side[SIDE_A];
				if (isnan(x->totals[id]))
					assert_true(isnan(y->totals[id]));
				else
					support_close(y->totals[id], x->totals[id], 0.5);
			}
			// The text table alone holds the same.
			char *line = strstr(text, i ? "\ntest," : "\nsys26,");
			if (fields == 27) {
				assert_non_null(line);
				line[1] = '\0';
				import_fini(&again);
				assert_int_equal(import_text("again", text, strlen(text), &again, &err), 0);
				assert_false(again.item[0].failed);
			}
			free(text);
			import_fini(&im);
			import_fini(&again);
		}
}

// The line that bonnie++ 1.03c itself printed.
static void
test_bonnie_same_line(void **state)
{
	(void)state;
	struct import im;
	struct error err;
	char *text = NULL, *original = support_read("tests/data/foreign/bonnie-1.03c.txt", NULL);
	size_t size;
	support_import("bonnie-1.03c.txt", &im);
	FILE *out = open_memstream(&text, &size);
	export_bonnie(im.item[0].result, 27, out, &err);
	fclose(out);
	assert_string_equal(text, original);
	free(text);
	free(original);
	struct result *r = support_result(6);
	out = fopen("/dev/null", "w");
	assert_true(export_bonnie(r, 27, out, &err) < 0);
	fclose(out);
	drop(r);
	import_fini(&im);
}

static void
test_csv_tables(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	r->pairs[1].slice[SIDE_A].metric[METRIC_LAT_P99] = NAN;
	snprintf(r->pairs[1].reason, sizeof(r->pairs[1].reason), "a \"b\", c\n=1");
	struct export_source source = { .result = r };
	char *text = csv(&source, "pairs");
	assert_int_equal(count(text, "\n"), 25);
	assert_non_null(strstr(text, "\"a \"\"b\"\", c\\n=1\""));
	assert_non_null(strstr(text, ",,"));
	free(text);
	text = csv(&source, "metrics");
	assert_int_equal(count(text, "\n"), r->n_metrics + 1);
	assert_null(strstr(text, "nan"));
	free(text);
	text = csv(&source, NULL);
	for (int i = 0; export_csv_tables[i]; i++)
		assert_non_null(strstr(text, export_csv_tables[i]));
	free(text);
	struct error err;
	assert_true(export_csv(&source, "nosuch", stdout, &err) < 0);
	assert_int_equal(err.exit_status, EXIT_USAGE);
	drop(r);
}

static void
make_hostile(struct result *r)
{
	static const char evil[] = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)> | `x` [a](b) @x &amp; \x1b[2J\xff";
	snprintf(r->side[SIDE_A].path, sizeof(r->side[SIDE_A].path), "%s", evil);
	snprintf(r->side[SIDE_A].label, sizeof(r->side[SIDE_A].label), "%s", evil);
	snprintf(r->side[SIDE_B].params, sizeof(r->side[SIDE_B].params), "k=%s", evil);
	snprintf(r->workload, sizeof(r->workload), "<b>\x1b&");
	snprintf(r->params, sizeof(r->params), "k=%s", evil);
	snprintf(r->host.name, sizeof(r->host.name), "%s", evil);
	snprintf(r->created, sizeof(r->created), "<i>");
	snprintf(r->plan.order, sizeof(r->plan.order), "<u>");
	snprintf(r->side[SIDE_A].stack.layer[2].model, sizeof(r->side[SIDE_A].stack.layer[2].model), "<script>");
	snprintf(r->pairs[0].reason, sizeof(r->pairs[0].reason), "<script>");
	r->pairs[0].counted = 0;
	snprintf(r->verdict.text, sizeof(r->verdict.text), "%s", evil);
	snprintf(r->metric[0].words, sizeof(r->metric[0].words), "<script>");
	result_warn(r, "evil", LEVEL_RED, WARN_A, "%s", evil);
	snprintf(r->reason[r->n_reasons++], sizeof(r->reason[0]), "<script>");
}

static void
test_hostile_text(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	make_hostile(r);
	struct export_source source = { .result = r };
	char *page = print(export_html, &source), *picture = print(export_svg, &source), *plain = csv(&source, NULL);
	assert_int_equal(count(page, "<script"), 2); // the data and the script of the page itself
	assert_null(strstr(page, "<img"));
	assert_null(strstr(page, "<b>\\"));
	assert_null(strstr(page, "<u>"));
	assert_int_equal(count(picture, "<script"), 0);
	assert_null(strstr(picture, "<img"));
	char *const texts[] = { page, picture, plain };
	for (int i = 0; i < 3; i++)
		for (const char *p = texts[i]; *p; p++)
			assert_true((unsigned char)*p >= 0x20 || *p == '\n');
	free(page);
	free(picture);
	free(plain);
	size_t size;
	char *markdown = NULL;
	FILE *out = open_memstream(&markdown, &size);
	export_markdown(r, out);
	fclose(out);
	assert_null(strstr(markdown, "<script"));
	assert_null(strstr(markdown, "[a]("));
	assert_null(strstr(markdown, "@x"));
	assert_null(strchr(markdown, '\x1b'));
	free(markdown);
	drop(r);
}

// No reference leaves the page, and its policy forbids it.
static void
test_self_contained(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	struct export_source source = { .result = r };
	char *page = print(export_html, &source);
	assert_null(strstr(page, "http:"));
	assert_null(strstr(page, "https:"));
	assert_null(strstr(page, "@import"));
	assert_null(strstr(page, "src="));
	assert_non_null(strstr(page, "default-src 'none'"));
	assert_non_null(strstr(page, "prefers-color-scheme:dark"));
	assert_non_null(strstr(page, "@media print"));
	assert_non_null(strstr(page, "B is 20 % faster than A"));
	assert_non_null(strstr(page, "WD SN850X 1 TB"));
	assert_int_equal(count(page, "<svg"), count(page, "</svg>"));
	assert_int_equal(count(page, "<figure>"), count(page, "</figure>"));
	assert_null(strstr(page, "nan"));
	assert_null(strstr(page, "inf,"));
	free(page);
	drop(r);
}

static void
test_fio_course(void **state)
{
	(void)state;
	struct import im;
	support_import("fio-3.33-status-interval.txt", &im);
	struct export_source source = { .result = im.item[0].result, .stream = &im, .item = 0 };
	struct export_series *s = export_series_new(&source);
	assert_true(s->n > 2);
	assert_true(s->line[EXPORT_OPS][SIDE_A].known);
	assert_false(s->line[EXPORT_OPS][SIDE_B].known);
	free(s);
	char *text = csv(&source, "intervals");
	assert_int_equal(count(text, "\n"), 5);
	free(text);
	text = print(export_svg, &source);
	assert_non_null(strstr(text, "IOPS of the application"));
	free(text);
	import_fini(&im);
}

// A session's course: ten intervals of 1000 operations in 100 ms each, then a gap.
static void
test_session_course(void **state)
{
	(void)state;
	char dir[256], path[400];
	struct error err;
	struct result *r = support_result(6);
	support_dir_make(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/s", dir);
	struct snapshot_writer *w = snapshot_new(path, &err);
	snapshot_header(w, r, 7000000000);
	for (int i = 0; i < 20; i++) {
		int64_t t0 = 7000000000 + i * INT64_C(100000000);
		struct wire_interval v = { .turn = 1, .flags = WIRE_COUNTED, .t0_ns = t0, .t1_ns = t0 + 100000000,
					   .ops = { 1000, 0, 0 }, .bytes = { 4096000, 0, 0 }, .user_us = 20000, .sys_us = 30000 };
		if (i < 5 || i >= 10)
			snapshot_interval(w, i < 5 ? SIDE_A : SIDE_B, &v, NULL);
	}
	assert_int_equal(snapshot_finish(w, &err), 0);
	snapshot_free(w);
	struct snapshot_reader *session = snapshot_read_new(path, &err);
	struct export_source source = { .result = r, .session = session };
	struct export_series *s = export_series_new(&source);
	int n[SIDES] = { 0 };
	for (int i = 0; i < s->n; i++)
		for (int side = 0; side < SIDES; side++)
			if (isfinite(s->line[EXPORT_OPS][side].mean[i])) {
				support_close(s->line[EXPORT_OPS][side].mean[i], 10000, 1e-6);
				support_close(s->line[EXPORT_BYTES][side].mean[i], 40960000, 1e-3);
				support_close(s->line[EXPORT_CPU][side].mean[i], 0.5, 1e-9);
				n[side]++;
			}
	assert_in_range(n[SIDE_A], 4, 5);
	assert_in_range(n[SIDE_B], 9, 10);
	free(s);
	char *text = csv(&source, "intervals");
	assert_int_equal(count(text, "\n"), 16);
	free(text);
	text = print(export_html, &source);
	assert_int_equal(count(text, "class='la'"), 3); // IOPS, bytes, CPU: one stretch of A each
	free(text);
	snapshot_read_free(session);
	support_dir_remove(dir);
	drop(r);
}

static int
write_half(void *context, FILE *out, struct error *err)
{
	fputs("half", out);
	return *(int *)context ? error_set(err, -EIO, "broken") : 0;
}

// `e` in the screen: a new name each time; what exists is replaced only where it was named, and only by a whole file.
static void
test_export_now(void **state)
{
	(void)state;
	char dir[256], path[600], again[600], request[700];
	struct error err;
	struct result *r = support_result(6);
	support_dir_make(dir, sizeof(dir));
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(export_now("html", r, NULL, path, sizeof(path), &err), 0);
	assert_string_equal(path, "ioduel-20261130-200000.html");
	assert_int_equal(export_now("", r, "", again, sizeof(again), &err), 0);
	assert_string_equal(again, "ioduel-20261130-200000-2.html");
	snprintf(request, sizeof(request), "csv %s/a name.csv", dir);
	assert_int_equal(export_now(request, r, NULL, path, sizeof(path), &err), 0);
	snprintf(again, sizeof(again), "%s/a name.csv", dir);
	assert_string_equal(path, again);
	assert_true(export_now("pdf", r, NULL, path, sizeof(path), &err) < 0);
	assert_non_null(strstr(err.text, "pdf is no format"));
	assert_true(export_now("html /nowhere/at/all", r, NULL, path, sizeof(path), &err) < 0);
	int broken = 1;
	assert_int_equal(export_replace(again, write_half, &broken, &err), -EIO);
	char *text = support_read(again, NULL);
	assert_true(strlen(text) > 100);
	free(text);
	broken = 0;
	assert_int_equal(export_replace(again, write_half, &broken, &err), 0);
	text = support_read(again, NULL);
	assert_string_equal(text, "half");
	free(text);
	assert_int_equal(chdir("/"), 0);
	support_dir_remove(dir);
	drop(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bonnie_comes_back), cmocka_unit_test(test_bonnie_same_line),
		cmocka_unit_test(test_csv_tables), cmocka_unit_test(test_hostile_text), cmocka_unit_test(test_self_contained),
		cmocka_unit_test(test_fio_course), cmocka_unit_test(test_session_course), cmocka_unit_test(test_export_now),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
