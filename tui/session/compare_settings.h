// SPDX-License-Identifier: MIT
// Which settings of two results differ.
#ifndef IODUEL_COMPARE_SETTINGS_H
#define IODUEL_COMPARE_SETTINGS_H

#include "session/compare.h"

// Adds a note for every setting that differs: program, workload, parameters, host, kernel, file system, devices.
void compare_settings(const struct compare_part *x, const struct compare_part *y, struct result *ret);

#endif
