// SPDX-License-Identifier: MIT
// Pairs as figures: whatever they are, the verdict's sentence is made without a step out of bounds.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "session/conclude.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size / 17;
	double *a = calloc(n + 1, sizeof(*a)), *b = calloc(n + 1, sizeof(*b));
	signed char *order = calloc(n + 1, 1);
	struct result *r = malloc(sizeof(*r));
	if (!a || !b || !order || !r)
		abort();
	for (size_t i = 0; i < n; i++) {
		memcpy(&a[i], data + 17 * i, 8);
		memcpy(&b[i], data + 17 * i + 8, 8);
		order[i] = data[17 * i + 16] & 1 ? 1 : -1;
	}
	result_init(r);
	r->side[SIDE_A].present = r->side[SIDE_B].present = 1;
	conclude_figures(r, a, b, order, (int)n, (int)(size & 1));
	result_fini(r);
	free(r);
	free(a);
	free(b);
	free(order);
	return 0;
}
