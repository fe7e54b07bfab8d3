// SPDX-License-Identifier: MIT
// What a target is: the one place that a worker loads.
#ifndef IODUEL_TARGET_H
#define IODUEL_TARGET_H

#include <ioduel/error.h>
#include <stdbool.h>
#include <stdint.h>

enum target_kind { TARGET_DIRECTORY, TARGET_FILE, TARGET_DEVICE };

// Flags by which the user allows what is refused otherwise.
enum target_allow {
	TARGET_OVERWRITE_FILE = 1u << 0, // --overwrite-file
	TARGET_DESTROY_DATA = 1u << 1,	 // --destroy-data, confirmed
};

struct target_info {
	enum target_kind kind;
	char path[4096]; // resolved
	uint64_t size_bytes;	 // of a file or device; 0 for a directory
	uint64_t free_bytes;	 // directory: what the caller may still write
	uint64_t fs_size_bytes;
	int writable;
	int direct_ok;	   // 1, 0, -1 = unknown
	uint32_t direct_align; // bytes, 0 = unknown
};

// Looks at path without changing anything: exists, is a directory, a regular
// file or a block device, can be read. Everything else (FIFO, socket,
// character device, missing, no permission) is a sentence and -errno with the
// exit status of CLI.md. Also refuses a device that is in use when
// destruction is allowed (O_EXCL, holders, mounts, signatures).
int target_inspect(const char *path, unsigned allow, struct target_info *ret, struct error *err);

// Told for every entry of the directory that looks like a scratch directory.
typedef void scratch_sweep_fn(void *context, const char *path, bool removed, const char *why);

// Removes the scratch directories that killed runs left directly below path: recognised by their
// marker, owner and free lock; everything else is told of and left alone. 0 or -errno (path cannot be read).
int scratch_sweep(const char *path, scratch_sweep_fn *tell, void *context, struct error *err);

#endif
