// SPDX-License-Identifier: MIT
//
// From what happens in a world to the figures of the language: listens to simulator/core and feeds
// the collector. It sees both ends of every connection in true time, so one-way figures are true
// and not estimated. Calls come in the order of time for each host only, a window apart between
// hosts: what needs both ends waits for the window's end, so that no figure depends on where
// windows lie.  Spec: scenarios/README.md, metrics.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/base/grow_ring.hpp"
#include "simulator/core/observer.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/metrics/collector.hpp"
#include "simulator/run/floor_meter.hpp"
#include "simulator/run/game_metrics.hpp"
#include "simulator/run/link_metrics.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

class MetricsObserver final : public Observer {
public:
    // The stopwatch feeds `cost.*`; nullptr: nothing is timed. `seed` is the run's, for what is
    // timed besides.
    MetricsObserver(const Scenario& scenario, Collector& collector,
                    const Stopwatch* stopwatch = nullptr, std::uint64_t seed = 0);

    void on_handed(const DatagramHanded& what) override;
    void on_waited(const NodeWaited& what) override;
    void on_moved(const PathMoved& what) override;
    void on_delivered(const DatagramDelivered& what) override;
    void on_lost(const DatagramLost& what) override;
    void on_message_sent(const MessageSent& what) override;
    void on_message(const MessageDelivered& what) override;
    void on_connection(const ConnectionChange& what) override;
    void on_levels(const LevelsTaken& what) override;
    void on_sample(const SampleTaken& what) override;
    void on_fact(const GameFact& what) override;
    void on_frame(const FrameShown& what) override { game_.add(what); }
    void on_server_work(bool begins, std::int64_t wall_ns) override;
    [[nodiscard]] std::int64_t wall_ns() const override;
    void on_level_point(const LevelPoint& point) override;
    void on_window_end(Instant end) override;

    // The run is over: what is open is closed, messages under way enter with their age.
    void finish(Instant end);

    // What the peers table says of each bot at the end.
    struct BotState {
        bool wanted = false;
        bool bot_up = false;
        bool server_up = false;
        bool was_active = false;
        transport::CloseReason last_reason = transport::CloseReason::none;

        [[nodiscard]] bool is_active() const { return bot_up && server_up; }
    };
    [[nodiscard]] const BotState& state_of(std::uint32_t bot) const { return bots_[bot].state; }
    [[nodiscard]] const LinkMetrics& links() const { return links_; }

private:
    // What one direction of one bot's path needs to remember.
    struct FlowState {
        // Accepted reliable messages that were not delivered yet, oldest first, by lane.
        std::array<GrowRing<Instant>, transport::lane_count> under_way{};
        // Kept by the sending host:
        bool sender_is_up = false;
        // Kept by the receiving host:
        Instant last_authentic{};
    };
    struct BotRecord {
        BotState state{};
        // Kept by the bot's host:
        Instant attempt_since = Instant::never();
        Instant newest_snapshot = Instant::never();
        // Of the attempts that led to the connection there is.
        Instant connected_since = Instant::never();
        // Kept at window ends: when the attempts began that led to the bot's last "up".
        Instant joining_since = Instant::never();
        std::array<FlowState, 2> flows{};  // up, down
    };

    // A change of a connection, or a tick of the server, on its way to the window's end.
    struct Pending {
        Instant at{};
        bool is_tick = false;
        bool is_transport_up = false;  // Told by the endpoint, where only a game's session counts.
        ConnectionChange change{};
        Instant attempt_since = Instant::never();
    };

    FlowState& flow_of(const Flow& flow) {
        return bots_[flow.bot].flows[flow.way == Way::down ? 1 : 0];
    }
    void count_join(std::uint32_t bot, Instant at);
    void apply(const Pending& pending);
    void update(std::uint32_t bot, Instant at, bool was_planned);
    void take_silence(const LevelsTaken& what);
    void take_server_levels(const LevelPoint& point);
    void take_allocations(Instant at);
    void take_utilisation(Instant at);
    void take_costs(Instant end);

    const Scenario& scenario_;
    Collector& collector_;
    const Stopwatch* stopwatch_;
    GameMetrics game_;
    LinkMetrics links_;
    std::optional<FloorMeter> floor_{};  // Where a gate asks.
    std::vector<BotRecord> bots_;
    std::vector<Pending> pending_;
    Instant undelivered_until_{};     // Messages accepted later are left out of peers.undelivered.
    std::uint32_t server_peers_ = 0;  // Kept by the server's host.
    std::uint64_t refused_seen_ = 0;
    std::int64_t work_began_ = 0;  // Wall clock, for cost.tick.
    std::int64_t worked_ns_ = 0;
    std::uint64_t allocations_seen_ = 0;
    std::uint64_t unproven_in_ = 0;   // Bytes from addresses without a verified cookie,
    std::uint64_t unproven_out_ = 0;  // and to them, the whole run so far.
};

}  // namespace wt::sim
