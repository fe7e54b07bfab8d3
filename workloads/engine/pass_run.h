// SPDX-License-Identifier: MIT
// The engine's side of pass workloads: one thread per turn, collected by the
// worker's main thread, which never waits for it.
#ifndef WORKLOADS_ENGINE_PASS_RUN_H
#define WORKLOADS_ENGINE_PASS_RUN_H

#include "pass.h"

struct pass_end {
	int status; // 0, > 0 exit status of a command, < 0 -errno
	bool stopped;
	char sentence[256];
	int64_t start_ns, count_start_ns, count_end_ns, end_ns;
	uint64_t user_us, sys_us;
	uint32_t n_results;
	struct wire_result result[WIRE_RESULTS_MAX];
};

struct pass_setup {
	const struct workload *workload;
	const struct param_set *params;
	const struct target_info *target;
	char side_letter;
	int notify_fd;
};

int pass_new(const struct pass_setup *setup, struct pass **ret, struct error *err);
int pass_prepare(struct pass *pass, struct error *err);
int pass_go(struct pass *pass, uint32_t turn, int64_t settle_ns, int64_t slice_ns, struct error *err);
void pass_stop(struct pass *pass);
bool pass_finished(const struct pass *pass);
int64_t pass_start_ns(const struct pass *pass);
enum tally_phase pass_phase(const struct pass *pass);
// As runner_collect; also brings the current phase's end up to now.
void pass_collect(struct pass *pass, struct tally by_phase[TALLY_PHASES]);
// Whether a child ran since this was last asked with forget; then the CPU time of that stretch is unknown.
bool pass_child_ran(struct pass *pass, bool forget);
// The next note or output line; false if there is none.
bool pass_take_note(struct pass *pass, struct wire_note *ret);
// Progress of preparing; false if there is none to tell.
bool pass_take_progress(struct pass *pass, struct wire_progress *ret);
void pass_end(struct pass *pass, struct pass_end *ret);
// Stops and cleans up. False if the pass does not end within wait_ns.
bool pass_free(struct pass *pass, int64_t wait_ns);

#endif
