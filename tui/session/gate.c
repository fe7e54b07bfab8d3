// SPDX-License-Identifier: MIT
// The drain gate between slices: nothing in flight on any leaf device and,
// after writes, write-back down to the idle level. One rule: it waits for what
// it can see, and says what it waits for.
#include "session/gate.h"

#include <ioduel/clock.h>
#include <ioduel/sample.h>
#include <stdio.h>
#include <string.h>

#define RISE_MOST_BYTES_PER_S (1024.0 * 1024)	 // above the idle rate
#define DIRTY_MOST_BYTES (16.0 * 1024 * 1024)	 // above the idle level
#define WINDOW_NS NS_PER_S

static const struct gate_leaf *
find_leaf(const struct gate_facts *facts, unsigned major, unsigned minor)
{
	for (int i = 0; i < facts->n_leaves; i++) {
		if (facts->leaf[i].major == major && facts->leaf[i].minor == minor)
			return &facts->leaf[i];
	}
	return NULL;
}

// Bytes per second written to a leaf between two samples; below 0 where that cannot be known.
static double
write_rate(const struct gate_facts *from, const struct gate_facts *to, const struct gate_leaf *leaf)
{
	const struct gate_leaf *before = find_leaf(from, leaf->major, leaf->minor);
	int64_t elapsed_ns = to->t_ns - from->t_ns;
	if (!before || !before->writes_known || !leaf->writes_known || elapsed_ns <= 0 ||
	    leaf->write_sectors < before->write_sectors)
		return -1;
	return (double)(leaf->write_sectors - before->write_sectors) * SECTOR_BYTES * (double)NS_PER_S / (double)elapsed_ns;
}

void
gate_idle_measure(const struct gate_facts *from, const struct gate_facts *to, struct gate_idle *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->known = to->t_ns > from->t_ns;
	for (int i = 0; i < to->n_leaves && ret->known; i++) {
		double rate = write_rate(from, to, &to->leaf[i]);
		if (rate < 0)
			continue;
		ret->leaf[ret->n_leaves].major = to->leaf[i].major;
		ret->leaf[ret->n_leaves].minor = to->leaf[i].minor;
		ret->leaf[ret->n_leaves++].write_bytes_per_s = rate;
	}
	ret->dirty_known = to->dirty_known;
	ret->dirty_bytes = to->dirty_bytes;
}

static double
idle_rate(const struct gate_idle *idle, const struct gate_leaf *leaf)
{
	for (int i = 0; i < idle->n_leaves; i++) {
		if (idle->leaf[i].major == leaf->major && idle->leaf[i].minor == leaf->minor)
			return idle->leaf[i].write_bytes_per_s;
	}
	return 0;
}

void
gate_init(struct gate *g, int after_writes, const struct gate_idle *idle, int64_t now_ns)
{
	memset(g, 0, sizeof(*g));
	g->after_writes = after_writes;
	g->begin_ns = now_ns;
	if (idle)
		g->idle = *idle;
	snprintf(g->reason, sizeof(g->reason), "the first sample");
}

// True when every leaf whose queue is known has been seen empty once.
static int
all_quiet(struct gate *g, const struct gate_facts *facts)
{
	int quiet = 1;
	for (int i = 0; i < facts->n_leaves && i < GATE_LEAVES_MAX; i++) {
		const struct gate_leaf *leaf = &facts->leaf[i];
		if (!leaf->inflight_known || leaf->inflight == 0)
			g->leaf_quiet[i] = 1;
		if (g->leaf_quiet[i])
			continue;
		if (quiet)
			snprintf(g->reason, sizeof(g->reason), "device %u:%u: %llu requests in flight", leaf->major, leaf->minor,
				 (unsigned long long)leaf->inflight);
		quiet = 0;
	}
	return quiet;
}

static int
written_back(struct gate *g, const struct gate_facts *facts)
{
	double level = g->idle.dirty_known ? g->idle.dirty_bytes : 0;
	// The level before the session is unknown: there is nothing to compare with.
	if (!facts->dirty_known || !g->idle.dirty_known || facts->dirty_bytes < level + DIRTY_MOST_BYTES)
		return 1;
	snprintf(g->reason, sizeof(g->reason), "%.0f MiB still to be written back", (facts->dirty_bytes - level) / (1024 * 1024));
	return 0;
}

// True when a whole window has passed in which no leaf was written much above its idle rate.
static int
writes_calm(struct gate *g, const struct gate_facts *facts)
{
	if (!g->have_window) {
		g->window = *facts;
		g->have_window = 1;
	}
	if (facts->t_ns - g->window.t_ns < WINDOW_NS) {
		snprintf(g->reason, sizeof(g->reason), "a second without write-back");
		return 0;
	}
	int calm = 1;
	for (int i = 0; i < facts->n_leaves && calm; i++) {
		double rate = write_rate(&g->window, facts, &facts->leaf[i]);
		if (rate < idle_rate(&g->idle, &facts->leaf[i]) + RISE_MOST_BYTES_PER_S)
			continue;
		snprintf(g->reason, sizeof(g->reason), "device %u:%u: %.1f MiB/s of write-back", facts->leaf[i].major,
			 facts->leaf[i].minor, rate / (1024 * 1024));
		calm = 0;
	}
	g->window = *facts;
	return calm;
}

enum gate_state
gate_feed(struct gate *g, const struct gate_facts *facts)
{
	if (g->state != GATE_WAITING || facts->t_ns < g->begin_ns)
		return g->state;
	g->drain_ns = facts->t_ns - g->begin_ns;
	// All three are asked each time, so that each keeps its own record; the last word is the reason shown.
	int calm = !g->after_writes || writes_calm(g, facts);
	int clean = !g->after_writes || written_back(g, facts);
	int quiet = all_quiet(g, facts);
	if (calm && clean && quiet) {
		g->state = GATE_PASSED;
		g->reason[0] = '\0';
	} else if (g->drain_ns >= GATE_LIMIT_NS) {
		g->state = GATE_TIMED_OUT;
	}
	return g->state;
}
