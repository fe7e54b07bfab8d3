// SPDX-License-Identifier: MIT
// Heat and throttling of a laptop, and of machines that do not tell.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_roots.h"

#include <string.h>

static const struct thermal_zone *
find_zone(const struct thermal_sample *t, const char *name)
{
	for (unsigned i = 0; i < t->n; i++)
		if (strcmp(t->zone[i].name, name) == 0)
			return &t->zone[i];
	return NULL;
}

static void
sensors_belong_to_their_disks(void **state)
{
	struct sample s;
	(void)state;
	roots_sample("laptop", "t0", &s);
	assert_int_equal(s.thermal.n, 5);
	assert_true(s.thermal.t_ns == s.t_ns);
	const struct thermal_zone *zone = find_zone(&s.thermal, "nvme0n1 Composite");
	assert_non_null(zone);
	assert_string_equal(zone->device, "nvme0n1");
	assert_true(zone->milli_c == 81850 && zone->max_milli_c == 83850 && zone->crit_milli_c == 87850);
	assert_int_equal(zone->alarm, 0);
	zone = find_zone(&s.thermal, "nvme0n1 Sensor 2");
	assert_int_equal(zone->alarm, -1);
	assert_true(zone->milli_c == 84850 && zone->max_milli_c == 0); // 65261 degrees are no limit
	assert_null(find_zone(&s.thermal, "nvme0n1 Sensor 1"));	       // and no heat
	zone = find_zone(&s.thermal, "sda temp1");
	assert_true(zone && strcmp(zone->device, "sda") == 0 && zone->max_milli_c == 60000);
	zone = find_zone(&s.thermal, "coretemp Package id 0");
	assert_true(zone && zone->device[0] == '\0');
	assert_null(find_zone(&s.thermal, "coretemp Core 0"));
	assert_non_null(find_zone(&s.thermal, "x86_pkg_temp"));
	assert_null(find_zone(&s.thermal, "broken"));
	sample_fini(&s);
}

static void
throttle_counters_and_clocks(void **state)
{
	struct sample a, b;
	(void)state;
	roots_sample("laptop", "t0", &a);
	roots_sample("laptop", "t1", &b);
	assert_true(a.thermal.throttle_valid && b.thermal.throttle_valid);
	assert_int_equal(a.thermal.throttle_count, 10 + 11 + 12 + 13 + 4 * 40);
	assert_int_equal(b.thermal.throttle_count - a.thermal.throttle_count, 4 * 2 + 4 * 3);
	assert_true(a.thermal.freq_valid);
	assert_near(a.thermal.mean_mhz, 3050, 1e-6);
	assert_near(b.thermal.mean_mhz, 1950, 1e-6);
	assert_int_equal(b.thermal.n, 0);
	sample_fini(&a);
	sample_fini(&b);
}

static void
heat_is_asked_seldom(void **state)
{
	struct sample s;
	(void)state;
	struct sysroot *root = roots_open("laptop", "t0");
	struct probes *probes = probes_new(root, NULL);
	sample_init(&s);
	probes_read(probes, &s);
	int64_t first = s.thermal.t_ns;
	probes_read(probes, &s);
	assert_true(s.t_ns > first);
	assert_true(s.thermal.t_ns == first); // the last values, with their own time
	assert_int_equal(s.thermal.n, 5);
	sample_fini(&s);
	probes_free(probes);
	sysroot_free(root);
}

static void
a_machine_without_sensors_is_unknown(void **state)
{
	struct sample s;
	(void)state;
	roots_sample("idle", "t0", &s);
	assert_int_equal(s.thermal.n, 0);
	assert_true(s.thermal.t_ns == 0 && !s.thermal.throttle_valid && !s.thermal.freq_valid);
	sample_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sensors_belong_to_their_disks),
		cmocka_unit_test(throttle_counters_and_clocks),
		cmocka_unit_test(heat_is_asked_seldom),
		cmocka_unit_test(a_machine_without_sensors_is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
