#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# doc/ARCHITECTURE.md names every source file and none that does not exist. A
# heading "## FOLDER: ..." is followed by rows "| name |"; a name is below that
# folder, may be a pattern, and several stand apart by blanks or commas. A row for
# x.c covers x.h.
. "$(dirname "$0")/support_lint.sh"

# The full patterns of the map, one a line.
map_patterns() {
	awk '
		/^## / { dir = $2; sub(/:$/, "", dir) }
		/^\|/ && dir ~ /^(include\/ioduel|probes|workloads|tui|tui\/session|tui\/screen|tests|doc|themes)$/ {
			split($0, cell, "|")
			n = split(cell[2], name, /[ ,]+/)
			for (i = 1; i <= n; i++) {
				gsub(/`/, "", name[i])
				if (name[i] != "" && name[i] != "file" && name[i] !~ /^-+$/) print dir "/" name[i]
			}
		}' "$1/doc/ARCHITECTURE.md"
}

check_map() {
	local tree=$1 file pattern found
	local -a patterns files
	mapfile -t patterns < <(map_patterns "$tree")
	# Of the tests, whose folders say what they are, the shared parts and the rules.
	mapfile -t files < <(lint_files "$tree" '*.c' '*.h' '*.sh' '*.theme' |
		grep -vE '^tests/(unit|engine|term|lab|fuzz|bench|sim)/[^/]*$' || true)
	for file in "${files[@]}"; do
		found=0
		for pattern in "${patterns[@]}"; do
			# shellcheck disable=SC2053 # the right side is a pattern on purpose
			if [[ $file == $pattern || ${file%.h}.c == $pattern ]]; then
				found=1
				break
			fi
		done
		[ $found = 1 ] || echo "$file is not in doc/ARCHITECTURE.md"
	done
	for pattern in "${patterns[@]}"; do
		(cd "$tree" && compgen -G "$pattern" >/dev/null) || echo "doc/ARCHITECTURE.md names $pattern, which does not exist"
	done
}

plant_unnamed_file() {
	touch "$1/tui/planted.c"
}

plant_missing_file() {
	sed -i 's/^| clock.h |.*/&\n| planted.h | is not there |/' "$1/doc/ARCHITECTURE.md"
}

lint_run check_map plant_unnamed_file plant_missing_file
