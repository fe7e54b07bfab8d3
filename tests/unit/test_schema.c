// SPDX-License-Identifier: MIT
// Every line of a recorded session fits doc/snapshot.schema.json, and the checker used for that can say no.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "session/snapshot_write.h"
#include "support_result.h"

static json_t *schema_root;

static int fits(const json_t *schema, const json_t *value);

static int
is_type(const char *type, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT: return strcmp(type, "object") == 0;
	case JSON_ARRAY: return strcmp(type, "array") == 0;
	case JSON_STRING: return strcmp(type, "string") == 0;
	case JSON_INTEGER: return strcmp(type, "integer") == 0 || strcmp(type, "number") == 0;
	case JSON_REAL: return strcmp(type, "number") == 0;
	case JSON_TRUE: case JSON_FALSE: return strcmp(type, "boolean") == 0;
	default: return strcmp(type, "null") == 0;
	}
}

static int
fits_type(const json_t *type, const json_t *value)
{
	if (!type)
		return 1;
	if (json_is_string(type))
		return is_type(json_string_value(type), value);
	for (size_t i = 0; i < json_array_size(type); i++)
		if (is_type(json_string_value(json_array_get(type, i)), value))
			return 1;
	return 0;
}

static int
fits_object(const json_t *schema, const json_t *value)
{
	const json_t *properties = json_object_get(schema, "properties"), *more = json_object_get(schema, "additionalProperties");
	const json_t *required = json_object_get(schema, "required");
	const char *key;
	json_t *member;
	for (size_t i = 0; i < json_array_size(required); i++)
		if (!json_object_get(value, json_string_value(json_array_get(required, i))))
			return 0;
	json_object_foreach((json_t *)value, key, member) {
		const json_t *property = json_object_get(properties, key);
		if (property ? !fits(property, member) : json_is_false(more) || (json_is_object(more) && !fits(more, member)))
			return 0;
	}
	return 1;
}

static int
fits_array(const json_t *schema, const json_t *value)
{
	const json_t *items = json_object_get(schema, "items"), *least = json_object_get(schema, "minItems");
	const json_t *most = json_object_get(schema, "maxItems");
	if ((least && (json_int_t)json_array_size(value) < json_integer_value(least)) ||
	    (most && (json_int_t)json_array_size(value) > json_integer_value(most)))
		return 0;
	for (size_t i = 0; items && i < json_array_size(value); i++)
		if (!fits(items, json_array_get(value, i)))
			return 0;
	return 1;
}

static int
fits_choice(const json_t *schema, const json_t *value)
{
	const json_t *choices = json_object_get(schema, "enum"), *one_of = json_object_get(schema, "oneOf");
	int fitting = 0, equal = choices == NULL;
	for (size_t i = 0; i < json_array_size(choices); i++)
		equal |= json_equal(json_array_get(choices, i), value);
	for (size_t i = 0; i < json_array_size(one_of); i++)
		fitting += fits(json_array_get(one_of, i), value);
	return equal && (!one_of || fitting == 1);
}

static int
fits(const json_t *schema, const json_t *value)
{
	const char *ref = json_string_value(json_object_get(schema, "$ref"));
	const json_t *minimum = json_object_get(schema, "minimum"), *constant = json_object_get(schema, "const");
	if (ref) {
		assert_int_equal(strncmp(ref, "#/$defs/", 8), 0);
		const json_t *target = json_object_get(json_object_get(schema_root, "$defs"), ref + 8);
		assert_non_null(target);
		return fits(target, value);
	}
	if (!fits_type(json_object_get(schema, "type"), value) || !fits_choice(schema, value) ||
	    (constant && !json_equal(constant, value)) ||
	    (minimum && json_is_number(value) && json_number_value(value) < json_number_value(minimum)))
		return 0;
	return json_is_object(value) ? fits_object(schema, value) : !json_is_array(value) || fits_array(schema, value);
}

static int
load_schema(void **state)
{
	(void)state;
	char *text = support_read("doc/snapshot.schema.json", NULL);
	schema_root = json_loads(text, 0, NULL);
	free(text);
	return schema_root == NULL;
}

static int
drop_schema(void **state)
{
	(void)state;
	json_decref(schema_root);
	return 0;
}

