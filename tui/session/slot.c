// SPDX-License-Identifier: MIT
// What one side has seen: its devices' samples and its worker's intervals,
// turned into histories and current values. Rule: a value that was not read
// stays unknown, and every rate divides by the measured time.
#include "session/state.h"

#include <ioduel/clock.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

#define HEAT_STEP_NS NS_PER_S
#define RATE_LEAST_NS (20 * NS_PER_MS) // a shorter interval gives no rate worth drawing

// Where a leaf's traffic is counted for this target: at the leaf itself, but not below what others use too: at the
// partition where the target is on one, at the loop device where it lies in a file of another file system.
static const struct layer *
account_layer(const struct stack *stack, const struct layer *leaf)
{
	const struct layer *account = leaf;
	int partition_next = 1;
	for (int i = leaf->parent; i >= 0; i = stack->layer[i].parent) {
		const struct layer *layer = &stack->layer[i];
		if (layer->kind == LAYER_LOOP && layer->has_dev)
			account = layer;
		if (layer->kind == LAYER_PARTITION && layer->has_dev && partition_next)
			account = layer;
		partition_next = 0;
	}
	return account;
}

static void
slot_find_devices(struct slot *slot)
{
	const struct stack *stack = &slot->side->stack;
	slot->n_physical = stack_leaves(stack, slot->physical, SLOT_LEAVES_MAX);
	slot->n_leaves = 0;
	// every leaf layer, not every leaf device: two halves of a mirror on one disk are counted at two places
	for (int i = 0; i < stack->n_layers && slot->n_leaves < SLOT_LEAVES_MAX; i++) {
		if (!stack->layer[i].leaf || !stack->layer[i].has_dev)
			continue;
		const struct layer *account = account_layer(stack, &stack->layer[i]);
		int seen = 0;
		for (int k = 0; k < slot->n_leaves; k++)
			seen |= slot->leaf[k]->major == account->major && slot->leaf[k]->minor == account->minor;
		if (!seen)
			slot->leaf[slot->n_leaves++] = account;
	}
	slot->n_devices = 0;
	for (int i = 0; i < stack->n_layers && slot->n_devices < VIEW_DEVICES_MAX; i++) {
		const struct layer *layer = &stack->layer[i];
		if (!layer->has_dev)
			continue;
		struct view_device *device = &slot->device[slot->n_devices];
		int depth = 0;
		for (int p = layer->parent; p >= 0; p = stack->layer[p].parent)
			depth += stack->layer[p].has_dev;
		memset(device, 0, sizeof(*device));
		memset(&slot->device_last[slot->n_devices], 0, sizeof(slot->device_last[0]));
		snprintf(device->name, sizeof(device->name), "%.*s", (int)sizeof(device->name) - 1, layer->name);
		snprintf(device->what, sizeof(device->what), "%.70s%s%.80s", layer->model,
			 layer->model[0] && layer->detail[0] ? "  " : "", layer->detail);
		device->depth = depth;
		device->leaf = layer->leaf;
		rate_disk(&slot->device_last[0], &slot->device_last[0], 0, &device->rate);
		slot->device_last[slot->n_devices].major = layer->major;
		slot->device_last[slot->n_devices].minor = layer->minor;
		slot->n_devices++;
	}
}

void
slot_init(struct slot *slot, const struct session_side *side, int64_t now_ns)
{
	size_t after = offsetof(struct slot, heat.count) + sizeof(slot->heat.count);

	// Histories clear what time reaches: what was never reached costs no memory.
	memset(slot, 0, offsetof(struct slot, series));
	memset(&slot->heat, 0, offsetof(struct view_heat, count));
	memset((char *)slot + after, 0, sizeof(*slot) - after);
	slot->side = side;
	slot->state = side->present ? SLOT_IDLE : SLOT_EMPTY;
	slot->progress = NAN;
	slot->idle_write_bytes_per_s = NAN;
	slot->cpu_ns_per_io = NAN;
	hist_init(&slot->total);
	for (int i = 0; i < WIRE_CLASSES; i++)
		hist_init(&slot->turn_hist[i]);
	for (int i = 0; i < VIEW_SERIES_N; i++) {
		series_init(&slot->series[i], now_ns);
		slot->now[i] = NAN;
	}
	slot->heat.step_ns = HEAT_STEP_NS;
	slot_find_devices(slot);
}

static void
slot_put(struct slot *slot, enum view_series which, int64_t t0_ns, int64_t t1_ns, double value)
{
	slot->now[which] = value;
	series_add(&slot->series[which], t0_ns, t1_ns, value);
}

