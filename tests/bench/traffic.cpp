// SPDX-License-Identifier: MIT
#include "tests/bench/traffic.hpp"

#include <cstdio>
#include <cstdlib>

#include "simulator/core/world.hpp"
#include "simulator/gates/gate.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/run/metrics_observer.hpp"
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
    void on_delivered(const sim::DatagramDelivered& what) override { inner_.on_delivered(what); }
    void on_lost(const sim::DatagramLost& what) override { inner_.on_lost(what); }
    void on_message_sent(const sim::MessageSent& what) override { inner_.on_message_sent(what); }
    void on_message(const sim::MessageDelivered& what) override { inner_.on_message(what); }
    void on_connection(const sim::ConnectionChange& what) override { inner_.on_connection(what); }
    void on_levels(const sim::LevelsTaken& what) override { inner_.on_levels(what); }
    void on_sample(const sim::SampleTaken& what) override { inner_.on_sample(what); }
    void on_level_point(Instant at, bool is_server) override {
        inner_.on_level_point(at, is_server);
    }

private:
    sim::Observer& inner_;
    std::vector<FloorDatagram>& traffic_;
};

std::uint64_t datagrams_so_far(const sim::World& world) {
    return world.totals().datagrams;
}

}  // namespace

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

StretchCost run_stretch(const sim::Scenario& scenario, Stretch stretch,
                        std::vector<FloorDatagram>* traffic) {
    std::vector<sim::Problem> problems;
    const std::vector<sim::Gate> gates = sim::compile_gates(scenario, problems);
    sim::CollectorPlan plan = sim::plan_of(scenario);
    plan.watches = sim::watches_of(gates);
    sim::Collector collector(std::move(plan));
    sim::BuiltWorld built = sim::build_world(scenario, scenario.seed);
    sim::MetricsObserver metrics(scenario, collector, built.server());
    std::vector<FloorDatagram> nowhere;
    Recorder recorder(metrics, traffic == nullptr ? nowhere : *traffic);
    sim::Observer* const observer =
        traffic == nullptr ? static_cast<sim::Observer*>(&metrics) : &recorder;
    sim::World world(built.plan, observer);

    world.run_until(stretch.from);
    const std::uint64_t before = datagrams_so_far(world);
    const std::uint64_t events_before = world.totals().events;
    recorder.is_on = traffic != nullptr;
    const sim::Stopwatch watch;
    world.run_until(stretch.until);
    StretchCost cost;
    cost.cpu_ns = watch.cpu_ns();
    recorder.is_on = false;
    cost.datagrams = datagrams_so_far(world) - before;
    cost.events = world.totals().events - events_before;
    for (const auto& process : built.processes) {
        cost.sealed += process->endpoint->counters().sealed;
        cost.opened += process->endpoint->counters().opened;
    }
    return cost;
}

}  // namespace wt::bench
