// SPDX-License-Identifier: MIT
// The program's door: which subcommand is meant, and nothing else. The first
// word decides; what is no subcommand is a target or an option of the screen.
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "config.h"

static const struct dispatch {
	const char *name;
	int (*run)(int argc, char **argv);
} dispatch_table[] = {
	{"help", cmd_help},
	{"open", cmd_open},
	{"targets", cmd_targets},
	{"doctor", cmd_doctor},
	{"clean", cmd_clean},
	{"workloads", cmd_workloads},
	{"probe", cmd_probe},
	{"show", cmd_show},
	{"compare", cmd_compare},
	{"export", cmd_export},
	{"verdict", cmd_verdict},
	{"list", cmd_list},
	{"rm", cmd_rm},
};

// The configuration is the screen's: reads it where there is one and reports what it does not understand.
static int
load_config(struct config *config, struct options *options, struct error *err)
{
	char path[4096];
	if (config_path(path, sizeof(path)) < 0)
		return 0;
	int r = config_load(config, path, options, err);
	for (int i = 0; i < config->n_problems && i < CONFIG_PROBLEMS_MAX; i++)
		fprintf(stderr, "ioduel: %s\n", config->problem[i]);
	options->config = config;
	return r;
}

static int
run_session(int argc, char **argv, enum cli_mode mode, struct config *config)
{
	struct options options;
	struct error err = {0};
	options_init(&options);
	if (mode != CLI_RUN && load_config(config, &options, &err) < 0)
		return cli_fail(&err, EXIT_RUN_FAILED);
	if (cli_parse(argc, argv, mode, &options, &err) < 0)
		return cli_fail(&err, EXIT_USAGE);
	if (options.help) {
		help_print(mode == CLI_RUN ? "run" : mode == CLI_DEMO ? "demo" : NULL);
		return EXIT_DONE;
	}
	return mode == CLI_RUN ? cmd_run(&options) : mode == CLI_DEMO ? cmd_demo(&options) : cmd_screen(&options);
}

static int
dispatch_session(int argc, char **argv, enum cli_mode mode)
{
	struct config config;
	config_init(&config);
	int status = run_session(argc, argv, mode, &config);
	config_fini(&config);
	return status;
}

static int
dispatch(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		printf("ioduel %s\n", IODUEL_VERSION);
		return EXIT_DONE;
	}
	if (strcmp(word, "run") == 0)
		return dispatch_session(argc - 1, argv + 1, CLI_RUN);
	if (strcmp(word, "demo") == 0)
		return dispatch_session(argc - 1, argv + 1, CLI_DEMO);
	for (size_t i = 0; i < sizeof(dispatch_table) / sizeof(dispatch_table[0]); i++) {
		if (strcmp(word, dispatch_table[i].name) != 0)
			continue;
		if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
			help_print(word);
			return EXIT_DONE;
		}
		return dispatch_table[i].run(argc - 1, argv + 1);
	}
	return dispatch_session(argc, argv, CLI_SCREEN);
}

// A file opened later must not become a standard stream that the caller closed. Writing to what is opened here
// fails, as it should.
static void
fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			_exit(EXIT_RUN_FAILED);
}

// A big block that is freed goes back to the system: without this the first one freed moves all later ones to the
// heap, where what was needed only at the start stays.
static void
keep_memory_small(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 64 * 1024);
	mallopt(M_TRIM_THRESHOLD, 64 * 1024);
#endif
}

int
main(int argc, char **argv)
{
	fill_standard_streams();
	keep_memory_small();
	// Not LC_NUMERIC: numbers are read and written with a point everywhere.
	setlocale(LC_CTYPE, "");
	// A reader that has gone shows as EPIPE, so that everything is cleaned up on that way out too.
	signal(SIGPIPE, SIG_IGN);
	return cli_finish(dispatch(argc, argv));
}
