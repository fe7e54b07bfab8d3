// SPDX-License-Identifier: MIT
// Every dialog by keyboard alone and by mouse: what it shows, and which
// command comes out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/paint.h"
#include "support_view.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct canvas canvas;
static struct ui ui;
static struct fake_view *fake;
static struct view *view;
static struct command_event event;
static const char *const dirs[] = {IODUEL_SOURCE_DIR "/themes", NULL};

static int
setup(void **state)
{
	(void)state;
	fake = fake_view_new();
	view = fake_view(fake);
	ui_init(&ui);
	ui.theme_dirs = dirs;
	ui.n_theme_dirs = 1;
	return canvas_resize(&canvas, 120, 36);
}

static int
teardown(void **state)
{
	(void)state;
	fake_view_free(fake);
	return 0;
}

static int
shows(const char *what)
{
	char *text;
	int found;

	paint_frame(&canvas, &ui, view);
	text = canvas_dump(&canvas, NULL);
	found = strstr(text, what) != NULL;
	free(text);
	return found;
}

static void
press(uint32_t key)
{
	struct input input = {INPUT_KEY, key, 0, 0};

	paint_frame(&canvas, &ui, view);
	ui_input(&ui, view, &input, &event);
}

static void
type(const char *text)
{
	for (; *text; text++)
		press((unsigned char)*text);
}

// Clicks on the first hit of a kind; arg -1 = any.
static void
click(enum hit_kind kind, int arg)
{
	paint_frame(&canvas, &ui, view);
	for (int i = ui.n_hits - 1; i >= 0; i--)
		if (ui.hits[i].kind == kind && (arg < 0 || ui.hits[i].arg == arg)) {
			struct input input = {INPUT_CLICK, 0, ui.hits[i].r.x, ui.hits[i].r.y};
			ui_input(&ui, view, &input, &event);
			return;
		}
	fail_msg("nothing to click on");
}

static void
test_help(void **state)
{
	(void)state;
	press('?');
	assert_true(shows("hand over to the other side"));
	type("snapshot");
	assert_true(shows("save a snapshot at once"));
	assert_false(shows("hand over to the other side"));
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_SNAPSHOT);
	press('?');
	press(KEYC_ESC);
	assert_int_equal(ui.dialog.kind, DIALOG_NONE);
}

static void
test_note(void **state)
{
	(void)state;
	press('n');
	type("fan on, q and all");
	press(KEYC_BACKSPACE);
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_NOTE);
	assert_string_equal(event.text, "fan on, q and al");
	press('n');
	type("x");
	press(KEYC_ESC);
	assert_int_equal(event.command, COMMAND_NONE);
	assert_int_equal(ui.dialog.kind, DIALOG_NONE);
}

static void
test_targets(void **state)
{
	(void)state;
	press('t');
	assert_int_equal(event.command, COMMAND_REFRESH);
	assert_true(shows("/boot/efi") && shows("read-only") && shows("memory, not a disk"));
	press(KEYC_DOWN);
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_SET_TARGET_A);
	assert_string_equal(event.text, "/mnt/fast");
	press('t');
	press(KEYC_BACK_TAB);
	press(KEYC_END);
	press(KEYC_ENTER); // refused
	assert_int_equal(event.command, COMMAND_NONE);
	assert_true(shows("read-only"));
	press(KEY_CTRL('u'));
	type("/srv/x");
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_SET_TARGET_B);
	assert_string_equal(event.text, "/srv/x");
}

static void
test_completion(void **state)
{
	struct edit e;
	char hint[256];

	(void)state;
	snprintf(e.text, sizeof(e.text), "%s/tui/scr", IODUEL_SOURCE_DIR);
	dialog_complete(&e, hint, sizeof(hint));
	assert_string_equal(e.text, IODUEL_SOURCE_DIR "/tui/screen/");
	snprintf(e.text, sizeof(e.text), "%s/tui/screen/canv", IODUEL_SOURCE_DIR);
	dialog_complete(&e, hint, sizeof(hint));
	assert_string_equal(e.text, IODUEL_SOURCE_DIR "/tui/screen/canvas.");
	assert_non_null(strstr(hint, "canvas.h"));
	snprintf(e.text, sizeof(e.text), "/no/such/place");
	dialog_complete(&e, hint, sizeof(hint));
	assert_string_equal(e.text, "/no/such/place");
}

static int
field_of(const char *name)
{
	for (int i = 0; i < form_fields(ui.dialog.workload); i++)
		if (strcmp(ui.dialog.workload->params[i].name, name) == 0)
			return i;
	fail_msg("no field %s", name);
	return -1;
}

