// SPDX-License-Identifier: MIT
// Numbers of the series lines. One rule: what was read back is what was recorded, to the last counter; a counter
// that went down is a negative difference, not a lost one.
#include "session/snapshot_pack.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/json_util.h"

void
snapshot_devices_find(const struct result *setup, struct snapshot_devices *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (int side = 0; side < SIDES; side++) {
		const struct stack *stack = &setup->side[side].stack;
		for (int i = 0; i < stack->n_layers && i < STACK_LAYERS_MAX; i++) {
			const struct layer *layer = &stack->layer[i];
			int k = 0;
			if (!layer->has_dev)
				continue;
			while (k < ret->n && (ret->item[k].major != layer->major || ret->item[k].minor != layer->minor))
				k++;
			if (k == SNAPSHOT_DEVICES_MAX)
				continue;
			if (k == ret->n) {
				json_copy_text(layer->name, ret->item[k].name, DISK_NAME_MAX);
				ret->item[k].major = layer->major;
				ret->item[k].minor = layer->minor;
				ret->n++;
			}
			ret->item[k].sides |= 1u << side;
		}
	}
}

// Values and places of one group, in the order of the file. The often-changing come first, so that differences can
// be cut at their last non-zero.
#define MEMORY_FIELDS(m) { &(m)->free_bytes, &(m)->available_bytes, &(m)->cached_bytes, &(m)->dirty_bytes, \
			   &(m)->writeback_bytes, &(m)->total_bytes }
#define DISK_FIELDS(d) { &(d)->read_ios, &(d)->read_merges, &(d)->read_sectors, &(d)->read_ticks_ms, \
			 &(d)->write_ios, &(d)->write_merges, &(d)->write_sectors, &(d)->write_ticks_ms, \
			 &(d)->inflight, &(d)->io_ticks_ms, &(d)->queue_ticks_ms, \
			 &(d)->flush_ios, &(d)->flush_ticks_ms, \
			 &(d)->discard_ios, &(d)->discard_merges, &(d)->discard_sectors, &(d)->discard_ticks_ms }
#define MEMORY_N 6
#define DISK_N 17

static void
push(struct snapshot_row *row, int group, uint64_t value)
{
	row->value[group][row->n[group]++] = (int64_t)value;
}

void
snapshot_row_from_sample(const struct sample *s, const struct snapshot_devices *devices, int64_t origin_ns,
			 struct snapshot_row *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->n_groups = GROUP_DEVICE + devices->n;
	push(ret, GROUP_TIME, (uint64_t)(s->t_ns - origin_ns));
	push(ret, GROUP_TIME, (uint64_t)((s->boot_ns - s->t_ns) / 1000000));
	for (int i = 0; i < CPU_FIELDS; i++)
		push(ret, GROUP_CPU, s->cpu.ticks[i]);
	push(ret, GROUP_CPU, s->cpu.valid);
	push(ret, GROUP_CPU, s->cpu.n_cpus);
	push(ret, GROUP_CPU, s->cpu.ticks_per_s);
	const uint64_t *memory[MEMORY_N] = MEMORY_FIELDS(&s->memory);
	for (int i = 0; i < MEMORY_N; i++)
		push(ret, GROUP_MEMORY, *memory[i] / 1024);
	push(ret, GROUP_MEMORY, s->memory.nr_dirtied_pages);
	push(ret, GROUP_MEMORY, s->memory.valid);
	for (int i = 0; i < PRESSURE_KINDS; i++) {
		push(ret, GROUP_PRESSURE, s->pressure[i].some_us);
		push(ret, GROUP_PRESSURE, s->pressure[i].full_us);
	}
	for (int i = 0; i < PRESSURE_KINDS; i++)
		push(ret, GROUP_PRESSURE, s->pressure[i].valid);
	push(ret, GROUP_THERMAL, s->thermal.throttle_count);
	push(ret, GROUP_THERMAL, s->thermal.throttle_valid != 0);
	for (int k = 0; k < devices->n; k++) {
		static const struct disk_sample absent;
		const struct disk_sample *d = sample_find_disk(s, devices->item[k].major, devices->item[k].minor);
		if (!d)
			d = &absent;
		const uint64_t *field[DISK_N] = DISK_FIELDS(d);
		for (int i = 0; i < DISK_N; i++)
			push(ret, GROUP_DEVICE + k, *field[i]);
		push(ret, GROUP_DEVICE + k, d->valid);
	}
}

