// SPDX-License-Identifier: MIT
//
// Everything that a finished run says about itself: filled by simulator/run, printed by
// simulator/report. Plain data in base units; only `cost` knows the wall clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/digest.hpp"
#include "simulator/gates/evaluate.hpp"
#include "simulator/metrics/summary.hpp"

namespace wt::sim {

// Rises when records hold something else than before: digests of two versions never compare.
inline constexpr std::uint64_t digest_version = 1;

struct NamedCount {
    std::string name{};
    std::uint64_t count = 0;
};

struct LinkDirectionResult {
    std::uint64_t sent = 0;
    std::uint64_t delivered = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t reordered = 0;
    std::uint64_t in_flight = 0;
    std::vector<NamedCount> drops{};  // By cause, in the causes' order; zeros may be left out.
    Stats delay{};

    [[nodiscard]] std::uint64_t dropped() const {
        std::uint64_t sum = 0;
        for (const NamedCount& drop : drops)
            sum += drop.count;
        return sum;
    }
};

// All instances of one link of the scenario together.
struct LinkResult {
    std::string name{};
    std::uint32_t instances = 0;
    bool shared = false;
    LinkDirectionResult up{};
    LinkDirectionResult down{};
};

struct PeerResult {
    std::string name{};
    std::string group{};
    std::string state{};         // At the end of the run.
    std::string close_reason{};  // Of its last close, or empty.
    BotIndex index = no_bot;
};

struct ActResult {
    std::string name{};
    std::string what{};
    Instant start{};
    Instant end{};  // Instant::never() = held to the run's end.
    std::vector<std::string> targets{};
    std::uint64_t hits = 0;               // Exact faults: datagrams. Others: targets.
    std::string selector{};               // Exact faults only: what was meant,
    std::vector<NamedCount> also_lost{};  // and what else was in the datagrams that were hit.
};

// sent + duplicated = delivered + dropped + in flight, for one direction of all links.
struct Conservation {
    std::uint64_t sent = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t delivered = 0;
    std::uint64_t dropped = 0;
    std::uint64_t in_flight = 0;

    [[nodiscard]] bool holds() const {
        return sent + duplicated == delivered + dropped + in_flight;
    }
};

// The one part of a result that two runs of the same scenario do not share.
struct CostResult {
    std::int64_t wall_ns = 0;
    std::int64_t cpu_ns = 0;
    std::uint64_t memory_bytes = 0;  // Peak resident.
    std::vector<MetricSummary> metrics{};
};

struct DigestBlock {
    std::int64_t second = 0;
    std::string host{};
    DigestValue value{};
};

// Of a scenario on real sockets, of which this process was one side. No two such runs are the same,
// so there is no digest.
struct RealTimeResult {
    std::string side{};                       // "server" or "bots".
    std::string command{};                    // "serve" or "bots".
    std::string address{};                    // Where it listened, or whom it connected to.
    std::vector<std::string> unseen_gates{};  // Judged by the other side, or by runs only.
    std::vector<std::string> left_out{};      // Keys that mean something in runs only.
    std::vector<NamedCount> counts{};         // What the sockets did.
    std::vector<NamedCount> refusals{};       // Datagrams that the endpoint refused, by reason.
    // How long after its instant the latest step was done, and how many took more than 10 ms.
    Duration late_max{};
    std::uint64_t late_steps = 0;
};

enum class Stopped : std::uint8_t { at_end, interrupted, max_wall, fail_fast, out_of_memory };

struct RunResult {
    std::uint64_t seed = 0;
    Instant ran_until{};  // The scenario's end unless stopped early.
    Stopped stopped = Stopped::at_end;
    std::string bug{};  // A broken invariant in words: exit code 3.

    DigestValue digest{};
    std::uint64_t events = 0;
    std::uint64_t last_draw = 0;

    std::vector<GateResult> gates{};
    std::vector<MetricSummary> metrics{};  // Without cost.*.
    std::vector<PeerResult> peers{};       // All bots, by index.
    std::vector<LinkResult> links{};       // By name.
    std::vector<ActResult> acts{};
    // Exact faults with finite numbers that found nothing to hit in the whole run, by name.
    std::vector<std::string> idle_faults{};
    bool allows_idle_faults = false;
    Conservation up{};
    Conservation down{};
    std::uint64_t pool_growth = 0;  // Chunks that pools had to add during the run.

    // Of each bot, by index: the columns of the peers table.
    struct PeerFigures {
        std::int64_t queue_age_max = 0;
        std::int64_t rtt_max = 0;
        std::int64_t latency_max = 0;
        std::int64_t snapshot_age_max = 0;
        std::int64_t silence_max = 0;
        std::uint64_t retransmits = 0;
        std::uint64_t datagrams_up = 0;
        std::uint64_t datagrams_down = 0;
        std::uint64_t bytes_up = 0;
        std::uint64_t bytes_down = 0;
        std::uint64_t disconnects = 0;
        std::uint64_t drops = 0;  // Both directions of its link.
    };
    std::vector<PeerFigures> figures{};

    CostResult cost{};
    std::optional<RealTimeResult> real_time{};
    std::vector<DigestBlock> blocks{};   // Where RunOptions asked for them.
    std::vector<std::string> records{};  // Where RunOptions asked for them.
    bool trace_is_whole = true;          // False: a trace was asked for and could not be written.
    std::uint64_t trace_records = 0;     // In the trace.
    std::uint64_t trace_dropped = 0;     // Overwritten by its flight recorder.

    // 0 passed, 1 a gate failed, 2 an exact fault hit nothing, 3 a bug, 130 interrupted.
    [[nodiscard]] int exit_code() const {
        if (!bug.empty() || stopped == Stopped::out_of_memory) return 3;
        if (!up.holds() || !down.holds()) return 3;
        if (stopped == Stopped::interrupted) return 130;
        // A regression that tests nothing must not stay green.
        if (!idle_faults.empty() && !allows_idle_faults) return 2;
        if (stopped == Stopped::max_wall) return 1;
        for (const GateResult& gate : gates) {
            if (gate.verdict == Verdict::fail || gate.verdict == Verdict::no_values) return 1;
        }
        return 0;
    }
};

// Fills gates, metrics (cost.* apart), figures and pool_growth from a finished collector.
void fill_figures(RunResult& result, const Scenario& scenario, const std::vector<Gate>& gates,
                  const Collector& collector, bool count_cost);

}  // namespace wt::sim
