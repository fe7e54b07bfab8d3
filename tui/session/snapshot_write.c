// SPDX-License-Identifier: MIT
// The recorder of a session. One rule: what was written stays readable up to its last whole line, whatever happens
// next; a file gets its name only when it is complete and on the medium.
#include "session/snapshot_write.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/json_util.h"
#include "session/result_json.h"
#include "session/snapshot_file.h"
#include "session/snapshot_heat.h"
#include "session/snapshot_index.h"
#include "session/snapshot_pack.h"

#define HIST_PIECE_NS (10 * INT64_C(1000000000))

// Latencies of one side and class: of the piece now being collected, and of the whole session.
struct hist_piece {
	struct hist now, total;
	int64_t t0_ns, t1_ns;
	uint32_t turn;
};

struct snapshot_writer {
	struct snapshot_file file;
	int64_t origin_ns;
	int failed;	    // first -errno
	int has_row;	    // a whole sample was written, differences may follow
	uint64_t spills;
	int64_t heat_ns;    // when the temperatures last recorded were read, 0 = none were
	struct snapshot_devices devices;
	struct snapshot_row row, next;
	struct hist_piece piece[SIDES][WIRE_CLASSES];
	struct snapshot_index index;
	char text[SNAPSHOT_ROW_TEXT];
};

