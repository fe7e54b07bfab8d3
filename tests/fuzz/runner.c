// SPDX-License-Identifier: MIT
// Feeds every file of the directories named to a fuzz target: what a fuzzer found once is tried for ever. Each file is
// also cut short and damaged in a few places, always the same ones.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

#define FILE_MAX (1u << 20)

// Every buffer is exactly as large as what it holds, so that a sanitizer sees the first byte too many.
static void
feed(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	if (!copy)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void
feed_variants(uint8_t *data, size_t size)
{
	uint32_t state = (uint32_t)size * 2654435761u + 1;
	feed(data, size);
	for (size_t part = 1; part < 4; part++)
		feed(data, size * part / 4);
	for (int i = 0; size > 0 && i < 24; i++) {
		state = state * 1664525u + 1013904223u;
		size_t at = state % size;
		uint8_t was = data[at];
		data[at] = (uint8_t)(state >> 24);
		feed(data, size);
		data[at] = was;
	}
}

static int
feed_directory(const char *path, uint8_t *buffer)
{
	struct dirent *entry;
	DIR *d = opendir(path);
	int n = 0;
	while (d && (entry = readdir(d))) {
		char name[4096];
		struct stat st;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		FILE *f = stat(name, &st) == 0 && S_ISREG(st.st_mode) ? fopen(name, "rb") : NULL;
		if (!f)
			continue;
		feed_variants(buffer, fread(buffer, 1, FILE_MAX, f));
		fclose(f);
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

int
main(int argc, char **argv)
{
	uint8_t *buffer = malloc(FILE_MAX);
	int n = 0;
	if (!buffer)
		return 1;
	for (int i = 1; i < argc; i++)
		n += feed_directory(argv[i], buffer);
	feed(buffer, 0);
	free(buffer);
	printf("%d files\n", n);
	return n == 0; // an empty corpus tries nothing
}
