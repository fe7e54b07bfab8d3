// SPDX-License-Identifier: MIT
// Lines of numbers: an interval written and read back.
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/snapshot_pack.h"

#define ORIGIN INT64_C(1000000000000)
#define MS INT64_C(1000000)

// Of a mixture the quantiles of all operations are kept, which no sum or maximum over the classes gives.
static void
test_mixture(void **state)
{
	(void)state;
	struct snapshot_interval interval = { .side = SIDE_B }, back;
	char text[SNAPSHOT_INTERVAL_TEXT];
	interval.w.t0_ns = ORIGIN;
	interval.w.t1_ns = ORIGIN + 100 * MS;
	interval.w.ops[WIRE_READS] = 70;
	interval.w.ops[WIRE_WRITES] = 30;
	for (int i = 0; i < 3; i++) {
		interval.p[WIRE_READS][i] = 100 + i;
		interval.p[WIRE_WRITES][i] = 900 + i;
		interval.p[WIRE_SYNCS][i] = NAN;
		interval.all[i] = 500 + i;
	}
	text[snapshot_interval_print(&interval, ORIGIN, text, sizeof(text))] = '\0';
	assert_int_equal(snapshot_interval_parse(strchr(text, '['), ORIGIN, &back), 0);
	assert_int_equal(back.w.ops[WIRE_READS], 70);
	assert_int_equal(back.w.ops[WIRE_WRITES], 30);
	assert_true(back.all[0] == 500 && back.all[2] == 502 && back.p[WIRE_READS][1] == 101 && isnan(back.p[WIRE_SYNCS][0]));
	// A file without that group: of a mixture it is unknown, of one class it is that one's.
	assert_int_equal(snapshot_interval_parse("[0,1,1,9,9,0,0,0,0,0,0,0,5,5,5,5,5,7,8,9,1,5,5,5,5,5,1,2,3]", 0, &back), 0);
	assert_true(isnan(back.all[0]) && back.p[WIRE_READS][0] == 7);
	assert_int_equal(snapshot_interval_parse("[0,1,1,9,9,0,0,0,0,0,0,0,5,5,5,5,5,7,8,9]", 0, &back), 0);
	assert_true(back.all[0] == 7 && back.all[2] == 9);
	assert_int_equal(snapshot_interval_parse("[0,1,1,9,9,0,0,0,0,0,0,4,5,5,5,5,5,7,8,9]", 0, &back), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_mixture) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
