#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Killed in the middle: kill -9 of ioduel takes its workers and its scratch data
# with it; kill -9 of a worker ends the run with a reason. The file system can be
# unmounted, and has the blocks that it had before.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_loop a 160
lab_mount ext4 "$lab_device" a
lab_loop b 160
lab_mount ext4 "$lab_device" b

start() {
	session=$lab/session.$RANDOM.jsonl
	"$ioduel" run -a "$lab/a" -b "$lab/b" -w "$1:size=32m,qd=4" --pairs 60 --slice 1 --settle 0.2 --warmup 0 \
		--quiet --save "$session" >"$lab/out" 2>"$lab/err" </dev/null &
	pid=$!
	lab_undo "kill -9 $pid 2>/dev/null || true"
	lab_wait 60 has_two_workers || lab_fail "no workers: $(cat "$lab/err")"
	workers=$(lab_workers $pid)
	lab_wait 60 is_busy || lab_fail "nothing runs: $(cat "$lab/err")"
}

has_two_workers() {
	[ "$(lab_workers $pid | wc -l)" = 2 ]
}

# Scratch data take room: seen as blocks that are in use though no file has a name.
is_busy() {
	[ "$(stat -f -c %f "$lab/b")" -lt $((free_b - 7000)) ]
}

all_gone() {
	local one
	for one in $pid $workers; do
		lab_gone "$one" || return 1
	done
}

nothing_left() {
	local side
	lab_wait 30 all_gone || lab_fail "still running: $(ps -o pid,stat,comm -p "$(echo $pid $workers | tr ' ' ,)")"
	for side in a b; do
		[ "$(find "$lab/$side" -mindepth 1 -not -name 'lost+found' | wc -l)" = 0 ] || lab_fail "files are left in $side"
		sync -f "$lab/$side"
	done
	lab_wait 30 free_again || lab_fail "blocks are still in use: $(stat -f -c %f "$lab/a" "$lab/b")"
}

# Reserved metadata may move by a few blocks.
free_again() {
	[ "$(stat -f -c %f "$lab/a")" -ge $((free_a - 16)) ] && [ "$(stat -f -c %f "$lab/b")" -ge $((free_b - 16)) ]
}

free_a=$(stat -f -c %f "$lab/a")
free_b=$(stat -f -c %f "$lab/b")

start randread
kill -9 $pid
nothing_left
echo "kill -9 of ioduel: nothing left"

start randwrite
kill -9 "$(echo "$workers" | head -n 1)"
status=0
wait $pid || status=$?
[ $status = 1 ] || lab_fail "a killed worker: status $status: $(cat "$lab/err")"
[ -s "$lab/err" ] || lab_fail "a killed worker: no reason given"
cat "$lab/err"
nothing_left
echo "kill -9 of a worker: nothing left"

# Written between slices only, since the folder is on the disk under test.
has_measured() {
	[ "$(stat -c %s "$session.partial" 2>/dev/null || echo 0)" -gt 8000 ]
}

start randread
lab_wait 60 has_measured || lab_fail "nothing is recorded: $(cat "$lab/err")"
kill -INT $pid
status=0
wait $pid || status=$?
[ $status = 130 ] || lab_fail "SIGINT: status $status: $(cat "$lab/err")"
nothing_left
[ -s "$session" ] || lab_fail "SIGINT: what was measured is not saved"
echo "SIGINT: nothing left but the session"

umount "$lab/a" "$lab/b" || lab_fail "a file system is busy"
for side in a b; do mount "$(losetup -j "$lab/$side.img" | cut -d: -f1)" "$lab/$side"; done
