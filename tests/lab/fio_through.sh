#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The user's own fio job through ioduel beside the same job by fio alone, in turns
# on a throttled loop device: read IOPS within 2 %, of a job that only reads and of
# one that mixes (how many writes come with them is the draw of the run). A machine that falls below the throttle says nothing: three attempts.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_need jq fio
lab_throttle_init
lab_loop a 320
lab_mount ext4 "$lab_device" a
lab_throttle "$lab_device" 1000

cat >"$lab/read.fio" <<'END'
[t]
rw=randread
bs=4k
iodepth=8
ioengine=io_uring
direct=1
size=64m
time_based
runtime=3
ramp_time=1
END
sed 's/randread/randrw\nrwmixread=70/' "$lab/read.fio" >"$lab/mix.fio"

middle() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

alone() {
	(cd "$lab/a" && lab_throttled fio --output-format=json "$1") 2>"$lab/err" | awk '/^\{/ { on = 1 } on' |
		jq '.jobs[0].read.iops' || lab_fail "$(cat "$lab/err")"
}

through() {
	lab_throttled "$ioduel" run -a "$lab/a" --plan a -w "fio:job=$1" --pairs 1 --slice 4 --settle 1 --warmup 0 --json --quiet \
		--no-save 2>"$lab/err" | jq '.metrics[] | select(.name == "read_bytes_per_s") | .a.mean / 4096' || lab_fail "$(cat "$lab/err")"
}

compare() {
	local turn
	rm -f "$lab/by_fio" "$lab/by_ioduel"
	for turn in 1 2 3; do
		if [ $turn = 2 ]; then
			through "$1" >>"$lab/by_ioduel"
			alone "$1" >>"$lab/by_fio"
		else
			alone "$1" >>"$lab/by_fio"
			through "$1" >>"$lab/by_ioduel"
		fi
	done
	lab_within "$(middle <"$lab/by_ioduel")" "$(middle <"$lab/by_fio")" 2 "$2: read IOPS of the job through ioduel against fio alone"
}

for job in read mix; do
	done=
	for attempt in 1 2 3; do
		if compare "$lab/$job.fio" "$job, attempt $attempt"; then
			done=1
			break
		fi
		paste "$lab/by_ioduel" "$lab/by_fio"
	done
	[ $done ] || lab_fail "$job: more than 2 % apart three times"
done
