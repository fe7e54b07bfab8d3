// SPDX-License-Identifier: MIT
// From a finished turn to the figures of a slice. Rule: what the worker
// counted is divided by the counted time; what the devices and the host did is
// interpolated to the same two instants.
#include "session/state.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define GIB 1073741824.0

static void
slice_quantiles(struct slice *slice, const struct hist *hist, enum metric p50)
{
	slice->metric[p50] = hist_quantile_ns(hist, 0.5);
	slice->metric[p50 + 1] = hist_quantile_ns(hist, 0.99);
	slice->metric[p50 + 2] = hist_quantile_ns(hist, 0.999);
}

static void
slice_latencies(struct slice *slice, const struct slot *slot)
{
	struct hist all;
	const struct hist *h = slot->turn_hist;
	hist_init(&all);
	for (int c = 0; c < WIRE_CLASSES; c++)
		hist_merge(&all, &h[c]);
	slice_quantiles(slice, &all, METRIC_LAT_P50);
	slice_quantiles(slice, &h[WIRE_READS], METRIC_READ_LAT_P50);
	slice_quantiles(slice, &h[WIRE_WRITES], METRIC_WRITE_LAT_P50);
	slice_quantiles(slice, &h[WIRE_SYNCS], METRIC_SYNC_LAT_P50);
	slice->read_ops = (double)h[WIRE_READS].count;
	slice->write_ops = (double)h[WIRE_WRITES].count;
	slice->sync_ops = (double)h[WIRE_SYNCS].count;
}

static void
slice_worker(struct slice *slice, const struct wire_turn_end *end, double counted_s)
{
	double cpu_us = (double)(end->user_us + end->sys_us);
	slice->ops = slice->bytes = 0;
	for (int c = 0; c < WIRE_CLASSES; c++) {
		slice->ops += (double)end->ops[c];
		slice->bytes += (double)end->bytes[c];
	}
	slice->metric[METRIC_IOPS] = slice->ops / counted_s;
	slice->metric[METRIC_READ_BYTES] = (double)end->bytes[WIRE_READS] / counted_s;
	slice->metric[METRIC_WRITE_BYTES] = (double)end->bytes[WIRE_WRITES] / counted_s;
	slice->metric[METRIC_CPU_USER] = (double)end->user_us / 1e6 / counted_s;
	slice->metric[METRIC_CPU_SYS] = (double)end->sys_us / 1e6 / counted_s;
	if (slice->ops > 0)
		slice->metric[METRIC_CPU_NS_PER_IO] = cpu_us * 1e3 / slice->ops;
	if (slice->bytes > 0)
		slice->metric[METRIC_CPU_NS_PER_GIB] = cpu_us * 1e3 / (slice->bytes / GIB);
}

static void
slice_host(struct slice *slice, const struct slot_point *from, const struct slot_point *to)
{
	double total = 0;
	double d[CPU_FIELDS];
	if (!from->cpu_ok || !to->cpu_ok)
		return;
	for (int i = 0; i < CPU_FIELDS; i++) {
		d[i] = to->cpu[i] - from->cpu[i];
		total += d[i];
	}
	if (!(total > 0))
		return;
	slice->metric[METRIC_HOST_CPU_USER] = (d[CPU_USER] + d[CPU_NICE]) / total;
	slice->metric[METRIC_HOST_CPU_SYS] = d[CPU_SYS] / total;
	slice->metric[METRIC_HOST_CPU_IOWAIT] = d[CPU_IOWAIT] / total;
	slice->metric[METRIC_HOST_CPU_IRQ] = (d[CPU_IRQ] + d[CPU_SOFTIRQ]) / total;
	slice->metric[METRIC_HOST_CPU_STEAL] = d[CPU_STEAL] / total;
}

