// SPDX-License-Identifier: MIT
// /proc/pressure: the time in which work waited for CPU, memory or storage.
// One rule: the counters are in microseconds and exact, the averages are the
// kernel's own and only ever shown as such.

#include "probes.h"
#include "sysroot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pressure {
	struct sysfile file[PRESSURE_KINDS];
};

static const char *const paths[PRESSURE_KINDS] = {
	[PRESSURE_CPU] = "proc/pressure/cpu",
	[PRESSURE_MEMORY] = "proc/pressure/memory",
	[PRESSURE_IO] = "proc/pressure/io",
};

// One line "some avg10=0.00 avg60=0.00 avg300=0.00 total=0".
static bool
parse_line(const char *line, double *ret_avg10, uint64_t *ret_total)
{
	const char *newline = strchr(line, '\n');
	const char *avg = strstr(line, "avg10=");
	const char *total = strstr(line, "total=");
	if (!newline || !avg || !total || avg > newline || total > newline)
		return false;
	avg += strlen("avg10=");
	total += strlen("total=");
	char *end;
	double value = strtod(avg, &end);
	if (end == avg || !(value >= 0 && value <= 100))
		return false;
	if (!parse_u64(&total, ret_total))
		return false;
	*ret_avg10 = value;
	return true;
}

void
pressure_parse(const char *text, struct pressure_sample *ret)
{
	memset(ret, 0, sizeof(*ret));
	while (text && *text) {
		if (strncmp(text, "some ", 5) == 0 && parse_line(text, &ret->some_avg10, &ret->some_us))
			ret->valid |= PRESSURE_SOME;
		if (strncmp(text, "full ", 5) == 0 && parse_line(text, &ret->full_avg10, &ret->full_us))
			ret->valid |= PRESSURE_FULL;
		text = strchr(text, '\n');
		if (text)
			text++;
	}
}

static void
pressure_close(void *opaque)
{
	struct pressure *state = opaque;
	for (int i = 0; i < PRESSURE_KINDS; i++)
		sysfile_fini(&state->file[i]);
	free(state);
}

static int
pressure_open(struct sysroot *root, void **ret_state)
{
	struct pressure *state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	bool any = false;
	for (int i = 0; i < PRESSURE_KINDS; i++) {
		sysfile_init(&state->file[i], root, paths[i], false);
		any |= sysfile_open(&state->file[i]);
	}
	if (!any) {
		pressure_close(state);
		return -ENOENT;
	}
	*ret_state = state;
	return 0;
}

static void
pressure_read(void *opaque, struct sample *s)
{
	struct pressure *state = opaque;
	for (int i = 0; i < PRESSURE_KINDS; i++)
		if (sysfile_read(&state->file[i]) == 0)
			pressure_parse(state->file[i].buf, &s->pressure[i]);
}

const struct probe probe_pressure = {
	.name = "pressure",
	.summary = "pressure stall information: time that work waited for CPU, memory, storage",
	.open = pressure_open,
	.read = pressure_read,
	.close = pressure_close,
};
