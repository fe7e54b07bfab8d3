#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The engine against fio: same file, block size, depth and options, the two
# interleaved; ratios of IOPS and of CPU time per I/O with their 95 % intervals,
# and fio against fio, so that the noise is seen. Then latencies on a throttled
# loop device (root), and a worker with the screen attached against it alone.
# Ratios are those of sums over all rounds with jackknife intervals: CPU time
# comes in ticks, and single rounds of it say little.
# usage: ./dev bench engine [DIRECTORY [ROUNDS [SECONDS [ROWS]]]]; ROWS: a
# regular expression, for instance "qd 8|throttled|screen"
set -euo pipefail
dir=${1:-$(mktemp -d /var/tmp/ioduel-bench.XXXXXX)}
rounds=${2:-8}
seconds=${3:-2}
rows=${4:-.}
tool=$IODUEL_BINARY_DIR/tool_worker
work=$(mktemp -d)
data=$dir/ioduel-bench.data
file=$data
trap 'rm -rf "$work"; rm -f "$data"; rmdir "$dir" 2>/dev/null || true' EXIT
export IODUEL_BINARY_DIR IODUEL_WORKER=$IODUEL_BINARY_DIR/ioduel-worker XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config
: "${IODUEL_SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}"
# What a command is run by: nothing, or the throttle.
below=(env)

# The worker may write to the file: it was made for that.
export IODUEL_BENCH_OVERWRITE=1
fio --name=fill --filename="$data" --rw=write --bs=1m --size=1g --direct=1 --end_fsync=1 --output=/dev/null

# run_fio RW BS QD DIRECT SIZE RAMP -> "ios seconds user_us sys_us p50 p99". The latency is fio's lat: like ours it
# begins when the I/O is handed over; its clat begins only once the kernel has taken it.
run_fio() {
	"${below[@]}" fio --name=bench --filename="$file" --size="$5" --rw="$1" --bs="$2" --iodepth="$3" --direct="$4" \
		--ioengine=io_uring --fixedbufs=1 --registerfiles=1 --time_based --runtime="$seconds" --ramp_time="$6" \
		--norandommap --randrepeat=0 --lat_percentiles=1 --output-format=json+ --output="$work/fio.json"
	python3 - "$work/fio.json" <<-'END'
		import json, sys
		j = json.load(open(sys.argv[1]))["jobs"][0]
		d = j["read"] if j["read"]["total_ios"] else j["write"]
		us = j["job_runtime"] * 1000 / 100
		p = d["lat_ns"]["percentile"]
		print(d["total_ios"], d["runtime"] / 1000, j["usr_cpu"] * us, j["sys_cpu"] * us, p["50.000000"], p["99.000000"])
	END
}

# run_ioduel: the same
run_ioduel() {
	"${below[@]}" "$tool" "$file" "$1:bs=$2,qd=$3,direct=$4,size=$5,seed=$RANDOM" "$6" "$(awk "BEGIN { print $seconds + $6 }")" |
		awk 'NR == 1 { print $1, $3 / 1e9, $4, $5, $6, $7 }'
}

# ratios HOW NAME: of the rows gathered in $work/rows, six figures of each of two or three runs a round.
ratios() {
	python3 - "$1" "$2" "$work/rows" <<-'END'
		import math, sys
		how, name, path = sys.argv[1:]
		rows = [[float(x) for x in l.split()] for l in open(path)]
		n = len(rows)
		T = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 11: 2.20, 15: 2.13, 19: 2.09}
		t = T.get(n - 1, 2.05 if n > 25 else 2.2)
		def log_ratio(rows, over, under, first, second):
		    def per(run):
		        total = sum(r[run * 6 + under] for r in rows)
		        return sum(r[run * 6 + over] for r in rows) / total if total else 0
		    x, y = per(first), per(second)
		    return math.log(y / x) if x > 0 and y > 0 else None
		def ratio(over, under, first=0, second=1):
		    whole = log_ratio(rows, over, under, first, second)
		    parts = [log_ratio(rows[:i] + rows[i + 1:], over, under, first, second) for i in range(n)]
		    if n < 2 or whole is None or None in parts:
		        return "-".ljust(18)
		    m = sum(parts) / n
		    se = math.sqrt((n - 1) / n * sum((p - m) ** 2 for p in parts))
		    return "%.3f (%.3f..%.3f)" % tuple(math.exp(whole + k * t * se) for k in (0, -1, 1))
		def bucket(ns):
		    v, e = int(ns), max(int(ns).bit_length() - 7, 0)
		    return e * 64 + (v >> e)
		def apart(figure, second):
		    d = sorted(bucket(r[second * 6 + figure]) - bucket(r[figure]) for r in rows)
		    return "%+d (%+d..%+d)" % (d[n // 2], d[0], d[-1])
		if how == "fio":
		    print("%-26s %9.0f   %s  %s  %s  %s" % (name, sum(r[0] for r in rows) / sum(r[1] for r in rows),
		        ratio(0, 1), ratio(2, 0), ratio(3, 0), ratio(0, 1, 0, 2)))
		elif how == "latency":
		    print("%-26s p50 %s  p99 %s   fio/fio: p50 %s  p99 %s" % (name, apart(4, 1), apart(5, 1), apart(4, 2), apart(5, 2)))
		else:
		    print("%-26s %9.0f   %s   alone/alone: %s" % (name, sum(r[0] for r in rows) / sum(r[1] for r in rows), ratio(0, 1),
		        ratio(0, 1, 0, 2)))
	END
}

# gather A B C: each a command that prints six figures; in every round each takes another place.
gather() {
	local a b c
	: >"$work/rows"
	for ((i = 0; i < rounds; i++)); do
		case $((i % 3)) in
		0) a=$($1) b=$($2) c=$($3) ;;
		1) b=$($2) c=$($3) a=$($1) ;;
		2) c=$($3) a=$($1) b=$($2) ;;
		esac
		echo "$a $b $c" >>"$work/rows"
	done
}

