// SPDX-License-Identifier: MIT
// The inside of the session, shared by the files that make it up (session.c,
// run.c, hand.c, slot.c, slice.c, schedule.c, view.c) and by nobody else.
#ifndef IODUEL_STATE_H
#define IODUEL_STATE_H

#include "session/gate.h"
#include "session/session.h"
#include "session/steady.h"
#include "session/traps.h"

enum slot_state {
	SLOT_EMPTY,	// no target
	SLOT_IDLE,	// a target, no worker
	SLOT_PREPARING, // worker started, files being laid out
	SLOT_READY,
	SLOT_RUNNING,	// has a turn
	SLOT_ENDING,	// was told to pause, drains
	SLOT_FAILED,
};

enum turn_kind { TURN_HAND, TURN_WARMUP, TURN_PLAN };

#define SLOT_LEAVES_MAX 64
#define SLOT_POINTS 128

// Counters of a side's devices and of the host at one instant.
struct slot_point {
	int64_t t_ns;
	int disk_ok, cpu_ok;
	double read_bytes, write_bytes, read_ios, write_ios, read_ms, write_ms;
	double cpu[CPU_FIELDS];
	double nr_dirtied_pages; // NAN = unknown
	double io_pressure_us;	 // something waited for storage; NAN = unknown
};

struct slot {
	const struct session_side *side; // the caller's
	enum slot_state state;
	int launch_wanted;
	char state_text[96];
	double progress;
	struct wire_ready ready;
	struct trap_layout layout;
	int have_layout;

	// the turn
	uint32_t turn;
	enum turn_kind turn_kind;
	int64_t turn_go_ns, turn_settle_ns, turn_slice_ns;
	int64_t last_heard_ns; // of the worker
	int64_t turn_begin_ns, last_turn[2];
	int counting;	       // a counted interval has come
	int64_t count_from_ns;
	struct slot_point count_base; // at count_from_ns
	int have_base;
	double second_work[SLICE_SECONDS_MAX];
	double second_time[SLICE_SECONDS_MAX];
	struct hist turn_hist[WIRE_CLASSES]; // counted part of the turn

	// all turns by hand, summed up
	double hand_ops, hand_read_bytes, hand_write_bytes, hand_cpu_us, hand_s;
	int hand_turns;

	struct hist total; // every counted latency
	struct series series[VIEW_SERIES_N];
	struct view_heat heat;
	double now[VIEW_SERIES_N];
	double cpu_ns_per_io;

	// devices
	int n_physical; // the leaves of the stack: what the gate waits for
	const struct layer *physical[SLOT_LEAVES_MAX];
	int n_leaves;   // where the target's own traffic is counted (account_layer)
	const struct layer *leaf[SLOT_LEAVES_MAX];
	struct disk_sample leaf_last[SLOT_LEAVES_MAX];
	int leaf_known[SLOT_LEAVES_MAX];
	struct slot_point point[SLOT_POINTS];
	int n_points;	  // total ever; ring
	double idle_write_bytes_per_s; // NAN = not measured
	int n_devices;
	struct view_device device[VIEW_DEVICES_MAX];
	struct disk_sample device_last[VIEW_DEVICES_MAX];
};

// What truth.c keeps of a side between samples and slices.
struct truth {
	double throttles_at; // throttle counter at the last sample of the running turn, -1 = none
	int slices;
};

enum step {
	STEP_NONE,
	STEP_PREPARE,  // until both workers are ready
	STEP_BASELINE, // idle, so that leftovers can be told from other programs
	STEP_GATE,
	STEP_READY,    // waits for REMAKE or DROP_CACHE to be answered
	STEP_SETUP,    // waits for a set-up command
	STEP_TURN,
	STEP_LAST_GATE, // drains after the last slice
};

enum mode { MODE_MONITOR, MODE_HAND, MODE_PLAN };

#define SESSION_MARKS_MAX 4096
#define SESSION_OUTPUT_LINES 200

struct session {
	struct session_config config;
	struct plan plan;
	struct slot slot[SIDES];
	enum side active; // selected side; has the turn while one runs
	enum mode mode;
	enum step step;
	int64_t start_ns, now_ns;
	int64_t step_since_ns;
	uint32_t next_turn;

	// hand
	int run_when_ready;  // side + 1 that is to run as soon as everything is ready
	int flip_to;	     // side + 1 that takes over when the running turn has ended
	int plan_when_ended; // the plan begins when the running turn has ended

