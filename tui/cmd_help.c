// SPDX-License-Identifier: MIT
// `ioduel help`: every subcommand has one row in the table below; the options
// of the screen, `run` and `demo` are printed from the table of options.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "config.h"

const struct command_info command_table[] = {
	{"run", "run -a A [-b B] -w WORKLOAD [OPTIONS]", "the same without a terminal; prints the verdict",
	 "Measures A and B in turns and says which is faster, with the interval of what\n"
	 "the difference may be. The interval covers repetition of the session on the\n"
	 "same files and the same state of the machine; it does not cover the layout of\n"
	 "other files, temperature, fill level or tomorrow (--careful covers the files).\n"
	 "\n"
	 "  ioduel run -a /mnt/a -b /mnt/b -w randread:bs=4k,qd=8\n"
	 "  ioduel run -a . -b . -w randwrite --set-a fsync=0 --set-b fsync=1 --json\n",
	 CLI_RUN},
	{"demo", "demo [OPTIONS]", "two settings of a workload here, in a minute",
	 "Needs no root and no second disk: compares two settings of a random read on\n"
	 "the file system of the current directory, with graphs and a verdict.\n",
	 CLI_DEMO},
	{"open", "open FILE [FILE]", "a saved session in the screen; nothing runs",
	 "Scroll, zoom and compare a session as it was shown; two files are overlaid.\n"
	 "FILE is a name from ioduel list or a path.\n",
	 0},
	{"compare", "compare X Y | DIRECTORY", "the verdict on two results",
	 "X and Y are sessions, fio JSON, bonnie++ text or CSV, or the output of time, in\n"
	 "any mixture of the same kind of figures. FILE:a and FILE:b name one side of a\n"
	 "session, FILE:NAME and FILE:2 one result of several. One run each allows no\n"
	 "verdict, and the program says so. A directory, or more than two results, is\n"
	 "shown as a table.\n"
	 "\n"
	 "  --sessions A... -- B...  whole sessions, alternating in time, as the pairs\n"
	 "  --fail-if-slower PERCENT exit status 3 where B is slower by more, 1 where\n"
	 "                           there is no verdict\n"
	 "  --json                   the result as one JSON object\n",
	 0},
	{"verdict", "verdict [FILE]", "the verdict on pairs measured elsewhere",
	 "Reads CSV with the header order,a,b from FILE or standard input: one row a pair\n"
	 "in time order, order AB or BA (which side ran first), a and b above 0.\n"
	 "\n"
	 "  --times             the figures are seconds per run (less is better)\n"
	 "  --primary METRIC    the figures are this metric: lat_p99_ns, real_s, ...\n"
	 "  --pairs N           so many pairs were planned (as many as there are)\n"
	 "  --effect PERCENT    smallest difference that matters (2)\n"
	 "  --fail-if-slower PERCENT  exit status 3 if the whole interval is beyond it\n"
	 "  --json              the result as one JSON object\n",
	 0},
	{"show", "show FILE", "a saved or foreign result as text",
	 "FILE is a name from ioduel list, a path, or a result of fio, bonnie++ or time.\n"
	 "\n"
	 "  --json  the result as one JSON object\n",
	 0},
	{"export", "export FILE -f FORMAT [-o OUT]", "a result in another format",
	 "  -f FORMAT  json, csv, bonnie, markdown, html or svg\n"
	 "  -o OUT     file to write (standard output)\n"
	 "  --table T  csv: only this table: metrics, pairs, intervals, devices, marks\n"
	 "  --fields N bonnie: 27 (text and CSV of 1.03) or 50 (CSV of 1.98 and later)\n",
	 0},
	{"targets", "targets [PATH...]", "where one could test, down to the devices",
	 "Without PATH the mounted file systems that could be targets. For each: file\n"
	 "system, free space, the chain of layers down to the physical devices, and what\n"
	 "speaks against it. Targets that share a physical device are marked.\n"
	 "\n"
	 "  --sysroot DIR  read the machine's state below DIR (a recorded machine)\n",
	 0},
	{"workloads", "workloads [NAME]", "what can be run; NAME: its parameters",
	 "With NAME the parameters of one workload, their defaults, bounds and units.\n"
	 "On the command line: -w NAME:key=value,key=value. Sizes take k, m, g and t\n"
	 "(powers of 1024), times ms, s, m and h.\n",
	 0},
	{"probe", "probe [-i SECONDS] [-n COUNT] [DEVICE|PATH...]", "a line per device and tick, like iostat",
	 "The same readings as the screen's. Rates are divided by the measured time\n"
	 "between two readings, so the first line appears after the second reading. A\n"
	 "value that could not be read is a dash. A PATH stands for the devices below it.\n"
	 "\n"
	 "  -i, --interval SECONDS  between two readings (1; from 0.1)\n"
	 "  -n, --count COUNT       end after so many ticks\n"
	 "  --json                  one JSON object per tick\n"
	 "  --sysroot DIR           read the machine's state below DIR; a DIR with the\n"
	 "                          steps t0, t1, ... is played step by step\n",
	 0},
	{"clean", "clean [PATH...]", "removes what a killed run may have left",
	 "Looks into every PATH (the current directory). Removes only directories\n"
	 "that carry the marker of ioduel and that no running ioduel has locked.\n",
	 0},
	{"list", "list", "the saved sessions, newest first",
	 "  --json  one JSON object per session\n", 0},
	{"rm", "rm NAME...", "removes saved sessions; asks",
	 "  -f, --force  do not ask\n"
	 "  --json       one JSON object per session: whether it was removed\n", 0},
	{"doctor", "doctor [PATH...]", "what speaks against measuring here",
	 "Looks at this machine and at every PATH (the current directory) without running\n"
	 "anything, and says how to mend what it finds. Two PATHs are also held against\n"
	 "each other. What cannot be read is said to be unknown, never to be fine.\n"
	 "\n"
	 "  --json         one JSON object\n"
	 "  --sysroot DIR  read the machine's state below DIR (a recorded machine)\n",
	 0},
	{"help", "help [COMMAND]", "this, or all about one subcommand",
	 "ioduel help config prints a configuration file with every option as a comment.\n", 0},
	{0},
};

