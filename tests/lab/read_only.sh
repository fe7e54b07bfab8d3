#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A file system mounted read only is refused with a sentence, and a user's file
# that is a target keeps its content.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_loop image 64
device=$lab_device
lab_mount ext4 "$device" ro
dd if=/dev/urandom of="$lab/ro/user.data" bs=1M count=16 status=none
lab_listing "$lab/ro" >"$lab/before"
mkdir "$lab/rw"

# Its content is the user's: reads are allowed, writes are not without --overwrite-file.
timeout 120 "$ioduel" run -a "$lab/ro/user.data" --plan a -w randread:bs=4k,qd=4 --slice 1 --settle 0.2 --warmup 0 --pairs 6 \
	--no-save --quiet >"$lab/out" 2>"$lab/err" </dev/null || lab_fail "reading a file: $(cat "$lab/err")"
lab_refused '2|4' 'overwrite' "$ioduel" run -a "$lab/ro/user.data" --plan a -w randwrite:bs=4k --slice 1 --pairs 6 --no-save
lab_listing "$lab/ro" | cmp - "$lab/before" || lab_fail "the user's file was changed"

mount -o remount,ro "$lab/ro"
lab_refused '2|4' 'read.only|writ' "$ioduel" run -a "$lab/ro" -b "$lab/rw" -w randwrite:size=16m --pairs 6 --slice 1 --no-save
lab_refused '2|4' 'read.only|writ' "$ioduel" run -a "$lab/rw" -b "$lab/ro" -w randread:size=16m --pairs 6 --slice 1 --no-save
[ "$(find "$lab/rw" -mindepth 1 | wc -l)" = 0 ] || lab_fail "something is left in the other target"

# A block device that is in use is never written, whatever is allowed.
lab_refused 4 'mount|use|busy' "$ioduel" run -a "$device" --plan a -w randwrite:bs=4k --pairs 6 --slice 1 --no-save \
	--destroy-data --yes-destroy "$(basename "$device")"
lab_listing "$lab/ro" | cmp - "$lab/before" || lab_fail "the read only file system was changed"
