#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What one sampling tick costs: 50 devices, 2,000 devices, this machine.
set -euo pipefail
"$IODUEL_BINARY_DIR/tests/bench-probes" 2>/dev/null | grep 'one tick'
