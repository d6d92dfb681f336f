// SPDX-License-Identifier: MIT
//
// A scenario's bots as a process of their own, in real time: the world of a run, links and timeline
// included, with a portal in the server's place. The world is driven by the wall clock and is
// otherwise the one that runs are made of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/udp/waiter.hpp"
#include "simulator/core/world.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/realtime/one_side_observer.hpp"
#include "simulator/realtime/portal.hpp"
#include "simulator/realtime/real_time_options.hpp"
#include "simulator/realtime/refusal_watch.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/world_builder.hpp"

namespace wt::sim {

class BotsRun {
public:
    // The world runs so far behind the wall clock. What the server sends at a flush instant reaches
    // this process a little later, and so still meets the world before that very instant.
    static constexpr Duration lag = Duration::millis(2);
    static constexpr Duration step = Duration::millis(1);

    // Scenario and gates must outlive this; the scenario must be one without real_time_problems.
    BotsRun(const Scenario& scenario, const std::vector<Gate>& gates,
            const RealTimeOptions& options);

    // To the scenario's end, until the waiter is stopped, or until it is certain that nobody will
    // ever get in; once. The error is one line for a user.
    [[nodiscard]] Result<RunResult, std::string> run(udp::Waiter& waiter);

private:
    // The server's place in the world.
    [[nodiscard]] static std::unique_ptr<Process> make_far_end(const transport::Address& server);
    [[nodiscard]] std::string make_room() const;
    void begin();
    void run_to(Instant world);
    // Why nobody was ever let in, where the server has said so.
    [[nodiscard]] std::optional<std::string> hopelessness() const;
    [[nodiscard]] std::optional<std::string> refusal_of(std::uint32_t bot) const;
    [[nodiscard]] RunResult finish(bool was_stopped);

    Scenario scenario_;  // Its first tick is the wall clock's.
    SplitGates gates_;
    RealTimeOptions options_;
    std::vector<Watch> watches_;
    udp::Clock clock_{};
    Stopwatch stopwatch_{};
    BuiltWorld built_;
    Portal& portal_;
    std::vector<std::unique_ptr<RefusalWatch>> watches_of_bots_{};  // By bot.
    std::optional<Collector> collector_{};
    std::unique_ptr<MetricsObserver> figures_{};
    std::unique_ptr<OneSideObserver> observer_{};
    std::unique_ptr<World> world_{};
    Instant zero_{};  // A whole second: where the world's time 0 lies.
    Instant reached_{};
    Instant grid_{};
    Duration late_max_{};
    std::uint64_t late_steps_ = 0;
    bool was_anybody_in_ = false;
};

}  // namespace wt::sim
