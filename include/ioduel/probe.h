// SPDX-License-Identifier: MIT
// The probe table: one probe reads one group of values of a struct sample. A
// probe remembers no reading; what it keeps is open descriptors and the
// knowledge of which files this kernel lacks.
#ifndef IODUEL_PROBE_H
#define IODUEL_PROBE_H

#include <ioduel/error.h>
#include <ioduel/sample.h>
#include <stdbool.h>

struct sysroot; // below which directory /proc and /sys are read

// Opens the root directory ("/" for this machine, else a recorded one).
// The caller frees with sysroot_free. NULL and err filled on failure.
struct sysroot *sysroot_new(const char *dir, struct error *err);
void sysroot_free(struct sysroot *root); // accepts NULL

// True for a root other than "/": libraries that look at the running machine
// (libstatgrab, libblkid, libudev) must not be asked then.
int sysroot_is_recorded(const struct sysroot *root);

// Makes the kernel forget its clean caches (page cache, names), as root and on the running machine only.
// 0, -EACCES for an ordinary user, -EROFS for a recorded root.
int sysroot_drop_caches(struct sysroot *root);

struct probe {
	const char *name;
	const char *summary; // what it reads, one line
	// Prepares a state on the heap; *ret_state may stay NULL. 0 or -errno; -ENOENT
	// where this machine lacks what the probe reads (the probe is then left out).
	int (*open)(struct sysroot *root, void **ret_state);
	// Fills its group of s. A value that cannot be read keeps its validity bit clear.
	void (*read)(void *state, struct sample *s);
	void (*close)(void *state);
	// True: reading costs the devices something, so it is read every few seconds
	// only and its last values (with their own time stamp) stay in the samples.
	bool seldom;
};

// All probes in the order in which they are read, the portable base last: it
// fills only what this system's own probes left unknown. NULL-terminated.
extern const struct probe *const probe_table[];

// A set of opened probes. probes_new never fails for a missing file.
struct probes;
struct probes *probes_new(struct sysroot *root, struct error *err);
void probes_free(struct probes *p); // accepts NULL

void sample_init(struct sample *s);
void sample_fini(struct sample *s);

// Takes one sample: clears s, stamps it and lets every probe fill its group.
void probes_read(struct probes *p, struct sample *s);

// Finds a disk by device number; NULL if it is not in the sample.
const struct disk_sample *sample_find_disk(const struct sample *s, unsigned major, unsigned minor);

// As sample_find_disk, by the kernel's name: for devices that this kernel gives
// no number (the hidden paths of NVMe multipath before Linux 6).
const struct disk_sample *sample_find_disk_named(const struct sample *s, const char *name);

// Facts about the machine. Text "" and number 0 = unknown.
struct host_facts {
	char name[128];
	char os[64];	  // "Linux"
	char kernel[128]; // release
	unsigned cpus;
	uint64_t memory_bytes;
};

void host_read(struct sysroot *root, struct host_facts *ret);

// Pure differences, dividing by the measured time between the samples. from
// and to are the same device; any value that cannot be known becomes NAN.
void rate_disk(const struct disk_sample *from, const struct disk_sample *to, double elapsed_s,
	       struct disk_rate *ret);
void rate_cpu(const struct cpu_sample *from, const struct cpu_sample *to, double elapsed_s,
	      struct cpu_rate *ret);

#endif
