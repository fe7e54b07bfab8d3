#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The set-up of 2009: btrfs RAID-1 over two loop devices against XFS on one, all
# on one disk. The stack is shown down to that disk, the shared disk and the
# redundancy that is none are named, and the layer below btrfs writes twice.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_need mkfs.btrfs mkfs.xfs jq
lab_loop one 700
one=$lab_device
lab_loop two 700
two=$lab_device
lab_loop three 700
three=$lab_device
mkfs.btrfs -q -f -K -d raid1 -m raid1 "$one" "$two" 2>/dev/null
mkdir "$lab/mirror"
mount -t btrfs -o noatime "$one" "$lab/mirror" 2>"$lab/err" || lab_skip "$(cat "$lab/err")"
lab_undo "umount '$lab/mirror' || umount -l '$lab/mirror'"
lab_mount xfs "$three" plain

"$ioduel" targets "$lab/mirror" "$lab/plain" | tee "$lab/targets"
expect() {
	grep -qE -- "$1" "$lab/targets" || lab_fail "ioduel targets does not show: $1"
}
expect 'btrfs raid1 on '
expect 'data raid1, metadata raid1'
expect "${one#/dev/}"
expect "${two#/dev/}"
expect "$lab/one.img"
expect "$lab/two.img"
expect 'mirror on one device'
expect "shares the device .* with $lab/plain"
expect 'xfs on '

sectors() {
	awk '{ print $7 }' "/sys/block/${1#/dev/}/stat"
}

# multiplicity DIR DEVICE...: bytes that the devices wrote per byte written below DIR, leftovers included.
multiplicity() {
	local dir=$1 device before=0 after=0
	shift
	sync -f "$dir"
	for device; do before=$((before + $(sectors "$device"))); done
	dd if=/dev/urandom of="$dir/data" bs=1M count=128 oflag=direct conv=fsync status=none
	sync -f "$dir"
	for device; do after=$((after + $(sectors "$device"))); done
	awk -v s=$((after - before)) 'BEGIN { printf "%.3f\n", s * 512 / (128 * 1048576) }'
}
lab_within "$(multiplicity "$lab/mirror" "$one" "$two")" 2 10 "write multiplicity of btrfs RAID-1"
lab_within "$(multiplicity "$lab/plain" "$three")" 1 10 "write multiplicity of XFS"
rm -f "$lab/mirror/data" "$lab/plain/data"

# The device bytes of a run are the disk's below the loops, which the rest of this machine uses as well: of
# three runs one must be quiet enough.
figure() {
	jq -r ".metrics[] | select(.name == \"write_multiplicity\") | .$1.mean" "$lab/result.json"
}
is_near() {
	awk -v v="$1" -v e="$2" 'BEGIN { exit !(v > e * 0.9 && v < e * 1.1) }'
}
for ((attempt = 1; ; attempt++)); do
	timeout 300 "$ioduel" run -a "$lab/mirror" -b "$lab/plain" -w seqwrite:bs=128k,qd=4,size=64m --pairs 6 --slice 2 --settle 0.5 \
		--warmup 0 --json --no-save --quiet >"$lab/result.json" 2>"$lab/err" </dev/null || {
		grep -q 'drain time-out' "$lab/err" || lab_fail "ioduel run: $(cat "$lab/err")"
		[ $attempt -lt 3 ] || lab_skip "other programs keep writing here: $(cat "$lab/err")"
		continue
	}
	jq -r '.verdict.text, (.warnings[] | "\(.level) \(.id): \(.text)")' "$lab/result.json"
	jq -e '[.warnings[].id] | index("shared-device")' "$lab/result.json" >/dev/null || lab_fail "the shared device is not named"
	echo "write multiplicity in the run: $(figure a) against $(figure b)"
	is_near "$(figure a)" 2 && is_near "$(figure b)" 1 && break
	[ $attempt -lt 3 ] || lab_fail "write multiplicity in three runs is not 2 against 1 within 10 %"
done

# What the post ran: bonnie++'s phases on both. A mirror writes what it is told twice, and on one disk has to.
timeout 300 "$ioduel" run -a "$lab/mirror" -b "$lab/plain" -w bonnie:size=256m,files=1,seeks=200,fast=1 --pairs 6 --warmup 0 --json --no-save --quiet \
	>"$lab/result.json" 2>"$lab/err" </dev/null || {
	grep -q 'drain time-out' "$lab/err" || lab_fail "ioduel run -w bonnie: $(cat "$lab/err")"
	lab_skip "other programs keep writing here: $(cat "$lab/err")"
}
jq -r '.verdict.text, (.metrics[] | select(.name | test("^(put_block|rewrite|get_block|seeks|write_multiplicity)$")) |
	"\(.name): \(.a.mean) against \(.b.mean), \(.verdict)")' "$lab/result.json"
jq -e '.verdict.primary == "put_block" and (.pairs | length >= 6) and (.verdict.text | length > 0)' "$lab/result.json" >/dev/null ||
	lab_fail "no verdict on six pairs of bonnie: $(jq -c "[.verdict, (.pairs | length)]" "$lab/result.json")"
# A phase is measured, or it is said that it was too fast to be (below half a second, as here on a fast disk).
jq -e '[.metrics[] | select(.name | test("^(put_block|rewrite|get_block)$")) | .a, .b | (.mean | type == "number") or .state == "too_fast"] |
	length == 6 and all' "$lab/result.json" >/dev/null ||
	lab_fail "a phase has neither a figure nor a reason: $(jq -c '[.metrics[] | select(.name | test("block|rewrite"))]' "$lab/result.json")"
jq -e '[.warnings[].id] | index("shared-device") and index("mirror-on-one-device")' "$lab/result.json" >/dev/null ||
	lab_fail "the warnings are not both there: $(jq -c '[.warnings[].id]' "$lab/result.json")"
