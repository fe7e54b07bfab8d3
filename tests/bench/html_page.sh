#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The exported page in a real browser (Debian's chromium, without a window): it
# renders, the script runs and zooms, nothing is said on the console, no request
# leaves the page, and it says the same without JavaScript.
# Usage: ./dev bench html_page [FILE]   (FILE: also keep pictures of it beside FILE, light and dark)
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
	echo "skipped: there is no chromium (apt-get install chromium)"
	exit 77
fi
ioduel=$IODUEL_BINARY_DIR/ioduel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a" "$work/b" "$work/home"
export HOME=$work/home XDG_DATA_HOME=$work/home/data XDG_CONFIG_HOME=$work/home/config

"$ioduel" run -a "$work/a" -b "$work/b" -w randread:size=16m,qd=8 --set-b qd=1 --pairs 6 --slice 0.4 --settle 0.1 \
	--warmup 0.1 --quiet --save "$work/s.jsonl" >/dev/null
"$ioduel" export "$work/s.jsonl" -f html -o "$work/page.html"

browse() { # browse ARGS...: standard output is the browser's
	timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --disable-extensions --no-first-run \
		--user-data-dir="$work/profile" --enable-logging=stderr --v=0 "$@" 2>"$work/log"
}

failures=0
check() { # check WHAT COMMAND...
	local what=$1
	shift
	if "$@"; then echo "ok: $what"; else echo "FAILED: $what"; failures=$((failures + 1)); fi
}

# A probe in front of the page's end: zooms with the wheel and reads a point, then writes down what it saw.
sed 's|</main></body>|<script>addEventListener("load",()=>{const p=document.querySelector("svg.z"),b=p.getBoundingClientRect();const at={clientX:b.left+b.width/2,clientY:b.top+9,bubbles:true,cancelable:true};p.dispatchEvent(new WheelEvent("wheel",{deltaY:-100,...at}));p.dispatchEvent(new PointerEvent("pointermove",at));document.body.dataset.zoom=p.getAttribute("viewBox");document.body.dataset.read=p.ownerSVGElement.parentNode.querySelector("output").textContent;document.body.dataset.requests=performance.getEntriesByType("resource").length})</script>&|' \
	"$work/page.html" >"$work/probe.html"
browse --dump-dom "file://$work/probe.html" >"$work/dom"
check 'the curves zoom' grep -q 'data-zoom="[1-9][0-9.]* 0 800 1000"' "$work/dom"
check 'a point is read' grep -qE 'data-read="[0-9.]+ s   A .*B ' "$work/dom"
check 'no request leaves the page' grep -q 'data-requests="0"' "$work/dom"
check 'the console stays empty' bash -c "! grep -E 'CONSOLE' '$work/log'"
# A browser that runs no script: refused by a policy, since the switch for it takes the picture away as well.
sed "s|<head>|&<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">|" "$work/page.html" >"$work/plain.html"
browse --window-size=1050,2600 --screenshot="$work/plain.png" "file://$work/plain.html" >/dev/null
# A page without its pictures and tables would be nearly empty.
check 'it says it all without JavaScript' test "$(stat -c %s "$work/plain.png" || echo 0)" -gt 50000
browse --dump-dom "file://$work/plain.html" >"$work/dom"
check 'no script ran there' bash -c "grep -q 'Refused to execute inline script\|violates the following Content Security Policy' '$work/log'"
browse --window-size=1050,2600 --screenshot="$work/light.png" "file://$work/page.html" >/dev/null
browse --window-size=1050,2600 --blink-settings=preferredColorScheme=0 --screenshot="$work/dark.png" "file://$work/page.html" >/dev/null
check 'it renders' test -s "$work/light.png"
check 'light and dark differ' bash -c "! cmp -s '$work/light.png' '$work/dark.png'"
browse --no-pdf-header-footer --print-to-pdf="$work/page.pdf" "file://$work/page.html" >/dev/null
check 'it prints' test -s "$work/page.pdf"
if [ $# -gt 0 ]; then
	cp "$work/page.html" "$1"
	cp "$work/light.png" "${1%.html}-light.png"
	cp "$work/dark.png" "${1%.html}-dark.png"
	cp "$work/plain.png" "${1%.html}-plain.png"
	cp "$work/page.pdf" "${1%.html}.pdf"
fi
exit $((failures > 0))
