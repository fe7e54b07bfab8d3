#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The session file reaches the medium: while a run goes on, whether it lies on a
# device under test or not, and at the end before and after it gets its name.
. "$(dirname "$0")/support_cli.sh"

preload=$IODUEL_BINARY_DIR/tests/preload_sync.so
mkdir "$work/a" "$work/b"
shm=$(mktemp -d /dev/shm/ioduel-test.XXXXXX) || { echo "no /dev/shm to save on a second device"; exit 77; }
cleanup() { rm -rf "$shm"; }

# durable NAME FILE: a run of about eight seconds that saves to FILE.
durable() {
	local name=$1 file=$2 log=$work/$1.log
	LD_PRELOAD=$preload IODUEL_SYNC_LOG=$log ASAN_OPTIONS=verify_asan_link_order=0 "$ioduel" run -a "$work/a" -b "$work/b" \
		-w randread:size=8m --pairs 6 --slice 0.6 --settle 0.1 --warmup 0 --save "$file" --quiet \
		>"$work/out" 2>"$work/err" </dev/null || fail "$name: status $?: $(cat "$work/err")"
	local while_running
	while_running=$(grep -c "^fdatasync $file.partial$" "$log")
	echo "$name: fdatasync $while_running times while it ran"
	[ "$while_running" -ge 1 ] || fail "$name: nothing reached the medium before the end: $(cat "$log")"
	grep -qx "fsync $(dirname "$file")" <(sed "/^rename/,\$d" "$log") || fail "$name: the folder does not know the file while it grows"
	tail -n 3 "$log" >"$work/last"
	printf '%s\n' "fsync $file.partial" "rename $file" "fsync $(dirname "$file")" | cmp -s - "$work/last" ||
		fail "$name: the end is not fsync, rename, fsync: $(cat "$work/last")"
	grep -q '"spills":0' "$file" || fail "$name: it was written while a device under test ran"
}

durable "on a device under test" "$work/tested.jsonl"
durable "on another device" "$shm/other.jsonl"
