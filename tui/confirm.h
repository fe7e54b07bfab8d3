// SPDX-License-Identifier: MIT
// The question before data on a device is destroyed. Nobody but the user
// answers it: typed on a terminal, or as --yes-destroy NAME.
#ifndef IODUEL_CONFIRM_H
#define IODUEL_CONFIRM_H

#include "cli.h"
#include "session/session.h"

// Where --destroy-data is given and a side is a block device: 0 once each such device was named, by --yes-destroy or,
// where standard input and standard error are a terminal, by typing its name and size. Else -EPERM, a sentence and
// EXIT_REFUSED.
int confirm_destroy(const struct options *o, const struct session_config *config, struct error *err);

// The devices that confirm_destroy was asked about; "" = none on that side.
struct confirm_asked {
	char path[SIDES][4096];
};

// Notes the devices of a configuration for which confirm_destroy has returned 0.
void confirm_note(const struct session_config *config, struct confirm_asked *ret);

// What is allowed on this target (enum target_allow). Data may be destroyed only on a device that was named by
// --yes-destroy or that the user was asked about.
unsigned confirm_allow(const struct options *o, const struct confirm_asked *asked, const struct target_info *target);

// "sdb 275 GB": what has to be typed for a device.
void confirm_phrase(const struct target_info *device, char *buf, size_t size);

// True where typed says the phrase; blanks do not matter, everything else does.
bool confirm_matches(const char *phrase, const char *typed);

// True where name stands in a list "sdb,sdc".
bool confirm_named(const char *list, const char *name);

#endif
