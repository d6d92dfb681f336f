// SPDX-License-Identifier: MIT
//
// Where a run's figures go: the simulator feeds values as they are taken, and at the end gates
// and reports ask for them. Feeding reads and adds, it never decides anything (rule D11) and
// allocates nothing once the plan's pools are filled. Values may come in any order of hosts: every
// answer, the worst value of a gate included, is the same for any order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/metrics/histogram.hpp"
#include "simulator/metrics/watch.hpp"

namespace wt::sim {

// Whose value it is. Levels and samples of the server as a whole have no bot.
struct Spot {
    static constexpr std::uint8_t no_lane = 255;

    BotIndex bot = no_bot;
    Way way = Way::both;
    std::uint8_t lane = no_lane;  // transport::Lane as a number, or no_lane.

    [[nodiscard]] static Spot of(BotIndex bot, Way way) { return {bot, way, no_lane}; }
    [[nodiscard]] static Spot of(BotIndex bot, Way way, transport::Lane lane) {
        return {bot, way, static_cast<std::uint8_t>(lane)};
    }
};

struct CollectorPlan {
    std::vector<Phase> phases{};
    std::vector<std::uint32_t> group_counts{};  // In the scenario's order of groups.
    // 1 for groups that count in peers.* only where they are named; empty = none.
    std::vector<std::uint8_t> is_hostile_group{};
    std::vector<Watch> watches{};  // One a gate, in the gates' order.

    [[nodiscard]] bool is_hostile(std::uint32_t group) const {
        return group < is_hostile_group.size() && is_hostile_group[group] != 0;
    }
};
[[nodiscard]] CollectorPlan plan_of(const Scenario& scenario);  // Without watches.

// One value with everything that a report says about it.
struct Taken {
    bool any = false;
    std::int64_t value = 0;
    BotIndex bot = no_bot;
    Instant at{};
    Way way = Way::both;
    std::uint8_t lane = Spot::no_lane;
};

// What one gate's watch has gathered.
struct WatchState {
    WatchState(std::size_t bots, bool each_peer);

    Histogram values{};
    Taken worst{};
    Taken last{};                       // Of the latest instant; of several the worst.
    std::vector<std::uint8_t> broke{};  // 1 for each bot with a value that breaks the bound.
    std::vector<std::uint8_t> seen{};   // 1 for each bot with any value.
    std::vector<std::uint64_t> counts{};
    std::uint64_t count_without_bot = 0;
    std::vector<std::uint64_t> numerators{};
    std::vector<std::uint64_t> denominators{};
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 0;
    std::vector<std::int64_t> active_ns{};  // Active time of each bot inside the scope.
    // Of each bot, where the watch asks for it; else empty.
    std::vector<Histogram> values_of{};
    std::vector<Taken> worst_of{};
    std::vector<Taken> last_of{};
};

// One cell of (metric, way, lane, phase, group); the group may be "none" (server values).
struct Bin {
    MetricId metric = MetricId::not_built;
    Way way = Way::both;
    std::uint8_t lane = Spot::no_lane;
    std::uint32_t phase = 0;
    std::uint32_t group = 0;  // group_counts.size() = none
    Histogram values{};
    std::uint64_t censored = 0;
    std::uint64_t count = 0;
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 0;
};

class Collector {
public:
    explicit Collector(CollectorPlan plan);

    // --- Feeding. `taken` lies in the run; values outside of it are a bug. ---

    // A sample, an event or a level of one peer (or of the server).
    void add_value(MetricId id, Spot spot, Instant taken, std::int64_t value);
    // A latency of a message that is still under way at the run's end: its age so far.
    void add_censored(MetricId id, Spot spot, Instant taken, std::int64_t age);
    void add_count(MetricId id, Spot spot, Instant taken, std::uint64_t amount = 1);
    // Adds numerator / denominator to a share; both may be 0.
    void add_share(MetricId id, Spot spot, Instant taken, std::uint64_t numerator,
                   std::uint64_t denominator);

    // Whether the scenario wants the bot in, and whether both ends are Active. Say every change,
    // at its instant, in time order per bot; all bots begin with neither. Feeds peers.active and
    // the Active time that `per second` divides by.
    struct BotState {
        bool wanted = false;
        bool active = false;
    };
    void set_bot(BotIndex bot, Instant at, BotState state);
    // After all events of a server tick's instant: takes peers.active.
    void end_tick(Instant at);
    // Closes what is open. Nothing may be fed afterwards.
    void finish(Instant end);

