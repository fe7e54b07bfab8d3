#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a session file costs: bytes a second, the recorder's memory, the time to
# open a day of ten intervals and samples a second.
# Usage: ./dev bench session_file [HOURS] (default 24)
set -euo pipefail
file=$(mktemp -u "${TMPDIR:-/var/tmp}/ioduel-bench.XXXXXX")
trap 'rm -f "$file" "$file.partial"' EXIT
"$IODUEL_BINARY_DIR/tests/tool_session" "$file" "${1:-24}"
