// SPDX-License-Identifier: MIT
// The stack of a target: the chain of layers from a path down to the physical
// devices. A tree stored as an array; layer 0 is the path, every other layer
// names its parent (the layer above it). Layers are never summed.
#ifndef IODUEL_STACK_H
#define IODUEL_STACK_H

#include <ioduel/error.h>
#include <ioduel/probe.h>
#include <ioduel/sample.h>
#include <stdbool.h>
#include <stdint.h>

enum layer_kind {
	LAYER_PATH, LAYER_MOUNT, LAYER_FS, LAYER_POOL, LAYER_VDEV, LAYER_RAID, LAYER_DM,
	LAYER_CACHE, LAYER_LOOP, LAYER_FILE, LAYER_PARTITION, LAYER_MULTIPATH, LAYER_DISK,
	LAYER_NETWORK, LAYER_MEMORY, LAYER_UNKNOWN
};

// What a layer serves within the one above it.
enum layer_role { ROLE_DATA, ROLE_LOG, ROLE_CACHE, ROLE_SPARE, ROLE_SPECIAL };

#define LAYER_NAME_MAX 256
struct layer {
	enum layer_kind kind;
	int parent;		   // index of the layer above, -1 for layer 0
	char name[LAYER_NAME_MAX]; // path, "xfs", "md0", "nvme0n1", "tank", "raidz2-0"
	char detail[LAYER_NAME_MAX]; // options, level, profile, role (log, cache, spare), "" = nothing to say
	char model[96];		   // "" = unknown
	bool has_dev;
	unsigned major, minor; // where has_dev
	uint64_t size_bytes;   // 0 = unknown
	bool leaf;	       // nothing below it: the device that serves the data
	bool physical;	       // a leaf that is hardware (or the virtual machine's idea of it)
	int rotational;	       // 1, 0, -1 = unknown
	int write_cache;       // 1 = write back (volatile), 0 = write through, -1 = unknown
	int copies;	       // copies of each byte this layer writes to its children (mirror, RAID-1), 0 = unknown or 1
	bool redundant;	       // promises to survive the loss of a child (mirror, parity)
	bool encrypted, compressed;
	enum layer_role role;
	int discard;	       // 1, 0, -1 = unknown
	unsigned queue_depth;  // nr_requests of the queue, 0 = unknown
	char link[64];	       // "PCIe 8.0 GT/s x2 of 16.0 GT/s x4", "" = unknown
	char scheduler[32];
	char controller[LAYER_NAME_MAX]; // sysfs path of the controller or hub that devices may share, "" = unknown
};

#define STACK_LAYERS_MAX 128
struct stack {
	char path[4096];    // as the user gave it
	char real_path[4096]; // resolved
	char fs_type[64];   // "" = none (a raw device)
	char mount_point[4096];
	char mount_source[4096];
	char mount_options[1024];
	bool is_memory;	   // tmpfs, ramfs, zram
	bool is_network;
	bool is_device;	   // the target itself is a block device
	uint64_t fs_size_bytes, fs_free_bytes; // 0 = unknown; free for the caller (statvfs f_bavail)
	int n_layers;
	bool truncated;	   // more layers than STACK_LAYERS_MAX
	struct layer layer[STACK_LAYERS_MAX];
};

// Resolves path below root. path is a directory, file or block device of the
// running machine; below a recorded root it is looked up in that root's
// mountinfo only. 0 or -errno with a sentence.
int stack_resolve(struct sysroot *root, const char *path, struct stack *ret, struct error *err);

// The leaf layers with a device number, each device once; returns how many of max were written.
int stack_leaves(const struct stack *stack, const struct layer **ret, int max);

// True for a leaf that no earlier leaf is: each device is listed once, also those without a number (a server).
bool stack_is_first_leaf(const struct stack *stack, int layer);

// One line for people: "xfs on nvme0n1  WD SN850X 1 TB". Truncates at size.
void stack_format_line(const struct stack *stack, char *buf, size_t size);

// True if the two share a leaf device; name (may be NULL) gets the first one's name.
bool stack_share_device(const struct stack *a, const struct stack *b, char *name, size_t size);

// True if leaf devices of the two hang on one controller, hub or port (and are not the same device); name (may
// be NULL) gets "NVMe controller 0000:3d:00.0", "USB hub 1-2", "PCI port 0000:00:1c.0".
bool stack_share_controller(const struct stack *a, const struct stack *b, char *name, size_t size);

// True if a layer that promises redundancy has two of its copies on one physical device; what (may be NULL)
// gets "btrfs raid1: both copies on vda".
bool stack_mirror_on_one_device(const struct stack *stack, char *what, size_t size);

// The disk of a sample that a layer is: by number, by name where the kernel gives none. NULL if it is not there.
const struct disk_sample *stack_find_disk(const struct layer *layer, const struct sample *s);

// "mount", "fs", "pool", ...: stays the same for ever (JSON).
const char *layer_kind_name(enum layer_kind kind);
const char *layer_role_name(enum layer_role role); // "" for data

// Mounted file systems that one could test, in mount order: no pseudo file systems, each once.
struct mount_entry {
	char mount_point[4096];
	char fs_type[64];
	char source[512];
	bool writable, is_memory, is_network;
	uint64_t size_bytes, free_bytes; // 0 = unknown (network file systems are not asked: they may hang)
};

// Fills at most max entries; returns how many or -errno.
int stack_list_mounts(struct sysroot *root, struct mount_entry *ret, int max, struct error *err);

#endif
