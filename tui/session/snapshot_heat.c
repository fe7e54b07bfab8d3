// SPDX-License-Identifier: MIT
// Temperatures as lines of a session. One rule: a sensor that did not answer is left out of its line; none is ever 0
// for want of a reading.
#include "session/snapshot_heat.h"

#include <errno.h>
#include <string.h>

#include "session/json_util.h"

#define MILLI_C_MOST 300000

json_t *
snapshot_heat_to_json(const struct thermal_sample *thermal, int64_t origin_ns)
{
	json_t *object = json_object(), *sensors = json_array();
	json_put(object, "t_ns", json_integer(thermal->t_ns - origin_ns));
	for (unsigned i = 0; i < thermal->n && i < THERMAL_MAX; i++) {
		const struct thermal_zone *zone = &thermal->zone[i];
		int limit = zone->max_milli_c > 0 ? zone->max_milli_c : zone->crit_milli_c;
		json_t *sensor = json_object();
		json_put(sensor, "name", json_text_new(zone->name));
		json_put(sensor, "device", zone->device[0] ? json_text_new(zone->device) : json_null());
		json_put(sensor, "milli_c", json_integer(zone->milli_c));
		json_put(sensor, "limit_milli_c", limit > 0 ? json_integer(limit) : json_null());
		json_array_append_new(sensors, sensor);
	}
	json_put(object, "sensors", sensors);
	return object;
}

static int
add_reading(struct snapshot_heat *heat, const json_t *object)
{
	char name[sizeof(heat->sensor[0].name)], device[sizeof(heat->sensor[0].device)];
	const json_t *value = json_object_get(object, "milli_c");
	int i = 0, milli_c;
	if (!json_is_integer(value) || json_integer_value(value) < -MILLI_C_MOST || json_integer_value(value) > MILLI_C_MOST)
		return -EINVAL;
	milli_c = (int)json_integer_value(value);
	json_get_text(object, "name", name, sizeof(name));
	json_get_text(object, "device", device, sizeof(device));
	while (i < heat->n && (strcmp(heat->sensor[i].name, name) != 0 || strcmp(heat->sensor[i].device, device) != 0))
		i++;
	if (i == THERMAL_MAX)
		return 0;
	struct snapshot_sensor *sensor = &heat->sensor[i];
	if (i == heat->n) {
		heat->n++;
		memset(sensor, 0, sizeof(*sensor));
		strcpy(sensor->name, name);
		strcpy(sensor->device, device);
		sensor->first_milli_c = sensor->min_milli_c = sensor->max_milli_c = milli_c;
	}
	sensor->last_milli_c = milli_c;
	if (milli_c < sensor->min_milli_c)
		sensor->min_milli_c = milli_c;
	if (milli_c > sensor->max_milli_c)
		sensor->max_milli_c = milli_c;
	int64_t limit = json_get_integer(object, "limit_milli_c", 0);
	sensor->limit_milli_c = limit > 0 && limit <= MILLI_C_MOST ? (int)limit : 0;
	return 0;
}

int
snapshot_heat_add(struct snapshot_heat *heat, const json_t *object)
{
	const json_t *sensors = json_object_get(object, "sensors");
	int rc = json_is_array(sensors) ? 0 : -EINVAL;
	for (size_t i = 0; i < json_array_size(sensors) && i < THERMAL_MAX; i++)
		if (add_reading(heat, json_array_get(sensors, i)))
			rc = -EINVAL;
	return rc;
}
