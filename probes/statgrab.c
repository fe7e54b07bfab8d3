// SPDX-License-Identifier: MIT
// libstatgrab: the portable base, for systems and files that our own probes do
// not know. One rule: it looks at the running machine, so it is silent on a
// recorded root; and it fills only what is still unknown. Its CPU total leaves
// out irq, softirq and steal, so only its raw counters are taken, and our own
// clock stamps them, since its own has whole seconds.

#include "probes.h"
#include "sysroot.h"

#include <errno.h>
#include <stdlib.h>
#include <statgrab.h>
#include <string.h>
#include <unistd.h>

static unsigned users; // of the library, whose state is one per process

static bool
library_open(void)
{
	if (users == 0 && sg_init(1) != SG_ERROR_NONE)
		return false;
	users++;
	return true;
}

static void
library_close(void)
{
	if (--users == 0)
		sg_shutdown();
}

static int
statgrab_open(struct sysroot *root, void **ret_state)
{
	if (sysroot_is_recorded(root) || !library_open())
		return -ENOENT;
	*ret_state = root;
	return 0;
}

static void
statgrab_close(void *state)
{
	(void)state;
	library_close();
}

static void
read_cpu(struct cpu_sample *ret)
{
	size_t n = 0;
	const sg_cpu_stats *cpu = sg_get_cpu_stats(&n);
	if (!cpu || n == 0)
		return;
	ret->ticks[CPU_USER] = cpu->user;
	ret->ticks[CPU_NICE] = cpu->nice;
	ret->ticks[CPU_SYS] = cpu->kernel;
	ret->ticks[CPU_IDLE] = cpu->idle;
	ret->ticks[CPU_IOWAIT] = cpu->iowait;
	ret->valid = 1u << CPU_USER | 1u << CPU_NICE | 1u << CPU_SYS | 1u << CPU_IDLE | 1u << CPU_IOWAIT;
	long hz = sysconf(_SC_CLK_TCK);
	ret->ticks_per_s = hz > 0 ? (uint64_t)hz : 100;
	const sg_host_info *host = sg_get_host_info(&n);
	if (host && n > 0)
		ret->n_cpus = host->ncpus;
}

static void
read_memory(struct memory_sample *ret)
{
	size_t n = 0;
	const sg_mem_stats *mem = sg_get_mem_stats(&n);
	if (!mem || n == 0)
		return;
	ret->total_bytes = mem->total;
	ret->free_bytes = mem->free;
	ret->cached_bytes = mem->cache;
	ret->valid = MEM_TOTAL | MEM_FREE | MEM_CACHED;
}

// The library names disks only; their numbers come from sysfs where there is one.
static void
read_number(const struct sysroot *root, struct disk_sample *disk)
{
	char text[64];
	if (sysroot_read(root, text, sizeof(text), "sys/class/block/%s/dev", disk->name) > 0)
		sscanf(text, "%u:%u", &disk->major, &disk->minor);
}

static void
read_disks(const struct sysroot *root, struct sample *s)
{
	size_t n = 0;
	const sg_disk_io_stats *io = sg_get_disk_io_stats(&n);
	for (size_t i = 0; io && i < n && sample_reserve_disk(s) == 0; i++) {
		struct disk_sample *disk = &s->disks[s->n_disks++];
		memset(disk, 0, sizeof(*disk));
		text_copy(disk->name, sizeof(disk->name), io[i].disk_name);
		disk->read_sectors = io[i].read_bytes / SECTOR_BYTES;
		disk->write_sectors = io[i].write_bytes / SECTOR_BYTES;
		disk->valid = DISK_BYTES_ONLY;
		read_number(root, disk);
	}
}

static void
statgrab_read(void *state, struct sample *s)
{
	if (s->n_disks == 0)
		read_disks(state, s);
	if (s->cpu.valid == 0)
		read_cpu(&s->cpu);
	if (s->memory.valid == 0)
		read_memory(&s->memory);
}

static void
host_read_library(struct host_facts *ret)
{
	size_t n = 0;
	const sg_host_info *host = sg_get_host_info(&n);
	if (host && n > 0) {
		text_copy(ret->name, sizeof(ret->name), host->hostname ? host->hostname : "");
		text_copy(ret->os, sizeof(ret->os), host->os_name ? host->os_name : "");
		text_copy(ret->kernel, sizeof(ret->kernel), host->os_release ? host->os_release : "");
		ret->cpus = host->ncpus;
	}
	const sg_mem_stats *mem = sg_get_mem_stats(&n);
	if (mem && n > 0)
		ret->memory_bytes = mem->total;
}

static void
host_read_files(const struct sysroot *root, struct host_facts *ret)
{
	static const size_t size = 1 << 20;
	char *text = malloc(size);
	if (!text)
		return;
	sysroot_read(root, ret->name, sizeof(ret->name), "proc/sys/kernel/hostname");
	sysroot_read(root, ret->os, sizeof(ret->os), "proc/sys/kernel/ostype");
	sysroot_read(root, ret->kernel, sizeof(ret->kernel), "proc/sys/kernel/osrelease");
	struct cpu_sample cpu;
	if (sysroot_read(root, text, size, "proc/stat") > 0) {
		cpu_parse(text, &cpu);
		ret->cpus = cpu.n_cpus;
	}
	struct memory_sample memory;
	if (sysroot_read(root, text, size, "proc/meminfo") > 0) {
		meminfo_parse(text, &memory);
		ret->memory_bytes = memory.valid & MEM_TOTAL ? memory.total_bytes : 0;
	}
	free(text);
}

void
host_read(struct sysroot *root, struct host_facts *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!sysroot_is_recorded(root) && library_open()) {
		host_read_library(ret);
		library_close();
	}
	if (ret->name[0] == '\0' || ret->cpus == 0 || ret->memory_bytes == 0)
		host_read_files(root, ret);
}

const struct probe probe_statgrab = {
	.name = "statgrab",
	.summary = "libstatgrab, the portable base: CPU time, memory and disk bytes where nothing else knows them",
	.open = statgrab_open,
	.read = statgrab_read,
	.close = statgrab_close,
};
