// SPDX-License-Identifier: MIT
// The terminal. One rule: whatever is switched on here is in the text that
// screen_restore writes, before it is switched on.
#include "screen/terminal.h"

#include "screen/screen.h"
#include "screen/text.h"
#include "screen/theme.h"

#include <curses.h>
#include <term.h>

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wctype.h>

#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"

// What gives the terminal back; ready before anything is changed.
static struct {
	volatile sig_atomic_t active;
	size_t n;
	char text[512];
	struct termios modes;
} restore;

void
screen_restore(void)
{
	int saved_errno = errno;
	ssize_t rc = 0;

	if (!restore.active)
		return;
	restore.active = 0;
	for (size_t at = 0; at < restore.n && (rc = write(STDOUT_FILENO, restore.text + at, restore.n - at)) > 0;)
		at += (size_t)rc;
	tcsetattr(STDIN_FILENO, TCSANOW, &restore.modes);
	errno = saved_errno;
}

static void
restore_append(const char *text)
{
	size_t n = text && text != (char *)-1 ? strlen(text) : 0;

	if (n > 0 && restore.n + n <= sizeof(restore.text)) {
		memcpy(restore.text + restore.n, text, n);
		restore.n += n;
	}
}

static char capability[512];
static size_t capability_n;

static int
capability_put(int c)
{
	if (capability_n < sizeof(capability) - 1)
		capability[capability_n++] = (char)c;
	return c;
}

// A capability without its padding, which real waits must not be part of.
static void
restore_append_capability(const char *name)
{
	char *text = tigetstr(name);

	if (!text || text == (char *)-1)
		return;
	capability_n = 0;
	tputs(text, 1, capability_put);
	capability[capability_n] = '\0';
	restore_append(capability);
}

static void
restore_prepare(int mouse)
{
	restore.n = 0;
	restore_append("\030"); // ends a sequence that was cut in the middle
	if (mouse)
		restore_append(MOUSE_OFF);
	restore_append_capability("sgr0");
	restore_append_capability("op");
	restore_append_capability("rmcup");
	restore_append_capability("cnorm");
	if (!tigetstr("rmcup") || tigetstr("rmcup") == (char *)-1)
		restore_append("\r\n");
	restore.active = 1;
}

static int
starts_with(const char *text, const char *const *heads)
{
	for (; *heads; heads++)
		if (strncmp(text, *heads, strlen(*heads)) == 0)
			return 1;
	return 0;
}

// GNU screen hands COLORTERM on but not the colours.
static int
is_direct_capable(const char *term)
{
	static const char *const known[] = {"xterm", "tmux", "screen", "foot", "alacritty", "kitty", "st-", "vte", "gnome",
		"konsole", "wezterm", "ghostty", "iterm", "contour", "mintty", "rio", "vscode", "ms-terminal", "putty", NULL};
	const char *color = getenv("COLORTERM");

	if (!color || (strcmp(color, "truecolor") != 0 && strcmp(color, "24bit") != 0))
		return 0;
	if (getenv("STY") && !getenv("TMUX"))
		return 0;
	return starts_with(term, known);
}

static int
is_colorless(void)
{
	const char *value = getenv("NO_COLOR");

	return value && *value;
}

// Starts curses with our own entry for direct colours where the terminal can, else with the user's.
static SCREEN *
start_curses(const char *term)
{
	const char *before = getenv("TERMINFO");
	char *kept = before ? strdup(before) : NULL;
	SCREEN *started = NULL;

	if (is_direct_capable(term) && !is_colorless() && !strstr(term, "-direct")) {
		setenv("TERMINFO", terminal_direct_entry, 1);
		started = newterm("ioduel-direct", stdout, stdin);
		if (kept)
			setenv("TERMINFO", kept, 1);
		else
			unsetenv("TERMINFO");
	}
	free(kept);
	return started ? started : newterm(term, stdout, stdin);
}

// Curses would take over signals whose disposition is the default; they are the program's.
static SCREEN *
start_without_signals(const char *term)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	struct sigaction kept[4];
	SCREEN *started;

	for (int i = 0; i < 4; i++)
		sigaction(signals[i], NULL, &kept[i]);
	started = start_curses(term);
	for (int i = 0; i < 4; i++)
		sigaction(signals[i], &kept[i], NULL);
	return started;
}

static void
set_modes(void)
{
	struct termios modes;

	cbreak();
	noecho();
	nonl();
	// Ctrl-Z is a key, so that the terminal is given back before the stop; Ctrl-S stops nothing
	if (tcgetattr(STDIN_FILENO, &modes) == 0) {
		modes.c_cc[VSUSP] = _POSIX_VDISABLE;
		modes.c_cc[VLNEXT] = _POSIX_VDISABLE;
		modes.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
		tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	}
	def_prog_mode();
	typeahead(-1);
	leaveok(stdscr, TRUE);
	scrollok(stdscr, FALSE);
	curs_set(0);
}

static enum color_depth
find_depth(void)
{
	if (is_colorless() || !has_colors() || start_color() == ERR)
		return DEPTH_MONO;
	use_default_colors();
	if (COLORS > 256 && tigetflag("RGB") > 0)
		return DEPTH_DIRECT;
	return COLORS >= 256 ? DEPTH_256 : COLORS >= 16 ? DEPTH_16 : COLORS >= 8 ? DEPTH_8 : DEPTH_MONO;
}

static void
put_raw(const char *text)
{
	size_t n = strlen(text);
	ssize_t rc;

	while (n > 0 && (rc = write(STDOUT_FILENO, text, n)) > 0) {
		text += rc;
		n -= (size_t)rc;
	}
}

