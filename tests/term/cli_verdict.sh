#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `ioduel verdict` from end to end: the verdict as text and as JSON, what it
# refuses, and the statuses that a script relies on.
. "$(dirname "$0")/support_cli.sh"
pairs=$work/pairs.csv
printf '%s\n' order,a,b AB,100,108 BA,102,111 BA,98,107 AB,101,112 AB,99,106 BA,103,115 AB,97,104 BA,100,110 >"$pairs"

works "$ioduel" verdict "$pairs"
says 'B is 9.1 % faster than A (95 % CI 7.7..11 %, 8 pairs)'
cp "$work/out" "$work/text"
"$ioduel" verdict <"$pairs" >"$work/out" 2>&1
cmp -s "$work/out" "$work/text" || fail "standard input gives another answer than the file"
sed 's/$/\r/' "$pairs" >"$work/crlf.csv"
works "$ioduel" verdict "$work/crlf.csv"
cmp -s "$work/out" "$work/text" || fail "CRLF gives another answer"

works "$ioduel" verdict --json "$pairs"
cp "$work/out" "$work/first.json"
says '"verdict": "b"'
says '"pairs_done": 8'
works "$ioduel" verdict --json "$pairs"
cmp -s "$work/out" "$work/first.json" || fail "the same pairs give other bytes"

works "$ioduel" verdict --times "$pairs"
says 'B is 8.4 % slower than A'
says 'B needs 9.1 % more time'
works "$ioduel" verdict --primary lat_p99_ns "$pairs"
says "B's p99 latency is 9.1 % higher than A's"
works "$ioduel" verdict --effect 20% "$pairs"
says 'real, but below the 20 % that matters here'
works "$ioduel" verdict --pairs 12 "$pairs"
says 'stopped early after 8 of 12 pairs'

# Below six pairs: no interval and no estimate anywhere.
head -n 5 "$pairs" >"$work/four.csv"
works "$ioduel" verdict "$work/four.csv"
says 'not enough evidence yet: 2 more pairs'
works "$ioduel" verdict --json "$work/four.csv"
grep -q '"ci": null' "$work/out" || fail "four pairs without a null interval"
! grep -qE '"ci": \[' "$work/out" || fail "an interval from four pairs"

refuses 2 'pairs.csv:3: b is "x", which is not a number' bash -c "cd '$work' && sed '3s/111/x/' pairs.csv >x.csv && mv x.csv pairs.csv && '$ioduel' verdict pairs.csv"
refuses 2 'empty' "$ioduel" verdict
refuses 2 'No such file' "$ioduel" verdict "$work/none.csv"
refuses 2 'takes one file' "$ioduel" verdict "$work/four.csv" "$pairs"
refuses 2 'even number' "$ioduel" verdict --pairs 7 "$work/four.csv"
refuses 2 'no such metric' "$ioduel" verdict --primary speed "$work/four.csv"
refuses 2 '--frob' "$ioduel" verdict --frob

# For scripts: 3 where B is slower by more than that, 0 where it is not, 1 where nothing can be said.
run_it "$ioduel" verdict --times --fail-if-slower 5% "$work/crlf.csv"
[ "$status" = 3 ] || fail "--fail-if-slower 5% ended with $status"
run_it "$ioduel" verdict --times --fail-if-slower 8% "$work/crlf.csv"
[ "$status" = 0 ] || fail "--fail-if-slower 8% ended with $status"
run_it "$ioduel" verdict --fail-if-slower 5% "$work/crlf.csv"
[ "$status" = 0 ] || fail "--fail-if-slower of a faster B ended with $status"
run_it "$ioduel" verdict --fail-if-slower 5% "$work/four.csv"
[ "$status" = 1 ] || fail "--fail-if-slower without a verdict ended with $status"

# A million pairs, in a moment.
awk 'BEGIN { print "order,a,b"; for (i = 0; i < 1000000; i++) printf "%s,%d,%d\n", i % 4 == 0 || i % 4 == 3 ? "AB" : "BA", 95 + i % 11, 99 + i % 7 }' >"$work/million.csv"
works "$ioduel" verdict "$work/million.csv"
says '1000000 pairs'

# The same figures under the same name, whichever command reads them.
printf 'order,a,b\nAB,100,108\nBA,102,111\nBA,98,107\nAB,101,112\nAB,99,106\nBA,103,115\n' >"$work/same.csv"
works "$ioduel" verdict "$work/same.csv"
sed -n '/^ /,$p' "$work/out" >"$work/first"
says 'rate  '
works "$ioduel" show "$work/same.csv"
sed -n '/^ /,$p' "$work/out" | cmp - "$work/first" || fail "show and verdict differ: $(cat "$work/out")"
