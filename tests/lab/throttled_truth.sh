#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A known truth: two loop devices with a file system each, held by the kernel to
# 1000 and 1200 reads a second. `ioduel run` must find B faster, and 1.2 within
# its interval. A machine that does other work falls below the throttle,
# and a right interval misses the truth once in twenty times: three attempts.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_need jq fio
lab_throttle_init
lab_loop a 320
device_a=$lab_device
lab_mount ext4 "$device_a" a
lab_loop b 320
device_b=$lab_device
lab_mount xfs "$device_b" b

# A throttle alone is so exact that every slice holds the same number. A neighbour takes one read in fifty away on
# either side, at random instants: 980 and 1176 are left, and slices differ as they do on real devices.
neighbour() {
	lab_throttled fio --name=n --directory="$lab/$1" --rw=randread --bs=4k --direct=1 --size=16m --rate_iops="$2" \
		--rate_process=poisson --time_based --runtime=600 >/dev/null 2>&1 &
}

field() {
	jq -r "$@" "$lab/result.json"
}

# session SEED
session() {
	lab_throttled "$ioduel" run -a "$lab/a" -b "$lab/b" -w randread:bs=4k,qd=8,size=64m --pairs 6 --slice 2.5 \
		--settle 0.5 --warmup 1 --seed "$1" --json --quiet --no-save >"$lab/result.json" 2>"$lab/err" ||
		lab_fail "ioduel run ended with status $?: $(cat "$lab/err")"
	field '.verdict.text, (.metrics[] | select(.name == "iops") | "ratio \(.ratio), interval \(.ci[0]) .. \(.ci[1])")'
	field -e '.verdict.verdict == "b" and (.pairs | length == 6)' >/dev/null &&
		field -e '.metrics[] | select(.name == "iops") | .ci[0] <= 1.201 and .ci[1] >= 1.199 and .ci[1] - .ci[0] < 0.1' >/dev/null
}

lab_throttle "$device_a" 1000
lab_throttle "$device_b" 1200
three_attempts() {
	local attempt
	for attempt in 1 2 3; do
		echo "$1, attempt $attempt"
		if session "$attempt"; then return 0; fi
	done
	lab_fail "$1: the truth was missed three times"
}

three_attempts "the throttle alone"
neighbour a 20
neighbour b 24
lab_undo "lab_kill_group; lab_wait 10 lab_group_is_empty"
three_attempts "with a neighbour"
