// SPDX-License-Identifier: MIT
// Frames without a terminal: every size, every layout, and thousands of random
// keys, clicks and sizes. Nothing may be drawn outside, nothing may be missing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/paint.h"
#include "support_view.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct canvas canvas;
static struct ui ui;

static const char *
frame(struct view *view, int w, int h)
{
	static char *text;

	assert_int_equal(canvas_resize(&canvas, w, h), 0);
	paint_frame(&canvas, &ui, view);
	free(text);
	text = canvas_dump(&canvas, NULL);
	assert_non_null(text);
	return text;
}

static void
press(struct view *view, uint32_t key, struct command_event *ret)
{
	struct input input = {INPUT_KEY, key, 0, 0};

	ui_input(&ui, view, &input, ret);
}

static void
test_every_size(void **state)
{
	struct fake_view *f = fake_view_new();

	(void)state;
	ui_init(&ui);
	for (int layout = 0; layout < LAYOUT_KINDS; layout++)
		for (int w = 20; w <= 300; w += w < 70 ? 1 : 13)
			for (int h = 6; h <= 100; h += h < 30 ? 1 : 11) {
				const char *text;
				ui.layout = (enum layout_kind)layout;
				ui.glyphs = (enum glyphs)((w + h) % GLYPHS_N);
				text = frame(fake_view(f), w, h);
				if (w < LAYOUT_MIN_W || h < LAYOUT_MIN_H) {
					assert_non_null(strstr(text, "too"));
					assert_non_null(strstr(text, "60x16"));
				} else {
					assert_non_null(strstr(text, "ioduel"));
					assert_non_null(strstr(text, "quit"));
				}
				for (int i = 0; i < ui.n_hits; i++)
					assert_true(ui.hits[i].r.x >= 0 && ui.hits[i].r.x + ui.hits[i].r.w <= w);
			}
	fake_view_free(f);
}

// What is unknown is a dash, never 0.
static void
test_unknown_is_a_dash(void **state)
{
	struct fake_view *f = fake_view_new();
	struct view *view = fake_view(f);

	(void)state;
	ui_init(&ui);
	for (int i = 0; i < VIEW_SERIES_N; i++)
		view->side[SIDE_A].now[i] = view->side[SIDE_B].now[i] = NAN;
	assert_non_null(strstr(frame(view, 120, 36), "IOPS    –"));
	fake_view_free(f);
}

static void
test_control_characters_never_reach_a_cell(void **state)
{
	struct fake_view *f = fake_view_new();
	struct view *view = fake_view(f);

	(void)state;
	ui_init(&ui);
	snprintf(view->side[SIDE_A].label, sizeof(view->side[SIDE_A].label), "/mnt/\033]0;x\007\xff");
	snprintf(view->message, sizeof(view->message), "bad \033[2J\n\xc2\x9b message");
	snprintf(view->workload, sizeof(view->workload), "cmd=\r\033c");
	frame(view, 120, 36);
	for (int i = 0; i < canvas.w * canvas.h; i++) {
		uint32_t ch = canvas.cell[i].ch;
		assert_true(ch == 0 || (ch >= 0x20 && (ch < 0x7f || ch >= 0xa0)));
	}
	fake_view_free(f);
}

static void
test_keys_change_the_picture(void **state)
{
	struct fake_view *f = fake_view_new();
	struct view *view = fake_view(f);
	struct command_event event;

	(void)state;
	ui_init(&ui);
	frame(view, 120, 36);
	press(view, '2', &event);
	assert_non_null(strstr(frame(view, 120, 36), "aligned at the start of the turn"));
	press(view, 'v', &event);
	assert_non_null(strstr(frame(view, 120, 36), "order"));
	press(view, '1', &event);
	frame(view, 120, 36);
	press(view, KEYC_LEFT, &event);
	assert_non_null(strstr(frame(view, 120, 36), "cursor at"));
	press(view, KEYC_ESC, &event);
	assert_null(strstr(frame(view, 120, 36), "cursor at"));
	press(view, KEYC_TAB, &event);
	assert_int_equal(event.command, COMMAND_FLIP);
	press(view, ' ', &event);
	assert_int_equal(event.command, COMMAND_PLAN);
	press(view, 'q', &event);
	assert_int_equal(event.command, COMMAND_QUIT);
	view->asking_quit = 1;
	assert_non_null(strstr(frame(view, 120, 36), "Something runs"));
	press(view, 'y', &event);
	assert_int_equal(event.command, COMMAND_CONFIRM);
	fake_view_free(f);
}

