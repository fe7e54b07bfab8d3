#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the lab tests share: real file systems on loop devices with direct I/O,
# and the kernel's own throttle as a known truth. Whatever is set up is pushed on
# a stack of undo commands that a trap runs on every way out; what this machine
# cannot do ends the test with status 77 and the reason.
set -euo pipefail
export LC_ALL=C

: "${IODUEL_SOURCE_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
: "${IODUEL_BINARY_DIR:=$IODUEL_SOURCE_DIR/build}"
ioduel=$IODUEL_BINARY_DIR/ioduel
lab=
lab_undo_stack=()

lab_skip() {
	echo "skipped: $*"
	exit 77
}

lab_fail() {
	echo "failed: $*"
	exit 1
}

lab_undo() {
	lab_undo_stack+=("$*")
}

lab_cleanup() {
	local i status=$?
	trap - EXIT
	trap '' INT TERM HUP
	for ((i = ${#lab_undo_stack[@]} - 1; i >= 0; i--)); do
		eval "${lab_undo_stack[i]}" || echo "lab: left behind: ${lab_undo_stack[i]}" >&2
	done
	exit $status
}

# lab_pause SECONDS: a pause between two looks; the shell has no other clock to wait on.
lab_pause() {
	read -rt "$1" <> <(:) || true
}

# lab_wait SECONDS COMMAND...: until the command succeeds; fails at the deadline.
lab_wait() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		lab_pause 0.05
	done
}

# lab_init: an empty folder $lab on a real file system, removed at the end.
lab_init() {
	trap lab_cleanup EXIT
	trap 'exit 130' INT TERM HUP QUIT PIPE
	lab=$(mktemp -d "${TMPDIR:-/var/tmp}/ioduel-lab.XXXXXX")
	lab_undo "rm -rf --one-file-system '$lab'"
	export HOME=$lab/home XDG_DATA_HOME=$lab/data XDG_CONFIG_HOME=$lab/config
	mkdir "$HOME" "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
	[ -x "$ioduel" ] || lab_skip "$ioduel is not built"
}

lab_need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || lab_skip "$tool is not installed"
	done
}

lab_need_loops() {
	[ "$(id -u)" = 0 ] || lab_skip "loop devices need root"
	lab_need losetup mkfs.ext4
	[ -e /dev/loop-control ] && losetup -f >/dev/null 2>&1 || lab_skip "this machine has no loop devices"
}

# lab_loop NAME MEGABYTES: sets lab_device to a loop device with direct I/O on a fully written image.
lab_loop() {
	local image=$lab/$1.img
	dd if=/dev/urandom of="$image" bs=1M count="$2" conv=fsync status=none
	lab_device=$(losetup --direct-io=on --show -f "$image" 2>/dev/null) ||
		lab_skip "losetup cannot attach $image with direct I/O"
	lab_undo "losetup -d $lab_device"
	[ "$(cat "/sys/block/${lab_device#/dev/}/loop/dio")" = 1 ] || lab_skip "no direct I/O below $lab"
}

# lab_mount FILE-SYSTEM DEVICE NAME [OPTIONS]: makes the file system and mounts it on $lab/NAME.
lab_mount() {
	lab_need "mkfs.$1"
	case $1 in
	# A journal or a lazy initialiser of its own would be a second load on the device.
	ext4) mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0,nodiscard "$2" ;;
	xfs) mkfs.xfs -q -f -K "$2" ;;
	btrfs) mkfs.btrfs -q -f -K "$2" ;;
	*) mkfs."$1" "$2" ;;
	esac
	mkdir -p "$lab/$3"
	mount -t "$1" -o "${4:-noatime}" "$2" "$lab/$3" 2>"$lab/mount.err" || lab_skip "$(cat "$lab/mount.err")"
	lab_undo "umount '$lab/$3' || umount -l '$lab/$3'"
}

