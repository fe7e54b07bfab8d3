// SPDX-License-Identifier: MIT
// The table of probes, and the set of them that this machine supports. One
// rule: a probe that cannot be opened is left out, and its values stay unknown.

#include "probes.h"

#include <errno.h>
#include <ioduel/clock.h>
#include <stdlib.h>
#include <string.h>

#define SELDOM_NS (2 * NS_PER_S)

const struct probe *const probe_table[] = {
	&probe_diskstats, &probe_cpu, &probe_pressure, &probe_memory, &probe_thermal, &probe_statgrab, NULL,
};
#define PROBES_MAX (sizeof(probe_table) / sizeof(probe_table[0]) - 1)

struct probes {
	unsigned n;
	const struct probe *probe[PROBES_MAX];
	void *state[PROBES_MAX];
	bool has_seldom;
	int64_t seldom_ns; // when the seldom ones were read last
	struct sample seldom; // what they said; its disks are not used
};

struct probes *
probes_new(struct sysroot *root, struct error *err)
{
	struct probes *p = calloc(1, sizeof(*p));
	if (!p) {
		error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	for (unsigned i = 0; probe_table[i]; i++) {
		p->state[p->n] = NULL;
		if (probe_table[i]->open(root, &p->state[p->n]) < 0)
			continue;
		p->has_seldom |= probe_table[i]->seldom;
		p->probe[p->n++] = probe_table[i];
	}
	return p;
}

void
probes_free(struct probes *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->n; i++)
		p->probe[i]->close(p->state[i]);
	sample_fini(&p->seldom);
	free(p);
}

void
sample_init(struct sample *s)
{
	memset(s, 0, sizeof(*s));
}

void
sample_fini(struct sample *s)
{
	free(s->disks);
	memset(s, 0, sizeof(*s));
}

static void
sample_clear(struct sample *s)
{
	struct disk_sample *disks = s->disks;
	size_t cap = s->cap_disks;
	memset(s, 0, sizeof(*s));
	s->disks = disks;
	s->cap_disks = cap;
}

static void
read_seldom(struct probes *p, int64_t now_ns)
{
	if (p->seldom_ns != 0 && now_ns - p->seldom_ns < SELDOM_NS)
		return;
	p->seldom_ns = now_ns;
	sample_clear(&p->seldom);
	p->seldom.thermal.t_ns = now_ns;
	for (unsigned i = 0; i < p->n; i++)
		if (p->probe[i]->seldom)
			p->probe[i]->read(p->state[i], &p->seldom);
}

void
probes_read(struct probes *p, struct sample *s)
{
	sample_clear(s);
	// the disks are the first in the table: this is the instant at which they are read
	s->t_ns = clock_now_ns();
	s->boot_ns = clock_boot_ns();
	for (unsigned i = 0; i < p->n; i++)
		if (!p->probe[i]->seldom)
			p->probe[i]->read(p->state[i], s);
	if (p->has_seldom) {
		read_seldom(p, s->t_ns);
		s->thermal = p->seldom.thermal;
	}
}

const struct disk_sample *
sample_find_disk(const struct sample *s, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < s->n_disks; i++)
		if (s->disks[i].minor == minor && s->disks[i].major == major)
			return &s->disks[i];
	return NULL;
}

const struct disk_sample *
sample_find_disk_named(const struct sample *s, const char *name)
{
	for (size_t i = 0; i < s->n_disks; i++)
		if (strcmp(s->disks[i].name, name) == 0)
			return &s->disks[i];
	return NULL;
}