// Adds with unknown absorbing nothing: a sum over devices is unknown if one of them is.
static void
sum_device(struct disk_rate *sum, const struct disk_rate *one, double *weight_read, double *weight_write)
{
	sum->read_bytes_per_s += one->read_bytes_per_s;
	sum->write_bytes_per_s += one->write_bytes_per_s;
	sum->read_iops += one->read_iops;
	sum->write_iops += one->write_iops;
	sum->queue += one->queue;
	if (!(one->busy <= sum->busy))
		sum->busy = one->busy;
	if (one->read_iops > 0 && isfinite(one->read_latency_ns)) {
		sum->read_latency_ns += one->read_latency_ns * one->read_iops;
		*weight_read += one->read_iops;
	}
	if (one->write_iops > 0 && isfinite(one->write_latency_ns)) {
		sum->write_latency_ns += one->write_latency_ns * one->write_iops;
		*weight_write += one->write_iops;
	}
}

static void
slot_put_devices(struct slot *slot, const struct disk_rate *sum, double weight_read, double weight_write,
		 int64_t t0_ns, int64_t t1_ns)
{
	double weight = weight_read + weight_write;
	slot_put(slot, VIEW_DEVICE_READ, t0_ns, t1_ns, sum->read_bytes_per_s);
	slot_put(slot, VIEW_DEVICE_WRITE, t0_ns, t1_ns, sum->write_bytes_per_s);
	slot_put(slot, VIEW_DEVICE_IOPS, t0_ns, t1_ns, sum->read_iops + sum->write_iops);
	slot_put(slot, VIEW_QUEUE, t0_ns, t1_ns, sum->queue);
	slot_put(slot, VIEW_BUSY, t0_ns, t1_ns, sum->busy);
	slot_put(slot, VIEW_DEVICE_LAT, t0_ns, t1_ns,
		 weight > 0 ? (sum->read_latency_ns + sum->write_latency_ns) / weight : NAN);
}

static void
slot_add_point(struct slot *slot, const struct sample *sample)
{
	struct slot_point *point = &slot->point[slot->n_points % SLOT_POINTS];
	memset(point, 0, sizeof(*point));
	point->t_ns = sample->t_ns;
	point->disk_ok = slot->n_leaves > 0;
	for (int i = 0; i < slot->n_leaves; i++) {
		const struct disk_sample *disk = sample_find_disk(sample, slot->leaf[i]->major, slot->leaf[i]->minor);
		if (!disk || !(disk->valid & (DISK_RW | DISK_BYTES_ONLY))) {
			point->disk_ok = 0;
			break;
		}
		point->read_bytes += (double)disk->read_sectors * SECTOR_BYTES;
		point->write_bytes += (double)disk->write_sectors * SECTOR_BYTES;
		point->read_ios += (double)disk->read_ios;
		point->write_ios += (double)disk->write_ios;
		point->read_ms += (double)disk->read_ticks_ms;
		point->write_ms += (double)disk->write_ticks_ms;
	}
	unsigned needed = 1u << CPU_USER | 1u << CPU_SYS | 1u << CPU_IDLE;
	point->cpu_ok = (sample->cpu.valid & needed) == needed;
	for (int i = 0; i < CPU_FIELDS; i++)
		point->cpu[i] = (double)sample->cpu.ticks[i];
	point->nr_dirtied_pages = sample->memory.valid & MEM_NR_DIRTIED ? (double)sample->memory.nr_dirtied_pages : NAN;
	const struct pressure_sample *io = &sample->pressure[PRESSURE_IO];
	point->io_pressure_us = io->valid & PRESSURE_SOME ? (double)io->some_us : NAN;
	slot->n_points++;
}

// The first sample after the counted part began gives the base that its device figures start from.
static void
slot_fix_base(struct slot *slot)
{
	if (slot->counting && !slot->have_base)
		slot->have_base = slot_point_at(slot, slot->count_from_ns, &slot->count_base);
}

