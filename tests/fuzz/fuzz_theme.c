// SPDX-License-Identifier: MIT
// A theme file.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "screen/theme.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct theme theme;
	char *text = malloc(size + 1);
	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	theme_init(&theme);
	theme_parse(&theme, text);
	for (double share = 0; share <= 1; share += 0.25)
		theme_gradient(&theme, THEME_CPU_START, share);
	free(text);
	return 0;
}