static int
make_room(struct sample *s, size_t n)
{
	if (s->cap_disks >= n)
		return 0;
	struct disk_sample *disks = realloc(s->disks, n * sizeof(*disks));
	if (!disks)
		return -ENOMEM;
	s->disks = disks;
	s->cap_disks = n;
	return 0;
}

int
snapshot_row_to_sample(const struct snapshot_row *row, const struct snapshot_devices *devices, int64_t origin_ns,
		       struct sample *ret)
{
	const int64_t *cpu = row->value[GROUP_CPU], *memory = row->value[GROUP_MEMORY];
	const int64_t *pressure = row->value[GROUP_PRESSURE];
	const int64_t *time = row->value[GROUP_TIME];
	if (time[0] > JSON_TIME_MAX || time[0] < -JSON_TIME_MAX || time[1] > JSON_TIME_MAX / 1000000 ||
	    time[1] < -JSON_TIME_MAX / 1000000)
		return -EINVAL;
	if (make_room(ret, (size_t)devices->n))
		return -ENOMEM;
	ret->t_ns = (int64_t)((uint64_t)row->value[GROUP_TIME][0] + (uint64_t)origin_ns);
	ret->boot_ns = (int64_t)((uint64_t)ret->t_ns + (uint64_t)row->value[GROUP_TIME][1] * 1000000);
	memset(&ret->thermal, 0, sizeof(ret->thermal));
	for (int i = 0; i < CPU_FIELDS; i++)
		ret->cpu.ticks[i] = (uint64_t)cpu[i];
	ret->cpu.valid = (unsigned)cpu[CPU_FIELDS];
	ret->cpu.n_cpus = (unsigned)cpu[CPU_FIELDS + 1];
	ret->cpu.ticks_per_s = (uint64_t)cpu[CPU_FIELDS + 2];
	uint64_t *field[MEMORY_N] = MEMORY_FIELDS(&ret->memory);
	for (int i = 0; i < MEMORY_N; i++)
		*field[i] = (uint64_t)memory[i] * 1024;
	ret->memory.nr_dirtied_pages = (uint64_t)memory[MEMORY_N];
	ret->memory.valid = (unsigned)memory[MEMORY_N + 1];
	for (int i = 0; i < PRESSURE_KINDS; i++) {
		ret->pressure[i] = (struct pressure_sample){ .some_avg10 = NAN, .full_avg10 = NAN };
		ret->pressure[i].some_us = (uint64_t)pressure[2 * i];
		ret->pressure[i].full_us = (uint64_t)pressure[2 * i + 1];
		ret->pressure[i].valid = (unsigned)pressure[2 * PRESSURE_KINDS + i];
	}
	ret->thermal.throttle_count = (uint64_t)row->value[GROUP_THERMAL][0];
	ret->thermal.throttle_valid = row->value[GROUP_THERMAL][1] != 0;
	ret->n_disks = 0;
	for (int k = 0; k < devices->n; k++) {
		const int64_t *value = row->value[GROUP_DEVICE + k];
		if (value[DISK_N] == 0) // not there at this instant
			continue;
		struct disk_sample *d = &ret->disks[ret->n_disks++];
		memset(d, 0, sizeof(*d));
		memcpy(d->name, devices->item[k].name, sizeof(d->name));
		d->major = devices->item[k].major;
		d->minor = devices->item[k].minor;
		d->valid = (unsigned)value[DISK_N];
		uint64_t *place[DISK_N] = DISK_FIELDS(d);
		for (int i = 0; i < DISK_N; i++)
			*place[i] = (uint64_t)value[i];
	}
	return 0;
}

static size_t
print_number(char *buf, int64_t value)
{
	char digits[24];
	size_t n = 0, used = 0;
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	do
		digits[n++] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		buf[used++] = '-';
	while (n > 0)
		buf[used++] = digits[--n];
	return used;
}

size_t
snapshot_row_print(const struct snapshot_row *row, const struct snapshot_row *before, char *buf, size_t size)
{
	size_t used = (size_t)snprintf(buf, size, before ? "{\"s\":[" : "{\"S\":[");
	for (int g = 0; g < row->n_groups && used + 24 * SNAPSHOT_GROUP_SIZE < size; g++) {
		int64_t value[SNAPSHOT_GROUP_SIZE];
		int n = row->n[g];
		for (int i = 0; i < n; i++)
			value[i] = before ? (int64_t)((uint64_t)row->value[g][i] - (uint64_t)before->value[g][i])
					  : row->value[g][i];
		while (before && n > 0 && value[n - 1] == 0)
			n--;
		if (g)
			buf[used++] = ',';
		buf[used++] = '[';
		for (int i = 0; i < n; i++) {
			if (i)
				buf[used++] = ',';
			used += print_number(buf + used, value[i]);
		}
		buf[used++] = ']';
	}
	return used + (size_t)snprintf(buf + used, size - used, "]}");
}

