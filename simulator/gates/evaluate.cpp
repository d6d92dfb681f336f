// SPDX-License-Identifier: MIT
//
// Values of gates. Rates are computed for each peer over its Active time in scope, in integers
// (events an hour or bit/s, floored), and compared across peers; everything else is one bag.
#include "simulator/gates/evaluate.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "engine/base/check.hpp"
#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

// Less Active time than this gives no honest rate.
constexpr std::int64_t active_ns_min = 1'000'000'000;
constexpr std::int64_t ppb = 1'000'000'000;

Histogram::Rank rank_of(Pick pick) {
    switch (pick) {
        case Pick::p01:
            return {1, 100};
        case Pick::p05:
            return {5, 100};
        case Pick::p10:
            return {10, 100};
        case Pick::p25:
            return {25, 100};
        case Pick::p50:
            return {50, 100};
        case Pick::p75:
            return {75, 100};
        case Pick::p90:
            return {90, 100};
        case Pick::p95:
            return {95, 100};
        case Pick::p99:
            return {99, 100};
        case Pick::p999:
            return {999, 1'000};
        case Pick::min:
        case Pick::mean:
        case Pick::max:
        case Pick::last:
            break;
    }
    return {0, 1};
}

struct Value {
    std::int64_t value = 0;
    std::uint64_t values = 0;
};

// The pick of one bag of values: of all in scope, or of one peer's alone.
std::optional<Value> value_of_bag(const Gate& gate, const Histogram& values, const Taken& last,
                                  const ChunkPool& pool) {
    if (values.count() == 0) return std::nullopt;
    Value result{.value = 0, .values = values.count()};
    switch (gate.statistic.pick) {
        case Pick::min:
            result.value = values.min();
            break;
        case Pick::mean:
            result.value = values.mean();
            break;
        case Pick::max:
            result.value = values.max();
            break;
        case Pick::last:
            result.value = last.value;
            break;
        case Pick::p01:
        case Pick::p05:
        case Pick::p10:
        case Pick::p25:
        case Pick::p50:
        case Pick::p75:
        case Pick::p90:
        case Pick::p95:
        case Pick::p99:
        case Pick::p999:
            result.value = values.percentile(pool, rank_of(gate.statistic.pick));
            break;
    }
    return result;
}

// Nearest rank, minimum, mean or maximum of one number a peer.
std::int64_t across_peers(std::vector<std::int64_t> values, Pick pick) {
    WT_CHECK(!values.empty());
    std::sort(values.begin(), values.end());
    const std::uint64_t count = values.size();
    if (pick == Pick::min) return values.front();
    if (pick == Pick::max || pick == Pick::last) return values.back();
    if (pick == Pick::mean) {
        SignedWide sum = 0;
        for (const std::int64_t value : values)
            sum += value;
        return static_cast<std::int64_t>(sum / static_cast<SignedWide>(count));
    }
    const Histogram::Rank rank = rank_of(pick);
    const std::uint64_t place = std::max<std::uint64_t>(
        (count * rank.numerator + rank.denominator - 1) / rank.denominator, 1);
    return values[place - 1];
}

// Events an hour, or bit/s for bytes.
std::int64_t rate_of(const Gate& gate, std::uint64_t count, std::int64_t active_ns) {
    const SignedWide scale =
        gate.dimension == Dimension::rate ? SignedWide{8} * ppb : SignedWide{3'600} * ppb;
    return static_cast<std::int64_t>(static_cast<SignedWide>(count) * scale / active_ns);
}

class Evaluation {
public:
    // `gate` is of one window: its watch says which.
    Evaluation(const Scenario& scenario, const Gate& gate, const WatchState& state,
               const ChunkPool& pool)
        : scenario_(scenario), gate_(gate), state_(state), pool_(pool) {
        result_.gate = gate;
    }

    GateResult run(const EvaluateOptions& options) {
        const std::optional<Value> value = measure();
        if (value) {
            result_.value = value->value;
            result_.values = value->values;
            result_.holds = gate_.watch.bound.holds(value->value);
            result_.margin_ppb = margin(value->value);
        }
        name_the_worst();
        if (gate_.needs_cost && !options.count_cost) {
            result_.verdict = Verdict::not_counted;
        } else if (!value) {
            result_.verdict = Verdict::no_values;
        } else {
            result_.verdict = result_.holds ? Verdict::ok : Verdict::fail;
        }
        return std::move(result_);
    }

private:
    std::optional<Value> measure() {
        const MetricType type = metric(gate_.watch.metric).type;
        switch (type) {
            case MetricType::sample:
            case MetricType::level:
                return bag();
            case MetricType::event: {
                std::optional<Value> value = bag();
                // None happened: 0, as long as somebody was there to whom it could happen.
                if (!value && somebody_was_active()) value = Value{};
                return value;
            }
            case MetricType::share:
                return share();
            case MetricType::count:
                return gate_.statistic.kind == Statistic::Kind::total ? total() : rate();
        }
        return std::nullopt;
    }

    [[nodiscard]] bool somebody_was_active() const {
        return std::any_of(state_.active_ns.begin(), state_.active_ns.end(),
                           [](std::int64_t ns) { return ns > 0; });
    }

    void count_bots(const std::vector<std::uint8_t>& seen, const std::vector<std::uint8_t>& broke) {
        for (std::size_t bot = 0; bot < seen.size(); ++bot) {
            result_.bots_in_scope += seen[bot];
            result_.bots_breaking += broke[bot];
        }
    }

    std::optional<Value> bag() {
        if (gate_.watch.each_peer) return worst_bag();
        count_bots(state_.seen, state_.broke);
        return value_of_bag(gate_, state_.values, state_.last, pool_);
    }

    // Each peer's values alone; the worst peer decides.
    std::optional<Value> worst_bag() {
        std::uint64_t values = 0;
        for (BotIndex bot = 0; bot < state_.values_of.size(); ++bot) {
            const std::optional<Value> own =
                value_of_bag(gate_, state_.values_of[bot], state_.last_of[bot], pool_);
            if (!own) continue;
            values += own->values;
            note_bot(bot, own->value);
            // Where the peer's own worst value lies says more than the scope's end.
            if (result_.worst.bot == bot) result_.worst.at = state_.worst_of[bot].at;
        }
        return worst_of_peers(values);
    }

    [[nodiscard]] std::optional<Value> worst_of_peers(std::uint64_t values) const {
        if (!result_.worst.any) return std::nullopt;
        return Value{result_.worst.value, values};
    }

    std::optional<Value> share() {
        if (state_.denominator == 0) return std::nullopt;
        const auto quotient = [](std::uint64_t numerator, std::uint64_t denominator) {
            return static_cast<std::int64_t>(static_cast<SignedWide>(numerator) * ppb /
                                             static_cast<SignedWide>(denominator));
        };
        for (BotIndex bot = 0; bot < state_.denominators.size(); ++bot) {
            if (state_.denominators[bot] == 0) continue;
            const std::int64_t own = quotient(state_.numerators[bot], state_.denominators[bot]);
            note_bot(bot, own);
        }
        if (gate_.watch.each_peer) return worst_of_peers(state_.denominator);
        return Value{quotient(state_.numerator, state_.denominator), state_.denominator};
    }

    [[nodiscard]] std::uint64_t whole_count() const {
        return std::accumulate(state_.counts.begin(), state_.counts.end(),
                               state_.count_without_bot);
    }

    std::optional<Value> total() {
        const std::uint64_t sum = whole_count();
        // What the server counts of somebody who never gets in is a value too.
        const bool is_seen = sum > 0 || is_of_server(gate_.watch.metric) || somebody_was_active();
        if (!is_seen) return std::nullopt;
        if (gate_.watch.each_peer) {
            for (BotIndex bot = 0; bot < state_.counts.size(); ++bot) {
                if (state_.active_ns[bot] == 0 && state_.counts[bot] == 0) continue;
                note_bot(bot, static_cast<std::int64_t>(state_.counts[bot]));
            }
            return worst_of_peers(sum);
        }
        for (BotIndex bot = 0; bot < state_.counts.size(); ++bot) {
            if (!gate_.watch.has_bot(bot)) continue;
            ++result_.bots_in_scope;
            if (state_.counts[bot] == 0) continue;
            // One who is over the bound alone, or takes part in a sum that must be nothing.
            if (!gate_.watch.bound.holds(static_cast<std::int64_t>(state_.counts[bot])))
                ++result_.bots_breaking;
        }
        result_.worst = state_.worst;
        return Value{static_cast<std::int64_t>(sum), sum};
    }

    // A count of the server as a whole: over the scope's own length, there is no peer to divide by.
    std::optional<Value> server_rate() {
        const Instant end = std::min(gate_.watch.end, scenario_.end());
        if (end <= gate_.watch.start) return std::nullopt;
        const std::int64_t length = (end - gate_.watch.start).ns;
        return Value{rate_of(gate_, whole_count(), length), whole_count()};
    }

    std::optional<Value> rate() {
        if (is_of_server(gate_.watch.metric)) return server_rate();
        std::vector<std::int64_t> rates;
        for (BotIndex bot = 0; bot < state_.counts.size(); ++bot) {
            const std::int64_t active = state_.active_ns[bot];
            if (active == 0) continue;
            if (active < active_ns_min) {
                ++result_.bots_left_out;
                continue;
            }
            rates.push_back(rate_of(gate_, state_.counts[bot], active));
            note_bot(bot, rates.back());
        }
        if (rates.empty()) return std::nullopt;
        const std::uint64_t peers = rates.size();
        if (gate_.watch.each_peer) return worst_of_peers(peers);
        return Value{across_peers(std::move(rates), gate_.statistic.pick), peers};
    }

    // One peer's own figure, where the worst peer is judged by it.
    void note_bot(BotIndex bot, std::int64_t value) {
        const Bound& bound = gate_.watch.bound;
        ++result_.bots_in_scope;
        if (!bound.holds(value)) ++result_.bots_breaking;
        if (!result_.worst.any || bound.worse(value, result_.worst.value))
            result_.worst = {true, value, bot, gate_.watch.end, gate_.watch.way, Spot::no_lane};
    }

    void name_the_worst() {
        if (state_.worst.any && !result_.worst.any) result_.worst = state_.worst;
        if (!result_.worst.any) return;
        if (result_.worst.bot != no_bot) result_.worst_bot = bot_name(scenario_, result_.worst.bot);
        const Frequency rate = scenario_.server.tick_rate;
        const std::uint64_t next = rate.first_tick_at_or_after(result_.worst.at);
        const bool on_tick = rate.tick(next) == result_.worst.at;
        result_.worst_tick = on_tick || next == 0 ? next : next - 1;
    }

    [[nodiscard]] std::int64_t margin(std::int64_t value) const {
        const Bound& bound = gate_.watch.bound;
        if (bound.value == 0) return 0;
        SignedWide distance = static_cast<SignedWide>(bound.value) - value;
        switch (bound.compare) {
            case Compare::less:
            case Compare::less_equal:
                break;
            case Compare::greater:
            case Compare::greater_equal:
                distance = -distance;
                break;
            case Compare::equal:
            case Compare::not_equal:
                // How much of the tolerance is left.
                if (bound.tolerance == 0) return 0;
                return static_cast<std::int64_t>(
                    (static_cast<SignedWide>(bound.tolerance) - bound.distance(value)) * ppb /
                    bound.tolerance);
        }
        const std::int64_t size = bound.value < 0 ? -bound.value : bound.value;
        const SignedWide scaled = distance * ppb / size;
        constexpr SignedWide most = INT64_MAX;
        return static_cast<std::int64_t>(std::clamp<SignedWide>(scaled, -most, most));
    }

    const Scenario& scenario_;
    const Gate& gate_;
    const WatchState& state_;
    const ChunkPool& pool_;
    GateResult result_{};
};

}  // namespace

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::ok:
            return "ok";
        case Verdict::fail:
            return "fail";
        case Verdict::no_values:
            return "no_values";
        case Verdict::not_counted:
            return "not_counted";
    }
    return "";
}

