// SPDX-License-Identifier: MIT
// How `ioduel probe` writes one tick. One table of columns makes the header,
// the lines and the JSON; what is unknown is a dash there and null here.
#include "probe_print.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct column {
	const char *head, *unit; // for people
	const char *name;	 // in JSON, in the base unit
	size_t field;
	double per_unit;	 // base units in one shown unit
	int width, decimals;
};

#define DISK_AT(member) offsetof(struct disk_rate, member)

static const struct column disk_columns[] = {
	{"read", "1/s", "read_iops", DISK_AT(read_iops), 1, 9, 1},
	{"write", "1/s", "write_iops", DISK_AT(write_iops), 1, 9, 1},
	{"read", "MB/s", "read_bytes_per_s", DISK_AT(read_bytes_per_s), 1e6, 9, 2},
	{"write", "MB/s", "write_bytes_per_s", DISK_AT(write_bytes_per_s), 1e6, 9, 2},
	{"read", "us/IO", "read_latency_ns", DISK_AT(read_latency_ns), 1e3, 9, 1},
	{"write", "us/IO", "write_latency_ns", DISK_AT(write_latency_ns), 1e3, 9, 1},
	{"discard", "MB/s", "discard_bytes_per_s", DISK_AT(discard_bytes_per_s), 1e6, 8, 2},
	{"flush", "1/s", "flush_iops", DISK_AT(flush_iops), 1, 7, 1},
	{"queue", "mean", "queue", DISK_AT(queue), 1, 7, 2},
	{"busy", "%", "busy", DISK_AT(busy), 0.01, 6, 1},
};
#define N_DISK_COLUMNS (sizeof(disk_columns) / sizeof(disk_columns[0]))

static const struct {
	const char *head, *name;
	enum cpu_field field;
} cpu_columns[] = {
	{"user", "user", CPU_USER}, {"sys", "sys", CPU_SYS}, {"iowait", "iowait", CPU_IOWAIT}, {"irq", "irq", CPU_IRQ},
	{"softirq", "softirq", CPU_SOFTIRQ}, {"steal", "steal", CPU_STEAL},
};
#define N_CPU_COLUMNS (sizeof(cpu_columns) / sizeof(cpu_columns[0]))

static double
disk_value(const struct disk_rate *rate, const struct column *column)
{
	return *(const double *)((const char *)rate + column->field);
}

void
probe_print_header(void)
{
	printf("%-8s %7s %-16s", "time", "after", "device");
	for (size_t i = 0; i < N_DISK_COLUMNS; i++)
		printf(" %*s", disk_columns[i].width, disk_columns[i].head);
	for (size_t i = 0; i < N_CPU_COLUMNS; i++)
		printf(" %7s", cpu_columns[i].head);
	printf("\n%-8s %7s %-16s", "", "s", "");
	for (size_t i = 0; i < N_DISK_COLUMNS; i++)
		printf(" %*s", disk_columns[i].width, disk_columns[i].unit);
	for (size_t i = 0; i < N_CPU_COLUMNS; i++)
		printf(" %7s", "CPU %");
	printf("\n");
}

static void
print_number(double value, int width, int decimals)
{
	if (isnan(value))
		printf(" %*s", width, "-");
	else
		printf(" %*.*f", width, decimals, value);
}

void
probe_print_text(double time_s, const struct cpu_rate *cpu, const struct probe_row *rows, size_t n)
{
	char clock[16] = "-";
	time_t seconds = (time_t)time_s;
	struct tm tm;
	if (localtime_r(&seconds, &tm))
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	for (size_t row = 0; row < n; row++) {
		printf("%-8s", clock);
		print_number(cpu->elapsed_s, 7, 3);
		printf(" %-16s", rows[row].name);
		for (size_t i = 0; i < N_DISK_COLUMNS; i++)
			print_number(disk_value(&rows[row].rate, &disk_columns[i]) / disk_columns[i].per_unit,
				     disk_columns[i].width, disk_columns[i].decimals);
		for (size_t i = 0; i < N_CPU_COLUMNS; i++)
			print_number(100 * cpu->share[cpu_columns[i].field], 7, 1);
		printf("\n");
	}
}

static json_t *
json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *
json_cpu(const struct cpu_rate *cpu)
{
	json_t *object = json_object();
	for (size_t i = 0; i < N_CPU_COLUMNS; i++)
		json_object_set_new(object, cpu_columns[i].name, json_number(cpu->share[cpu_columns[i].field]));
	return object;
}

static json_t *
json_disk(const struct probe_row *row)
{
	json_t *object = json_object();
	json_object_set_new(object, "name", json_string(row->name));
	for (size_t i = 0; i < N_DISK_COLUMNS; i++)
		json_object_set_new(object, disk_columns[i].name, json_number(disk_value(&row->rate, &disk_columns[i])));
	json_object_set_new(object, "inflight", json_number(row->rate.inflight));
	return object;
}

int
probe_print_json(double time_s, const struct cpu_rate *cpu, const struct probe_row *rows, size_t n)
{
	json_t *tick = json_object(), *disks = json_array();
	json_object_set_new(tick, "time_s", json_number(time_s));
	json_object_set_new(tick, "elapsed_s", json_number(cpu->elapsed_s));
	json_object_set_new(tick, "cpu", json_cpu(cpu));
	for (size_t i = 0; i < n; i++)
		json_array_append_new(disks, json_disk(&rows[i]));
	json_object_set_new(tick, "disks", disks);
	char *text = json_dumps(tick, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(tick);
	if (!text)
		return -ENOMEM;
	puts(text);
	free(text);
	return 0;
}
