// SPDX-License-Identifier: MIT
//
// The table behind `wavetank explain` and behind every gate. Definitions say from when to when;
// `taken` is the instant that decides in which phase a value counts.
#include "simulator/metrics/catalogue.hpp"

#include <array>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

using Id = MetricId;
using Type = MetricType;
using Dim = Dimension;
using Lanes = LaneRule;

constexpr std::string_view tick = "the server's tick instant";

// Built metrics, in the order of MetricId; then those that wait for their part of the stack.
constexpr auto table = std::to_array<Metric>({
    {Id::peers_queue_age, "peers.queue_age", Type::level, Dim::time, true, Lanes::summary,
     "How long the oldest message that Send has accepted waits for its first byte to be handed to "
     "the link; 0 if none waits. Per lane with `on`, else the maximum over the lanes. A message "
     "replaced by a newer one keeps the older time.",
     tick},
    {Id::peers_unacked_age, "peers.unacked_age", Type::level, Dim::time, true, Lanes::none,
     "Time since the first transmission of the oldest reliable fragment that is not acknowledged; "
     "0 if there is none.",
     tick},
    {Id::peers_backlog, "peers.backlog", Type::level, Dim::bytes, true, Lanes::none,
     "Payload bytes accepted and not acknowledged (reliable) or not handed over (unreliable).",
     tick},
    {Id::peers_reassembly, "peers.reassembly", Type::level, Dim::bytes, true, Lanes::none,
     "Bytes that the receiver holds in incomplete messages.", tick},
    {Id::peers_latency, "peers.latency", Type::sample, Dim::time, true, Lanes::pooled,
     "From Send accepting a message to its delivery to the application, in order where the lane "
     "is ordered. Reliable messages that are still under way at the run's end enter with their "
     "age, counted as censored.",
     "delivery"},
    {Id::peers_undelivered, "peers.undelivered", Type::share, Dim::share, true, Lanes::pooled,
     "Messages accepted and never delivered, of all accepted. The last 10 s of the run are left "
     "out.",
     "acceptance"},
    {Id::peers_transmissions, "peers.transmissions", Type::sample, Dim::count, true, Lanes::pooled,
     "How often a reliable fragment was sent until it was acknowledged.", "acknowledgement"},
    {Id::peers_retransmits, "peers.retransmits", Type::count, Dim::count, true, Lanes::pooled,
     "Transmissions of reliable fragments beyond the first.", "transmission"},
    {Id::peers_rtt, "peers.rtt", Type::sample, Dim::time, true, Lanes::none,
     "What the round-trip estimator accepted: from a fragment's only transmission to the "
     "processing of its acknowledgement. It includes the receiver's poll quantum.",
     "acknowledgement"},
    {Id::peers_srtt, "peers.srtt", Type::level, Dim::time, true, Lanes::none,
     "The sender's smoothed round trip; no value before the first sample.", tick},
    {Id::peers_rto, "peers.rto", Type::level, Dim::time, true, Lanes::none,
     "The timeout of the oldest unacknowledged fragment with its backoff, else the base timeout; "
     "no value before the first sample.",
     tick},
    {Id::peers_silence, "peers.silence", Type::event, Dim::time, true, Lanes::none,
     "A gap between two authentic datagrams from the other end while Active, where it is longer "
     "than the keepalive interval.",
     "the gap's end"},
    {Id::peers_active, "peers.active", Type::level, Dim::share, false, Lanes::none,
     "Active bots of those that the scenario wants in at that instant: joined by plan, and not "
     "killed, left or without a way to return. One value a tick for all bots in scope.",
     tick},
    {Id::peers_join_time, "peers.join_time", Type::sample, Dim::time, false, Lanes::none,
     "From the first handshake datagram of a series of attempts to Active; reconnects too.",
     "becoming Active"},
    {Id::peers_disconnects, "peers.disconnects", Type::count, Dim::count, false, Lanes::none,
     "Ends of Active that the scenario did not ask for.", "the end of Active"},
    {Id::peers_bytes, "peers.bytes", Type::count, Dim::bytes, true, Lanes::none,
     "UDP payload + 28 (IPv4 and UDP headers) of every datagram handed to the link.",
     "handing over"},
    {Id::peers_datagrams, "peers.datagrams", Type::count, Dim::count, true, Lanes::none,
     "Datagrams handed to the link.", "handing over"},
    {Id::peers_snapshot_age, "peers.snapshot_age", Type::level, Dim::time, false, Lanes::none,
     "At each frame of a client: time since the server's tick of the newest snapshot that it has "
     "applied. A saw-tooth, never below the one-way delay.",
     "the client's frame"},
    {Id::links_delay, "links.delay", Type::sample, Dim::time, true, Lanes::none,
     "From handing over to delivery, all delivered copies.", "delivery"},
    {Id::links_queue_wait, "links.queue_wait", Type::sample, Dim::time, true, Lanes::none,
     "From arrival at a queue to the start of serialisation, of datagrams that the queue took.",
     "the start of serialisation"},
    {Id::links_loss, "links.loss", Type::share, Dim::share, true, Lanes::none,
     "Datagrams handed over and not delivered, without those in flight, of all handed over.",
     "the fate's decision"},
    {Id::links_burst, "links.burst", Type::event, Dim::packets, true, Lanes::none,
     "Length of a run of consecutive lost datagrams of one direction of one path, in the order of "
     "handing over, whoever lost them.",
     "the delivery of the next one that survives"},
    {Id::links_reordered, "links.reordered", Type::share, Dim::share, true, Lanes::none,
     "Delivered originals that arrive after a later-sent one has arrived, of all delivered.",
     "delivery"},
    {Id::links_duplicated, "links.duplicated", Type::share, Dim::share, true, Lanes::none,
     "Extra copies, of all datagrams handed over.", "handing over"},
    {Id::links_datagram_bytes, "links.datagram_bytes", Type::sample, Dim::bytes, true, Lanes::none,
     "UDP payload of a datagram.", "handing over"},
    {Id::links_drops, "links.drops", Type::count, Dim::count, true, Lanes::none,
     "Datagrams lost, whatever the cause; the report splits them by cause.", "the fate's decision"},
    {Id::server_peers, "server.peers", Type::level, Dim::count, false, Lanes::none,
     "Connection slots in use.", tick},
    {Id::server_pending_joins, "server.pending_joins", Type::level, Dim::count, false, Lanes::none,
     "Connection attempts under way.", tick},
    {Id::server_joins, "server.joins", Type::count, Dim::count, false, Lanes::none,
     "Joins completed: with a game of sessions, else of connections.", "becoming Active"},
    {Id::server_refusals, "server.refusals", Type::count, Dim::count, false, Lanes::none,
     "Datagrams and attempts that the server refused.", "the refusal"},
    {Id::server_amplification, "server.amplification", Type::level, Dim::ratio, false, Lanes::none,
     "Bytes sent to addresses without a verified cookie, of the bytes received from them, from "
     "the run's start.",
     tick},
    {Id::server_bytes, "server.bytes", Type::count, Dim::bytes, true, Lanes::none,
     "UDP payload + 28 of every datagram of the server's uplink.", "handing over"},
    {Id::cost_tick, "cost.tick", Type::sample, Dim::time, false, Lanes::none,
     "Wall-clock time of one server tick: decode, simulate, encode, send.", tick},
    {Id::cost_realtime, "cost.realtime", Type::level, Dim::ratio, false, Lanes::none,
     "Virtual time of the run, of the wall-clock time it took.", "the run's end"},
    {Id::cost_memory, "cost.memory", Type::level, Dim::bytes, false, Lanes::none,
     "Peak resident memory of the process.", "the run's end"},
    {Id::peers_response, "peers.response", Type::sample, Dim::time, false, Lanes::none,
     "From a client making input k to its applying the first snapshot whose acknowledged input "
     "tick "
     "is k or later. One value an input tick; ticks acknowledged together give one each.",
     "application"},
    {Id::peers_view_age, "peers.view_age", Type::level, Dim::time, false, Lanes::none,
     "At each frame of a client: time since the server's instant of what it shows of remote "
     "objects, interpolated or extrapolated.",
     "the client's frame"},
    {Id::peers_staleness, "peers.staleness", Type::sample, Dim::time, false, Lanes::none,
     "At each snapshot sent: the oldest change of a relevant object that was not yet put into any "
     "snapshot to this peer; 0 if there is none.",
     "sending"},
    {Id::peers_input_loss, "peers.input_loss", Type::share, Dim::share, false, Lanes::none,
     "Server ticks simulated without that tick's real input, of all since the peer's first "
     "accepted "
     "input. Redundancy that came in time counts as real, a repeated or guessed input as lost.",
     tick},
    {Id::peers_input_margin, "peers.input_margin", Type::sample, Dim::time, false, Lanes::none,
     "From the first arrival of input k to its cut, the server's tick k; negative is late. An "
     "input "
     "that never arrives gives none.",
     "arrival"},
    {Id::peers_lead, "peers.lead", Type::level, Dim::time, false, Lanes::none,
     "The instant of the client's predicted tick - the instant of the server's current tick.",
     "the client's frame"},
    {Id::peers_clock_error, "peers.clock_error", Type::level, Dim::time, false, Lanes::none,
     "The client's estimate of the server's time - that time, as an absolute value.",
     "the client's frame"},
    {Id::peers_jitter_buffer, "peers.jitter_buffer", Type::level, Dim::time, false, Lanes::none,
     "The server's instant of the newest applied snapshot - the instant shown; 0 where what is "
     "shown "
     "lies beyond it.",
     "the client's frame"},
    {Id::peers_corrections, "peers.corrections", Type::count, Dim::count, false, Lanes::none,
     "Applied snapshots in which an owned field at the acknowledged tick differs in any bit, "
     "quantised, from what the client had predicted. Teleports by the server are left out.",
     "application"},
    {Id::peers_correction_size, "peers.correction_size", Type::event, Dim::length, false,
     Lanes::none,
     "Of a correction: the distance of the own avatar's two positions at the acknowledged tick.",
     "application"},
    {Id::peers_starvation, "peers.starvation", Type::share, Dim::share, false, Lanes::none,
     "Frames at which the shown time lies beyond the newest snapshot (extrapolated or frozen), of "
     "all frames from the second applied snapshot on.",
     "the client's frame"},
    {Id::peers_freeze, "peers.freeze", Type::event, Dim::time, false, Lanes::none,
     "Length of a run of at least two frames that show the same server time: frames times the "
     "frame "
     "period.",
     "the first frame that moves again"},
    {Id::peers_baseline_misses, "peers.baseline_misses", Type::count, Dim::count, false,
     Lanes::none, "Deltas refused by a client for want of their baseline.", "refusal"},
    {Id::peers_keyframe_requests, "peers.keyframe_requests", Type::count, Dim::count, false,
     Lanes::none, "Keyframe requests that a client sent.", "sending"},
    {Id::peers_divergence, "peers.divergence", Type::level, Dim::count, false, Lanes::none,
     "Relevant objects whose quantised replica differs from the server's state at the replica's "
     "own "
     "tick, or that exist on one side only. Read every 250 ms where a gate asks.",
     "the reading"},
    {Id::peers_desyncs, "peers.desyncs", Type::count, Dim::count, false, Lanes::none,
     "Confirmed states of the rollback mode whose checksums differ.", "comparison"},
    {Id::peers_updates, "peers.updates", Type::sample, Dim::count, false, Lanes::none,
     "Object updates in a snapshot that has any.", "sending"},
    {Id::peers_update_bits, "peers.update_bits", Type::sample, Dim::count, false, Lanes::none,
     "Bits of a snapshot's objects over their number: slot, baseline and fields. A quantised state "
     "is 80 bits, a raw one of the arena 224.",
     "sending"},
    {Id::peers_coverage, "peers.coverage", Type::share, Dim::share, false, Lanes::none,
     "At each snapshot sent: relevant objects in it that had changed since the snapshot before, of "
     "all that had.",
     "sending"},
    {Id::peers_near_coverage, "peers.near_coverage", Type::share, Dim::share, false, Lanes::none,
     "The same for the sixteen avatars nearest to the peer's own.", "sending"},
    {Id::server_refused_tickets, "server.refused_tickets", Type::count, Dim::count, false,
     Lanes::none, "Tickets that the server refused. `of` goes by the address that each came from.",
     "the refusal"},
    {Id::server_objects_visited, "server.objects_visited", Type::sample, Dim::count, false,
     Lanes::none, "Objects that gather and encode touched in a tick.", tick},
    {Id::links_utilisation, "links.utilisation", Type::level, Dim::share, true, Lanes::none,
     "Time in which the bot's own link was serialising since the tick before, of all time. Only of "
     "links with a rate (0 while it has none) and where a gate asks.",
     tick},
    {Id::cost_per_peer, "cost.per_peer", Type::sample, Dim::time, false, Lanes::none,
     "Wall-clock time of one server tick over the Active peers; no value without any.", tick},
    {Id::cost_allocations, "cost.allocations", Type::sample, Dim::count, false, Lanes::none,
     "Calls of operator new since the server's tick before, in all of the process, figures and "
     "reports included; without the first second of each phase.",
     tick},
    {Id::peers_path_changes, "peers.path_changes", Type::count, Dim::count, false, Lanes::none,
     "Sessions that the server has moved to a new address, which had answered its challenge.",
     "the move"},
    {Id::cost_floor, "cost.floor", Type::level, Dim::ratio, false, Lanes::none,
     "CPU time of the run, of what sealing and opening its datagrams alone would take in this "
     "process. Of handed-over and delivered datagrams, whatever cipher the run itself has.",
     "the run's end"},

    {Id::not_built, "peers.throttle", Type::level, Dim::share, false, Lanes::none, "", ""},
});

