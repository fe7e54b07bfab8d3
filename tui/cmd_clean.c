// SPDX-License-Identifier: MIT
// `ioduel clean`: removes the directories that killed runs left, and says of
// everything that looks like one what became of it and why.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <ioduel/target.h>

#include "cmd.h"
#include "session/text_safe.h"

static void
tell(void *context, const char *path, bool removed, const char *why)
{
	int *found = context;
	text_safe_printf(stdout, "%s %s: %s\n", removed ? "removed" : "left alone", path, why);
	++*found;
}

int
cmd_clean(int argc, char **argv)
{
	static char here[] = ".";
	char *nothing_named[] = {here, NULL};
	struct cli_scan scan = {0};
	struct error err = {0};
	int status = EXIT_DONE;
	if (cli_next(&scan, argc, argv, "", NULL, &err) != -1)
		return cli_fail(&err, EXIT_USAGE);
	for (char **path = optind < argc ? argv + optind : nothing_named; *path; path++) {
		int found = 0;
		if (scratch_sweep(*path, tell, &found, &err) < 0)
			status = cli_fail(&err, EXIT_RUN_FAILED);
		else if (!found)
			text_safe_printf(stdout, "nothing of ioduel's was left in %s\n", *path);
	}
	return status;
}
