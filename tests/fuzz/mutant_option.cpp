// SPDX-License-Identifier: MIT
//
// What every target does before its first input: the bug that `--mutant=NAME` plants (planted.py).
// libFuzzer leaves options that begin with two dashes alone.
#include <cstdlib>

#include "tests/support/chosen_mutant.hpp"

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    wt::test::choose_mutant_of(*count, *arguments);
    // Whoever finds nothing asks next whether the place was reached at all.
    std::atexit(wt::test::report_mutant);
    return 0;
}
