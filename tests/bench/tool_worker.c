// SPDX-License-Identifier: MIT
// One worker, one turn, one line of figures: what the bench scripts lay
// beside fio. usage: tool_worker PATH WORKLOAD SETTLE_S SLICE_S [TURNS]
// prints per turn: ops bytes counted_ns user_us sys_us p50_ns p99_ns
#include <ioduel/wire.h>
#include <ioduel/workload.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hist total[WIRE_CLASSES];

static void
add_interval(const void *buf, size_t n)
{
	static struct hist part[WIRE_CLASSES];
	struct hist *parts[WIRE_CLASSES] = { &part[0], &part[1], &part[2] };
	struct wire_interval in;
	if (wire_unpack_interval(buf, n, &in, parts) < 0 || !(in.flags & WIRE_COUNTED))
		return;
	for (int c = 0; c < WIRE_CLASSES; c++)
		hist_merge(&total[c], &part[c]);
}

// Waits for a message of this type into buf; exits on failure.
static void
wait_for(int sock, enum wire_type want, void *buf)
{
	for (;;) {
		enum wire_type type;
		int fd;
		ssize_t n = wire_recv(sock, buf, WIRE_MAX_BYTES, &type, &fd);
		if (n == -EAGAIN) {
			struct pollfd p = { sock, POLLIN, 0 };
			poll(&p, 1, -1);
			continue;
		}
		if (n < 0 || type == 0 || type == WIRE_FAILED) {
			fprintf(stderr, "tool_worker: %s\n", type == WIRE_FAILED ? ((struct wire_note *)buf)->text : "the worker ended");
			exit(1);
		}
		if (type == WIRE_NOTE)
			fprintf(stderr, "note: %s\n", ((struct wire_note *)buf)->text);
		if (type == WIRE_INTERVAL)
			add_interval(buf, (size_t)n);
		if (type == want)
			return;
	}
}

static void
print_turn(const struct wire_turn_end *end)
{
	struct hist all;
	hist_init(&all);
	uint64_t ops = 0, bytes = 0;
	for (int c = 0; c < WIRE_CLASSES; c++) {
		hist_merge(&all, &total[c]);
		ops += end->ops[c];
		bytes += end->bytes[c];
	}
	if (end->status)
		fprintf(stderr, "status %d: %s\n", end->status, end->sentence);
	printf("%llu %llu %lld %llu %llu %.0f %.0f\n", (unsigned long long)ops, (unsigned long long)bytes,
	       (long long)(end->count_end_ns - end->count_start_ns), (unsigned long long)end->user_us,
	       (unsigned long long)end->sys_us, hist_quantile_ns(&all, 0.5), hist_quantile_ns(&all, 0.99));
	for (uint32_t i = 0; i < end->n_results; i++)
		printf("%s %.6f%s\n", end->result[i].name, end->result[i].value,
		       end->result[i].state == WIRE_RESULT_OK ? "" : end->result[i].state == WIRE_RESULT_TOO_FAST ? " too fast" : " not run");
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	static _Alignas(8) char buf[WIRE_MAX_BYTES];
	static struct wire_setup setup;
	static struct param_set set;
	struct worker_handle worker;
	struct error err = { 0 };
	if (argc < 5) {
		fprintf(stderr, "usage: tool_worker PATH WORKLOAD SETTLE_S SLICE_S [TURNS]\n");
		return 2;
	}
	snprintf(setup.path, sizeof(setup.path), "%s", argv[1]);
	setup.side_letter = 'a';
	// For a script that made the file itself.
	if (getenv("IODUEL_BENCH_OVERWRITE"))
		setup.allow = TARGET_OVERWRITE_FILE;
	if (workload_parse(argv[2], &set, &err) < 0 || workload_encode(&set, setup.params, sizeof(setup.params)) < 0 ||
	    worker_launch(NULL, &worker, &err) < 0) {
		fprintf(stderr, "tool_worker: %s\n", err.text);
		return 1;
	}
	wire_send(worker.sock, WIRE_SETUP, &setup, sizeof(setup), -1);
	wait_for(worker.sock, WIRE_READY, buf);
	struct wire_ready ready;
	memcpy(&ready, buf, sizeof(ready));
	if (*ready.sentence)
		fprintf(stderr, "note: %s\n", ready.sentence);
	int turns = argc > 5 ? atoi(argv[5]) : 1;
	for (int turn = 1; turn <= turns; turn++) {
		// With several turns, one line on standard input starts each.
		char line[64];
		if (turns > 1 && !fgets(line, sizeof(line), stdin))
			break;
		for (int c = 0; c < WIRE_CLASSES; c++)
			hist_init(&total[c]);
		struct wire_go go = { .turn = (uint32_t)turn, .settle_ns = (int64_t)(atof(argv[3]) * 1e9),
				      .slice_ns = (int64_t)(atof(argv[4]) * 1e9) };
		wire_send(worker.sock, WIRE_GO, &go, sizeof(go), -1);
		wait_for(worker.sock, WIRE_TURN_END, buf);
		struct wire_turn_end end;
		memcpy(&end, buf, sizeof(end));
		print_turn(&end);
	}
	close(worker.sock);
	return 0;
}
