// SPDX-License-Identifier: MIT
//
// Notices what a person would want to be led to. A function of the records in their order, so two
// equal traces have equal anomalies; the manifest's table says what each kind's numbers mean.
#pragma once

#include <vector>

#include "simulator/trace/layout.hpp"

namespace wt::trace {

class AnomalyFinder {
public:
    // Limits. A frame is 16.7 ms and a round trip of a bad link 200 ms: what is beyond these is
    // felt by a player.
    static constexpr std::uint32_t loss_burst_min = 5;     // datagrams in a row
    static constexpr std::uint32_t transmissions_min = 4;  // of one fragment
    static constexpr std::uint32_t queue_age_us_min = 500'000;
    static constexpr std::uint16_t correction_mm_min = 250;
    static constexpr std::uint32_t inputs_missing_min = 6;  // ticks in a row: 100 ms at 60 Hz
    // By the server in one tick. A link that doubles one datagram in a hundred of 128 players makes
    // it refuse one or two a tick, which is nobody's fault.
    static constexpr std::uint16_t refused_min = 8;
    static constexpr std::int64_t rtt_settling_ns = 1'000'000'000;
    static constexpr std::int64_t tickets_quiet_ns = 1'000'000'000;

    // `tick_us`: from one tick of the server to the next.
    AnomalyFinder(std::size_t peers, std::uint32_t tick_us) : peers_(peers), tick_us_(tick_us) {}

    // True where the record is one; `record` of `out` is the caller's to fill in.
    [[nodiscard]] bool look(const Record& record, Anomaly& out);

private:
    struct Peer {
        std::uint32_t lost[2] = {0, 0};    // In a row, by direction.
        bool is_lost[2] = {false, false};  // The last one sent.
        std::uint32_t send_age = 0;
        std::uint32_t inputs_missing = 0;
        std::uint32_t last_missing_tick = 0;
        std::int64_t quiet_until = 0;  // Of refused tickets.
        std::int64_t first_rtt_at = -1;
        std::uint32_t rtt_base = 0;
        bool is_spiking = false;
        bool is_queueing = false;
    };
    [[nodiscard]] bool look_at(const Record& record, Peer& peer, Anomaly& out);
    [[nodiscard]] bool look_at_loss(const Record& record, Peer& peer, Anomaly& out);
    [[nodiscard]] bool look_at_age(std::uint32_t age, Peer& peer, Anomaly& out);
    [[nodiscard]] bool look_at_fragment(const Record& record, Peer& peer, Anomaly& out);
    [[nodiscard]] bool look_at_rtt(const Record& record, Peer& peer, Anomaly& out);
    [[nodiscard]] bool look_at_input(const Record& record, Peer& peer, Anomaly& out);

    [[nodiscard]] static bool look_at_ticket(const Record& record, Peer& peer, Anomaly& out);
    [[nodiscard]] bool look_at_tick(const Record& record, Anomaly& out);

    std::vector<Peer> peers_;
    std::uint32_t tick_us_;
    bool is_refusing_ = false;
    bool is_overrunning_ = false;
};

}  // namespace wt::trace
