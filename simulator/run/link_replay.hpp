// SPDX-License-Identifier: MIT
//
// Which draw of luck lost or delayed a datagram. Weather is a function of (seed, direction, place
// in time), and a trace has the seed, the scenario's text and every datagram handed over: so the
// first link is worked out once more, with its draws written down, and costs a run nothing. What
// comes out is held against the trace's own records: where the two part (another build, a trace
// without its beginning) nothing is said from there on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/core/topology.hpp"
#include "simulator/link/link_direction.hpp"
#include "simulator/trace/trace_file.hpp"
#include "simulator/trace/why.hpp"

namespace wt::sim {

// One datagram at the first link, once more.
struct ReplayedSend {
    std::uint32_t sequence = 0;
    Instant sent{};
    Fate fate{};
    DrawLog log{};
};

class LinkReplay {
public:
    // The file must outlive this.
    explicit LinkReplay(const trace::TraceFile& file);

    // Why there is none; empty where there is.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    // The datagram of that number on the way between a peer and the server, handed over at or
    // shortly before `around`; nullptr: not to be told. Valid until the next question.
    [[nodiscard]] const ReplayedSend* find(std::uint16_t peer, Way way, std::uint32_t sequence,
                                           Instant around);
    // "draw 0.0112 < 0.0200" or "28 ms + jitter 4.1 ms (draw 0.61)"; empty where there is nothing.
    [[nodiscard]] std::string text(std::uint16_t peer, Way way, std::uint32_t sequence,
                                   Instant around);

private:
    struct Kept {
        std::uint16_t peer = 0;
        Way way = Way::up;
        Instant from{};
        Instant to{};
        bool is_any = false;
        std::map<std::uint32_t, ReplayedSend> sends{};
    };
    void replay(std::uint16_t peer, Way way, Instant from, Instant to);

    const trace::TraceFile& file_;
    std::string problem_{};
    std::uint64_t seed_ = 0;
    Topology topology_{};
    Kept kept_{};
};

[[nodiscard]] std::string luck_text(const ReplayedSend& send);
// For trace::why; the replay must outlive it.
[[nodiscard]] trace::LuckOf luck_of(LinkReplay& replay);

}  // namespace wt::sim
