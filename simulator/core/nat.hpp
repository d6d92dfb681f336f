// SPDX-License-Identifier: MIT
//
// The translator in front of a bot: the outer port and address that others see, and when they
// change. Sends ask for the mapping of their instant; arrivals are judged, by the bot's host,
// against the mapping that stood at the arrival's instant, whenever that is looked at. A process
// that starts anew has a new port of its own, which looks the same from outside and is counted as
// such.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"
#include "simulator/link/drop_cause.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

// What others see. Place 0 is the bot's own address; 256 of them go round.
struct OuterAddress {
    std::uint16_t port = 0;
    std::uint8_t place = 0;
    friend bool operator==(const OuterAddress&, const OuterAddress&) = default;
};

class Nat {
public:
    explicit Nat(const NatConfig& config);

    // A new process: what was sent to the old one reaches nobody (no_socket).
    void restart(Instant now) { replace(now, RebindKind::port, DropCause::no_socket); }
    // What was sent to the old mapping is lost (nat).
    void rebind(Instant now, RebindKind gives) { replace(now, gives, DropCause::nat); }
    // Something leaves: a mapping that has been idle for too long has been forgotten. True: this is
    // a new one.
    bool touch(Instant now) {
        const Mapping& newest = mappings_.back();
        const bool is_idle =
            newest.is_used && config_.idle > Duration{} && now - newest.touched > config_.idle;
        if (is_idle) rebind(now, config_.gives);
        mappings_.back().touched = now;
        mappings_.back().is_used = true;
        return is_idle;
    }

    [[nodiscard]] const OuterAddress& outer() const { return mappings_.back().outer; }
    // What happens to a datagram for `to` that arrives at `at`; the newest mapping is the usual
    // one.
    [[nodiscard]] DropCause judge(const OuterAddress& to, Instant at) const;

private:
    // What was sent to a mapping older than these finds no socket. They are enough for everything
    // in flight, and a bot that reconnects all day needs no memory for it.
    static constexpr std::size_t mappings_max = 16;

    struct Mapping {
        OuterAddress outer{};
        Instant since{};
        Instant touched{};
        bool is_used = false;  // Something has left by it.
        Instant until = Instant::never();
        DropCause after = DropCause::none;  // What becomes of datagrams that come later.
    };

    void replace(Instant now, RebindKind gives, DropCause after);
    [[nodiscard]] DropCause judge_by(const Mapping& mapping, Instant at) const;

    NatConfig config_;
    std::uint32_t ports_ = 0;          // Used so far.
    std::vector<Mapping> mappings_{};  // In order of time, the newest ones.
};

}  // namespace wt::sim
