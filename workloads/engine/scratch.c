// SPDX-License-Identifier: MIT
// Makes the scratch file. Rule: it has no name from the first moment that the
// file system allows, it is written to the last byte with content that does
// not compress, and nothing of the user's is written without his flag.
#include "scratch.h"

#include "../random.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES (UINT64_C(1) << 20)
#define SYNC_EVERY_BYTES (UINT64_C(128) << 20)

void
scratch_fill(void *buffer, uint64_t size, uint64_t seed, double compress)
{
	struct random random;
	random_init(&random, seed, 0x5c7a7c);
	random_fill(&random, buffer, size / 8 * 8);
	for (uint64_t at = 0; compress > 0 && at < size; at += 4096) {
		uint64_t piece = size - at < 4096 ? size - at : 4096;
		memset((char *)buffer + at, 0, (size_t)((double)piece * compress / 100));
	}
}

// A file without a name, or (where the file system has none) one whose name is gone at once.
static int
open_unnamed(const char *directory, struct error *err)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
		goto out;
	char name[4160];
	snprintf(name, sizeof(name), "%s/.ioduel-XXXXXX", directory);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0 && unlink(name) < 0) {
		int error = errno;
		close(fd);
		errno = error;
		fd = -1;
	}
out:
	if (fd < 0)
		return error_set_status(err, -errno, EXIT_USAGE, "cannot make a scratch file in %.300s: %s", directory, strerror(errno));
	return fd;
}

static int
set_direct(int fd, bool direct)
{
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0)
		return -errno;
	int want = direct ? flags | O_DIRECT : flags & ~O_DIRECT;
	return want == flags || fcntl(fd, F_SETFL, want) == 0 ? 0 : -errno;
}

static uint32_t
direct_alignment(int fd)
{
#ifdef STATX_DIOALIGN
	struct statx stx;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 && (stx.stx_mask & STATX_DIOALIGN))
		return stx.stx_dio_offset_align;
#endif
	(void)fd;
	return 0;
}

// O_DIRECT where it is wanted and works; else a sentence, or an error if the user insisted.
static int
choose_direct(const struct scratch_want *want, struct scratch *s, struct error *err)
{
	s->direct = false;
	if (want->direct && set_direct(s->fd, true) == 0) {
		s->direct = true;
		s->align = direct_alignment(s->fd);
		return 0;
	}
	if (want->direct && want->direct_required)
		return error_set_status(err, -EOPNOTSUPP, EXIT_USAGE, "direct=1 is not possible on %.300s; use direct=0", want->target->path);
	if (want->direct || want->target->direct_ok == 0)
		snprintf(s->sentence, sizeof(s->sentence), "%.150s does not allow direct I/O: this goes through the page cache",
			 want->target->path);
	return set_direct(s->fd, false);
}

