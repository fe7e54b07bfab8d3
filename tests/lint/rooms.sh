#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 3: probes/ and workloads/ never include each other, nor anything of tui/.
# Each sees the contracts and itself.
. "$(dirname "$0")/support_lint.sh"

check_rooms() {
	lint_includes "$1" | awk '
		$1 ~ /^probes\// && $2 !~ /^(probes|include)\// { print $1 " includes " $2 }
		$1 ~ /^workloads\// && $2 !~ /^(workloads|include)\// { print $1 " includes " $2 }
		$1 ~ /^include\// && $2 !~ /^include\// { print $1 " includes " $2 }
	'
}

plant_probe_includes_workload() {
	touch "$1/workloads/engine/planted.h"
	echo '#include "workloads/engine/planted.h"' >"$1/probes/planted.c"
}

plant_workload_includes_session() {
	echo '#include "../../tui/session/plan.h"' >"$1/workloads/engine/planted.c"
}

plant_contract_includes_session() {
	echo '#include "session/plan.h"' >"$1/include/ioduel/planted.h"
}

lint_run check_rooms plant_probe_includes_workload plant_workload_includes_session plant_contract_includes_session