// What only the device saw (a file being laid out) is in no graph of these sections and must not press them flat.
static void
test_scale_is_of_what_is_drawn(void **state)
{
	struct fake_view *f = fake_view_new();
	struct view *view = fake_view(f);
	struct series *writes = (struct series *)(uintptr_t)view->side[SIDE_A].series[VIEW_DEVICE_WRITE];
	int64_t end = view->now_ns;
	char *before;

	(void)state;
	ui_init(&ui);
	before = strdup(frame(view, 120, 36));
	series_add(writes, end - 100000000, end, 5e10);
	assert_string_equal(frame(view, 120, 36), before);
	ui.layout = LAYOUT_DEVICES;
	assert_non_null(strstr(frame(view, 120, 36), "50G"));
	free(before);
	fake_view_free(f);
}

// Each click on the name of a key does what the key does.
static void
test_clicks(void **state)
{
	struct fake_view *f = fake_view_new();
	struct view *view = fake_view(f);
	int flips = 0;

	(void)state;
	ui_init(&ui);
	frame(view, 120, 36);
	for (int i = 0; i < ui.n_hits; i++)
		if (ui.hits[i].kind == HIT_ACTION && ui.hits[i].arg == ACTION_FLIP) {
			struct input click = {INPUT_CLICK, 0, ui.hits[i].r.x, ui.hits[i].r.y};
			struct command_event event;
			ui_input(&ui, view, &click, &event);
			flips += event.command == COMMAND_FLIP;
			break;
		}
	assert_int_equal(flips, 1);
	fake_view_free(f);
}

static uint64_t seed = 20261130;

static unsigned
draw_number(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(seed >> 33) % below;
}

static struct input
random_input(int w, int h)
{
	static const uint32_t special[] = {KEYC_TAB, KEYC_ENTER, KEYC_ESC, KEYC_BACKSPACE, KEYC_BACK_TAB};

	switch (draw_number(6)) {
	case 0: return (struct input){INPUT_CLICK, 0, (int)draw_number((unsigned)w), (int)draw_number((unsigned)h)};
	case 1: return (struct input){draw_number(2) ? INPUT_WHEEL_UP : INPUT_WHEEL_DOWN, 0, 1, 1};
	case 2: return (struct input){INPUT_KEY, KEYC_UP + draw_number(KEYC_LAST - KEYC_UP), 0, 0};
	case 3: return (struct input){INPUT_KEY, special[draw_number(5)], 0, 0};
	default: return (struct input){INPUT_KEY, 32 + draw_number(95), 0, 0};
	}
}

static void
test_monkey(void **state)
{
	struct fake_view *f = fake_view_new();
	struct view *view = fake_view(f);
	static const char *const dirs[] = {IODUEL_SOURCE_DIR "/themes", NULL};
	int w = 120, h = 36;

	(void)state;
	ui_init(&ui);
	ui.theme_dirs = dirs;
	ui.n_theme_dirs = 1;
	for (int i = 0; i < 10000; i++) {
		struct command_event event;
		struct input input = random_input(w, h);
		ui_input(&ui, view, &input, &event);
		if (event.command == COMMAND_QUIT || event.command == COMMAND_CANCEL || event.command == COMMAND_CONFIRM)
			view->asking_quit = event.command == COMMAND_QUIT && draw_number(2);
		if (draw_number(50) == 0) {
			w = 20 + (int)draw_number(200);
			h = 6 + (int)draw_number(60);
		}
		if (draw_number(20) == 0)
			view->destroy.open = !view->destroy.open && draw_number(4) == 0;
		if (draw_number(40) == 0)
			fake_view_advance(f, 700);
		if (i % 3 == 0)
			frame(view, w, h);
	}
	fake_view_free(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size), cmocka_unit_test(test_unknown_is_a_dash),
		cmocka_unit_test(test_control_characters_never_reach_a_cell), cmocka_unit_test(test_keys_change_the_picture),
		cmocka_unit_test(test_scale_is_of_what_is_drawn),
		cmocka_unit_test(test_clicks), cmocka_unit_test(test_monkey),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
