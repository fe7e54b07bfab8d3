// SPDX-License-Identifier: MIT
// Parameters and targets to JSON and back. One rule: the whole stack is kept, so that a file says by itself which
// device was really tested.
#include "session/result_json_setup.h"

#include <ioduel/workload.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/json_util.h"

static const struct param_spec *
find_spec(const char *workload, const char *key)
{
	const struct workload *w = workload_find(workload);
	for (const struct param_spec *spec = w ? w->params : NULL; spec && spec->name; spec++)
		if (strcmp(spec->name, key) == 0)
			return spec;
	return NULL;
}

// A number where the text is nothing but one ("8", "0.5"), in the unit that a bare number has for this key.
static json_t *
param_value_to_json(const char *workload, const char *key, const char *text)
{
	const struct param_spec *spec = find_spec(workload, key);
	double number = NAN;
	if (spec && spec->kind == PARAM_TEXT)
		return json_text_new(text);
	if (spec && spec->kind == PARAM_SIZE) {
		if (param_parse_size(text, &number))
			number = NAN;
	} else if (spec && spec->kind == PARAM_TIME) {
		number = param_parse_time(text, &number) ? NAN : number / 1e9;
	} else if (text[0] && strspn(text, "0123456789.-+eE") == strlen(text)) {
		char *end;
		number = strtod(text, &end);
		if (*end || !isfinite(number) || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
			number = NAN;
	}
	if (!isfinite(number))
		return json_text_new(text);
	if (number == floor(number) && fabs(number) < 9e15)
		return json_integer((json_int_t)number);
	return json_real(number);
}

json_t *
params_to_json(const char *workload, const char *params)
{
	json_t *object = json_object();
	while (object && *params) {
		size_t length = strcspn(params, "\n");
		const char *equals = memchr(params, '=', length);
		if (equals && equals > params) {
			char *key = strndup(params, (size_t)(equals - params));
			char *value = strndup(equals + 1, length - (size_t)(equals + 1 - params));
			json_t *name = key ? json_text_new(key) : NULL;
			if (name && value)
				json_object_set_new(object, json_string_value(name),
						    param_value_to_json(workload, key, value));
			json_decref(name);
			free(key);
			free(value);
		}
		params += length + (params[length] == '\n');
	}
	return object;
}

void
params_from_json(const json_t *object, char *buf, size_t size)
{
	size_t used = 0;
	const char *key;
	json_t *value;
	buf[0] = '\0';
	json_object_foreach((json_t *)object, key, value) {
		char number[64];
		const char *text = number;
		if (json_is_string(value))
			text = json_string_value(value);
		else if (json_is_integer(value))
			snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(value));
		else if (json_is_real(value))
			snprintf(number, sizeof(number), "%.17g", json_real_value(value));
		else
			continue;
		int n = snprintf(buf + used, size - used, "%s=%s\n", key, text);
		if (n < 0 || (size_t)n >= size - used) {
			buf[used] = '\0';
			return;
		}
		used += (size_t)n;
	}
	if (used)
		buf[used - 1] = '\0';
}

