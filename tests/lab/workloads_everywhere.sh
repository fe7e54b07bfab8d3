#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every workload on every file system at hand: a turn ends well, has figures,
# and leaves the file system as it found it.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
tool=$IODUEL_BINARY_DIR/tool_worker
export IODUEL_WORKER=$IODUEL_BINARY_DIR/ioduel-worker
[ -x "$tool" ] || lab_skip "$tool is not built"
printf '[a]\nrw=randrw\nsize=4m\nbs=4k\n' >"$lab/job.fio"

workloads=(
	"randread:size=8m,qd=8"
	"randrw:size=8m,qd=4,direct=0,fsync=50"
	"seqwrite:size=8m,bs=64k,sync=dsync"
	"synclog:size=8m,threads=2"
	"metadata:files=500,dirs=2,size=2k"
	"bonnie:size=4m,files=1,seeks=100"
	"command:cmd=\"dd if=/dev/zero of=x bs=64k count=16 2>/dev/null && rm x\""
)
command -v fio >/dev/null && workloads+=("fio:job=$lab/job.fio")

try_all() {
	local place=$1 name=$2 w before
	before=$(find "$place" | sort | sha256sum)
	for w in "${workloads[@]}"; do
		timeout 120 "$tool" "$place" "$w" 0.1 0.6 >"$lab/out" 2>"$lab/err" || lab_fail "$name, $w: $(cat "$lab/err")"
		! grep -q '^status' "$lab/err" || lab_fail "$name, $w: $(grep '^status' "$lab/err")"
		case $w in
		command*) grep -q '^real_s [0-9]' "$lab/out" || lab_fail "$name, $w: no time" ;;
		metadata*) grep -q '^create_per_s' "$lab/out" || lab_fail "$name, $w: no rate" ;;
		bonnie*) grep -q '^put_block' "$lab/out" || lab_fail "$name, $w: no rate" ;;
		*) awk 'NR == 1 && $1 > 0 && $3 > 0 { ok = 1 } END { exit !ok }' "$lab/out" || lab_fail "$name, $w: nothing was counted" ;;
		esac
		# The worker cleans up after its socket was closed.
		lab_wait 20 same "$place" "$before" ||
			lab_fail "$name, $w: left $(find "$place" | sort | tail -3)"
	done
	echo "$name: ${#workloads[@]} workloads"
}

same() {
	[ "$(find "$1" | sort | sha256sum)" = "$2" ]
}

for fs in ext4 xfs btrfs; do
	if ! command -v "mkfs.$fs" >/dev/null || ! grep -qw "$fs" /proc/filesystems && ! modprobe -q "$fs" 2>/dev/null; then
		echo "not tried: $fs"
		continue
	fi
	lab_loop "$fs" 400
	lab_mount "$fs" "$lab_device" "mnt-$fs"
	try_all "$lab/mnt-$fs" "$fs"
done
mkdir "$lab/memory"
mount -t tmpfs -o size=100m none "$lab/memory"
lab_undo "umount '$lab/memory'"
try_all "$lab/memory" tmpfs
