// SPDX-License-Identifier: MIT
// Asking before a device is written over. Its rule: silence, an end of file or
// any other answer means no.
#include "confirm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "setup.h"

static const char *
device_name(const struct target_info *device)
{
	const char *slash = strrchr(device->path, '/');
	return slash ? slash + 1 : device->path;
}

void
confirm_phrase(const struct target_info *device, char *buf, size_t size)
{
	static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)device->size_bytes;
	size_t i = 0;
	for (; value >= 999.5 && i + 1 < sizeof(unit) / sizeof(unit[0]); i++)
		value /= 1000;
	snprintf(buf, size, "%s %.0f %s", device_name(device), value, unit[i]);
}

bool
confirm_matches(const char *phrase, const char *typed)
{
	for (;; phrase++, typed++) {
		phrase += strspn(phrase, " \t");
		typed += strspn(typed, " \t\r\n");
		if (*phrase != *typed)
			return false;
		if (*phrase == '\0')
			return true;
	}
}

bool
confirm_named(const char *list, const char *name)
{
	size_t length = strlen(name);
	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && memcmp(list, name, length) == 0)
			return true;
	return false;
}

static int
ask(const struct session_side *side, char letter, struct error *err)
{
	char phrase[128], line[512], answer[256];
	confirm_phrase(&side->target, phrase, sizeof(phrase));
	stack_format_line(&side->stack, line, sizeof(line));
	fprintf(stderr, "Everything on target %c will be destroyed: %s, %s\nType \"%s\" to go on: ", letter, side->target.path,
		line, phrase);
	if (fgets(answer, sizeof(answer), stdin) && confirm_matches(phrase, answer))
		return 0;
	return error_set_status(err, -EPERM, EXIT_REFUSED, "%.200s is left as it is: \"%s\" was not typed", side->target.path, phrase);
}

int
confirm_destroy(const struct options *o, const struct session_config *config, struct error *err)
{
	int r = 0;
	for (int i = 0; r == 0 && o->destroy_data && i < SIDES; i++) {
		const struct session_side *side = &config->side[i];
		const char *name = device_name(&side->target);
		if (!side->present || side->is_baseline || side->target.kind != TARGET_DEVICE)
			continue;
		if (i == SIDE_B && config->side[SIDE_A].present && strcmp(side->target.path, config->side[SIDE_A].target.path) == 0)
			continue;
		if (o->yes_destroy && confirm_named(o->yes_destroy, name))
			continue;
		if (o->yes_destroy)
			r = error_set_status(err, -EPERM, EXIT_REFUSED,
					     "%.200s is left as it is: --yes-destroy names \"%.100s\", not \"%s\"", side->target.path,
					     o->yes_destroy, name);
		else if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
			r = error_set_status(err, -EPERM, EXIT_REFUSED,
					     "%.200s is left as it is: without a terminal --destroy-data needs --yes-destroy %s",
					     side->target.path, name);
		else
			r = ask(side, i == SIDE_A ? 'A' : 'B', err);
	}
	return r;
}

void
confirm_note(const struct session_config *config, struct confirm_asked *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < SIDES; i++) {
		const struct session_side *side = &config->side[i];
		if (side->present && !side->is_baseline && side->target.kind == TARGET_DEVICE)
			snprintf(ret->path[i], sizeof(ret->path[i]), "%s", side->target.path);
	}
}

static bool
was_asked(const struct options *o, const struct confirm_asked *asked, const struct target_info *device)
{
	if (o->yes_destroy && confirm_named(o->yes_destroy, device_name(device)))
		return true;
	for (int i = 0; i < SIDES; i++)
		if (asked->path[i][0] && strcmp(asked->path[i], device->path) == 0)
			return true;
	return false;
}

unsigned
confirm_allow(const struct options *o, const struct confirm_asked *asked, const struct target_info *target)
{
	unsigned allow = setup_allow(o);
	if (target->kind != TARGET_DEVICE || !was_asked(o, asked, target))
		allow &= ~(unsigned)TARGET_DESTROY_DATA;
	return allow;
}
