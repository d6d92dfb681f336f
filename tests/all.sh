#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The end of `./dev test --all`: golden digests under conditions that must not matter, and whole
# runs under valgrind, which sees uninitialised bytes that no sanitizer of ours looks for.
set -eu
cd "$(dirname "$0")/.."
bin=build/release/bin

say_and_run() {
    printf 'all.sh: %s\n' "$*"
    "$@"
}

# Decimal commas, a dotless i, other digits; a zone with an odd offset; no environment at all.
for locale in de_DE.utf8 tr_TR.utf8 ar_EG.utf8; do
    locale -a | grep -qx "$locale" || { echo "all.sh: locale $locale is missing" >&2; exit 1; }
    say_and_run env LC_ALL="$locale" TZ=Asia/Kathmandu "$bin/golden" .
done
say_and_run env -i "$bin/golden" .

# Other addresses, other timing.
say_and_run setarch -R "$bin/golden" .
say_and_run nice -n 19 "$bin/golden" .

# Crowds and soaks: minutes each.
say_and_run "$bin/golden" . --long

# The swarm: 200 lines, crowds and sets of faults drawn from as many seeds.
say_and_run "$bin/wavetank" run scenarios/adverse/swarm.toml --repeat 200

# Every public header alone with the other compiler; `./dev test` has asked clang.
say_and_run tests/consumer/headers.sh build/release/tests/consumer/prefix/include/wavetank g++

# Two processes on real sockets, at full length, and with the two compilers at either end.
say_and_run "$bin/udp_test" -ts=long
clang=build/clang-release/bin
say_and_run env WT_BOTS_BINARY="$clang/wavetank" "$bin/udp_test" -ts=long,short
say_and_run env WT_SERVE_BINARY="$clang/wavetank" "$bin/udp_test" -ts=long,short

# Each fuzz target finds a bug that is planted for it, within a minute of one core.
say_and_run tests/fuzz/planted.py

# Few seconds: valgrind takes 30 to 50 times as long.
for cipher in chacha20-poly1305 null; do
    say_and_run valgrind --quiet --error-exitcode=1 "$bin/wavetank" run --quiet \
        scenarios/adverse/turmoil.toml --set "transport.cipher=$cipher"
done
echo "all.sh: passed"
