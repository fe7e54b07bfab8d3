// SPDX-License-Identifier: MIT
// Pairs that were measured elsewhere, as one of the foreign formats. One rule: they are read and judged by the same
// code as by `ioduel verdict`.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "session/import.h"
#include "session/pairs_csv.h"

static int
is_header(const char *line)
{
	static const char header[] = "order,a,b";
	size_t n = 0;
	for (; *line; line++)
		if (*line != ' ' && *line != '\t' && (header[n] == '\0' || *line != header[n++]))
			return 0;
	return header[n] == '\0';
}

int
import_pairs(const char *text, size_t length, struct import *ret, struct error *err)
{
	struct import_lines lines = { text, text + length };
	struct pairs_csv pairs;
	char line[64];
	do
		if (!import_line(&lines, line, sizeof(line)))
			return -ENOENT;
	while (!line[0]);
	if (!is_header(line))
		return -ENOENT;
	FILE *in = fmemopen((char *)text, length, "r");
	if (!in)
		return error_set(err, -errno, "%s", strerror(errno));
	int rc = pairs_csv_read(in, "pairs", &pairs, err);
	fclose(in);
	if (rc)
		return rc;
	struct import_item *item = import_add(ret);
	rc = item ? pairs_csv_conclude(&pairs, METRIC_RATE, 0, 0.02, item->result) : -ENOMEM;
	if (rc)
		error_set(err, rc, "out of memory");
	pairs_csv_fini(&pairs);
	ret->kind = IMPORT_PAIRS;
	return rc;
}
