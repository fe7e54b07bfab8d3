// SPDX-License-Identifier: MIT
// The subcommands. argv[0] is the subcommand's name; each prints its own errors
// once and returns the exit status of the program.
#ifndef IODUEL_CMD_H
#define IODUEL_CMD_H

#include "cli.h"

// The session's three ways of running; the options are checked.
int cmd_screen(const struct options *o);
int cmd_run(const struct options *o);
int cmd_demo(const struct options *o);

int cmd_help(int argc, char **argv);
int cmd_targets(int argc, char **argv);
int cmd_workloads(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_clean(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_open(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_verdict(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_rm(int argc, char **argv);

// Every subcommand, in the order of help; ends with a NULL name.
struct command_info {
	const char *name;
	const char *usage;   // without "ioduel "
	const char *summary; // one line
	const char *text;    // the rest of its help, lines of at most 79 columns
	enum cli_mode mode;  // its options are those of cli_options; 0 = own ones, named in text
};
extern const struct command_info command_table[];
const struct command_info *command_find(const char *name); // NULL if there is none

// Prints the help of one subcommand, NULL = the overview.
void help_print(const char *command);

#endif
