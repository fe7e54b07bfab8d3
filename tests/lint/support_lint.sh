#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the lint scripts share. A lint script is a function that prints one line
# per violation found below a tree, and plants: functions that break the rule in
# a copy of the tree. The rule holds when the check is silent on the real tree
# and speaks up on every planted copy; so a check that cannot fail, fails.
set -euo pipefail
export LC_ALL=C

: "${IODUEL_SOURCE_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
: "${IODUEL_BINARY_DIR:=$IODUEL_SOURCE_DIR/build}"
: "${IODUEL_CC:=cc}"

lint_dir=$(mktemp -d "${TMPDIR:-/tmp}/ioduel-lint.XXXXXX")
trap 'rm -rf "$lint_dir"' EXIT
trap 'exit 130' INT TERM HUP

# lint_files TREE PATTERN...: files of the project whose names match, relative to TREE.
lint_files() {
	local tree=$1 pattern first=1
	local -a names=()
	shift
	for pattern; do
		[ $first = 1 ] || names+=(-o)
		first=0
		names+=(-name "$pattern")
	done
	(cd "$tree" && find . \( -name .git -o -path './build*' -o -path ./tests/roots \) -prune \
		-o -type f \( "${names[@]}" \) -print) | sed 's|^\./||' | sort
}

# lint_code TREE FILE...: "file:line:text" of C files, comments blanked, strings kept.
lint_code() {
	local tree=$1
	shift
	[ $# -gt 0 ] || return 0
	(cd "$tree" && awk '
		function strip(s,    out, c) {
			out = ""
			while (s != "") {
				if (inside) {
					if (!(c = index(s, "*/"))) return out
					s = substr(s, c + 2)
					inside = 0
					continue
				}
				if (!match(s, /["\x27]|\/\/|\/\*/)) return out s
				out = out substr(s, 1, RSTART - 1)
				s = substr(s, RSTART)
				if (substr(s, 1, 2) == "//") return out
				if (substr(s, 1, 2) == "/*") { inside = 1; s = substr(s, 3); continue }
				if (substr(s, 1, 1) == "\"") { if (!match(s, /^"([^"\\]|\\.)*"/)) return out s }
				else if (!match(s, /^\x27([^\x27\\]|\\.)*\x27/)) return out s
				out = out substr(s, 1, RLENGTH)
				s = substr(s, RLENGTH + 1)
			}
			return out
		}
		FNR == 1 { inside = 0 }
		{ print FILENAME ":" FNR ":" strip($0) }
	' "$@")
}

# lint_code_below TREE DIR...: lint_code of all C files below the folders.
lint_code_below() {
	local tree=$1 dir
	local -a files=() some
	shift
	for dir; do
		[ -d "$tree/$dir" ] || continue
		mapfile -t some < <(lint_files "$tree/$dir" '*.c' '*.h')
		files+=("${some[@]/#/$dir/}")
	done
	lint_code "$tree" "${files[@]}"
}

# lint_includes TREE: "includer included" for every include of a file of the project.
lint_includes() {
	local tree=$1 file name dir try
	local -a files
	mapfile -t files < <(lint_files "$tree" '*.c' '*.h')
	lint_code "$tree" "${files[@]}" |
		sed -nE 's/^([^:]+):[0-9]+:[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]+)[">].*/\1 \2/p' |
		while read -r file name; do
			dir=$(dirname "$file")
			for try in "$dir/$name" "include/$name" "tui/$name" "$name"; do
				if [ -f "$tree/$try" ]; then
					echo "$file $(lint_normal "$try")"
					break
				fi
			done
		done
}

# lint_normal PATH: without "x/..".
lint_normal() {
	case $1 in
	*..*) realpath -ms --relative-to=. "$1" ;;
	*) echo "${1#./}" ;;
	esac
}

lint_copy() {
	rm -rf "$lint_dir/tree"
	mkdir "$lint_dir/tree"
	(cd "$IODUEL_SOURCE_DIR" && tar -c --exclude=./build* --exclude=./.git --exclude=./tests/roots .) |
		tar -x -C "$lint_dir/tree"
	mkdir -p "$lint_dir"/tree/{probes,workloads/engine,tui/session,tui/screen,tests/lint,doc}
}

# lint_needs FILE: a part of the build; the test is skipped where it was not built.
lint_needs() {
	[ -e "$IODUEL_BINARY_DIR/$1" ] && return 0
	echo "skipped: $1 is not in $IODUEL_BINARY_DIR"
	exit 77
}

# lint_run CHECK PLANT...: the whole of a lint script.
lint_run() {
	local check=$1 plant found
	shift
	found=$("$check" "$IODUEL_SOURCE_DIR")
	if [ -n "$found" ]; then
		printf 'broken rule (%s):\n%s\n' "$(basename "$0")" "$found"
		exit 1
	fi
	for plant; do
		lint_copy
		"$plant" "$lint_dir/tree"
		found=$("$check" "$lint_dir/tree")
		if [ -z "$found" ]; then
			echo "$(basename "$0"): the check stays silent on $plant, so it proves nothing"
			exit 1
		fi
		echo "can fail: $plant: ${found%%$'\n'*}"
	done
}
