#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The build box: zfs-fuse pools on file vdevs as raidz2 of eight, as three
# mirrors with a mirrored log, as two raidz1 of three with two spares. `ioduel
# targets` shows the three layouts, down to the disk that all of them lie on.
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

# vdevs COUNT SIZE: files v0, v1, ...
vdevs() {
	local i
	for ((i = 0; i < $1; i++)); do
		truncate -s "$2" "$lab/v$i"
	done
}

destroy() {
	lab_wait 10 zpool destroy "$pool" 2>/dev/null || zpool destroy -f "$pool" 2>/dev/null || true
}

# pool VDEV...: creates the pool on $lab/pool and shows it.
pool() {
	zpool create -m "$lab/pool" "$pool" "$@" 2>"$lab/err" || lab_skip "zpool create: $(cat "$lab/err")"
	lab_undo "zpool list $pool >/dev/null 2>&1 && destroy || true"
	mountpoint -q "$lab/pool" || lab_fail "the pool is not mounted"
	"$ioduel" targets "$lab/pool" >"$lab/targets" || lab_fail "ioduel targets: status $?"
	cat "$lab/targets"
}

expect() {
	local found
	found=$(grep -cE -- "$2" "$lab/targets" || true)
	[ "$found" = "$1" ] || lab_fail "$found lines instead of $1 match: $2"
}

disk=$(findmnt -no SOURCE -T "$lab")
disk=${disk#/dev/}

vdevs 9 80M
pool raidz2 "$lab"/v{0,1,2,3,4,5,6,7}
expect 1 "pool $pool +zfs-fuse, ONLINE"
expect 1 'vdev raidz2-0 +8 members'
expect 8 "file $lab/v[0-7]"
expect 1 'a mirror on one device'
grep -q "$disk" "$lab/targets" || echo "note: $disk is not the name of the physical disk"
destroy

pool mirror "$lab/v0" "$lab/v1" mirror "$lab/v2" "$lab/v3" mirror "$lab/v4" "$lab/v5" log mirror "$lab/v6" "$lab/v7"
expect 4 'vdev mirror-[0-9] +2 members'
expect 3 'vdev mirror-[0-9] +2 members, ONLINE$'
expect 1 'vdev mirror-[0-9] .*log'
expect 8 "file $lab/v[0-7]"
destroy

pool raidz1 "$lab/v0" "$lab/v1" "$lab/v2" raidz1 "$lab/v3" "$lab/v4" "$lab/v5" spare "$lab/v6" "$lab/v7"
expect 2 'vdev raidz1-[0-9] +3 members'
expect 2 "file $lab/v[67] .*AVAIL"
expect 2 'AVAIL +spare'
destroy
