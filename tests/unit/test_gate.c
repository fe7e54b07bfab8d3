// SPDX-License-Identifier: MIT
// The drain gate, fed with samples by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "session/gate.h"

#define S INT64_C(1000000000)
#define MIB (1024 * 1024)

// One disk, 259:0, at a time in tenths of seconds.
static struct gate_facts
facts(int tenths, uint64_t inflight, uint64_t written_bytes, double dirty_bytes)
{
	struct gate_facts f = {.t_ns = tenths * S / 10, .n_leaves = 1, .dirty_known = 1, .dirty_bytes = dirty_bytes};
	f.leaf[0].major = 259;
	f.leaf[0].inflight_known = f.leaf[0].writes_known = 1;
	f.leaf[0].inflight = inflight;
	f.leaf[0].write_sectors = written_bytes / 512;
	return f;
}

static enum gate_state
feed(struct gate *g, struct gate_facts f)
{
	return gate_feed(g, &f);
}

static struct gate_idle
idle_machine(uint64_t bytes_per_s, double dirty)
{
	struct gate_facts from = facts(0, 0, 0, dirty), to = facts(30, 0, 3 * bytes_per_s, dirty);
	struct gate_idle idle;
	gate_idle_measure(&from, &to, &idle);
	assert_true(idle.known);
	assert_int_equal(idle.n_leaves, 1);
	return idle;
}

static void
test_after_reads(void **state)
{
	(void)state;
	struct gate g;
	struct gate_idle idle = idle_machine(0, 0);
	gate_init(&g, 0, &idle, 0);
	assert_int_equal(feed(&g, facts(1, 3, 0, 500.0 * MIB)), GATE_WAITING);
	assert_string_equal(g.reason, "device 259:0: 3 requests in flight");
	assert_int_equal(feed(&g, facts(2, 0, 900 * MIB, 500.0 * MIB)), GATE_PASSED);
	assert_true(g.drain_ns == 2 * S / 10);
	// Nothing moves a gate that has passed.
	assert_int_equal(feed(&g, facts(3, 9, 0, 0)), GATE_PASSED);
	assert_true(g.drain_ns == 2 * S / 10);
}

// Each leaf needs to be seen empty once, not all at one instant.
static void
test_two_leaves(void **state)
{
	(void)state;
	struct gate g;
	struct gate_facts f = facts(1, 0, 0, 0);
	f.n_leaves = 2;
	f.leaf[1] = f.leaf[0];
	f.leaf[1].minor = 1;
	f.leaf[1].inflight = 2;
	gate_init(&g, 0, NULL, 0);
	assert_int_equal(gate_feed(&g, &f), GATE_WAITING);
	f.t_ns += S / 10;
	f.leaf[0].inflight = 5;
	f.leaf[1].inflight = 0;
	assert_int_equal(gate_feed(&g, &f), GATE_PASSED);
}

static void
test_after_writes(void **state)
{
	(void)state;
	struct gate g;
	struct gate_idle idle = idle_machine(0, 100.0 * MIB);
	gate_init(&g, 1, &idle, 0);
	// Written back at 50 MiB/s for two seconds, then calm.
	for (int t = 1; t < 20; t++)
		assert_int_equal(feed(&g, facts(t, t % 2 == 0, (uint64_t)t * 5 * MIB, (100 + 200.0 - 10 * t) * MIB)), GATE_WAITING);
	enum gate_state last = GATE_WAITING;
	int t = 20;
	for (; t < 60 && last == GATE_WAITING; t++)
		last = feed(&g, facts(t, 0, 100 * MIB, 100.0 * MIB));
	assert_int_equal(last, GATE_PASSED);
	// One whole second without writing lies between, and not much more than two.
	assert_in_range(g.drain_ns, 3 * S, 41 * S / 10);
}

// What other programs write all the time is not a leftover.
static void
test_busy_machine(void **state)
{
	(void)state;
	struct gate g;
	struct gate_idle idle = idle_machine(20 * MIB, 0);
	gate_init(&g, 1, &idle, 0);
	enum gate_state last = GATE_WAITING;
	for (int t = 0; t < 30 && last == GATE_WAITING; t++)
		last = feed(&g, facts(t, 0, (uint64_t)t * 2 * MIB, 0));
	assert_int_equal(last, GATE_PASSED);
	gate_init(&g, 1, &idle, 0);
	for (int t = 0; t <= 40; t++)
		assert_int_equal(feed(&g, facts(t, 0, (uint64_t)t * 3 * MIB, 0)), GATE_WAITING);
	assert_non_null(strstr(g.reason, "MiB/s of write-back"));
}

static void
test_dirty(void **state)
{
	(void)state;
	struct gate g;
	struct gate_idle idle = idle_machine(0, 10.0 * MIB);
	gate_init(&g, 1, &idle, 0);
	for (int t = 0; t < 40; t++)
		assert_int_equal(feed(&g, facts(t, 0, 0, 27.0 * MIB)), GATE_WAITING);
	assert_string_equal(g.reason, "17 MiB still to be written back");
	enum gate_state last = GATE_WAITING;
	for (int t = 40; t < 60 && last == GATE_WAITING; t++)
		last = feed(&g, facts(t, 0, 0, 25.0 * MIB));
	assert_int_equal(last, GATE_PASSED);
}

static void
test_time_out(void **state)
{
	(void)state;
	struct gate g;
	gate_init(&g, 0, NULL, 5 * S);
	assert_int_equal(feed(&g, facts(340, 1, 0, 0)), GATE_WAITING);
	assert_int_equal(feed(&g, facts(350, 1, 0, 0)), GATE_TIMED_OUT);
	assert_true(g.drain_ns == 30 * S);
	assert_non_null(strstr(g.reason, "in flight"));
}

// What cannot be read is not waited for; a counter that went down neither.
static void
test_unknown(void **state)
{
	(void)state;
	struct gate g;
	struct gate_idle idle = idle_machine(0, 0);
	gate_init(&g, 1, &idle, 0);
	struct gate_facts f = facts(0, 7, 1000, 0);
	f.leaf[0].inflight_known = f.leaf[0].writes_known = f.dirty_known = 0;
	assert_int_equal(gate_feed(&g, &f), GATE_WAITING);
	f.t_ns = S;
	assert_int_equal(gate_feed(&g, &f), GATE_PASSED);
	gate_init(&g, 1, &idle, 0);
	feed(&g, facts(0, 0, 900 * MIB, 0));
	assert_int_equal(feed(&g, facts(10, 0, 1, 0)), GATE_PASSED);
	gate_init(&g, 0, NULL, 0);
	f.n_leaves = 0;
	assert_int_equal(gate_feed(&g, &f), GATE_PASSED);
	struct gate_idle none;
	struct gate_facts same = facts(10, 0, 0, 0);
	gate_idle_measure(&same, &same, &none);
	assert_false(none.known);
	assert_int_equal(none.n_leaves, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_after_reads), cmocka_unit_test(test_two_leaves), cmocka_unit_test(test_after_writes),
		cmocka_unit_test(test_busy_machine), cmocka_unit_test(test_dirty), cmocka_unit_test(test_time_out),
		cmocka_unit_test(test_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
