// SPDX-License-Identifier: MIT
// Feeds the session file. Rule: while a turn runs, nothing is written to a
// device under test; lines wait in memory until the turn is over. What was
// written is soon on the medium, without anyone waiting for it.
#include "record.h"

#include <ioduel/clock.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_sync.h"
#include "session/snapshot_write.h"

#define FLUSH_NS (2 * NS_PER_S)
#define SYNC_NS (4 * NS_PER_S)

struct recorder {
	struct snapshot_writer *writer;
	char path[PATH_MAX], partial[PATH_MAX + 16];
	int on_tested_device;
	int measured, failed, finished;
	int by_hand; // the last turn was: it has no pause soon, and no verdict to disturb
	int by_hand_pair[SIDES];
	int64_t flushed_ns, synced_ns;
	int64_t asked_bytes; // so much of the file was handed to the medium
	struct file_sync *sync;
};

// Makes dir and its parents; 0 or -errno.
static int
make_directories(const char *dir)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof(path), "%s", dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

static int
data_directory(char *buf, size_t size, struct error *err)
{
	const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	int n, rc;
	if (xdg && xdg[0] == '/')
		n = snprintf(buf, size, "%s/ioduel", xdg);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/.local/share/ioduel", home);
	else
		return error_set(err, -ENOENT, "there is no place for sessions: set HOME or XDG_DATA_HOME, or use --save FILE");
	if (n < 0 || (size_t)n >= size)
		return error_set(err, -ENAMETOOLONG, "the path of the data directory is too long");
	if ((rc = make_directories(buf)))
		return error_set(err, rc, "cannot make %.300s: %s", buf, strerror(-rc));
	return 0;
}

// A name by date and workload that is not taken yet.
static int
free_name(const struct session *session, char *buf, size_t size, struct error *err)
{
	char dir[PATH_MAX], when[32], partial[PATH_MAX];
	time_t now = (time_t)(clock_wall_ns() / NS_PER_S);
	struct tm tm;
	int rc = data_directory(dir, sizeof(dir) - 128, err);
	if (rc)
		return rc;
	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	for (int i = 0; i < 1000; i++) {
		char suffix[16] = "";
		if (i > 0)
			snprintf(suffix, sizeof(suffix), "-%d", i + 1);
		int n = snprintf(buf, size, "%s/%s-%.31s%s.jsonl", dir, when, session_result(session)->workload, suffix);
		if (n < 0 || (size_t)n >= size || (size_t)n + 9 > sizeof(partial))
			return error_set(err, -ENAMETOOLONG, "the session's file name is too long");
		snprintf(partial, sizeof(partial), "%.*s.partial", (int)sizeof(partial) - 9, buf);
		if (access(buf, F_OK) && access(partial, F_OK))
			return 0;
	}
	return error_set(err, -EEXIST, "there is no free name in %.300s", dir);
}

static void
folder_of(const char *file, char *buf, size_t size)
{
	snprintf(buf, size, "%s", file);
	char *slash = strrchr(buf, '/');
	if (slash == buf)
		slash++;
	if (slash)
		*slash = '\0';
	else
		snprintf(buf, size, ".");
}

// True if the file's directory and one of the targets share a device, or that cannot be ruled out.
static int
lies_on_target(const char *file, const struct session *session, struct sysroot *root)
{
	char dir[PATH_MAX];
	struct error err;
	int shares = 0;
	struct stack *stack = malloc(sizeof(*stack));
	folder_of(file, dir, sizeof(dir));
	if (!stack || stack_resolve(root, dir, stack, &err)) {
		free(stack);
		return 1;
	}
	for (int i = 0; i < SIDES; i++) {
		const struct session_side *side = session_get_side(session, (enum side)i);
		if (side->present)
			shares |= stack_share_device(stack, &side->stack, NULL, 0);
	}
	free(stack);
	return shares;
}

// Without it the file still becomes durable at the end; where no process can be made, no worker starts either.
static void
start_sync(struct recorder *r)
{
	char dir[PATH_MAX];
	struct error err;
	folder_of(r->path, dir, sizeof(dir));
	int folder_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r->sync = file_sync_new(snapshot_fd(r->writer), folder_fd, fdatasync, &err);
	if (folder_fd >= 0)
		close(folder_fd);
}

struct recorder *
recorder_new(const char *path, const struct session *session, struct sysroot *root, struct error *err)
{
	struct recorder *r = calloc(1, sizeof(*r));
	if (!r) {
		error_set(err, -ENOMEM, "not enough memory");
		return NULL;
	}
	if (path)
		snprintf(r->path, sizeof(r->path), "%s", path);
	else if (free_name(session, r->path, sizeof(r->path), err))
		goto fail;
	r->on_tested_device = lies_on_target(r->path, session, root);
	if (!(r->writer = snapshot_new(r->path, err)))
		goto fail;
	snapshot_header(r->writer, session_result(session), clock_now_ns());
	if (snapshot_flush(r->writer, 0, err))
		goto fail;
	start_sync(r);
	return r;
fail:
	recorder_free(r);
	return NULL;
}