static void
test_workload(void **state)
{
	int row = 0;

	(void)state;
	while (strcmp(workload_table[row]->name, "randread") != 0)
		row++;
	press('w');
	for (int i = 0; i < row; i++)
		press(KEYC_DOWN);
	press(KEYC_ENTER);
	assert_int_equal(ui.dialog.kind, DIALOG_FORM);
	// what runs now is where the form starts
	assert_string_equal(ui.dialog.value[field_of("qd")].text, "32");
	while (ui.dialog.selected != field_of("qd"))
		press(KEYC_TAB);
	press(KEY_CTRL('u'));
	type("none");
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_NONE);
	assert_true(ui.dialog.error[0]);
	assert_int_equal(ui.dialog.selected, field_of("qd"));
	press(KEY_CTRL('u'));
	type("8");
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_SET_WORKLOAD);
	assert_non_null(strstr(event.text, "randread:"));
	assert_non_null(strstr(event.text, "qd=8"));
	assert_non_null(strstr(event.text, "bs=4k"));
}

static void
test_library(void **state)
{
	(void)state;
	press('o');
	assert_int_equal(event.command, COMMAND_REFRESH);
	press('/');
	type("11-26");
	press(KEYC_ENTER);
	press('b');
	assert_int_equal(event.command, COMMAND_BASELINE);
	assert_string_equal(event.text, view->saved[2].name);
	press('o');
	press('d');
	assert_true(shows("Delete the saved session"));
	press('n');
	assert_int_equal(event.command, COMMAND_NONE);
	press('o');
	press('d');
	press('y');
	assert_int_equal(event.command, COMMAND_DELETE);
	assert_string_equal(event.text, view->saved[0].name);
	press('o');
	click(HIT_ROW, 3);
	click(HIT_ROW, 3);
	assert_int_equal(event.command, COMMAND_OPEN);
	assert_string_equal(event.text, view->saved[3].name);
}

static void
test_theme(void **state)
{
	(void)state;
	press('T');
	assert_true(shows("high-contrast"));
	press(KEYC_END);
	assert_string_not_equal(ui.theme.name, "default"); // seen at once
	press(KEYC_ESC);
	assert_string_equal(ui.theme.name, "default");
	press('T');
	press(KEYC_END);
	press(KEYC_ENTER);
	assert_string_not_equal(ui.theme.name, "default");
	press('S');
	assert_int_equal(event.command, COMMAND_SAVE_CONFIG);
	assert_non_null(strstr(event.text, "layout = side\n"));
}

static void
test_export(void **state)
{
	(void)state;
	press('e');
	press(KEYC_DOWN);
	type("/tmp/r.md");
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_EXPORT);
	assert_string_equal(event.text, "markdown /tmp/r.md");
}

static void
test_destroy(void **state)
{
	(void)state;
	view->destroy = (struct view_destroy){1, SIDE_B, "sdb", "Samsung 870 EVO, 1.0 TB", "sdb 1.0 TB"};
	assert_true(shows("ALL DATA"));
	type("sdb");
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_NONE);
	type(" 1.0 TB");
	press(KEYC_ENTER);
	assert_int_equal(event.command, COMMAND_CONFIRM);
	assert_string_equal(event.text, "sdb 1.0 TB");
	ui.dialog.kind = DIALOG_NONE;
	assert_true(shows("ALL DATA"));
	press(KEYC_ESC);
	assert_int_equal(event.command, COMMAND_CANCEL);
}

static void
test_mouse(void **state)
{
	(void)state;
	press('?');
	click(HIT_BUTTON, (int)KEYC_ESC);
	assert_int_equal(ui.dialog.kind, DIALOG_NONE);
	press('?');
	ui_input(&ui, view, &(struct input){INPUT_CLICK, 0, 0, 0}, &event); // beside it
	assert_int_equal(ui.dialog.kind, DIALOG_NONE);
	view->asking_quit = 1;
	click(HIT_BUTTON, 'n');
	assert_int_equal(event.command, COMMAND_CANCEL);
	click(HIT_BUTTON, 'y');
	assert_int_equal(event.command, COMMAND_CONFIRM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_help, setup, teardown), cmocka_unit_test_setup_teardown(test_note, setup, teardown),
		cmocka_unit_test_setup_teardown(test_targets, setup, teardown),
		cmocka_unit_test_setup_teardown(test_completion, setup, teardown),
		cmocka_unit_test_setup_teardown(test_workload, setup, teardown),
		cmocka_unit_test_setup_teardown(test_library, setup, teardown),
		cmocka_unit_test_setup_teardown(test_theme, setup, teardown), cmocka_unit_test_setup_teardown(test_export, setup, teardown),
		cmocka_unit_test_setup_teardown(test_destroy, setup, teardown), cmocka_unit_test_setup_teardown(test_mouse, setup, teardown),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
