// SPDX-License-Identifier: MIT
// Heat: hwmon sensors, thermal zones, the CPUs' throttle counters and clocks.
// One rule: what exists is listed once, when the probe is opened; a machine
// (most virtual ones) that has none of it says nothing, not 0.

#include "probes.h"
#include "sysroot.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct zone {
	struct thermal_zone fixed; // name, device and limits
	struct sysfile file, alarm;
};

struct thermal {
	unsigned n_zones, n_throttles, n_freqs, cap_throttles, cap_freqs;
	struct zone zone[THERMAL_MAX];
	struct sysfile *throttle; // owned
	struct sysfile *freq;	  // owned
};

static bool
read_milli(struct sysfile *file, int *ret)
{
	if (sysfile_read(file) < 0)
		return false;
	char *end;
	long value = strtol(file->buf, &end, 10);
	// sensors that are asleep or broken answer with impossible heat
	if (end == file->buf || value < -100000 || value > 300000)
		return false;
	*ret = (int)value;
	return true;
}

// Adds a sensor that answers; dir is relative to the root.
static void
add_zone(struct thermal *t, struct sysroot *root, const char *path, const struct thermal_zone *fixed)
{
	if (t->n_zones == THERMAL_MAX)
		return;
	struct zone *zone = &t->zone[t->n_zones];
	int value;
	char alarm[SYSPATH_MAX];
	text_copy(alarm, sizeof(alarm), path);
	char *input = strstr(alarm, "_input");
	if (input)
		strcpy(input, "_alarm");
	zone->fixed = *fixed;
	sysfile_init(&zone->file, root, path, false);
	sysfile_init(&zone->alarm, root, input ? alarm : "", false);
	zone->alarm.missing = input == NULL;
	if (read_milli(&zone->file, &value))
		t->n_zones++;
	else
		sysfile_fini(&zone->file);
}

static int
read_limit(const struct sysroot *root, const char *hwmon, const char *input, const char *what)
{
	int64_t value;
	if (sysroot_read_i64(root, &value, "sys/class/hwmon/%s/%s_%s", hwmon, input, what) < 0)
		return 0;
	// 65261850 and the like: the device states no limit
	return value > 0 && value < 200000 ? (int)value : 0;
}

// The disk that a sensor sits in: hwmonN/device is the NVMe controller or the SCSI device.
static void
find_disk(const struct sysroot *root, const char *hwmon, char *ret, size_t size)
{
	static const char *const places[] = {"device/block", "device", "device/device/block"};
	const struct dirent *entry;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		DIR *dir = sysroot_opendir(root, "sys/class/hwmon/%s/%s", hwmon, places[i]);
		while (dir && ret[0] == '\0' && (entry = sysroot_next(dir)))
			if (sysroot_exists(root, "sys/block/%s", entry->d_name) &&
			    sysroot_exists(root, "sys/class/hwmon/%s/%s/%s/size", hwmon, places[i], entry->d_name))
				text_copy(ret, size, entry->d_name);
		if (dir)
			closedir(dir);
	}
}

static void
add_hwmon_input(struct thermal *t, struct sysroot *root, const char *hwmon, const char *chip, const char *entry)
{
	struct thermal_zone fixed = {0};
	char input[32], label[64], path[SYSPATH_MAX];
	text_copy(input, sizeof(input), entry);
	*strchr(input, '_') = '\0';
	find_disk(root, hwmon, fixed.device, sizeof(fixed.device));
	if (sysroot_read(root, label, sizeof(label), "sys/class/hwmon/%s/%s_label", hwmon, input) <= 0)
		text_copy(label, sizeof(label), input);
	text_append(fixed.name, sizeof(fixed.name), "%s %s", fixed.device[0] ? fixed.device : chip, label);
	fixed.max_milli_c = read_limit(root, hwmon, input, "max");
	fixed.crit_milli_c = read_limit(root, hwmon, input, "crit");
	snprintf(path, sizeof(path), "sys/class/hwmon/%s/%s_input", hwmon, input);
	add_zone(t, root, path, &fixed);
}

static void
add_hwmon(struct thermal *t, struct sysroot *root, const char *hwmon)
{
	char chip[48];
	if (sysroot_read(root, chip, sizeof(chip), "sys/class/hwmon/%s/name", hwmon) <= 0)
		return;
	// 128 cores are 128 sensors: of the CPU only the package is kept
	bool is_cpu = strcmp(chip, "coretemp") == 0;
	DIR *dir = sysroot_opendir(root, "sys/class/hwmon/%s", hwmon);
	const struct dirent *entry;
	while (dir && (entry = sysroot_next(dir))) {
		size_t n = strlen(entry->d_name);
		if (n < 11 || n > 20 || strncmp(entry->d_name, "temp", 4) != 0 ||
		    strcmp(entry->d_name + n - 6, "_input") != 0)
			continue;
		if (is_cpu && strcmp(entry->d_name, "temp1_input") != 0)
			continue;
		add_hwmon_input(t, root, hwmon, chip, entry->d_name);
	}
	if (dir)
		closedir(dir);
}

