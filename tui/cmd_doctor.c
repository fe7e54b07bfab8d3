// SPDX-License-Identifier: MIT
// `ioduel doctor`: every check of doc/METHOD.md, section 5, on targets on which
// nothing runs. Two targets are also held against each other. What cannot be
// read is said to be unknown, and what only a run can show is said to be that.
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ioduel/probe.h>
#include <ioduel/target.h>

#include "cmd.h"
#include "session/traps.h"
#include "session/traps_sink.h"
#include "session/text_safe.h"

struct doctor {
	struct sysroot *root;
	int json;
	json_t *targets; // of the JSON output
	struct sample sample;
	struct stack stack[SIDES];
	struct trap_signals signals[SIDES];
	struct trap_session session;
	struct trap_finding finding[TRAP_FINDINGS_MAX];
	int n;
};

static const char *const level_name[] = {[LEVEL_INFO] = "info", [LEVEL_YELLOW] = "yellow", [LEVEL_RED] = "red"};

static bool
in_list(const char *const *list, const char *id)
{
	while (*list && strcmp(*list, id) != 0)
		list++;
	return *list != NULL;
}

// True for what only a run shows. The rules over a run that can be judged before one are named here.
static bool
needs_run(const struct trap_finding *finding)
{
	static const char *const known_before[] = {"no-direct", "device-hot", "busy-machine", NULL};
	const char *id = finding->warning.id;
	for (const struct trap_rule *rule = trap_rules_run; rule->id; rule++)
		if (strcmp(rule->id, id) == 0)
			return !in_list(known_before, id);
	return false;
}

// Leaves out what holds two targets against each other where there is one.
static int
drop_pair_checks(struct trap_finding *finding, int n)
{
	static const char *const of_two[] = {"shared-device", "shared-controller", "trim-differs", "settings-differ",
					     "write-cache-differs", NULL};
	int kept = 0;
	for (int i = 0; i < n; i++)
		if (!in_list(of_two, finding[i].warning.id))
			finding[kept++] = finding[i];
	return kept;
}

// Fills one side; -errno with a sentence where the path is no target.
static int
look_at(struct doctor *d, enum side side, const char *path, struct error *err)
{
	struct trap_side *s = &d->session.side[side];
	struct target_info info;
	int r = 0;
	if (!sysroot_is_recorded(d->root))
		r = target_inspect(path, 0, &info, err);
	if (r == 0 && !sysroot_is_recorded(d->root))
		s->direct = info.direct_ok;
	if (r == 0)
		r = stack_resolve(d->root, path, &d->stack[side], err);
	if (r < 0)
		return r;
	trap_read(d->root, &d->stack[side], &d->signals[side]);
	s->present = 1;
	s->name = path;
	s->direct_wanted = 1;
	s->stack = &d->stack[side];
	s->signals = &d->signals[side];
	trap_note_heat(s, &d->sample.thermal, 0);
	d->session.idle_pressure_io = d->signals[side].pressure_io_avg10;
	d->session.idle_pressure_cpu = d->signals[side].pressure_cpu_avg10;
	return 0;
}

static void
print_level(const struct doctor *d, enum warning_level level)
{
	for (int i = 0; i < d->n; i++) {
		const struct trap_finding *f = &d->finding[i];
		if (f->state != TRAP_SET || f->warning.level != level || needs_run(f))
			continue;
		text_safe_printf(stdout, "  %-7s %s\n", level_name[level], f->warning.text);
		text_safe_printf(stdout, "          %s\n", f->mend);
	}
}

static void
print_titles(const struct doctor *d, const char *head, bool (*which)(const struct trap_finding *))
{
	const char *last = "";
	size_t column = 0;
	for (int i = 0; i < d->n; i++) {
		const char *title = d->finding[i].title;
		if (!which(&d->finding[i]) || strcmp(title, last) == 0)
			continue;
		if (column == 0)
			printf("  %s", head);
		if (column == 0 || column + strlen(title) + 3 > 79) {
			printf("%s\n         ", column ? ";" : "");
			column = 9;
		} else {
			printf(";");
		}
		column += (size_t)printf(" %s", title) + 1;
		last = title;
	}
	if (column)
		printf("\n");
}

static bool
is_fine(const struct trap_finding *finding)
{
	return finding->state == TRAP_FINE && !needs_run(finding);
}

static void
print_findings(const struct doctor *d)
{
	print_level(d, LEVEL_RED);
	print_level(d, LEVEL_YELLOW);
	print_level(d, LEVEL_INFO);
	for (int i = 0; i < d->n; i++)
		if (d->finding[i].state == TRAP_NOT_KNOWN && !needs_run(&d->finding[i]))
			text_safe_printf(stdout, "  unknown %s: %s\n", d->finding[i].title, d->finding[i].warning.text);
	print_titles(d, "only a run can tell:", needs_run);
	print_titles(d, "looked at, nothing against it:", is_fine);
}