void
slot_add_sample(struct slot *slot, const struct sample *sample, const struct cpu_rate *cpu, int64_t from_ns,
		int show_cpu)
{
	struct disk_rate sum = {0}, rate;
	double weight_read = 0, weight_write = 0;
	double elapsed_s = (double)(sample->t_ns - from_ns) / 1e9;
	int complete = slot->n_leaves > 0 && from_ns > 0;

	for (int i = 0; i < slot->n_leaves; i++) {
		const struct disk_sample *disk = sample_find_disk(sample, slot->leaf[i]->major, slot->leaf[i]->minor);
		if (disk && slot->leaf_known[i] && from_ns > 0) {
			rate_disk(&slot->leaf_last[i], disk, elapsed_s, &rate);
			sum_device(&sum, &rate, &weight_read, &weight_write);
		} else {
			complete = 0;
		}
		slot->leaf_known[i] = disk != NULL;
		if (disk)
			slot->leaf_last[i] = *disk;
	}
	if (complete) {
		slot_put_devices(slot, &sum, weight_read, weight_write, from_ns, sample->t_ns);
	} else {
		static const enum view_series of_devices[] = {VIEW_DEVICE_READ, VIEW_DEVICE_WRITE, VIEW_DEVICE_IOPS,
							      VIEW_QUEUE, VIEW_BUSY, VIEW_DEVICE_LAT};
		for (size_t i = 0; i < sizeof(of_devices) / sizeof(of_devices[0]); i++)
			slot->now[of_devices[i]] = NAN;
	}
	for (int i = 0; i < slot->n_devices; i++) {
		struct disk_sample *last = &slot->device_last[i];
		const struct disk_sample *disk = sample_find_disk(sample, last->major, last->minor);
		struct disk_sample none = {.major = last->major, .minor = last->minor};
		rate_disk(last, disk ? disk : &none, elapsed_s, &slot->device[i].rate);
		*last = disk ? *disk : none;
	}
	if (cpu && show_cpu) {
		slot_put(slot, VIEW_CPU_USER, from_ns, sample->t_ns, cpu->share[CPU_USER] + cpu->share[CPU_NICE]);
		slot_put(slot, VIEW_CPU_SYS, from_ns, sample->t_ns, cpu->share[CPU_SYS]);
		slot_put(slot, VIEW_CPU_IOWAIT, from_ns, sample->t_ns, cpu->share[CPU_IOWAIT]);
		slot_put(slot, VIEW_CPU_IRQ, from_ns, sample->t_ns, cpu->share[CPU_IRQ] + cpu->share[CPU_SOFTIRQ]);
		slot_put(slot, VIEW_CPU_STEAL, from_ns, sample->t_ns, cpu->share[CPU_STEAL]);
	}
	slot_add_point(slot, sample);
	slot_fix_base(slot);
}

int
slot_point_at(const struct slot *slot, int64_t t_ns, struct slot_point *ret)
{
	int oldest = slot->n_points > SLOT_POINTS ? slot->n_points - SLOT_POINTS : 0;
	for (int i = slot->n_points - 1; i > oldest; i--) {
		const struct slot_point *after = &slot->point[i % SLOT_POINTS];
		const struct slot_point *before = &slot->point[(i - 1) % SLOT_POINTS];
		if (before->t_ns > t_ns || after->t_ns < t_ns)
			continue;
		double span = (double)(after->t_ns - before->t_ns);
		double f = span > 0 ? (double)(t_ns - before->t_ns) / span : 0;
#define BETWEEN(field) ret->field = before->field + f * (after->field - before->field)
		ret->t_ns = t_ns;
		ret->disk_ok = before->disk_ok && after->disk_ok;
		ret->cpu_ok = before->cpu_ok && after->cpu_ok;
		BETWEEN(read_bytes);
		BETWEEN(write_bytes);
		BETWEEN(read_ios);
		BETWEEN(write_ios);
		BETWEEN(read_ms);
		BETWEEN(write_ms);
		BETWEEN(nr_dirtied_pages);
		BETWEEN(io_pressure_us);
		for (int k = 0; k < CPU_FIELDS; k++)
			BETWEEN(cpu[k]);
#undef BETWEEN
		return 1;
	}
	return 0;
}

void
slot_begin_turn(struct slot *slot, uint32_t turn, enum turn_kind kind, int64_t settle_ns, int64_t slice_ns, int64_t now_ns)
{
	slot->turn = turn;
	slot->turn_kind = kind;
	slot->turn_go_ns = slot->turn_begin_ns = slot->last_heard_ns = now_ns;
	slot->turn_settle_ns = settle_ns;
	slot->turn_slice_ns = slice_ns;
	slot->counting = slot->have_base = 0;
	memset(slot->second_work, 0, sizeof(slot->second_work));
	memset(slot->second_time, 0, sizeof(slot->second_time));
	for (int i = 0; i < WIRE_CLASSES; i++)
		hist_init(&slot->turn_hist[i]);
	slot->state = SLOT_RUNNING;
}

