// SPDX-License-Identifier: MIT
// How an open file lies on its file system: holes, extents that were never
// written, fragments, position, and how much of it sits in the page cache. One
// rule: the descriptor is given; nothing is opened and nothing is read of it.

#include <ioduel/trap.h>

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BATCH 256
#define EXTENTS_MAX 2000000u // a file in more pieces than that is known to be fragmented
#define CACHESTAT 451	     // Linux 6.5; the libc of that time has no name for it

struct cache_range {
	uint64_t offset, length;
};

struct cache_counts {
	uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

static void
take_extent(struct trap_layout *ret, const struct fiemap_extent *extent, uint64_t *covered)
{
	uint64_t start = extent->fe_logical, end = start + extent->fe_length;
	if (end > ret->size_bytes) // preallocated beyond the end of the file
		end = ret->size_bytes;
	if (start >= end)
		return;
	*covered += end - start;
	ret->extents++;
	if (extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
		ret->unwritten_bytes += end - start;
	if (extent->fe_flags & FIEMAP_EXTENT_ENCODED)
		ret->compressed = 1;
	if (extent->fe_flags & (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC))
		return;
	if (ret->first_physical == 0 || extent->fe_physical < ret->first_physical)
		ret->first_physical = extent->fe_physical;
	if (extent->fe_physical + extent->fe_length > ret->last_physical)
		ret->last_physical = extent->fe_physical + extent->fe_length;
}

// Walks the extent map; false if the file system has none.
static bool
read_extents(int fd, struct trap_layout *ret, uint64_t *covered)
{
	struct fiemap *map = calloc(1, sizeof(*map) + BATCH * sizeof(struct fiemap_extent));
	uint64_t next = 0;
	bool last = ret->size_bytes == 0, ok = map != NULL;
	ret->compressed = 0;
	while (ok && !last && ret->extents < EXTENTS_MAX) {
		memset(map, 0, sizeof(*map));
		map->fm_start = next;
		map->fm_length = FIEMAP_MAX_OFFSET - next;
		map->fm_extent_count = BATCH;
		ok = ioctl(fd, FS_IOC_FIEMAP, map) == 0;
		if (!ok || map->fm_mapped_extents == 0)
			break;
		for (unsigned i = 0; i < map->fm_mapped_extents; i++)
			take_extent(ret, &map->fm_extents[i], covered);
		const struct fiemap_extent *end = &map->fm_extents[map->fm_mapped_extents - 1];
		last = end->fe_flags & FIEMAP_EXTENT_LAST;
		next = end->fe_logical + end->fe_length;
	}
	free(map);
	return ok;
}

// Without an extent map: holes as lseek knows them.
static bool
read_holes(int fd, struct trap_layout *ret)
{
	off_t size = (off_t)ret->size_bytes, at = 0, before = lseek(fd, 0, SEEK_CUR);
	bool ok = true;
	while (at < size) {
		off_t data = lseek(fd, at, SEEK_DATA);
		if (data < 0 && errno != ENXIO) {
			ok = false;
			break;
		}
		ret->hole_bytes += (uint64_t)((data < 0 ? size : data) - at);
		if (data < 0)
			break;
		at = lseek(fd, data, SEEK_HOLE);
		if (at < 0) {
			ok = false;
			break;
		}
	}
	lseek(fd, before, SEEK_SET);
	return ok;
}

static double
cached_share_of_map(int fd, uint64_t size)
{
	long page = sysconf(_SC_PAGESIZE);
	uint64_t pages = (size + (uint64_t)page - 1) / (uint64_t)page, cached = 0;
	if (size == 0 || size > UINT64_C(1) << 40)
		return NAN;
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	unsigned char *vector = malloc(pages);
	bool ok = map != MAP_FAILED && vector && mincore(map, size, vector) == 0;
	for (uint64_t i = 0; ok && i < pages; i++)
		cached += vector[i] & 1;
	free(vector);
	if (map != MAP_FAILED)
		munmap(map, size);
	return ok ? (double)cached / (double)pages : NAN;
}

static double
cached_share(int fd, uint64_t size)
{
	struct cache_range range = {0, size};
	struct cache_counts counts = {0};
	long page = sysconf(_SC_PAGESIZE);
	if (size == 0)
		return NAN;
	if (syscall(CACHESTAT, fd, &range, &counts, 0) == 0)
		return fmin(1, (double)counts.cached * (double)page / (double)size);
	return cached_share_of_map(fd, size);
}

void
trap_read_layout(int fd, struct trap_layout *ret)
{
	struct stat st;
	uint64_t covered = 0;
	*ret = (struct trap_layout){.mean_extent_bytes = NAN, .cached_share = NAN, .compressed = TRAP_UNKNOWN};
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	ret->size_bytes = (uint64_t)st.st_size;
	ret->allocated_bytes = (uint64_t)st.st_blocks * SECTOR_BYTES;
	if (read_extents(fd, ret, &covered)) {
		ret->known = 1;
		ret->hole_bytes = ret->size_bytes > covered ? ret->size_bytes - covered : 0;
		ret->mean_extent_bytes = ret->extents ? (double)covered / (double)ret->extents : NAN;
	} else {
		ret->compressed = TRAP_UNKNOWN;
		ret->extents = ret->unwritten_bytes = 0;
		ret->known = read_holes(fd, ret);
	}
	ret->cached_share = cached_share(fd, ret->size_bytes);
}
