// SPDX-License-Identifier: MIT
//
// A filter over 64 records at once: one bit a record walks through the filter's tests, so that a
// test whose field has a column looks at nothing else, and one without is asked only of the
// records that are still undecided. The answer is Filter::takes of each.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/trace/filter.hpp"
#include "simulator/trace/record_columns.hpp"

namespace wt::trace {

class FilterBatch {
public:
    explicit FilterBatch(const Filter& filter) : filter_(filter) {}

    struct Records {
        const std::uint8_t* stored = nullptr;  // Of the first one; 32 bytes each.
        std::uint64_t first = 0;               // Its number.
        unsigned count = 0;                    // At most 64.
        // Of the block that they lie in, or nullptr; `place` is the first one's place there, a
        // multiple of 64.
        const RecordColumns* columns = nullptr;
        std::size_t place = 0;
    };
    // Whether it looks at records even where there are columns.
    [[nodiscard]] bool reads_records() const;
    // Bit i: the i-th of them is taken.
    [[nodiscard]] std::uint64_t take(const Records& records);

private:
    [[nodiscard]] static std::uint64_t holds(const Filter::Test& test, const RecordColumns& columns,
                                             std::size_t place);
    [[nodiscard]] static std::uint64_t holds_stored(const Filter::Test& test,
                                                    const Records& records);

    Filter filter_;
    std::vector<std::uint64_t> arriving_{};  // By test: the records that come to it.
};

}  // namespace wt::trace
