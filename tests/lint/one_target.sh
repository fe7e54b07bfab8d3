#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 4: only tui/ knows that there are two targets; a worker and a probe know one.
. "$(dirname "$0")/support_lint.sh"

check_one_target() {
	lint_code_below "$1" probes workloads |
		grep -E '\bSIDE_[A-Z]+\b|\bSIDES\b|\b(side|target|slot)_[ab]\b|\benum side\b|"session/' || true
}

plant_side() {
	echo 'static int side_b; // the other one' >"$1/workloads/engine/planted.c"
}

plant_side_constant() {
	echo 'int x = SIDE_B;' >"$1/probes/planted.c"
}

lint_run check_one_target plant_side plant_side_constant
