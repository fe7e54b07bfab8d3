// SPDX-License-Identifier: MIT
// `e` in the screen: exports what there is now. One rule: without a path nothing that exists is touched.
#include "export_now.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/export.h"
#include "session/text_safe.h"

struct job {
	struct export_source source;
	struct export_choice choice;
};

static int
write_job(void *context, FILE *out, struct error *err)
{
	const struct job *job = context;
	return export_write(&job->source, &job->choice, out, err);
}

static const char *
extension(const char *format)
{
	return strcmp(format, "markdown") == 0 ? "md" : strcmp(format, "bonnie") == 0 ? "txt" : format;
}

// "ioduel-20261130-200000.html", with a number where that is taken.
static int
free_path(const struct result *r, const char *format, char *buf, size_t size)
{
	char date[40];
	size_t n = 0;
	for (const char *c = r->created; *c && *c != 'Z' && n + 1 < sizeof(date); c++)
		if (*c >= '0' && *c <= '9')
			date[n++] = *c;
		else if (*c == 'T')
			date[n++] = '-';
	date[n] = '\0';
	for (int i = 1; i < 1000; i++) {
		char number[16] = "";
		if (i > 1)
			snprintf(number, sizeof(number), "-%d", i);
		int length = snprintf(buf, size, "ioduel-%s%s.%s", date[0] ? date : "report", number, extension(format));
		if (length > 0 && (size_t)length < size && access(buf, F_OK) != 0)
			return 0;
	}
	return -EEXIST;
}

int
export_now(const char *request, const struct result *r, const char *saved, char *ret_path, size_t size, struct error *err)
{
	char format[32], path[4096], safe[64];
	size_t n = strcspn(request, " ");
	snprintf(format, sizeof(format), "%.*s", (int)(n < 31 ? n : 31), request);
	if (!format[0])
		snprintf(format, sizeof(format), "html");
	text_safe_copy(safe, sizeof(safe), format);
	if (!export_is_format(format))
		return error_set(err, -EINVAL, "%s is no format; json, csv, bonnie, markdown, html and svg are", safe);
	snprintf(path, sizeof(path), "%s", request + n + strspn(request + n, " "));
	if (!path[0] && free_path(r, format, path, sizeof(path)))
		return error_set(err, -EEXIST, "no free name for the report here; type one");
	struct job job = { .source = { .result = r }, .choice = { .format = format, .fields = 27 } };
	job.source.session = saved && saved[0] ? snapshot_read_new(saved, NULL) : NULL;
	int rc = export_replace(path, write_job, &job, err);
	snapshot_read_free(job.source.session);
	if (rc == 0)
		snprintf(ret_path, size, "%s", path);
	return rc;
}
