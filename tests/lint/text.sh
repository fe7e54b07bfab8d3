#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every source begins with its licence, nothing is left unfinished by its own
# word, and no line ends in blanks.
. "$(dirname "$0")/support_lint.sh"

# Written apart, so that this file does not find itself.
unfinished='\b(TO''DO|FIX''ME|XX''X|HA''CK)\b'

check_text() {
	local tree=$1 file
	lint_files "$tree" '*.c' '*.h' '*.sh' '*.awk' '*.py' '*.cmake' CMakeLists.txt dev run | while read -r file; do
		head -n 2 "$tree/$file" | grep -qE '^(//|#) SPDX-License-Identifier: MIT$' || echo "$file: no SPDX line"
	done
	lint_files "$tree" '*.c' '*.h' '*.sh' '*.awk' '*.py' '*.cmake' CMakeLists.txt dev run '*.md' '*.theme' '*.1' |
		(cd "$tree" && while read -r file; do
			grep -nHE '[[:blank:]]+$' "$file" | sed 's/$/<- trailing blanks/' || true
			grep -nHE "$unfinished" "$file" || true
			[ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
		done)
}

plant_no_licence() {
	echo 'int x;' >"$1/tui/planted.c"
}

plant_blanks() {
	printf '// SPDX-License-Identifier: MIT\nint x; \n' >"$1/tui/planted.c"
}

plant_unfinished() {
	printf '// SPDX-License-Identifier: MIT\n// %s%s: later\n' TO DO >"$1/tui/planted.c"
}

plant_no_newline() {
	printf '# text' >"$1/doc/planted.md"
}

lint_run check_text plant_no_licence plant_blanks plant_unfinished plant_no_newline
