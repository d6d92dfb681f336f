// SPDX-License-Identifier: MIT
//
// What a gate asks the collector to keep: which values lie in its scope, and which of them break
// its bound. Compiled by simulator/gates from the scenario's text.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/transport/lane.hpp"
#include "simulator/metrics/catalogue.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// Bots in the order of (group in the scenario's order, number in the group).
using BotIndex = std::uint32_t;
inline constexpr BotIndex no_bot = std::numeric_limits<std::uint32_t>::max();

enum class Compare : std::uint8_t { less, less_equal, greater, greater_equal, equal, not_equal };

// A comparison with its right side, in the base unit of what is compared.
struct Bound {
    Compare compare = Compare::less;
    std::int64_t value = 0;
    std::int64_t tolerance = 0;  // Only with equal and not_equal.

    [[nodiscard]] bool holds(std::int64_t measured) const {
        switch (compare) {
            case Compare::less:
                return measured < value;
            case Compare::less_equal:
                return measured <= value;
            case Compare::greater:
                return measured > value;
            case Compare::greater_equal:
                return measured >= value;
            case Compare::equal:
                return distance(measured) <= tolerance;
            case Compare::not_equal:
                return distance(measured) > tolerance;
        }
        return false;
    }
    // Whether `a` lies further on the wrong side than `b`.
    [[nodiscard]] bool worse(std::int64_t a, std::int64_t b) const {
        switch (compare) {
            case Compare::less:
            case Compare::less_equal:
                return a > b;
            case Compare::greater:
            case Compare::greater_equal:
                return a < b;
            case Compare::equal:
                return distance(a) > distance(b);
            case Compare::not_equal:
                return distance(a) < distance(b);
        }
        return false;
    }
    [[nodiscard]] std::int64_t distance(std::int64_t measured) const {
        return measured < value ? value - measured : measured - value;
    }
};

struct Watch {
    MetricId metric = MetricId::not_built;
    Instant start{};
    Instant end = Instant::never();  // [start, end)
    Way way = Way::both;
    std::optional<transport::Lane> lane{};
    std::vector<std::uint8_t> bots{};  // 1 for each bot in scope; empty = everybody.
    Bound bound{};
    bool each_peer = false;  // Values are kept for each peer alone.

    [[nodiscard]] bool has_bot(BotIndex bot) const {
        if (bots.empty()) return true;
        return bot < bots.size() && bots[bot] != 0;
    }
    [[nodiscard]] bool has_time(Instant at) const { return at >= start && at < end; }
};

}  // namespace wt::sim
