#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Saved and foreign results from the command line: show, compare, export, list
# and rm; their statuses, their sentences, and that a file's content steers no
# terminal.
. "$(dirname "$0")/support_cli.sh"
data=$IODUEL_SOURCE_DIR/tests/data/foreign
mkdir "$work/a" "$work/b"
quick=(-w "randread:size=4m,qd=2,direct=0" --set-b qd=1 --slice 0.1 --settle 0 --warmup 0 --quiet)

works_json() { # works_json COMMAND...: standard output is one JSON value
	works "$@"
	if command -v python3 >/dev/null; then
		python3 -c 'import json, sys; json.load(sys.stdin)' <"$work/out" || fail "$* did not print JSON"
	fi
}

# no byte of what was printed steers a terminal
harmless() {
	! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/out" "$work/err" || fail "control characters: $(cat -v "$work/out" | head -n 5)"
}

# foreign results
works "$ioduel" show "$data/bonnie-1.03c-mail.txt"
says '28299 KiB/s'
says '3093.9 1/s'
works "$ioduel" show "$data/time-raidz2.txt"
says '62220.14 s'
works_json "$ioduel" show --json "$data/fio-3.33-status-interval.txt"
works_json "$ioduel" show --json "$data/fio-3.33-status-interval.txt:sw"
works "$ioduel" compare "$data/time-raidz2.txt" "$data/time-ssd-raidz1.txt"
says 'NO VERDICT: not interleaved'
says 'one run each'
run_it "$ioduel" compare "$data/time-raidz2.txt" "$data/time-ssd-raidz1.txt" --fail-if-slower 1
[ "$status" = 1 ] || fail "no verdict, yet --fail-if-slower ended with $status"
works "$ioduel" compare "$data"
says 'no claim follows'
works_json "$ioduel" compare --json "$data"
refuses 2 'no figures in common' "$ioduel" compare "$data/time-raidz2.txt" "$data/bonnie-1.03c.txt"

# wrong use
refuses 2 'show which file' "$ioduel" show
refuses 2 'one file' "$ioduel" show a b
refuses 1 'No such file' "$ioduel" show "$work/nowhere"
refuses 2 'two results' "$ioduel" compare "$data/time-raidz2.txt"
refuses 2 'did you mean --json' "$ioduel" compare --jsn a b
refuses 2 'then --' "$ioduel" compare --sessions a b
refuses 2 'needs a format' "$ioduel" export "$data/time-raidz2.txt"
refuses 2 'did you mean html' "$ioduel" export -f htm "$data/time-raidz2.txt"
refuses 1 'no figures of bonnie' "$ioduel" export -f bonnie "$data/time-raidz2.txt"
refuses 2 'no such side' "$ioduel" show "$data/time-raidz2.txt:b"
refuses 2 'no such result' "$ioduel" show "$data/fio-3.33-status-interval.txt:nosuch"

# hostile content and names
printf 'title \033[2J\033]0;owned\007\nreal 1.0\nuser 0.5\nsys 0.2\n' >"$work/hostile"
works "$ioduel" show "$work/hostile"
says '\x1b[2J'
harmless
evil=$work/$'x\033[2J\377 y'
cp "$data/time-raidz2.txt" "$evil"
works "$ioduel" compare "$evil" "$work/hostile"
harmless
run_it "$ioduel" show "$evil-missing"
harmless
printf '\177ELF\001\002' >"$work/binary"
refuses 1 'not recognised' "$ioduel" show "$work/binary"
: >"$work/empty"
refuses 1 'not recognised' "$ioduel" show "$work/empty"
refuses 1 'directory' "$ioduel" show "$work"

# whole sessions as pairs, in the order of time: twelve builds, B a tenth faster, AB BA AB BA BA AB
i=0
for side in A B B A A B B A B A A B; do
	i=$((i + 1))
	seconds=$([ $side = A ] && echo "110.$((i * 7 % 10))" || echo "100.$((i * 3 % 10))")
	printf 'real %s\nuser 50.0\nsys 20.0\n' "$seconds" >"$work/build$side$i"
	touch -d "2026-11-30 12:00:00 UTC + $i minutes" "$work/build$side$i"
done
works "$ioduel" compare --sessions "$work"/buildA* -- "$work"/buildB*
says 'B is 9.9 % faster than A'
says '6 of 6 pairs'
says "their order is that of the files' dates"
run_it "$ioduel" compare --fail-if-slower 5 --sessions "$work"/buildB* -- "$work"/buildA*
[ "$status" = 3 ] || fail "B is slower by 9 %, yet --fail-if-slower 5 ended with $status: $(tail -n 3 "$work/out")"
run_it "$ioduel" compare --fail-if-slower 5% --sessions "$work"/buildA* -- "$work"/buildB*
[ "$status" = 0 ] || fail "B is faster, yet --fail-if-slower ended with $status"
works_json "$ioduel" compare --json --sessions "$work"/buildA* -- "$work"/buildB*

# a session of our own: saved, listed, shown as it was printed, compared with itself, exported, removed
run_it "$ioduel" run -a "$work/a" -b "$work/b" "${quick[@]}" --pairs 6 --json
[ "$status" = 0 ] || fail "run ended with $status: $(cat "$work/err")"
cp "$work/out" "$work/printed"
works "$ioduel" list
name=$(awk 'NR == 1 { print $1 }' "$work/out")
[ -n "$name" ] || fail 'list names no session'
works_json "$ioduel" list --json
works "$ioduel" show --json "$name"
cmp -s "$work/out" "$work/printed" || fail 'show --json differs from what run printed'
works "$ioduel" compare "$name:b" "$name:a"
works "$ioduel" compare "$name:a" "$name:b" --json
works "$ioduel" compare "$name" "$name"
for format in json csv markdown html svg; do
	works "$ioduel" export "$name" -f $format -o "$work/out.$format"
	[ -s "$work/out.$format" ] || fail "export wrote no $format"
done
works "$ioduel" export "$name" -f csv --table intervals
says 'begin_s,end_s,side'
run_it "$ioduel" export "$name" -f html -o "$work/nowhere/x.html"
[ "$status" = 1 ] || fail "export into a missing directory ended with $status"
head -c 2000 "$XDG_DATA_HOME/ioduel/$name.jsonl" >"$work/newer"
sed -i '1s/"ioduel":1/"ioduel":7/' "$work/newer"
head -n 1 "$XDG_DATA_HOME/ioduel/$name.jsonl" | sed 's/"ioduel":1,/"ioduel":7,/' >"$work/newer"
refuses 1 'session format 7' "$ioduel" show "$work/newer"
size=$(stat -c %s "$XDG_DATA_HOME/ioduel/$name.jsonl")
head -c $((size * 2 / 3)) "$XDG_DATA_HOME/ioduel/$name.jsonl" >"$work/cut.partial"
run_it "$ioduel" show "$work/cut.partial"
[ "$status" = 0 ] || fail "a cut session ended show with $status"
grep -q 'not finished' "$work/err" || fail 'nobody said that the session was cut'
refuses 4 'no terminal to ask' "$ioduel" rm "$name"
[ -e "$XDG_DATA_HOME/ioduel/$name.jsonl" ] || fail 'rm removed without asking'
refuses 1 'not the name' "$ioduel" rm -f "../$name"
works "$ioduel" rm --force "$name"
empty "$XDG_DATA_HOME/ioduel"
works "$ioduel" list
says 'no saved sessions'
