// SPDX-License-Identifier: MIT
// Temperatures in a session: one line for all sensors every ten seconds; read back as how hot each was.
#ifndef IODUEL_SNAPSHOT_HEAT_H
#define IODUEL_SNAPSHOT_HEAT_H

#include <ioduel/sample.h>
#include <jansson.h>

#define SNAPSHOT_HEAT_NS (10 * INT64_C(1000000000))

struct snapshot_sensor {
	char name[48], device[DISK_NAME_MAX]; // device "" = no disk's
	int first_milli_c, last_milli_c, min_milli_c, max_milli_c;
	int limit_milli_c; // as the device states it; 0 = unknown
};

struct snapshot_heat {
	int n;
	struct snapshot_sensor sensor[THERMAL_MAX];
};

// The members of a `heat` line. New reference.
json_t *snapshot_heat_to_json(const struct thermal_sample *thermal, int64_t origin_ns);
// Adds a line's readings. 0 or -EINVAL.
int snapshot_heat_add(struct snapshot_heat *heat, const json_t *object);

#endif