# lab_throttle_init: makes a group of the blkio (v1) or io (v2) controller; lab_throttled runs in it.
lab_throttle_init() {
	local root=/sys/fs/cgroup
	if [ -e $root/blkio/blkio.throttle.read_iops_device ]; then
		lab_group=$root/blkio/ioduel-lab.$$
		lab_throttle_file=blkio.throttle.read_iops_device
	elif grep -qw io $root/cgroup.controllers 2>/dev/null; then
		grep -qw io $root/cgroup.subtree_control || echo +io >$root/cgroup.subtree_control 2>/dev/null ||
			lab_skip "the io controller cannot be switched on"
		lab_group=$root/ioduel-lab.$$
		lab_throttle_file=io.max
	else
		lab_skip "neither cgroup v1 blkio.throttle nor v2 io.max is here"
	fi
	mkdir "$lab_group" 2>/dev/null || lab_skip "no cgroup can be made in $(dirname "$lab_group")"
	lab_undo "lab_wait 10 rmdir '$lab_group'"
	lab_undo "lab_kill_group"
}

# lab_throttle DEVICE READ-IOPS
lab_throttle() {
	local number
	number=$(cat "/sys/block/${1#/dev/}/dev")
	case $lab_throttle_file in
	io.max) echo "$number riops=$2" ;;
	*) echo "$number $2" ;;
	esac >"$lab_group/$lab_throttle_file"
}

lab_kill_group() {
	local pid
	while read -r pid; do
		kill -9 "$pid" 2>/dev/null || true
	done <"$lab_group/cgroup.procs"
}

lab_group_is_empty() {
	[ -z "$(cat "$lab_group/cgroup.procs")" ]
}

# lab_throttled COMMAND...: runs it below the throttle.
lab_throttled() {
	(
		echo "$BASHPID" >"$lab_group/cgroup.procs"
		exec "$@"
	)
}

# lab_within VALUE EXPECTED PERCENT WHAT: says both, and whether they agree.
lab_within() {
	echo "$4: $1, expected $2 within $3 %"
	awk -v v="$1" -v e="$2" -v p="$3" 'BEGIN { exit !(e > 0 && v >= e * (1 - p / 100) && v <= e * (1 + p / 100)) }'
}

# lab_refused STATUS WORDS COMMAND...: the command must end with that status (several: "2|4") and one
# sentence on standard error that matches WORDS (an extended regular expression), and print nothing else.
lab_refused() {
	local statuses=$1 words=$2 status=0
	shift 2
	timeout 120 "$@" >"$lab/out" 2>"$lab/err" </dev/null || status=$?
	[[ "|$statuses|" == *"|$status|"* ]] || lab_fail "status $status instead of $statuses: $*: $(cat "$lab/out" "$lab/err")"
	[ "$(wc -l <"$lab/err")" = 1 ] || lab_fail "not one sentence: $*: $(cat "$lab/err")"
	grep -qiE -- "$words" "$lab/err" || lab_fail "the sentence does not say why: $(cat "$lab/err")"
	[ ! -s "$lab/out" ] || lab_fail "something on standard output: $(cat "$lab/out")"
	echo "status $status: $(cat "$lab/err")"
}

# lab_listing DIR: every name, size, time and checksum below it, and the blocks in use.
lab_listing() {
	(cd "$1" && find . -path ./lost+found -prune -o -printf '%p %s %T@\n' | sort)
	(cd "$1" && find . -path ./lost+found -prune -o -type f -exec sha256sum {} + | sort)
	sync -f "$1"
	stat -f -c 'free %f' "$1"
}

# lab_workers PID: the worker processes of an ioduel.
lab_workers() {
	ps -o pid=,comm= --ppid "$1" | awk '$2 ~ /^ioduel-worker/ { print $1 }'
}

lab_gone() {
	[ ! -e "/proc/$1" ] || grep -q '^State:[[:space:]]*[ZX]' "/proc/$1/status" 2>/dev/null
}

# lab_fio_iops DIR SECONDS: read IOPS by fio, 4k random, depth 8, direct, below the throttle.
lab_fio_iops() {
	lab_throttled fio --name=t --directory="$1" --rw=randread --bs=4k --iodepth=8 --ioengine=io_uring --direct=1 \
		--size=64m --time_based --runtime="$2" --ramp_time=1 --output-format=json 2>/dev/null |
		awk '/^\{/ { on = 1 } on' | jq '.jobs[0].read.iops'
}