static json_t *
known_int_new(int value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *
layer_to_json(const struct layer *layer)
{
	json_t *object = json_object();
	json_put(object, "kind", json_string(layer_kind_name(layer->kind)));
	json_put(object, "parent", layer->parent < 0 ? json_null() : json_integer(layer->parent));
	json_put(object, "name", json_text_new(layer->name));
	json_put(object, "detail", json_text_new(layer->detail));
	json_put(object, "model", json_text_new(layer->model));
	if (layer->has_dev) {
		json_put(object, "major", json_integer(layer->major));
		json_put(object, "minor", json_integer(layer->minor));
	}
	json_put(object, "size_bytes", layer->size_bytes ? json_count_new(layer->size_bytes) : json_null());
	json_put(object, "leaf", json_boolean(layer->leaf));
	json_put(object, "physical", json_boolean(layer->physical));
	json_put(object, "rotational", known_int_new(layer->rotational));
	json_put(object, "write_cache", known_int_new(layer->write_cache));
	json_put(object, "copies", json_integer(layer->copies));
	json_put(object, "redundant", json_boolean(layer->redundant));
	json_put(object, "encrypted", json_boolean(layer->encrypted));
	json_put(object, "compressed", json_boolean(layer->compressed));
	json_put(object, "role", json_string(layer_role_name(layer->role)));
	json_put(object, "discard", known_int_new(layer->discard));
	json_put(object, "queue_depth", layer->queue_depth ? json_integer(layer->queue_depth) : json_null());
	json_put(object, "link", json_text_new(layer->link));
	json_put(object, "scheduler", json_text_new(layer->scheduler));
	json_put(object, "controller", json_text_new(layer->controller));
	return object;
}

static json_t *
stack_to_json(const struct stack *stack)
{
	json_t *object = json_object();
	json_put(object, "path", json_text_new(stack->path));
	json_put(object, "real_path", json_text_new(stack->real_path));
	json_put(object, "fs_type", json_text_new(stack->fs_type));
	json_put(object, "mount_point", json_text_new(stack->mount_point));
	json_put(object, "mount_source", json_text_new(stack->mount_source));
	json_put(object, "mount_options", json_text_new(stack->mount_options));
	json_put(object, "is_memory", json_boolean(stack->is_memory));
	json_put(object, "is_network", json_boolean(stack->is_network));
	json_put(object, "is_device", json_boolean(stack->is_device));
	json_put(object, "fs_size_bytes", stack->fs_size_bytes ? json_count_new(stack->fs_size_bytes) : json_null());
	json_put(object, "fs_free_bytes", stack->fs_free_bytes ? json_count_new(stack->fs_free_bytes) : json_null());
	json_put(object, "truncated", json_boolean(stack->truncated));
	json_t *layers = json_array();
	for (int i = 0; i < stack->n_layers && i < STACK_LAYERS_MAX; i++)
		json_array_append_new(layers, layer_to_json(&stack->layer[i]));
	json_put(object, "layers", layers);
	return object;
}

static json_t *
devices_to_json(const struct stack *stack)
{
	json_t *array = json_array();
	for (int i = 0; i < stack->n_layers && i < STACK_LAYERS_MAX; i++) {
		const struct layer *layer = &stack->layer[i];
		if (!stack_is_first_leaf(stack, i))
			continue;
		json_t *device = json_object();
		json_put(device, "name", json_text_new(layer->name));
		json_put(device, "model", json_text_new(layer->model));
		json_put(device, "physical", json_boolean(layer->physical));
		json_array_append_new(array, device);
	}
	return array;
}

static const char *const state_names[] = {
	[WIRE_RESULT_NOT_RUN] = "not_run",
	[WIRE_RESULT_TOO_FAST] = "too_fast",
};

const char *
figure_state_name(unsigned state)
{
	return state <= WIRE_RESULT_TOO_FAST ? state_names[state] : NULL;
}

unsigned char
figure_state_parse(const char *name)
{
	for (unsigned char i = WIRE_RESULT_NOT_RUN; name && i <= WIRE_RESULT_TOO_FAST; i++)
		if (strcmp(name, state_names[i]) == 0)
			return i;
	return WIRE_RESULT_OK;
}

void
figures_to_json(const double *figure, const unsigned char *state, json_t *object)
{
	json_t *states = json_object();
	for (int id = 0; id < METRIC_N; id++) {
		const char *name = figure_state_name(state[id]);
		if (isfinite(figure[id]))
			json_put(object, metric_table[id].name, json_real(figure[id]));
		if (name)
			json_put(states, metric_table[id].name, json_string(name));
	}
	if (json_object_size(states) > 0)
		json_put(object, "state", states);
	else
		json_decref(states);
}

void
figures_from_json(const json_t *object, double *figure, unsigned char *state)
{
	const json_t *states = json_object_get(object, "state");
	for (int id = 0; id < METRIC_N; id++) {
		figure[id] = json_get_number(object, metric_table[id].name, NAN);
		state[id] = figure_state_parse(json_string_value(json_object_get(states, metric_table[id].name)));
	}
}

json_t *
side_to_json(const struct result_side *side, const char *workload)
{
	if (!side->present)
		return json_null();
	json_t *object = json_object();
	json_put(object, "path", json_text_new(side->path));
	json_put(object, "label", json_text_new(side->label));
	json_put(object, "params", params_to_json(workload, side->params));
	json_put(object, "fs", side->stack.fs_type[0] ? json_text_new(side->stack.fs_type) : json_null());
	json_put(object, "devices", devices_to_json(&side->stack));
	json_t *totals = json_object();
	figures_to_json(side->totals, side->state, totals);
	if (json_object_size(totals) > 0)
		json_put(object, "totals", totals);
	else
		json_decref(totals);
	if (side->stack.n_layers > 0)
		json_put(object, "stack", stack_to_json(&side->stack));
	return object;
}

// 1, 0, or -1 for what is unknown.
static int
known_int(const json_t *object, const char *key)
{
	int64_t value = json_get_integer(object, key, -1);
	return value > 0 ? 1 : value < 0 ? -1 : 0;
}

static void
layer_from_json(const json_t *object, int index, struct layer *ret)
{
	char kind[32], role[32];
	json_get_text(object, "kind", kind, sizeof(kind));
	json_get_text(object, "role", role, sizeof(role));
	ret->kind = LAYER_UNKNOWN;
	for (int i = 0; i <= LAYER_UNKNOWN; i++)
		if (strcmp(kind, layer_kind_name((enum layer_kind)i)) == 0)
			ret->kind = (enum layer_kind)i;
	for (int i = 0; i <= ROLE_SPECIAL; i++)
		if (strcmp(role, layer_role_name((enum layer_role)i)) == 0)
			ret->role = (enum layer_role)i;
	// A parent always stands before its children, so that no chain can loop.
	int64_t parent = json_get_integer(object, "parent", -1);
	ret->parent = parent >= 0 && parent < index ? (int)parent : -1;
	json_get_text(object, "name", ret->name, sizeof(ret->name));
	json_get_text(object, "detail", ret->detail, sizeof(ret->detail));
	json_get_text(object, "model", ret->model, sizeof(ret->model));
	ret->has_dev = json_object_get(object, "major") && json_object_get(object, "minor");
	ret->major = (unsigned)json_get_integer(object, "major", 0);
	ret->minor = (unsigned)json_get_integer(object, "minor", 0);
	ret->size_bytes = (uint64_t)json_get_integer(object, "size_bytes", 0);
	ret->leaf = json_get_bool(object, "leaf", 0);
	ret->physical = json_get_bool(object, "physical", 0);
	ret->rotational = known_int(object, "rotational");
	ret->write_cache = known_int(object, "write_cache");
	ret->copies = (int)json_clamp(json_get_number(object, "copies", 0), 0, 1000, 0);
	ret->redundant = json_get_bool(object, "redundant", 0);
	ret->encrypted = json_get_bool(object, "encrypted", 0);
	ret->compressed = json_get_bool(object, "compressed", 0);
	ret->discard = known_int(object, "discard");
	ret->queue_depth = (unsigned)json_clamp(json_get_number(object, "queue_depth", 0), 0, INT32_MAX, 0);
	json_get_text(object, "link", ret->link, sizeof(ret->link));
	json_get_text(object, "scheduler", ret->scheduler, sizeof(ret->scheduler));
	json_get_text(object, "controller", ret->controller, sizeof(ret->controller));
}

static void
stack_from_json(const json_t *object, struct stack *ret)
{
	json_get_text(object, "path", ret->path, sizeof(ret->path));
	json_get_text(object, "real_path", ret->real_path, sizeof(ret->real_path));
	json_get_text(object, "fs_type", ret->fs_type, sizeof(ret->fs_type));
	json_get_text(object, "mount_point", ret->mount_point, sizeof(ret->mount_point));
	json_get_text(object, "mount_source", ret->mount_source, sizeof(ret->mount_source));
	json_get_text(object, "mount_options", ret->mount_options, sizeof(ret->mount_options));
	ret->is_memory = json_get_bool(object, "is_memory", 0);
	ret->is_network = json_get_bool(object, "is_network", 0);
	ret->is_device = json_get_bool(object, "is_device", 0);
	ret->fs_size_bytes = (uint64_t)json_get_integer(object, "fs_size_bytes", 0);
	ret->fs_free_bytes = (uint64_t)json_get_integer(object, "fs_free_bytes", 0);
	const json_t *layers = json_object_get(object, "layers");
	size_t n = json_array_size(layers);
	ret->truncated = json_get_bool(object, "truncated", 0) || n > STACK_LAYERS_MAX;
	ret->n_layers = n > STACK_LAYERS_MAX ? STACK_LAYERS_MAX : (int)n;
	for (int i = 0; i < ret->n_layers; i++)
		layer_from_json(json_array_get(layers, (size_t)i), i, &ret->layer[i]);
}

void
side_from_json(const json_t *object, struct result_side *ret)
{
	if (!json_is_object(object) || json_object_size(object) == 0)
		return;
	ret->present = 1;
	json_get_text(object, "path", ret->path, sizeof(ret->path));
	json_get_text(object, "label", ret->label, sizeof(ret->label));
	params_from_json(json_object_get(object, "params"), ret->params, sizeof(ret->params));
	stack_from_json(json_object_get(object, "stack"), &ret->stack);
	figures_from_json(json_object_get(object, "totals"), ret->totals, ret->state);
	if (!ret->stack.fs_type[0])
		json_get_text(object, "fs", ret->stack.fs_type, sizeof(ret->stack.fs_type));
}