static int
refuse(struct error *err, const char *why)
{
	return error_set_status(err, -ENOTTY, EXIT_USAGE, "%s; use `ioduel run`, which needs no terminal", why);
}

int
terminal_open(struct terminal *t, int mouse, struct error *err)
{
	const char *term = getenv("TERM");
	char why[160];

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return refuse(err, "the screen needs a terminal for input and output");
	if (!term || !*term)
		return refuse(err, "TERM is not set, so the terminal's abilities are unknown");
	if (strcmp(term, "dumb") == 0 || strcmp(term, "unknown") == 0)
		return refuse(err, "a terminal of the kind \"dumb\" cannot show the screen");
	setlocale(LC_CTYPE, "");
	if (tcgetattr(STDIN_FILENO, &restore.modes) < 0)
		return refuse(err, "the terminal does not answer");
	if (!start_without_signals(term)) {
		snprintf(why, sizeof(why), "the terminal \"%.80s\" (TERM) is not known here", term);
		return refuse(err, why);
	}
	memset(t, 0, sizeof(*t));
	t->mouse = mouse && strncmp(term, "vt", 2) != 0;
	restore_prepare(t->mouse);
	t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	t->linux_console = strcmp(term, "linux") == 0;
	set_modes();
	t->depth = find_depth();
	refresh(); // enters the alternate screen
	if (t->mouse)
		put_raw(MOUSE_ON);
	return 0;
}

void
terminal_close(struct terminal *t)
{
	if (t->mouse)
		put_raw(MOUSE_OFF);
	curs_set(1);
	endwin();
	restore.active = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &restore.modes);
}

void
terminal_suspend(struct terminal *t)
{
	terminal_close(t);
}

void
terminal_resume(struct terminal *t)
{
	restore.active = 1;
	reset_prog_mode();
	clearok(curscr, TRUE);
	refresh();
	curs_set(0);
	if (t->mouse)
		put_raw(MOUSE_ON);
}

int
terminal_resize(struct terminal *t, int *ret_w, int *ret_h)
{
	struct winsize size;

	(void)t;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		return -errno;
	*ret_w = size.ws_col > 0 ? size.ws_col : COLS;
	*ret_h = size.ws_row > 0 ? size.ws_row : LINES;
	// beyond this nobody looks, and memory would be at the mercy of a number
	*ret_w = *ret_w > 1000 ? 1000 : *ret_w;
	*ret_h = *ret_h > 500 ? 500 : *ret_h;
	if (*ret_w != COLS || *ret_h != LINES)
		resizeterm(*ret_h, *ret_w);
	return 0;
}

static int
is_blank(const struct cell *cell)
{
	return cell->ch == ' ' && !(cell->style.attr & (ATTR_REVERSE | ATTR_UNDERLINE));
}

// The colour of a blank's characters is not seen. A short gap takes its left neighbour's, so that no colour is sent for
// it; a long one on the terminal's own background takes none, so that curses can erase instead of writing blanks.
static struct style
blank_style(const struct cell *row, int x, int w)
{
	int from = x, to = x;

	while (from > 0 && x - from < 4 && is_blank(&row[from - 1]))
		from--;
	while (to + 1 < w && to - x < 4 && is_blank(&row[to + 1]))
		to++;
	if (to - from < 4 && from > 0 && row[from - 1].style.bg == row[x].style.bg && row[from - 1].ch != 0 &&
	    !(row[from - 1].style.attr & (ATTR_REVERSE | ATTR_UNDERLINE)))
		return row[from - 1].style;
	return row[x].style.bg == COLOR_DEFAULT ? style_make(COLOR_DEFAULT, COLOR_DEFAULT, 0) : row[x].style;
}

static void
put_cell(struct terminal *t, const struct cell *cell, struct style style)
{
	wchar_t text[4] = {(wchar_t)cell->ch, 0, 0, 0};
	cchar_t cc;
	unsigned attr;
	int pair;

	if (!iswprint((wint_t)cell->ch))
		text[0] = '?';
	else if (cell->mark[0] && t->utf8) {
		text[1] = (wchar_t)cell->mark[0];
		text[2] = (wchar_t)cell->mark[1];
	}
	terminal_style(t, style, &attr, &pair);
	setcchar(&cc, text, attr, (short)(pair > 32767 ? 0 : pair), &pair);
	add_wch(&cc);
}

void
terminal_draw(struct terminal *t, const struct canvas *now, const struct canvas *shown, int all)
{
	struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};

	for (int y = 0; y < now->h; y++) {
		const struct cell *row = &now->cell[(size_t)y * (size_t)now->w];
		int at = -1; // where curses would write next
		for (int x = 0; x < now->w; x++) {
			size_t i = (size_t)y * (size_t)now->w + (size_t)x;
			const struct cell *cell = &now->cell[i];
			if (cell->ch == 0 || (!all && memcmp(cell, &shown->cell[i], sizeof(*cell)) == 0 &&
					      (x + 1 >= now->w || now->cell[i + 1].ch != 0 || shown->cell[i + 1].ch == 0)))
				continue;
			if (at != x)
				move(y, x);
			put_cell(t, cell, is_blank(cell) ? blank_style(row, x, now->w) : cell->style);
			at = x + (x + 1 < now->w && now->cell[i + 1].ch == 0 ? 2 : 1);
		}
	}
	if (all)
		clearok(curscr, TRUE);
	// a terminal that does not take anything now gets the frame with the next one
	if (poll(&out, 1, 0) > 0)
		refresh();
}
