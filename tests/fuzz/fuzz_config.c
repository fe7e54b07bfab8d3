// SPDX-License-Identifier: MIT
// A configuration file.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config config;
	struct options options;
	struct error err;
	char path[64];
	int fd = memfd_create("config", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	config_init(&config);
	options_init(&options);
	config_load(&config, path, &options, &err);
	config_fini(&config);
	close(fd);
	return 0;
}
