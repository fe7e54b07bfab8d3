#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 2: no include cycle, between modules or between headers; every header
# compiles alone.
. "$(dirname "$0")/support_lint.sh"

module_of='function module(p) {
	if (p ~ /^tui\/session\//) return "session"
	if (p ~ /^tui\/screen\//) return "screen"
	sub(/\/.*/, "", p)
	return p
}'

read -ra flags <<<"$(pkg-config --cflags ncursesw libstatgrab liburing jansson gsl blkid mount libudev cmocka vterm)"

check_headers() {
	local tree=$1 header
	lint_includes "$tree" >"$lint_dir/includes"
	# tsort names every member of a cycle on standard error.
	grep -E '\.h [^ ]*\.h$' "$lint_dir/includes" | tsort 2>&1 >/dev/null | sed 's/^tsort: //' || true
	grep -v '^tests/' "$lint_dir/includes" |
		awk "$module_of"'{ a = module($1); b = module($2); if (a != b) print a, b }' | sort -u |
		tsort 2>&1 >/dev/null | sed 's/^tsort: /modules: /' || true
	lint_files "$tree" '*.h' | while read -r header; do
		"$IODUEL_CC" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only "${flags[@]}" \
			-I "$tree/include" -I "$tree/tui" -I "$tree" -x c "$tree/$header" >"$lint_dir/out" 2>&1 ||
			echo "$header does not compile alone: $(grep -m1 error "$lint_dir/out")"
	done
}

plant_dependent_header() {
	printf 'struct planted { uint32_t x; };\n' >"$1/probes/planted.h"
}

plant_header_cycle() {
	printf '#pragma once\n#include "planted_b.h"\n' >"$1/tui/session/planted_a.h"
	printf '#pragma once\n#include "planted_a.h"\n' >"$1/tui/session/planted_b.h"
}

plant_module_cycle() {
	printf '#include "screen/screen.h"\n' >"$1/tui/session/planted.c"
}

lint_run check_headers plant_dependent_header plant_header_cycle plant_module_cycle
