// SPDX-License-Identifier: MIT
// The command line as plain values. One table (cli_options) describes every
// option of the screen, `run` and `demo`: the parser, the help text, the
// configuration file and the completion are all made from it. Parsing touches
// the file system only to see whether A and B are the same place.
#ifndef IODUEL_CLI_H
#define IODUEL_CLI_H

#include <getopt.h>
#include <ioduel/error.h>
#include <ioduel/param.h>
#include <stdbool.h>
#include <stddef.h>

#include "session/metrics.h"
#include "session/plan.h"
#include "session/result.h"

struct config;

// Which way of running the options are for; bits, so that a row of the table can name several.
enum cli_mode { CLI_SCREEN = 1, CLI_RUN = 2, CLI_DEMO = 4 };

#define CLI_SETS_MAX 32

// What the command line says about one side. Strings belong to argv or to the configuration.
struct side_options {
	const char *target;   // path, "baseline:FILE", NULL = none
	const char *label;    // NULL = none
	const char *setup;    // command run before every turn of this side, NULL = none
	const char *set[CLI_SETS_MAX + 1]; // "key=value", ends with NULL
	int n_set;
};

struct options {
	enum cli_mode mode;
	struct side_options side[SIDES];
	const char *workload; // text of -w, NULL = none given
	struct plan_options plan;
	const char *primary;  // JSON name of a metric, NULL = the workload's own
	// output of run
	int json, quiet;
	const char *save;     // file, NULL = a new one in the data directory
	int no_save;
	double fail_if_slower; // 0.05 = 5 %; NAN = not asked
	// before anything runs
	int dry_run;
	int overwrite_file, destroy_data;
	const char *yes_destroy; // device name, NULL = not given
	// screen
	double interval_s;    // between two samples, 0.5
	const char *layout, *theme, *glyphs; // NULL = default
	int no_mouse;
	const char *sysroot;  // "/" or a recorded machine
	const struct config *config; // the configuration file (key bindings), NULL = not read
	int help;	      // --help was given: nothing else was checked
};

enum cli_kind { CLI_FLAG, CLI_TEXT, CLI_CHOICE, CLI_COUNT, CLI_SEED, CLI_SECONDS, CLI_PERCENT_OF_ONE, CLI_PLAN, CLI_METRIC, CLI_SET };

// One option. `field` is the offset of its value in struct options.
struct cli_option {
	const char *name;
	char letter;	      // 0 = none
	enum cli_kind kind;
	unsigned modes;	      // of enum cli_mode
	bool in_config;	      // may stand in the configuration file
	const char *arg;      // placeholder for help; for CLI_CHOICE "a|b|c"; NULL = takes none
	double min, max;      // of numbers; min > max: no bounds
	size_t field;
	const char *help;
};

extern const struct cli_option cli_options[]; // ends with a NULL name

// Everything unknown, unset or at its default.
void options_init(struct options *o);

// Sets one option from its text, as both the command line and the configuration do.
// -EINVAL and a sentence that names the option as `shown` ("--slice", "config line 3: slice").
int cli_set(struct options *o, const struct cli_option *option, const char *shown, const char *text, struct error *err);

// Parses argv (argv[0] is "ioduel", "run" or "demo" and is skipped) over what *o already holds (options_init,
// then the configuration) and checks the whole. 0, or -EINVAL and a sentence with EXIT_USAGE.
int cli_parse(int argc, char **argv, enum cli_mode mode, struct options *o, struct error *err);

// The workload as one side runs it: -w with that side's --set-a or --set-b over it.
int options_workload(const struct options *o, enum side side, struct param_set *ret, struct error *err);

// As getopt_long, with one sentence in err for what is wrong: returns '?' then, -1 at the end.
// longs may be NULL. The first call must find *state 0.
struct cli_scan {
	int started;
};
int cli_next(struct cli_scan *scan, int argc, char **argv, const char *shorts, const struct option *longs,
	     struct error *err);

// A number of an option's argument, within bounds; `what` is shown in the sentence.
int cli_number(const char *what, const char *text, double min, double max, double *ret, struct error *err);

// The name nearest to `name` among n, NULL if none is near enough to be meant.
const char *cli_nearest(const char *name, const char *const *names, size_t n);

// Prints err as "ioduel: sentence." on standard error; returns its exit status, or fallback where it names none.
int cli_fail(const struct error *err, enum exit_status fallback);

// Flushes standard output and returns status; where writing failed, says so and returns EXIT_RUN_FAILED. A reader that
// has gone (`| head`) is no error.
int cli_finish(int status);

// True once standard output cannot take any more: a loop that prints should end.
bool cli_output_gone(void);

#endif
