// SPDX-License-Identifier: MIT
//
// Every metric of the language: its name, type, unit and definition. A metric that this build
// cannot measure yet is listed all the same, so that a gate on it is refused by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simulator/scenario/quantity.hpp"

namespace wt::sim {

// Built metrics first: their values index tables of the collector.
enum class MetricId : std::uint8_t {
    peers_queue_age,
    peers_unacked_age,
    peers_backlog,
    peers_reassembly,
    peers_latency,
    peers_undelivered,
    peers_transmissions,
    peers_retransmits,
    peers_rtt,
    peers_srtt,
    peers_rto,
    peers_silence,
    peers_active,
    peers_join_time,
    peers_disconnects,
    peers_bytes,
    peers_datagrams,
    peers_snapshot_age,
    links_delay,
    links_queue_wait,
    links_loss,
    links_burst,
    links_reordered,
    links_duplicated,
    links_datagram_bytes,
    links_drops,
    server_peers,
    server_pending_joins,
    server_joins,
    server_refusals,
    server_amplification,
    server_bytes,
    cost_tick,
    cost_realtime,
    cost_memory,
    peers_response,
    peers_view_age,
    peers_staleness,
    peers_input_loss,
    peers_input_margin,
    peers_lead,
    peers_clock_error,
    peers_jitter_buffer,
    peers_corrections,
    peers_correction_size,
    peers_starvation,
    peers_freeze,
    peers_baseline_misses,
    peers_keyframe_requests,
    peers_divergence,
    peers_desyncs,
    peers_updates,
    peers_update_bits,
    peers_coverage,
    peers_near_coverage,
    server_refused_tickets,
    server_objects_visited,
    links_utilisation,
    cost_per_peer,
    cost_allocations,
    peers_path_changes,
    cost_floor,

    not_built,  // Stands for all the others; no value is ever fed under it.
};
inline constexpr unsigned metric_count = static_cast<unsigned>(MetricId::not_built);

enum class MetricType : std::uint8_t {
    sample,  // One value an occurrence.
    level,   // Read at each tick instant.
    share,   // Sum of numerators / sum of denominators.
    count,   // Occurrences, by peer.
    event,   // A sample of something that need not happen: none = 0.
};

// What a value without a lane means for a metric that has lanes.
enum class LaneRule : std::uint8_t {
    none,     // The metric has no lanes.
    pooled,   // Each value has its lane; without `on` all of them count.
    summary,  // Values without a lane are fed beside those of lanes (a maximum, a sum).
};

struct Metric {
    MetricId id = MetricId::not_built;
    std::string_view name{};
    MetricType type = MetricType::sample;
    Dimension dimension = Dimension::count;
    bool has_way = false;  // Distinguishes up and down.
    LaneRule lanes = LaneRule::none;
    std::string_view definition{};
    std::string_view taken{};

    [[nodiscard]] bool is_built() const { return id != MetricId::not_built; }
    [[nodiscard]] bool is_of_peers() const { return name.starts_with("peers."); }
    [[nodiscard]] bool is_cost() const { return name.starts_with("cost."); }
};

// All metrics; the built ones stand at the index of their id.
[[nodiscard]] std::span<const Metric> metric_catalogue();
[[nodiscard]] const Metric& metric(MetricId id);
[[nodiscard]] const Metric* find_metric(std::string_view name);
[[nodiscard]] const char* name_of(MetricType type);
// Whether its values belong to the server as a whole and to no bot.
[[nodiscard]] bool is_of_server(MetricId id);
// Whether its values are each of some bot, so that a gate may say of whom: some of the server's
// are.
[[nodiscard]] bool knows_bots(MetricId id);
// The base unit in words, for JSON: "ns", "B", "ppb", ...
[[nodiscard]] const char* base_unit(Dimension dimension);

}  // namespace wt::sim
