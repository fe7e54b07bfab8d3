#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `ioduel doctor` on recorded machines, and on this one: what it finds has a
# level and a way to mend it, what it cannot read is unknown, and nothing is
# touched.
. "$(dirname "$0")/support_cli.sh"
roots=${IODUEL_SOURCE_DIR:?}/tests/roots

# state ID: what the last JSON said of a check
state() {
	tr -d '\n' <"$work/out" | sed 's/{ *"id"/\n&/g' | sed -n "s/.*\"id\": \"$1\".*\"state\": \"\([a-z-]*\)\".*/\1/p" | head -n 1
}

works "$ioduel" doctor --sysroot "$roots/laptop/t0" /
says 'the machine runs on battery'
says 'Plug the machine in.'
works "$ioduel" doctor --sysroot "$roots/laptop/t0" --json /
[ "$(state on-battery)" = set ] || fail "battery of the laptop: $(state on-battery)"
[ "$(state fs-full)" = unknown ] || fail "what cannot be read is not unknown but $(state fs-full)"
[ "$(state cache-read)" = needs-run ] || fail "a check of a run: $(state cache-read)"
[ -z "$(state shared-device)" ] || fail "one target was held against another: $(state shared-device)"
works "$ioduel" doctor --sysroot "$roots/idle/t0" --json /
[ "$(state on-battery)" != set ] || fail "a machine without a battery runs on it"
works "$ioduel" doctor --sysroot "$roots/idle/t0" --json / /home
[ "$(state shared-device)" = set ] || fail "two directories of one disk: $(state shared-device)"

mkdir "$work/a"
works "$ioduel" doctor "$work/a"
says "$work/a: "
says 'only a run can tell'
empty "$work/a"
works bash -c "cd '$work/a' && exec '$ioduel' doctor"
says '.: '
if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ]; then
	works "$ioduel" doctor /dev/shm
	says 'Choose a directory on a real disk.'
	grep -q '^  red  ' "$work/out" || fail "memory is not red: $(cat "$work/out")"
fi
refuses 2 'nowhere' "$ioduel" doctor "$work/nowhere"
refuses 2 'nowhere' "$ioduel" doctor --sysroot "$work/nowhere" /
refuses 2 'did you mean --json?' "$ioduel" doctor --jsn
if grep -nE ' $' "$work/out"; then fail "blanks at the ends of lines"; fi