// Reads a whole number at *text; 0 or -EINVAL.
static int
scan_number(const char **text, int64_t *ret)
{
	const char *p = *text;
	int negative = *p == '-';
	uint64_t value = 0;
	p += negative;
	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (int digits = 0; *p >= '0' && *p <= '9'; p++) {
		if (++digits > 20)
			return -EINVAL;
		value = value * 10 + (uint64_t)(*p - '0');
	}
	*ret = (int64_t)(negative ? 0 - value : value);
	*text = p;
	return 0;
}

int
snapshot_row_parse(const char *text, int difference, struct snapshot_row *row)
{
	int g = 0;
	if (*text++ != '[')
		return -EINVAL;
	if (!difference)
		memset(row, 0, sizeof(*row));
	for (;; g++) {
		int n = 0;
		if (g >= SNAPSHOT_GROUPS || *text++ != '[')
			return -EINVAL;
		while (*text != ']') {
			int64_t value;
			if (n >= SNAPSHOT_GROUP_SIZE || (n > 0 && *text++ != ',') || scan_number(&text, &value))
				return -EINVAL;
			row->value[g][n] = (int64_t)((uint64_t)row->value[g][n] + (uint64_t)value);
			n++;
		}
		if (n > row->n[g])
			row->n[g] = n;
		text++;
		if (*text == ']')
			break;
		if (*text++ != ',')
			return -EINVAL;
	}
	if (g + 1 > row->n_groups)
		row->n_groups = g + 1;
	return 0;
}

static int
classes_used(const struct wire_interval *w)
{
	int n = 0;
	for (int c = 0; c < WIRE_CLASSES; c++)
		n += w->ops[c] > 0;
	return n;
}

static size_t
print_quantiles(const double p[3], char *buf, size_t size)
{
	size_t used = 0;
	for (int i = 0; i < 3; i++)
		used += isfinite(p[i]) && p[i] >= 0 && p[i] < 9e18
			? (size_t)snprintf(buf + used, size - used, ",%" PRId64, (int64_t)p[i])
			: (size_t)snprintf(buf + used, size - used, ",-1");
	return used;
}

size_t
snapshot_interval_print(const struct snapshot_interval *interval, int64_t origin_ns, char *buf, size_t size)
{
	const struct wire_interval *w = &interval->w;
	size_t used = (size_t)snprintf(
		buf, size,
		"{\"i\":[%d,%u,%u,%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",%" PRIu64, interval->side, w->turn, w->flags, w->t1_ns - origin_ns, w->t1_ns - w->t0_ns, w->errors,
		w->short_ios, w->inflight, w->backlog, w->user_us, w->sys_us);
	for (int c = 0; c < WIRE_CLASSES; c++) {
		if (w->ops[c] == 0 && w->bytes[c] == 0)
			continue;
		used += (size_t)snprintf(buf + used, size - used,
					 ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, c, w->ops[c],
					 w->bytes[c], w->lat_sum_ns[c], w->lat_min_ns[c], w->lat_max_ns[c]);
		used += print_quantiles(interval->p[c], buf + used, size - used);
	}
	// Quantiles do not add up: those of a mixture have a group of their own, which counts nothing twice.
	if (classes_used(w) > 1) {
		used += (size_t)snprintf(buf + used, size - used, ",%d,0,0,0,0,0", WIRE_CLASSES);
		used += print_quantiles(interval->all, buf + used, size - used);
	}
	return used + (size_t)snprintf(buf + used, size - used, "]}");
}

#define INTERVAL_HEAD 11
#define INTERVAL_GROUP 9

