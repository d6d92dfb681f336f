// SPDX-License-Identifier: MIT
//
// `--mutant=NAME` of a test program: in a tree of mutants (WAVETANK_MUTANTS, tests/rules) that rule
// is broken for the whole process; any other tree says that it has none and ends.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "engine/base/mutated.hpp"

namespace wt::test {

inline constexpr std::string_view mutant_option = "--mutant=";

#ifdef WT_MUTANTS

inline void choose_mutant(std::string_view name) {
    // The same hash as MutantName's, of a name that is known only now.
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
    for (const char letter : name) {
        hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100'0000'01b3U;
    }
    chosen_mutant.hash = hash;
}

inline void report_mutant() {
    if (chosen_mutant.hash == 0) return;
    std::printf("mutant reached %llu times\n",
                static_cast<unsigned long long>(chosen_mutant.reached));
}

#else

inline void choose_mutant(std::string_view) {
    std::fprintf(stderr, "no mutants in this build; configure with -DWAVETANK_MUTANTS=ON\n");
    std::exit(2);
}

inline void report_mutant() {}

#endif

// Chooses what the command line names, if it does; other words are somebody else's.
inline void choose_mutant_of(int count, const char* const* arguments) {
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument.starts_with(mutant_option)) {
            choose_mutant(argument.substr(mutant_option.size()));
        }
    }
}

}  // namespace wt::test
