// SPDX-License-Identifier: MIT
// Every foreign format, by content: read, shown, written as every format, and compared with itself.
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "session/compare.h"
#include "session/export.h"
#include "session/result_json.h"
#include "session/result_text.h"

static void
use(struct import *im, int item, FILE *out)
{
	struct error err;
	struct result *r = im->item[item].result;
	struct export_source source = { .result = r, .stream = im, .item = item };
	struct compare_part part = { .result = r, .side = SIDE_A, .failed = im->item[item].failed, .name = "x" };
	result_write_text(r, out);
	result_write_json(r, out);
	export_csv(&source, NULL, out, &err);
	export_bonnie(r, 27, out, &err);
	export_bonnie(r, 50, out, &err);
	export_markdown(r, out);
	export_html(&source, out, &err);
	struct result *both = malloc(sizeof(*both));
	if (!both)
		abort();
	result_init(both);
	if (compare_parts(&part, &part, both, &err) == 0)
		result_write_text(both, out);
	result_fini(both);
	free(both);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import im;
	struct error err;
	FILE *out = fopen("/dev/null", "w");
	if (!out)
		abort();
	import_init(&im);
	if (import_text("x", (const char *)data, size, &im, &err) == 0)
		for (int i = 0; i < im.n && i < 4; i++)
			use(&im, i, out);
	import_fini(&im);
	fclose(out);
	return 0;
}
