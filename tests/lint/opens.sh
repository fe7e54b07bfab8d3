#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 6: of our own code only probes/sysroot.c opens anything of /proc or /sys,
# and only workloads/engine/ opens a target for writing.
. "$(dirname "$0")/support_lint.sh"

# A process's own name, descriptors and children, and what a child of it did, are not the machine that is measured.
own_process='"/proc/(self/(exe|fd|task)|%ld/io")'

# None is a place where data could be lost.
no_target='open\("/dev/(null|tty)"|"proc/sys/vm/drop_caches"'

# Who writes files of the user's own (sessions, exports, configuration), never a target.
writers='^(workloads/engine/[a-z_]+\.c|tui/session/(snapshot|export|library)[a-z_]*\.c|tui/(config|export|snapshot|cmd_export)[a-z_]*\.c|tui/screen/config[a-z_]*\.c):'

check_opens() {
	lint_code_below "$1" include probes workloads tui >"$lint_dir/code"
	grep -E '"(%s)?/(proc|sys)(/|")' "$lint_dir/code" | grep -vE '^probes/sysroot\.c:' | grep -vE "$own_process" || true
	grep -E '\b(O_RDWR|O_WRONLY|O_TMPFILE|O_CREAT|O_TRUNC|mkostemp|mkstemp|creat|mkdtemp)\b|\bfopen\([^"]*"[^"]*",[[:space:]]*"[^"]*[wa+]|\bf(re)?open\([^,]*,[[:space:]]*"[^"]*[wa+]' "$lint_dir/code" |
		grep -vE "$no_target" | grep -vE "$writers" || true
}

plant_proc() {
	echo 'int f(void) { return open("/proc/stat", O_RDONLY); }' >"$1/workloads/engine/planted.c"
}

plant_sys_format() {
	echo 'snprintf(buf, sizeof(buf), "%s/sys/block/%s/stat", root, name);' >"$1/tui/session/planted.c"
}

plant_write() {
	echo 'int f(void) { return open(path, O_CREAT | O_RDWR, 0600); }' >"$1/workloads/planted.c"
}

plant_fopen() {
	echo 'FILE *f = fopen(path, "w");' >"$1/probes/planted.c"
}

lint_run check_opens plant_proc plant_sys_format plant_write plant_fopen
