// SPDX-License-Identifier: MIT
// `ioduel workloads`: what can be run, printed from the workload table and its
// parameter tables alone.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <ioduel/workload.h>

#include "cmd.h"

static void
format_bound(enum param_kind kind, double value, char *buf, size_t size)
{
	if (kind == PARAM_SIZE)
		param_format_size(value, buf, size);
	else if (kind == PARAM_TIME)
		snprintf(buf, size, "%gs", value / 1e9);
	else
		snprintf(buf, size, kind == PARAM_COUNT ? "%.0f" : "%.15g", value);
}

// "whole number from 1 to 4096", "one of uniform, zipf:NUMBER".
static void
format_domain(const struct param_spec *spec, char *buf, size_t size)
{
	static const char *const kind[] = {
		[PARAM_SIZE] = "size", [PARAM_COUNT] = "whole number", [PARAM_NUMBER] = "number", [PARAM_PERCENT] = "percent",
		[PARAM_TIME] = "time", [PARAM_BOOL] = "0 or 1", [PARAM_CHOICE] = "one of ", [PARAM_TEXT] = "text",
	};
	size_t n = (size_t)snprintf(buf, size, "%s", kind[spec->kind]);
	if (spec->kind == PARAM_CHOICE) {
		for (const char *c = spec->choices; *c && n + 16 < size; c++)
			if (*c == '|')
				n += (size_t)snprintf(buf + n, size - n, ", ");
			else if (*c == ':' && (c[1] == '|' || !c[1]))
				n += (size_t)snprintf(buf + n, size - n, ":NUMBER");
			else
				n += (size_t)snprintf(buf + n, size - n, "%c", *c);
		return;
	}
	if (spec->min <= spec->max && spec->kind != PARAM_BOOL && spec->kind != PARAM_TEXT) {
		char lo[32], hi[32];
		format_bound(spec->kind, spec->min, lo, sizeof(lo));
		format_bound(spec->kind, spec->max, hi, sizeof(hi));
		n += (size_t)snprintf(buf + n, size - n, " from %s to %s", lo, hi);
	}
	if (spec->unit && *spec->unit && n < size)
		snprintf(buf + n, size - n, " (%s)", spec->unit);
}

static void
print_parameters(const struct workload *workload)
{
	printf("%s: %s\n\n", workload->name, workload->summary);
	if (!workload->params || !workload->params->name) {
		printf("It has no parameters.\n");
		return;
	}
	for (const struct param_spec *spec = workload->params; spec->name; spec++) {
		char domain[256];
		format_domain(spec, domain, sizeof(domain));
		printf("  %-12s %s\n", spec->name, spec->help);
		printf("  %-12s %s; default: %s\n", "", domain, spec->preset && *spec->preset ? spec->preset : "see above");
	}
	printf("\nExample: ioduel run -a DIR -b DIR -w %s\n", workload->name);
}

int
cmd_workloads(int argc, char **argv)
{
	struct cli_scan scan = {0};
	struct error err = {0};
	const char *names[64];
	size_t n = 0;
	if (cli_next(&scan, argc, argv, "", NULL, &err) != -1)
		return cli_fail(&err, EXIT_USAGE);
	if (argc - optind > 1) {
		error_set_status(&err, -EINVAL, EXIT_USAGE, "ioduel workloads takes one name, but got \"%s\" too", argv[optind + 1]);
		return cli_fail(&err, EXIT_USAGE);
	}
	if (optind == argc) {
		for (const struct workload *const *w = workload_table; *w; w++)
			printf("%-12s %s\n", (*w)->name, (*w)->summary);
		printf("\nNamed combinations of these:\n");
		for (const struct workload_preset *p = workload_presets; p->name; p++)
			printf("%-12s %s\n", p->name, p->summary);
		return EXIT_DONE;
	}
	for (const struct workload_preset *p = workload_presets; p->name; p++) {
		if (strcmp(p->name, argv[optind]) == 0) {
			printf("%s: %s\n\nIt stands for %s:%s\n", p->name, p->summary, p->workload, p->list);
			return EXIT_DONE;
		}
	}
	const struct workload *workload = workload_find(argv[optind]);
	if (workload) {
		print_parameters(workload);
		return EXIT_DONE;
	}
	for (; workload_table[n] && n < 64; n++)
		names[n] = workload_table[n]->name;
	const char *near = cli_nearest(argv[optind], names, n);
	error_set_status(&err, -EINVAL, EXIT_USAGE, "there is no workload \"%s\"%s%s%s", argv[optind],
			 near ? "; did you mean " : "; ioduel workloads lists them", near ? near : "", near ? "?" : "");
	return cli_fail(&err, EXIT_USAGE);
}
