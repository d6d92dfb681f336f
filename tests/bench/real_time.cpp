// SPDX-License-Identifier: MIT
//
// How many virtual seconds of the gate a second of CPU buys, by peers, cipher and whether figures
// are collected. Two virtual seconds once all have joined; the counter says the factor.
#include <benchmark/benchmark.h>

#include <string>

#include "simulator/run/huge_heap.hpp"
#include "simulator/run/memory_estimate.hpp"
#include "tests/bench/traffic.hpp"

namespace wt::bench {

namespace {

constexpr Stretch stretch{.from = Instant{} + Duration::seconds(6),
                          .until = Instant{} + Duration::seconds(8)};

void gate(benchmark::State& state, const std::string& path, const std::string& cipher,
          Watching watching) {
    const sim::Scenario scenario = load_scenario(
        path, {"vars.peers=" + std::to_string(state.range(0)), "transport.cipher=" + cipher});
    sim::prefer_huge_pages(sim::estimated_memory(scenario));
    std::int64_t cpu_ns = 0;
    std::uint64_t datagrams = 0;
    for (auto _ : state) {
        const StretchCost cost = run_stretch(scenario, stretch, watching);
        state.SetIterationTime(static_cast<double>(cost.cpu_ns) / 1e9);
        cpu_ns += cost.cpu_ns;
        datagrams += cost.datagrams;
    }
    const double span = static_cast<double>((stretch.until - stretch.from).ns) *
                        static_cast<double>(state.iterations());
    state.counters["x_real_time"] = span / static_cast<double>(cpu_ns);
    state.counters["ns_per_datagram"] =
        static_cast<double>(cpu_ns) / static_cast<double>(datagrams);
}

constexpr const char* transport = "scenarios/gates/transport_128.toml";
constexpr const char* game = "scenarios/gates/peers_128.toml";

void real_cipher(benchmark::State& state) {
    gate(state, transport, "chacha20-poly1305", Watching::nobody);
}
void real_cipher_with_figures(benchmark::State& state) {
    gate(state, transport, "chacha20-poly1305", Watching::metrics);
}
void null_cipher(benchmark::State& state) {
    gate(state, transport, "null", Watching::nobody);
}
void game_real_cipher(benchmark::State& state) {
    gate(state, game, "chacha20-poly1305", Watching::nobody);
}
void game_with_figures(benchmark::State& state) {
    gate(state, game, "chacha20-poly1305", Watching::metrics);
}
void game_null_cipher(benchmark::State& state) {
    gate(state, game, "null", Watching::nobody);
}

void by_peers(benchmark::internal::Benchmark* benchmark) {
    benchmark->Arg(16)->Arg(128)->Arg(1'024)->UseManualTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(real_cipher)->Apply(by_peers);
BENCHMARK(real_cipher_with_figures)->Apply(by_peers);
BENCHMARK(null_cipher)->Apply(by_peers);
BENCHMARK(game_real_cipher)->Apply(by_peers);
BENCHMARK(game_with_figures)->Apply(by_peers);
BENCHMARK(game_null_cipher)->Apply(by_peers);

}  // namespace

}  // namespace wt::bench
