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

// An input allocates and frees thousands of times. Where from is asked once something was found:
// that input alone, with ASAN_OPTIONS=malloc_context_size=30. Fewer freed bytes are watched for
// late use, and more inputs are.
extern "C" const char* __asan_default_options() {
    return "malloc_context_size=1:quarantine_size_mb=4:thread_local_quarantine_size_kb=64";
}
