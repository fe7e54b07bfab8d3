// SPDX-License-Identifier: MIT
// Many results as one table.
#ifndef IODUEL_CMD_TABLE_H
#define IODUEL_CMD_TABLE_H

// Prints a table of all results of the files and directories named; returns the exit status.
int table_print(const char *const *file, int n, int json);

#endif
