#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./dev bench verdict [SESSIONS]: what the procedure and the naive ways come to
# on synthetic targets; the tables of doc/METHOD.md.
# ./dev bench verdict real [SESSIONS]: known truths on loop devices that the
# kernel throttles, and two directories of one disk (root; about half an hour).
set -euo pipefail

if [ "${1:-}" != real ]; then
	exec "$IODUEL_BINARY_DIR/tests/sim-naive" table "${1:-4000}"
fi
sessions=${2:-20}

# The same disk twice, in a shell of its own: it cleans up after itself.
IODUEL_A10_SESSIONS=$sessions IODUEL_A10_CLAIMS=$((3 * sessions / 20)) \
	bash "$IODUEL_SOURCE_DIR/tests/lab/same_disk.sh" || [ $? = 77 ] || echo "same disk: FAILED"

# shellcheck source=tests/lab/support.sh
. "$IODUEL_SOURCE_DIR/tests/lab/support.sh"
lab_init
lab_need_loops
lab_need jq
lab_throttle_init
lab_loop a 320
device_a=$lab_device
lab_mount ext4 "$device_a" a
lab_loop b 320
device_b=$lab_device
lab_mount ext4 "$device_b" b

# How many of the sessions claim, and in how many the interval holds the truth. The throttle itself is exact
# to 0.1 % only (as fio sees it), which the truth is allowed. It also hands out reads in whole tenths of a second:
# counted times that are not a multiple of it give figures with a spread, where others give the same count each time.
truth() {
	local truth=$1 i claims=0 holds=0
	lab_throttle "$device_a" 1000
	lab_throttle "$device_b" "$(awk -v t="$truth" 'BEGIN { print 1000 * t }')"
	for ((i = 1; i <= sessions; i++)); do
		lab_throttled "$ioduel" run -a "$lab/a" -b "$lab/b" -w randread:bs=4k,qd=8,size=64m --pairs 6 --slice 1.33 \
			--settle 0.2 --warmup 1 --seed "$i" --json --quiet --no-save >"$lab/result.json" 2>"$lab/err" </dev/null || {
			echo "session $i: $(cat "$lab/err")"
			continue
		}
		case $(jq -r .verdict.verdict "$lab/result.json") in
		a | b | small) claims=$((claims + 1)) ;;
		esac
		if jq -e --argjson t "$truth" '.metrics[] | select(.name == "iops") |
			.ci != null and .ci[0] <= $t * 1.001 and .ci[1] >= $t * 0.999' "$lab/result.json" >/dev/null; then
			holds=$((holds + 1))
		else
			jq -c "{truth: $truth, seed: .plan.seed, ci: (.metrics[] | select(.name == \"iops\") | .ci), text: .verdict.text}" "$lab/result.json"
		fi
	done
	echo "1000 against $(awk -v t="$truth" 'BEGIN { print 1000 * t }') reads a second:" \
		"$claims of $sessions sessions claim a difference, $holds hold the truth"
}

truth 1.0
truth 1.05
truth 1.2