static void
add_json(const struct doctor *d, const char *const *paths, int n_paths)
{
	static const char *const state_name[] = {[TRAP_FINE] = "fine", [TRAP_SET] = "set", [TRAP_NOT_KNOWN] = "unknown"};
	static const char *const side_name[] = {[WARN_A] = "a", [WARN_B] = "b", [WARN_BOTH] = "both"};
	json_t *object = json_object(), *list = json_array(), *findings = json_array();
	for (int i = 0; i < n_paths; i++)
		json_array_append_new(list, json_string(paths[i]));
	for (int i = 0; i < d->n; i++) {
		const struct trap_finding *f = &d->finding[i];
		const char *state = needs_run(f) ? "needs-run" : state_name[f->state];
		json_array_append_new(findings, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:s}", "id", f->warning.id, "title",
							  f->title, "side", side_name[f->warning.side], "state", state, "level",
							  f->state == TRAP_SET && !needs_run(f) ? level_name[f->warning.level] : NULL,
							  "text", needs_run(f) ? "" : f->warning.text, "mend", f->mend));
	}
	json_object_set_new(object, "paths", list);
	json_object_set_new(object, "findings", findings);
	json_array_append_new(d->targets, object);
}

static int
examine(struct doctor *d, const char *const *paths, int n_paths, struct error *err)
{
	trap_session_init(&d->session);
	d->session.reads = d->session.writes = d->session.closed_loop = 1;
	for (int i = 0; i < n_paths; i++) {
		int r = look_at(d, (enum side)i, paths[i], err);
		if (r < 0)
			return r;
	}
	d->n = traps_check(&d->session, d->finding, TRAP_FINDINGS_MAX);
	if (n_paths == 1)
		d->n = drop_pair_checks(d->finding, d->n);
	if (d->json) {
		add_json(d, paths, n_paths);
		return 0;
	}
	for (int i = 0; i < n_paths; i++) {
		char line[512];
		stack_format_line(&d->stack[i], line, sizeof(line));
		text_safe_printf(stdout, "%s: %s\n", paths[i], line);
	}
	print_findings(d);
	return 0;
}

static int
examine_all(struct doctor *d, const char *const *paths, int n_paths)
{
	int status = EXIT_DONE, step = n_paths == 2 ? 2 : 1;
	for (int i = 0; i < n_paths; i += step) {
		struct error err = {0};
		if (i > 0 && !d->json)
			printf("\n");
		if (examine(d, paths + i, step, &err) < 0)
			status = cli_fail(&err, EXIT_RUN_FAILED);
	}
	return status;
}

static int
read_machine(struct doctor *d, const char *sysroot, struct error *err)
{
	d->root = sysroot_new(sysroot, err);
	struct probes *probes = d->root ? probes_new(d->root, err) : NULL;
	if (!probes)
		return err->code;
	probes_read(probes, &d->sample);
	probes_free(probes);
	return 0;
}

static int
print_json(struct doctor *d)
{
	json_t *object = json_pack("{s:i, s:s, s:o}", "ioduel", 1, "kind", "doctor", "targets", d->targets);
	d->targets = NULL;
	char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL;
	json_decref(object);
	if (!text)
		return -ENOMEM;
	puts(text);
	free(text);
	return 0;
}

int
cmd_doctor(int argc, char **argv)
{
	static const struct option longs[] = {{"json", no_argument, NULL, 'j'}, {"sysroot", required_argument, NULL, 'r'}, {0}};
	static const char *const here[] = {"."};
	struct doctor *d = calloc(1, sizeof(*d));
	struct cli_scan scan = {0};
	struct error err = {0};
	const char *sysroot = "/";
	int c, status = EXIT_DONE;
	while (d && (c = cli_next(&scan, argc, argv, "", longs, &err)) != -1) {
		if (c == '?') {
			free(d);
			return cli_fail(&err, EXIT_USAGE);
		}
		if (c == 'j')
			d->json = 1;
		else
			sysroot = optarg;
	}
	if (!d || (d->json && !(d->targets = json_array()))) {
		free(d);
		error_set(&err, -ENOMEM, "there is not enough memory");
		return cli_fail(&err, EXIT_RUN_FAILED);
	}
	sample_init(&d->sample);
	if (read_machine(d, sysroot, &err) < 0)
		status = cli_fail(&err, EXIT_USAGE);
	else if (optind < argc)
		status = examine_all(d, (const char *const *)argv + optind, argc - optind);
	else
		status = examine_all(d, here, 1);
	if (d->json && status == EXIT_DONE && print_json(d) < 0)
		status = EXIT_RUN_FAILED;
	json_decref(d->targets);
	sample_fini(&d->sample);
	sysroot_free(d->root);
	free(d);
	return status;
}