const struct command_info *
command_find(const char *name)
{
	for (const struct command_info *command = command_table; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

static void
print_options(enum cli_mode mode)
{
	for (const struct cli_option *option = cli_options; option->name; option++) {
		char left[96];
		const char *arg = option->arg ? option->arg : "";
		if (!(option->modes & (unsigned)mode))
			continue;
		if (option->name[1] == '\0')
			snprintf(left, sizeof(left), "  -%s %s", option->name, arg);
		else if (option->letter)
			snprintf(left, sizeof(left), "  -%c, --%s %s", option->letter, option->name, arg);
		else
			snprintf(left, sizeof(left), "  --%s %s", option->name, arg);
		if (strlen(left) > 25)
			printf("%s\n%-26s%s\n", left, "", option->help);
		else
			printf("%-26s%s\n", left, option->help);
	}
}

static void
print_overview(void)
{
	printf("ioduel duels two storage targets and says whether to believe the answer.\n\n"
	       "  %-30s%s\n", "ioduel [A [B]] [OPTIONS]", "the screen, on targets A and B");
	for (const struct command_info *command = command_table; command->name; command++) {
		if (strlen(command->usage) > 22)
			printf("  ioduel %s\n  %-30s%s\n", command->usage, "", command->summary);
		else
			printf("  ioduel %-23s%s\n", command->usage, command->summary);
	}
	printf("  ioduel --version\n\n"
	       "A target is a directory, a file (kept as it is), a block device (only read)\n"
	       "or baseline:FILE, a saved result.\n\nOptions of the screen:\n");
	print_options(CLI_SCREEN);
	printf("\nExit status: 0 done, 1 a run failed, 2 wrong usage, 3 slower than\n"
	       "--fail-if-slower allows, 4 refused for safety, 130 interrupted.\n"
	       "All of it: man ioduel; how the verdict is reached: METHOD.md.\n");
}

void
help_print(const char *name)
{
	const struct command_info *command = name ? command_find(name) : NULL;
	if (!command) {
		print_overview();
		return;
	}
	printf("usage: ioduel %s\n\n%c%s.\n", command->usage, toupper((unsigned char)command->summary[0]), command->summary + 1);
	if (*command->text)
		printf("\n%s", command->text);
	if (command->mode) {
		printf("\nOptions:\n");
		print_options(command->mode);
	}
}

int
cmd_help(int argc, char **argv)
{
	const char *names[32];
	struct error err = {0};
	size_t n = 0;
	if (argc < 2 || command_find(argv[1])) {
		help_print(argc < 2 ? NULL : argv[1]);
		return EXIT_DONE;
	}
	if (strcmp(argv[1], "config") == 0) {
		config_print_template();
		return EXIT_DONE;
	}
	for (; command_table[n].name && n < 32; n++)
		names[n] = command_table[n].name;
	const char *near = cli_nearest(argv[1], names, n);
	error_set_status(&err, -EINVAL, EXIT_USAGE, "there is no subcommand \"%s\"%s%s%s", argv[1],
			 near ? "; did you mean " : "; ioduel help lists them", near ? near : "", near ? "?" : "");
	return cli_fail(&err, EXIT_USAGE);
}
