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
