// SPDX-License-Identifier: MIT
// What every subcommand does the same way: read options with a sentence for
// what is wrong, and end with the right status. Names are never abbreviated:
// a later option must not change what a script means.
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Restricted Damerau-Levenshtein distance of names shorter than 64; longer ones are never near.
static unsigned
name_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned row[3][64];
	if (na >= 64 || nb >= 64)
		return 64;
	for (unsigned j = 0; j <= nb; j++)
		row[0][j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned *now = row[i % 3], *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];
		now[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			unsigned best = before[j - 1] + (a[i - 1] != b[j - 1]);
			if (before[j] + 1 < best)
				best = before[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && two_before[j - 2] + 1 < best)
				best = two_before[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[na % 3][nb];
}

const char *
cli_nearest(const char *name, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t length = strlen(name);
	unsigned limit = length < 3 ? 1 : length < 6 ? 2 : 3, best_distance = limit + 1;
	for (size_t i = 0; i < n; i++) {
		unsigned distance = name_distance(name, names[i]);
		// what was typed as the beginning of a name is nearer than any misspelling
		if (length >= 2 && strncmp(names[i], name, length) == 0)
			distance = 0;
		if (distance < best_distance) {
			best_distance = distance;
			best = names[i];
		}
	}
	return best;
}

static int
unknown_option(const char *text, const struct option *longs, struct error *err)
{
	const char *names[128], *name = text + 2;
	char given[64];
	size_t n = 0, length = strcspn(name, "=");
	if (length >= sizeof(given))
		length = sizeof(given) - 1;
	memcpy(given, name, length);
	given[length] = '\0';
	for (; longs && longs[n].name && n < sizeof(names) / sizeof(names[0]); n++)
		names[n] = longs[n].name;
	const char *near = cli_nearest(given, names, n);
	error_set_status(err, -EINVAL, EXIT_USAGE, "there is no option --%s%s%s%s", given, near ? "; did you mean --" : "",
			 near ? near : "; ioduel help lists them", near ? "?" : "");
	return '?';
}

static const struct option *
option_of_value(const struct option *longs, int value)
{
	for (; longs && longs->name; longs++)
		if (longs->val == value)
			return longs;
	return NULL;
}

// The word of the command line that holds the long option just read.
static const char *
option_word(char **argv)
{
	const char *last = argv[optind - 1];
	return optarg && optarg == last ? argv[optind - 2] : last;
}

int
cli_next(struct cli_scan *scan, int argc, char **argv, const char *shorts, const struct option *longs, struct error *err)
{
	static const struct option none[] = {{0}};
	char spec[128];
	int index = -1;
	if (!scan->started)
		optind = 0; // makes getopt begin anew
	scan->started = 1;
	opterr = 0;
	snprintf(spec, sizeof(spec), ":%s", shorts);
	int c = getopt_long(argc, argv, spec, longs ? longs : none, &index);
	if (c == -1)
		return -1;
	if (c == ':') {
		error_set_status(err, -EINVAL, EXIT_USAGE, "option %s needs an argument", argv[optind - 1]);
		return '?';
	}
	if (c == '?') {
		const struct option *known = optopt ? option_of_value(longs, optopt) : NULL;
		if (!optopt)
			return unknown_option(argv[optind - 1], longs, err);
		if (known && known->has_arg == no_argument && strncmp(argv[optind - 1], "--", 2) == 0)
			error_set_status(err, -EINVAL, EXIT_USAGE, "option --%s takes no argument", known->name);
		else
			error_set_status(err, -EINVAL, EXIT_USAGE, "there is no option -%c; ioduel help lists them", optopt);
		return '?';
	}
	if (index >= 0) {
		const char *word = option_word(argv);
		size_t length = strlen(longs[index].name);
		if (strncmp(word + 2, longs[index].name, length) != 0 || (word[2 + length] != '\0' && word[2 + length] != '='))
			return unknown_option(word, longs, err);
	}
	return c;
}

int
cli_fail(const struct error *err, enum exit_status fallback)
{
	char text[sizeof(err->text)];
	snprintf(text, sizeof(text), "%s", err->text[0] ? err->text : strerror(err->code ? -err->code : EIO));
	// names of files come from anywhere: none of them may drive the terminal
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	cli_output_gone();
	fprintf(stderr, "ioduel: %s\n", text);
	return err->exit_status ? err->exit_status : (int)fallback;
}

// errno of the first write to standard output that failed, 0 = none.
static int
output_error(void)
{
	static int first;
	if (!first && fflush(stdout) != 0)
		first = errno;
	if (!first && ferror(stdout))
		first = EIO;
	return first;
}

bool
cli_output_gone(void)
{
	return output_error() != 0;
}

int
cli_finish(int status)
{
	int error = output_error();
	if (error == 0 || error == EPIPE)
		return status;
	fprintf(stderr, "ioduel: cannot write to standard output: %s\n", strerror(error));
	return status ? status : EXIT_RUN_FAILED;
}
