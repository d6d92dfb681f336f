// SPDX-License-Identifier: MIT
//
// Some fields of records that lie behind each other, each field by itself: what filters ask for
// most, in 10 bytes a record instead of 32. Whoever filters the same records again and again keeps
// these; a file has none, since they say nothing that its records do not.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/bytes.hpp"
#include "simulator/trace/layout.hpp"

namespace wt::trace {

struct RecordColumns {
    static constexpr std::size_t record_bytes = 10;
    // Readers take so many at once; the room behind the last record is there, and says nothing.
    static constexpr std::size_t step = 64;

    // `records`: stored ones, 32 bytes each.
    [[nodiscard]] static RecordColumns of(ConstBytes records);

    std::uint32_t count = 0;
    std::vector<std::uint8_t> type{};
    std::vector<std::uint8_t> lane{};
    std::vector<std::uint16_t> peer{};
    std::vector<std::uint16_t> kind{};
    std::vector<std::uint16_t> flags{};
    std::vector<std::uint16_t> size{};
};

}  // namespace wt::trace
