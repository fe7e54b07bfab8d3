// SPDX-License-Identifier: MIT
// Dialogs: lists, lines and what their keys mean. One rule: Esc always closes
// and leaves everything as it was.
#include "screen/ui.h"

#include "screen/format.h"
#include "screen/text.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const formats[] = {"html", "markdown", "json", "csv", "bonnie", "svg"};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

int
edit_key(struct edit *e, uint32_t key)
{
	size_t n = strlen(e->text);
	char utf8[5];

	if (key == KEYC_BACKSPACE) {
		while (n > 0 && ((unsigned char)e->text[n - 1] & 0xc0) == 0x80)
			n--;
		e->text[n > 0 ? n - 1 : 0] = '\0';
		return 1;
	}
	if (key == KEY_CTRL('u')) {
		e->text[0] = '\0';
		return 1;
	}
	if (key < 0x20 || key >= KEY_CODES || key == 0x7f)
		return 0;
	if (n + text_encode(key, utf8) < sizeof(e->text))
		memcpy(e->text + n, utf8, strlen(utf8) + 1);
	return 1;
}

void
dialog_complete(struct edit *e, char *hint, size_t size)
{
	char dir[sizeof(e->text)], common[300] = "", *slash = strrchr(e->text, '/');
	size_t head, tail;
	const struct dirent *entry;
	int n = 0;
	DIR *d;

	if (!slash)
		return;
	head = (size_t)(slash - e->text) + 1;
	snprintf(dir, sizeof(dir), "%.*s", (int)head, e->text);
	tail = strlen(e->text + head);
	hint[0] = '\0';
	d = opendir(dir);
	while (d && (entry = readdir(d))) {
		size_t same = 0;
		if (strncmp(entry->d_name, e->text + head, tail) != 0 || (entry->d_name[0] == '.' && tail == 0))
			continue;
		if (n++ == 0)
			snprintf(common, sizeof(common), "%s%s", entry->d_name, entry->d_type == DT_DIR ? "/" : "");
		while (common[same] && common[same] == entry->d_name[same])
			same++;
		if (n > 1)
			common[same] = '\0';
		if (strlen(hint) + strlen(entry->d_name) + 3 < size)
			snprintf(hint + strlen(hint), size - strlen(hint), "%s  ", entry->d_name);
	}
	if (d)
		closedir(d);
	if (n > 0 && strlen(common) > tail)
		snprintf(e->text + head, sizeof(e->text) - head, "%s", common);
	if (n == 1)
		hint[0] = '\0';
	else if (n == 0)
		snprintf(hint, size, "nothing there begins so");
}

static int
contains(const char *text, const char *part)
{
	return !*part || strcasestr(text, part) != NULL;
}

// The n-th entry that the search leaves, -1 = there is none; count (may be NULL) gets how many are left.
static int
nth_action(const struct ui *ui, int n, int *count)
{
	int left = 0, found = -1;

	for (int i = 1; i < ACTIONS; i++)
		if (contains(action_table[i].help, ui->dialog.edit.text) || contains(action_table[i].name, ui->dialog.edit.text)) {
			if (left++ == n)
				found = i;
		}
	if (count)
		*count = left;
	return found;
}

static int
nth_saved(const struct ui *ui, const struct view *view, int n, int *count)
{
	int left = 0, found = -1;

	for (int i = 0; i < view->n_saved; i++)
		if (contains(view->saved[i].name, ui->dialog.edit.text) || contains(view->saved[i].summary, ui->dialog.edit.text)) {
			if (left++ == n)
				found = i;
		}
	if (count)
		*count = left;
	return found;
}

int
dialog_rows(const struct ui *ui, const struct view *view)
{
	int n = 0;

	switch (ui->dialog.kind) {
	case DIALOG_HELP: nth_action(ui, -1, &n); return n;
	case DIALOG_LIBRARY: nth_saved(ui, view, -1, &n); return n;
	case DIALOG_TARGETS: return view->n_places;
	case DIALOG_WORKLOAD:
		while (workload_table[n])
			n++;
		return n;
	case DIALOG_FORM: return form_fields(ui->dialog.workload);
	case DIALOG_OUTPUT: return view->n_output;
	case DIALOG_EXPORT: return FORMATS;
	case DIALOG_THEME: return ui->themes.n;
	default: return 0;
	}
}

static void
row_of_help(const struct ui *ui, int row, char *text, size_t text_size, char *note, size_t note_size)
{
	int action = nth_action(ui, row, NULL);
	char key[32];

	for (int k = 0; action > 0 && k < KEYMAP_KEYS_MAX && ui->keymap.key[action][k]; k++) {
		key_format(ui->keymap.key[action][k], key, sizeof(key));
		snprintf(text + strlen(text), text_size - strlen(text), "%s%s", k ? "  " : "", key);
	}
	snprintf(note, note_size, "%s", action > 0 ? action_table[action].help : "");
}

