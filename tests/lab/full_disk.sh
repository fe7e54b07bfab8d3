#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A file system without room is refused before anything is touched; a device
# that fails half-way ends the run with its reason and leaves nothing behind.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_loop small 64
lab_mount ext4 "$lab_device" small
lab_loop large 200
lab_mount ext4 "$lab_device" large
dd if=/dev/urandom of="$lab/small/user.data" bs=1M count=40 status=none
lab_listing "$lab/small" >"$lab/before"

lab_refused 4 'space|room|free' "$ioduel" run -a "$lab/small" -b "$lab/large" -w randwrite:size=64m --pairs 6 --slice 1 --no-save
lab_refused 4 'space|room|free' "$ioduel" run -a "$lab/large" -b "$lab/small" -w randread:size=64m --pairs 6 --slice 1 --no-save
lab_listing "$lab/small" | cmp - "$lab/before" || lab_fail "the full file system was changed"

# A device that promises 200 MB on a backing store that has 60: it fails while the files are laid out.
lab_loop store 100
lab_mount ext4 "$lab_device" store
truncate -s 200M "$lab/store/thin.img"
thin=$(losetup --direct-io=on --show -f "$lab/store/thin.img") || lab_skip "no loop device on a loop device"
lab_undo "losetup -d $thin"
lab_mount ext4 "$thin" thin
status=0
timeout 120 "$ioduel" run -a "$lab/thin" -b "$lab/large" -w randread:size=120m --pairs 6 --slice 1 --settle 0.2 --warmup 0 \
	--no-save --quiet >"$lab/out" 2>"$lab/err" </dev/null || status=$?
[ $status = 1 ] || lab_fail "status $status instead of 1: $(cat "$lab/out" "$lab/err")"
grep -qiE 'input/output|no space|EIO|ENOSPC' "$lab/err" || lab_fail "no reason: $(cat "$lab/err")"
cat "$lab/err"
[ "$(find "$lab/thin" "$lab/large" -type f | wc -l)" = 0 ] || lab_fail "files are left"

# No room for the session itself: the verdict stands, the loss is said once and is the exit status, and what was
# written opens.
mkdir "$lab/room"
mount -t tmpfs -o size=32k ioduel-test "$lab/room" || lab_fail "no tmpfs"
lab_undo "umount '$lab/room'"
rm "$lab/small/user.data"
session=$lab/room/session.jsonl
status=0
"$ioduel" run -a "$lab/small" -b "$lab/large" -w randread:size=8m --pairs 6 --slice 0.5 --settle 0.1 --warmup 0 \
	--save "$session" --quiet >"$lab/out" 2>"$lab/err" </dev/null || status=$?
[ $status = 1 ] || lab_fail "a lost session: status $status instead of 1"
[ "$(grep -c 'No space left' "$lab/err")" = 1 ] || lab_fail "the loss is not said once: $(cat "$lab/err")"
grep -q 'IOPS' "$lab/out" || lab_fail "the figures are not shown: $(cat "$lab/out")"
[ ! -e "$session" ] || lab_fail "half a session has a whole one's name"
"$ioduel" show "$session.partial" >"$lab/out" 2>"$lab/err" || lab_fail "the rest does not open: $(cat "$lab/err")"
grep -q 'not finished' "$lab/err" || lab_fail "it does not say that it is cut: $(cat "$lab/err")"
cat "$lab/err"
