#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 5: tui/screen/ never changes the session: it gets `const struct view *`,
# returns key events, and neither includes the session's own header nor calls it.
. "$(dirname "$0")/support_lint.sh"

check_screen() {
	local tree=$1 archive=$IODUEL_BINARY_DIR/libioduel_screen.a
	[ -e "$tree/planted.o" ] && archive=$tree/planted.o
	lint_code_below "$tree" tui/screen | grep -E '#[[:space:]]*include.*session/session\.h' || true
	lint_code_below "$tree" tui/screen | sed -E 's/const struct view\b/CONST_VIEW/g; s/struct view const\b/CONST_VIEW/g' |
		grep -E '\bstruct view\b[[:space:]]*[^;[:space:]]' || true
	nm -u "$archive" 2>/dev/null | grep -E '[[:space:]]U (session|snapshot|worker)_' | sed 's/^/tui\/screen calls /' || true
}

plant_session_header() {
	echo '#include "session/session.h"' >"$1/tui/screen/planted.c"
}

plant_writable_view() {
	echo 'static void panel_poke(struct view *view) { view->now_ns = 0; }' >"$1/tui/screen/planted.c"
}

plant_cast() {
	echo 'void f(const struct view *v) { ((struct view *)v)->now_ns = 0; }' >"$1/tui/screen/planted.c"
}

plant_call() {
	echo 'extern void session_event(void); void f(void); void f(void) { session_event(); }' >"$lint_dir/planted.c"
	"$IODUEL_CC" -c "$lint_dir/planted.c" -o "$1/planted.o"
}

lint_needs libioduel_screen.a
lint_run check_screen plant_session_header plant_writable_view plant_cast plant_call
