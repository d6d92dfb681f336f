// SPDX-License-Identifier: MIT
//
// An exact fault: which datagrams of one direction it means, by what they carry, and what happens
// to them. It looks at side labels and never at bytes or luck, so taking one out of a scenario
// moves nothing else.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "engine/base/time.hpp"
#include "engine/transport/label.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

// Both ends belong to it; without an upper end it goes on for ever.
struct NumberSpan {
    static constexpr std::uint64_t open = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t first = 1;
    std::uint64_t last = open;

    [[nodiscard]] bool is_open() const { return last == open; }
    [[nodiscard]] bool contains(std::uint64_t number) const {
        return first <= number && number <= last;
    }
};

struct FaultSelector {
    Way way = Way::up;
    std::optional<transport::Kind> kind{};  // None: every datagram.
    // What stands on the wire; nothing that has no such number matches.
    std::optional<NumberSpan> message{};
    std::optional<NumberSpan> fragment{};
    std::optional<NumberSpan> transmission{};
    std::optional<NumberSpan> tick{};
    std::optional<NumberSpan> sequence{};
    std::optional<transport::Lane> lane{};
    // Of the datagrams that match all that, by their ordinal from the fault's start on, the first
    // being 1; of those every n-th, beginning with the first.
    NumberSpan ordinals{};
    std::uint64_t every = 1;

    // Kind and filters; ordinals are the caller's to count.
    [[nodiscard]] bool matches(const transport::Label& label) const;
    [[nodiscard]] bool takes(std::uint64_t ordinal) const {
        return ordinals.contains(ordinal) && (ordinal - ordinals.first) % every == 0;
    }
    // Whether some number has an upper end: then there must be something to hit.
    [[nodiscard]] bool is_finite() const;
};

enum class FaultAction : std::uint8_t { drop, delay, duplicate, corrupt, replay };

struct FaultPlan {
    FaultAction action = FaultAction::drop;
    FaultSelector what{};
    Duration by{};             // delay: this much later; holds nobody else back.
    std::uint32_t copies = 1;  // duplicate: so many more.
    Duration after{};          // duplicate: between two copies. replay: after its hand-over.
    std::optional<std::uint32_t> bit{};  // corrupt: turned over, modulo the size; none: by luck.
    bool is_from_stranger = false;       // replay: from an address that is nobody's.
};
// Copies of one datagram at most.
inline constexpr std::uint32_t fault_copies_max = 100;

}  // namespace wt::sim
