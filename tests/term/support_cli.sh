#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# For the tests of the command line: run the built program and look at its
# status, its one sentence and what it left behind. Everything happens in a
# directory of the test's own; nothing of the user's is read or written.
set -uo pipefail

export ioduel=${IODUEL_BINARY_DIR:?}/ioduel
work=$(mktemp -d)
export HOME=$work/home XDG_DATA_HOME=$work/home/data XDG_CONFIG_HOME=$work/home/config LC_ALL=C.UTF-8
mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
failures=0

cli_end() {
	local status=$?
	trap - EXIT
	if declare -F cleanup >/dev/null; then cleanup; fi
	rm -rf "$work"
	if [ "$status" = 0 ] && [ "$failures" -gt 0 ]; then status=1; fi
	exit "$status"
}
trap cli_end EXIT

fail() {
	echo "FAILED: $*" >&2
	failures=$((failures + 1))
}

# run_it COMMAND...: status, $work/out and $work/err are what it did.
run_it() {
	status=0
	"$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# refuses STATUS TEXT COMMAND...: ends with STATUS, prints nothing on standard output and one line with TEXT.
refuses() {
	local want=$1 text=$2
	shift 2
	run_it "$@"
	[ "$status" = "$want" ] || fail "$* ended with $status, not $want: $(cat "$work/err")"
	[ ! -s "$work/out" ] || fail "$* printed on standard output: $(head -n 2 "$work/out")"
	[ "$(wc -l <"$work/err")" = 1 ] || fail "$* said $(wc -l <"$work/err") lines: $(cat "$work/err")"
	grep -q '^ioduel: ' "$work/err" || fail "$* does not say who speaks: $(cat "$work/err")"
	grep -qF -- "$text" "$work/err" || fail "$* said \"$(cat "$work/err")\", which lacks \"$text\""
}

# works COMMAND...: status 0, nothing on standard error.
works() {
	run_it "$@"
	[ "$status" = 0 ] || fail "$* ended with $status: $(cat "$work/err")"
	[ ! -s "$work/err" ] || fail "$* said: $(cat "$work/err")"
}

# says TEXT: the last run printed TEXT.
says() {
	grep -qF -- "$1" "$work/out" || fail "\"$1\" is missing in: $(head -n 40 "$work/out")"
}

# empty DIRECTORY: nothing was left behind.
empty() {
	[ -z "$(ls -A "$1")" ] || fail "$1 is not empty: $(ls -A "$1")"
}
