// SPDX-License-Identifier: MIT
// What the operator sees in one frame, as plain values: the only thing that
// the screen gets of a session. A double that is NAN is unknown (shown as a dash).
#ifndef IODUEL_VIEW_H
#define IODUEL_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "session/result.h"
#include "session/series.h"

enum view_series {
	VIEW_APP_READ, VIEW_APP_WRITE,	     // bytes/s, as the application saw it
	VIEW_DEVICE_READ, VIEW_DEVICE_WRITE, // bytes/s, sum over the target's leaf devices
	VIEW_APP_IOPS,			     // operations/s of the workload
	VIEW_DEVICE_IOPS,		     // requests/s completed by the leaf devices
	VIEW_QUEUE,			     // mean requests in flight at the device
	VIEW_BUSY,			     // share of time with I/O in flight, 0..1
	VIEW_LAT_P50, VIEW_LAT_P99, VIEW_LAT_P999, VIEW_LAT_MAX, // ns, application, per interval
	VIEW_DEVICE_LAT,		     // ns, device mean
	VIEW_CPU_USER, VIEW_CPU_SYS, VIEW_CPU_IOWAIT, VIEW_CPU_IRQ, VIEW_CPU_STEAL, // share of the host, 0..1
	VIEW_SERIES_N
};

enum view_state {
	VIEW_IDLE, VIEW_PREPARING, VIEW_READY, VIEW_WARMUP, VIEW_SETTLING, VIEW_RUNNING, VIEW_DRAINING,
	VIEW_STUCK, VIEW_FAILED
};

#define VIEW_DEVICES_MAX 64
struct view_device {
	char name[DISK_NAME_MAX];
	int depth;	// layers above it, for indenting
	char what[160]; // "raid1", "WD SN850X 1 TB"
	int leaf;
	struct disk_rate rate;
};

// Latency over time for the heat map: one column per second, coarse buckets.
#define VIEW_HEAT_COLS 600
#define VIEW_HEAT_ROWS 48 // row r holds latencies of [2^(r/2+8), 2^((r+1)/2+8)) ns: 256 ns up to 4 s
struct view_heat {
	int64_t first_ns; // time of column 0 of the ring's oldest
	int64_t step_ns;
	int n, start;	  // columns used, ring start
	uint32_t count[VIEW_HEAT_COLS][VIEW_HEAT_ROWS];
};

struct view_side {
	int present;	 // the side has a target
	char label[128]; // label or path
	char path[256];
	char line[256];	 // "xfs on nvme0n1  WD SN850X 1 TB"
	enum view_state state;
	char state_text[96]; // "laying out files", "failed: ..."
	double progress; // 0..1 of what state_text names; NAN = none
	int active;	 // this side has the turn
	int by_hand;	 // ... by hand, not by the plan
	double now[VIEW_SERIES_N]; // latest value
	double app_bytes, device_bytes; // bytes/s read + written of either kind
	double cpu_ns_per_io;
	const struct series *series[VIEW_SERIES_N]; // never NULL
	int64_t turn_start_ns;	    // of the current or last turn; 0 = none yet
	int64_t last_turn[2];	    // begin and end of the last finished turn, 0 0 = none
	int n_devices;
	const struct view_device *devices;
	const struct view_heat *heat;	// never NULL
	const struct hist *hist;	// all counted latencies of the side so far, never NULL
};

// A place where a target could be, for the target picker.
struct view_place {
	char path[256];
	char line[256];	    // "xfs on nvme0n1  WD SN850X 1 TB"
	double free_bytes;  // NAN = unknown
	int refused;	    // cannot be chosen; against says why
	char against[200];  // what speaks against it, "" = nothing
};

// A saved session, for the library.
struct view_saved {
	char name[128];
	char created[40];   // ISO 8601, UTC
	char summary[256];  // targets, workload, verdict in one line
	double bytes;
	int baseline;	    // it is the baseline of this session
};

// The open question whether data may be destroyed; the user types expect.
struct view_destroy {
	int open;
	int side;
	char device[64], what[160]; // "sdb", "Samsung 870 EVO, 1.0 TB, 2 partitions"
	char expect[80];
};

enum view_mark_kind { MARK_TURN_A, MARK_TURN_B, MARK_TURN_END, MARK_PHASE, MARK_NOTE, MARK_ERROR, MARK_THROTTLE };
struct view_mark {
	int64_t t_ns;
	enum view_mark_kind kind;
	char text[80];
};

struct view {
	int64_t now_ns, start_ns; // CLOCK_MONOTONIC now and at the session's start
	int64_t end_ns;		  // replay: last instant; live: now_ns
	int replay;
	char workload[160];	  // "randread bs=4k qd=32 direct"
	char plan[48];		  // "interleave", "by hand", "monitor", "paused after pair 4"
	int plan_running;
	int pair_now, pairs_planned; // 1-based; 0 = none
	double slice_s, slice_done_s; // length and progress of the current slice; NAN = none
	double elapsed_s, left_s;     // of the plan; NAN = unknown
	struct view_side side[SIDES];
	char message[256];	  // last event for the status line, "" = none
	int message_is_error;
	int n_marks;
	const struct view_mark *marks;
	const struct result *result; // metrics, verdict, pairs, warnings so far; never NULL
	int asking_quit;	  // the question "something runs; quit?" is open
	int n_output;		  // last lines of a command's output
	const char (*output)[160];
	int n_places;		  // filled anew after COMMAND_REFRESH
	const struct view_place *places;
	int n_saved;		  // newest first; filled anew after COMMAND_REFRESH
	const struct view_saved *saved;
	struct view_destroy destroy;
	// own cost
	double own_cpu_share;	  // of one core, over the last seconds
	double own_frame_ms;
	unsigned long samples_late;
};

// What a key or click means; the session turns these into effects. Everything
// that only changes the picture (layout, zoom, theme) stays in the screen.
enum command {
	COMMAND_NONE, COMMAND_FLIP, COMMAND_PLAN, COMMAND_RUN, COMMAND_STOP, COMMAND_SNAPSHOT, COMMAND_NOTE,
	COMMAND_EXPORT, // text of NOTE: the note; of EXPORT: "FORMAT" or "FORMAT PATH"
	COMMAND_QUIT, COMMAND_CONFIRM, COMMAND_CANCEL, // CONFIRM, where view.destroy is open, text: what was typed
	COMMAND_SET_WORKLOAD, // text: workload string
	COMMAND_SET_TARGET_A, COMMAND_SET_TARGET_B, // text: path
	COMMAND_OPEN, COMMAND_BASELINE, COMMAND_DELETE, // text: name of a saved session
	COMMAND_SUSPEND,	   // Ctrl-Z
	COMMAND_REFRESH,	   // a picker opens: places and saved should be read anew
	COMMAND_SAVE_CONFIG,	   // text: lines "key = value" of the screen's own settings
};

struct command_event {
	enum command command;
	char text[2048];
};

#endif
