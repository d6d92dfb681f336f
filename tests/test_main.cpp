// SPDX-License-Identifier: MIT
//
// The one translation unit that implements doctest, and main, for every test executable. In the
// tree of mutants (tests/rules) `--mutant=NAME` breaks that rule for the whole process.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "tests/support/chosen_mutant.hpp"

int main(int count, char** arguments) {
    wt::test::choose_mutant_of(count, arguments);
    doctest::Context context(count, arguments);
    const int verdict = context.run();
    wt::test::report_mutant();
    return verdict;
}
