#!/bin/sh
# SPDX-License-Identifier: MIT
#
# headers.sh INCLUDE_DIR COMPILER...: every installed header alone, with every compiler, without
# exceptions and run-time types; and nothing of a third party among what they include.
set -eu
include_dir=$1
shift
third_parties='sodium|toml\+\+|/CLI/|benchmark|doctest|imgui|GLFW'
flags="-x c++ -std=c++20 -fsyntax-only -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic
    -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror -I$include_dir"

headers=$(cd "$include_dir" && find . -name '*.hpp' -o -name '*.inl' | sed 's|^\./||' | sort)
count=$(printf '%s\n' "$headers" | wc -l)
[ "$count" -ge 50 ] || { echo "only $count headers in $include_dir"; exit 1; }

for compiler in "$@"; do
    # A process a header: the compiler's own messages name it where it fails.
    # shellcheck disable=SC2086
    printf '%s\n' "$headers" |
        xargs -P "$(nproc)" -I{} "$compiler" $flags -include {} /dev/null || exit 1
    # All of them together, for the list of what is reached; <> so that no other copy is found.
    # shellcheck disable=SC2086
    reached=$(printf '#include <%s>\n' $headers | "$compiler" $flags -H - 2>&1) ||
        { echo "$compiler: the headers do not compile together"; exit 1; }
    guests=$(printf '%s\n' "$reached" | grep -E "^\.+ .*($third_parties)" || true)
    [ -z "$guests" ] || { printf '%s: third parties reached:\n%s\n' "$compiler" "$guests"; exit 1; }
    echo "$compiler: $count headers"
done