static int
write_all(int fd, const char *buffer, uint64_t size, uint64_t offset)
{
	while (size) {
		ssize_t n = pwrite(fd, buffer, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		buffer += n;
		offset += (uint64_t)n;
		size -= (uint64_t)n;
	}
	return 0;
}

// Direct I/O needs whole blocks: the tail of an odd size goes through the cache.
static int
write_chunk(struct scratch *s, const char *buffer, uint64_t size, uint64_t offset)
{
	bool odd = s->direct && size % 4096;
	int r = odd ? set_direct(s->fd, false) : 0;
	if (r == 0)
		r = write_all(s->fd, buffer, size, offset);
	if (odd && r == 0)
		r = set_direct(s->fd, true);
	return r;
}

static int
lay_out(const struct scratch_want *want, struct scratch_progress *progress, struct scratch *s, struct error *err)
{
	char *buffer;
	int r = posix_memalign((void **)&buffer, 4096, CHUNK_BYTES);
	if (r)
		return error_set(err, -r, "out of memory");
	atomic_store(&progress->total, s->bytes);
	for (uint64_t at = 0; at < s->bytes && r == 0; at += CHUNK_BYTES) {
		uint64_t size = s->bytes - at < CHUNK_BYTES ? s->bytes - at : CHUNK_BYTES;
		if (atomic_load(&progress->abort)) {
			r = error_set(err, -ECANCELED, "stopped while the files were laid out");
			break;
		}
		scratch_fill(buffer, CHUNK_BYTES, want->seed + at / CHUNK_BYTES, want->compress);
		r = write_chunk(s, buffer, size, at);
		if (r == -EINVAL && s->direct && at == 0 && !want->direct_required) {
			// The flag was taken, but the first write says no.
			s->direct = false;
			set_direct(s->fd, false);
			snprintf(s->sentence, sizeof(s->sentence), "%.150s does not allow direct I/O: this goes through the page cache",
				 want->target->path);
			r = write_chunk(s, buffer, size, at);
		}
		if (r == 0 && !s->direct && (at + size) % SYNC_EVERY_BYTES == 0 && fdatasync(s->fd) < 0)
			r = -errno;
		if (r < 0)
			error_set_status(err, r, r == -ENOSPC || r == -EDQUOT ? EXIT_REFUSED : EXIT_RUN_FAILED,
					 "cannot write the scratch file in %.250s, %.0f MiB in: %s", want->target->path,
					 (double)at / 0x1p20, strerror(-r));
		atomic_store(&progress->done, at + size);
	}
	free(buffer);
	if (r == 0 && fsync(s->fd) < 0)
		r = error_set(err, -errno, "cannot sync the scratch file in %.300s: %s", want->target->path, strerror(errno));
	return r;
}

static int
open_existing(const struct scratch_want *want, struct error *err)
{
	const struct target_info *t = want->target;
	int flags = O_CLOEXEC | (want->write ? O_RDWR : O_RDONLY);
	if (want->write && !t->writable)
		return error_set_status(err, -EPERM, EXIT_REFUSED, "%.300s is not written to without the flag that allows it", t->path);
	if (want->write && t->kind == TARGET_DEVICE)
		flags |= O_EXCL;
	int fd = open(t->path, flags);
	if (fd < 0)
		return error_set_status(err, -errno, errno == EBUSY ? EXIT_REFUSED : EXIT_USAGE, "cannot open %.300s: %s", t->path,
					errno == EBUSY ? "it is in use" : strerror(errno));
	return fd;
}

static int
use_shared(const struct scratch_want *want, struct scratch *s, struct error *err)
{
	struct stat st;
	s->fd = want->shared_fd;
	s->own_file = want->target->kind == TARGET_DIRECTORY;
	if (fstat(s->fd, &st) < 0 || (S_ISREG(st.st_mode) && !want->empty && (uint64_t)st.st_size < want->bytes))
		return error_set(err, -EINVAL, "the scratch file of the other side is smaller than this side's size=");
	return choose_direct(want, s, err);
}

int
scratch_make(const struct scratch_want *want, struct scratch_progress *progress, struct scratch *ret, struct error *err)
{
	struct scratch s = { .fd = -1, .bytes = want->bytes };
	int r;

	if (want->shared_fd >= 0) {
		r = use_shared(want, &s, err);
		if (r < 0)
			return r;
		*ret = s;
		return 0;
	}
	s.own_file = want->target->kind == TARGET_DIRECTORY;
	s.fd = s.own_file ? open_unnamed(want->target->path, err) : open_existing(want, err);
	if (s.fd < 0)
		return s.fd;
	r = choose_direct(want, &s, err);
	if (r == 0 && s.own_file && !want->empty)
		r = lay_out(want, progress, &s, err);
	if (r < 0) {
		close(s.fd);
		return r;
	}
	if (!s.direct)
		scratch_drop_cache(&s);
	*ret = s;
	return 0;
}

int
scratch_apply_direct(const struct scratch *scratch)
{
	return scratch->fd < 0 ? 0 : set_direct(scratch->fd, scratch->direct);
}

void
scratch_drop_cache(const struct scratch *scratch)
{
	if (scratch->fd >= 0) {
		fdatasync(scratch->fd);
		posix_fadvise(scratch->fd, 0, 0, POSIX_FADV_DONTNEED);
	}
}

int
scratch_empty(const struct scratch *scratch)
{
	if (scratch->fd < 0 || !scratch->own_file)
		return 0;
	return ftruncate(scratch->fd, 0) == 0 && fsync(scratch->fd) == 0 ? 0 : -errno;
}

void
scratch_fini(struct scratch *scratch)
{
	if (scratch->fd >= 0)
		close(scratch->fd);
	scratch->fd = -1;
}
