// SPDX-License-Identifier: MIT
// Records a made-up session of so many hours at ten intervals and samples a second, as a busy NVMe duel would give
// them, then opens it: bytes a second, memory, and the time to the first picture. Fails where a day would take 300 MB.
// Usage: tool_session FILE HOURS; the file is removed again.
#include <ioduel/clock.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/plan.h"
#include "session/snapshot_read.h"
#include "session/snapshot_write.h"

#define MS INT64_C(1000000)
#define TURN_STEPS 50 // five seconds

static double
noise(uint64_t *state, double width)
{
	return width * ((double)(plan_random(state) >> 11) / 9007199254740992.0 - 0.5);
}

static void
make_interval(struct wire_interval *w, struct hist *h, uint64_t *state, int64_t t_ns)
{
	double iops = 34700 * (1 + noise(state, .1));
	int n = (int)(iops / 10);
	hist_init(h);
	memset(w, 0, sizeof(*w));
	// Latencies that spread over some hundred buckets, with a tail.
	for (int i = 0; i < n; i++)
		hist_add(h, (uint64_t)(60000 * exp(fabs(noise(state, 1.6)) * fabs(noise(state, 1.6)) + fabs(noise(state, 1.2)))));
	w->flags = WIRE_COUNTED;
	w->t0_ns = t_ns;
	w->t1_ns = t_ns + 100 * MS + (int64_t)noise(state, 40000);
	w->ops[WIRE_READS] = (uint64_t)n;
	w->bytes[WIRE_READS] = (uint64_t)n * 4096;
	w->inflight = 32;
	w->user_us = (uint64_t)(12000 + noise(state, 2000));
	w->sys_us = (uint64_t)(41000 + noise(state, 5000));
	w->lat_sum_ns[WIRE_READS] = h->sum_ns;
	w->lat_min_ns[WIRE_READS] = h->min_ns;
	w->lat_max_ns[WIRE_READS] = h->max_ns;
}

static void
step_sample(struct sample *s, int side, const struct wire_interval *w, uint64_t *state)
{
	struct disk_sample *d = &s->disks[side];
	s->t_ns = w->t1_ns;
	s->boot_ns = w->t1_ns;
	d->read_ios += w->ops[WIRE_READS];
	d->read_sectors += w->bytes[WIRE_READS] / 512;
	d->read_ticks_ms += 3200;
	d->io_ticks_ms += 100;
	d->queue_ticks_ms += 3200;
	d->inflight = plan_random(state) % 33;
	for (int i = 0; i < 7; i++)
		s->cpu.ticks[i] += plan_random(state) % 12;
	s->memory.free_bytes += 4096 * (plan_random(state) % 512) - 4096 * 256;
	s->memory.available_bytes += 4096 * (plan_random(state) % 512) - 4096 * 256;
	s->memory.cached_bytes += 4096 * (plan_random(state) % 64);
	s->memory.dirty_bytes = 4096 * (plan_random(state) % 64);
	s->memory.nr_dirtied_pages += plan_random(state) % 9;
	for (int i = 0; i < PRESSURE_KINDS; i++) {
		s->pressure[i].some_us += plan_random(state) % 60000;
		s->pressure[i].full_us += plan_random(state) % 50000;
	}
}

static struct result *
make_setup(void)
{
	struct result *r = malloc(sizeof(*r));
	if (!r)
		abort();
	result_init(r);
	snprintf(r->origin, sizeof(r->origin), "ioduel");
	snprintf(r->workload, sizeof(r->workload), "randread");
	snprintf(r->plan.name, sizeof(r->plan.name), "interleave");
	for (unsigned side = 0; side < SIDES; side++) {
		r->side[side].present = 1;
		r->side[side].stack.n_layers = 1;
		r->side[side].stack.layer[0] = (struct layer){ .parent = -1, .leaf = true, .has_dev = true, .major = 259, .minor = side };
	}
	return r;
}

static void
record(const char *path, double hours)
{
	static struct hist h;
	static struct disk_sample disks[2];
	struct sample s = { .n_disks = 2, .disks = disks };
	struct error err;
	struct result *r = make_setup();
	struct snapshot_writer *w = snapshot_new(path, &err);
	uint64_t state = 1;
	if (!w) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	snapshot_header(w, r, 0);
	for (unsigned i = 0; i < 2; i++) {
		disks[i] = (struct disk_sample){ .major = 259, .minor = i, .valid = DISK_RW | DISK_INFLIGHT | DISK_DISCARD | DISK_FLUSH };
		disks[i].read_ios = 900000000;
	}
	s.cpu.valid = 1023;
	s.memory.free_bytes = s.memory.available_bytes = UINT64_C(20) << 30;
	long steps = (long)(hours * 36000);
	for (long i = 0; i < steps; i++) {
		struct wire_interval interval;
		struct hist *hist[WIRE_CLASSES] = { &h, NULL, NULL };
		uint32_t turn = (uint32_t)(i / TURN_STEPS) + 1;
		enum side side = turn % 2 ? SIDE_A : SIDE_B;
		int64_t t = (int64_t)i * 100 * MS;
		if (i % TURN_STEPS == 0) {
			snapshot_mark(w, t, side == SIDE_A ? MARK_TURN_A : MARK_TURN_B, "");
			snapshot_turn(w, side, turn, t, 0, 0);
		}
		make_interval(&interval, &h, &state, t);
		interval.turn = turn;
		snapshot_interval(w, side, &interval, hist);
		step_sample(&s, (int)side, &interval, &state);
		snapshot_sample(w, &s);
		if (i % TURN_STEPS == TURN_STEPS - 1) {
			struct wire_turn_end end = { .turn = turn, .start_ns = t, .end_ns = t };
			snapshot_turn_end(w, side, &end);
		}
		if (i % 100 == 0)
			snapshot_flush(w, 0, &err);
	}
	if (snapshot_finish(w, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	snapshot_free(w);
	result_fini(r);
	free(r);
}

static int
count(void *context, const struct snapshot_interval *interval)
{
	*(long *)context += interval->w.ops[0] > 0;
	return 0;
}

int
main(int argc, char **argv)
{
	struct stat st;
	struct rusage usage;
	struct error err;
	long n = 0;
	if (argc != 3)
		return 2;
	double hours = strtod(argv[2], NULL);
	record(argv[1], hours);
	stat(argv[1], &st);
	getrusage(RUSAGE_SELF, &usage);
	printf("bytes_per_second %.0f\nbytes_per_day %.0f\nrecorder_rss_kb %ld\n", (double)st.st_size / (hours * 3600),
	       (double)st.st_size / hours * 24, usage.ru_maxrss);
	int64_t t0 = clock_now_ns();
	struct snapshot_reader *r = snapshot_read_new(argv[1], &err);
	int64_t t1 = clock_now_ns();
	if (!r)
		return 1;
	const struct snapshot_calls calls = { .interval = count };
	int64_t end = r->origin_ns + r->index.last_ns;
	snapshot_read_series(r, end - 60000 * MS, end, &calls, &n);
	int64_t t2 = clock_now_ns();
	printf("open_ms %.1f\nlast_minute_ms %.1f\nintervals_of_it %ld\n", (double)(t1 - t0) / 1e6, (double)(t2 - t1) / 1e6, n);
	n = 0;
	snapshot_read_series(r, INT64_MIN, INT64_MAX, &calls, &n);
	printf("read_all_ms %.1f\nintervals %ld\n", (double)(clock_now_ns() - t2) / 1e6, n);
	snapshot_read_free(r);
	unlink(argv[1]);
	return (double)st.st_size / hours * 24 > 300e6;
}
