// SPDX-License-Identifier: MIT
// Random keys, clicks, torn escape sequences and resizes on the real program: it
// never ends by itself, and leaves as cleanly as ever. The seed is printed.
// IODUEL_MONKEY_KEYS and IODUEL_MONKEY_SEED change what it does.
#include "support_ioduel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned long
number_from(const char *name, unsigned long preset)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : preset;
}

static unsigned
monkey_random(uint64_t *s)
{
	*s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*s >> 33);
}

// Keys that leave or stop the program are pressed elsewhere.
static int
is_kept_back(int c)
{
	return c == 'q' || c == 'y' || c == 'Y' || c == 3 || c == 26 || c == 28;
}

static void
monkey_press(struct vt *vt, uint64_t *s)
{
	static const char *const sequences[] = {
		"\t", " ", "\033[A", "\033[B", "\033[C", "\033[D", "\033OA", "\033OD", "\033[H", "\033[F", "\033[5~", "\033[6~", "\033[Z",
		"\033", "\r", "\177", "\033OP", "\033[1;5C", "\033[", "\033[<", "\303", "\303\251", "\360\237\230\200", "\033[200~x\033[201~",
	};
	char text[64];
	unsigned what = monkey_random(s) % 16;

	if (what < 9) {
		int c = (int)(monkey_random(s) % 126 + 1);
		text[0] = (char)(is_kept_back(c) ? 'v' : c);
		text[1] = '\0';
		vt_type(vt, text);
	} else if (what < 13) {
		vt_type(vt, sequences[monkey_random(s) % (sizeof(sequences) / sizeof(sequences[0]))]);
	} else if (what < 15) {
		unsigned button = monkey_random(s) % 4, x = monkey_random(s) % 130 + 1, y = monkey_random(s) % 40 + 1;
		snprintf(text, sizeof(text), "\033[<%u;%u;%u%c", button < 2 ? 0u : 62u + button, x, y, button == 1 ? 'm' : 'M');
		vt_type(vt, text);
	} else {
		vt_resize(vt, (int)(monkey_random(s) % 60 + 3), (int)(monkey_random(s) % 180 + 8));
	}
}

static void
survives_a_monkey(void **state)
{
	unsigned long keys = number_from("IODUEL_MONKEY_KEYS", 1500);
	uint64_t seed = number_from("IODUEL_MONKEY_SEED", 20261130), s = seed;
	// A monkey may ask for a file of any size; the disk is not its to fill.
	const struct vt_options options = {.file_bytes_max = 64 << 20};
	struct duel d;

	(void)state;
	print_message("seed %llu, %lu keys\n", (unsigned long long)seed, keys);
	duel_init(&d);
	duel_start_running(&d, &options);
	for (unsigned long i = 0; i < keys; i++) {
		monkey_press(d.vt, &s);
		// Torn sequences are completed by what comes next; now and then the program gets time to draw.
		vt_pump(d.vt, i % 8 == 0 ? 5 : 0);
		if (kill(vt_pid(d.vt), 0) != 0)
			fail_msg("the program ended at key %lu", i);
	}
	// Whatever is open, Esc closes it; then the screen is back.
	vt_resize(d.vt, 36, 120);
	for (int i = 0; i < 4; i++) {
		vt_pump(d.vt, 100);
		vt_type(d.vt, "\033");
	}
	vt_pump(d.vt, 100);
	vt_type(d.vt, "1\014");
	assert_true(vt_wait_text(d.vt, "verdict"));
	duel_note_workers(&d);
	duel_quit(&d);
	duel_assert_clean(&d);
	duel_fini(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(survives_a_monkey)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