	// plan
	int position;	      // in the schedule, counted in turns
	unsigned running;     // sides (1 << side) of this position that have not ended yet
	unsigned position_sides;
	int warming;	      // the running turn is a warm-up
	struct steady_warmup warmup; // ... that goes on until steady
	int last_side;	      // that had a slice, -1 = none yet
	int pair_open;	      // pair holds at least one slice
	char pair_fault[96];  // why the pair must be repeated, "" = it need not
	struct gate_facts baseline_from;
	int have_baseline_from;
	uint64_t baseline_pressure_io_us, baseline_pressure_cpu_us;
	struct gate_idle idle;
	int remade_pair;      // pair before which the files were last made anew
	int warmups_left[SIDES];
	int pause_wanted, paused, stop_wanted;
	int plan_done, plan_failed;
	int fails_in_row;
	int64_t plan_begin_ns, plan_paused_ns, pause_since_ns;
	struct pair pair;     // being measured
	int ready_waits;      // answers to wait for in STEP_READY
	enum side setup_side; // whose set-up command runs in STEP_SETUP
	struct gate gate;
	int64_t boot_offset_ns;	     // boot minus monotonic of the last sample
	int64_t turn_boot_offset_ns; // ... at the turn's start: a jump is a suspend

	int measured_anything;
	int unsaved; // measured since the last session file was finished
	int quit_asked, quitting;
	int exit_status;
	char exit_reason[320];

	struct trap_session traps;
	struct truth truth[SIDES];
	struct trap_finding findings[TRAP_FINDINGS_MAX];

	struct result result;
	struct view view;
	int n_marks;
	struct view_mark mark[SESSION_MARKS_MAX];
	int n_output, output_at;
	char output[SESSION_OUTPUT_LINES][160];
	char output_view[SESSION_OUTPUT_LINES][160];
	char message[256];
	int message_is_error;
	char effect_text[2048];
	struct cpu_sample cpu_last;
	int64_t sample_last_ns;
};

// slot.c: what a side has seen
void slot_init(struct slot *slot, const struct session_side *side, int64_t now_ns);
void slot_add_sample(struct slot *slot, const struct sample *sample, const struct cpu_rate *cpu, int64_t from_ns,
		     int show_cpu);
void slot_add_interval(struct slot *slot, const struct wire_interval *interval, const struct hist *const hist[WIRE_CLASSES]);
// Latencies of the interval that ended at t_ns, for the heat map.
void slot_add_heat(struct slot *slot, int64_t t_ns, const struct hist *const hist[WIRE_CLASSES]);
void slot_begin_turn(struct slot *slot, uint32_t turn, enum turn_kind kind, int64_t settle_ns, int64_t slice_ns, int64_t now_ns);
// Counters at t_ns, interpolated between the two samples around it. 0 if the samples do not reach it.
int slot_point_at(const struct slot *slot, int64_t t_ns, struct slot_point *ret);

// slice.c: a turn's figures
void slice_from_turn(const struct slot *slot, const struct wire_turn_end *end, enum metric primary, struct slice *ret);
// Device bytes written from the slice's count start to now, over the bytes that the application wrote.
double slice_write_multiplicity(const struct slot *slot, const struct slice *slice);

// schedule.c: which sides run at a position of the plan
int schedule_length(const struct plan *plan);
// Bit 1 << side for each side that runs; *ret_pair is the pair that it belongs to.
unsigned schedule_sides(const struct plan *plan, int position, int *ret_pair);

// run.c: the plan's steps
void run_begin(struct session *s, struct effects *fx);
void run_sample(struct session *s, const struct sample *sample, struct effects *fx);
void run_interval(struct session *s, enum side side, const struct wire_interval *interval, struct effects *fx);
void run_ready(struct session *s, struct effects *fx);
void run_setup_done(struct session *s, int status, struct effects *fx);
void run_turn_end(struct session *s, enum side side, const struct wire_turn_end *end, struct effects *fx);
void run_pause(struct session *s, struct effects *fx); // Space
void run_end(struct session *s, int stopped, struct effects *fx);
void run_fail(struct session *s, const char *reason, struct effects *fx);

// hand.c: turns by hand
void hand_run(struct session *s, struct effects *fx); // r
void hand_flip(struct session *s, struct effects *fx); // Tab
void hand_end_for_plan(struct session *s, struct effects *fx); // Space while a turn runs by hand
void hand_ready(struct session *s, struct effects *fx);
void hand_turn_end(struct session *s, enum side side, const struct wire_turn_end *end, struct effects *fx);

// view.c
void view_fill_side(const struct slot *slot, int64_t now_ns, int active, struct view_side *v);

// session.c
struct effect *effects_add(struct effects *fx, enum effect_type type, enum side side);
void session_mark(struct session *s, struct effects *fx, enum view_mark_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void session_go(struct session *s, enum side side, enum turn_kind kind, int64_t settle_ns, int64_t slice_ns, struct effects *fx);
void session_save(struct session *s, struct effects *fx); // finishes the session file, if there is something in it
int session_prepare(struct session *s, struct effects *fx); // 1 when every present side is ready
// 1, with the reason said, if one of the sides (1 << side) cannot run the workload. A side that failed may try again.
int session_refused(struct session *s, unsigned sides);

#endif
