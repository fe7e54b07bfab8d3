// SPDX-License-Identifier: MIT
// The formats by name, and files that appear whole. One rule: a file that exists is never replaced by half of another.
#include "session/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/result_json.h"
#include "session/text_safe.h"

const char *const export_formats[] = { "json", "csv", "bonnie", "markdown", "html", "svg", NULL };

int
export_is_format(const char *name)
{
	for (int i = 0; export_formats[i]; i++)
		if (strcmp(name, export_formats[i]) == 0)
			return 1;
	return 0;
}

int
export_write(const struct export_source *source, const struct export_choice *choice, FILE *out, struct error *err)
{
	if (strcmp(choice->format, "csv") == 0)
		return export_csv(source, choice->table, out, err);
	if (strcmp(choice->format, "bonnie") == 0)
		return export_bonnie(source->result, choice->fields, out, err);
	if (strcmp(choice->format, "html") == 0)
		return export_html(source, out, err);
	if (strcmp(choice->format, "svg") == 0)
		return export_svg(source, out, err);
	if (strcmp(choice->format, "markdown") == 0)
		export_markdown(source->result, out);
	else if (strcmp(choice->format, "json") != 0)
		return error_set_status(err, -EINVAL, EXIT_USAGE, "there is no such format");
	else if (result_write_json(source->result, out))
		return error_set(err, -EIO, "cannot write");
	return 0;
}

// Beside the file that is to be, so that the rename stays within one file system.
static FILE *
open_temporary(const char *path, char *name, size_t size, struct error *err)
{
	char safe[256];
	text_safe_copy(safe, sizeof(safe), path);
	if ((size_t)snprintf(name, size, "%s.XXXXXX", path) >= size) {
		error_set(err, -ENAMETOOLONG, "the name of the output is too long");
		return NULL;
	}
	int fd = mkostemp(name, O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		error_set(err, -errno, "cannot write beside %s: %s", safe, strerror(errno));
	return file;
}

int
export_replace(const char *path, int (*write)(void *context, FILE *out, struct error *err), void *context,
	       struct error *err)
{
	char name[4400], safe[256];
	err->code = 0;
	FILE *file = open_temporary(path, name, sizeof(name), err);
	if (!file)
		return err->code;
	int rc = write(context, file, err);
	mode_t mask = umask(0);
	umask(mask);
	fchmod(fileno(file), 0666 & ~mask);
	if (rc == 0 && (fflush(file) || fsync(fileno(file)) || ferror(file)))
		rc = -EIO;
	if (fclose(file) && rc == 0)
		rc = -EIO;
	if (rc == 0 && rename(name, path))
		rc = -errno;
	text_safe_copy(safe, sizeof(safe), path);
	if (rc) {
		unlink(name);
		if (!err->code)
			error_set(err, rc, "cannot write %s: %s", safe, strerror(-rc));
	}
	return rc;
}
