#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `ioduel probe` and `ioduel targets` on recorded machines, and on this one.
. "$(dirname "$0")/support_cli.sh"
roots=${IODUEL_SOURCE_DIR:?}/tests/roots

# columns of the last run's line for a device: read_iops write_iops read_MBs write_MBs read_us write_us
figures() {
	awk -v d="$1" '$3 == d { print $4, $5, $6, $7, $8, $9 }' "$work/out"
}

works "$ioduel" probe --sysroot "$roots/busy-nvme" nvme0n1
[ "$(figures nvme0n1)" = "347000.0 1000.0 1421.31 4.10 92.0 40.0" ] || fail "busy-nvme: $(figures nvme0n1)"
says 'MB/s'
works "$ioduel" probe --sysroot "$roots/busy-nvme" -i 2 nvme0n1
[ "$(figures nvme0n1)" = "173500.0 500.0 710.66 2.05 92.0 40.0" ] || fail "over 2 s: $(figures nvme0n1)"
works "$ioduel" probe --sysroot "$roots/busy-nvme" --json nvme0n1
says '"read_iops":347000.0'
[ "$(wc -l <"$work/out")" = 1 ] || fail "JSON: not one line a tick: $(cat "$work/out")"

# a device that goes away and comes back: dashes, and null in JSON, never 0
works "$ioduel" probe --sysroot "$roots/gone" sdb
[ "$(figures sdb | head -n 1)" = "- - - - - -" ] || fail "gone: $(figures sdb)"
works "$ioduel" probe --sysroot "$roots/gone" --json sdb
head -n 1 "$work/out" | grep -qF '"read_iops":null' || fail "gone: $(head -n 1 "$work/out")"
works "$ioduel" probe --sysroot "$roots/gone" -n 1 sdb
[ "$(grep -c sdb "$work/out")" = 1 ] || fail "-n 1 gave $(grep -c sdb "$work/out") ticks"

works "$ioduel" targets --sysroot "$roots/idle/t0" /
says 'ext4 on nvme0n1'
works "$ioduel" targets --sysroot "$roots/idle/t0" / /home
says '! shares the device nvme0n1 with /home'
works "$ioduel" targets "$work"
says "$work"
refuses 2 'nowhere' "$ioduel" targets "$work/nowhere"
refuses 1 'no device below it' "$ioduel" probe -n 1 /proc

# this machine: the first line comes after the second reading, and covers the time that was measured
devices=$(awk '$4 + $8 > 0 { print $3; exit }' /proc/diskstats 2>/dev/null)
if [ -n "$devices" ]; then
	works "$ioduel" probe -i 0.1 -n 2 "$devices"
	[ "$(grep -c " $devices " "$work/out")" = 2 ] || fail "two ticks expected: $(cat "$work/out")"
	[ "$(awk -v d="$devices" '$3 == d && ($2 < 0.05 || $2 == "-") { print }' "$work/out")" = "" ] || fail "$(cat "$work/out")"
	run_it bash -c "set -o pipefail; '$ioduel' probe -i 0.1 $devices | head -n 3"
	[ "$status" = 0 ] && [ ! -s "$work/err" ] || fail "a reader that goes: status $status, $(cat "$work/err")"
	refuses 1 'No space left on device' bash -c "exec '$ioduel' probe -i 0.1 -n 1 $devices >/dev/full"
fi
