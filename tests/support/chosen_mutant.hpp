// SPDX-License-Identifier: MIT
//
// `--mutant=NAME` of a test program: in a tree of mutants (WAVETANK_MUTANTS, tests/rules) that rule
// is broken for the whole process; any other tree says that it has none and ends.
// `--mutants-met=FILE` breaks nothing and writes which places of mutants were reached, its children
// included: a byte each, by the hash of the name.
#pragma once

#ifdef WT_MUTANTS
#include <sys/mman.h>
#endif

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "engine/base/mutated.hpp"

namespace wt::test {

inline constexpr std::string_view mutant_option = "--mutant=";
inline constexpr std::string_view met_option = "--mutants-met=";

// The same hash as MutantName's, of a name that is known only now.
constexpr std::uint64_t mutant_hash(std::string_view name) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
    for (const char letter : name) {
        hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100'0000'01b3U;
    }
    return hash;
}
static_assert(mutant_hash("karn") == MutantName("karn").hash);

#ifdef WT_MUTANTS

inline void choose_mutant(std::string_view name) {
    chosen_mutant.hash = mutant_hash(name);
}

// Where report_mutant() writes the places that were met.
inline constinit const char* met_file = nullptr;

// Shared with the children of a test, which have places of their own to reach.
inline void note_met(const char* file) {
    void* const memory = mmap(nullptr, ChosenMutant::places, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    chosen_mutant.met = static_cast<std::uint8_t*>(memory);
    met_file = file;
}

inline void report_mutant() {
    if (met_file != nullptr) {
        std::FILE* const file = std::fopen(met_file, "wb");
        if (file == nullptr) std::abort();
        std::fwrite(chosen_mutant.met, 1, ChosenMutant::places, file);
        if (std::fclose(file) != 0) std::abort();
    }
    if (chosen_mutant.hash == 0) return;
    std::printf("mutant reached %llu times\n",
                static_cast<unsigned long long>(chosen_mutant.reached));
}

#else

inline void choose_mutant(std::string_view) {
    std::fprintf(stderr, "no mutants in this build; configure with -DWAVETANK_MUTANTS=ON\n");
    std::exit(2);
}

inline void note_met(const char*) {
    choose_mutant({});
}

inline void report_mutant() {}

#endif

// Chooses what the command line names, if it does; other words are somebody else's.
inline void choose_mutant_of(int count, const char* const* arguments) {
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument.starts_with(mutant_option)) {
            choose_mutant(argument.substr(mutant_option.size()));
        } else if (argument.starts_with(met_option)) {
            note_met(arguments[i] + met_option.size());
        }
    }
}

}  // namespace wt::test
