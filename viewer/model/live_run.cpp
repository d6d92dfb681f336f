// SPDX-License-Identifier: MIT
#include "viewer/model/live_run.hpp"

#include <algorithm>
#include <chrono>

namespace wt::viewer {

namespace {

// Judging all gates takes some milliseconds with thousands of peers.
constexpr std::int64_t gates_every_ns = 400'000'000;
// A run that cannot keep its pace does not try to catch up more than this.
constexpr std::int64_t behind_max_ns = 250'000'000;
constexpr std::int64_t pace_every_ns = 500'000'000;

}  // namespace

std::vector<trace::GateOutcome> gates_so_far(const sim::Scenario& scenario,
                                             const std::vector<sim::Gate>& gates,
                                             const sim::Collector& collector) {
    sim::RunResult so_far;
    so_far.gates = sim::evaluate(scenario, gates, collector, {.count_cost = false});
    trace::Outcome outcome = sim::outcome_of(so_far);
    for (trace::GateOutcome& gate : outcome.gates) {
        if (gate.verdict == "no_values") gate.verdict = "pending";
    }
    return outcome.gates;
}

std::vector<sim::Target> recorded_bots(const sim::Scenario& scenario) {
    std::vector<sim::Target> targets;
    const std::uint64_t bots = scenario.bot_count();
    if (bots <= recorded_bots_max) return targets;
    for (const sim::BotGroup& group : scenario.groups) {
        if (group.count == 0) continue;
        const std::uint64_t share =
            std::max<std::uint64_t>(1, std::uint64_t{recorded_bots_max} * group.count / bots);
        targets.push_back({.kind = sim::Target::Kind::range,
                           .group = group.name,
                           .last = static_cast<std::uint32_t>(share - 1)});
    }
    return targets;
}

LiveRun::LiveRun(sim::Scenario scenario, std::vector<sim::Gate> gates, const LiveOptions& options)
    : scenario_(std::move(scenario)), gates_(std::move(gates)), catch_up_to_(options.catch_up_to) {
    run_options_.seed = options.seed;
    // Without a file everything is written to nowhere: the records are wanted all the same.
    run_options_.trace = sim::TraceOptions{};
    run_options_.trace->path = options.trace_path.empty() ? "/dev/null" : options.trace_path;
    if (options.trace_path.empty()) run_options_.trace->peers = recorded_bots(scenario_);
    run_options_.workers = options.workers;
    run_.emplace(scenario_, gates_, run_options_);
    about_ = run_->trace()->writer().about();
    header_ = sim::header_of(scenario_, run_->built(), run_->seed());
    state_.is_running = options.is_running;
    state_.speed = options.speed;
    state_.is_catching_up = catch_up_to_ > Instant{};
    listen();
    thread_ = std::thread([this] { work(); });
}

LiveRun::~LiveRun() {
    {
        const std::lock_guard lock(mutex_);
        wants_end_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void LiveRun::listen() {
    trace::Listener listener;
    listener.record = [this](const std::uint8_t* stored) {
        filling_.records.insert(filling_.records.end(), stored,
                                stored + trace::Record::stored_bytes);
    };
    listener.cells = [this](std::span<const trace::SeriesCell> row) {
        filling_.rows.emplace_back(row.begin(), row.end());
    };
    listener.anomaly = [this](const trace::Anomaly& anomaly) {
        filling_.anomalies.push_back(anomaly);
    };
    run_->trace()->listen(std::move(listener));
}

std::optional<Instant> LiveRun::next_target(const sim::Stopwatch& watch) {
    const Duration quantum = Duration::millis(50);
    const Instant reached = run_->reached();
    const Instant grid{(reached.ns / sim::report_grid.ns + 1) * sim::report_grid.ns};
    if (reached < catch_up_to_) return std::min(grid, catch_up_to_);
    state_.is_catching_up = false;
    if (step_to_ > reached) return step_to_;
    if (!state_.is_running) return std::nullopt;
    if (state_.speed <= 0) return grid;
    const std::int64_t now = watch.wall_ns();
    if (has_new_pace_) {
        has_new_pace_ = false;
        pace_wall_ns_ = now;
        pace_virtual_ = reached;
    }
    const double passed = static_cast<double>(now - pace_wall_ns_) * state_.speed;
    const Instant allowed = pace_virtual_ + Duration{static_cast<std::int64_t>(passed)};
    if (allowed <= reached) return std::nullopt;
    if ((allowed - reached).ns > behind_max_ns) has_new_pace_ = true;
    return std::min(allowed, reached + quantum);
}

void LiveRun::measure_pace(std::int64_t now_ns) {
    const std::int64_t passed = now_ns - measured_wall_ns_;
    const bool begins = has_new_measure_ || !state_.is_running;
    if (!begins && passed < pace_every_ns) return;
    const Instant reached = run_->reached();
    state_.pace = begins ? 0.0
                         : static_cast<double>((reached - measured_virtual_).ns) /
                               static_cast<double>(passed);
    has_new_measure_ = false;
    measured_wall_ns_ = now_ns;
    measured_virtual_ = reached;
}

void LiveRun::work() {
    const sim::Stopwatch watch;
    for (;;) {
        std::optional<Instant> target;
        {
            std::unique_lock lock(mutex_);
            if (wants_end_ || run_->is_at_end()) break;
            target = next_target(watch);
            measure_pace(watch.wall_ns());
            if (!target) {
                wake_.wait_for(lock, std::chrono::milliseconds(4));
                continue;
            }
        }
        run_->run_until(*target);
        const bool asks_gates = watch.wall_ns() - gates_asked_ns_ > gates_every_ns;
        if (asks_gates) {
            std::vector<trace::GateOutcome> gates =
                gates_so_far(scenario_, gates_, run_->collector());
            gates_asked_ns_ = watch.wall_ns();
            const std::lock_guard lock(mutex_);
            state_.gates = std::move(gates);
        }
        publish(false);
    }
    publish(true);
}

void LiveRun::publish(bool is_over) {
    std::optional<sim::RunResult> result;
    if (is_over) {
        const auto stopped = run_->is_at_end() ? sim::Stopped::at_end : sim::Stopped::interrupted;
        result = run_->finish(stopped);
    }
    std::uint32_t bot = 0;
    {
        const std::lock_guard lock(mutex_);
        bot = watched_bot_;
    }
    WorldPicture world = picture_of(run_->built(), bot, run_->reached());
    const std::lock_guard lock(mutex_);
    state_.reached = run_->reached();
    state_.world = std::move(world);
    batch_.records.insert(batch_.records.end(), filling_.records.begin(), filling_.records.end());
    for (auto& row : filling_.rows)
        batch_.rows.push_back(std::move(row));
    batch_.anomalies.insert(batch_.anomalies.end(), filling_.anomalies.begin(),
                            filling_.anomalies.end());
    filling_.records.clear();
    filling_.rows.clear();
    filling_.anomalies.clear();
    if (!is_over) return;
    state_.is_over = true;
    state_.is_running = false;
    state_.gates = sim::outcome_of(*result).gates;
    state_.result = std::move(result);
}

void LiveRun::set_running(bool on) {
    {
        const std::lock_guard lock(mutex_);
        state_.is_running = on && !state_.is_over;
        has_new_pace_ = true;
        has_new_measure_ = true;
    }
    wake_.notify_all();
}

void LiveRun::step_tick() {
    {
        const std::lock_guard lock(mutex_);
        state_.is_running = false;
        const std::int64_t tick = 1'000'000'000 / std::max(1u, header_.tick_rate);
        const Instant from = std::max(state_.reached, step_to_);
        step_to_ = from + Duration{tick};
    }
    wake_.notify_all();
}

void LiveRun::set_speed(double speed) {
    {
        const std::lock_guard lock(mutex_);
        state_.speed = speed;
        has_new_pace_ = true;
        has_new_measure_ = true;
    }
    wake_.notify_all();
}

void LiveRun::look_at(std::uint32_t bot) {
    const std::lock_guard lock(mutex_);
    watched_bot_ = bot;
}

LiveBatch LiveRun::take() {
    const std::lock_guard lock(mutex_);
    LiveBatch taken = std::move(batch_);
    batch_ = LiveBatch{};
    return taken;
}

LiveState LiveRun::state() {
    const std::lock_guard lock(mutex_);
    return state_;
}

sim::RunResult LiveRun::wait_for_end(const std::function<bool()>& wants_stop) {
    set_speed(0);
    set_running(true);
    // Nobody takes batches any more; what piles up is let go.
    for (;;) {
        std::unique_lock lock(mutex_);
        batch_ = LiveBatch{};
        if (state_.is_over) return *state_.result;
        if (wants_stop && wants_stop()) wants_end_ = true;
        wake_.wait_for(lock, std::chrono::milliseconds(20));
    }
}

}  // namespace wt::viewer
