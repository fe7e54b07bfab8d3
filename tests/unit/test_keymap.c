// SPDX-License-Identifier: MIT
// Keys: the table of actions, the configuration's lines, and the bytes that
// terminals send.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "screen/keymap.h"
#include "screen/keys.h"

#include <string.h>

static void
test_defaults_have_no_conflict(void **state)
{
	struct keymap m;

	(void)state;
	keymap_init(&m);
	for (int i = 1; i < ACTIONS; i++) {
		assert_true(m.key[i][0] != 0);
		assert_true(action_table[i].help[0]);
		for (int k = 0; k < KEYMAP_KEYS_MAX && m.key[i][k]; k++)
			assert_int_equal(keymap_find(&m, m.key[i][k]), i);
	}
	assert_int_equal(keymap_find(&m, KEYC_TAB), ACTION_FLIP);
	assert_int_equal(keymap_find(&m, ' '), ACTION_PLAN);
	assert_int_equal(keymap_find(&m, 'q'), ACTION_QUIT);
	assert_int_equal(keymap_find(&m, 0x4e00), ACTION_NONE);
}

static void
test_names_of_keys(void **state)
{
	static const char *const names[] = {"Tab", "Space", "Enter", "Esc", "PageUp", "F1", "F12", "Ctrl-L", "x", "?", "ü"};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_not_equal(key_parse(names[i]), 0);
		key_format(key_parse(names[i]), buf, sizeof(buf));
		assert_string_equal(buf, names[i]);
	}
	assert_int_equal(key_parse("NoKey"), 0);
	assert_int_equal(key_parse(""), 0);
	assert_int_equal(key_parse("F13"), 0);
	assert_int_equal(key_parse("\x1b"), 0);
}

static void
test_configuration(void **state)
{
	struct keymap m;
	struct error err;

	(void)state;
	keymap_init(&m);
	assert_int_equal(keymap_set(&m, "flip", "f, F5", 3, &err), 0);
	assert_int_equal(keymap_find(&m, 'f'), ACTION_FLIP);
	assert_int_equal(keymap_find(&m, KEYC_F5), ACTION_FLIP);
	assert_int_equal(keymap_find(&m, KEYC_TAB), ACTION_NONE);
	// a default gives way without a word
	assert_int_equal(keymap_set(&m, "note", "r", 4, &err), 0);
	assert_int_equal(keymap_find(&m, 'r'), ACTION_NOTE);
	// two lines do not
	assert_true(keymap_set(&m, "export", "f", 9, &err) < 0);
	assert_non_null(strstr(err.text, "line 9"));
	assert_non_null(strstr(err.text, "line 3"));
	assert_non_null(strstr(err.text, "\"flip\""));
	assert_int_equal(keymap_find(&m, 'e'), ACTION_EXPORT);
	assert_true(keymap_set(&m, "no-such", "f", 5, &err) < 0);
	assert_non_null(strstr(err.text, "line 5"));
	assert_true(keymap_set(&m, "quit", "Foo", 6, &err) < 0);
	assert_non_null(strstr(err.text, "Foo"));
	assert_true(keymap_set(&m, "quit", "1 2 3 4 5", 7, &err) < 0);
	assert_int_equal(keymap_set(&m, "quit", "", 8, &err), 0); // no key at all
	assert_int_equal(keymap_find(&m, 'q'), ACTION_NONE);
}

static struct keys keys;

static struct input
next(int final)
{
	struct input in;

	while (keys_next(&keys, final, &in))
		if (in.kind != INPUT_NONE)
			return in;
	return (struct input){INPUT_NONE, 0, 0, 0};
}

static void
feed(const char *bytes)
{
	keys_add(&keys, bytes, strlen(bytes));
}

static void
expect_key(const char *bytes, uint32_t key)
{
	struct input in;

	memset(&keys, 0, sizeof(keys));
	feed(bytes);
	in = next(0);
	assert_int_equal(in.kind, INPUT_KEY);
	assert_int_equal(in.key, key);
	assert_int_equal(keys.n, 0);
}

static void
test_sequences(void **state)
{
	(void)state;
	expect_key("a", 'a');
	expect_key("\xc3\xbc", 0xfc);
	expect_key("\033[A", KEYC_UP);
	expect_key("\033OA", KEYC_UP);
	expect_key("\033[1;5C", KEYC_RIGHT);
	expect_key("\033[H", KEYC_HOME);
	expect_key("\033[1~", KEYC_HOME);
	expect_key("\033[4~", KEYC_END);
	expect_key("\033[5~", KEYC_PAGE_UP);
	expect_key("\033[Z", KEYC_BACK_TAB);
	expect_key("\033OP", KEYC_F1);
	expect_key("\033[[A", KEYC_F1);
	expect_key("\033[24~", KEYC_F12);
	expect_key("\r", KEYC_ENTER);
	expect_key("\n", KEYC_ENTER);
	expect_key("\b", KEYC_BACKSPACE);
}

static void
test_escape_waits_only_for_itself(void **state)
{
	(void)state;
	memset(&keys, 0, sizeof(keys));
	feed("\033");
	assert_int_equal(next(0).kind, INPUT_NONE);
	assert_int_equal(next(1).key, KEYC_ESC);
	feed("\033[");
	assert_int_equal(next(0).kind, INPUT_NONE);
	feed("B"); // the rest came later
	assert_int_equal(next(0).key, KEYC_DOWN);
	feed("\033x"); // Alt-x: both keys
	assert_int_equal(next(0).key, KEYC_ESC);
	assert_int_equal(next(0).key, 'x');
}

static void
test_mouse(void **state)
{
	struct input in;

	(void)state;
	memset(&keys, 0, sizeof(keys));
	feed("\033[<0;12;7M\033[<0;12;7m\033[<64;1;1M\033[<65;1;1M\033[<2;3;3Mq");
	in = next(0);
	assert_int_equal(in.kind, INPUT_CLICK);
	assert_true(in.x == 11 && in.y == 6);
	assert_int_equal(next(0).kind, INPUT_WHEEL_UP);
	assert_int_equal(next(0).kind, INPUT_WHEEL_DOWN);
	assert_int_equal(next(0).key, 'q'); // the other buttons mean nothing
}

// Whatever comes, the buffer empties and no sequence becomes text.
static void
test_garbage(void **state)
{
	uint64_t seed = 7;

	(void)state;
	memset(&keys, 0, sizeof(keys));
	for (int i = 0; i < 200000; i++) {
		char byte;
		seed = seed * UINT64_C(6364136223846793005) + 1;
		byte = (char)(seed >> 40);
		if ((seed >> 50) % 5 == 0)
			byte = "\033[O<;M~"[(seed >> 33) % 7];
		keys_add(&keys, &byte, 1);
		if ((seed >> 36) % 3 == 0)
			next((int)(seed >> 60) & 1);
		if (keys_room(&keys) == 0)
			while (next(0).kind != INPUT_NONE)
				;
		assert_true(keys.n < sizeof(keys.buf));
	}
	while (next(1).kind != INPUT_NONE)
		;
	assert_int_equal(keys.n, 0);
	feed("\033[999999999999999999999~\033[<99999;99999;99999M\xff\xc3(\xe2\x82q");
	assert_int_equal(next(1).key, '(');
	assert_int_equal(next(1).key, 'q');
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults_have_no_conflict), cmocka_unit_test(test_names_of_keys),
		cmocka_unit_test(test_configuration), cmocka_unit_test(test_sequences),
		cmocka_unit_test(test_escape_waits_only_for_itself), cmocka_unit_test(test_mouse), cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
