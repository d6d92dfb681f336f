// SPDX-License-Identifier: MIT
//
// Handles that go stale instead of dangling: an index into a table and the generation of the
// entry it meant. An index alone is never enough to reach anything.
#pragma once

#include <compare>
#include <cstdint>

namespace wt {

template <class Tag>
struct Handle {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;  // 0 is never given out: a default handle means nothing.

    [[nodiscard]] constexpr bool is_valid() const { return generation != 0; }
    friend constexpr auto operator<=>(const Handle&, const Handle&) = default;
};

}  // namespace wt
