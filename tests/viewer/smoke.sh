#!/bin/sh
# SPDX-License-Identifier: MIT
#
# smoke.sh WAVETANK VIEWER CHECK SOURCE OUT: a real window under Xvfb walks through the tour; every
# picture it leaves is there and not blank. Exit code 77 (skipped) without Xvfb.
set -eu
wavetank=$1
viewer=$2
check=$3
source=$4
out=$5
command -v xvfb-run >/dev/null 2>&1 || { echo "no xvfb-run: apt-get install xvfb xauth"; exit 77; }
rm -rf "$out"
mkdir -p "$out"

# Without a display it says what to do, and exits with 2.
code=0
env -u DISPLAY -u WAYLAND_DISPLAY "$viewer" --screenshot "$out/none.png" 2>"$out/none.txt" || code=$?
[ "$code" = 2 ] || { echo "without a display: exit code $code, not 2"; exit 1; }
grep -q xvfb-run "$out/none.txt" || { echo "without a display: no advice"; exit 1; }

"$wavetank" run "$source/scenarios/gates/peers_128.toml" --quiet --trace "$out/peers_128.wtrace"
# One thread of software GL: as fast as many on a busy machine, and the same everywhere.
LP_NUM_THREADS=1 xvfb-run -a -s "-screen 0 1920x1200x24" "$viewer" "$out/peers_128.wtrace" \
    --script "$source/tests/viewer/tour.txt" --out "$out" --scale 1
LP_NUM_THREADS=1 xvfb-run -a -s "-screen 0 1920x1200x24" "$viewer" \
    --compare "$out/peers_128.wtrace" "$out/peers_128.wtrace" --screenshot "$out/compare.png"
# The world out of a trace's messages.
"$wavetank" run "$source/scenarios/gates/peers_16.toml" --quiet --capture payload \
    --trace "$out/peers_16.wtrace"
LP_NUM_THREADS=1 xvfb-run -a -s "-screen 0 1920x1200x24" "$viewer" "$out/peers_16.wtrace" \
    --script "$source/tests/viewer/world.txt" --out "$out" --scale 1
"$check" "$out"/*.png
rm -f "$out/peers_128.wtrace" "$out/peers_16.wtrace"
