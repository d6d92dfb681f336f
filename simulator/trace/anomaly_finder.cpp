// SPDX-License-Identifier: MIT
#include "simulator/trace/anomaly_finder.hpp"

#include <algorithm>

namespace wt::trace {

namespace {

// Few records are one, so all that is to be said is said here.
bool found(AnomalyKind kind, std::int64_t value, std::uint32_t detail, Anomaly& out) {
    out = {};
    out.anomaly = static_cast<std::uint16_t>(kind);
    out.value = value;
    out.detail = detail;
    return true;
}

}  // namespace

// The first link's drop follows its send at once. Said once a row, when it is long enough.
bool AnomalyFinder::look_at_loss(const Record& record, Peer& peer, Anomaly& out) {
    const unsigned way = (record.flags & flag::down) != 0 ? 1 : 0;
    if (record.type == static_cast<std::uint8_t>(Type::send)) {
        if (!peer.is_lost[way]) peer.lost[way] = 0;
        peer.is_lost[way] = false;
        return false;
    }
    if ((record.flags & (flag::on_path | flag::at_socket)) != 0) return false;
    peer.is_lost[way] = true;
    return ++peer.lost[way] == loss_burst_min &&
           found(AnomalyKind::loss_burst, peer.lost[way], record.detail, out);
}

// Said once, until a message that did not wait.
bool AnomalyFinder::look_at_age(std::uint32_t age, Peer& peer, Anomaly& out) {
    const bool is_late = age >= queue_age_us_min;
    const bool is_new = is_late && !peer.is_queueing;
    peer.is_queueing = is_late;
    return is_new && found(AnomalyKind::queue_age, age, 0, out);
}

// A fragment's own record: repeats, and the wait of a message's first one.
bool AnomalyFinder::look_at_fragment(const Record& record, Peer& peer, Anomaly& out) {
    const std::uint32_t transmission = record.age >> 8;
    if (transmission >= transmissions_min)
        return found(AnomalyKind::backoff, transmission, record.detail, out);
    return record.age == 256 && look_at_age(peer.send_age, peer, out);
}

bool AnomalyFinder::look_at_rtt(const Record& record, Peer& peer, Anomaly& out) {
    if (peer.first_rtt_at < 0) peer.first_rtt_at = record.time;
    if (record.time - peer.first_rtt_at < rtt_settling_ns) {
        peer.rtt_base = std::max(peer.rtt_base, record.age);
        return false;
    }
    const bool is_spike = record.age / 2 > peer.rtt_base;
    const bool is_new = is_spike && !peer.is_spiking;
    peer.is_spiking = is_spike;
    return is_new && found(AnomalyKind::rtt_spike, record.age, 0, out);
}

bool AnomalyFinder::look_at_input(const Record& record, Peer& peer, Anomaly& out) {
    const bool follows = record.tick == peer.last_missing_tick + 1;
    peer.inputs_missing = follows ? peer.inputs_missing + 1 : 1;
    peer.last_missing_tick = record.tick;
    return peer.inputs_missing == inputs_missing_min &&
           found(AnomalyKind::input_missing, peer.inputs_missing, 0, out);
}

// Said once a row of ticks, and of what a tick had too little time for before what it refused.
bool AnomalyFinder::look_at_tick(const Record& record, Anomaly& out) {
    const bool was_refusing = is_refusing_;
    const bool was_overrunning = is_overrunning_;
    is_refusing_ = record.size >= refused_min;
    is_overrunning_ = record.age > tick_us_;
    if (is_overrunning_ && !was_overrunning)
        return found(AnomalyKind::tick_overrun, record.age, 0, out);
    return is_refusing_ && !was_refusing && found(AnomalyKind::refused, record.size, 0, out);
}

// A thief tries its tickets as fast as it can.
bool AnomalyFinder::look_at_ticket(const Record& record, Peer& peer, Anomaly& out) {
    if (record.time < peer.quiet_until) return false;
    peer.quiet_until = record.time + tickets_quiet_ns;
    return found(AnomalyKind::ticket_refused, 0, 0, out);
}

bool AnomalyFinder::look(const Record& record, Anomaly& out) {
    if (record.peer >= peers_.size()) return false;
    if (!look_at(record, peers_[record.peer], out)) return false;
    out.time = record.time;
    out.peer = record.peer;
    return true;
}

bool AnomalyFinder::look_at(const Record& record, Peer& peer, Anomaly& out) {
    switch (static_cast<Type>(record.type)) {
        case Type::send:
            peer.send_age = record.age;
            (void)look_at_loss(record, peer, out);
            return (record.flags & flag::reliable) == 0 && look_at_age(record.age, peer, out);
        case Type::drop:
            return look_at_loss(record, peer, out);
        case Type::fragment:
            return look_at_fragment(record, peer, out);
        case Type::rtt:
            return look_at_rtt(record, peer, out);
        case Type::refuse:
            return found(AnomalyKind::backpressure, record.size, record.detail, out);
        case Type::connection:
            return record.kind == static_cast<std::uint16_t>(Change::down) &&
                   (record.flags & flag::planned) == 0 &&
                   found(AnomalyKind::disconnect, 0, record.detail, out);
        case Type::input_missing:
            return look_at_input(record, peer, out);
        case Type::correction:
            return (record.flags & flag::teleport) == 0 && record.detail >= correction_mm_min &&
                   found(AnomalyKind::correction, record.detail, 0, out);
        case Type::baseline_miss:
            return found(AnomalyKind::baseline_miss, 0, 0, out);
        case Type::desync:
            return found(AnomalyKind::desync, 0, 0, out);
        case Type::tick:
            return look_at_tick(record, out);
        case Type::ticket_refused:
            return look_at_ticket(record, peer, out);
        case Type::duplicate:
        case Type::queue:
        case Type::receive:
        case Type::deliver:
        case Type::acked:
        case Type::input:
        case Type::apply:
        case Type::response:
        case Type::keyframe_request:
        case Type::act_begin:
        case Type::act_end:
            break;
    }
    return false;
}

}  // namespace wt::trace
