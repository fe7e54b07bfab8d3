// SPDX-License-Identifier: MIT
// `--dry-run`: what would run, from the same configuration that a run gets.
// What cannot be known before (how fast the target is) is said to be unknown.
#include "dry_run.h"
#include "session/text_safe.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ioduel/clock.h>

#define SPARE 1.05 // of the space that is needed

static void
format_bytes(double bytes, char *buf, size_t size)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t i = 0;
	for (; bytes >= 1023.5 && i + 1 < sizeof(unit) / sizeof(unit[0]); i++)
		bytes /= 1024;
	snprintf(buf, size, bytes < 9.995 && i ? "%.2f %s" : bytes < 99.95 && i ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
}

static void
format_duration(double seconds, char *buf, size_t size)
{
	long s = lround(ceil(seconds));
	if (s >= 3600)
		snprintf(buf, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
	else
		snprintf(buf, size, "%ld:%02ld", s / 60, s % 60);
}

static int
side_runs(const struct session_config *config, const struct plan *plan, enum side side)
{
	const struct session_side *s = &config->side[side];
	return s->present && !s->is_baseline && plan->kind != (side == SIDE_A ? PLAN_B : PLAN_A);
}

static int
same_file_system(const struct session_config *config)
{
	const struct session_side *a = &config->side[SIDE_A], *b = &config->side[SIDE_B];
	return a->target.kind == TARGET_DIRECTORY && b->target.kind == TARGET_DIRECTORY && a->stack.mount_source[0] &&
	       a->stack.fs_size_bytes == b->stack.fs_size_bytes && strcmp(a->stack.fs_type, b->stack.fs_type) == 0 &&
	       strcmp(a->stack.mount_source, b->stack.mount_source) == 0;
}

int
dry_run_check_space(const struct session_config *config, struct error *err)
{
	const struct session_side *a = &config->side[SIDE_A], *b = &config->side[SIDE_B];
	char need[32], have[32];
	if (!a->present || !b->present || a->is_baseline || b->is_baseline || config->share_file || !same_file_system(config))
		return 0;
	double bytes = (double)a->needs.space_bytes + (double)b->needs.space_bytes;
	double free_bytes = (double)(a->target.free_bytes < b->target.free_bytes ? a->target.free_bytes : b->target.free_bytes);
	if (SPARE * bytes <= free_bytes)
		return 0;
	format_bytes(SPARE * bytes, need, sizeof(need));
	format_bytes(free_bytes, have, sizeof(have));
	return error_set_status(err, -ENOSPC, EXIT_REFUSED,
				"A and B lie on one file system and need %s together (5 %% to spare), but %s are free; give a smaller size=",
				need, have);
}

static void
print_side(const struct session_config *config, enum side side, FILE *out)
{
	const struct session_side *s = &config->side[side];
	char line[512], work[512], need[32], have[32];
	stack_format_line(&s->stack, line, sizeof(line));
	workload_format(&s->params, work, sizeof(work));
	text_safe_printf(out, "%c  %s%s%s%s\n", side == SIDE_A ? 'A' : 'B', s->path, s->label[0] ? " (" : "", s->label, s->label[0] ? ")" : "");
	text_safe_printf(out, "   %s\n", line);
	text_safe_printf(out, "   %s\n", work);
	if (s->setup[0])
		text_safe_printf(out, "   before every turn: %s\n", s->setup);
	if (s->target.kind != TARGET_DIRECTORY) {
		text_safe_printf(out, "   %s\n", s->needs.writes ? "its content is written over" : "it is only read");
		return;
	}
	format_bytes((double)s->needs.space_bytes, need, sizeof(need));
	format_bytes((double)s->target.free_bytes, have, sizeof(have));
	text_safe_printf(out, "   space: %s of %s that are free", need, have);
	if (s->needs.files)
		text_safe_printf(out, ", in %llu files", (unsigned long long)s->needs.files);
	text_safe_printf(out, "%s\n", side == SIDE_B && config->share_file ? " (the same file as A's)" : "");
}

// Bytes that preparing writes, over all sides and all times that files are made anew.
static double
layout_bytes(const struct session_config *config, const struct plan *plan)
{
	double bytes = 0, times = plan->remake_every ? ceil((double)plan->pairs / plan->remake_every) : 1;
	for (int i = 0; i < SIDES; i++)
		if (side_runs(config, plan, (enum side)i) && !(i == SIDE_B && config->share_file && side_runs(config, plan, SIDE_A)))
			bytes += times * (double)config->side[i].needs.layout_bytes;
	return bytes;
}

// Seconds that the sides work, warm-up included; NAN where a turn ends by itself.
static double
work_seconds(const struct session_config *config, const struct plan *plan)
{
	int sides = side_runs(config, plan, SIDE_A) + side_runs(config, plan, SIDE_B);
	if (plan->slice_ns == 0)
		return NAN;
	if (plan->kind == PLAN_TOGETHER)
		sides = 1;
	return sides * (double)(plan->pairs * plan->slice_ns + plan->warmup_ns) / 1e9;
}

static void
print_plan(const struct session_config *config, const struct plan *plan, FILE *out)
{
	char order[256];
	int one_side = plan->kind == PLAN_A || plan->kind == PLAN_B;
	text_safe_printf(out, "plan: %s, %d %s", plan_kind_name(plan->kind), plan->pairs, one_side ? "slices" : "pairs");
	if (plan->slice_ns)
		text_safe_printf(out, " of %g s slices, the first %g s of each not counted", (double)plan->slice_ns / 1e9,
			(double)plan->settle_ns / 1e9);
	else
		text_safe_printf(out, " of whole runs, after %d uncounted on each side", plan->warmup_runs);
	if (plan->remake_every)
		text_safe_printf(out, "; files made anew every %d pairs", plan->remake_every);
	if (plan->cold)
		text_safe_printf(out, "; caches dropped before every turn");
	plan_format_order(plan, order, sizeof(order));
	if (plan->kind == PLAN_INTERLEAVE)
		text_safe_printf(out, "\n      order %s (seed %llu)", order, (unsigned long long)plan->seed);
	text_safe_printf(out, "\n");
	double seconds = work_seconds(config, plan);
	if (isnan(seconds)) {
		text_safe_printf(out, "time: unknown, a turn ends by itself\n");
		return;
	}
	format_duration(seconds, order, sizeof(order));
	text_safe_printf(out, "time: %s of work, plus laying out the files and draining between slices\n", order);
}

static void
print_writes(const struct session_config *config, const struct plan *plan, FILE *out)
{
	char bytes[32];
	format_bytes(layout_bytes(config, plan), bytes, sizeof(bytes));
	text_safe_printf(out, "writes: %s while preparing; while measuring ", bytes);
	int writes = 0;
	for (int i = 0; i < SIDES; i++)
		writes |= side_runs(config, plan, (enum side)i) && config->side[i].needs.writes;
	text_safe_printf(out, "%s\n", writes ? "as much as the targets take in that time" : "nothing");
}

static void
print_warnings(const struct session_config *config, const struct plan *plan, FILE *out)
{
	const struct stack *a = &config->side[SIDE_A].stack, *b = &config->side[SIDE_B].stack;
	char name[LAYER_NAME_MAX];
	for (int i = 0; i < SIDES; i++) {
		const struct session_side *s = &config->side[i];
		char letter = i == SIDE_A ? 'A' : 'B';
		if (!side_runs(config, plan, (enum side)i))
			continue;
		if (s->stack.is_memory)
			text_safe_printf(out, "! %c is memory (%s): there will be no verdict\n", letter, s->stack.fs_type);
		if (s->stack.is_network)
			text_safe_printf(out, "! %c is on the network: the server's cache is measured too\n", letter);
		if (s->needs.buffered)
			text_safe_printf(out, "! %c goes through the page cache: reads may never reach the device\n", letter);
		if (stack_mirror_on_one_device(&s->stack, name, sizeof(name)))
			text_safe_printf(out, "! %c is a mirror on one device: two copies, one point of failure (%s)\n", letter, name);
	}
	if (side_runs(config, plan, SIDE_A) && side_runs(config, plan, SIDE_B) && stack_share_device(a, b, name, sizeof(name)))
		text_safe_printf(out, "! A and B share the physical device %s: this compares file systems or settings, not disks\n", name);
	if (plan->kind == PLAN_INTERLEAVE && plan->pairs < 6)
		text_safe_printf(out, "! below 6 pairs there is no verdict\n");
	if (plan->kind == PLAN_AB)
		text_safe_printf(out, "! not interleaved: drift and difference cannot be told apart, so there will be no verdict\n");
}

int
dry_run_print(const struct session_config *config, FILE *out, struct error *err)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	const struct session_side *first = &config->side[config->plan.kind == PLAN_B || !config->side[SIDE_A].present ? SIDE_B : SIDE_A];
	if (!plan)
		return error_set(err, -ENOMEM, "there is not enough memory");
	int r = plan_make(&config->plan, first->needs.traffic, plan, err);
	if (r == 0) {
		for (int i = 0; i < SIDES; i++)
			if (side_runs(config, plan, (enum side)i))
				print_side(config, (enum side)i, out);
		print_plan(config, plan, out);
		print_writes(config, plan, out);
		print_warnings(config, plan, out);
		text_safe_printf(out, "Nothing was run and nothing was touched.\n");
	}
	free(plan);
	return r;
}