static void
add_thermal_zone(struct thermal *t, struct sysroot *root, const char *name)
{
	struct thermal_zone fixed = {0};
	char path[SYSPATH_MAX];
	if (sysroot_read(root, fixed.name, sizeof(fixed.name), "sys/class/thermal/%s/type", name) <= 0)
		return;
	snprintf(path, sizeof(path), "sys/class/thermal/%s/temp", name);
	add_zone(t, root, path, &fixed);
}

static void
add_file(struct sysfile **files, unsigned *n, unsigned *cap, struct sysroot *root, const char *path)
{
	if (*n == *cap) {
		unsigned grown = *cap ? *cap * 2 : 16;
		struct sysfile *more = realloc(*files, grown * sizeof(**files));
		if (!more)
			return;
		*files = more;
		*cap = grown;
	}
	struct sysfile *file = &(*files)[*n];
	sysfile_init(file, root, path, false);
	if (sysfile_open(file))
		(*n)++;
	else
		sysfile_fini(file);
}

static void
add_cpu(struct thermal *t, struct sysroot *root, const char *name)
{
	static const char *const counters[] = {"core_throttle_count", "package_throttle_count"};
	char path[SYSPATH_MAX];
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "sys/devices/system/cpu/%s/thermal_throttle/%s", name, counters[i]);
		add_file(&t->throttle, &t->n_throttles, &t->cap_throttles, root, path);
	}
	snprintf(path, sizeof(path), "sys/devices/system/cpu/%s/cpufreq/scaling_cur_freq", name);
	add_file(&t->freq, &t->n_freqs, &t->cap_freqs, root, path);
}

// Calls add for every entry of dir that begins with prefix and a digit.
static void
scan(struct thermal *t, struct sysroot *root, const char *dir_path, const char *prefix,
     void (*add)(struct thermal *, struct sysroot *, const char *))
{
	DIR *dir = sysroot_opendir(root, "%s", dir_path);
	const struct dirent *entry;
	size_t n = strlen(prefix);
	while (dir && (entry = sysroot_next(dir)))
		if (strncmp(entry->d_name, prefix, n) == 0 && isdigit((unsigned char)entry->d_name[n]))
			add(t, root, entry->d_name);
	if (dir)
		closedir(dir);
}

static void
close_files(struct sysfile *files, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sysfile_fini(&files[i]);
	free(files);
}

static void
thermal_close(void *opaque)
{
	struct thermal *t = opaque;
	for (unsigned i = 0; i < t->n_zones; i++) {
		sysfile_fini(&t->zone[i].file);
		sysfile_fini(&t->zone[i].alarm);
	}
	close_files(t->throttle, t->n_throttles);
	close_files(t->freq, t->n_freqs);
	free(t);
}

static int
thermal_open(struct sysroot *root, void **ret_state)
{
	struct thermal *t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	scan(t, root, "sys/class/hwmon", "hwmon", add_hwmon);
	scan(t, root, "sys/class/thermal", "thermal_zone", add_thermal_zone);
	scan(t, root, "sys/devices/system/cpu", "cpu", add_cpu);
	if (t->n_zones == 0 && t->n_throttles == 0 && t->n_freqs == 0) {
		thermal_close(t);
		return -ENOENT;
	}
	*ret_state = t;
	return 0;
}

// Sum of what can be read; false if one of the files, or all, cannot: a sum
// over other files than before would look like a counter that moved.
static bool
sum(struct sysfile *files, unsigned n, uint64_t *ret)
{
	uint64_t total = 0, value;
	for (unsigned i = 0; i < n; i++) {
		if (sysfile_read(&files[i]) < 0)
			return false;
		const char *at = files[i].buf;
		if (!parse_u64(&at, &value))
			return false;
		total += value;
	}
	*ret = total;
	return n > 0;
}

static void
thermal_read(void *opaque, struct sample *s)
{
	struct thermal *t = opaque;
	struct thermal_sample *ret = &s->thermal;
	uint64_t khz;
	for (unsigned i = 0; i < t->n_zones; i++) {
		struct thermal_zone *zone = &ret->zone[ret->n];
		*zone = t->zone[i].fixed;
		zone->alarm = sysfile_read(&t->zone[i].alarm) == 0 ? t->zone[i].alarm.buf[0] == '1' : -1;
		if (read_milli(&t->zone[i].file, &zone->milli_c))
			ret->n++;
	}
	ret->throttle_valid = sum(t->throttle, t->n_throttles, &ret->throttle_count);
	ret->freq_valid = sum(t->freq, t->n_freqs, &khz);
	if (ret->freq_valid)
		ret->mean_mhz = (double)khz / 1000.0 / t->n_freqs;
}

const struct probe probe_thermal = {
	.name = "thermal",
	.summary = "temperatures, throttle counters, CPU clock",
	.open = thermal_open,
	.read = thermal_read,
	.close = thermal_close,
	.seldom = true,
};
