// SPDX-License-Identifier: MIT
// Records survive the socket, and lies are recognised.
#include <ioduel/wire.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static _Alignas(8) char buf[WIRE_MAX_BYTES], packed[WIRE_MAX_BYTES];
static struct hist h[WIRE_CLASSES], out[WIRE_CLASSES];
static int socks[2];

static int
open_socks(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, socks);
}

static int
close_socks(void **state)
{
	(void)state;
	close(socks[0]);
	close(socks[1]);
	return 0;
}

static size_t
pack_sample(struct wire_interval *in)
{
	const struct hist *hists[WIRE_CLASSES] = { &h[0], &h[1], &h[2] };
	for (int c = 0; c < WIRE_CLASSES; c++)
		hist_init(&h[c]);
	for (uint64_t v = 1; v < UINT64_C(1) << 42; v = v * 9 / 8 + 1)
		hist_add(&h[v % 2], v);
	*in = (struct wire_interval){ .turn = 3, .flags = WIRE_COUNTED, .t0_ns = 5, .t1_ns = 9, .ops = { 1, 2, 3 }, .backlog = 4 };
	return wire_pack_interval(in, hists, packed);
}

static int
unpack(size_t n, struct wire_interval *ret)
{
	struct hist *outs[WIRE_CLASSES] = { &out[0], &out[1], &out[2] };
	return wire_unpack_interval(packed, n, ret, outs);
}

static void
an_interval_round_trips(void **state)
{
	(void)state;
	struct wire_interval in, got;
	enum wire_type type;
	int fd;
	size_t n = pack_sample(&in);
	assert_int_equal(wire_send(socks[0], WIRE_INTERVAL, packed, n, -1), 0);
	assert_int_equal(wire_recv(socks[1], buf, sizeof(buf), &type, &fd), (ssize_t)n);
	assert_int_equal(type, WIRE_INTERVAL);
	assert_int_equal(fd, -1);
	assert_memory_equal(buf, packed, n);
	assert_int_equal(unpack(n, &got), 0);
	assert_memory_equal(&got, &in, sizeof(in));
	assert_memory_equal(out, h, sizeof(h));
}

static void
a_full_histogram_fits(void **state)
{
	(void)state;
	const struct hist *hists[WIRE_CLASSES] = { &h[0], &h[0], &h[0] };
	struct wire_interval in = { .t1_ns = 1 };
	hist_init(&h[0]);
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		hist_add(&h[0], hist_midpoint_ns(i));
	size_t n = wire_pack_interval(&in, hists, packed);
	assert_true(n <= WIRE_MAX_BYTES);
	assert_int_equal(wire_send(socks[0], WIRE_INTERVAL, packed, n, -1), 0);
	assert_int_equal(unpack(n, &in), 0);
	assert_int_equal(out[2].count, HIST_BUCKETS);
}

static void
lies_in_an_interval_are_recognised(void **state)
{
	(void)state;
	struct wire_interval in, got;
	size_t n = pack_sample(&in);
	struct wire_interval *body = (struct wire_interval *)(void *)packed;
	struct wire_hist_entry *entry = (struct wire_hist_entry *)(void *)(packed + sizeof(in));

	assert_int_equal(unpack(n - 8, &got), -EPROTO); // an entry is missing
	assert_int_equal(unpack(n - 1, &got), -EPROTO);
	assert_int_equal(unpack(sizeof(in) - 1, &got), -EPROTO);
	body->hist_entries[0] = UINT32_MAX; // sums that wrap
	assert_int_equal(unpack(n, &got), -EPROTO);
	pack_sample(&in);
	body->t1_ns = body->t0_ns - 1;
	assert_int_equal(unpack(n, &got), -EPROTO);
	pack_sample(&in);
	entry[0].index = HIST_BUCKETS;
	assert_int_equal(unpack(n, &got), -EPROTO);
	pack_sample(&in);
	entry[1].index = entry[0].index;
	assert_int_equal(unpack(n, &got), -EPROTO);
	pack_sample(&in);
	entry[0].count = 0;
	assert_int_equal(unpack(n, &got), -EPROTO);
	pack_sample(&in);
	body->lat_min_ns[0] = body->lat_max_ns[0] + 1;
	assert_int_equal(unpack(n, &got), -EPROTO);
	pack_sample(&in);
	assert_int_equal(unpack(n, &got), 0);
}

static void
foreign_records_are_refused(void **state)
{
	(void)state;
	struct { struct wire_header header; struct wire_go go; } r = { .header = { WIRE_VERSION, WIRE_GO, sizeof(struct wire_go) } };
	enum wire_type type;
	int fd;
	for (int i = 0; i < 5; i++) {
		r.header = (struct wire_header){ WIRE_VERSION, WIRE_GO, sizeof(struct wire_go) };
		size_t n = sizeof(r);
		if (i == 0)
			r.header.version++;
		else if (i == 1)
			r.header.type = 999;
		else if (i == 2)
			r.header.length--;
		else if (i == 3)
			n -= 8;
		else
			n = 3;
		assert_int_equal(send(socks[0], &r, n, 0), (ssize_t)n);
		assert_int_equal(wire_recv(socks[1], buf, sizeof(buf), &type, &fd), -EPROTO);
	}
	assert_int_equal(wire_recv(socks[1], buf, sizeof(buf), &type, &fd), -EAGAIN);
	assert_int_equal(wire_send(socks[0], WIRE_GO, &r, 3, -1), -EINVAL);
}

static void
descriptors_travel(void **state)
{
	(void)state;
	static struct wire_ready ready = { .direct = 1 };
	enum wire_type type;
	int fd, null = open("/dev/null", O_RDONLY);
	assert_int_equal(wire_send(socks[0], WIRE_READY, &ready, sizeof(ready), null), 0);
	assert_int_equal(wire_recv(socks[1], buf, sizeof(buf), &type, &fd), sizeof(ready));
	assert_true(fd >= 0 && fd != null);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	close(null);
}

static void
a_full_socket_and_a_dead_peer(void **state)
{
	(void)state;
	enum wire_type type;
	int fd, r, n = 0;
	while ((r = wire_send(socks[0], WIRE_PAUSE, NULL, 0, -1)) == 0)
		n++;
	assert_int_equal(r, -EAGAIN);
	assert_true(n > 5);
	while (n--)
		assert_int_equal(wire_recv(socks[1], buf, sizeof(buf), &type, &fd), 0);
	assert_int_equal(type, WIRE_PAUSE);
	shutdown(socks[0], SHUT_WR);
	assert_int_equal(wire_recv(socks[1], buf, sizeof(buf), &type, &fd), 0);
	assert_int_equal(type, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_interval_round_trips, open_socks, close_socks),
		cmocka_unit_test_setup_teardown(a_full_histogram_fits, open_socks, close_socks),
		cmocka_unit_test(lies_in_an_interval_are_recognised),
		cmocka_unit_test_setup_teardown(foreign_records_are_refused, open_socks, close_socks),
		cmocka_unit_test_setup_teardown(descriptors_travel, open_socks, close_socks),
		cmocka_unit_test_setup_teardown(a_full_socket_and_a_dead_peer, open_socks, close_socks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
