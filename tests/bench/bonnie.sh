#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The bonnie workload beside bonnie++ 2.00a on the same file system, the two
# interleaved; and bonnie++ against itself, so that the spread is seen. Compared
# are the block phases, the seeks and the small files: per-char I/O is stdio here (as in
# 1.03) and one system call per byte there, and its seeks %CP counts every thread five times.
# usage: ./dev bench bonnie [DIRECTORY [ROUNDS [SIZE-IN-MIB [FILES-IN-1024]]]]
set -euo pipefail
dir=${1:-$(mktemp -d /var/tmp/ioduel-bench.XXXXXX)}
rounds=${2:-6}
size=${3:-2048}
files=${4:-64}
work=$(mktemp -d)
trap 'rm -rf "$work"; rmdir "$dir" 2>/dev/null || true' EXIT
export IODUEL_WORKER=$IODUEL_BINARY_DIR/ioduel-worker
fields="put_block rewrite get_block seeks seq_create seq_stat seq_del ran_create ran_stat ran_del"

# Fields of the 50-field CSV, in the order of $fields.
run_bonnie() {
	local user=()
	[ "$(id -u)" = 0 ] && user=(-u root)
	bonnie++ -d "$dir" -s "${size}m" -r $((size / 2)) -n "$files" -f -q "${user[@]}" 2>/dev/null |
		awk -F, '{ print $12, $14, $18, $20, $27, $29, $31, $33, $35, $37 }'
}

run_ioduel() {
	"$IODUEL_BINARY_DIR/tool_worker" "$dir" "bonnie:size=${size}m,files=$files,fast=1,seekers=5" 0 0 2>/dev/null >"$work/one"
	for f in $fields; do
		awk -v f="$f" '$1 == f { print (NF > 2 ? "+++++" : $2) }' "$work/one"
	done | paste -sd' '
}

# The first to write after a pause pays for memory that the machine must find anew (in a virtual machine up to three
# times the system time), so a round that does not count comes first, and each of the three takes each place in turn.
round() {
	case $1 in
	0) a=$(run_bonnie) b=$(run_ioduel) c=$(run_bonnie) ;;
	1) b=$(run_ioduel) c=$(run_bonnie) a=$(run_bonnie) ;;
	2) c=$(run_bonnie) a=$(run_bonnie) b=$(run_ioduel) ;;
	esac
}
round 0
for ((i = 0; i < rounds; i++)); do
	round $((i % 3))
	echo "$a $b $c" >>"$work/rows"
	echo "round $((i + 1)) of $rounds" >&2
done

echo "bonnie++ 2.00a and ioduel, $rounds rounds, $size MiB, $files x 1024 files, on $(df --output=source "$dir" | tail -1)"
python3 - "$work/rows" "$fields" <<-'END'
	import sys
	names = sys.argv[2].split()
	rows = [l.split() for l in open(sys.argv[1])]
	k = len(names)
	def column(i):
	    return [float(r[i]) for r in rows if r[i] not in ("", "+++++")]
	def spread(v):
	    return "%9.0f %9.0f %9.0f" % (min(v), sorted(v)[len(v) // 2], max(v)) if v else "   too fast to measure       "
	print("%-12s %30s   %30s   %s" % ("", "bonnie++: least, median, most", "ioduel: least, median, most", "median within bonnie++'s spread"))
	for i, n in enumerate(names):
	    theirs, mine = column(i) + column(2 * k + i), column(k + i)
	    if theirs and mine:
	        m = sorted(mine)[len(mine) // 2]
	        word = "yes" if min(theirs) <= m <= max(theirs) else "no: %.2f of its median" % (m / sorted(theirs)[len(theirs) // 2])
	    else:
	        word = "-"
	    print("%-12s %30s   %30s   %s" % (n, spread(theirs), spread(mine), word))
END
