#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# planted.py [NAME...]: each target of planted.txt (or those named) must find the bug that is planted
# for it within 60 s of one core, from its corpus in this tree; its corpus passes without the bug.
# Prints the table of README.md; ends with 1 where a bug is not found. Seconds are the program's own, so that a busy machine changes nothing.
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
tree = here.parent.parent
build = tree / "build/planted"
seconds = 60


def read_rows(wanted):
    rows = [line.split() for line in (here / "planted.txt").read_text().splitlines()
            if line and not line.startswith("#")]
    unknown = set(wanted) - {target for target, _ in rows}
    if unknown:
        sys.exit("planted.py: no bug is planted for " + ", ".join(sorted(unknown)))
    return [row for row in rows if not wanted or row[0] in wanted]


def build_targets(targets):
    subprocess.run(["cmake", "--preset", "planted"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(["ninja", "-C", build] + ["fuzz_" + target for target in targets],
                          capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stdout[-4000:])


def options(target):
    words = here / (target + ".dict")
    return ["-dict=" + str(words)] if words.exists() else []


def limit():
    # A signal that libFuzzer does not take for a finding.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def run(target, arguments, work, **how):
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = used()
    program = [build / "bin" / ("fuzz_" + target)] + arguments
    done = subprocess.run(program, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    return done.returncode, done.stdout.decode(errors="replace"), used() - before


def number(label, text):
    found = re.findall(label + r"\s*(\d+)", text)
    return int(found[-1]) if found else 0


def find(target, mutant, corpus):
    with tempfile.TemporaryDirectory() as work:
        (pathlib.Path(work) / "new").mkdir()
        code, text, used = run(
            target, ["--mutant=" + mutant, "-seed=1", "-print_final_stats=1", "-timeout=30"] + options(target)
            + ["new"] + corpus, work, preexec_fn=limit)
    # What libFuzzer ends with: a failed check or a sanitizer, memory, time.
    if code not in (77, 71, 70, 1):
        if code >= 0:
            sys.exit(text[-4000:])
        return None, max(int(n) for n in re.findall(r"^#(\d+)", text, re.M))
    return used, number("number_of_executed_units:", text)


def main(words):
    rows = read_rows(words)
    targets = sorted({target for target, _ in rows})
    build_targets(targets)
    corpora = {target: [str(here / "corpus" / target)] for target in targets}
    for target in targets:
        code, text, _ = run(target, ["-runs=0"] + corpora[target], build)
        if code != 0:
            sys.exit(text[-4000:] + "\nplanted.py: " + target + " finds something without a bug")
    missed = 0
    print("| target | planted | found after | inputs |\n|---|---|---|---|")
    for target, mutant in rows:
        used, inputs = find(target, mutant, corpora[target])
        missed += used is None
        after = "NOT in %d s" % seconds if used is None else "%.1f s" % used
        print("| `%s` | `%s` | %s | %s |" % (target, mutant, after, format(inputs, ",")), flush=True)
    if missed:
        sys.exit("planted.py: %d not found" % missed)


main(sys.argv[1:])
