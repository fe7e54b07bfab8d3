// SPDX-License-Identifier: MIT
// The part of support_term.h that looks at processes and folders.
#include "support_term.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

// State letter and parent of a process; false if there is none.
static bool
process_stat(const char *pid, char *ret_state, pid_t *ret_parent)
{
	char path[PATH_MAX], line[512], *end;
	FILE *f;
	bool ok = false;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	// The name in parentheses may hold anything; what follows its last ")" does not.
	if (fgets(line, sizeof(line), f) && (end = strrchr(line, ')')))
		ok = sscanf(end + 1, " %c %d", ret_state, ret_parent) == 2;
	fclose(f);
	return ok;
}

int
vt_children(pid_t pid, pid_t *ret, int max)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int n = 0;

	assert_non_null(dir);
	while (n < max && (entry = readdir(dir))) {
		char state;
		pid_t parent;
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		if (process_stat(entry->d_name, &state, &parent) && parent == pid && state != 'Z')
			ret[n++] = (pid_t)atoi(entry->d_name);
	}
	closedir(dir);
	return n;
}

bool
vt_wait_gone(pid_t pid)
{
	struct pollfd p = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
	int ready;

	if (p.fd < 0)
		return true;
	ready = poll(&p, 1, VT_DEADLINE_MS);
	close(p.fd);
	if (ready == 0)
		print_error("process %d is still there\n", (int)pid);
	return ready > 0;
}

void
vt_make_dir(char *buf, size_t size)
{
	snprintf(buf, size, "%s/term-XXXXXX", IODUEL_BINARY_DIR);
	assert_non_null(mkdtemp(buf));
}

static int
remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void
vt_remove_dir(const char *dir)
{
	nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

int
vt_count_files(const char *path, const char *suffix)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int n = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		char below[PATH_MAX];
		size_t length = strlen(entry->d_name), tail = strlen(suffix);
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
		int inside = entry->d_type == DT_DIR ? vt_count_files(below, suffix) : 0;
		n += inside > 0 ? inside : 0;
		if (length >= tail && strcmp(entry->d_name + length - tail, suffix) == 0 &&
		    (entry->d_type != DT_DIR || tail == 0))
			n++;
	}
	closedir(dir);
	return n;
}
