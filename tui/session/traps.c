// SPDX-License-Identifier: MIT
// The traps: runs every rule and collects what it says. One rule of its own: a
// check that says nothing about a session looked at it and found it fine.
#include "session/traps.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "session/traps_sink.h"

static const struct trap_rule *const tables[] = {trap_rules_target, trap_rules_run};
#define N_TABLES (sizeof(tables) / sizeof(tables[0]))

void
trap_session_init(struct trap_session *s)
{
	memset(s, 0, sizeof(*s));
	s->idle_pressure_io = s->idle_pressure_cpu = NAN;
	for (int i = 0; i < SIDES; i++) {
		struct trap_side *side = &s->side[i];
		*side = (struct trap_side){
			.name = i == SIDE_A ? "A" : "B", .direct_wanted = -1, .direct = -1, .file_set_bytes = NAN,
			.program_read_bytes = NAN, .program_write_bytes = NAN, .device_read_bytes = NAN,
			.device_write_bytes = NAN, .dirtied_bytes = NAN, .unsynced_bytes = NAN,
			.write_rate_bytes_per_s = NAN, .foreign_bytes_per_s = NAN, .foreign_share = NAN,
			.foreign_slices = -1, .drain_timeouts = -1, .hottest_c = NAN, .heat_limit_c = NAN,
			.hottest_at_s = NAN, .heat_alarm = -1, .cpu_throttles = NAN, .mean_mhz = NAN, .steal_share = NAN,
			.rate_wanted_per_s = NAN, .rate_held = -1, .wait_share = NAN, .sync_s = NAN, .real_s = NAN,
		};
	}
}

static struct trap_finding *
add(struct trap_sink *sink, enum trap_state state, enum warning_side side)
{
	static struct trap_finding overflow; // written, never read
	struct trap_finding *finding = sink->n < sink->max ? &sink->finding[sink->n++] : &overflow;
	memset(finding, 0, sizeof(*finding));
	finding->state = state;
	finding->mend = sink->mend;
	finding->title = sink->title;
	finding->warning.side = side;
	snprintf(finding->warning.id, sizeof(finding->warning.id), "%s", sink->id);
	return finding;
}

void
trap_raise(struct trap_sink *sink, enum warning_level level, enum warning_side side, const char *fmt, ...)
{
	struct trap_finding *finding = add(sink, TRAP_SET, side);
	va_list ap;
	finding->warning.level = level;
	va_start(ap, fmt);
	vsnprintf(finding->warning.text, sizeof(finding->warning.text), fmt, ap);
	va_end(ap);
}

void
trap_unknown(struct trap_sink *sink, enum warning_side side, const char *fmt, ...)
{
	struct trap_finding *finding = add(sink, TRAP_NOT_KNOWN, side);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(finding->warning.text, sizeof(finding->warning.text), fmt, ap);
	va_end(ap);
}

int
traps_check(const struct trap_session *s, struct trap_finding *ret, int max)
{
	struct trap_sink sink = {.finding = ret, .max = max};
	enum warning_side all = trap_has_both(s) ? WARN_BOTH : s->side[SIDE_B].present ? WARN_B : WARN_A;
	for (size_t t = 0; t < N_TABLES; t++)
		for (const struct trap_rule *rule = tables[t]; rule->id; rule++) {
			int before = sink.n;
			sink.id = rule->id;
			sink.title = rule->title;
			sink.mend = rule->mend;
			rule->check(s, &sink);
			if (sink.n == before)
				add(&sink, TRAP_FINE, all);
		}
	return sink.n;
}

int
traps_warn(const struct trap_session *s, struct result *r)
{
	static struct trap_finding finding[TRAP_FINDINGS_MAX];
	int n = traps_check(s, finding, TRAP_FINDINGS_MAX), set = 0;
	for (int i = 0; i < n; i++) {
		const struct warning *w = &finding[i].warning;
		if (finding[i].state != TRAP_SET)
			continue;
		result_warn(r, w->id, w->level, w->side, "%s", w->text);
		set++;
	}
	return set;
}

const char *
trap_mend(const char *id)
{
	for (size_t t = 0; t < N_TABLES; t++)
		for (const struct trap_rule *rule = tables[t]; rule->id; rule++)
			if (strcmp(rule->id, id) == 0)
				return rule->mend;
	return NULL;
}

static int
is_disk_of(const struct stack *stack, const char *name)
{
	for (int i = 0; i < stack->n_layers; i++)
		if (stack->layer[i].leaf && strcmp(stack->layer[i].name, name) == 0)
			return 1;
	return 0;
}

void
trap_note_heat(struct trap_side *side, const struct thermal_sample *thermal, double at_s)
{
	for (unsigned i = 0; side->stack && i < thermal->n; i++) {
		const struct thermal_zone *zone = &thermal->zone[i];
		int limit = zone->max_milli_c ? zone->max_milli_c : zone->crit_milli_c;
		if (zone->device[0] == '\0' || !is_disk_of(side->stack, zone->device))
			continue;
		if (zone->alarm > side->heat_alarm)
			side->heat_alarm = zone->alarm;
		if (limit == 0)
			continue;
		double c = zone->milli_c / 1000.0, limit_c = limit / 1000.0;
		if (!isnan(side->hottest_c) && limit_c - c >= side->heat_limit_c - side->hottest_c)
			continue;
		side->hottest_c = c;
		side->heat_limit_c = limit_c;
		side->hottest_at_s = at_s;
	}
}

const char *
trap_size(double bytes, char buf[TRAP_TEXT])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	int unit = 0;
	while (bytes >= 1024 && unit < 4) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buf, TRAP_TEXT, unit >= 3 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
	return buf;
}

const char *
trap_rate(double bytes_per_s, char buf[TRAP_TEXT])
{
	static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s"};
	int unit = 0;
	while (bytes_per_s >= 999.5 && unit < 3) {
		bytes_per_s /= 1000;
		unit++;
	}
	snprintf(buf, TRAP_TEXT, unit > 0 && bytes_per_s < 9.95 ? "%.1f %s" : "%.0f %s", bytes_per_s, units[unit]);
	return buf;
}
