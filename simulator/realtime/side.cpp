// SPDX-License-Identifier: MIT
#include "simulator/realtime/side.hpp"

#include <algorithm>
#include <array>

namespace wt::sim {

namespace {

// What a sender knows of its own sending: the server of what goes down, bots of what goes up.
constexpr std::array of_sender{MetricId::peers_queue_age,   MetricId::peers_unacked_age,
                               MetricId::peers_backlog,     MetricId::peers_transmissions,
                               MetricId::peers_retransmits, MetricId::peers_rtt,
                               MetricId::peers_srtt,        MetricId::peers_rto};
// What a receiver knows: the other way round.
constexpr std::array of_receiver{MetricId::peers_reassembly, MetricId::peers_silence};
// What players see, and the links, which work in the bots' process in both directions.
constexpr std::array of_bots{MetricId::peers_active,
                             MetricId::peers_join_time,
                             MetricId::peers_disconnects,
                             MetricId::peers_bytes,
                             MetricId::peers_datagrams,
                             MetricId::peers_response,
                             MetricId::peers_view_age,
                             MetricId::peers_lead,
                             MetricId::peers_clock_error,
                             MetricId::peers_jitter_buffer,
                             MetricId::peers_corrections,
                             MetricId::peers_correction_size,
                             MetricId::peers_starvation,
                             MetricId::peers_freeze,
                             MetricId::peers_baseline_misses,
                             MetricId::peers_keyframe_requests,
                             MetricId::peers_desyncs,
                             MetricId::peers_snapshot_age,
                             MetricId::links_delay,
                             MetricId::links_queue_wait,
                             MetricId::links_loss,
                             MetricId::links_burst,
                             MetricId::links_reordered,
                             MetricId::links_duplicated,
                             MetricId::links_datagram_bytes,
                             MetricId::links_drops,
                             MetricId::links_utilisation};
constexpr std::array of_server{MetricId::peers_staleness,
                               MetricId::peers_input_loss,
                               MetricId::peers_input_margin,
                               MetricId::peers_updates,
                               MetricId::peers_update_bits,
                               MetricId::peers_coverage,
                               MetricId::peers_near_coverage,
                               MetricId::server_peers,
                               MetricId::server_pending_joins,
                               MetricId::server_joins,
                               MetricId::server_refusals,
                               MetricId::server_bytes,
                               MetricId::server_refused_tickets,
                               MetricId::server_objects_visited,
                               MetricId::cost_tick,
                               MetricId::cost_per_peer,
                               MetricId::cost_memory};
// What needs both ends (latency, undelivered, divergence) or labels, which no wire carries
// (amplification); what is 1 by definition; what only runs count.
constexpr std::array of_nobody{MetricId::peers_latency,      MetricId::peers_undelivered,
                               MetricId::peers_divergence,   MetricId::server_amplification,
                               MetricId::cost_realtime,      MetricId::cost_allocations,
                               MetricId::peers_path_changes, MetricId::cost_floor};

template <std::size_t Count>
constexpr bool has(const std::array<MetricId, Count>& list, MetricId id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

constexpr bool everybody_is_decided() {
    for (unsigned i = 0; i < metric_count; ++i) {
        const MetricId id = static_cast<MetricId>(i);
        const int lists = int{has(of_sender, id)} + int{has(of_receiver, id)} +
                          int{has(of_bots, id)} + int{has(of_server, id)} + int{has(of_nobody, id)};
        if (lists != 1) return false;
    }
    return true;
}
static_assert(everybody_is_decided(), "a new metric: say which side of a run in real time sees it");

}  // namespace

const char* name_of(Side side) {
    return side == Side::server ? "server" : "bots";
}

bool sees(Side side, MetricId id, Way way, GameKind game) {
    const bool is_server = side == Side::server;
    if (has(of_sender, id)) return way != (is_server ? Way::up : Way::down);
    if (has(of_receiver, id)) return way != (is_server ? Way::down : Way::up);
    // Without a game it is told by labels.
    if (id == MetricId::peers_snapshot_age && game == GameKind::none) return false;
    return is_server ? has(of_server, id) : has(of_bots, id);
}

SplitGates split_gates(Side side, const std::vector<Gate>& gates, GameKind game) {
    SplitGates split;
    for (const Gate& gate : gates) {
        // Whose ticket was refused only its address says, and the bots of a process share one.
        const bool is_nameless =
            gate.watch.metric == MetricId::server_refused_tickets && !gate.watch.bots.empty();
        if (!is_nameless && sees(side, gate.watch.metric, gate.watch.way, game)) {
            split.seen.push_back(gate);
        } else {
            split.unseen.push_back(gate.name);
        }
    }
    return split;
}

}  // namespace wt::sim
