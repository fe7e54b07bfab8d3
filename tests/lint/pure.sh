#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rule 7: statistics are pure: no clock, no I/O, no globals; random numbers from
# a seed that is passed in. Seen in the object files: what they call, and that
# they hold no writable data.
. "$(dirname "$0")/support_lint.sh"

pure='stats|verdict|plan|metrics|series|conclude|checks|checks_[a-z]+|conclude_[a-z]+|stats_[a-z]+'
calls='clock_gettime|gettimeofday|time|times|clock|localtime|gmtime|s?rand|s?random|[dlm]rand48|rand_r|getrandom|arc4random|open(at)?(64)?|fopen(64)?|read|write|f?puts|f?printf|fwrite|fread|getenv|socket|ioctl|syscall|signal|pthread_[a-z_]+'

check_pure() {
	local tree=$1 archive=$IODUEL_BINARY_DIR/libioduel_session.a object
	rm -rf "$lint_dir/objects"
	mkdir "$lint_dir/objects"
	if [ -e "$tree/stats.c.o" ]; then
		cp "$tree/stats.c.o" "$lint_dir/objects"
	else
		(cd "$lint_dir/objects" && ar x "$archive")
		for object in stats plan verdict; do
			[ -e "$lint_dir/objects/$object.c.o" ] || echo "$object.c is not in $archive"
		done
	fi
	for object in "$lint_dir"/objects/*.o; do
		basename "$object" | grep -qE "^($pure)\.c\.o$" || continue
		nm -u "$object" | grep -E "[[:space:]]U (__)?($calls)(_chk)?$" |
			sed "s|^ *U |$(basename "$object" .o) calls |" || true
		# A sanitizer adds data of its own; the plain build shows ours.
		nm "$object" | grep '__[at]san_' >/dev/null && continue
		nm --format=sysv "$object" | awk -F'|' -v file="$(basename "$object" .o)" '
			{ gsub(/ /, "", $1); gsub(/ /, "", $7) }
			$7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $7 !~ /^\.data\.rel\.ro/ { print file " holds the variable " $1 }'
	done
}

plant_object() {
	printf '%s\n' "$2" >"$lint_dir/planted.c"
	"$IODUEL_CC" -c "$lint_dir/planted.c" -o "$1/stats.c.o"
}

plant_clock() {
	plant_object "$1" '#include <time.h>
	double f(void); double f(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec; }'
}

plant_random() {
	plant_object "$1" '#include <stdlib.h>
	int f(void); int f(void) { return rand(); }'
}

plant_global() {
	plant_object "$1" 'int f(void); int f(void) { static int calls; return ++calls; }'
}

plant_output() {
	plant_object "$1" '#include <stdio.h>
	void f(void); void f(void) { printf("%d", 1); }'
}

lint_needs libioduel_session.a
lint_run check_pure plant_clock plant_random plant_global plant_output