// The classes, and the mixture where there is one; of a single class they are the same.
static int
parse_groups(const int64_t *from, const int64_t *to, struct snapshot_interval *ret)
{
	struct wire_interval *w = &ret->w;
	for (const int64_t *g = from; g < to; g += INTERVAL_GROUP) {
		if (g[0] < 0 || g[0] > WIRE_CLASSES)
			return -EINVAL;
		double *p = g[0] == WIRE_CLASSES ? ret->all : ret->p[g[0]];
		for (int i = 0; i < 3; i++)
			p[i] = g[6 + i] < 0 ? (double)NAN : (double)g[6 + i];
		if (g[0] == WIRE_CLASSES)
			continue;
		w->ops[g[0]] = (uint64_t)g[1];
		w->bytes[g[0]] = (uint64_t)g[2];
		w->lat_sum_ns[g[0]] = (uint64_t)g[3];
		w->lat_min_ns[g[0]] = (uint64_t)g[4];
		w->lat_max_ns[g[0]] = (uint64_t)g[5];
	}
	for (int c = 0; c < WIRE_CLASSES && classes_used(w) == 1; c++)
		if (w->ops[c] > 0)
			memcpy(ret->all, ret->p[c], sizeof(ret->all));
	return 0;
}

int
snapshot_interval_parse(const char *text, int64_t origin_ns, struct snapshot_interval *ret)
{
	int64_t v[INTERVAL_HEAD + (WIRE_CLASSES + 1) * INTERVAL_GROUP];
	int n = 0;
	if (*text != '[')
		return -EINVAL;
	while (*text != ']') {
		text++; // '[' or ','
		if (n >= (int)(sizeof(v) / sizeof(v[0])) || scan_number(&text, &v[n++]) || (*text != ',' && *text != ']'))
			return -EINVAL;
	}
	if (n < INTERVAL_HEAD || (n - INTERVAL_HEAD) % INTERVAL_GROUP || v[0] < 0 || v[0] >= SIDES || v[4] < 0)
		return -EINVAL;
	if (v[3] > JSON_TIME_MAX || v[3] < -JSON_TIME_MAX || v[4] > JSON_TIME_MAX)
		return -EINVAL;
	memset(ret, 0, sizeof(*ret));
	ret->side = (int)v[0];
	struct wire_interval *w = &ret->w;
	w->turn = (uint32_t)v[1];
	w->flags = (uint32_t)v[2];
	w->t1_ns = (int64_t)((uint64_t)v[3] + (uint64_t)origin_ns);
	w->t0_ns = (int64_t)((uint64_t)w->t1_ns - (uint64_t)v[4]);
	w->errors = (uint64_t)v[5];
	w->short_ios = (uint64_t)v[6];
	w->inflight = (uint64_t)v[7];
	w->backlog = (uint64_t)v[8];
	w->user_us = (uint64_t)v[9];
	w->sys_us = (uint64_t)v[10];
	for (int i = 0; i < 3; i++)
		ret->p[0][i] = ret->p[1][i] = ret->p[2][i] = ret->all[i] = NAN;
	return parse_groups(v + INTERVAL_HEAD, v + n, ret);
}

json_t *
snapshot_hist_to_json(const struct hist *h)
{
	json_t *object = json_object(), *buckets = json_array();
	unsigned last = 0;
	json_put(object, "count", json_count_new(h->count));
	json_put(object, "sum_ns", json_count_new(h->sum_ns));
	json_put(object, "min_ns", json_count_new(h->count ? h->min_ns : 0));
	json_put(object, "max_ns", json_count_new(h->max_ns));
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (h->bucket[i] == 0)
			continue;
		json_array_append_new(buckets, json_integer(i - last));
		json_array_append_new(buckets, json_count_new(h->bucket[i]));
		last = i;
	}
	json_put(object, "buckets", buckets);
	return object;
}

int
snapshot_hist_from_json(const json_t *object, struct hist *ret)
{
	const json_t *buckets = json_object_get(object, "buckets");
	size_t n = json_array_size(buckets);
	int64_t index = 0;
	uint64_t count = 0;
	hist_init(ret);
	if (n % 2 || n / 2 > HIST_BUCKETS)
		return -EINVAL;
	for (size_t i = 0; i < n; i += 2) {
		int64_t step = json_integer_value(json_array_get(buckets, i));
		int64_t add = json_integer_value(json_array_get(buckets, i + 1));
		if (step < 0 || step >= HIST_BUCKETS || (index += step) >= HIST_BUCKETS || add <= 0 ||
		    add > INT64_MAX / 8192)
			return -EINVAL;
		ret->bucket[index] += (uint64_t)add;
		count += (uint64_t)add;
	}
	if (count == 0)
		return 0;
	ret->count = count;
	ret->sum_ns = (uint64_t)json_get_integer(object, "sum_ns", 0);
	ret->min_ns = (uint64_t)json_get_integer(object, "min_ns", 0);
	ret->max_ns = (uint64_t)json_get_integer(object, "max_ns", 0);
	return 0;
}
