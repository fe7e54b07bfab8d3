#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The engine against fio: same file, block size, depth and options, the two
# interleaved; ratios of IOPS and of user CPU time per I/O with their 95 %
# intervals, and fio against fio, so that the noise is seen.
# usage: ./dev bench engine [DIRECTORY [ROUNDS [SECONDS]]]
set -euo pipefail
dir=${1:-$(mktemp -d /var/tmp/ioduel-bench.XXXXXX)}
rounds=${2:-8}
seconds=${3:-2}
tool=$IODUEL_BINARY_DIR/tool_worker
work=$(mktemp -d)
file=$dir/ioduel-bench.data
trap 'rm -rf "$work"; rm -f "$file"; rmdir "$dir" 2>/dev/null || true' EXIT
export IODUEL_WORKER=$IODUEL_BINARY_DIR/ioduel-worker

# The worker may write to the file: it was made for that.
export IODUEL_BENCH_OVERWRITE=1
fio --name=fill --filename="$file" --rw=write --bs=1m --size=1g --direct=1 --end_fsync=1 --output=/dev/null

# run_fio RW BS QD DIRECT SIZE RAMP -> "iops user_ns_per_io sys_ns_per_io p50 p99"
run_fio() {
	fio --name=bench --filename="$file" --size="$5" --rw="$1" --bs="$2" --iodepth="$3" --direct="$4" --ioengine=io_uring \
		--fixedbufs=1 --registerfiles=1 --time_based --runtime="$seconds" --ramp_time="$6" --norandommap --randrepeat=0 \
		--output-format=json+ --output="$work/fio.json"
	python3 - "$work/fio.json" <<-'END'
		import json, sys
		j = json.load(open(sys.argv[1]))["jobs"][0]
		d = j["read"] if j["read"]["total_ios"] else j["write"]
		n, s = d["total_ios"], d["runtime"] / 1000
		cpu = j["job_runtime"] / 1000 * 1e9 / 100 / n
		p = d["clat_ns"]["percentile"]
		print(n / s, j["usr_cpu"] * cpu, j["sys_cpu"] * cpu, p["50.000000"], p["99.000000"])
	END
}

# run_ioduel: the same
run_ioduel() {
	"$tool" "$file" "$1:bs=$2,qd=$3,direct=$4,size=$5,seed=$RANDOM" "$6" "$(awk "BEGIN { print $seconds + $6 }")" |
		awk 'NR == 1 { print $1 / $3 * 1e9, $4 * 1000 / $1, $5 * 1000 / $1, $6, $7 }'
}

row() {
	local name=$1 rw=$2 mine
	shift 2
	case $rw in randread) mine=randread ;; read) mine=seqread ;; write) mine=seqwrite ;; esac
	: >"$work/rows"
	for ((i = 0; i < rounds; i++)); do
		if ((i % 2)); then
			b=$(run_ioduel "$mine" "$@")
			a=$(run_fio "$rw" "$@")
		else
			a=$(run_fio "$rw" "$@")
			b=$(run_ioduel "$mine" "$@")
		fi
		c=$(run_fio "$rw" "$@")
		echo "$a $b $c" >>"$work/rows"
	done
	python3 - "$name" "$work/rows" <<-'END'
		import math, sys
		rows = [[float(x) for x in l.split()] for l in open(sys.argv[2])]
		T = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 10: 2.26, 12: 2.20, 16: 2.13, 20: 2.09}
		def ratio(i, j):
		    logs = [math.log(r[j] / r[i]) for r in rows if r[i] > 0 and r[j] > 0]
		    n = len(logs)
		    if n < 2:
		        return "      -        "
		    m = sum(logs) / n
		    se = math.sqrt(sum((x - m) ** 2 for x in logs) / (n - 1) / n)
		    t = T.get(n, 2.0)
		    return "%.2f (%.2f..%.2f)" % (math.exp(m), math.exp(m - t * se), math.exp(m + t * se))
		iops = sum(r[0] for r in rows) / len(rows)
		print("%-26s %9.0f   %s   %s   %s   %s" % (sys.argv[1], iops, ratio(0, 5), ratio(1, 6), ratio(2, 7), ratio(0, 10)))
	END
}

echo "ratios with 95 % intervals, $rounds rounds of $seconds s each, file on $(df --output=source "$dir" | tail -1)"
echo "                            fio IOPS   ioduel/fio: IOPS     user CPU per I/O   sys CPU per I/O    fio/fio: IOPS"
for qd in 1 8 32 128; do
	row "4k random read qd $qd" randread 4k "$qd" 1 1g 0.5
done
row "128k sequential read qd 8" read 128k 8 1 1g 0.5
row "128k sequential write qd 8" write 128k 8 1 1g 0.5
# Small and with a ramp long enough to have been read once.
row "4k from the page cache" randread 4k 32 0 32m 1.5

echo
echo "the engine alone (null backend, one core):"
"$tool" "$dir" randread:backend=null,qd=32 0.2 1.2 | awk '{ printf "  %.1f million I/Os a second, %.1f ns user CPU per I/O\n", $1 / $3 * 1e3, $4 * 1000 / $1 }'