static void
row_of_place(const struct view_place *p, char *text, size_t text_size, char *note, size_t note_size)
{
	char bytes[32];

	format_short(QUANTITY_BYTES, p->free_bytes, bytes, sizeof(bytes));
	snprintf(text, text_size, "%s", p->path);
	snprintf(note, note_size, "%s free  %s%s%s", bytes, p->line, p->against[0] ? (p->refused ? "  no: " : "  ! ") : "", p->against);
}

void
dialog_row(const struct ui *ui, const struct view *view, int row, char *text, size_t text_size, char *note, size_t note_size)
{
	int saved;

	text[0] = note[0] = '\0';
	switch (ui->dialog.kind) {
	case DIALOG_HELP: row_of_help(ui, row, text, text_size, note, note_size); break;
	case DIALOG_TARGETS: row_of_place(&view->places[row], text, text_size, note, note_size); break;
	case DIALOG_WORKLOAD:
		snprintf(text, text_size, "%s", workload_table[row]->name);
		snprintf(note, note_size, "%s", workload_table[row]->summary);
		break;
	case DIALOG_FORM:
		snprintf(text, text_size, "%s", ui->dialog.workload->params[row].name);
		snprintf(note, note_size, "%s", ui->dialog.value[row].text);
		break;
	case DIALOG_LIBRARY:
		saved = nth_saved(ui, view, row, NULL);
		if (saved >= 0) {
			snprintf(text, text_size, "%s%s", view->saved[saved].baseline ? "* " : "", view->saved[saved].name);
			snprintf(note, note_size, "%s", view->saved[saved].summary);
		}
		break;
	case DIALOG_OUTPUT: snprintf(note, note_size, "%s", view->output[row]); break;
	case DIALOG_EXPORT: snprintf(text, text_size, "%s", formats[row]); break;
	case DIALOG_THEME: snprintf(text, text_size, "%s", ui->themes.name[row]); break;
	default: break;
	}
}

void
dialog_open(struct ui *ui, const struct view *view, enum dialog_kind kind)
{
	struct dialog *d = &ui->dialog;

	*d = (struct dialog){.kind = kind};
	if (kind == DIALOG_THEME) {
		theme_list(&ui->themes, ui->theme_dirs, ui->n_theme_dirs);
		snprintf(d->name, sizeof(d->name), "%s", ui->theme.name);
		for (int i = 0; i < ui->themes.n; i++)
			if (strcmp(ui->themes.name[i], d->name) == 0)
				d->selected = i;
	}
	if (kind == DIALOG_TARGETS)
		d->side = view->side[SIDE_A].present && !view->side[SIDE_B].present ? SIDE_B : SIDE_A;
	if (kind == DIALOG_OUTPUT)
		d->selected = view->n_output > 0 ? view->n_output - 1 : 0;
}

static void
load_theme(struct ui *ui, const char *name)
{
	int mono = ui->theme.mono && strcmp(ui->theme.name, "mono") != 0; // of the terminal, not of the theme
	struct theme theme;

	if (theme_load(&theme, name, ui->theme_dirs, ui->n_theme_dirs, NULL) < 0)
		return;
	theme.mono |= mono;
	ui->theme = theme;
}

// Moves in the list; 0 if the key does not.
static int
move_selection(struct ui *ui, const struct view *view, uint32_t key)
{
	struct dialog *d = &ui->dialog;
	int n = dialog_rows(ui, view), page = d->rows > 1 ? d->rows - 1 : 1;

	switch (key) {
	case KEYC_UP: d->selected--; break;
	case KEYC_DOWN: d->selected++; break;
	case KEYC_PAGE_UP: d->selected -= page; break;
	case KEYC_PAGE_DOWN: d->selected += page; break;
	case KEYC_HOME: d->selected = 0; break;
	case KEYC_END: d->selected = n - 1; break;
	default: return 0;
	}
	d->selected = d->selected >= n ? n - 1 : d->selected;
	d->selected = d->selected < 0 ? 0 : d->selected;
	if (d->kind == DIALOG_THEME && n > 0)
		load_theme(ui, ui->themes.name[d->selected]);
	if (d->kind == DIALOG_TARGETS && n > 0)
		snprintf(d->edit.text, sizeof(d->edit.text), "%s", view->places[d->selected].path);
	return 1;
}

static int
answer(struct ui *ui, struct command_event *ret, enum command command, const char *text)
{
	ret->command = command;
	snprintf(ret->text, sizeof(ret->text), "%s", text);
	ui->dialog.kind = DIALOG_NONE;
	return 1;
}

static int
targets_key(struct ui *ui, const struct view *view, uint32_t key, struct command_event *ret)
{
	struct dialog *d = &ui->dialog;
	int row = d->selected;

	if (key == KEYC_TAB) {
		dialog_complete(&d->edit, d->error, sizeof(d->error));
	} else if (key == KEYC_BACK_TAB || key == KEYC_LEFT || key == KEYC_RIGHT) {
		d->side = 1 - d->side;
	} else if (key == KEYC_ENTER) {
		if (!d->edit.text[0] && row < view->n_places)
			snprintf(d->edit.text, sizeof(d->edit.text), "%s", view->places[row].path);
		for (int i = 0; i < view->n_places; i++)
			if (view->places[i].refused && strcmp(view->places[i].path, d->edit.text) == 0) {
				snprintf(d->error, sizeof(d->error), "%s", view->places[i].against);
				return 1;
			}
		if (d->edit.text[0])
			return answer(ui, ret, d->side == SIDE_A ? COMMAND_SET_TARGET_A : COMMAND_SET_TARGET_B, d->edit.text);
	} else {
		d->error[0] = '\0';
		edit_key(&d->edit, key);
	}
	return 1;
}

