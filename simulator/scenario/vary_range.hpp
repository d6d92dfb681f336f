// SPDX-License-Identifier: MIT
//
// What a path of [vary] may become: `A..B`, `A..B step C`, or one of a list. All arithmetic is in
// base units, and a drawn value is written as a scenario would write it, so that reading it back
// gives the same number.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

class VaryRange {
public:
    // Without a step a range is drawn in steps of the largest power of ten of base units of which
    // it holds at least this many: a drawn value has few digits.
    static constexpr std::int64_t steps_least = 1'000;

    static Result<VaryRange, TextError> parse(std::string_view text);
    // The values of a list as they stand.
    static VaryRange of_choices(std::vector<Node> choices);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    // The value number `index` of count(), ready to stand in a document.
    [[nodiscard]] Node value(std::uint64_t index) const;

private:
    Dimension dimension_ = Dimension::count;
    std::int64_t first_ = 0;
    std::int64_t step_ = 1;
    std::uint64_t count_ = 0;
    std::vector<Node> choices_{};
};

}  // namespace wt::sim
