// SPDX-License-Identifier: MIT
// The configuration file of the screen: lines `key = value`, where a key is the
// name of an option (tui/cli.h) or `key.ACTION`. Its rule: reading never
// changes the file, and what cannot be used is reported with its line and
// ignored. `run` does not read it: a script means the same everywhere.
#ifndef IODUEL_CONFIG_H
#define IODUEL_CONFIG_H

#include "cli.h"
#include "screen/screen.h"

#define CONFIG_KEYS_MAX 64
#define CONFIG_PROBLEMS_MAX 16

// The strings live until config_fini; struct options may point to them.
struct config {
	char *text; // owned
	int n_keys;
	struct screen_key_line key[CONFIG_KEYS_MAX]; // `key.ACTION = KEYS`, passed on to the screen as it is
	int n_problems; // may be more than are kept
	char problem[CONFIG_PROBLEMS_MAX][256]; // "/home/x/.config/ioduel/config:3: ..."
};

void config_init(struct config *c);
void config_fini(struct config *c);

// $XDG_CONFIG_HOME/ioduel/config, else ~/.config/ioduel/config. -ENOENT where neither is known.
int config_path(char *buf, size_t size);

// Reads path over o. A missing file is no error; 0, or -errno with a sentence where it cannot be read.
int config_load(struct config *c, const char *path, struct options *o, struct error *err);

// A line to be set.
struct config_change {
	const char *key, *value;
};

// Sets lines in the file (made where missing), keeping comments, order and everything else; by a temporary name,
// fsync and rename. A symbolic link stays one. 0 or -errno with a sentence.
int config_save(const char *path, const struct config_change *changes, size_t n, struct error *err);

// Prints a file with every option as a comment.
void config_print_template(void);

#endif
