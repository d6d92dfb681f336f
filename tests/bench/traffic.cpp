// SPDX-License-Identifier: MIT
#include "tests/bench/traffic.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "simulator/core/world.hpp"
#include "simulator/gates/gate.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/tee_observer.hpp"
#include "simulator/run/trace_run.hpp"
#include "simulator/run/world_builder.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::bench {

namespace {

// Payload around a record: frame, number, delivery header, tag; counter and tag of the record.
std::uint16_t record_plaintext(const sim::DatagramHanded& what) {
    const transport::Label& label = what.label;
    // Repeats send a record that was sealed before; acknowledgements have none.
    if (!label.on_lane || label.transmission > 1) return 0;
    const std::uint32_t header = label.transmission == 1                ? 7
                                 : label.has(transport::Kind::snapshot) ? 3
                                                                        : 1;
    return static_cast<std::uint16_t>(what.bytes - 27 - header - 24);
}

// Passes everything on to the metrics, and writes down what the floor needs.
class Recorder final : public sim::Observer {
public:
    Recorder(sim::Observer& inner, std::vector<FloorDatagram>& traffic)
        : inner_(inner), traffic_(traffic) {}

    bool is_on = false;

    void on_handed(const sim::DatagramHanded& what) override {
        inner_.on_handed(what);
        if (!is_on) return;
        traffic_.push_back({.at_ns = what.at.ns,
                            .peer = what.flow.bot,
                            .bytes = static_cast<std::uint16_t>(what.bytes),
                            .record_bytes = record_plaintext(what),
                            .is_up = static_cast<std::uint8_t>(what.flow.way == sim::Way::up),
                            .is_lost = static_cast<std::uint8_t>(what.copies == 0)});
    }
    void on_fact(const sim::GameFact& what) override { inner_.on_fact(what); }
    void on_frame(const sim::FrameShown& what) override { inner_.on_frame(what); }
    void on_delivered(const sim::DatagramDelivered& what) override { inner_.on_delivered(what); }
    void on_lost(const sim::DatagramLost& what) override { inner_.on_lost(what); }
    void on_message_sent(const sim::MessageSent& what) override { inner_.on_message_sent(what); }
    void on_message(const sim::MessageDelivered& what) override { inner_.on_message(what); }
    void on_connection(const sim::ConnectionChange& what) override { inner_.on_connection(what); }
    void on_levels(const sim::LevelsTaken& what) override { inner_.on_levels(what); }
    void on_sample(const sim::SampleTaken& what) override { inner_.on_sample(what); }
    void on_server_work(bool begins, std::int64_t wall_ns) override {
        inner_.on_server_work(begins, wall_ns);
    }
    [[nodiscard]] std::int64_t wall_ns() const override { return inner_.wall_ns(); }
    void on_level_point(const sim::LevelPoint& point) override { inner_.on_level_point(point); }
    void on_window_end(Instant end) override { inner_.on_window_end(end); }

private:
    sim::Observer& inner_;
    std::vector<FloorDatagram>& traffic_;
};

// A world and what collects its figures, built in the order in which they need each other.
class Watched {
public:
    explicit Watched(const sim::Scenario& scenario)
        : collector_(plan_of(scenario)), metrics_(scenario, collector_, &watch_) {}

    [[nodiscard]] sim::Observer& observer() { return metrics_; }

private:
    static sim::CollectorPlan plan_of(const sim::Scenario& scenario) {
        std::vector<sim::Problem> problems;
        const std::vector<sim::Gate> gates = sim::compile_gates(scenario, problems);
        sim::CollectorPlan plan = sim::plan_of(scenario);
        plan.watches = sim::watches_of(gates);
        return plan;
    }

    sim::Stopwatch watch_{};
    sim::Collector collector_;
    sim::MetricsObserver metrics_;
};

// A trace in a file that is gone afterwards.
class Traced {
public:
    Traced(const sim::Scenario& scenario, const sim::BuiltWorld& built, sim::Observer& first)
        : path_(std::filesystem::temp_directory_path() / "wavetank-bench.wtrace"),
          run_({.path = path_.string()}, scenario, built, scenario.seed),
          tee_(first, run_.capture()) {}
    ~Traced() {
        std::error_code failure;
        std::filesystem::remove(path_, failure);
    }
    Traced(const Traced&) = delete;
    Traced& operator=(const Traced&) = delete;

