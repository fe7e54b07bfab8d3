// SPDX-License-Identifier: MIT
// Sessions recorded and read: complete, cut anywhere, full disk, hostile; the verdict from the file is the same bytes.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/result_json.h"
#include "session/snapshot_read.h"
#include "session/snapshot_write.h"
#include "support_result.h"

#define ORIGIN INT64_C(1000000000000)
#define MS INT64_C(1000000)

static char dir[256];

static int
make_dir(void **state)
{
	(void)state;
	support_dir_make(dir, sizeof(dir));
	return 0;
}

static int
remove_dir(void **state)
{
	(void)state;
	support_dir_remove(dir);
	return 0;
}

static const char *
path_of(const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void
make_interval(struct wire_interval *w, struct hist *h, uint32_t turn, int64_t t0_ns, int n)
{
	memset(w, 0, sizeof(*w));
	hist_init(h);
	for (int i = 0; i < n; i++)
		hist_add(h, 80000 + (uint64_t)(i * 7919 % 40000));
	w->turn = turn;
	w->flags = WIRE_COUNTED;
	w->t0_ns = t0_ns;
	w->t1_ns = t0_ns + 100 * MS + n % 7;
	w->ops[WIRE_READS] = (uint64_t)n;
	w->bytes[WIRE_READS] = (uint64_t)n * 4096;
	w->user_us = 12345;
	w->sys_us = 45678;
	w->inflight = 32;
	w->lat_sum_ns[WIRE_READS] = h->sum_ns;
	w->lat_min_ns[WIRE_READS] = h->min_ns;
	w->lat_max_ns[WIRE_READS] = h->max_ns;
}

static void
make_sample(struct sample *s, struct disk_sample *disks, int64_t t_ns, uint64_t k)
{
	memset(disks, 0, 2 * sizeof(*disks));
	for (unsigned i = 0; i < 2; i++) {
		disks[i].major = 259;
		disks[i].minor = i;
		snprintf(disks[i].name, sizeof(disks[i].name), "nvme%un1", i);
		disks[i].valid = DISK_RW | DISK_INFLIGHT;
		disks[i].read_ios = 1000000 + k * 3470 * (i == 0);
		disks[i].read_sectors = disks[i].read_ios * 8;
		disks[i].io_ticks_ms = k * 100;
		disks[i].inflight = k % 33;
	}
	s->t_ns = t_ns;
	s->boot_ns = t_ns + 5000 * MS;
	s->disks = disks;
	s->n_disks = 2;
	s->cpu.valid = (1u << CPU_FIELDS) - 1;
	s->cpu.n_cpus = 2;
	s->cpu.ticks_per_s = 100;
	s->cpu.ticks[CPU_USER] = 5000 + k * 3;
	s->cpu.ticks[CPU_IDLE] = 900000 + k * 11;
	s->memory.valid = MEM_TOTAL | MEM_DIRTY;
	s->memory.total_bytes = UINT64_C(25000000) * 1024;
	s->memory.dirty_bytes = (k % 5) * 4096;
	s->pressure[PRESSURE_IO].valid = PRESSURE_SOME;
	s->pressure[PRESSURE_IO].some_us = 77 + k * 1000;
}

// Records a session of the result's pairs: per turn one second of intervals and samples.
static void
record(struct snapshot_writer *w, const struct result *r)
{
	struct wire_interval interval;
	struct wire_turn_end end;
	struct disk_sample disks[2];
	struct sample sample;
	struct hist *h = malloc(sizeof(*h));
	memset(&sample, 0, sizeof(sample));
	uint64_t k = 0;
	snapshot_header(w, r, ORIGIN);
	for (int turn = 0; turn < 2 * r->n_pairs; turn++) {
		enum side side = (turn + (turn / 2) % 2) % 2 ? SIDE_B : SIDE_A;
		int64_t t = ORIGIN + turn * 1000 * MS;
		snapshot_mark(w, t, side ? MARK_TURN_B : MARK_TURN_A, "turn");
		snapshot_turn(w, side, (uint32_t)turn + 1, t, turn / 2 + 1, 0);
		for (int i = 0; i < 10; i++, k++) {
			struct hist *hist[WIRE_CLASSES] = { h, NULL, NULL };
			make_interval(&interval, h, (uint32_t)turn + 1, t + i * 100 * MS, 100 + i);
			snapshot_interval(w, side, &interval, hist);
			make_sample(&sample, disks, t + i * 100 * MS, k);
			snapshot_sample(w, &sample);
		}
		memset(&end, 0, sizeof(end));
		end.turn = (uint32_t)turn + 1;
		end.start_ns = t;
		end.count_start_ns = t + 200 * MS;
		end.count_end_ns = end.end_ns = t + 1000 * MS;
		snapshot_turn_end(w, side, &end);
		if (turn % 2)
			snapshot_pair(w, &r->pairs[turn / 2]);
	}
	snapshot_mark(w, ORIGIN + 1, MARK_NOTE, "a note");
	for (int i = 0; i < r->n_warnings; i++)
		snapshot_warning(w, ORIGIN, &r->warnings[i]);
	free(h);
}

static struct snapshot_writer *
writer_new(const char *path)
{
	struct error err = { 0 };
	struct snapshot_writer *w = snapshot_new(path, &err);
	if (!w)
		fail_msg("%s", err.text);
	return w;
}

static void
write_session(const char *path, const struct result *r)
{
	struct error err = { 0 };
	struct snapshot_writer *w = writer_new(path);
	record(w, r);
	snapshot_result(w, r);
	if (snapshot_finish(w, &err))
		fail_msg("%s", err.text);
	snapshot_free(w);
}

static struct snapshot_reader *
reader_new(const char *path)
{
	struct error err = { 0 };
	struct snapshot_reader *r = snapshot_read_new(path, &err);
	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static void
drop(struct result *r)
{
	result_fini(r);
	free(r);
}

static int
count_interval(void *context, const struct snapshot_interval *interval)
{
	uint64_t *n = context;
	n[0]++;
	n[1] += interval->w.ops[WIRE_READS];
	assert_true(interval->p[WIRE_READS][0] > 80000 && interval->p[WIRE_READS][0] < 120000);
	assert_true(isnan(interval->p[WIRE_WRITES][0]));
	return 0;
}

static int
check_sample(void *context, const struct sample *s)
{
	uint64_t *n = context;
	struct disk_sample disks[2];
	struct sample expected = { 0 };
	make_sample(&expected, disks, s->t_ns, n[2]);
	assert_int_equal(s->t_ns, ORIGIN + (int64_t)n[2] * 100 * MS);
	assert_int_equal(s->boot_ns, expected.boot_ns);
	assert_memory_equal(&s->cpu, &expected.cpu, sizeof(s->cpu));
	assert_memory_equal(&s->memory, &expected.memory, sizeof(s->memory));
	assert_int_equal(s->n_disks, 2);
	assert_memory_equal(s->disks, expected.disks, sizeof(disks));
	assert_int_equal(s->pressure[PRESSURE_IO].some_us, expected.pressure[PRESSURE_IO].some_us);
	n[2]++;
	return 0;
}

static int
count_hist(void *context, int side, int class, int64_t t0_ns, int64_t t1_ns, const struct hist *h)
{
	uint64_t *n = context;
	assert_int_equal(class, WIRE_READS);
	assert_true(side == SIDE_A || side == SIDE_B);
	assert_true(t0_ns >= ORIGIN && t1_ns > t0_ns);
	n[3] += h->count;
	return 0;
}

static void
test_whole(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	write_session(path_of("s.ioduel"), r);
	struct stat st;
	assert_int_equal(stat(path_of("s.ioduel"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644 & ~umask(0));
	assert_int_not_equal(access(path_of("s.ioduel.partial"), F_OK), 0);
	struct snapshot_reader *s = reader_new(path_of("s.ioduel"));
	assert_true(s->finished);
	assert_string_equal(s->sentence, "");
	assert_int_equal(s->bad_lines, 0);
	assert_int_equal(s->n_turns, 24);
	assert_int_equal(s->turns[3].turn, 4);
	assert_int_equal(s->turns[3].pair, 2);
	assert_int_equal(s->turns[3].count_start_ns, ORIGIN + 3200 * MS);
	assert_int_equal(s->n_marks, 25);
	assert_string_equal(s->marks[24].text, "a note");
	assert_int_equal(s->index.counts[SNAPSHOT_INTERVAL], 240);
	assert_int_equal(s->total[SIDE_A][WIRE_READS]->count + s->total[SIDE_B][WIRE_READS]->count, 24 * 1045);
	char *before = support_json(r), *after = support_json(s->result);
	assert_string_equal(before, after);
	free(after);
	result_conclude(s->result, s->result->verdict.stopped_early);
	after = support_json(s->result);
	assert_string_equal(before, after);
	free(before);
	free(after);
	uint64_t n[4] = { 0 };
	const struct snapshot_calls calls = { .interval = count_interval, .sample = check_sample, .hist = count_hist };
	assert_int_equal(snapshot_read_series(s, INT64_MIN, INT64_MAX, &calls, n), 0);
	assert_int_equal(n[0], 240);
	assert_int_equal(n[1], 24 * 1045);
	assert_int_equal(n[2], 240);
	assert_int_equal(n[3], 24 * 1045);
	uint64_t part[4] = { 0 };
	const struct snapshot_calls only = { .interval = count_interval };
	assert_int_equal(snapshot_read_series(s, ORIGIN + 1000 * MS, ORIGIN + 2000 * MS, &only, part), 0);
	assert_in_range(part[0], 10, 11);
	snapshot_read_free(s);
	drop(r);
}

// Cut at every byte of its end and at many before: it opens up to its last whole line, and says so.
static void
test_cut_anywhere(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	write_session(path_of("whole"), r);
	int fd = open(path_of("whole"), O_RDWR);
	off_t size = lseek(fd, 0, SEEK_END);
	size_t header = 0;
	char *text = support_read(path_of("whole"), NULL);
	header = strcspn(text, "\n") + 1;
	for (off_t at = size - 1; at > (off_t)header; at -= size - at < 300 ? 1 : 997) {
		assert_int_equal(ftruncate(fd, at), 0);
		struct snapshot_reader *s = reader_new(path_of("whole"));
		assert_false(s->finished);
		assert_non_null(strstr(s->sentence, "not finished"));
		assert_int_equal(s->bad_lines, 0);
		assert_true(s->result->side[SIDE_A].present);
		snapshot_read_free(s);
	}
	struct error err;
	assert_int_equal(ftruncate(fd, (off_t)header - 1), 0);
	assert_null(snapshot_read_new(path_of("whole"), &err));
	close(fd);
	free(text);
	drop(r);
}

// What kill -9 leaves: a partial file whose pairs give the verdict that they allow.
static void
test_partial(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	struct error err;
	struct snapshot_writer *w = writer_new(path_of("p"));
	record(w, r);
	assert_true(snapshot_pending(w) > 0);
	assert_int_equal(snapshot_flush(w, 1, &err), 0);
	assert_int_equal(snapshot_pending(w), 0);
	snapshot_free(w);
	assert_int_not_equal(access(path_of("p"), F_OK), 0);
	struct snapshot_reader *s = reader_new(path_of("p.partial"));
	assert_false(s->finished);
	assert_true(s->recomputed);
	assert_int_equal(s->result->n_pairs, 12);
	assert_string_equal(s->result->verdict.text, r->verdict.text);
	snapshot_read_free(s);
	drop(r);
}

// `s` in the middle: a finished file of its own, and recording goes on.
static void
test_copy(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	struct error err;
	struct snapshot_writer *w = writer_new(path_of("c"));
	record(w, r);
	assert_int_equal(snapshot_copy(w, path_of("middle"), r, &err), 0);
	assert_int_equal(snapshot_copy(w, path_of("middle"), r, &err), -EEXIST);
	snapshot_mark(w, ORIGIN + 5, MARK_NOTE, "after");
	snapshot_result(w, r);
	assert_int_equal(snapshot_finish(w, &err), 0);
	snapshot_free(w);
	struct snapshot_reader *s = reader_new(path_of("middle"));
	assert_true(s->finished);
	assert_int_equal(s->n_marks, 13);
	snapshot_read_free(s);
	s = reader_new(path_of("c"));
	assert_true(s->finished);
	assert_int_equal(s->n_marks, 14);
	assert_string_equal(s->marks[13].text, "after");
	snapshot_read_free(s);
	drop(r);
}

static void
test_never_replaces(void **state)
{
	(void)state;
	struct error err;
	char path[512];
	snprintf(path, sizeof(path), "%s", path_of("taken"));
	int fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_null(snapshot_new(path, &err));
	assert_int_equal(err.code, -EEXIST);
	struct snapshot_writer *w = writer_new(path_of("late"));
	struct result *r = support_result(6);
	record(w, r);
	fd = open(path_of("late"), O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_int_equal(snapshot_finish(w, &err), -EEXIST);
	snapshot_free(w);
	struct stat st;
	assert_int_equal(stat(path_of("late"), &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(access(path_of("late.partial"), F_OK), 0);
	assert_null(snapshot_new(path_of("no/such/dir"), &err));
	drop(r);
}

// No room: a sentence, and what was written stays and opens.
static void
test_full_disk(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	struct error err = { 0 };
	struct rlimit old, low = { .rlim_cur = 30000 };
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	low.rlim_max = old.rlim_max;
	struct snapshot_writer *w = writer_new(path_of("full"));
	record(w, r);
	setrlimit(RLIMIT_FSIZE, &low);
	int rc = snapshot_flush(w, 0, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(rc, -EFBIG);
	assert_non_null(strstr(err.text, "full.partial"));
	assert_int_equal(snapshot_finish(w, &err), -EFBIG);
	snapshot_free(w);
	struct snapshot_reader *s = reader_new(path_of("full.partial"));
	assert_false(s->finished);
	assert_true(s->n_turns > 0);
	snapshot_read_free(s);
	drop(r);
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

static void
test_newer_and_foreign(void **state)
{
	(void)state;
	struct error err;
	write_file(path_of("new"), "{\"ioduel\":3,\"kind\":\"session\",\"program\":\"ioduel 9.9\"}\n");
	assert_null(snapshot_read_new(path_of("new"), &err));
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.text, "format 3 by ioduel 9.9"));
	write_file(path_of("other"), "{\"jobs\":[]}\n");
	assert_null(snapshot_read_new(path_of("other"), &err));
	assert_int_equal(err.code, -EINVAL);
	assert_null(snapshot_read_new(path_of("missing"), &err));
	assert_int_equal(err.code, -ENOENT);
	assert_null(snapshot_read_new(dir, &err));
}

// Lines that lie are left out and counted; an index that lies is not used.
static void
test_hostile_lines(void **state)
{
	(void)state;
	write_file(path_of("hostile"),
		   "{\"ioduel\":1,\"kind\":\"session\",\"devices\":[1,{}],\"targets\":{\"a\":{\"path\":\"x\"}}}\n"
		   "{\"i\":[0,1,1]}\n{\"i\":[7,1,1,1,1,1,1,1,1,1,1]}\n{\"i\":[0,1,1,9,-1,1,1,1,1,1,1]}\n{\"i\":[\n{\"S\":[[1,[2]]]}\n"
		   "{\"s\":[[1]]}\n{\"S\":[[9999999999999999999999999]]}\n{\"turn\":{}}\n{\"pair\":[]}\n{\"hist\":{\"side\":\"a\","
		   "\"class\":\"read\",\"turn\":1,\"buckets\":[99999,1]}}\n{\"result\":1}\nnonsense\n{\"mark\":{\"kind\":\"bad\"}}\n"
		   "{\"turn_end\":{\"side\":\"a\",\"turn\":4}}\n{\"later\":{}}\n{\"end\":{\"objects\":[-5],\"chunks\":[[1,2]]}}\n"
		   "{\"end_at\":20}\n");
	struct snapshot_reader *s = reader_new(path_of("hostile"));
	assert_false(s->finished);
	assert_true(s->bad_lines >= 9);
	assert_int_equal(s->n_turns, 0);
	uint64_t n[4] = { 0 };
	const struct snapshot_calls calls = { .interval = count_interval, .hist = count_hist };
	assert_int_equal(snapshot_read_series(s, INT64_MIN, INT64_MAX, &calls, n), 0);
	assert_int_equal(n[0], 0);
	snapshot_read_free(s);
}

// Sensors are recorded every ten seconds and come back as a range; lies are left out.
static void
test_heat(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	struct error err;
	struct snapshot_writer *w = writer_new(path_of("heat"));
	struct sample *s = calloc(1, sizeof(*s));
	static const int milli_c[] = { 45000, 99000, 67850, 30500 };
	snapshot_header(w, r, ORIGIN);
	for (int i = 0; i < 4; i++) {
		s->t_ns = s->boot_ns = s->thermal.t_ns = ORIGIN + i * 5000 * MS; // each second one is too early
		s->thermal.n = 1;
		s->thermal.zone[0] = (struct thermal_zone){ .name = "nvme0n1 <b>", .device = "nvme0n1", .max_milli_c = 84850 };
		s->thermal.zone[0].milli_c = milli_c[i];
		snapshot_sample(w, s);
	}
	assert_int_equal(snapshot_finish(w, &err), 0);
	snapshot_free(w);
	struct snapshot_reader *session = reader_new(path_of("heat"));
	assert_int_equal(session->heat.n, 1);
	const struct snapshot_sensor *sensor = &session->heat.sensor[0];
	assert_string_equal(sensor->name, "nvme0n1 <b>");
	assert_string_equal(sensor->device, "nvme0n1");
	assert_int_equal(sensor->min_milli_c, 45000);
	assert_int_equal(sensor->max_milli_c, 67850);
	assert_int_equal(sensor->limit_milli_c, 84850);
	json_t *lie = json_loads("{\"sensors\":[{\"name\":\"x\",\"milli_c\":9e99},{\"name\":\"y\",\"milli_c\":400000}]}", 0, NULL);
	assert_int_equal(snapshot_heat_add(&session->heat, lie), -EINVAL);
	assert_int_equal(session->heat.n, 1);
	json_decref(lie);
	snapshot_read_free(session);
	free(s);
	drop(r);
}

// A counter that falls or wraps comes back as it was.
static void
test_counters_that_fall(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	struct snapshot_devices devices;
	snapshot_devices_find(r, &devices);
	assert_int_equal(devices.n, 2);
	static const uint64_t values[] = { 5, UINT64_MAX, 0, UINT64_C(1) << 63, 7, 7 };
	struct snapshot_row *row = calloc(3, sizeof(*row));
	char *text = malloc(SNAPSHOT_ROW_TEXT);
	struct disk_sample disks[2];
	struct sample s, back;
	memset(&s, 0, sizeof(s));
	sample_init(&back);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		make_sample(&s, disks, ORIGIN + (int64_t)i, i);
		disks[1].write_sectors = values[i];
		s.n_disks = i == 4 ? 1 : 2;
		snapshot_row_from_sample(&s, &devices, ORIGIN, &row[1]);
		snapshot_row_print(&row[1], i ? &row[0] : NULL, text, SNAPSHOT_ROW_TEXT);
		assert_int_equal(snapshot_row_parse(text + 5, i > 0, &row[2]), 0);
		assert_int_equal(snapshot_row_to_sample(&row[2], &devices, ORIGIN, &back), 0);
		assert_int_equal(back.n_disks, s.n_disks);
		assert_memory_equal(back.disks, s.disks, s.n_disks * sizeof(*s.disks));
		row[0] = row[1];
	}
	sample_fini(&back);
	free(row);
	free(text);
	drop(r);
}

// While nobody lets it write, it collects; when the buffer is full it writes all the same and counts that.
static void
test_full_buffer(void **state)
{
	(void)state;
	struct result *r = support_result(6);
	struct error err;
	struct snapshot_writer *w = writer_new(path_of("spill"));
	char note[1000];
	memset(note, 'x', sizeof(note));
	note[sizeof(note) - 1] = '\0';
	snapshot_header(w, r, ORIGIN);
	size_t most = 0;
	for (int i = 0; i < 9000; i++) {
		snapshot_mark(w, ORIGIN + i, MARK_NOTE, note);
		most = snapshot_pending(w) > most ? snapshot_pending(w) : most;
	}
	assert_in_range(most, SNAPSHOT_BUFFER_BYTES - 2000, SNAPSHOT_BUFFER_BYTES);
	struct stat st;
	assert_int_equal(stat(path_of("spill.partial"), &st), 0);
	assert_true(st.st_size > 0);
	assert_int_equal(snapshot_finish(w, &err), 0);
	snapshot_free(w);
	struct snapshot_reader *s = reader_new(path_of("spill"));
	assert_int_equal(s->n_marks, 9000);
	snapshot_read_free(s);
	drop(r);
}

// A list of many needs each one's result only; it is the same result.
static void
test_brief(void **state)
{
	(void)state;
	struct result *r = support_result(12);
	struct error err;
	write_session(path_of("brief"), r);
	struct snapshot_reader *s = snapshot_read_brief(path_of("brief"), &err);
	assert_non_null(s);
	assert_int_equal(s->n_turns, 0);
	char *x = support_json(r), *y = support_json(s->result);
	assert_string_equal(x, y);
	free(x);
	free(y);
	snapshot_read_free(s);
	drop(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heat), cmocka_unit_test(test_whole), cmocka_unit_test(test_cut_anywhere), cmocka_unit_test(test_partial),
		cmocka_unit_test(test_copy), cmocka_unit_test(test_never_replaces), cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_newer_and_foreign), cmocka_unit_test(test_hostile_lines),
		cmocka_unit_test(test_counters_that_fall), cmocka_unit_test(test_full_buffer), cmocka_unit_test(test_brief),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
