#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `ioduel clean`: what a killed run left goes, and nothing else does, however
# much it looks like it.
. "$(dirname "$0")/support_cli.sh"
mkdir "$work/a" "$work/mine"
a=$work/a runner=

cleanup() {
	if [ -n "$runner" ]; then kill -9 "$runner" 2>/dev/null; fi
}

# until_true COMMAND...: waits for it, at most a minute
until_true() {
	local end=$((SECONDS + 60))
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || { fail "never: $*"; return 1; }
		read -rt 0.05 <> <(:) || true
	done
}

works "$ioduel" clean "$a"
says "nothing of ioduel's was left in $a"
refuses 2 'nowhere' "$ioduel" clean "$work/nowhere"

# what only looks like it
mkdir "$a/.ioduel-abcdef" "$a/.ioduel-abcdef/inside"
: >"$a/.ioduel-file12"
ln -s "$work/mine" "$a/.ioduel-link12"
: >"$work/mine/precious"
mkdir "$a/.ioduel-forged"
cp /dev/null "$a/.ioduel-forged/.ioduel-marker"
works "$ioduel" clean "$a"
[ "$(grep -c '^left alone ' "$work/out")" = 4 ] || fail "not all were left alone: $(cat "$work/out")"
{ [ -d "$a/.ioduel-abcdef/inside" ] && [ -e "$work/mine/precious" ] && [ -e "$a/.ioduel-forged/.ioduel-marker" ]; } ||
	fail "something was removed that is not ioduel's"
rm -r "$a"
mkdir "$a"

# a run that is killed in the middle, worker first, so that nobody cleans up
"$ioduel" run -a "$a" --plan a -w metadata:files=2000 --pairs 500 --quiet --no-save >"$work/run.out" 2>"$work/run.err" &
runner=$!
has_directory() { compgen -G "$a/.ioduel-*/*" >/dev/null; }
if until_true has_directory; then
	works "$ioduel" clean "$a"
	says 'it is in use'
	worker=$(pgrep -P "$runner" -x ioduel-worker)
	kill -STOP "$runner"
	kill -9 $worker
	kill -9 "$runner"
	wait "$runner" 2>/dev/null
	runner=
	is_gone() { ! kill -0 "$worker" 2>/dev/null; }
	until_true is_gone
	has_directory || fail "nothing was left, so nothing is tested"
	works "$ioduel" clean "$a"
	says 'removed '
	empty "$a"
fi
