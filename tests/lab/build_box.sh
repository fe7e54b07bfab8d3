#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The build box: zfs-fuse pools on file vdevs as raidz2 of eight, as three
# mirrors with a mirrored log, as two raidz1 of three with two spares. `ioduel
# targets` shows the three layouts, down to the disk that all of them lie on, and
# `ioduel run` compares a small C build on two of them at a time.
. "$(dirname "$0")/support.sh"

lab_init
[ "$(id -u)" = 0 ] || lab_skip "zfs-fuse needs root"
lab_need zfs-fuse zpool
[ -e /dev/fuse ] || lab_skip "no /dev/fuse"
[ ! -e /proc/spl ] || lab_skip "OpenZFS is loaded: its zpool does not talk to zfs-fuse"
if zpool list >/dev/null 2>&1; then
	lab_skip "another zfs-fuse runs here"
fi

pool=ioduellab$$
zfs-fuse --no-daemon --pidfile "$lab/pid" >"$lab/zfs-fuse.log" 2>&1 &
daemon=$!
lab_undo "kill $daemon 2>/dev/null; wait $daemon 2>/dev/null || true"
answers() {
	zpool list >/dev/null 2>&1
}
lab_wait 20 answers || lab_skip "zfs-fuse does not answer: $(cat "$lab/zfs-fuse.log")"

# vdevs NAME: eight files NAME0 .. NAME7.
vdevs() {
	local i
	for ((i = 0; i < 8; i++)); do
		truncate -s 80M "$lab/$1$i"
	done
}

# pool NAME VDEV...: creates a pool that is mounted on $lab/NAME and shows it.
pool() {
	local name=$1
	shift
	zpool create -m "$lab/$name" "$pool-$name" "$@" 2>"$lab/err" || lab_skip "zpool create: $(cat "$lab/err")"
	lab_undo "lab_wait 10 zpool destroy $pool-$name 2>/dev/null || zpool destroy -f $pool-$name"
	mountpoint -q "$lab/$name" || lab_fail "the pool is not mounted"
	"$ioduel" targets "$lab/$name" >"$lab/targets" || lab_fail "ioduel targets: status $?"
	cat "$lab/targets"
}

expect() {
	local found
	found=$(grep -cE -- "$2" "$lab/targets" || true)
	[ "$found" = "$1" ] || lab_fail "$found lines instead of $1 match: $2"
}

disk=$(findmnt -no SOURCE -T "$lab")
disk=${disk#/dev/}

vdevs a
pool raidz2 raidz2 "$lab"/a{0,1,2,3,4,5,6,7}
expect 1 "pool $pool-raidz2 +zfs-fuse, ONLINE"
expect 1 'vdev raidz2-0 +8 members'
expect 8 "file $lab/a[0-7]"
expect 1 'a mirror on one device'
grep -q "$disk" "$lab/targets" || echo "note: $disk is not the name of the physical disk"

vdevs b
pool mirrors mirror "$lab/b0" "$lab/b1" mirror "$lab/b2" "$lab/b3" mirror "$lab/b4" "$lab/b5" log mirror "$lab/b6" "$lab/b7"
expect 4 'vdev mirror-[0-9] +2 members'
expect 3 'vdev mirror-[0-9] +2 members, ONLINE$'
expect 1 'vdev mirror-[0-9] .*log'
expect 8 "file $lab/b[0-7]"

vdevs c
pool raidz1 raidz1 "$lab/c0" "$lab/c1" "$lab/c2" raidz1 "$lab/c3" "$lab/c4" "$lab/c5" spare "$lab/c6" "$lab/c7"
expect 2 'vdev raidz1-[0-9] +3 members'
expect 2 "file $lab/c[67] .*AVAIL"
expect 2 'AVAIL +spare'

for tool in cc jq; do
	command -v $tool >/dev/null || {
		echo "not tried: builds on the pools ($tool is not installed)"
		exit 0
	}
done
mkdir "$lab/source"
for i in 1 2 3; do
	for j in 1 2 3 4 5 6 7 8; do
		echo "int f${i}_$j(int n) { for (int k = 1; k < n; k++) n ^= k * $j; return n; }"
	done >"$lab/source/f$i.c"
done
cat >"$lab/build.sh" <<'END'
set -e
mkdir build
cp "$1"/*.c build
cd build
for f in *.c; do cc -O1 -c "$f"; done
END

# metric NAME SIDE
metric() {
	jq -r ".metrics[] | select(.name == \"$1\") | .$2.mean" "$lab/result.json"
}

# build_on A B: what the build says of two pools. Time is split, nothing is claimed that the pairs do not bear.
build_on() {
	local side
	timeout 240 "$ioduel" run -a "$lab/$1" -b "$lab/$2" -w "command:cmd=sh $lab/build.sh $lab/source,cleanup=rm -rf build" --pairs 6 \
		--warmup 0 --json --no-save --quiet >"$lab/result.json" 2>"$lab/err" </dev/null || {
		grep -q 'drain time-out' "$lab/err" && echo "note: other programs keep writing here: $(cat "$lab/err")" && return
		lab_fail "a build on $1 and $2: $(cat "$lab/err")"
	}
	jq -r '.verdict.text' "$lab/result.json"
	jq -e '.verdict.primary == "real_s" and (.pairs | length == 6)' "$lab/result.json" >/dev/null || lab_fail "not six pairs of real time"
	jq -e '[.warnings[].id] | index("shared-device") and index("mirror-on-one-device")' "$lab/result.json" >/dev/null ||
		lab_fail "the shared disk or the redundancy that is none is not named: $(jq -c '[.warnings[].id]' "$lab/result.json")"
	for side in a b; do
		printf '%s: real %.3f user %.3f sys %.3f s, waits %s, from memory %s of %s bytes, sync %.3f s\n' "$side" "$(metric real_s $side)" \
			"$(metric user_s $side)" "$(metric sys_s $side)" "$(metric io_wait_share $side)" "$(metric cache_share $side)" \
			"$(metric read_bytes $side)" "$(metric sync_s $side)"
		awk -v real="$(metric real_s $side)" -v user="$(metric user_s $side)" -v sys="$(metric sys_s $side)" -v cpus="$(nproc)" \
			'BEGIN { exit !(real > 0 && user > 0 && sys > 0 && user + sys < real * cpus * 1.1 + 0.05) }' || lab_fail "the times of $side do not fit"
		awk -v r="$(metric read_bytes $side)" 'BEGIN { exit !(r > 100000) }' || lab_fail "what the compiler read on $side is missing"
		awk -v c="$(metric cache_share $side)" 'BEGIN { exit !(c >= 0 && c <= 1) }' || lab_fail "what the cache absorbed on $side is missing"
		[ ! -e /proc/pressure/io ] || awk -v w="$(metric io_wait_share $side)" 'BEGIN { exit !(w >= 0 && w <= 1) }' ||
			lab_fail "the share of waiting on $side is missing"
	done
}
build_on raidz2 mirrors
build_on mirrors raidz1
build_on raidz2 raidz1
