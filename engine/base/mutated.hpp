// SPDX-License-Identifier: MIT
//
// A place where one rule can be broken on purpose, so that its test can be seen to fail:
//
//     if (first_transmission || mutated<"karn">()) rtt_.add_sample(age);
//
// In every ordinary build `mutated` is the constant false and leaves nothing behind. The tree that
// is configured with WAVETANK_MUTANTS (preset `mutants`) breaks the one rule whose name its test
// executable was started with; tests/rules says which test has to notice.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wt {

// The name of a mutant as a template argument: lower case words joined by '-', unique in the tree,
// with a row in tests/rules/rules.txt.
template <std::size_t Size>
struct MutantName {
    // Implicit, so that mutated<"name">() reads like a call with a name.
    consteval MutantName(const char (&text)[Size]) {
        for (std::size_t i = 0; i + 1 < Size; ++i) {
            hash = (hash ^ static_cast<std::uint8_t>(text[i])) * 0x100'0000'01b3U;
        }
    }
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
};

#ifdef WT_MUTANTS

// Which rule this process breaks, how often its place was reached, and, where somebody asked for
// it, which places were reached at all. Set once, before any test runs; exists in the tree of
// mutants only.
struct ChosenMutant {
    // Names by their hash: two that share a byte are reached together, which costs a run too much.
    static constexpr std::size_t places = 65'536;

    std::uint64_t hash = 0;
    std::uint64_t reached = 0;
    std::uint8_t* met = nullptr;  // A byte a place, or nobody asked.
};
inline constinit ChosenMutant chosen_mutant;

template <MutantName Name>
[[nodiscard]] inline bool mutated() {
    if (chosen_mutant.met != nullptr) chosen_mutant.met[Name.hash % ChosenMutant::places] = 1;
    if (chosen_mutant.hash != Name.hash) return false;
    ++chosen_mutant.reached;
    return true;
}

#else

template <MutantName Name>
[[nodiscard]] constexpr bool mutated() {
    return false;
}

#endif

}  // namespace wt
