#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Block devices: one that nobody uses and that holds nothing is written with
# --destroy-data, and only then; everything else is refused with what was
# found, whatever name it is given by, and not a byte of it changes.
. "$(dirname "$0")/support.sh"

lab_init
lab_need_loops
lab_need wipefs mkswap sha256sum

destroy() {
	echo "$ioduel" run -a "$1" --plan a -w randwrite:bs=4k,qd=4 --slice 1 --settle 0.2 --warmup 0 --pairs 6 --no-save --quiet \
		--destroy-data --yes-destroy "$(basename "$(readlink -f "$1")")"
}

# refused WHAT PATTERN PATH DEVICE: the path is refused with this pattern; the device keeps its content.
refused() {
	local before after
	before=$(sha256sum <"$4")
	# shellcheck disable=SC2046 # a command and its words
	lab_refused 4 "$2" $(destroy "$3")
	after=$(sha256sum <"$4")
	[ "$before" = "$after" ] || lab_fail "$1: the device was changed"
	echo "refused: $1"
}

blank() {
	wipefs -qaf "$1"
	dd if=/dev/zero of="$1" bs=1M count=1 conv=fsync status=none
}

lab_loop one 64
one=$lab_device
blank "$one"

# Not without the flag, and reading needs none.
before=$(sha256sum <"$one")
lab_refused 4 'destroy' "$ioduel" run -a "$one" --plan a -w randwrite --slice 1 --pairs 6 --no-save
timeout 120 "$ioduel" run -a "$one" --plan a -w randread:qd=4 --slice 1 --settle 0.2 --warmup 0 --pairs 6 --no-save --quiet \
	>"$lab/out" 2>"$lab/err" </dev/null || lab_fail "reading a device: $(cat "$lab/err")"
[ "$before" = "$(sha256sum <"$one")" ] || lab_fail "reading changed the device"

# A file system that is not mounted, swap space, a partition table.
mkfs.ext4 -q -F "$one"
refused "an unmounted ext4" 'ext4' "$one" "$one"
ln -s "$one" "$lab/by-id-name"
refused "a symbolic link to it" 'ext4' "$lab/by-id-name" "$one"
blank "$one"
mkswap "$one" >/dev/null
refused "swap space" 'swap' "$one" "$one"
blank "$one"
if command -v sfdisk >/dev/null; then
	printf 'label: gpt\nsize=16M\nsize=16M\n' | sfdisk -q --no-reread --no-tell-kernel "$one"
	refused "a partition table" 'gpt|partition' "$one" "$one"
fi

# Mounted, by another name too; a whole disk of which one partition is mounted.
blank "$one"
mkfs.ext4 -q -F "$one"
mkdir "$lab/mnt"
mount "$one" "$lab/mnt"
lab_undo "umount '$lab/mnt' 2>/dev/null || true"
refused "a mounted device" 'mount|use' "$one" "$one"
refused "a link to a mounted device" 'mount|use' "$lab/by-id-name" "$one"
umount "$lab/mnt"
blank "$one"
if command -v sfdisk >/dev/null; then
	printf 'label: gpt\nsize=16M\nsize=16M\n' | sfdisk -q --no-reread --no-tell-kernel "$one"
	if partx -a "$one" 2>/dev/null && lab_wait 2 test -b "${one}p1"; then
		mkfs.ext4 -q -F "${one}p1"
		mount "${one}p1" "$lab/mnt"
		refused "a whole disk with a mounted partition" 'mount|use' "$one" "${one}p2"
		umount "$lab/mnt"
		partx -d "$one"
	else
		echo "not tried: this kernel finds no partitions on loop devices"
	fi
fi

# The file that a loop device serves: what is mounted from there would change under its file system.
blank "$one"
mkfs.ext4 -q -F "$one"
mount "$one" "$lab/mnt"
before=$(sha256sum <"$lab/one.img")
lab_refused 4 'loop' "$ioduel" run -a "$lab/one.img" --plan a -w randwrite:size=16m --slice 1 --pairs 6 --no-save --quiet --overwrite-file
[ "$before" = "$(sha256sum <"$lab/one.img")" ] || lab_fail "the file below a mounted loop device was changed"
umount "$lab/mnt"
echo "refused: a file that a loop device serves"

# A member of a device-mapper device.
if command -v dmsetup >/dev/null && lab_loop two 16 && blank "$lab_device" &&
	dmsetup create ioduel-lab --table "0 2048 linear $lab_device 0" 2>/dev/null; then
	two=$lab_device
	lab_undo "dmsetup remove ioduel-lab 2>/dev/null || true"
	refused "a device-mapper member" 'use' "$two" "$two"
else
	echo "not tried: there is no device mapper"
fi

# And one that is free is really written.
blank "$one"
before=$(sha256sum <"$one")
# shellcheck disable=SC2046
timeout 120 $(destroy "$one") >"$lab/out" 2>"$lab/err" </dev/null || lab_fail "a free device: $(cat "$lab/err")"
[ "$before" != "$(sha256sum <"$one")" ] || lab_fail "nothing was written to the free device"
