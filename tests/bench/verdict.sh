#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./dev bench verdict [SESSIONS]: what the procedure and the naive ways come to
# on synthetic targets; the tables of doc/METHOD.md.
set -euo pipefail
exec "$IODUEL_BINARY_DIR/tests/sim-naive" table "${1:-4000}"
