// SPDX-License-Identifier: MIT
//
// Which fragment each transmission sequence carried: the way back from an acknowledgement. A
// transmission has a 64-bit number inside and its low 16 bits, offset by the initial sequence, on
// the wire. The log holds what may still be acknowledged, at most half of the sequence space, so
// that a wire sequence means one transmission.  Spec: 000, acknowledgements.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/transport/lane.hpp"

namespace wt::secure {

struct Transmission {
    std::uint16_t message = 0;
    std::uint8_t fragment = 0;
    transport::Lane lane = transport::Lane::control;
};

class TransmissionLog {
public:
    // The sender stalls when its next transmission would lie this far ahead of the oldest.
    static constexpr std::uint64_t span_max = 32'768;

    // Forgets everything; the next transmission carries `initial`. Keeps its memory.
    void reset(std::uint16_t initial);

    // Enters the next transmission and returns its number. The span must allow it.
    std::uint64_t add(const Transmission& transmission);

    // The number behind a wire sequence, if it lies in [oldest, next).
    [[nodiscard]] bool find(std::uint16_t sequence, std::uint64_t& number) const;

    [[nodiscard]] const Transmission& at(std::uint64_t number) const;
    [[nodiscard]] std::uint16_t sequence_of(std::uint64_t number) const {
        return static_cast<std::uint16_t>(number + offset_);
    }
    // Drops numbers below `number` from the front.
    void drop_before(std::uint64_t number);

    [[nodiscard]] std::uint64_t oldest() const { return oldest_; }
    [[nodiscard]] std::uint64_t next() const { return next_; }
    [[nodiscard]] std::uint64_t span() const { return next_ - oldest_; }

private:
    std::vector<Transmission> ring_;  // Power of two, indexed by number.
    std::uint64_t oldest_ = 1;        // Numbers start at 1: 0 means "none" elsewhere.
    std::uint64_t next_ = 1;
    std::uint16_t offset_ = 0;
};

}  // namespace wt::secure