namespace {

// Whether `a` is the one of two windows that decides: no values, then the further from the bound.
bool decides(const GateResult& a, const GateResult& b) {
    const auto rank = [](const GateResult& result) {
        // Without values, but 0 of what is counted is a value as good as any.
        if (result.values == 0 && !result.holds) return 0;
        return result.holds ? 2 : 1;
    };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return a.gate.watch.bound.worse(a.value, b.value);
}

GateResult evaluate_gate(const Scenario& scenario, const Gate& gate, const Collector& collector,
                         std::size_t first_watch, const EvaluateOptions& options) {
    std::optional<GateResult> worst;
    std::uint32_t breaking = 0;
    for (std::uint32_t window = 0; window < gate.watch_count(); ++window) {
        Gate part = gate;
        part.watch = gate.watch_at(window);
        const WatchState& state = collector.watch(first_watch + window);
        GateResult result = Evaluation(scenario, part, state, collector.pool()).run(options);
        result.window_start = part.watch.start;
        if (!result.holds) ++breaking;
        if (!worst || decides(result, *worst)) worst = std::move(result);
    }
    WT_CHECK(worst.has_value());
    worst->gate = gate;
    if (gate.window != Duration{}) {
        worst->windows = gate.watch_count();
        worst->windows_breaking = breaking;
    }
    return std::move(*worst);
}

// Whether what was seen so far of one watch breaks the bound whatever comes.
bool is_lost(const Gate& gate, const WatchState& state) {
    const Bound& bound = gate.watch.bound;
    const bool upper = bound.compare == Compare::less || bound.compare == Compare::less_equal;
    const bool lower = bound.compare == Compare::greater || bound.compare == Compare::greater_equal;
    if (gate.statistic.kind == Statistic::Kind::total) {
        // A total only grows: past an upper bound, or past an exact one, there is no way back.
        std::uint64_t sum = state.count_without_bot;
        for (const std::uint64_t count : state.counts)
            sum = gate.watch.each_peer ? std::max(sum, count) : sum + count;
        const std::int64_t value = static_cast<std::int64_t>(sum);
        const bool past = bound.compare == Compare::equal && value > bound.value;
        return (upper || past) && !bound.holds(value);
    }
    if (gate.statistic.kind != Statistic::Kind::pick || state.values.count() == 0) return false;
    const std::int64_t max = state.values.max();
    const std::int64_t min = state.values.min();
    const bool equal = bound.compare == Compare::equal;
    if (gate.statistic.pick == Pick::max)
        return (upper || (equal && max > bound.value)) && !bound.holds(max);
    if (gate.statistic.pick == Pick::min)
        return (lower || (equal && min < bound.value)) && !bound.holds(min);
    return false;
}

}  // namespace

std::vector<GateResult> evaluate(const Scenario& scenario, const std::vector<Gate>& gates,
                                 const Collector& collector, const EvaluateOptions& options) {
    std::vector<GateResult> results;
    std::size_t watch = 0;
    for (const Gate& gate : gates) {
        results.push_back(evaluate_gate(scenario, gate, collector, watch, options));
        watch += gate.watch_count();
    }
    return results;
}

std::uint32_t failed_for_good(const std::vector<Gate>& gates, const Collector& collector) {
    std::uint32_t failed = 0;
    std::size_t watch = 0;
    for (const Gate& gate : gates) {
        bool lost = false;
        for (std::uint32_t i = 0; i < gate.watch_count(); ++i)
            lost = lost || is_lost(gate, collector.watch(watch + i));
        watch += gate.watch_count();
        if (lost && !gate.needs_cost) ++failed;
    }
    return failed;
}

std::string bot_name(const Scenario& scenario, BotIndex bot) {
    for (const BotGroup& group : scenario.groups) {
        if (bot < group.count) return group.name + "-" + std::to_string(bot);
        bot -= group.count;
    }
    return "";
}

}  // namespace wt::sim
