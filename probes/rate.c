// SPDX-License-Identifier: MIT
// Rates: pure differences of two samples over the measured time between them.
// One rule: a counter that went down, a device that is another one and a value
// that was not read give NAN, never 0 and never a huge number.

#include <ioduel/probe.h>

#include <math.h>

#define MS_PER_S 1000.0
#define NS_PER_MS_REAL 1e6

static const struct disk_rate unknown_disk = {
	NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
};

static double
grown(uint64_t from, uint64_t to)
{
	return to >= from ? (double)(to - from) : NAN;
}

// Mean time per request, NAN where none completed.
static double
mean_ns(uint64_t from_ms, uint64_t to_ms, double requests)
{
	return requests > 0 ? grown(from_ms, to_ms) * NS_PER_MS_REAL / requests : NAN;
}

// Counters of work never go down while a device lives (times may wrap at 32
// bits): a device that was exchanged is recognised by them.
static bool
was_reset(const struct disk_sample *from, const struct disk_sample *to, unsigned valid)
{
	if (valid & (DISK_RW | DISK_BYTES_ONLY))
		if (to->read_ios < from->read_ios || to->write_ios < from->write_ios ||
		    to->read_sectors < from->read_sectors || to->write_sectors < from->write_sectors)
			return true;
	if (valid & DISK_DISCARD)
		if (to->discard_ios < from->discard_ios || to->discard_sectors < from->discard_sectors)
			return true;
	return (valid & DISK_FLUSH) && to->flush_ios < from->flush_ios;
}

static void
rate_work(const struct disk_sample *from, const struct disk_sample *to, double s, struct disk_rate *ret)
{
	double reads = grown(from->read_ios, to->read_ios);
	double writes = grown(from->write_ios, to->write_ios);
	ret->read_iops = reads / s;
	ret->write_iops = writes / s;
	ret->read_latency_ns = mean_ns(from->read_ticks_ms, to->read_ticks_ms, reads);
	ret->write_latency_ns = mean_ns(from->write_ticks_ms, to->write_ticks_ms, writes);
}

static void
rate_inflight(const struct disk_sample *from, const struct disk_sample *to, double s, struct disk_rate *ret)
{
	ret->queue = grown(from->queue_ticks_ms, to->queue_ticks_ms) / (s * MS_PER_S);
	double busy = grown(from->io_ticks_ms, to->io_ticks_ms) / (s * MS_PER_S);
	ret->busy = isnan(busy) || busy < 1 ? busy : 1; // the kernel counts in whole ticks
}

void
rate_disk(const struct disk_sample *from, const struct disk_sample *to, double elapsed_s, struct disk_rate *ret)
{
	*ret = unknown_disk;
	if (!(elapsed_s > 0))
		return;
	ret->elapsed_s = elapsed_s;
	if (to->valid & DISK_INFLIGHT)
		ret->inflight = (double)to->inflight;
	unsigned valid = from->valid & to->valid;
	if (from->major != to->major || from->minor != to->minor || was_reset(from, to, valid))
		return;
	if (valid & (DISK_RW | DISK_BYTES_ONLY)) {
		ret->read_bytes_per_s = grown(from->read_sectors, to->read_sectors) * SECTOR_BYTES / elapsed_s;
		ret->write_bytes_per_s = grown(from->write_sectors, to->write_sectors) * SECTOR_BYTES / elapsed_s;
	}
	if (valid & DISK_RW)
		rate_work(from, to, elapsed_s, ret);
	if (valid & DISK_INFLIGHT)
		rate_inflight(from, to, elapsed_s, ret);
	if (valid & DISK_DISCARD) {
		ret->discard_iops = grown(from->discard_ios, to->discard_ios) / elapsed_s;
		ret->discard_bytes_per_s = grown(from->discard_sectors, to->discard_sectors) * SECTOR_BYTES / elapsed_s;
	}
	if (valid & DISK_FLUSH) {
		double flushes = grown(from->flush_ios, to->flush_ios);
		ret->flush_iops = flushes / elapsed_s;
		ret->flush_latency_ns = mean_ns(from->flush_ticks_ms, to->flush_ticks_ms, flushes);
	}
}

void
rate_cpu(const struct cpu_sample *from, const struct cpu_sample *to, double elapsed_s, struct cpu_rate *ret)
{
	ret->elapsed_s = elapsed_s > 0 ? elapsed_s : NAN;
	double total = 0;
	bool reset = !(elapsed_s > 0) || from->ticks_per_s != to->ticks_per_s;
	for (int i = 0; i < CPU_FIELDS; i++) {
		ret->share[i] = NAN;
		if (!(from->valid & to->valid & 1u << i))
			continue;
		ret->share[i] = grown(from->ticks[i], to->ticks[i]);
		if (!isnan(ret->share[i]))
			total += ret->share[i];
		else if (i != CPU_IOWAIT) // the only field that is known to go back on a healthy kernel
			reset = true;
	}
	for (int i = 0; i < CPU_FIELDS; i++)
		ret->share[i] = reset || !(total > 0) ? NAN : ret->share[i] / total;
}
