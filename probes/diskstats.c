// SPDX-License-Identifier: MIT
// /proc/diskstats: what every block device has done since it appeared. One
// rule: a line is understood as a whole or not at all; the number of its fields
// says what this kernel counts (11: 2.6, 15: discards, 17: flushes).

#include "probes.h"
#include "sysroot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 17
#define INFLIGHT_SANE 1000000000u // kernels that count it wrongly print a wrapped negative number

struct diskstats {
	struct sysfile file;
};

// Fields of one line behind the name; -1 for garbage. *line moves to the next line.
static int
parse_fields(const char **line, uint64_t field[FIELDS_MAX])
{
	const char *p = *line;
	int n = 0;
	for (;;) {
		while (*p == ' ' || *p == '\t')
			p++;
		if (*p == '\n') {
			*line = p + 1;
			return n;
		}
		uint64_t value;
		if (!parse_u64(&p, &value))
			return -1;
		if (n < FIELDS_MAX)
			field[n++] = value;
	}
}

static bool
parse_name(const char **line, char name[DISK_NAME_MAX])
{
	const char *p = *line;
	while (*p == ' ' || *p == '\t')
		p++;
	size_t n = 0;
	while (p[n] != ' ' && p[n] != '\t' && p[n] != '\n' && p[n] != '\0')
		n++;
	if (n == 0 || n >= DISK_NAME_MAX)
		return false;
	memcpy(name, p, n);
	name[n] = '\0';
	*line = p + n;
	return true;
}

static bool
fill(struct disk_sample *d, const uint64_t f[FIELDS_MAX], int n)
{
	d->valid = 0;
	if (n == 4) { // partitions of kernels before 2.6.25
		d->valid = DISK_BYTES_ONLY;
		d->read_ios = f[0], d->read_sectors = f[1];
		d->write_ios = f[2], d->write_sectors = f[3];
		return true;
	}
	if (n < 11)
		return false;
	d->valid = DISK_RW;
	d->read_ios = f[0], d->read_merges = f[1], d->read_sectors = f[2], d->read_ticks_ms = f[3];
	d->write_ios = f[4], d->write_merges = f[5], d->write_sectors = f[6], d->write_ticks_ms = f[7];
	if (f[8] <= INFLIGHT_SANE) {
		d->valid |= DISK_INFLIGHT;
		d->inflight = f[8], d->io_ticks_ms = f[9], d->queue_ticks_ms = f[10];
	}
	if (n >= 15) {
		d->valid |= DISK_DISCARD;
		d->discard_ios = f[11], d->discard_merges = f[12];
		d->discard_sectors = f[13], d->discard_ticks_ms = f[14];
	}
	if (n >= 17) {
		d->valid |= DISK_FLUSH;
		d->flush_ios = f[15], d->flush_ticks_ms = f[16];
	}
	return true;
}

// Understands one line; false if it is not one. *line moves to the next one.
static bool
parse_line(const char **line, struct disk_sample *d)
{
	uint64_t major, minor, field[FIELDS_MAX];
	const char *p = *line;
	int n = -1;
	memset(d, 0, sizeof(*d));
	if (parse_u64(&p, &major) && parse_u64(&p, &minor) && major <= UINT32_MAX && minor <= UINT32_MAX &&
	    parse_name(&p, d->name))
		n = parse_fields(&p, field);
	if (n < 0) {
		const char *end = strchr(p, '\n');
		*line = end ? end + 1 : p + strlen(p);
		return false;
	}
	*line = p;
	d->major = (unsigned)major;
	d->minor = (unsigned)minor;
	return fill(d, field, n);
}

int
sample_reserve_disk(struct sample *s)
{
	if (s->n_disks < s->cap_disks)
		return 0;
	size_t cap = s->cap_disks ? s->cap_disks * 2 : 64;
	struct disk_sample *disks = realloc(s->disks, cap * sizeof(*disks));
	if (!disks)
		return -ENOMEM;
	s->disks = disks;
	s->cap_disks = cap;
	return 0;
}

void
diskstats_parse(const char *text, struct sample *s)
{
	s->n_disks = 0;
	while (*text != '\0' && sample_reserve_disk(s) == 0)
		if (parse_line(&text, &s->disks[s->n_disks]))
			s->n_disks++;
}

static int
diskstats_open(struct sysroot *root, void **ret_state)
{
	struct diskstats *state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	sysfile_init(&state->file, root, "proc/diskstats", true);
	if (!sysfile_open(&state->file)) {
		sysfile_fini(&state->file);
		free(state);
		return -ENOENT;
	}
	*ret_state = state;
	return 0;
}

static void
diskstats_read(void *opaque, struct sample *s)
{
	struct diskstats *state = opaque;
	if (sysfile_read(&state->file) == 0)
		diskstats_parse(state->file.buf, s);
}

static void
diskstats_close(void *opaque)
{
	struct diskstats *state = opaque;
	sysfile_fini(&state->file);
	free(state);
}

const struct probe probe_diskstats = {
	.name = "diskstats",
	.summary = "every block device: bytes, requests, latency, queue, time in flight, discards, flushes",
	.open = diskstats_open,
	.read = diskstats_read,
	.close = diskstats_close,
};
