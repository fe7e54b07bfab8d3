// SPDX-License-Identifier: MIT
// `ioduel probe`: a line per device and tick from the probes that the screen
// uses. A rate is the difference of two readings by the time measured between
// them; a device that goes away stays in the list with dashes.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <ioduel/clock.h>
#include <ioduel/probe.h>
#include <ioduel/stack.h>

#include "cmd.h"
#include "probe_print.h"

#define DEVICES_MAX 4096
#define HEADER_EVERY 20 // ticks, on a terminal

struct device {
	char name[DISK_NAME_MAX];
	unsigned major, minor;
};

struct probe_run {
	double interval_s;
	long count;	     // ticks, 0 = no end
	int json;
	const char *sysroot; // as given
	int story;	     // sysroot holds the steps t0, t1, ...
	int step;	     // next one
	int n_words;	     // devices and paths asked for
	char **words;
	struct sysroot *root;
	struct probes *probes;
	struct sample sample[2];
	struct device *devices;
	struct probe_row *rows;
	size_t n_devices;
};

// Opens the next root: the machine, a recorded one, or the next step of a story. 1 = the story is over.
static int
open_root(struct probe_run *run, struct error *err)
{
	char dir[4096];
	struct stat st;
	if (!run->story && run->root)
		return 0;
	snprintf(dir, sizeof(dir), run->story ? "%s/t%d" : "%s", run->sysroot, run->step);
	if (run->story && stat(dir, &st) < 0)
		return 1;
	run->step++;
	probes_free(run->probes);
	sysroot_free(run->root);
	run->probes = NULL;
	run->root = sysroot_new(dir, err);
	if (!run->root)
		return err->code;
	run->probes = probes_new(run->root, err);
	return run->probes ? 0 : err->code;
}

// Takes a sample into sample[which]. The steps of a story lie an interval apart.
static int
take_sample(struct probe_run *run, int which, struct error *err)
{
	int r = open_root(run, err);
	if (r != 0)
		return r;
	probes_read(run->probes, &run->sample[which]);
	if (run->story)
		run->sample[which].t_ns = (int64_t)((run->step - 1) * run->interval_s * 1e9);
	return 0;
}

static int
add_device(struct probe_run *run, const char *name, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < run->n_devices; i++)
		if (strcmp(run->devices[i].name, name) == 0)
			return 0;
	if (run->n_devices == DEVICES_MAX)
		return 0;
	struct device *device = &run->devices[run->n_devices++];
	snprintf(device->name, sizeof(device->name), "%s", name);
	device->major = major;
	device->minor = minor;
	return 1;
}

static const struct disk_sample *
find_device(const struct sample *s, const struct device *device)
{
	if (device->major || device->minor)
		return sample_find_disk(s, device->major, device->minor);
	return sample_find_disk_named(s, device->name);
}

// Without arguments: what has done any I/O since the machine started.
static void
add_used_devices(struct probe_run *run, const struct sample *s)
{
	for (size_t i = 0; i < s->n_disks; i++) {
		const struct disk_sample *disk = &s->disks[i];
		if (disk->read_sectors || disk->write_sectors || disk->read_ios || disk->write_ios)
			add_device(run, disk->name, disk->major, disk->minor);
	}
}

static int
add_leaves(struct probe_run *run, const char *path, const struct sample *s, struct error *err)
{
	const struct layer *leaves[STACK_LAYERS_MAX];
	struct stack *stack = calloc(1, sizeof(*stack));
	if (!stack)
		return error_set(err, -ENOMEM, "there is not enough memory");
	int r = stack_resolve(run->root, path, stack, err), known = 0;
	int n = r < 0 ? 0 : stack_leaves(stack, leaves, STACK_LAYERS_MAX);
	for (int i = 0; i < n; i++) {
		const struct disk_sample *disk = stack_find_disk(leaves[i], s);
		if (disk) {
			add_device(run, disk->name, disk->major, disk->minor);
			known++;
		}
	}
	if (r == 0 && !known)
		r = error_set(err, -ENODEV, "%s has no device below it that counts its I/O (%s)", path,
			      stack->fs_type[0] ? stack->fs_type : "unknown file system");
	free(stack);
	return r;
}

// A word is a kernel name ("nvme0n1"), a device node or a path on a file system.
static int
add_word(struct probe_run *run, const char *word, const struct sample *s, struct error *err)
{
	struct stat st;
	const struct disk_sample *disk = sample_find_disk_named(s, word);
	if (!disk && strncmp(word, "/dev/", 5) == 0)
		disk = sample_find_disk_named(s, word + 5);
	if (!disk && !sysroot_is_recorded(run->root) && stat(word, &st) == 0 && S_ISBLK(st.st_mode))
		disk = sample_find_disk(s, major(st.st_rdev), minor(st.st_rdev));
	if (!disk && !strchr(word, '/') && (sysroot_is_recorded(run->root) || access(word, F_OK) < 0))
		return error_set_status(err, -ENODEV, EXIT_USAGE, "there is no device and no path \"%s\"", word);
	if (!disk)
		return add_leaves(run, word, s, err);
	add_device(run, disk->name, disk->major, disk->minor);
	return 0;
}

