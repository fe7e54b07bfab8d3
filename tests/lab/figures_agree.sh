#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The figures are those of independent programs, within 2 %: IOPS as fio has them
# at the same settings, taken in turns on a throttled loop device, and the bytes
# of a device as iostat has them in the same seconds.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_need fio jq iostat
lab_throttle_init
lab_loop a 320
device=$lab_device
name=${device#/dev/}
lab_mount ext4 "$device" a
lab_throttle "$device" 1000

middle() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# IOPS of one slice of three seconds.
ioduel_iops() {
	lab_throttled "$ioduel" run -a "$lab/a" --plan a -w randread:bs=4k,qd=8,size=64m --pairs 1 --slice 3.5 --settle 0.5 \
		--warmup 0 --json --quiet --no-save 2>"$lab/err" | jq '.metrics[] | select(.name == "iops") | .a.mean' ||
		lab_fail "$(cat "$lab/err")"
}

for ((turn = 1; turn <= 3; turn++)); do
	ioduel_iops >>"$lab/by_ioduel"
	lab_fio_iops "$lab/a" 3 >>"$lab/by_fio"
done
lab_within "$(middle <"$lab/by_ioduel")" "$(middle <"$lab/by_fio")" 2 "IOPS by ioduel against fio" ||
	lab_fail "$(paste "$lab/by_ioduel" "$lab/by_fio")"

# Device bytes: both look at the loop device while fio reads from it.
lab_fio_iops "$lab/a" 9 >"$lab/iops" &
fio_pid=$!
lab_undo "lab_kill_group; lab_wait 10 lab_group_is_empty"
is_reading() {
	local before=${reads:-0}
	read -r reads _ <"/sys/block/$name/stat"
	[ "$reads" -gt $((before + 20)) ]
}
lab_wait 30 is_reading || lab_fail "fio does not read"
iostat -d -k -y "$name" 1 5 >"$lab/iostat" &
iostat_pid=$!
"$ioduel" probe --json -i 1 -n 5 "$device" >"$lab/probe"
wait $iostat_pid
wait $fio_pid
jq '.disks[] | select(.name == "'"$name"'") | .read_bytes_per_s' "$lab/probe" | middle >"$lab/by_ioduel"
awk -v d="$name" '$1 == d { print $3 * 1024 }' "$lab/iostat" | middle >"$lab/by_iostat"
lab_within "$(cat "$lab/by_ioduel")" "$(cat "$lab/by_iostat")" 2 "bytes a second by ioduel against iostat" ||
	lab_fail "$(cat "$lab/probe" "$lab/iostat")"
lab_within "$(cat "$lab/by_ioduel")" 4096000 2 "bytes a second by ioduel against the throttle" || lab_fail "$(cat "$lab/probe")"

# The figures of a run name the devices below the loop device, which others use, too: they are compared where
# iostat shows that nobody else does.
leaf=$("$ioduel" run -a "$lab/a" --plan a -w randread:bs=4k,qd=8,size=64m --pairs 1 --slice 1 --settle 0.2 --warmup 0 --json \
	--quiet --no-save | jq -r '[.targets.a.devices[] | select(.physical) | .name][0] // empty')
[ -n "$leaf" ] || lab_fail "no physical device below the loop device is named"
iostat -d -k -y "$name" "$leaf" 1 >"$lab/iostat" &
iostat_pid=$!
lab_throttled "$ioduel" run -a "$lab/a" --plan a -w randread:bs=4k,qd=8,size=64m --pairs 2 --slice 3 --settle 0.5 --warmup 0 \
	--json --quiet --no-save >"$lab/result.json"
kill $iostat_pid
wait $iostat_pid 2>/dev/null || true
bytes=$(jq '.metrics[] | select(.name == "device_read_bytes_per_s") | .a.mean' "$lab/result.json")
awk -v d="$leaf" -v l="$name" '$1 == l { mine = $3 } $1 == d { other = $3 }
	/^$/ { if (mine > 3000 && other > mine * 1.01) busy++; mine = 0 } END { exit busy > 0 }' "$lab/iostat" || {
	echo "$leaf is busy with other work; $bytes not compared"
	exit 0
}
lab_within "$bytes" 4096000 2 "device bytes a second of a run" || lab_fail "$(cat "$lab/iostat")"
