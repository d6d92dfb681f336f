// SPDX-License-Identifier: MIT
//
// A scenario's server as a process of its own, on a real socket in real time. Its scenario begins
// when the first player shows a ticket, so that its phases lie where the bots' phases do; until
// then it waits, and after the scenario's end it says goodbye.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bots/meter.hpp"
#include "engine/udp/driver.hpp"
#include "engine/udp/waiter.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/realtime/one_side_observer.hpp"
#include "simulator/realtime/real_time_options.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/run/world_builder.hpp"

namespace wt::sim {

class ServerRun final : private bots::Meter {
public:
    // Scenario and gates must outlive this; the scenario must be one without real_time_problems.
    ServerRun(const Scenario& scenario, const std::vector<Gate>& gates,
              const RealTimeOptions& options);

    // The address with the port that it really has.
    [[nodiscard]] Result<transport::Address, udp::OpenError> open();
    // To the scenario's end, or until the waiter is stopped. After open(); once.
    [[nodiscard]] RunResult run(udp::Waiter& waiter);

private:
    void step(Instant now);
    void tick(Instant now);
    void drain(Instant now);
    void note(Instant now, const transport::Event& event);
    void take_levels(Instant now);
    void count_bytes(Instant now);
    void say_goodbye(udp::Waiter& waiter);
    [[nodiscard]] RunResult finish(Instant now, bool was_stopped);
    [[nodiscard]] Instant next_wake(Instant now) const;
    [[nodiscard]] bots::Context context(Instant now);
    // Nobody where the connection's player is not of this scenario, or is not known any more.
    [[nodiscard]] std::optional<std::uint32_t> bot_of(transport::ConnectionId connection) const;
    // Whether the scenario's clock runs, and what it shows.
    [[nodiscard]] bool is_measuring(Instant now) const;
    [[nodiscard]] Instant scenario_time(Instant now) const { return Instant{} + (now - *zero_); }

    void on_fact(Instant now, transport::ConnectionId connection, const bots::Fact& fact) override;
    void on_frame(Instant, const bots::Frame&) override {}
    void on_ticket_refused(Instant now, const transport::Address& from) override;

    Scenario scenario_;
    SplitGates gates_;
    RealTimeOptions options_;
    std::vector<Watch> watches_;
    Collector collector_;
    Stopwatch stopwatch_{};
    MetricsObserver figures_;
    OneSideObserver observer_;
    std::unique_ptr<Process> process_;
    LuckStream luck_;
    udp::Clock clock_{};
    std::optional<udp::Socket> socket_{};
    std::optional<udp::Driver> driver_{};

    Instant started_{};              // A whole second: where tick 0 of this process lies.
    std::optional<Instant> zero_{};  // Where the scenario's time 0 lies.
    std::uint64_t tick_base_ = 0;    // Number of tick 0.
    std::uint64_t next_tick_ = 0;    // Counted from there.
    std::uint64_t current_tick_ = 0;
    Instant next_flush_{};
    Instant first_join_{};  // Of the scenario's players.
    std::map<std::uint64_t, std::uint32_t> bot_of_player_{};
    struct Seat {
        transport::ConnectionId connection{};
        std::uint32_t bot = 0;
        bool is_taken = false;
    };
    std::vector<Seat> seats_{};      // By ConnectionId::index.
    udp::SocketCounters counted_{};  // In server.bytes already.
    Duration late_max_{};
    std::uint64_t late_steps_ = 0;
};

}  // namespace wt::sim
