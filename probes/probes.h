// SPDX-License-Identifier: MIT
// The inside of the room: the probes that the table names, and the parsers
// that more than one of them or a test needs.
#ifndef IODUEL_PROBES_PROBES_H
#define IODUEL_PROBES_PROBES_H

#include <ioduel/probe.h>

extern const struct probe probe_diskstats, probe_cpu, probe_pressure, probe_memory, probe_thermal, probe_statgrab;

// Makes room for one more disk; 0 or -ENOMEM.
int sample_reserve_disk(struct sample *s);

// Text of a file into its group of s. What cannot be understood stays unknown.
void diskstats_parse(const char *text, struct sample *s);
void cpu_parse(const char *text, struct cpu_sample *ret);
void meminfo_parse(const char *text, struct memory_sample *ret);
void pressure_parse(const char *text, struct pressure_sample *ret);

#endif
