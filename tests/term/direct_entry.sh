#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The compiled terminal entry in terminal_direct.c is what tic makes of ioduel-direct.ti.
set -euo pipefail
if ! command -v tic >/dev/null || ! command -v infocmp >/dev/null; then
	echo "skipped: tic and infocmp are not installed"
	exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tic -x -o "$dir" "$IODUEL_SOURCE_DIR/tui/screen/ioduel-direct.ti"
TERMINFO=$dir infocmp -x -Q2 ioduel-direct | tr -d '\n' | grep -o 'b64:.*' >"$dir/made"
grep -o '^	".*"' "$IODUEL_SOURCE_DIR/tui/screen/terminal_direct.c" | tr -d '\n\t"' >"$dir/shipped"
echo >>"$dir/shipped"
cmp "$dir/made" "$dir/shipped"
colors=$(TERMINFO=$(cat "$dir/shipped") tput -T ioduel-direct colors)
[ "$colors" = 16777216 ]
red=$(TERMINFO=$(cat "$dir/shipped") tput -T ioduel-direct setaf 16711680 | tr -d '\033')
[ "$red" = '[38;2;255;0;0m' ]
red=$(TERMINFO=$(cat "$dir/shipped") tput -T ioduel-direct setaf 1 | tr -d '\033')
[ "$red" = '[31m' ]
