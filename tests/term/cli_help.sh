#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the program says about itself: help, version, manual and completion name
# the same subcommands and options, and a full disk or a reader that has gone is
# handled as it should be.
. "$(dirname "$0")/support_cli.sh"
source=${IODUEL_SOURCE_DIR:?}

works "$ioduel" --version
grep -qE '^ioduel [0-9]+\.[0-9]+\.[0-9]+$' "$work/out" || fail "version: $(cat "$work/out")"

works "$ioduel" help
cp "$work/out" "$work/overview"
awk 'length > 80' "$work/overview" >"$work/wide"
[ ! -s "$work/wide" ] || fail "lines wider than 80 columns: $(cat "$work/wide")"
commands=$(sed -n 's/^  ioduel \([a-z][a-z]*\).*/\1/p' "$work/overview")
[ "$(wc -w <<<"$commands")" -ge 15 ] || fail "the overview names only: $commands"
for command in $commands; do
	works "$ioduel" help "$command"
	says "usage: ioduel $command"
	awk -v c="$command" 'length > 80 { print c ": " length ": " $0 }' "$work/out" >"$work/wide"
	[ ! -s "$work/wide" ] || fail "lines wider than 80 columns: $(cat "$work/wide")"
	grep -qF ".Cm $command" "$source/doc/ioduel.1" || fail "the manual has no subcommand $command"
done
for command in run demo probe targets; do
	cp "$work/out" "$work/before"
	works "$ioduel" help $command
	cp "$work/out" "$work/help"
	works "$ioduel" $command --help
	cmp -s "$work/out" "$work/help" || fail "$command --help and help $command differ"
done
works "$ioduel" --help
cmp -s "$work/out" "$work/overview" || fail "--help and help differ"

for topic in "help" "help run" "help demo"; do
	"$ioduel" $topic
done | grep -oE '^  (-., )?--[a-z-]+' | grep -oE '[a-z]{2,}(-[a-z]+)*$' | sort -u >"$work/options"
[ "$(wc -l <"$work/options")" -ge 30 ] || fail "help lists only $(wc -l <"$work/options") options"
while read -r option; do
	grep -qE "(Fl|,) -$option( |\$)" "$source/doc/ioduel.1" || fail "the manual has no --$option"
done <"$work/options"
grep -oE '(Fl|,) -[a-z-]{2,}' "$source/doc/ioduel.1" | sed 's/.* -//' | sort -u | while read -r option; do
	case $option in version | sessions | times) continue ;; esac
	grep -qx "$option" "$work/options" || echo "$option"
done >"$work/extra"
[ ! -s "$work/extra" ] || fail "the manual has options that help does not have: $(cat "$work/extra")"
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$source/doc/ioduel.1" >"$work/lint" || true
	[ ! -s "$work/lint" ] || fail "mandoc: $(cat "$work/lint")"
fi

# the completion offers every option and subcommand
for word in $(sed 's/^/--/' "$work/options") $commands; do
	grep -qE -- "[ ']${word}[ ']" "$source/share/bash-completion/ioduel" || fail "the completion has no $word"
done
complete_it() { # complete_it WORD...: what is offered for the last word
	(
		. "$source/share/bash-completion/ioduel"
		PATH=${IODUEL_BINARY_DIR}:$PATH COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		cd "$work" && _ioduel 2>/dev/null
		echo "${COMPREPLY[*]}"
	)
}
[ "$(complete_it ioduel run --sett)" = --settle ] || fail "completion of --sett: $(complete_it ioduel run --sett)"
[ "$(complete_it ioduel run -w randre)" = randread ] || fail "completion of randre: $(complete_it ioduel run -w randre)"
[ "$(complete_it ioduel run --plan tog)" = together ] || fail "completion of tog: $(complete_it ioduel run --plan tog)"
[ "$(complete_it ioduel work)" = workloads ] || fail "completion of work: $(complete_it ioduel work)"

# every option of the screen has a line in the configuration, and the template is a valid one
works "$ioduel" help config
for option in interval layout theme glyphs no-mouse; do says "# $option = "; done
sed -n 's/^# \([a-z-]*\) = .*/\1/p' "$work/out" >"$work/keys"
while read -r key; do
	grep -qx "$key" "$work/options" || fail "the configuration has a key without an option: $key"
done <"$work/keys"

refuses 2 'did you mean run?' "$ioduel" help rnu
refuses 1 'cannot write to standard output: No space left on device' bash -c "exec '$ioduel' help run >/dev/full"
refuses 1 'cannot write to standard output' bash -c "exec '$ioduel' workloads >&-"
run_it bash -c "set -o pipefail; '$ioduel' help | head -n 1"
[ "$status" = 0 ] && [ ! -s "$work/err" ] || fail "a reader that goes: status $status, $(cat "$work/err")"
