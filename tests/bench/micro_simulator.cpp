// SPDX-License-Identifier: MIT
//
// What the world does with a datagram and a figure: its fate on every preset, one histogram value.
#include <benchmark/benchmark.h>

#include "simulator/link/link_direction.hpp"
#include "simulator/link/presets.hpp"
#include "simulator/metrics/histogram.hpp"

namespace wt::bench {

namespace {

// 60 datagrams a second of an input's size, in virtual time.
void link_fate(benchmark::State& state) {
    const sim::Preset& preset = sim::all_presets()[static_cast<std::size_t>(state.range(0))];
    state.SetLabel(preset.name);
    sim::LinkDirection direction(LuckKey::root(1).with("bench"),
                                 {{.start = {}, .config = sim::compile(preset.config).up}});
    Instant now{};
    for (auto _ : state) {
        benchmark::DoNotOptimize(direction.send(now, 132, transport::WeatherTag::lane_1));
        now += Duration::nanos(16'666'667);
    }
}

// Round-trip times of 44 to 92 ms, as the gates have them.
void histogram_feed(benchmark::State& state) {
    sim::ChunkPool pool(64);
    sim::Histogram histogram;
    const LuckKey luck = LuckKey::root(1);
    std::uint64_t place = 0;
    for (auto _ : state) {
        const std::uint64_t extra = uniform_below(luck.draw(place++), 48'000'000);
        histogram.add(pool, 44'000'000 + static_cast<std::int64_t>(extra));
    }
    benchmark::DoNotOptimize(histogram.percentile(pool, {99, 100}));
}

BENCHMARK(link_fate)->DenseRange(0, static_cast<std::int64_t>(sim::all_presets().size()) - 1);
BENCHMARK(histogram_feed);

}  // namespace

}  // namespace wt::bench