static void
slice_device(struct slice *slice, const struct slot_point *from, const struct slot_point *to, double read_bytes)
{
	double span_s = (double)(to->t_ns - from->t_ns) / 1e9;
	if (!from->disk_ok || !to->disk_ok || !(span_s > 0))
		return;
	double read = to->read_bytes - from->read_bytes;
	double write = to->write_bytes - from->write_bytes;
	double read_ios = to->read_ios - from->read_ios;
	double write_ios = to->write_ios - from->write_ios;
	if (read < 0 || write < 0 || read_ios < 0 || write_ios < 0)
		return;
	slice->metric[METRIC_DEVICE_READ_BYTES] = read / span_s;
	slice->metric[METRIC_DEVICE_WRITE_BYTES] = write / span_s;
	if (read_ios > 0)
		slice->metric[METRIC_DEVICE_READ_LAT] = (to->read_ms - from->read_ms) * 1e6 / read_ios;
	if (write_ios > 0)
		slice->metric[METRIC_DEVICE_WRITE_LAT] = (to->write_ms - from->write_ms) * 1e6 / write_ios;
	if (read_bytes > 0)
		slice->metric[METRIC_CACHE_SHARE] = read >= read_bytes ? 0 : 1 - read / read_bytes;
}

static void
slice_seconds(struct slice *slice, const struct slot *slot)
{
	slice->n_seconds = 0;
	for (int i = 0; i < SLICE_SECONDS_MAX; i++) {
		if (slot->second_time[i] < 0.2)
			continue;
		slice->second[slice->n_seconds++] = (float)(slot->second_work[i] / slot->second_time[i]);
	}
}

void
slice_from_turn(const struct slot *slot, const struct wire_turn_end *end, enum metric primary, struct slice *ret)
{
	double counted_s = (double)(end->count_end_ns - end->count_start_ns) / 1e9;
	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < METRIC_N; i++)
		ret->metric[i] = NAN;
	ret->dirtied_bytes = NAN;
	ret->start_ns = end->start_ns;
	ret->status = end->status;
	ret->counted_ns = end->count_end_ns - end->count_start_ns;
	for (unsigned i = 0; i < end->n_results && i < WIRE_RESULTS_MAX; i++) {
		const struct metric_info *info = metric_find(end->result[i].name);
		if (!info)
			continue;
		ret->state[info->id] = (unsigned char)end->result[i].state;
		if (end->result[i].state == WIRE_RESULT_OK)
			ret->metric[info->id] = end->result[i].value;
	}
	if (counted_s <= 0)
		return;
	if (end->n_results == 0) {
		slice_worker(ret, end, counted_s);
		slice_latencies(ret, slot);
		slice_seconds(ret, slot);
	}
	struct slot_point to;
	int whole_run = end->n_results > 0;
	if (slot->have_base && slot_point_at(slot, end->count_end_ns, &to)) {
		slice_host(ret, &slot->count_base, &to);
		// The kernel's own account of a whole run: the share of time in which some task waited for storage.
		double waited_us = to.io_pressure_us - slot->count_base.io_pressure_us;
		if (whole_run && isnan(ret->metric[METRIC_IO_WAIT_SHARE]) && isfinite(waited_us)) {
			ret->metric[METRIC_IO_WAIT_SHARE] = waited_us / 1e6 / counted_s;
			ret->state[METRIC_IO_WAIT_SHARE] = WIRE_RESULT_OK;
		}
		ret->dirtied_bytes = (to.nr_dirtied_pages - slot->count_base.nr_dirtied_pages) * (double)sysconf(_SC_PAGESIZE);
		slice_device(ret, &slot->count_base, &to,
			     whole_run ? ret->metric[METRIC_READ_TOTAL] : (double)end->bytes[WIRE_READS]);
	}
	(void)primary;
}

double
slice_write_multiplicity(const struct slot *slot, const struct slice *slice)
{
	double written = isfinite(slice->metric[METRIC_WRITTEN_TOTAL])
				 ? slice->metric[METRIC_WRITTEN_TOTAL]
				 : slice->metric[METRIC_WRITE_BYTES] * (double)slice->counted_ns / 1e9;
	if (slot->n_points == 0 || !slot->have_base || !(written > 0))
		return NAN;
	const struct slot_point *to = &slot->point[(slot->n_points - 1) % SLOT_POINTS];
	if (!to->disk_ok || !slot->count_base.disk_ok)
		return NAN;
	double device = to->write_bytes - slot->count_base.write_bytes;
	return device < 0 ? NAN : device / written;
}
