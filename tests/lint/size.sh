#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files of at most 600 lines, functions of at most 80.
. "$(dirname "$0")/support_lint.sh"

check_size() {
	local tree=$1
	local -a files
	mapfile -t files < <(lint_files "$tree" '*.c' '*.h' '*.sh' dev)
	(cd "$tree" && wc -l "${files[@]}") | awk '$1 > 600 && $2 != "total" { print $2 ": " $1 " lines" }'
	mapfile -t files < <(lint_files "$tree" '*.c' '*.h')
	# A function's body opens in column 0, or on the line of its name.
	(cd "$tree" && awk '
		FNR == 1 { name = ""; open = 0 }
		!open && /^[A-Za-z_].*\(/ { name = $0; start = FNR }
		!open && (/^\{[ \t]*$/ || /^[A-Za-z_].*\)[ \t]*\{[ \t]*$/) { open = 1 }
		open && /^\}/ {
			if (FNR - start + 1 > 80) {
				sub(/\(.*/, "", name)
				sub(/.*[ *]/, "", name)
				print FILENAME ": " name " has " FNR - start + 1 " lines"
			}
			open = 0
		}' "${files[@]}")
}

plant_long_file() {
	seq 601 | sed 's|^|// |' >"$1/tui/planted.c"
}

plant_long_function() {
	{ printf 'static int\nplanted(int a,\n\tint b)\n{\n'; seq 80 | sed 's|^|\t// |'; printf '}\n'; } >"$1/tui/planted.c"
}

plant_long_function_brace_at_end() {
	{ printf 'static int planted(void) {\n'; seq 80 | sed 's|^|\t// |'; printf '}\n'; } >"$1/tui/planted.c"
}

lint_run check_size plant_long_file plant_long_function plant_long_function_brace_at_end
