// SPDX-License-Identifier: MIT
// The session: two slots, a plan, a result. A state machine without a clock,
// a terminal or a descriptor: an event goes in, effects come out. The screen,
// `ioduel run` and the tests drive the very same one.
#ifndef IODUEL_SESSION_H
#define IODUEL_SESSION_H

#include <ioduel/probe.h>
#include <ioduel/target.h>
#include <ioduel/trap.h>
#include <ioduel/wire.h>
#include <ioduel/workload.h>

#include "session/plan.h"
#include "session/result.h"
#include "session/view.h"

// What one side is, before anything runs.
struct session_side {
	int present;
	char path[4096];
	char label[128];
	char setup[1024];     // command before every turn, "" = none
	char overrides[2048]; // "key=value\n..."
	struct stack stack;
	struct target_info target;
	struct param_set params;
	struct workload_needs needs;
	struct trap_signals signals;
	char refusal[512];   // why the workload cannot run here ("" = it can): a monitor needs no more than the stack
	struct result baseline; // where the side is a saved result: present and not run
	int is_baseline;
};

enum session_start {
	START_MONITOR, // nothing runs before a key
	START_TURN,    // side A's turn as soon as its files are laid out
	START_PLAN,    // the plan at once (`ioduel run`)
};

struct session_config {
	struct session_side side[SIDES];
	struct plan_options plan;
	enum session_start start;
	char workload_text[512];
	enum metric primary; // METRIC_N = by workload
	struct host_facts host;
	char created[40];    // ISO 8601, UTC
	int share_file;      // both sides use A's scratch file (a settings comparison)
};

enum event_type {
	EVENT_TICK,	   // time passes
	EVENT_SAMPLE,	   // sample
	EVENT_PROGRESS,	   // progress
	EVENT_READY,	   // ready
	EVENT_INTERVAL,	   // interval, hist
	EVENT_TURN_END,	   // turn_end
	EVENT_NOTE,	   // note
	EVENT_WORKER_GONE, // text: why; the worker has exited or could not start
	EVENT_SETUP_DONE,  // status of a --setup command
	EVENT_COMMAND,	   // command
	EVENT_INTERRUPT,   // a signal asks to end: stop, save, quit
};

struct event {
	enum event_type type;
	int64_t now_ns;
	enum side side; // of the worker events
	int status;
	const char *text;
	const struct sample *sample;
	const struct wire_progress *progress;
	const struct wire_ready *ready;
	const struct wire_interval *interval;
	const struct hist *const *hist; // WIRE_CLASSES of them
	const struct wire_turn_end *turn_end;
	const struct wire_note *note;
	const struct command_event *command;
};

enum effect_type {
	EFFECT_LAUNCH,	 // start the side's worker and send it its set-up
	EFFECT_GO,	 // turn, settle_ns, slice_ns
	EFFECT_PAUSE,
	EFFECT_REMAKE,
	EFFECT_DROP_CACHE,
	EFFECT_SETUP,	 // run the side's set-up command
	EFFECT_KILL,	 // end the side's worker, politely, then not
	EFFECT_RESTART,  // sides changed: end the workers
	EFFECT_MARK,	 // mark (to be recorded)
	EFFECT_PAIR,	 // pair number `turn` is complete (to be recorded)
	EFFECT_SAVE,	 // the run is over: finish the session file
	EFFECT_SNAPSHOT, // save what there is now
	EFFECT_EXPORT,
	EFFECT_SUSPEND,
	EFFECT_QUIT,	 // leave the program
	// what only the program can do: it inspects and answers with session_set_side or a note
	EFFECT_SET_WORKLOAD, EFFECT_SET_TARGET, EFFECT_OPEN, EFFECT_BASELINE, EFFECT_DELETE,
	EFFECT_REFRESH, EFFECT_SAVE_CONFIG,
};

struct effect {
	enum effect_type type;
	enum side side;
	uint32_t turn;
	int pair;    // EFFECT_GO: number from 1 of the planned pair, 0 = none
	int by_hand; // EFFECT_GO
	int64_t settle_ns, slice_ns;
	const char *text; // valid until the next step
	const struct view_mark *mark;
};

#define EFFECTS_MAX 32
struct effects {
	int n;
	struct effect effect[EFFECTS_MAX];
};

struct session;

// config is copied. NULL and err on lack of memory or a plan that makes no sense.
struct session *session_new(const struct session_config *config, int64_t now_ns, struct error *err);
void session_free(struct session *s);

// One event. ret is cleared and filled with what the caller must do, in order.
void session_step(struct session *s, const struct event *event, struct effects *ret);

// The picture at now_ns; owned by the session, valid until the next call.
const struct view *session_view(struct session *s, int64_t now_ns);

const struct result *session_result(const struct session *s);
const struct plan *session_plan(const struct session *s);

// True while a turn runs: nothing may be written to a device under test.
int session_is_measuring(const struct session *s);
// True while a plan or a turn wants samples ten times a second.
int session_wants_fast_samples(const struct session *s);
// True once the plan has ended (START_PLAN), with the status the program should end with.
int session_is_over(const struct session *s, int *ret_status, const char **ret_reason);

// How the side's scratch file lies, as seen when its worker became ready.
void session_set_layout(struct session *s, enum side side, const struct trap_layout *layout);

// Says something in the status line.
void session_say(struct session *s, int is_error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

// Notes that the pair was measured before; stands in the result until a side changes.
void session_note_history(struct session *s, const char *text);

// Replaces one side (and its workload) while nothing runs; -EBUSY while something does.
int session_set_side(struct session *s, enum side side, const struct session_side *new_side);
const struct session_side *session_get_side(const struct session *s, enum side side);

#endif
