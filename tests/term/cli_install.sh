#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `cmake --install` puts below a prefix is complete: the program finds its
# worker in libexec, although nothing of the build tree is named.
. "$(dirname "$0")/support_cli.sh"
prefix=$work/prefix

command -v cmake >/dev/null || { echo "skipped: there is no cmake here"; exit 77; }
cmake --install "${IODUEL_BINARY_DIR:?}" --prefix "$prefix" >"$work/log" 2>&1 || { fail "install: $(tail -n 5 "$work/log")"; exit 1; }
for file in bin/ioduel libexec/ioduel/ioduel-worker share/man/man1/ioduel.1 share/bash-completion/completions/ioduel \
	share/doc/ioduel/README.md share/doc/ioduel/LICENSE; do
	[ -f "$prefix/$file" ] || fail "$file is not installed"
done
[ -x "$prefix/bin/ioduel" ] || exit 1
[ ! -e "$prefix/bin/ioduel-worker" ] || fail "the worker is no program for people, but it lies in bin"
works "$prefix/bin/ioduel" --version

unset IODUEL_WORKER
mkdir "$work/target"
works env -i HOME="$HOME" PATH=/usr/bin:/bin "$prefix/bin/ioduel" run -a "$work/target" --plan a -w randread:size=4m,qd=2,direct=0 \
	--pairs 2 --slice 0.1 --settle 0 --warmup 0 --quiet --no-save --json
says '"kind": "result"'
empty "$work/target"

# moved as a whole it still works: the worker is looked for beside the program
mv "$prefix" "$work/elsewhere"
works env -i HOME="$HOME" PATH=/usr/bin:/bin "$work/elsewhere/bin/ioduel" run -a "$work/target" --plan a \
	-w randread:size=4m,qd=2,direct=0 --pairs 2 --slice 0.1 --settle 0 --warmup 0 --quiet --no-save --json
says '"kind": "result"'