constexpr bool ids_are_indices() {
    for (std::size_t i = 0; i < metric_count; ++i) {
        if (table[i].id != static_cast<MetricId>(i)) return false;
    }
    return table.size() > metric_count;
}
static_assert(ids_are_indices());

}  // namespace

std::span<const Metric> metric_catalogue() {
    return table;
}

const Metric& metric(MetricId id) {
    WT_CHECK(id != MetricId::not_built);
    return table[static_cast<std::size_t>(id)];
}

const Metric* find_metric(std::string_view name) {
    for (const Metric& entry : table) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

bool is_of_server(MetricId id) {
    return id != MetricId::not_built && metric(id).name.starts_with("server.");
}

bool knows_bots(MetricId id) {
    return !is_of_server(id) || id == MetricId::server_joins ||
           id == MetricId::server_refused_tickets;
}

const char* name_of(MetricType type) {
    switch (type) {
        case MetricType::sample:
            return "sample";
        case MetricType::level:
            return "level";
        case MetricType::share:
            return "share";
        case MetricType::count:
            return "count";
        case MetricType::event:
            return "event";
    }
    return "";
}

const char* base_unit(Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return "ns";
        case Dimension::bytes:
            return "B";
        case Dimension::rate:
            return "bit/s";
        case Dimension::share:
            return "ppb";
        case Dimension::frequency:
            return "1/h";
        case Dimension::packets:
            return "millipackets";
        case Dimension::length:
            return "mm";
        case Dimension::ratio:
            return "ppb";
        case Dimension::count:
            return "1";
    }
    return "";
}

}  // namespace wt::sim
