// SPDX-License-Identifier: MIT
//
// What counted_news.hpp counts, for the other source files of an executable that has it.
#pragma once

#include <cstdint>

namespace wt::test {

// Calls of operator new since the program began.
inline std::uint64_t news = 0;
// Bytes that were given out and not given back.
inline std::int64_t live_bytes = 0;

}  // namespace wt::test
