// SPDX-License-Identifier: MIT
// Results and files for the tests of tui/session.
#ifndef SUPPORT_RESULT_H
#define SUPPORT_RESULT_H

#include <stddef.h>

#include "session/import.h"
#include "session/result.h"

// A finished session of 12 pairs, randread, B about 20 % faster; the caller frees with result_fini and free.
struct result *support_result(int pairs);

// A file of the tree, read whole, NUL-terminated; the test fails where it is missing. Free it.
char *support_read(const char *name, size_t *ret_length);

// Imports a file of tests/data/foreign.
void support_import(const char *name, struct import *ret);

// A new temporary directory, and its removal with the files in it.
void support_dir_make(char *dir, size_t size);
void support_dir_remove(const char *dir);

// Fails unless two doubles differ by at most epsilon.
void support_close(double value, double expected, double epsilon);

// What a function prints, as text to free.
char *support_print(void (*print)(const struct result *, FILE *), const struct result *r);
char *support_json(const struct result *r);

#endif
