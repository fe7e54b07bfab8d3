#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wrong usage of the built program: status 2, one sentence, nothing touched.
. "$(dirname "$0")/support_cli.sh"
mkdir "$work/a" "$work/b"
a=$work/a b=$work/b

refuses 2 'did you mean --pairs?' "$ioduel" run --pears 6
refuses 2 'needs -a TARGET' "$ioduel" run -w randread
refuses 2 'needs -w WORKLOAD' "$ioduel" run -a "$a" -b "$b"
refuses 2 'randread' "$ioduel" run -a "$a" -b "$b" -w randreed
refuses 2 'qd' "$ioduel" run -a "$a" -b "$b" -w randread:qdd=1
refuses 2 'qd' "$ioduel" run -a "$a" -b "$b" -w randread:qd=0
refuses 2 'bs' "$ioduel" run -a "$a" -b "$b" -w randread:bs=huge
refuses 2 'is odd' "$ioduel" run -a "$a" -b "$b" -w randread --pairs 7
refuses 2 'leaves nothing' "$ioduel" run -a "$a" -b "$b" -w randread --slice 1 --settle 2
refuses 2 'nothing differs' "$ioduel" run -a "$a" -b "$a" -w randread
ln -s "$a" "$work/link"
refuses 2 'nothing differs' "$ioduel" run -a "$a" -b "$work/link/." -w randread
refuses 2 'nothing differs' "$ioduel" "$a" "$a"
refuses 2 'did you mean workloads?' "$ioduel" worklods
refuses 2 'is an option of ioduel run' "$ioduel" --json "$a" "$b"
refuses 2 'takes no target' "$ioduel" demo "$a"
refuses 2 'did you mean randread?' "$ioduel" workloads randrea
refuses 2 'one name' "$ioduel" workloads randread randwrite
refuses 2 'out of range' "$ioduel" probe -i 0
refuses 2 'whole number' "$ioduel" probe -n 1.5
refuses 2 'needs an argument' "$ioduel" probe -n
refuses 2 'no device and no path' "$ioduel" probe -n 1 no-such-device
refuses 2 'nowhere' "$ioduel" probe --sysroot "$work/nowhere"

# names from outside must not drive the terminal
run_it "$ioduel" run -a "$a" -b "$b" -w $'\e[31mred'
[ "$status" = 2 ] || fail "a workload with an escape ended with $status"
if grep -q $'\e' "$work/err"; then fail "an escape sequence reached the terminal"; fi

# a configuration with mistakes is reported with its lines and ignored
mkdir -p "$XDG_CONFIG_HOME/ioduel"
printf 'layout = one\nlayuot = two\n' >"$XDG_CONFIG_HOME/ioduel/config"
run_it "$ioduel" "$a" "$a"
grep -qF 'ioduel/config:2: unknown key "layuot" (did you mean layout?)' "$work/err" || fail "config: $(cat "$work/err")"
refuses 2 'nothing differs' "$ioduel" run -a "$a" -b "$a" -w randread

works "$ioduel" workloads
for name in seqread seqwrite randread randwrite randrw; do says "$name "; done
works "$ioduel" workloads randread
for key in bs qd threads size direct; do says "  $key "; done

empty "$a"
empty "$b"
empty "$XDG_DATA_HOME"
