// SPDX-License-Identifier: MIT
//
// The one translation unit that implements doctest, and main, for every test executable. In the
// tree of mutants (tests/rules) `--mutant=NAME` breaks that rule for the whole process.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "engine/base/mutated.hpp"

namespace {

#ifdef WT_MUTANTS
// The same hash as MutantName's, of a name that is known only now.
std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
    for (const char letter : name) {
        hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100'0000'01b3U;
    }
    return hash;
}

void choose_mutant(std::string_view name) {
    wt::chosen_mutant.hash = hash_of(name);
}

void report_mutant() {
    if (wt::chosen_mutant.hash == 0) return;
    std::printf("mutant reached %llu times\n",
                static_cast<unsigned long long>(wt::chosen_mutant.reached));
}
#else
void choose_mutant(std::string_view) {
    std::fprintf(stderr, "no mutants in this build; configure with -DWAVETANK_MUTANTS=ON\n");
    std::exit(2);
}

void report_mutant() {}
#endif

}  // namespace

int main(int count, char** arguments) {
    constexpr std::string_view option = "--mutant=";
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument.substr(0, option.size()) == option) {
            choose_mutant(argument.substr(option.size()));
        }
    }
    doctest::Context context(count, arguments);
    const int verdict = context.run();
    report_mutant();
    return verdict;
}
