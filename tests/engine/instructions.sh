#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The engine's own cost: at most 300 user instructions per I/O on the null
# backend with the histogram on, counted by callgrind as the difference of two
# run lengths.
set -euo pipefail
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
nm "$IODUEL_BINARY_DIR/ioduel-worker" | grep __asan_init >/dev/null && { echo "skipped: built with a sanitizer"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/worker" <<END
#!/bin/sh
exec valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="\$IODUEL_TEST_LOG" "$IODUEL_BINARY_DIR/ioduel-worker"
END
chmod +x "$work/worker"
export IODUEL_WORKER=$work/worker

# count SECONDS KEYS: sets ops and instructions.
count() {
	export IODUEL_TEST_LOG=$work/log
	ops=$("$IODUEL_BINARY_DIR/tool_worker" "$work" "randread:backend=null,size=1g,$2" 0 "$1" | awk 'NR == 1 { print $1 }')
	# The worker ends by itself once its socket is closed.
	for ((i = 0; i < 100; i++)); do
		instructions=$(awk '/Collected/ { print $NF }' "$work/log")
		[ -n "$instructions" ] && return
		read -rt 0.1 <> <(:) || true
	done
	echo "callgrind counted nothing"
	cat "$work/log"
	exit 1
}

failed=0
for keys in qd=32 qd=1 "qd=32,dist=zipf:0.9"; do
	count 0.5 "$keys"
	ops1=$ops instructions1=$instructions
	count 2 "$keys"
	each=$(awk "BEGIN { printf \"%.0f\", ($instructions - $instructions1) / ($ops - $ops1) }")
	echo "$keys: $each instructions per I/O ($ops I/Os)"
	# Alone in flight, every I/O pays for a whole turn of the loop; and zipf computes logarithms. Shown, not judged.
	[ "$keys" != qd=32 ] || [ "$each" -le 300 ] || failed=1
done
exit $failed