void
recorder_free(struct recorder *r)
{
	char partial[PATH_MAX + 16];
	if (!r)
		return;
	if (r->writer && !r->finished) {
		struct error err;
		if (r->measured) {
			(void)snapshot_flush(r->writer, 1, &err);
		} else {
			snprintf(partial, sizeof(partial), "%s.partial", r->path);
			unlink(partial);
		}
	}
	file_sync_free(r->sync);
	snapshot_free(r->writer);
	free(r);
}

void
recorder_event(struct recorder *r, const struct event *ev)
{
	switch (ev->type) {
	case EVENT_SAMPLE:
		snapshot_sample(r->writer, ev->sample);
		break;
	case EVENT_INTERVAL:
		snapshot_interval(r->writer, ev->side, ev->interval, (struct hist *const *)ev->hist);
		break;
	case EVENT_TURN_END:
		snapshot_turn_end(r->writer, ev->side, ev->turn_end);
		break;
	default:
		break;
	}
}

void
recorder_effect(struct recorder *r, const struct session *session, const struct effect *effect, int64_t now_ns)
{
	const struct result *result = session_result(session);
	switch (effect->type) {
	case EFFECT_GO:
		r->measured = 1;
		r->by_hand = effect->by_hand;
		snapshot_turn(r->writer, effect->side, effect->turn, now_ns, effect->pair, effect->by_hand);
		break;
	case EFFECT_MARK:
		snapshot_mark(r->writer, effect->mark->t_ns, effect->mark->kind, effect->mark->text);
		break;
	case EFFECT_PAIR:
		if ((int)effect->turn < result->n_pairs)
			snapshot_pair(r->writer, &result->pairs[effect->turn]);
		break;
	default:
		break;
	}
}

// Between slices the request is asked for at once, ahead of the gate, which sees it in flight.
static void
ask_sync(struct recorder *r, int64_t now_ns)
{
	int64_t written_bytes = snapshot_written_bytes(r->writer);
	if (!r->sync || written_bytes == r->asked_bytes || now_ns - r->synced_ns < SYNC_NS)
		return;
	if (!file_sync_ask(r->sync))
		return;
	r->synced_ns = now_ns;
	r->asked_bytes = written_bytes;
}

int
recorder_flush(struct recorder *r, int measuring, struct error *err)
{
	int64_t now_ns = clock_now_ns();
	int held = measuring && r->on_tested_device;
	int rc = r->sync && !r->failed ? file_sync_answer(r->sync) : 0;
	if (rc < 0) {
		r->failed = 1;
		return snapshot_fail(r->writer, rc, err);
	}
	if (r->failed || (held && snapshot_pending(r->writer) < SNAPSHOT_BUFFER_BYTES))
		return 0;
	if (now_ns - r->flushed_ns < FLUSH_NS)
		return 0;
	r->flushed_ns = now_ns;
	rc = snapshot_flush(r->writer, 0, err);
	r->failed = rc != 0;
	if (rc == 0 && !held)
		ask_sync(r, now_ns);
	return rc;
}

int
recorder_finish(struct recorder *r, const struct session *session, char *ret_path, size_t size, struct error *err)
{
	const struct result *result = session_result(session);
	for (int i = 0; i < result->n_warnings; i++)
		snapshot_warning(r->writer, clock_now_ns(), &result->warnings[i]);
	snapshot_result(r->writer, result);
	int rc = snapshot_finish(r->writer, err);
	if (rc)
		return rc;
	r->finished = 1;
	snprintf(ret_path, size, "%s", r->path);
	return 0;
}

const char *
recorder_path(struct recorder *r)
{
	struct error err;
	(void)recorder_flush(r, 0, &err);
	snprintf(r->partial, sizeof(r->partial), "%s.partial", r->path);
	return r->partial;
}

int
recorder_snapshot(struct recorder *r, const struct session *session, struct sysroot *root, char *ret_path, size_t size,
		  struct error *err)
{
	char path[PATH_MAX];
	int rc = free_name(session, path, sizeof(path), err);
	if (rc)
		return rc;
	if (session_is_measuring(session) && !r->by_hand && lies_on_target(path, session, root))
		return -EBUSY;
	rc = snapshot_copy(r->writer, path, session_result(session), err);
	if (rc == 0)
		snprintf(ret_path, size, "%s", path);
	return rc;
}