static int
find_devices(struct probe_run *run, const struct sample *s, struct error *err)
{
	int r = 0;
	run->devices = calloc(DEVICES_MAX, sizeof(*run->devices));
	run->rows = calloc(DEVICES_MAX, sizeof(*run->rows));
	if (!run->devices || !run->rows)
		return error_set(err, -ENOMEM, "there is not enough memory");
	for (int i = 0; r == 0 && i < run->n_words; i++)
		r = add_word(run, run->words[i], s, err);
	if (run->n_words == 0)
		add_used_devices(run, s);
	if (r == 0 && run->n_devices == 0)
		r = error_set(err, -ENODEV, "no device has done any I/O here; name the devices to be watched");
	return r;
}

static int
print_tick(struct probe_run *run, const struct sample *from, const struct sample *to)
{
	double elapsed_s = (double)(to->t_ns - from->t_ns) / 1e9;
	double time_s = run->story ? (double)to->t_ns / 1e9 : (double)clock_wall_ns() / 1e9;
	struct cpu_rate cpu;
	rate_cpu(&from->cpu, &to->cpu, elapsed_s, &cpu);
	cpu.elapsed_s = elapsed_s;
	for (size_t i = 0; i < run->n_devices; i++) {
		static const struct disk_sample gone;
		const struct disk_sample *a = find_device(from, &run->devices[i]), *b = find_device(to, &run->devices[i]);
		memcpy(run->rows[i].name, run->devices[i].name, sizeof(run->rows[i].name));
		rate_disk(a ? a : &gone, b ? b : &gone, elapsed_s, &run->rows[i].rate);
	}
	if (run->json)
		return probe_print_json(time_s, &cpu, run->rows, run->n_devices);
	probe_print_text(time_s, &cpu, run->rows, run->n_devices);
	return 0;
}

// Sleeps to the next multiple of the interval after start; ticks that were missed are left out.
static void
wait_tick(int64_t start_ns, double interval_s)
{
	int64_t step_ns = (int64_t)(interval_s * 1e9);
	int64_t next_ns = start_ns + ((clock_now_ns() - start_ns) / step_ns + 1) * step_ns;
	struct timespec until = {.tv_sec = next_ns / NS_PER_S, .tv_nsec = next_ns % NS_PER_S};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static int
probe_loop(struct probe_run *run, struct error *err)
{
	int r = take_sample(run, 0, err);
	if (r == 1)
		return error_set(err, -ENOENT, "%s has no step t0", run->sysroot);
	if (r == 0)
		r = find_devices(run, &run->sample[0], err);
	int64_t start_ns = clock_now_ns();
	for (long tick = 0; r == 0 && (run->count == 0 || tick < run->count); tick++) {
		struct sample *from = &run->sample[tick % 2], *to = &run->sample[(tick + 1) % 2];
		if (!run->json && (tick == 0 || (tick % HEADER_EVERY == 0 && isatty(STDOUT_FILENO))))
			probe_print_header();
		if (cli_output_gone())
			return 0;
		if (!run->story)
			wait_tick(start_ns, run->interval_s);
		r = take_sample(run, (int)((tick + 1) % 2), err);
		if (r == 0)
			r = print_tick(run, from, to);
		if (cli_output_gone())
			return 0;
	}
	return r < 0 ? r : 0;
}

static int
parse_probe(int argc, char **argv, struct probe_run *run, struct error *err)
{
	static const struct option longs[] = {{"interval", required_argument, NULL, 'i'}, {"count", required_argument, NULL, 'n'},
					      {"json", no_argument, NULL, 'j'}, {"sysroot", required_argument, NULL, 'r'}, {0}};
	struct cli_scan scan = {0};
	struct stat st;
	char first[4096];
	double count = 0;
	int c, r = 0;
	while (r == 0 && (c = cli_next(&scan, argc, argv, "i:n:", longs, err)) != -1) {
		if (c == '?')
			return -EINVAL;
		if (c == 'i')
			r = cli_number("--interval", optarg, 0.1, 86400, &run->interval_s, err);
		else if (c == 'n')
			r = cli_number("--count", optarg, 1, 1e9, &count, err);
		else if (c == 'j')
			run->json = 1;
		else
			run->sysroot = optarg;
	}
	if (r == 0 && count != floor(count))
		r = error_set_status(err, -EINVAL, EXIT_USAGE, "--count needs a whole number, not %g", count);
	run->count = (long)count;
	run->words = argv + optind;
	run->n_words = argc - optind;
	snprintf(first, sizeof(first), "%s/t0", run->sysroot);
	run->story = stat(first, &st) == 0 && S_ISDIR(st.st_mode) && strcmp(run->sysroot, "/") != 0;
	return r;
}

int
cmd_probe(int argc, char **argv)
{
	struct probe_run run = {.interval_s = 1, .sysroot = "/"};
	struct error err = {0};
	if (parse_probe(argc, argv, &run, &err) < 0)
		return cli_fail(&err, EXIT_USAGE);
	sample_init(&run.sample[0]);
	sample_init(&run.sample[1]);
	int r = probe_loop(&run, &err);
	probes_free(run.probes);
	sysroot_free(run.root);
	sample_fini(&run.sample[0]);
	sample_fini(&run.sample[1]);
	free(run.devices);
	free(run.rows);
	return r < 0 ? cli_fail(&err, EXIT_RUN_FAILED) : EXIT_DONE;
}