    [[nodiscard]] sim::Observer& observer() { return tee_; }
    void reach(Instant now) { run_.reach(now); }

private:
    std::filesystem::path path_;
    sim::TraceRun run_;
    sim::TeeObserver tee_;
};

// Runs to `until` as run_scenario does, from one 100 ms to the next.
void run_on_grid(sim::World& world, Instant from, Instant until, Traced* traced) {
    constexpr Duration grid = Duration::millis(100);
    for (Instant reached = from; reached < until;) {
        reached = std::min(reached + grid, until);
        world.run_until(reached);
        if (traced != nullptr) traced->reach(reached);
    }
}

// What the server's host worked between two of its ticks: open, decode, simulate, encode, seal.
class TickTimer final : public sim::Observer {
public:
    void on_server_work(bool begins, std::int64_t wall_ns) override {
        worked_ += begins ? -wall_ns : wall_ns;
    }
    [[nodiscard]] std::int64_t wall_ns() const override { return watch_.wall_ns(); }
    void on_level_point(const sim::LevelPoint& point) override {
        if (!point.is_server) return;
        // Called within the work of this very instant: the tick's rest falls to the next one.
        const std::int64_t now = watch_.wall_ns();
        ticks_.push_back(worked_ + now);
        worked_ = -now;
    }
    [[nodiscard]] std::vector<std::int64_t>& ticks() { return ticks_; }

private:
    sim::Stopwatch watch_{};
    std::int64_t worked_ = 0;
    std::vector<std::int64_t> ticks_{};
};

}  // namespace

std::vector<std::int64_t> time_ticks(const sim::Scenario& scenario, Stretch stretch) {
    sim::BuiltWorld built = sim::build_world(scenario, scenario.seed);
    TickTimer timer;
    sim::World world(built.plan, &timer);
    world.run_until(stretch.from);
    timer.ticks().clear();
    world.run_until(stretch.until);
    return std::move(timer.ticks());
}

sim::Scenario load_scenario(const std::string& path, const std::vector<std::string>& settings) {
    auto scenario = sim::read_scenario(path, settings);
    if (!scenario.has_value()) {
        for (const sim::Problem& problem : scenario.error()) {
            std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.message.c_str());
        }
        std::exit(2);
    }
    return std::move(*scenario);
}

StretchCost run_stretch(const sim::Scenario& scenario, Stretch stretch, Watching watching) {
    sim::BuiltWorld built = sim::build_world(scenario, scenario.seed);
    std::optional<Watched> watched;
    std::optional<Traced> traced;
    sim::Observer* observer = nullptr;
    if (watching != Watching::nobody) observer = &watched.emplace(scenario).observer();
    if (watching == Watching::trace)
        observer = &traced.emplace(scenario, built, watched->observer()).observer();
    sim::World world(built.plan, observer);
    Traced* const grid = traced.has_value() ? &*traced : nullptr;

    run_on_grid(world, {}, stretch.from, grid);
    const sim::WorldTotals before = world.totals();
    const sim::Stopwatch watch;
    run_on_grid(world, stretch.from, stretch.until, grid);
    StretchCost cost;
    cost.cpu_ns = watch.cpu_ns();
    const sim::WorldTotals after = world.totals();
    cost.datagrams = after.datagrams - before.datagrams;
    cost.events = after.events - before.events;
    for (const auto& process : built.processes) {
        cost.sealed += process->endpoint->counters().sealed;
        cost.opened += process->endpoint->counters().opened;
        cost.connections += process->endpoint->connection_count();
    }
    return cost;
}

std::vector<FloorDatagram> record_traffic(const sim::Scenario& scenario, Stretch stretch) {
    std::vector<FloorDatagram> traffic;
    sim::BuiltWorld built = sim::build_world(scenario, scenario.seed);
    Watched watched(scenario);
    Recorder recorder(watched.observer(), traffic);
    sim::World world(built.plan, &recorder);
    world.run_until(stretch.from);
    recorder.is_on = true;
    world.run_until(stretch.until);
    return traffic;
}

}  // namespace wt::bench
