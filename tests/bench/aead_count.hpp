// SPDX-License-Identifier: MIT
//
// Counts calls of libsodium's cipher where they happen: the linker sends every reference of this
// program to these wrappers first (`--wrap`, see CMakeLists.txt). The endpoints' own counters are
// compared with what was really called.
#pragma once

#include <cstdint>

namespace wt::bench {

struct AeadCalls {
    std::uint64_t sealed = 0;
    std::uint64_t opened = 0;   // Tag was right.
    std::uint64_t refused = 0;  // Tag was wrong.
};

// Since the program's start.
[[nodiscard]] AeadCalls aead_calls();

}  // namespace wt::bench