    // Whether any gate asks for this metric by lane, so that feeding its lanes is worth it.
    [[nodiscard]] bool wants_lanes(MetricId id) const {
        return wants_lanes_[static_cast<unsigned>(id)] != 0;
    }

    // --- Reading ---

    [[nodiscard]] const CollectorPlan& plan() const { return plan_; }
    [[nodiscard]] const ChunkPool& pool() const { return pool_; }
    [[nodiscard]] const std::vector<Bin>& bins() const { return bins_; }
    [[nodiscard]] const WatchState& watch(std::size_t index) const { return states_[index]; }
    [[nodiscard]] std::uint32_t bot_count() const {
        return static_cast<std::uint32_t>(bots_.size());
    }
    [[nodiscard]] std::uint32_t active_now() const { return active_now_; }
    [[nodiscard]] std::uint32_t wanted_now() const { return wanted_now_; }
    // The largest value of the whole run, and whose it was.
    [[nodiscard]] const Taken& largest(MetricId id) const {
        return largest_[static_cast<unsigned>(id)];
    }
    // Of the whole run: the bot's largest value, and its count in both directions.
    [[nodiscard]] std::int64_t bot_largest(MetricId id, BotIndex bot) const;
    [[nodiscard]] std::uint64_t bot_count_of(MetricId id, BotIndex bot, Way way) const;
    [[nodiscard]] std::uint64_t pool_growth() const;

private:
    struct Bot {
        std::uint32_t group = 0;
        BotState state{};
        Instant active_since{};
    };
    // wanted and active bots among those of one watch or one group.
    struct Presence {
        std::uint32_t wanted = 0;
        std::uint32_t active = 0;
    };

    // Where values of one (metric, way, lane, group) go while no phase and no watch begins or ends:
    // found once an epoch, so that feeding is two loads and an addition.
    struct Route {
        std::uint32_t epoch = ~std::uint32_t{0};
        std::int32_t bin = -1;
        std::vector<std::uint32_t> watches{};  // Bots are looked at with each value.
    };

    [[nodiscard]] std::size_t route_place(MetricId id, Spot spot) const;
    Route& route(MetricId id, Spot spot, Instant taken);
    void find_route(Route& route, MetricId id, Spot spot, Instant taken);
    Bin& bin(const Route& route) { return bins_[static_cast<std::size_t>(route.bin)]; }
    std::uint32_t epoch_of(Instant at);
    std::uint32_t phase_of(Instant at);
    std::uint32_t group_of(BotIndex bot) const;
    void feed_watch(std::size_t index, Spot spot, Instant taken, std::int64_t value);
    [[nodiscard]] static bool in_scope(const Watch& watch, Spot spot, Instant taken, LaneRule rule);
    void credit_active_time(BotIndex bot, Instant from, Instant to);
    void take_presence(std::size_t slot, std::uint32_t group, Instant at);

    CollectorPlan plan_;
    ChunkPool pool_;
    std::vector<Bin> bins_;
    std::size_t bins_reserved_ = 0;
    std::vector<std::int32_t> bin_index_;  // By metric, way, lane, group, phase.
    std::vector<Route> routes_;            // By metric, way, lane, group.
    std::vector<Instant> boundaries_;      // Where phases and watches begin or end, ascending.
    std::uint32_t epoch_now_ = 0;
    Instant epoch_start_{};
    Instant epoch_end_{};  // Equal to the start: not looked up yet.
    std::vector<WatchState> states_;
    std::array<std::vector<std::uint32_t>, metric_count> watches_of_{};
    std::array<std::uint8_t, metric_count> wants_lanes_{};
    std::array<Taken, metric_count> largest_{};
    std::array<std::vector<std::int64_t>, metric_count> bot_largest_{};
    std::array<std::array<std::vector<std::uint64_t>, 3>, metric_count> bot_counts_{};
    std::vector<Bot> bots_;
    std::vector<Presence> group_presence_;  // One a group, then everybody.
    std::vector<Presence> watch_presence_;  // One a watch; used by those of peers.active.
    std::uint32_t wanted_now_ = 0;
    std::uint32_t active_now_ = 0;
    bool finished_ = false;
};

}  // namespace wt::sim
