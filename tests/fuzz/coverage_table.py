#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Prints the table of coverage.sh from llvm-cov's lcov files: of each decoder the lines that any target
# reaches, and all of them. With LINES=PATH the lines that none reaches.
import os
import sys

decoders = os.environ["DECODERS"].split()
least = int(os.environ["LEAST"])
wanted = os.environ.get("LINES", "")
root = os.path.realpath(".") + "/"
hits = {}
for path in sys.argv[1:]:
    lines = None
    for row in open(path):
        if row.startswith("SF:"):
            # The compiler was started in the build folder and may have been told relative paths.
            name = os.path.normpath(os.path.join(root, "build/coverage", row[3:].strip()))
            lines = hits.setdefault(name.removeprefix(root), {})
        elif row.startswith("DA:"):
            number, count = row[3:].split(",")[:2]
            lines[int(number)] = lines.get(int(number), 0) + int(count)
reached = total = 0
for name in decoders:
    lines = hits.get(name, {})
    if not lines:
        print(f"{name:44} not in any of these targets")
        continue
    covered = sum(1 for count in lines.values() if count > 0)
    reached, total = reached + covered, total + len(lines)
    print(f"{name:44} {covered:5} of {len(lines):5} lines   {100 * covered // len(lines):3} %")
    if name == wanted:
        print(" ".join(str(n) for n, count in sorted(lines.items()) if count == 0))
share = 100 * reached // total if total else 0
print(f"{'all':44} {reached:5} of {total:5} lines   {share:3} %")
sys.exit(0 if share >= least else 1)
