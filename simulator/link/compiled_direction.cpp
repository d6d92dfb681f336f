// SPDX-License-Identifier: MIT
#include "simulator/link/compiled_direction.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

// The table's least value is no jitter at all and its median is `p50`; to the nearest ns.
std::vector<std::int64_t> scaled(const DelayTable& table, Duration p50) {
    const Wide median = static_cast<Wide>(table.median());
    std::vector<std::int64_t> values;
    values.reserve(table.above_least.size());
    for (const std::int64_t value : table.above_least) {
        const Wide product = static_cast<Wide>(value) * static_cast<Wide>(p50.ns) + median / 2;
        values.push_back(static_cast<std::int64_t>(product / median));
    }
    return values;
}

Distribution jitter_of(const JitterConfig& config) {
    // A family needs a median of at least 1 ns; the scenario reader refuses less.
    const MedianAndTail fixed{std::max(config.p50.ns, std::int64_t{1}),
                              std::max({config.p99.ns, config.p50.ns, std::int64_t{1}})};
    switch (config.kind) {
        case JitterConfig::Kind::none:
            return {};
        case JitterConfig::Kind::uniform:
            return Distribution::uniform(config.width.ns);
        case JitterConfig::Kind::normal:
            return Distribution::normal(fixed);
        case JitterConfig::Kind::lognormal:
            return Distribution::lognormal(fixed);
        case JitterConfig::Kind::gamma:
            return Distribution::gamma(fixed);
        case JitterConfig::Kind::pareto:
            return Distribution::pareto(fixed);
        case JitterConfig::Kind::table:
            return Distribution::table(scaled(*config.table, config.p50));
    }
    return {};
}

// Chances of the per-packet chain from (mean loss, mean burst): a bad packet's run goes on with
// 1 - 1/burst, a good one begins a run with loss / (1 - loss) / burst.
void compile_chain(CompiledDirection& made) {
    const std::uint64_t loss = made.config.loss.threshold;
    const std::uint64_t burst = std::max(made.config.burst.milli_packets, std::uint64_t{1'000});
    const Wide thousand = 1'000;
    const Wide leave = (thousand * Chance::one + burst / 2) / burst;
    made.burst_leave = {static_cast<std::uint64_t>(leave)};
    if (loss >= Chance::one) return;
    // From exact numbers and not from the rounded `leave`, so that the mean stays what was asked.
    const Wide over = static_cast<Wide>(burst) * (Chance::one - loss);
    const Wide enter = (thousand * loss * Chance::one + over / 2) / over;
    made.burst_enter = {
        static_cast<std::uint64_t>(std::min(enter, static_cast<Wide>(Chance::one)))};
}

}  // namespace

std::shared_ptr<const CompiledDirection> compile(const DirectionConfig& config) {
    const std::shared_ptr<CompiledDirection> made = std::make_shared<CompiledDirection>();
    made->config = config;
    made->jitter = jitter_of(config.jitter);
    made->floor = config.delay + Duration{std::max(made->jitter.minimum(), std::int64_t{0})};
    switch (config.burst.unit) {
        case BurstConfig::Unit::none:
            break;
        case BurstConfig::Unit::packets:
            compile_chain(*made);
            break;
        case BurstConfig::Unit::time:
            made->burst_means = SojournMeans::of(config.loss, config.burst.time);
            break;
    }
    made->opportunities = config.trace.opportunities;
    if (config.slot.every > Duration{}) {
        OpportunityTrace slots{
            .times = {0}, .period = config.slot.every, .bytes = config.slot.bytes, .wraps = true};
        made->opportunities = std::make_shared<const OpportunityTrace>(std::move(slots));
    }
    if (config.bad.has_value()) {
        made->bad_means = SojournMeans::of(config.bad->share, config.bad->mean);
    }
    return made;
}

std::shared_ptr<const CompiledDirection> compile(const N1Config& config) {
    const std::shared_ptr<CompiledDirection> made = std::make_shared<CompiledDirection>();
    made->n1 = config;
    made->floor = Duration::micros(static_cast<std::int64_t>(config.delay_us));
    return made;
}

CompiledLink compile(const LinkConfig& config) {
    if (config.n1.has_value()) {
        const std::shared_ptr<const CompiledDirection> both = compile(*config.n1);
        return {both, both};
    }
    return {compile(config.up), compile(config.down)};
}

}  // namespace wt::sim
