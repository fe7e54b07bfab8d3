// SPDX-License-Identifier: MIT
// Boxes over the picture that take the keys while they are open: lists to
// choose from, a line to type, a form. An answer is a command; nothing else
// leaves a dialog.
#ifndef IODUEL_SCREEN_DIALOG_H
#define IODUEL_SCREEN_DIALOG_H

#include <ioduel/workload.h>
#include <stddef.h>

#include "screen/keys.h"
#include "session/view.h"

enum dialog_kind {
	DIALOG_NONE, DIALOG_HELP, DIALOG_TARGETS, DIALOG_WORKLOAD, DIALOG_FORM, DIALOG_LIBRARY, DIALOG_DELETE, DIALOG_OUTPUT,
	DIALOG_NOTE, DIALOG_EXPORT, DIALOG_THEME, DIALOG_DESTROY
};

// A line of text being typed; the cursor is at its end.
struct edit {
	char text[512];
};

struct dialog {
	enum dialog_kind kind;
	int selected, top; // in its list
	int rows;	   // of the list drawn last
	struct edit edit;  // path, note, search
	int side;	   // DIALOG_TARGETS: for which side
	int searching;	   // DIALOG_LIBRARY: keys go to the search
	char name[128];	   // DIALOG_DELETE: of the session; DIALOG_THEME: of the theme before
	const struct workload *workload; // DIALOG_FORM
	struct edit value[PARAMS_MAX];
	char error[256];
};

struct ui;

void dialog_open(struct ui *ui, const struct view *view, enum dialog_kind kind);
// One key. 1 if the picture changed or a command came out.
int dialog_key(struct ui *ui, const struct view *view, uint32_t key, struct command_event *ret);

// Rows of the dialog's list: how many, and the text of one (what does not matter for choosing in note).
int dialog_rows(const struct ui *ui, const struct view *view);
void dialog_row(const struct ui *ui, const struct view *view, int row, char *text, size_t text_size, char *note, size_t note_size);

// Typing into a line; 0 if the key is not for it.
int edit_key(struct edit *e, uint32_t key);

// Completes a path as far as it is unambiguous; hint says what it could become.
void dialog_complete(struct edit *e, char *hint, size_t size);

// The form of a workload.
void form_open(struct ui *ui, const struct view *view, const struct workload *workload);
int form_key(struct ui *ui, uint32_t key, struct command_event *ret);
int form_fields(const struct workload *workload);

#endif
