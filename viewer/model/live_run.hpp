// SPDX-License-Identifier: MIT
//
// A run on a thread of its own: as fast as told, held, or by single ticks. What it records comes
// out in batches, so that the simulation never waits for a frame to be drawn nor a frame for it;
// and since nothing goes in that is not in the scenario, the run is the one without a viewer.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "simulator/run/scenario_run.hpp"
#include "viewer/model/source.hpp"
#include "viewer/model/world_picture.hpp"

namespace wt::viewer {

// Of a run with more bots than this, and without a file, records of so many are kept: some of each
// group. Series are kept of all.
inline constexpr std::uint32_t recorded_bots_max = 128;

struct LiveOptions {
    std::optional<std::uint64_t> seed{};
    std::string trace_path{};  // Empty: no file.
    std::uint32_t workers = 1;
    // Up to here without a pause and at full speed: where a run goes on that was begun anew.
    Instant catch_up_to{};
    bool is_running = true;
    double speed = 1;  // Times real time; 0 = as fast as it goes.
};

// Since the last batch.
struct LiveBatch {
    std::vector<std::uint8_t> records{};
    std::vector<std::vector<trace::SeriesCell>> rows{};
    std::vector<trace::Anomaly> anomalies{};
};

struct LiveState {
    Instant reached{};
    bool is_running = false;
    bool is_catching_up = false;
    bool is_over = false;  // The result is there.
    double speed = 1;
    double pace = 0;  // Times real time: what it came to in its last half second; 0: not known yet.
    std::vector<trace::GateOutcome> gates{};  // As they stand.
    WorldPicture world{};
    std::optional<sim::RunResult> result{};
};

class LiveRun {
public:
    LiveRun(sim::Scenario scenario, std::vector<sim::Gate> gates, const LiveOptions& options);
    // The run ends where it is; its trace, if any, is a whole one up to there.
    ~LiveRun();
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    void set_running(bool on);
    void step_tick();
    void set_speed(double speed);
    void look_at(std::uint32_t bot);  // Whose view of the world is wanted.

    [[nodiscard]] LiveBatch take();
    [[nodiscard]] LiveState state();
    // As fast as it goes, to the end or until `wants_stop` says so; then the result up to there.
    [[nodiscard]] sim::RunResult wait_for_end(const std::function<bool()>& wants_stop = {});

    // Fixed before the thread began.
    [[nodiscard]] const trace::About& about() const { return about_; }
    [[nodiscard]] const trace::Header& header() const { return header_; }
    [[nodiscard]] const sim::Scenario& scenario() const { return scenario_; }

private:
    void work();
    // Where to run next, or nothing: wait. Takes the lock.
    [[nodiscard]] std::optional<Instant> next_target(const sim::Stopwatch& watch);
    void publish(bool is_over);
    void listen();
    // Of what was run since it was held; under the lock.
    void measure_pace(std::int64_t now_ns);

    sim::Scenario scenario_;
    std::vector<sim::Gate> gates_;
    sim::RunOptions run_options_{};
    std::optional<sim::ScenarioRun> run_{};
    trace::About about_{};
    trace::Header header_{};
    Instant catch_up_to_{};

    // The worker's own.
    LiveBatch filling_{};
    std::int64_t gates_asked_ns_ = 0;
    std::int64_t pace_wall_ns_ = 0;  // Where the pace is counted from.
    Instant pace_virtual_{};
    std::int64_t measured_wall_ns_ = 0;  // Where the pace that is shown is counted from.
    Instant measured_virtual_{};

    std::mutex mutex_{};
    std::condition_variable wake_{};
    // Under the mutex.
    LiveBatch batch_{};
    LiveState state_{};
    Instant step_to_{};
    std::uint32_t watched_bot_ = 0;
    bool wants_end_ = false;
    bool has_new_pace_ = true;
    bool has_new_measure_ = true;

    std::thread thread_{};
};

// Whose records a run without a file keeps; empty: everybody's.
[[nodiscard]] std::vector<sim::Target> recorded_bots(const sim::Scenario& scenario);

// Gates as they stand in the middle of a run: one without values yet is pending.
[[nodiscard]] std::vector<trace::GateOutcome> gates_so_far(const sim::Scenario& scenario,
                                                           const std::vector<sim::Gate>& gates,
                                                           const sim::Collector& collector);

}  // namespace wt::viewer
