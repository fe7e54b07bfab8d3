// SPDX-License-Identifier: MIT
// /proc/meminfo and the page-cache counter of /proc/vmstat. One rule: a line
// that this kernel does not print leaves its bit clear.

#include "probes.h"
#include "sysroot.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct memory {
	struct sysfile meminfo, vmstat;
};

static const struct {
	const char *name;
	unsigned bit;
	size_t offset;
} lines[] = {
	{"MemTotal:", MEM_TOTAL, offsetof(struct memory_sample, total_bytes)},
	{"MemFree:", MEM_FREE, offsetof(struct memory_sample, free_bytes)},
	{"MemAvailable:", MEM_AVAILABLE, offsetof(struct memory_sample, available_bytes)},
	{"Cached:", MEM_CACHED, offsetof(struct memory_sample, cached_bytes)},
	{"Dirty:", MEM_DIRTY, offsetof(struct memory_sample, dirty_bytes)},
	{"Writeback:", MEM_WRITEBACK, offsetof(struct memory_sample, writeback_bytes)},
};
#define N_LINES (sizeof(lines) / sizeof(lines[0]))

static void
parse_line(const char *line, struct memory_sample *ret)
{
	for (size_t i = 0; i < N_LINES; i++) {
		size_t n = strlen(lines[i].name);
		uint64_t kib;
		if (strncmp(line, lines[i].name, n) != 0)
			continue;
		line += n;
		if (!parse_u64(&line, &kib) || strncmp(line, " kB", 3) != 0 || kib > UINT64_MAX / 1024)
			return;
		kib *= 1024;
		memcpy((char *)ret + lines[i].offset, &kib, sizeof(kib));
		ret->valid |= lines[i].bit;
		return;
	}
}

void
meminfo_parse(const char *text, struct memory_sample *ret)
{
	memset(ret, 0, sizeof(*ret));
	while (text && *text) {
		parse_line(text, ret);
		text = strchr(text, '\n');
		if (text)
			text++;
	}
}

static void
vmstat_parse(const char *text, struct memory_sample *ret)
{
	const char *at = strstr(text, "\nnr_dirtied ");
	if (!at)
		return;
	at += strlen("\nnr_dirtied ");
	if (parse_u64(&at, &ret->nr_dirtied_pages))
		ret->valid |= MEM_NR_DIRTIED;
}

static void
memory_close(void *opaque)
{
	struct memory *state = opaque;
	sysfile_fini(&state->meminfo);
	sysfile_fini(&state->vmstat);
	free(state);
}

static int
memory_open(struct sysroot *root, void **ret_state)
{
	struct memory *state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	sysfile_init(&state->meminfo, root, "proc/meminfo", false);
	sysfile_init(&state->vmstat, root, "proc/vmstat", false);
	bool has_meminfo = sysfile_open(&state->meminfo);
	bool has_vmstat = sysfile_open(&state->vmstat);
	if (!has_meminfo && !has_vmstat) {
		memory_close(state);
		return -ENOENT;
	}
	*ret_state = state;
	return 0;
}

static void
memory_read(void *opaque, struct sample *s)
{
	struct memory *state = opaque;
	if (sysfile_read(&state->meminfo) == 0)
		meminfo_parse(state->meminfo.buf, &s->memory);
	if (sysfile_read(&state->vmstat) == 0)
		vmstat_parse(state->vmstat.buf, &s->memory);
}

const struct probe probe_memory = {
	.name = "memory",
	.summary = "memory, page cache, dirty pages and pages under write-back",
	.open = memory_open,
	.read = memory_read,
	.close = memory_close,
};
