#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 1: curses is included only under tui/screen/ and tests/term/, and
# ioduel-worker has no curses symbol.
. "$(dirname "$0")/support_lint.sh"

curses_symbols='(initscr|newterm|stdscr|cur_term|setupterm|tigetstr|tigetnum|tputs|tparm|putp|def_prog_mode|endwin|w?refresh|doupdate|newwin|w?getch|waddn?w?str)(@.*)?$'

check_curses() {
	local tree=$1 program=$IODUEL_BINARY_DIR/ioduel-worker
	[ -e "$tree/planted-worker" ] && program=$tree/planted-worker
	lint_code_below "$tree" . | grep -E '#[[:space:]]*include[[:space:]]*[<"](n?cursesw?(/|\.h)|ncurses|term\.h|panel\.h|menu\.h|form\.h)' |
		grep -vE '^(\./)?(tui/screen|tests/term)/' || true
	nm "$program" | grep -E "[[:space:]]$curses_symbols" | sed 's/^/ioduel-worker: /' || true
	nm -D "$program" | grep -E "[[:space:]]$curses_symbols" | sed 's/^/ioduel-worker: /' || true
}

plant_include() {
	echo '#include <ncurses.h>' >"$1/probes/planted.c"
}

plant_include_in_session() {
	echo '#  include <curses.h> // a comment' >"$1/tui/session/planted.c"
}

plant_symbol() {
	printf '#include <curses.h>\nint main(void) { initscr(); return endwin(); }\n' >"$lint_dir/planted.c"
	# shellcheck disable=SC2046 # several flags are meant
	"$IODUEL_CC" "$lint_dir/planted.c" -o "$1/planted-worker" $(pkg-config --cflags --libs ncursesw)
}

lint_needs ioduel-worker
lint_run check_curses plant_include plant_include_in_session plant_symbol