row() {
	local name=$1 rw=$2
	[[ $name =~ $rows ]] || return 0
	shift 2
	local mine=$rw
	case $rw in read) mine=seqread ;; write) mine=seqwrite ;; esac
	gather "run_fio $rw $*" "run_ioduel $mine $*" "run_fio $rw $*"
	ratios fio "$name"
}

# The loop device, its throttle and their undoing are those of the lab tests.
throttled() {
	[[ "throttled loop" =~ $rows ]] || return 0
	# shellcheck source=tests/lab/support.sh
	. "$IODUEL_SOURCE_DIR/tests/lab/support.sh"
	lab_init
	lab_need_loops
	lab_throttle_init
	lab_loop a 320
	lab_throttle "$lab_device" "$1"
	file=$lab_device
	below=(lab_throttled)
	# The kernel lets requests through in bursts, ten a second: below some hundred in flight most of a burst never
	# waits, and p50 is that of the disk beneath; fio against fio shows how far that wanders.
	# What fio counts in the moments after its ramp and before its end weighs heavily in a short run: of 2 s its p99 at
	# 256 in flight is 1.7 times that of 20 s.
	local qd seconds=12
	for qd in 8 256; do
		gather "run_fio randread 4k $qd 1 256m 0.5" "run_ioduel randread 4k $qd 1 256m 0.5" "run_fio randread 4k $qd 1 256m 0.5"
		ratios latency "qd $qd"
	done
	gather "alone randread:qd=8" "with_screen randread:qd=8" "alone randread:qd=8"
	ratios screen "throttled loop device"
}

# alone WORKLOAD -> six figures of one worker
alone() {
	"${below[@]}" "$tool" "$file" "$1" 1 "$((seconds + 1))" | awk 'NR == 1 { print $1, $3 / 1e9, $4, $5, $6, $7 }'
}

# with_screen WORKLOAD: the same, of a turn by hand in a screen of 200x50: its first second is left out, as above.
with_screen() {
	local session=$work/screen.jsonl pid
	rm -f "$session" "$work/keys"
	mkfifo "$work/keys"
	exec 3<>"$work/keys"
	# shellcheck disable=SC2016 # expanded by the inner shell
	IODUEL_SESSION=$session IODUEL_WORK=$1 IODUEL_FILE=$file TERM=xterm-256color "${below[@]}" script -qfc \
		'stty rows 50 cols 200; exec "$IODUEL_BINARY_DIR/ioduel" "$IODUEL_FILE" -w "$IODUEL_WORK" --plan a --save "$IODUEL_SESSION"' \
		/dev/null <&3 >/dev/null 2>&1 &
	pid=$!
	sleep $((seconds + 4))
	# The second one answers whether what runs is to end.
	printf qq >&3
	wait $pid || true
	exec 3>&-
	"$IODUEL_BINARY_DIR/ioduel" export "$session" -f csv --table intervals | awk -F, -v want="$seconds" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		!($at["read_ops"] > 0) { next }
		!started { from = $at["begin_s"] + 1; started = 1 }
		$at["begin_s"] >= from && s < want { n += $at["read_ops"]; s += $at["end_s"] - $at["begin_s"] }
		END { print n + 0, s + 0, 0, 0, 0, 0 }'
}

screen_row() {
	[[ "screen: $1" =~ $rows ]] || return 0
	gather "alone $2" "with_screen $2" "alone $2"
	ratios screen "$1"
}

echo "ratios with 95 % intervals, $rounds rounds of $seconds s each, file on $(df --output=source "$dir" | tail -1)"
echo "                            fio IOPS   ioduel/fio: IOPS     user CPU per I/O     sys CPU per I/O      fio/fio: IOPS"
for qd in 1 8 32 128; do
	row "4k random read qd $qd" randread 4k "$qd" 1 1g 0.5
done
row "128k sequential read qd 8" read 128k 8 1 1g 0.5
row "128k sequential write qd 8" write 128k 8 1 1g 0.5
# Small and with a ramp long enough to have been read once.
row "4k from the page cache" randread 4k 32 0 32m 1.5

echo
echo "histogram buckets (64 a power of two, 1.6 % each) by which ioduel's latency lies above fio's, on a loop device held to
1000 reads a second: median of the rounds (least..most); then a worker with the screen attached, as below"
status=0
(throttled 1000) || status=$?
# lab_skip has said why.
[ $status = 0 ] || [ $status = 77 ] || exit $status

echo
echo "a worker with the screen attached against the same worker alone: IOPS alone, ratio"
screen_row "the file, qd 8" "randread:qd=8,size=1g"
screen_row "the file, qd 1" "randread:qd=1,size=1g"
file=$dir
screen_row "null backend, qd 32" "randread:backend=null,qd=32"

echo
echo "the engine alone (null backend, one core):"
"$tool" "$dir" randread:backend=null,qd=32 0.2 1.2 | awk '{ printf "  %.1f million I/Os a second, %.1f ns user CPU per I/O\n", $1 / $3 * 1e3, $4 * 1000 / $1 }'
