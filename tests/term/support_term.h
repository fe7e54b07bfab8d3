// SPDX-License-Identifier: MIT
// A program in a pseudo-terminal, read by libvterm. A small shell of our own is
// the session's leader and runs the program as its foreground job, so that
// Ctrl-Z, fg and a lost terminal mean what they mean to a user. Every wait is for
// content, with a deadline; nothing here sleeps.
#ifndef IODUEL_SUPPORT_TERM_H
#define IODUEL_SUPPORT_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#define VT_DEADLINE_MS 60000 // of a wait; only a hanging program ever takes that long

struct vt_options {
	int rows, cols;	     // 0 = 36 x 120
	const char *term;    // NULL = xterm-256color
	const char *locale;  // NULL = C.UTF-8
	const char *home;    // HOME, and below it XDG_DATA_HOME (data) and XDG_CONFIG_HOME (config)
	const char *cwd;     // NULL = home
	const char *const *env; // further "NAME=value", NULL-terminated; may be NULL
	size_t file_bytes_max; // no file may grow beyond it; 0 = no limit
	bool leader_ignores_hup; // a terminal that vanishes without a signal to the program
};

// Whether the program's exit was seen, and how it ended (as waitpid says it).
struct vt_exit {
	bool exited;
	int status;
};

struct vt;

// Starts argv[0] with argv (NULL-terminated). Fails the test where that is impossible.
struct vt *vt_start(const struct vt_options *options, const char *const *argv);
// Kills what still runs.
void vt_free(struct vt *vt);

pid_t vt_pid(const struct vt *vt);
int vt_rows(const struct vt *vt);
int vt_cols(const struct vt *vt);
size_t vt_bytes(const struct vt *vt); // that the program wrote so far

// Types bytes.
void vt_type(struct vt *vt, const char *keys);
void vt_type_n(struct vt *vt, const char *keys, size_t n);
void vt_resize(struct vt *vt, int rows, int cols);
// Signal to the program (not to the group).
void vt_signal(struct vt *vt, int signo);
// Continues a stopped program in the foreground.
void vt_foreground(struct vt *vt);
// Takes the terminal away.
void vt_hang_up(struct vt *vt);

// Reads what the program wrote within ms; returns at once when something came.
void vt_pump(struct vt *vt, int ms);

// The screen as UTF-8, a line a row, blanks at line ends left out. Valid until the next call.
const char *vt_text(struct vt *vt);
const char *vt_row(struct vt *vt, int row);

// Waits; false at the deadline or when the program ended before.
bool vt_wait(struct vt *vt, bool (*holds)(struct vt *vt, const void *arg), const void *arg);
bool vt_wait_text(struct vt *vt, const char *text);
bool vt_wait_match(struct vt *vt, const char *pattern); // extended regular expression, over bytes
bool vt_wait_no_text(struct vt *vt, const char *text);
// Until the screen differs from a copy of vt_text.
bool vt_wait_change(struct vt *vt, const char *before);
bool vt_wait_exit(struct vt *vt, struct vt_exit *ret);
bool vt_wait_stop(struct vt *vt); // until the program is stopped (Ctrl-Z)
bool vt_stops_soon(struct vt *vt); // within five seconds; says nothing if not
bool vt_wait_alternate(struct vt *vt); // until the program has (again) taken the alternate screen

// The terminal as it is now.
bool vt_alternate(const struct vt *vt);
bool vt_mouse(const struct vt *vt);
bool vt_cursor_visible(const struct vt *vt);
// Modes of the line as before the start.
bool vt_modes_restored(const struct vt *vt);
// NULL if the terminal is as before the start; else what is not.
const char *vt_left_behind(const struct vt *vt);

// Processes whose parent is pid; returns how many of max were written.
int vt_children(pid_t pid, pid_t *ret, int max);
// Until the process is gone (zombies count as gone).
bool vt_wait_gone(pid_t pid);

// A fresh folder below the build, on the file system of the build; removed by vt_remove_dir.
void vt_make_dir(char *buf, size_t size);
void vt_remove_dir(const char *dir);
// Entries in a folder, without . and ..; -1 if it cannot be read. Files of a sub-folder count, too.
int vt_count_files(const char *dir, const char *suffix);

#endif