struct snapshot_writer *
snapshot_new(const char *path, struct error *err)
{
	struct snapshot_writer *w = calloc(1, sizeof(*w));
	if (!w) {
		error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	if (snapshot_file_create(path, &w->file, err)) {
		free(w);
		return NULL;
	}
	snapshot_index_init(&w->index);
	for (int side = 0; side < SIDES; side++)
		for (int c = 0; c < WIRE_CLASSES; c++) {
			hist_init(&w->piece[side][c].now);
			hist_init(&w->piece[side][c].total);
		}
	return w;
}

void
snapshot_free(struct snapshot_writer *w)
{
	if (!w)
		return;
	snapshot_file_close(&w->file);
	free(w);
}

static void
keep_failure(struct snapshot_writer *w, int rc)
{
	if (rc && !w->failed)
		w->failed = rc;
}

// Appends a line; a full buffer is written even though nobody asked for it.
static void
append(struct snapshot_writer *w, const char *text, size_t length)
{
	if (w->failed)
		return;
	if (w->file.used + length + 1 > SNAPSHOT_BUFFER_BYTES) {
		w->spills++;
		keep_failure(w, snapshot_file_flush(&w->file));
	}
	keep_failure(w, snapshot_file_append(&w->file, text, length));
}

// Appends {"key": value}; steals value.
static void
append_object(struct snapshot_writer *w, const char *key, json_t *value)
{
	json_t *line = json_object();
	if (json_put(line, key, value)) {
		keep_failure(w, -ENOMEM);
	} else {
		char *text = json_dumps(line, JSON_COMPACT);
		if (text)
			append(w, text, strlen(text));
		else
			keep_failure(w, -ENOMEM);
		free(text);
	}
	json_decref(line);
}

static int64_t
since_origin(const struct snapshot_writer *w, int64_t t_ns)
{
	return t_ns - w->origin_ns;
}

void
snapshot_header(struct snapshot_writer *w, const struct result *setup, int64_t origin_ns)
{
	json_t *object = json_object(), *devices = json_array();
	w->origin_ns = origin_ns;
	snapshot_devices_find(setup, &w->devices);
	json_put(object, "ioduel", json_integer(SNAPSHOT_VERSION));
	json_put(object, "kind", json_string("session"));
	json_put(object, "program", json_string("ioduel " IODUEL_VERSION));
	json_put(object, "origin_ns", json_integer(origin_ns));
	for (int i = 0; i < w->devices.n; i++) {
		json_t *device = json_object();
		json_put(device, "name", json_text_new(w->devices.item[i].name));
		json_put(device, "major", json_integer(w->devices.item[i].major));
		json_put(device, "minor", json_integer(w->devices.item[i].minor));
		json_put(device, "side", json_string(w->devices.item[i].sides == 1 ? "a" :
						     w->devices.item[i].sides == 2 ? "b" : "both"));
		json_array_append_new(devices, device);
	}
	json_put(object, "devices", devices);
	json_t *known = result_setup_to_json(setup);
	json_object_update(object, known);
	json_decref(known);
	char *text = json_dumps(object, JSON_COMPACT);
	if (text)
		append(w, text, strlen(text));
	else
		keep_failure(w, -ENOMEM);
	free(text);
	json_decref(object);
}

static const char *
side_name(enum side side)
{
	return side == SIDE_B ? "b" : "a";
}

void
snapshot_turn(struct snapshot_writer *w, enum side side, uint32_t turn, int64_t t_ns, int pair, int by_hand)
{
	json_t *object = json_object();
	json_put(object, "side", json_string(side_name(side)));
	json_put(object, "turn", json_integer(turn));
	json_put(object, "t_ns", json_integer(since_origin(w, t_ns)));
	json_put(object, "pair", pair > 0 ? json_integer(pair) : json_null());
	json_put(object, "by_hand", json_boolean(by_hand));
	snapshot_index_line(&w->index, SNAPSHOT_TURN, 1, snapshot_file_offset(&w->file));
	append_object(w, "turn", object);
}

static const char *const class_names[WIRE_CLASSES] = { "read", "write", "sync" };

static void
append_hist(struct snapshot_writer *w, int side, int class, const struct hist *h, const struct hist_piece *piece)
{
	if (h->count == 0)
		return;
	json_t *object = snapshot_hist_to_json(h);
	json_put(object, "side", json_string(side_name((enum side)side)));
	json_put(object, "class", json_string(class_names[class]));
	json_put(object, "turn", piece ? json_integer(piece->turn) : json_null());
	json_put(object, "t0_ns", piece ? json_integer(since_origin(w, piece->t0_ns)) : json_null());
	json_put(object, "t1_ns", piece ? json_integer(since_origin(w, piece->t1_ns)) : json_null());
	snapshot_index_line(&w->index, SNAPSHOT_HIST, piece == NULL, snapshot_file_offset(&w->file));
	append_object(w, "hist", object);
}

static void
close_pieces(struct snapshot_writer *w, int side)
{
	for (int c = 0; c < WIRE_CLASSES; c++) {
		struct hist_piece *piece = &w->piece[side][c];
		append_hist(w, side, c, &piece->now, piece);
		hist_merge(&piece->total, &piece->now);
		hist_init(&piece->now);
	}
}

static void
collect_hist(struct snapshot_writer *w, int side, const struct wire_interval *interval,
	     struct hist *const hist[WIRE_CLASSES])
{
	struct hist_piece *pieces = w->piece[side];
	for (int c = 0; c < WIRE_CLASSES; c++)
		if (pieces[c].now.count > 0 && (pieces[c].turn != interval->turn ||
						interval->t1_ns - pieces[c].t0_ns > HIST_PIECE_NS)) {
			close_pieces(w, side);
			break;
		}
	for (int c = 0; c < WIRE_CLASSES; c++) {
		if (!hist[c] || hist[c]->count == 0)
			continue;
		if (pieces[c].now.count == 0) {
			pieces[c].t0_ns = interval->t0_ns;
			pieces[c].turn = interval->turn;
		}
		pieces[c].t1_ns = interval->t1_ns;
		hist_merge(&pieces[c].now, hist[c]);
	}
}

static void
note_time(struct snapshot_writer *w, int64_t t_ns)
{
	if (snapshot_index_time(&w->index, since_origin(w, t_ns), snapshot_file_offset(&w->file)))
		w->has_row = 0;
}

void
snapshot_interval(struct snapshot_writer *w, enum side side, const struct wire_interval *interval,
		  struct hist *const hist[WIRE_CLASSES])
{
	static const double quantile[3] = { .5, .99, .999 };
	struct snapshot_interval line = { .side = (int)side, .w = *interval };
	char text[SNAPSHOT_INTERVAL_TEXT];
	if (hist && (interval->flags & WIRE_COUNTED))
		collect_hist(w, (int)side, interval, hist);
	struct hist all;
	hist_init(&all);
	for (int c = 0; c < WIRE_CLASSES; c++) {
		for (int i = 0; i < 3; i++)
			line.p[c][i] = hist && hist[c] ? hist_quantile_ns(hist[c], quantile[i]) : (double)NAN;
		if (hist && hist[c])
			hist_merge(&all, hist[c]);
	}
	for (int i = 0; i < 3; i++)
		line.all[i] = hist_quantile_ns(&all, quantile[i]);
	note_time(w, interval->t1_ns);
	snapshot_index_line(&w->index, SNAPSHOT_INTERVAL, 0, 0);
	snapshot_index_interval(&w->index, &line);
	append(w, text, snapshot_interval_print(&line, w->origin_ns, text, sizeof(text)));
}

void
snapshot_turn_end(struct snapshot_writer *w, enum side side, const struct wire_turn_end *end)
{
	json_t *object = json_object(), *ops = json_array(), *bytes = json_array(), *results = json_object();
	close_pieces(w, (int)side);
	json_put(object, "side", json_string(side_name(side)));
	json_put(object, "turn", json_integer(end->turn));
	json_put(object, "status", json_integer(end->status));
	json_put(object, "stopped", json_boolean(end->stopped != 0));
	json_put(object, "start_ns", json_integer(since_origin(w, end->start_ns)));
	json_put(object, "count_start_ns", end->count_start_ns ? json_integer(since_origin(w, end->count_start_ns)) : json_null());
	json_put(object, "count_end_ns", end->count_end_ns ? json_integer(since_origin(w, end->count_end_ns)) : json_null());
	json_put(object, "end_ns", json_integer(since_origin(w, end->end_ns)));
	json_put(object, "drain_ns", json_integer(end->drain_ns));
	for (int c = 0; c < WIRE_CLASSES; c++) {
		json_array_append_new(ops, json_count_new(end->ops[c]));
		json_array_append_new(bytes, json_count_new(end->bytes[c]));
	}
	json_put(object, "ops", ops);
	json_put(object, "bytes", bytes);
	json_put(object, "errors", json_count_new(end->errors));
	json_put(object, "backlog", json_count_new(end->backlog));
	json_put(object, "user_us", json_count_new(end->user_us));
	json_put(object, "sys_us", json_count_new(end->sys_us));
	json_put(object, "unsynced_bytes", json_count_new(end->unsynced_bytes));
	json_put(object, "sentence", json_text_new(end->sentence));
	for (uint32_t i = 0; i < end->n_results && i < WIRE_RESULTS_MAX; i++) {
		const struct wire_result *result = &end->result[i];
		json_put(results, result->name, result->state == WIRE_RESULT_OK ? json_number_new(result->value)
			 : json_string(result->state == WIRE_RESULT_TOO_FAST ? "too_fast" : "not_run"));
	}
	json_put(object, "results", results);
	snapshot_index_line(&w->index, SNAPSHOT_TURN_END, 1, snapshot_file_offset(&w->file));
	append_object(w, "turn_end", object);
}

static void
append_heat(struct snapshot_writer *w, const struct thermal_sample *thermal)
{
	if (thermal->n == 0 || (w->heat_ns != 0 && thermal->t_ns - w->heat_ns < SNAPSHOT_HEAT_NS))
		return;
	w->heat_ns = thermal->t_ns;
	snapshot_index_line(&w->index, SNAPSHOT_HEAT, 1, snapshot_file_offset(&w->file));
	append_object(w, "heat", snapshot_heat_to_json(thermal, w->origin_ns));
}

void
snapshot_sample(struct snapshot_writer *w, const struct sample *s)
{
	append_heat(w, &s->thermal);
	snapshot_row_from_sample(s, &w->devices, w->origin_ns, &w->next);
	note_time(w, s->t_ns);
	snapshot_index_line(&w->index, SNAPSHOT_SAMPLE, 0, 0);
	size_t length = snapshot_row_print(&w->next, w->has_row ? &w->row : NULL, w->text, sizeof(w->text));
	append(w, w->text, length);
	w->row = w->next;
	w->has_row = 1;
}

static const char *const mark_names[] = {
	[MARK_TURN_A] = "turn_a", [MARK_TURN_B] = "turn_b", [MARK_TURN_END] = "turn_end", [MARK_PHASE] = "phase",
	[MARK_NOTE] = "note", [MARK_ERROR] = "error", [MARK_THROTTLE] = "throttle",
};

void
snapshot_mark(struct snapshot_writer *w, int64_t t_ns, enum view_mark_kind kind, const char *text)
{
	json_t *object = json_object();
	json_put(object, "t_ns", json_integer(since_origin(w, t_ns)));
	json_put(object, "kind", json_string(mark_names[kind]));
	json_put(object, "text", json_text_new(text));
	snapshot_index_line(&w->index, SNAPSHOT_MARK, 1, snapshot_file_offset(&w->file));
	append_object(w, "mark", object);
}

void
snapshot_warning(struct snapshot_writer *w, int64_t t_ns, const struct warning *warning)
{
	json_t *object = warning_to_json(warning);
	json_put(object, "t_ns", json_integer(since_origin(w, t_ns)));
	snapshot_index_line(&w->index, SNAPSHOT_WARNING, 1, snapshot_file_offset(&w->file));
	append_object(w, "warning", object);
}

void
snapshot_pair(struct snapshot_writer *w, const struct pair *pair)
{
	snapshot_index_line(&w->index, SNAPSHOT_PAIR, 1, snapshot_file_offset(&w->file));
	append_object(w, "pair", pair_to_json(pair, NULL));
}

void
snapshot_result(struct snapshot_writer *w, const struct result *r)
{
	snapshot_index_line(&w->index, SNAPSHOT_RESULT, 1, snapshot_file_offset(&w->file));
	append_object(w, "result", result_to_json(r));
}

size_t
snapshot_pending(const struct snapshot_writer *w)
{
	return w->file.used;
}

int
snapshot_fd(const struct snapshot_writer *w)
{
	return w->file.fd;
}

int64_t
snapshot_written_bytes(const struct snapshot_writer *w)
{
	return w->file.written;
}

static int
say_failure(const struct snapshot_writer *w, struct error *err)
{
	return error_set(err, w->failed, "cannot record to %s: %s; what was written up to here stays there",
			 w->file.partial, strerror(-w->failed));
}

int
snapshot_fail(struct snapshot_writer *w, int rc, struct error *err)
{
	keep_failure(w, rc);
	return say_failure(w, err);
}

int
snapshot_flush(struct snapshot_writer *w, int durable, struct error *err)
{
	if (!w->failed)
		keep_failure(w, snapshot_file_flush(&w->file));
	if (!w->failed && durable)
		keep_failure(w, snapshot_file_sync(&w->file));
	return w->failed ? say_failure(w, err) : 0;
}

// The end marker, and a last short line that says where it stands.
static void
append_end(struct snapshot_writer *w)
{
	json_t *object = snapshot_index_to_json(&w->index);
	char last[64];
	json_put(object, "spills", json_count_new(w->spills));
	long long at = (long long)snapshot_file_offset(&w->file);
	append_object(w, "end", object);
	append(w, last, (size_t)snprintf(last, sizeof(last), "{\"end_at\":%lld}", at));
}

static void
append_totals(struct snapshot_writer *w)
{
	for (int side = 0; side < SIDES; side++) {
		close_pieces(w, side);
		for (int c = 0; c < WIRE_CLASSES; c++)
			append_hist(w, side, c, &w->piece[side][c].total, NULL);
	}
}

int
snapshot_finish(struct snapshot_writer *w, struct error *err)
{
	append_totals(w);
	append_end(w);
	if (snapshot_flush(w, 0, err))
		return w->failed;
	keep_failure(w, snapshot_file_commit(&w->file));
	return w->failed ? say_failure(w, err) : 0;
}

int
snapshot_copy(struct snapshot_writer *w, const char *path, const struct result *r, struct error *err)
{
	if (snapshot_flush(w, 0, err))
		return w->failed;
	struct snapshot_writer *copy = malloc(sizeof(*copy));
	if (!copy)
		return error_set(err, -ENOMEM, "out of memory");
	*copy = *w;
	int rc = snapshot_file_create(path, &copy->file, err);
	if (rc == 0) {
		keep_failure(copy, snapshot_file_append_file(&copy->file, &w->file));
		if (r)
			snapshot_result(copy, r);
		rc = snapshot_finish(copy, err);
		if (rc)
			snapshot_file_discard(&copy->file);
		snapshot_file_close(&copy->file);
	}
	free(copy);
	return rc;
}
