// SPDX-License-Identifier: MIT
// Records on the socket between ioduel and its worker. Rule: what arrives is
// not trusted; a record of another version, type or length is -EPROTO.
#include <ioduel/wire.h>

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(sizeof(struct wire_header) == 8, "no padding on the wire");
_Static_assert(sizeof(struct wire_interval) % 8 == 0, "entries follow aligned");
_Static_assert(sizeof(struct wire_interval) + WIRE_CLASSES * HIST_BUCKETS * sizeof(struct wire_hist_entry) <
		       WIRE_MAX_BYTES - 1024,
	       "a full interval fits into one record");

// Smallest and largest body by type; -1 = unknown type.
static int
length_allowed(enum wire_type type, size_t length)
{
	switch (type) {
	case WIRE_SETUP:
		return length == sizeof(struct wire_setup);
	case WIRE_GO:
		return length == sizeof(struct wire_go);
	case WIRE_PAUSE:
	case WIRE_REMAKE:
	case WIRE_DROP_CACHE:
	case WIRE_QUIT:
		return length == 0;
	case WIRE_PROGRESS:
		return length == sizeof(struct wire_progress);
	case WIRE_READY:
		return length == sizeof(struct wire_ready);
	case WIRE_INTERVAL:
		return length >= sizeof(struct wire_interval) &&
		       (length - sizeof(struct wire_interval)) % sizeof(struct wire_hist_entry) == 0;
	case WIRE_TURN_END:
		return length == sizeof(struct wire_turn_end);
	case WIRE_NOTE:
	case WIRE_FAILED:
		return length == sizeof(struct wire_note);
	}
	return 0;
}

int
wire_send(int sock, enum wire_type type, const void *body, size_t length, int fd_to_pass)
{
	struct wire_header header = { .version = WIRE_VERSION, .type = (uint16_t)type, .length = (uint32_t)length };
	struct iovec iov[2] = { { &header, sizeof(header) }, { (void *)(uintptr_t)body, length } };
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = length ? 2 : 1 };

	if (!length_allowed(type, length))
		return -EINVAL;
	if (fd_to_pass >= 0) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.space;
		msg.msg_controllen = sizeof(control.space);
		struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(cmsg), &fd_to_pass, sizeof(int));
	}
	for (;;) {
		ssize_t n = sendmsg(sock, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n >= 0)
			return 0;
		if (errno == EINTR)
			continue;
		return errno == EWOULDBLOCK || errno == ENOBUFS ? -EAGAIN : -errno;
	}
}

// Takes the first descriptor that came along and closes any further ones.
static int
take_descriptor(struct msghdr *msg)
{
	int taken = -1;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			int fd;
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
			if (taken < 0)
				taken = fd;
			else
				close(fd);
		}
	}
	return taken;
}

ssize_t
wire_recv(int sock, void *buf, size_t size, enum wire_type *ret_type, int *ret_fd)
{
	struct wire_header header;
	struct iovec iov[2] = { { &header, sizeof(header) }, { buf, size } };
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(4 * sizeof(int))];
	} control;
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2,
			      .msg_control = control.space, .msg_controllen = sizeof(control.space) };
	ssize_t n;

	do
		n = recvmsg(sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		// A peer that died with records unread resets the connection: that is its end, too.
		if (errno != ECONNRESET)
			return errno == EWOULDBLOCK ? -EAGAIN : -errno;
		n = 0;
	}
	if (n == 0) {
		*ret_type = (enum wire_type)0;
		*ret_fd = -1;
		return 0;
	}
	int fd = take_descriptor(&msg);
	size_t length = (size_t)n - sizeof(header);
	if ((size_t)n < sizeof(header) || (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) ||
	    header.version != WIRE_VERSION || header.length != length ||
	    !length_allowed((enum wire_type)header.type, length)) {
		if (fd >= 0)
			close(fd);
		return -EPROTO;
	}
	*ret_type = (enum wire_type)header.type;
	*ret_fd = fd;
	return (ssize_t)length;
}

size_t
wire_pack_interval(struct wire_interval *interval, const struct hist *const hist[WIRE_CLASSES], void *buf)
{
	struct wire_hist_entry *entries = (struct wire_hist_entry *)((char *)buf + sizeof(*interval));
	size_t n = 0;

	for (int c = 0; c < WIRE_CLASSES; c++) {
		size_t first = n;
		const struct hist *h = hist[c];
		interval->lat_sum_ns[c] = h->sum_ns;
		interval->lat_min_ns[c] = h->count ? h->min_ns : 0;
		interval->lat_max_ns[c] = h->max_ns;
		for (unsigned i = 0; h->count && i < HIST_BUCKETS; i++) {
			if (!h->bucket[i])
				continue;
			// More than 2^32 in one bucket takes minutes of an unread socket; the rest is lost.
			uint64_t count = h->bucket[i] > UINT32_MAX ? UINT32_MAX : h->bucket[i];
			entries[n++] = (struct wire_hist_entry){ .index = i, .count = (uint32_t)count };
		}
		interval->hist_entries[c] = (uint32_t)(n - first);
	}
	memcpy(buf, interval, sizeof(*interval));
	return sizeof(*interval) + n * sizeof(*entries);
}

// Adds one class's entries to h; they must rise strictly and have counts.
static int
unpack_class(const struct wire_hist_entry *entries, uint32_t n, uint64_t sum, uint64_t min, uint64_t max,
	     struct hist *h)
{
	hist_init(h);
	for (uint32_t i = 0; i < n; i++) {
		struct wire_hist_entry e = entries[i];
		if (e.index >= HIST_BUCKETS || e.count == 0 || (i && e.index <= entries[i - 1].index))
			return -EPROTO;
		h->bucket[e.index] = e.count;
		h->count += e.count;
	}
	if (n == 0)
		return sum || min || max ? -EPROTO : 0;
	if (min > max || hist_index(min) != entries[0].index || hist_index(max) != entries[n - 1].index)
		return -EPROTO;
	h->sum_ns = sum;
	h->min_ns = min;
	h->max_ns = max;
	return 0;
}

int
wire_unpack_interval(const void *body, size_t length, struct wire_interval *ret, struct hist *ret_hist[WIRE_CLASSES])
{
	struct wire_interval in;
	if (!length_allowed(WIRE_INTERVAL, length))
		return -EPROTO;
	memcpy(&in, body, sizeof(in));
	size_t n = (length - sizeof(in)) / sizeof(struct wire_hist_entry), sum = 0;
	for (int c = 0; c < WIRE_CLASSES; c++) {
		if (in.hist_entries[c] > HIST_BUCKETS)
			return -EPROTO;
		sum += in.hist_entries[c];
	}
	if (sum != n || in.t1_ns < in.t0_ns)
		return -EPROTO;
	const char *at = (const char *)body + sizeof(in);
	for (int c = 0; c < WIRE_CLASSES; c++) {
		const struct wire_hist_entry *entries = (const struct wire_hist_entry *)(const void *)at;
		int r = unpack_class(entries, in.hist_entries[c], in.lat_sum_ns[c], in.lat_min_ns[c],
				     in.lat_max_ns[c], ret_hist[c]);
		if (r < 0)
			return r;
		at += in.hist_entries[c] * sizeof(*entries);
	}
	*ret = in;
	return 0;
}