static int
library_key(struct ui *ui, const struct view *view, uint32_t key, struct command_event *ret)
{
	struct dialog *d = &ui->dialog;
	int saved = nth_saved(ui, view, d->selected, NULL);
	const char *name = saved >= 0 ? view->saved[saved].name : "";

	if (key == KEYC_ENTER && d->searching) {
		d->searching = 0;
	} else if (d->searching) {
		d->selected = 0;
		edit_key(&d->edit, key);
	} else if (key == '/') {
		d->searching = 1;
	} else if (saved < 0) {
		return 1;
	} else if (key == KEYC_ENTER) {
		return answer(ui, ret, COMMAND_OPEN, name);
	} else if (key == 'b') {
		return answer(ui, ret, COMMAND_BASELINE, name);
	} else if (key == 'd' || key == KEYC_DELETE) {
		*d = (struct dialog){.kind = DIALOG_DELETE};
		snprintf(d->name, sizeof(d->name), "%s", name);
	}
	return 1;
}

static int
destroy_key(struct ui *ui, const struct view *view, uint32_t key, struct command_event *ret)
{
	struct dialog *d = &ui->dialog;

	if (key != KEYC_ENTER) {
		d->error[0] = '\0';
		edit_key(&d->edit, key);
	} else if (strcmp(d->edit.text, view->destroy.expect) == 0) {
		return answer(ui, ret, COMMAND_CONFIRM, d->edit.text);
	} else {
		snprintf(d->error, sizeof(d->error), "this is not what is asked for; nothing is destroyed");
	}
	return 1;
}

static int
help_key(struct ui *ui, const struct view *view, uint32_t key, struct command_event *ret)
{
	int action = nth_action(ui, ui->dialog.selected, NULL);

	if (key == KEYC_ENTER && action > 0) {
		ui->dialog.kind = DIALOG_NONE;
		return ui_action(ui, view, (enum action)action, ret);
	}
	ui->dialog.selected = 0;
	edit_key(&ui->dialog.edit, key);
	return 1;
}

static int
close_dialog(struct ui *ui, struct command_event *ret)
{
	if (ui->dialog.kind == DIALOG_THEME)
		load_theme(ui, ui->dialog.name);
	if (ui->dialog.kind == DIALOG_DESTROY)
		ret->command = COMMAND_CANCEL;
	if (ui->dialog.kind == DIALOG_LIBRARY && ui->dialog.searching) {
		ui->dialog.searching = 0;
		ui->dialog.edit.text[0] = '\0';
		return 1;
	}
	ui->dialog.kind = DIALOG_NONE;
	return 1;
}

int
dialog_key(struct ui *ui, const struct view *view, uint32_t key, struct command_event *ret)
{
	struct dialog *d = &ui->dialog;
	char text[600];

	if (key == KEYC_ESC)
		return close_dialog(ui, ret);
	if (d->kind == DIALOG_FORM && (key == KEYC_TAB || key == KEYC_BACK_TAB))
		key = key == KEYC_TAB ? KEYC_DOWN : KEYC_UP;
	if (move_selection(ui, view, key))
		return 1;
	switch (d->kind) {
	case DIALOG_HELP: return help_key(ui, view, key, ret);
	case DIALOG_TARGETS: return targets_key(ui, view, key, ret);
	case DIALOG_FORM: return form_key(ui, key, ret);
	case DIALOG_LIBRARY: return library_key(ui, view, key, ret);
	case DIALOG_DESTROY: return destroy_key(ui, view, key, ret);
	case DIALOG_WORKLOAD:
		if (key == KEYC_ENTER)
			form_open(ui, view, workload_table[d->selected]);
		return 1;
	case DIALOG_DELETE:
		if (key == 'y' || key == 'Y')
			return answer(ui, ret, COMMAND_DELETE, d->name);
		d->kind = DIALOG_NONE;
		return 1;
	case DIALOG_NOTE:
		if (key == KEYC_ENTER)
			return d->edit.text[0] ? answer(ui, ret, COMMAND_NOTE, d->edit.text) : close_dialog(ui, ret);
		return edit_key(&d->edit, key) | 1;
	case DIALOG_EXPORT:
		if (key == KEYC_ENTER) {
			snprintf(text, sizeof(text), "%s%s%s", formats[d->selected], d->edit.text[0] ? " " : "", d->edit.text);
			return answer(ui, ret, COMMAND_EXPORT, text);
		}
		return edit_key(&d->edit, key) | 1;
	default: // theme, output
		if (key == KEYC_ENTER || key == 'q')
			d->kind = DIALOG_NONE;
		return 1;
	}
}
