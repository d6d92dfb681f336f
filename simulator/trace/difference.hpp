// SPDX-License-Identifier: MIT
//
// Two traces beside each other: where they first differ, found from their blocks' chained digests,
// or why they cannot be compared record by record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

struct Difference {
    // What differs in seed, scenario, schemas, capture: then records have nothing to do with one
    // another and only statistics say something. Empty: comparable.
    std::vector<std::string> reasons{};
    // Differs, and matters for nothing: build, cipher.
    std::vector<std::string> notes{};
    // Number of the first record that is not the same; that of the end where one has more.
    std::optional<std::uint64_t> first{};
    // Records before it that are the same.
    std::uint64_t equal = 0;
    // A block that is not as it was written: nothing behind it was compared.
    std::string damage{};

    [[nodiscard]] bool is_equal() const { return reasons.empty() && !first && damage.empty(); }
};

// Reads two tables of digests and one pair of blocks.
[[nodiscard]] Difference difference_of(const TraceFile& a, const TraceFile& b);

// How often each type occurs, by type; and bytes handed over.
struct TraceStatistics {
    std::vector<std::uint64_t> by_type{};
    std::uint64_t sent_bytes = 0;
};
// Reads everything.
[[nodiscard]] TraceStatistics statistics_of(const TraceFile& trace);

}  // namespace wt::trace
