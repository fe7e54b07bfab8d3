// SPDX-License-Identifier: MIT
// How `ioduel probe` writes one tick: as columns, or as one JSON object.
#ifndef IODUEL_PROBE_PRINT_H
#define IODUEL_PROBE_PRINT_H

#include <ioduel/sample.h>
#include <stddef.h>

// One line of a tick.
struct probe_row {
	char name[DISK_NAME_MAX];
	struct disk_rate rate;
};

// "time" is seconds since 1970.
void probe_print_header(void);
void probe_print_text(double time_s, const struct cpu_rate *cpu, const struct probe_row *rows, size_t n);
// One line; 0 or -ENOMEM.
int probe_print_json(double time_s, const struct cpu_rate *cpu, const struct probe_row *rows, size_t n);

#endif
