// SPDX-License-Identifier: MIT
// Where themes are looked for when nobody says: the user's own, those that
// belong to this program (installed, or beside its build), then btop's.
#include "screen/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
add(struct theme_dirs *d, const char *head, const char *tail)
{
	if (head && *head && d->n < THEME_DIRS_MAX) {
		snprintf(d->text[d->n], sizeof(d->text[0]), "%.700s%s", head, tail);
		d->dir[d->n] = d->text[d->n];
		d->n++;
	}
}

static void
add_config(struct theme_dirs *d, const char *program)
{
	const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
	char tail[64];

	snprintf(tail, sizeof(tail), "%s/%s/themes", config && *config ? "" : "/.config", program);
	add(d, config && *config ? config : home, tail);
}

void
theme_default_dirs(struct theme_dirs *ret)
{
	char self[700];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	memset(ret, 0, sizeof(*ret));
	add_config(ret, "ioduel");
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash) {
		*slash = '\0';
		add(ret, self, "/../share/ioduel/themes");
		add(ret, self, "/../themes");
	}
	add(ret, IODUEL_DATADIR, "/themes");
	add_config(ret, "btop");
	add(ret, "/usr/local/share/btop", "/themes");
	add(ret, "/usr/share/btop", "/themes");
}
