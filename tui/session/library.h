// SPDX-License-Identifier: MIT
// The saved sessions of the user's data directory: which there are, what each found, and which of them measured the
// same pair before.
#ifndef IODUEL_LIBRARY_H
#define IODUEL_LIBRARY_H

#include <ioduel/error.h>

#include "session/result.h"

#define LIBRARY_SUFFIX ".jsonl"

struct library_entry {
	char name[256];	   // without directory and suffix
	char created[40];
	char workload[64];
	char target[SIDES][128]; // label or path
	enum verdict_word word;
	double ratio, lo, hi;	   // as in struct verdict
	char text[320];		   // its sentence
	double bytes;
	int finished;	   // 0: NAME.partial, what an interrupted session left
	int readable;	   // 0: error says why
	char error[320];
	char pair_key[192]; // the same for sessions on the same pair
};

struct library {
	int n, cap;
	struct library_entry *entry; // owned; newest first
};

// $XDG_DATA_HOME/ioduel or ~/.local/share/ioduel. 0 or -ENOENT and a sentence.
int library_dir(char *buf, size_t size, struct error *err);

// The path of a saved session by its name. 0, -ENOENT where there is none, -EINVAL for a name that leaves the directory.
int library_find(const char *name, char *path, size_t size);

// Reads all of dir; a directory that does not exist holds nothing. 0 or -errno.
int library_read(const char *dir, struct library *ret, struct error *err);
void library_fini(struct library *l);

// Earlier sessions on the pair of r, in time order, at most max; returns how many.
int library_history(const struct library *l, const struct result *r, struct verdict_past *past, int max);

// The sentence about earlier sessions on the pair of r in the data directory ("session 4 for this pair since ..."),
// "" where there is none; returns how many there are.
int library_say_history(const struct result *r, char *buf, size_t size);

// Removes a saved session by name. 0 or -errno and a sentence.
int library_remove(const char *name, struct error *err);

#endif
