// SPDX-License-Identifier: MIT
// Output of a system's own tools, where no file tells what they know.
#ifndef IODUEL_PROBES_COMMAND_H
#define IODUEL_PROBES_COMMAND_H

#include "sysroot.h"

// Runs argv (argv[0] without a directory; looked for in the system's own
// directories) and reads what it prints: 0 and text with a final NUL, or
// -errno: -ENOENT no such program, -EIO it failed, -ETIMEDOUT it hangs.
// On a recorded root the text is the file cmd/RECORDED instead.
int command_output(const struct sysroot *root, const char *recorded, char *const argv[], char *buf, size_t size);

#endif
