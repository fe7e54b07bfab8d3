// SPDX-License-Identifier: MIT
// /proc/stat: all fields of the host's CPU time. One rule: user and nice leave
// this file without the guests' time that the kernel counts in both, so that
// the fields can be summed.

#include "probes.h"
#include "sysroot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cpu {
	struct sysfile file;
};

static unsigned
count_cpus(const char *text)
{
	unsigned n = 0;
	// the lines "cpuN" follow the first one without a gap
	while ((text = strchr(text, '\n')) && strncmp(++text, "cpu", 3) == 0)
		if (text[3] >= '0' && text[3] <= '9')
			n++;
	return n;
}

static void
subtract_guest(struct cpu_sample *c, enum cpu_field field, enum cpu_field guest)
{
	if (!(c->valid & 1u << guest))
		return;
	if (c->ticks[guest] <= c->ticks[field]) {
		c->ticks[field] -= c->ticks[guest];
		return;
	}
	c->ticks[field] = 0;
	c->valid &= ~(1u << field);
}

void
cpu_parse(const char *text, struct cpu_sample *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (strncmp(text, "cpu ", 4) != 0)
		return;
	ret->n_cpus = count_cpus(text);
	text += 4;
	for (int i = 0; i < CPU_FIELDS && parse_u64(&text, &ret->ticks[i]); i++)
		ret->valid |= 1u << i;
	subtract_guest(ret, CPU_USER, CPU_GUEST);
	subtract_guest(ret, CPU_NICE, CPU_GUEST_NICE);
}

static int
cpu_open(struct sysroot *root, void **ret_state)
{
	struct cpu *state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	sysfile_init(&state->file, root, "proc/stat", false);
	if (!sysfile_open(&state->file)) {
		sysfile_fini(&state->file);
		free(state);
		return -ENOENT;
	}
	*ret_state = state;
	return 0;
}

static void
cpu_read(void *opaque, struct sample *s)
{
	struct cpu *state = opaque;
	if (sysfile_read(&state->file) < 0)
		return;
	cpu_parse(state->file.buf, &s->cpu);
	// USER_HZ is the same on every Linux that ioduel runs on; a recorded root has no other source
	long hz = sysroot_is_recorded(state->file.root) ? 100 : sysconf(_SC_CLK_TCK);
	s->cpu.ticks_per_s = hz > 0 ? (uint64_t)hz : 100;
}

static void
cpu_close(void *opaque)
{
	struct cpu *state = opaque;
	sysfile_fini(&state->file);
	free(state);
}

const struct probe probe_cpu = {
	.name = "cpu",
	.summary = "CPU time of the host: user, nice, sys, idle, iowait, irq, softirq, steal, guest",
	.open = cpu_open,
	.read = cpu_read,
	.close = cpu_close,
};
