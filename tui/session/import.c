// SPDX-License-Identifier: MIT
// Which reader a file is for. One rule: the content decides, and what nobody recognises gets one sentence that says
// what would be.
#include "session/import.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/json_util.h"
#include "session/result_json.h"
#include "session/snapshot_read.h"
#include "session/text_safe.h"

void
import_init(struct import *im)
{
	memset(im, 0, sizeof(*im));
}

void
import_fini(struct import *im)
{
	for (int i = 0; i < im->n; i++) {
		result_fini(im->item[i].result);
		free(im->item[i].result);
	}
	free(im->item);
	free(im->interval);
	import_init(im);
}

const char *
import_kind_name(enum import_kind kind)
{
	static const char *const names[] = { "session", "result", "fio JSON", "bonnie++", "time", "pairs" };
	return names[kind];
}

static int
take_result(const json_t *object, struct import *ret, struct error *err)
{
	struct import_item *item = import_add(ret);
	if (!item)
		return error_set(err, -ENOMEM, "out of memory");
	item->result->side[SIDE_A].present = 0;
	int rc = result_from_json(object, item->result, err);
	text_safe_copy(item->name, sizeof(item->name), item->result->side[SIDE_A].label);
	return rc;
}

int
import_result(const char *text, size_t length, struct import *ret, struct error *err)
{
	const char *begin = memchr(text, '{', length);
	if (!begin)
		return -ENOENT;
	json_t *object = json_parse(begin, length - (size_t)(begin - text), NULL);
	const char *kind = json_string_value(json_object_get(object, "kind"));
	int rc = 0;
	if (json_get_integer(object, "ioduel", 0) < 1 || !kind) {
		rc = -ENOENT;
	} else if (strcmp(kind, "results") == 0) {
		size_t i;
		json_t *one;
		json_array_foreach(json_object_get(object, "results"), i, one) {
			rc = rc ? rc : take_result(one, ret, err);
		}
	} else if (strcmp(kind, "result") == 0) {
		rc = take_result(object, ret, err);
	} else {
		rc = error_set(err, -EINVAL, "this output of ioduel holds no result");
	}
	json_decref(object);
	ret->kind = IMPORT_RESULT;
	return rc == 0 && ret->n == 0 ? error_set(err, -EINVAL, "there is no result in it") : rc;
}

static int
is_session(const char *text, size_t length)
{
	char head[256];
	size_t n = length < sizeof(head) - 1 ? length : sizeof(head) - 1;
	memcpy(head, text, n);
	head[n] = '\0';
	return strncmp(head, "{\"ioduel\":", 10) == 0 && strstr(head, "\"kind\":\"session\"");
}

int
import_text(const char *name, const char *text, size_t length, struct import *ret, struct error *err)
{
	static int (*const readers[])(const char *, size_t, struct import *, struct error *) = {
		import_result, import_fio, import_bonnie, import_pairs, import_time,
	};
	char safe[256];
	struct error cause = { 0 };
	text_safe_copy(safe, sizeof(safe), name);
	if (is_session(text, length))
		return error_set(err, -EINVAL, "%s: a session is read from its file", safe);
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		int rc = readers[i](text, length, ret, &cause);
		if (rc == 0)
			return 0;
		import_fini(ret);
		if (rc != -ENOENT)
			return error_set(err, rc, "%s: %s", safe, cause.text);
	}
	return error_set(err, -EINVAL, "%s: not recognised; what can be read are sessions and results of ioduel, fio's JSON, "
			 "bonnie++ text and CSV, the output of time, and pairs as CSV (order,a,b)", safe);
}

static int
take_session(int fd, const char *path, struct import *ret, struct error *err)
{
	struct snapshot_reader *reader = snapshot_read_fd(fd, path, err);
	if (!reader)
		return err && err->code ? err->code : -EINVAL;
	struct import_item *item = import_add(ret);
	if (item) {
		// The result changes hands; the reader keeps the empty one.
		struct result *fresh = item->result;
		item->result = reader->result;
		reader->result = fresh;
		ret->kind = IMPORT_SESSION;
		ret->heat = reader->heat;
		snprintf(ret->sentence, sizeof(ret->sentence), "%s", reader->sentence);
	}
	snapshot_read_free(reader);
	return item ? 0 : error_set(err, -ENOMEM, "out of memory");
}

// Reads all of a file (also of a pipe) up to the bound.
static char *
read_all(int fd, size_t *ret_length, int *ret_rc)
{
	size_t used = 0, capacity = 1 << 16;
	char *text = malloc(capacity + 1);
	for (;;) {
		if (text && used == capacity) {
			char *bigger = capacity >= IMPORT_BYTES_MAX ? NULL : realloc(text, capacity * 2 + 1);
			if (!bigger) {
				*ret_rc = capacity >= IMPORT_BYTES_MAX ? -EFBIG : -ENOMEM;
				free(text);
				return NULL;
			}
			text = bigger;
			capacity *= 2;
		}
		ssize_t n = text ? read(fd, text + used, capacity - used) : -1;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			*ret_rc = text ? -errno : -ENOMEM;
			free(text);
			return NULL;
		}
		if (n == 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
	*ret_length = used;
	return text;
}

static int
name_failure(const char *path, int rc, struct error *err)
{
	char safe[256];
	text_safe_copy(safe, sizeof(safe), path);
	if (rc == -EFBIG)
		return error_set(err, rc, "%s: larger than %u MiB", safe, IMPORT_BYTES_MAX >> 20);
	return error_set(err, rc, "cannot read %s: %s", safe, strerror(-rc));
}

int
import_file(const char *path, struct import *ret, struct error *err)
{
	char head[256];
	size_t length;
	struct stat st;
	int rc = 0, fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	import_init(ret);
	if (fd < 0)
		return name_failure(path, -errno, err);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return name_failure(path, -EISDIR, err);
	}
	ssize_t n = pread(fd, head, sizeof(head), 0);
	if (n > 0 && is_session(head, (size_t)n))
		return take_session(fd, path, ret, err);
	char *text = read_all(fd, &length, &rc);
	close(fd);
	if (!text)
		return name_failure(path, rc, err);
	rc = import_text(path, text, length, ret, err);
	free(text);
	return rc;
}
