// SPDX-License-Identifier: MIT
// `ioduel run`, `ioduel demo` and the screen: one session, with a terminal or
// without. Rule: standard output carries the result and nothing else.
#include <ioduel/clock.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "config.h"
#include "confirm.h"
#include "dry_run.h"
#include "loop.h"
#include "session/result_json.h"
#include "session/result_text.h"
#include "setup.h"

// --fail-if-slower: 0, or the status to end with.
static int
judge(const struct options *o, const struct result *r)
{
	double limit = 1 - o->fail_if_slower;
	if (isnan(o->fail_if_slower))
		return EXIT_DONE;
	const struct verdict *v = &r->verdict;
	if (v->word == VERDICT_NONE || !v->has_interval) {
		fprintf(stderr, "ioduel: --fail-if-slower: there is no verdict: %s\n", v->text);
		return EXIT_RUN_FAILED;
	}
	// verdict.ratio is work per second of B over A, so a slower B has its whole interval below 1.
	return v->hi < limit ? EXIT_SLOWER : EXIT_DONE;
}

static int
prepare(const struct options *o, int strict, struct sysroot **ret_root, struct session_config **ret_config)
{
	struct error err;
	struct session_config *config = calloc(1, sizeof(*config));
	struct sysroot *root = NULL;
	int rc = -ENOMEM;
	if (!config)
		rc = error_set(&err, -ENOMEM, "not enough memory");
	else if (!(root = sysroot_new(o->sysroot ? o->sysroot : "/", &err)))
		rc = err.code;
	else
		rc = setup_session(root, o, strict, config, &err);
	if (!rc && strict)
		rc = dry_run_check_space(config, &err);
	if (!rc && !o->dry_run)
		rc = confirm_destroy(o, config, &err);
	if (rc) {
		sysroot_free(root);
		free(config);
		return cli_fail(&err, EXIT_RUN_FAILED);
	}
	*ret_root = root;
	*ret_config = config;
	return 0;
}

static int
run_dry(struct sysroot *root, struct session_config *config)
{
	struct error err = {0};
	int rc = dry_run_print(config, stdout, &err);
	sysroot_free(root);
	free(config);
	return rc ? cli_fail(&err, EXIT_USAGE) : EXIT_DONE;
}

int
cmd_run(const struct options *o)
{
	struct session_config *config;
	struct sysroot *root;
	struct result result;
	int status = prepare(o, 1, &root, &config);
	if (status)
		return status;
	if (o->dry_run)
		return run_dry(root, config);
	result_init(&result);
	config->start = START_PLAN;
	struct loop_options lo = {
		.options = o, .root = root, .progress = !o->quiet && isatty(STDERR_FILENO), .ret_result = &result};
	status = loop_run(&lo, config);
	if (result.n_pairs > 0 || status == EXIT_DONE) {
		if (o->json)
			result_write_json(&result, stdout);
		else
			result_write_text(&result, stdout);
	}
	if (status == EXIT_DONE)
		status = judge(o, &result);
	result_fini(&result);
	sysroot_free(root);
	return cli_finish(status);
}

static int
run_screen(const struct options *o, enum session_start start)
{
	struct session_config *config;
	struct sysroot *root;
	struct screen_options so = {.layout = o->layout, .theme = o->theme, .glyphs = o->glyphs, .mouse = !o->no_mouse};
	if (o->config) {
		so.keys = o->config->key;
		so.n_keys = (size_t)o->config->n_keys;
	}
	int status = prepare(o, 0, &root, &config);
	if (status)
		return status;
	config->start = start;
	struct loop_options lo = {.options = o, .root = root, .screen = &so};
	status = loop_run(&lo, config);
	sysroot_free(root);
	return status;
}

int
cmd_screen(const struct options *o)
{
	return run_screen(o, o->workload ? START_TURN : START_MONITOR);
}

int
cmd_demo(const struct options *o)
{
	struct options demo = *o;
	if (!demo.side[SIDE_A].target)
		demo.side[SIDE_A].target = ".";
	demo.side[SIDE_B].target = demo.side[SIDE_A].target;
	demo.workload = "randread:bs=4k,size=256m";
	demo.side[SIDE_A].set[0] = "qd=1";
	demo.side[SIDE_B].set[0] = "qd=8";
	demo.side[SIDE_A].set[1] = demo.side[SIDE_B].set[1] = NULL;
	demo.side[SIDE_A].n_set = demo.side[SIDE_B].n_set = 1;
	demo.side[SIDE_A].label = "queue depth 1";
	demo.side[SIDE_B].label = "queue depth 8";
	demo.plan.pairs = 8;
	demo.plan.slice_s = 1.6;
	demo.plan.settle_s = 0.4;
	demo.plan.warmup_s = 1.5;
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !demo.json)
		return run_screen(&demo, START_PLAN);
	return cmd_run(&demo);
}
