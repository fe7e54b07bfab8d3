#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A target behind FUSE: the run ends well, names what the target is, and says so
# where direct I/O is not to be had.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_need fuse2fs jq fusermount
[ -e /dev/fuse ] || lab_skip "no /dev/fuse"
truncate -s 128M "$lab/image"
mkfs.ext4 -q -F "$lab/image"
mkdir "$lab/fuse" "$lab/plain"
fuse2fs "$lab/image" "$lab/fuse" -o fakeroot >"$lab/fuse.log" 2>&1 || lab_skip "fuse2fs: $(cat "$lab/fuse.log")"
lab_undo "fusermount -u '$lab/fuse' || umount -l '$lab/fuse'"

timeout 300 "$ioduel" run -a "$lab/fuse" -b "$lab/plain" -w randread:bs=4k,qd=4,size=16m --pairs 6 --slice 1 --settle 0.2 --warmup 0 \
	--json --no-save --quiet >"$lab/out" 2>"$lab/err" </dev/null || lab_fail "$(cat "$lab/err")"
jq -c '.targets.a.fs, .verdict.text, .warnings[].text' "$lab/out"
jq -e '.targets.a.fs | test("fuse")' "$lab/out" >/dev/null || lab_fail "the file system is not named"
jq -e '.pairs | length == 6' "$lab/out" >/dev/null || lab_fail "not all pairs are there"
[ "$(find "$lab/fuse" "$lab/plain" -mindepth 1 -not -name 'lost+found' | wc -l)" = 0 ] || lab_fail "files are left"
