#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the screen costs: CPU seconds and bytes to the terminal a minute, memory
# and start, of ioduel beside htop and btop in a terminal of the same size.
# Usage: ./dev bench screen [SECONDS] (default 60 a program)
set -euo pipefail
export LC_ALL=C.UTF-8

seconds=${1:-60}
ioduel=$IODUEL_BINARY_DIR/ioduel
work=$(mktemp -d "${TMPDIR:-/var/tmp}/ioduel-bench.XXXXXX")
program=
cleanup() {
	[ -z "$program" ] || kill "$program" 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
# A keyboard on which nobody types.
mkfifo "$work/keys"
exec 3<>"$work/keys"
mkdir "$work/a" "$work/b" "$work/home"
export HOME=$work/home TERM=xterm-256color XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config

# ticks PID: user + system time used, in clock ticks.
ticks() {
	sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}

# measure NAME COMMAND...
measure() {
	local name=$1 before after bytes_before bytes_after rss started
	local -a inner=("${@:2}")
	started=$(date +%s%N)
	rm -f "$work/pid" "$work/out"
	# shellcheck disable=SC2016 # expanded by the inner shell
	script -qfc "stty rows 50 cols 200; echo \$\$ >$work/pid; exec ${inner[*]}" /dev/null >"$work/out" <"$work/keys" 2>&1 &
	until [ -s "$work/pid" ] && [ "$(stat -c %s "$work/out")" -gt 2000 ]; do
		sleep 0.01
		[ $(($(date +%s%N) - started)) -lt 20000000000 ] || { echo "$name did not start"; return; }
	done
	local first_ms=$((($(date +%s%N) - started) / 1000000))
	program=$(cat "$work/pid")
	# The first seconds fill the screen; they are not what a minute costs.
	sleep 3
	before=$(ticks "$program")
	bytes_before=$(stat -c %s "$work/out")
	sleep "$seconds"
	after=$(ticks "$program")
	bytes_after=$(stat -c %s "$work/out")
	rss=$(awk '/^VmHWM/ { print $2 / 1024 }' "/proc/$program/status")
	kill "$program"
	wait || true
	program=
	awk -v n="$name" -v t=$((after - before)) -v hz="$(getconf CLK_TCK)" -v b=$((bytes_after - bytes_before)) \
		-v s="$seconds" -v r="$rss" -v f="$first_ms" 'BEGIN {
		printf "%-34s %8.2f %10.1f %8.1f %8d\n", n, t / hz * 60 / s, b / 1000 * 60 / s, r, f }'
}

printf '%-34s %8s %10s %8s %8s\n' "200x50, each for $seconds s" "CPU s/min" "kB/min" "MB peak" "ms start"
command -v htop >/dev/null && measure "htop, 1 s" htop -d 10
command -v btop >/dev/null && measure "btop, 1 s" btop -p 0
measure "ioduel, monitor, 1 s" "$ioduel" "$work/a" "$work/b" --interval 1
measure "ioduel, randread, 1 s" "$ioduel" "$work/a" "$work/b" --interval 1 -w randread:size=64m,qd=4
measure "ioduel, randread, 0.5 s" "$ioduel" "$work/a" "$work/b" --interval 0.5 -w randread:size=64m,qd=4
measure "ioduel, randread, 0.1 s" "$ioduel" "$work/a" "$work/b" --interval 0.1 -w randread:size=64m,qd=4
