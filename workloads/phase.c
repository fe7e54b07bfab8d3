// SPDX-License-Identifier: MIT
// Phases of a pass; see phase.h.
#include "phase.h"

#include <ioduel/clock.h>

#include <math.h>
#include <string.h>
#include <sys/resource.h>

#define TELL_EVERY_NS (50 * NS_PER_MS)

static void
cpu_now(const struct phase *ph, double *ret_user_s, double *ret_sys_s)
{
	struct rusage ru;
	getrusage(ph->whole_process ? RUSAGE_SELF : RUSAGE_THREAD, &ru);
	*ret_user_s = (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6;
	*ret_sys_s = (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6;
}

void
phase_begin(struct phase *ph, struct pass *pass, const char *name, const char *label, bool whole_process, double shortest_s,
	    struct tally *tally)
{
	*ph = (struct phase){ .pass = pass, .name = name, .whole_process = whole_process, .shortest_s = shortest_s, .tally = tally };
	tally_init(tally);
	pass_note(pass, WIRE_NOTE_PHASE, "%s", label);
	cpu_now(ph, &ph->user_s, &ph->sys_s);
	ph->start_ns = ph->merged_ns = clock_now_ns();
}

void
phase_did(struct phase *ph, enum wire_class class, uint64_t bytes, int64_t since_ns, int64_t now_ns)
{
	ph->tally->ops[class]++;
	ph->tally->bytes[class] += bytes;
	hist_add(&ph->tally->lat[class], now_ns > since_ns ? (uint64_t)(now_ns - since_ns) : 0);
	if (now_ns - ph->merged_ns > TELL_EVERY_NS) {
		pass_merge(ph->pass, ph->tally);
		ph->merged_ns = now_ns;
	}
}

void
phase_add_cpu(struct phase *ph, double user_s, double sys_s)
{
	ph->user_s -= user_s;
	ph->sys_s -= sys_s;
}

void
phase_stop(struct phase *ph)
{
	double user_s, sys_s;
	ph->elapsed_ns = clock_now_ns() - ph->start_ns;
	cpu_now(ph, &user_s, &sys_s);
	ph->user_s = user_s - ph->user_s;
	ph->sys_s = sys_s - ph->sys_s;
	pass_merge(ph->pass, ph->tally);
}

static void
result(struct pass *pass, const char *name, const char *suffix, double value, enum wire_result_state state)
{
	char full[32];
	snprintf(full, sizeof(full), "%s%s", name, suffix);
	pass_result(pass, full, state == WIRE_RESULT_OK ? value : (double)NAN, state);
}

void
phase_report(const struct phase *ph, double amount)
{
	double elapsed_s = (double)ph->elapsed_ns / 1e9;
	enum wire_result_state state = elapsed_s < ph->shortest_s ? WIRE_RESULT_TOO_FAST : WIRE_RESULT_OK;
	result(ph->pass, ph->name, "", amount / elapsed_s, state);
}

void
phase_report_cpu(const struct phase *ph)
{
	double elapsed_s = (double)ph->elapsed_ns / 1e9;
	result(ph->pass, ph->name, "_cpu", 100 * (ph->user_s + ph->sys_s) / elapsed_s,
	       elapsed_s < ph->shortest_s ? WIRE_RESULT_TOO_FAST : WIRE_RESULT_OK);
	result(ph->pass, ph->name, "_user_s", ph->user_s, WIRE_RESULT_OK);
	result(ph->pass, ph->name, "_sys_s", ph->sys_s, WIRE_RESULT_OK);
}

void
phase_skip(struct pass *pass, const char *name)
{
	result(pass, name, "", NAN, WIRE_RESULT_NOT_RUN);
	result(pass, name, "_cpu", NAN, WIRE_RESULT_NOT_RUN);
}
