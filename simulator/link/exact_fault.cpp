// SPDX-License-Identifier: MIT
#include "simulator/link/exact_fault.hpp"

#include <array>

namespace wt::sim {

namespace {

bool holds(const std::optional<NumberSpan>& span, bool has_number, std::uint64_t number) {
    return !span.has_value() || (has_number && span->contains(number));
}

}  // namespace

bool FaultSelector::matches(const transport::Label& label) const {
    using transport::Kind;
    if (kind == Kind::ack) {
        // Acknowledgements and nothing else.
        if (label.kinds != 1u << static_cast<unsigned>(Kind::ack)) return false;
    } else if (kind.has_value() && !label.has(*kind)) {
        return false;
    }
    if (lane.has_value() && (!label.on_lane || label.lane != *lane)) return false;
    const bool is_reliable = label.transmission != 0;
    return holds(message, label.on_lane, label.message) &&
           holds(fragment, is_reliable, label.fragment) &&
           holds(transmission, is_reliable, label.transmission) &&
           holds(tick, label.on_lane, label.tick) &&
           holds(sequence, is_reliable || label.has(Kind::ack), label.sequence);
}

bool FaultSelector::is_finite() const {
    if (!ordinals.is_open()) return true;
    const std::array filters{&message, &fragment, &transmission, &tick, &sequence};
    for (const std::optional<NumberSpan>* const filter : filters) {
        if (filter->has_value() && !(*filter)->is_open()) return true;
    }
    return false;
}

}  // namespace wt::sim
