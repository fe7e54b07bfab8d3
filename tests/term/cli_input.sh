#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Targets that cannot be used, and terminals that cannot show the screen: one
# sentence, the right status, and nothing left behind or changed.
. "$(dirname "$0")/support_cli.sh"
mkdir "$work/a" "$work/b"
a=$work/a b=$work/b
quick=(-w "randread:size=4m,qd=2,direct=0" --pairs 2 --slice 0.1 --settle 0 --warmup 0 --quiet --no-save)

cleanup() {
	if mountpoint -q "$work/small"; then umount "$work/small"; fi
}

refuses_target() { # refuses_target TEXT TARGET: as wrong usage, when it is to be measured against b
	refuses 2 "$1" "$ioduel" run -a "$2" -b "$b" "${quick[@]}"
}

refuses_target 'does not exist' "$work/nowhere"
refuses_target 'does not exist' "$work/nowhere/below"
mkfifo "$work/fifo"
refuses_target 'FIFO' "$work/fifo"
refuses_target 'character device' /dev/null
refuses_target 'character device' /dev/full
ln -s loop "$work/loop"
refuses_target "$work/loop" "$work/loop"
ln -s "$work/fifo" "$work/to-fifo"
refuses_target 'FIFO' "$work/to-fifo"
: >"$work/empty"
refuses_target 'is empty' "$work/empty"
refuses_target 'a/b/c' "$work/empty/a/b/c"
refuses 2 'too long' "$ioduel" run -a "$(printf 'x%.0s' {1..5000})" -b "$b" "${quick[@]}"
if python3 -c 'import socket' 2>/dev/null; then
	python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('$work/socket')"
	refuses_target 'socket' "$work/socket"
fi

# a file keeps its content, and is only read
head -c 4M /dev/urandom >"$work/file"
before=$(cksum <"$work/file")
works "$ioduel" run -a "$work/file" --plan a -w randread:qd=2,direct=0 --pairs 2 --slice 0.1 --settle 0 --warmup 0 --quiet --no-save
run_it "$ioduel" run -a "$work/file" -b "$b" -w randwrite:size=4m,qd=2 --pairs 2 --slice 0.1 --settle 0 --warmup 0 --quiet --no-save
[ "$status" = 4 ] || fail "writing to a file without --overwrite-file ended with $status: $(cat "$work/err")"
[ "$(cksum <"$work/file")" = "$before" ] || fail "the content of a file was changed"

# more than there is room for, before anything is written
refuses 4 'free' "$ioduel" run -a "$a" -b "$b" -w randread:size=900t --pairs 2 --slice 0.1 --settle 0 --quiet --no-save
refuses 4 'free' "$ioduel" run -a "$a" -b "$b" -w randread:size=900t --dry-run

# not writable: needs a user that is not root
as_user=()
if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null && as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
chmod 755 "$work" && chmod 555 "$a"
if [ "$(id -u)" != 0 ] || { [ ${#as_user[@]} -gt 0 ] && "${as_user[@]}" test -x "$ioduel"; }; then
	refuses 2 'not writable' "${as_user[@]}" "$ioduel" run -a "$a" --plan a "${quick[@]}"
	mkdir "$work/closed" && chmod 700 "$work/closed"
	[ "$(id -u)" != 0 ] || refuses 2 'permission denied' "${as_user[@]}" "$ioduel" run -a "$work/closed/x" --plan a "${quick[@]}"
else
	echo "left out: not writable (no other user can start the program here)"
fi
chmod 755 "$a"

# a small file system, and memory
mkdir "$work/small"
if mount -t tmpfs -o size=8m none "$work/small" 2>/dev/null; then
	refuses 4 'free' "$ioduel" run -a "$work/small" --plan a -w randread:size=8m,direct=0 --pairs 2 --slice 0.1 --settle 0 --quiet --no-save
	empty "$work/small"
	works "$ioduel" run -a "$work/small" -b "$b" -w randread:size=4m,qd=2,direct=0 --pairs 6 --slice 0.1 --settle 0 --warmup 0 \
		--quiet --no-save --json
	says 'memory (tmpfs)'
	grep -q '"verdict": "none"' "$work/out" || fail "memory was given a verdict"
	empty "$work/small"
	umount "$work/small"
else
	echo "left out: a small file system (mount needs root)"
fi

# no terminal, or one that cannot show it
refuses 2 'ioduel run' "$ioduel" "$a" "$b"
if command -v script >/dev/null; then
	on_terminal() { # on_terminal COMMAND: in a pseudo-terminal; both outputs together
		run_it script -qec "$1" /dev/null
		tr -d '\r' <"$work/out" >"$work/plain"
	}
	on_terminal "env -u TERM '$ioduel' '$a' '$b'"
	{ [ "$status" = 2 ] && [ "$(wc -l <"$work/plain")" = 1 ] && grep -q TERM "$work/plain"; } || fail "TERM unset: $status, $(cat "$work/plain")"
	on_terminal "TERM=dumb '$ioduel' '$a' '$b'"
	{ [ "$status" = 2 ] && grep -q 'ioduel run' "$work/plain"; } || fail "TERM=dumb: $status, $(cat "$work/plain")"
	# what curses itself does not free when it knows no such terminal is no leak of ours
	on_terminal "ASAN_OPTIONS=detect_leaks=0 TERM=no-such-terminal '$ioduel' '$a' '$b'"
	{ [ "$status" = 2 ] && grep -q 'no-such-terminal' "$work/plain"; } || fail "unknown TERM: $status, $(cat "$work/plain")"
fi

# A name that would steer the terminal is shown, not sent.
odd=$work/$'we ird\033[31m\nname'
mkdir "$odd"
for command in targets doctor clean "run --dry-run --plan a -w randread:size=4m -a"; do
	# shellcheck disable=SC2086 # a command and its words
	run_it "$ioduel" $command "$odd"
	[ "$status" = 0 ] || fail "$command of an odd name ended with $status: $(cat "$work/err")"
	! grep -q $'\033' "$work/out" "$work/err" || fail "$command sends an escape sequence"
	says 'we ird\x1b[31m\nname'
done
empty "$odd"

empty "$a"
empty "$b"
empty "$XDG_DATA_HOME"