static void
record(struct snapshot_writer *w, const struct result *r)
{
	struct wire_interval interval = { .turn = 1, .flags = WIRE_COUNTED, .t0_ns = 5, .t1_ns = 100000005,
					  .ops = { 10, 5, 1 }, .bytes = { 40960, 20480, 0 }, .lat_max_ns = { 9, 9, 9 } };
	struct wire_turn_end end = { .turn = 1, .start_ns = 1, .end_ns = 2, .n_results = 3 };
	struct disk_sample disk = { .major = 259, .minor = 0, .valid = DISK_RW, .read_ios = 7 };
	struct sample sample = { .t_ns = 10, .n_disks = 1, .disks = &disk };
	struct hist *h = malloc(sizeof(*h));
	struct hist *hist[WIRE_CLASSES] = { h, NULL, NULL };
	hist_init(h);
	hist_add(h, 88000);
	snprintf(end.result[0].name, sizeof(end.result[0].name), "putc");
	end.result[1].state = WIRE_RESULT_TOO_FAST;
	snprintf(end.result[1].name, sizeof(end.result[1].name), "getc");
	snapshot_header(w, r, 0);
	snapshot_turn(w, SIDE_A, 1, 5, 1, 0);
	snapshot_turn(w, SIDE_B, 2, 5, 0, 1);
	snapshot_interval(w, SIDE_A, &interval, hist);
	snapshot_interval(w, SIDE_A, &interval, NULL);
	for (int i = 0; i < 3; i++, sample.t_ns += 100)
		snapshot_sample(w, &sample);
	snapshot_turn_end(w, SIDE_A, &end);
	for (int kind = MARK_TURN_A; kind <= MARK_THROTTLE; kind++)
		snapshot_mark(w, 6, (enum view_mark_kind)kind, "\xff text \x1b");
	snapshot_warning(w, 6, &r->warnings[0]);
	for (int i = 0; i < r->n_pairs; i++)
		snapshot_pair(w, &r->pairs[i]);
	snapshot_result(w, r);
	free(h);
}

static void
test_every_line_fits(void **state)
{
	(void)state;
	char dir[256], path[400];
	struct error err;
	struct result *r = support_result(6);
	support_dir_make(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/s", dir);
	struct snapshot_writer *w = snapshot_new(path, &err);
	assert_non_null(w);
	r->pairs[1].slice[SIDE_B].state[METRIC_PUTC] = WIRE_RESULT_NOT_RUN;
	r->pairs[2].done[SIDE_A] = 0;
	record(w, r);
	r->side[SIDE_B].present = 0;
	snapshot_result(w, r);
	assert_int_equal(snapshot_finish(w, &err), 0);
	snapshot_free(w);
	char *text = support_read(path, NULL), *rest = NULL;
	int n = 0;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), n++) {
		json_t *object = json_loads(line, 0, NULL);
		assert_non_null(object);
		if (!fits(schema_root, object))
			fail_msg("does not fit: %s", line);
		json_decref(object);
	}
	assert_int_equal(n, 29);
	free(text);
	support_dir_remove(dir);
	result_fini(r);
	free(r);
}

static void
test_what_does_not_fit(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		"{}", "[]", "1", "{\"turn\":{}}", "{\"i\":[1,2]}", "{\"i\":[1,2,3,4,5,6,7,8,9,10,1.5]}", "{\"end_at\":0}",
		"{\"mark\":{\"t_ns\":1,\"kind\":\"strange\",\"text\":\"\"}}", "{\"s\":[1,2,3,4,5]}",
		"{\"mark\":{\"t_ns\":1,\"kind\":\"note\",\"text\":\"\",\"more\":1}}", "{\"ioduel\":2,\"kind\":\"session\"}",
		"{\"pair\":{\"order\":\"AA\",\"counted\":true,\"reason\":\"\",\"a\":null,\"b\":null}}",
	};
	static const char right[] = "{\"pair\":{\"order\":\"AB\",\"counted\":true,\"reason\":\"\",\"a\":null,\"b\":null}}";
	json_t *object = json_loads(right, 0, NULL);
	assert_true(fits(schema_root, object));
	json_decref(object);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		object = json_loads(wrong[i], JSON_DECODE_ANY, NULL);
		if (fits(schema_root, object))
			fail_msg("fits: %s", wrong[i]);
		json_decref(object);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_line_fits), cmocka_unit_test(test_what_does_not_fit) };
	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