void
slot_add_heat(struct slot *slot, int64_t t_ns, const struct hist *const hist[WIRE_CLASSES])
{
	struct view_heat *heat = &slot->heat;
	int64_t column = t_ns / heat->step_ns;
	if (heat->n == 0)
		heat->first_ns = column * heat->step_ns;
	int64_t at = column - heat->first_ns / heat->step_ns;
	if (at < 0)
		return;
	while (at >= heat->n) {
		if (heat->n == VIEW_HEAT_COLS) {
			heat->start = (heat->start + 1) % VIEW_HEAT_COLS;
			heat->first_ns += heat->step_ns;
			at--;
			if (at >= 2 * VIEW_HEAT_COLS) { // a long pause: nothing old would remain
				heat->first_ns += (at - VIEW_HEAT_COLS) * heat->step_ns;
				at = VIEW_HEAT_COLS;
				memset(heat->count, 0, sizeof(heat->count));
			}
		} else {
			heat->n++;
		}
		memset(heat->count[(heat->start + heat->n - 1) % VIEW_HEAT_COLS], 0, sizeof(heat->count[0]));
	}
	uint32_t *cells = heat->count[(heat->start + (int)at) % VIEW_HEAT_COLS];
	for (int c = 0; c < WIRE_CLASSES; c++) {
		if (hist[c]->count == 0)
			continue;
		for (unsigned i = 0; i < HIST_BUCKETS; i++) {
			if (hist[c]->bucket[i] == 0)
				continue;
			double row = (log2((double)hist_midpoint_ns(i) + 1) - 8) * 2;
			int r = row < 0 ? 0 : row >= VIEW_HEAT_ROWS ? VIEW_HEAT_ROWS - 1 : (int)row;
			cells[r] += (uint32_t)hist[c]->bucket[i];
		}
	}
}

static void
slot_count_interval(struct slot *slot, const struct wire_interval *iv, double work)
{
	double elapsed_s = (double)(iv->t1_ns - iv->t0_ns) / 1e9;
	if (!slot->counting) {
		slot->counting = 1;
		slot->count_from_ns = iv->t0_ns;
		slot_fix_base(slot);
	}
	int64_t counted_ns = slot->turn_slice_ns - slot->turn_settle_ns;
	int64_t bin_ns = NS_PER_S;
	while (counted_ns / bin_ns >= SLICE_SECONDS_MAX)
		bin_ns *= 2;
	int64_t bin = ((iv->t0_ns + iv->t1_ns) / 2 - slot->count_from_ns) / bin_ns;
	if (bin >= 0 && bin < SLICE_SECONDS_MAX) {
		slot->second_work[bin] += work;
		slot->second_time[bin] += elapsed_s;
	}
}

void
slot_add_interval(struct slot *slot, const struct wire_interval *iv, const struct hist *const hist[WIRE_CLASSES])
{
	double elapsed_s = (double)(iv->t1_ns - iv->t0_ns) / 1e9;
	struct hist *all = &slot->turn_hist[0];
	static const enum view_series quantile_series[] = {VIEW_LAT_P50, VIEW_LAT_P99, VIEW_LAT_P999};
	static const double quantile[] = {0.5, 0.99, 0.999};

	slot->last_heard_ns = iv->t1_ns;
	if (elapsed_s <= 0)
		return;
	double ops = 0;
	for (int c = 0; c < WIRE_CLASSES; c++)
		ops += (double)iv->ops[c];
	// What comes back while a turn drains was asked for before: over its few milliseconds it would look like a peak.
	if (!(iv->flags & WIRE_DRAIN) && iv->t1_ns - iv->t0_ns >= RATE_LEAST_NS) {
		slot_put(slot, VIEW_APP_READ, iv->t0_ns, iv->t1_ns, (double)iv->bytes[WIRE_READS] / elapsed_s);
		slot_put(slot, VIEW_APP_WRITE, iv->t0_ns, iv->t1_ns, (double)iv->bytes[WIRE_WRITES] / elapsed_s);
		slot_put(slot, VIEW_APP_IOPS, iv->t0_ns, iv->t1_ns, ops / elapsed_s);
	}

	struct hist merged;
	hist_init(&merged);
	for (int c = 0; c < WIRE_CLASSES; c++)
		hist_merge(&merged, hist[c]);
	if (merged.count) {
		for (int i = 0; i < 3; i++)
			slot_put(slot, quantile_series[i], iv->t0_ns, iv->t1_ns, hist_quantile_ns(&merged, quantile[i]));
		slot_put(slot, VIEW_LAT_MAX, iv->t0_ns, iv->t1_ns, (double)merged.max_ns);
		slot_add_heat(slot, iv->t1_ns, hist);
	} else {
		for (int i = VIEW_LAT_P50; i <= VIEW_LAT_MAX; i++)
			slot->now[i] = NAN;
	}
	slot->cpu_ns_per_io = ops > 0 && !(iv->flags & WIRE_CPU_UNKNOWN) ? (double)(iv->user_us + iv->sys_us) * 1e3 / ops : NAN;
	if (iv->flags & WIRE_COUNTED) {
		int by_bytes = slot->side->needs.primary && strstr(slot->side->needs.primary, "bytes") != NULL;
		double bytes = (double)iv->bytes[WIRE_READS] + (double)iv->bytes[WIRE_WRITES];
		slot_count_interval(slot, iv, by_bytes ? bytes : ops);
		for (int c = 0; c < WIRE_CLASSES; c++)
			hist_merge(&all[c], hist[c]);
		hist_merge(&slot->total, &merged);
	}
}
