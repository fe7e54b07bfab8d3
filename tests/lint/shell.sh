#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The scripts parse, and are clean for shellcheck where it is installed.
. "$(dirname "$0")/support_lint.sh"

check_shell() {
	local tree=$1 file
	lint_files "$tree" '*.sh' dev run | while read -r file; do
		head -n 1 "$tree/$file" | grep -qE '^#!/usr/bin/env bash$|^#!/bin/(ba)?sh$' || echo "$file: no #! line"
		bash -n "$tree/$file" 2>&1 | sed 's/^/syntax: /' || true
	done
	command -v shellcheck >/dev/null || return 0
	lint_files "$tree" '*.sh' dev run |
		(cd "$tree" && xargs -r shellcheck --severity=warning --external-sources --exclude=SC1090,SC1091,SC2154 --format=gcc) || true
}

plant_syntax_error() {
	printf '#!/usr/bin/env bash\nif true; then\n' >"$1/tests/lint/planted.sh"
}

lint_run check_shell plant_syntax_error
