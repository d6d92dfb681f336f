// SPDX-License-Identifier: MIT
//
// Datagrams, messages, and the way from a window's calls to ordered records. capture_game.cpp has
// what the game and the connections say.
#include "simulator/trace/capture.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace wt::trace {

namespace {

using transport::Kind;

// Actors of shared links: by flow, behind every host.
constexpr std::uint32_t path_actors = 0x8000'0000;

std::uint16_t flags_of(const sim::Flow& flow, bool sends) {
    const bool is_down = flow.way == sim::Way::down;
    const std::uint16_t way = is_down ? flag::down : std::uint16_t{0};
    return static_cast<std::uint16_t>(way | (is_down == sends ? flag::server_side : 0));
}

// What every record about a datagram says of its label.
Record labelled(Type type, Instant at, std::uint64_t sequence, std::uint32_t bytes,
                const transport::Label& label) {
    Record record;
    record.time = at.ns;
    record.type = static_cast<std::uint8_t>(type);
    record.lane = label.on_lane ? static_cast<std::uint8_t>(label.lane) : no_lane;
    record.kind = static_cast<std::uint16_t>(label.message_kind());
    record.sequence = static_cast<std::uint32_t>(sequence);
    record.tick = label.tick;
    record.size = size_of(bytes);
    // An acknowledgement has no message: the transmission that it names.
    record.detail = label.on_lane || !label.has(Kind::ack) ? label.message : label.sequence;
    if (label.transmission != 0) record.flags |= flag::reliable;
    if (label.weather_tag() == transport::WeatherTag::handshake) record.flags |= flag::handshake;
    return record;
}

}  // namespace

Capture::Capture(Writer& writer, sim::ServerClock clock, const DeclaredCosts& costs)
    : writer_(writer),
      clock_(clock),
      costs_(costs),
      finder_(writer.about().peers.size(), 1'000'000 / clock.rate.per_second) {
    const About& about = writer.about();
    if (about.snapshot_rate > 0) snapshot_ns_ = 1'000'000'000 / about.snapshot_rate;
    peers_.resize(about.peers.size());
    for (std::size_t i = 0; i < peers_.size(); ++i)
        peers_[i].is_full = about.peers[i].is_full;
    for (std::size_t i = 0; i < about.acts.size(); ++i) {
        const ActEntry& act = about.acts[i];
        acts_.push_back({act.start, static_cast<std::uint16_t>(i), true});
        if (act.end > act.start && act.end != INT64_MAX)
            acts_.push_back({act.end, static_cast<std::uint16_t>(i), false});
    }
    // Ends before beginnings, as a world takes them.
    std::stable_sort(acts_.begin(), acts_.end(), [](const ActEdge& a, const ActEdge& b) {
        if (a.time != b.time) return a.time < b.time;
        return !a.is_begin && b.is_begin;
    });
}

std::uint32_t Capture::find_instant(std::int64_t time) {
    std::vector<std::int64_t>& times = instants_.times;
    std::size_t at = 0;
    while (at < times.size() && times[at] != time)
        ++at;
    if (at == Instants::max) {
        instants_.are_too_many = true;
        return 0;
    }
    if (at == times.size()) {
        times.push_back(time);
        instants_.counts.push_back(0);
    }
    last_instant_ = static_cast<std::uint32_t>(at);
    return last_instant_;
}

void Capture::push(const Record& record, std::uint32_t actor) {
    // A host's records of one wake-up follow one another.
    const std::vector<std::int64_t>& times = instants_.times;
    const bool is_last = last_instant_ < times.size() && times[last_instant_] == record.time;
    const std::uint32_t instant = is_last ? last_instant_ : find_instant(record.time);
    ++instants_.counts[instant];
    pending_.push_back({actor, static_cast<std::uint32_t>(records_.size()), instant});
    records_.push_back(record);
}

void Capture::push_fragment(const Record& send, const transport::Label& label,
                            std::uint32_t actor) {
    Record record = send;
    record.type = static_cast<std::uint8_t>(Type::fragment);
    record.size = label.sequence;
    record.age = std::uint32_t{label.fragment} | std::uint32_t{label.transmission} << 8;
    push(record, actor);
}

void Capture::on_handed(const sim::DatagramHanded& what) {
    const std::uint16_t peer = peer_of(what.flow);
    const bool is_up = what.flow.way == sim::Way::up;
    add(is_up ? Series::bytes_up : Series::bytes_down, peer, what.bytes);
    add(is_up ? Series::datagrams_up : Series::datagrams_down, peer, 1);
    if (!is_up) ++work_.sealed;
    if (what.copies == 0) add(is_up ? Series::lost_up : Series::lost_down, peer, 1);
    if (what.label.transmission > 1) add(Series::retransmits, peer, 1);
    if (!is_full(peer)) return;
    const std::uint32_t actor = actor_of(what.flow, true);
    Record record = labelled(Type::send, what.at, what.sequence, what.bytes, what.label);
    record.peer = peer;
    record.flags |= flags_of(what.flow, true);
    if (what.label.accepted_at != Instant{}) record.age = age_of(what.at - what.label.accepted_at);
    push(record, actor);
    if (what.label.transmission != 0) push_fragment(record, what.label, actor);
    if (what.copies == 0) {
        record.type = static_cast<std::uint8_t>(Type::drop);
        record.age = 0;
        record.detail = static_cast<std::uint16_t>(what.cause);
        push(record, actor);
        return;
    }
    if (what.copies == 2) {
        Record copy = record;
        copy.type = static_cast<std::uint8_t>(Type::duplicate);
        copy.flags |= flag::copy;
        copy.age = 0;
        ++copy.sequence;
        push(copy, actor);
    }
    if (age_of(what.queue_wait) > 0) {
        record.type = static_cast<std::uint8_t>(Type::queue);
        record.age = age_of(what.queue_wait);
        push(record, actor);
    }
}

void Capture::on_delivered(const sim::DatagramDelivered& what) {
    const std::uint16_t peer = peer_of(what.flow);
    if (what.flow.way == sim::Way::up) ++work_.opened;
    if (!is_full(peer)) return;
    Record record = labelled(Type::receive, what.at, what.sequence, what.bytes, what.label);
    record.peer = peer;
    record.flags |= flags_of(what.flow, false);
    if (what.is_duplicate) record.flags |= flag::copy;
    if (what.is_reordered) record.flags |= flag::reordered;
    record.age = age_of(what.delay);
    push(record, actor_of(what.flow, false));
}

void Capture::on_lost(const sim::DatagramLost& what) {
    const std::uint16_t peer = peer_of(what.flow);
    const bool is_up = what.flow.way == sim::Way::up;
    if (!what.is_duplicate) add(is_up ? Series::lost_up : Series::lost_down, peer, 1);
    if (!is_full(peer)) return;
    Record record = labelled(Type::drop, what.noted, what.sequence, what.bytes, what.label);
    record.peer = peer;
    record.flags |= flags_of(what.flow, false);
    record.flags |= what.is_on_path ? flag::on_path : flag::at_socket;
    if (what.is_duplicate) record.flags |= flag::copy;
    record.age = age_of(what.noted - what.at);
    record.detail = static_cast<std::uint16_t>(what.cause);
    if (!what.is_on_path) return push(record, actor_of(what.flow, false));
    // Which end is near means nothing there.
    record.flags &= static_cast<std::uint16_t>(~flag::server_side);
    push(record, path_actors | what.flow.bot << 1 | (is_up ? 0 : 1));
}

void Capture::on_message_sent(const sim::MessageSent& what) {
    using transport::SendStatus;
    if (what.status == SendStatus::ok || what.status == SendStatus::replaced) return;
    const std::uint16_t peer = peer_of(what.flow);
    if (!is_full(peer)) return;
    Record record;
    record.time = what.at.ns;
    record.peer = peer;
    record.type = static_cast<std::uint8_t>(Type::refuse);
    record.lane = static_cast<std::uint8_t>(what.message.lane);
    record.kind = static_cast<std::uint16_t>(what.message.kind);
    record.flags = flags_of(what.flow, true);
    record.tick = what.message.tick;
    record.size = size_of(what.bytes);
    record.detail = static_cast<std::uint16_t>(what.status);
    push(record, actor_of(what.flow, true));
}

void Capture::on_message(const sim::MessageDelivered& what) {
    const std::uint16_t peer = peer_of(what.flow);
    if (!is_full(peer)) return;
    const transport::Received& message = what.message;
    Record record;
    record.time = what.at.ns;
    record.peer = peer;
    record.type = static_cast<std::uint8_t>(Type::deliver);
    record.lane = static_cast<std::uint8_t>(message.lane);
    record.kind = static_cast<std::uint16_t>(message.kind);
    record.flags = flags_of(what.flow, false);
    if (message.delivery == transport::Delivery::reliable_ordered) record.flags |= flag::reliable;
    record.tick = message.tick;
    record.age = age_of(what.at - message.accepted_at);
    record.sequence = what.bytes;
    record.size = size_of(what.bytes);
    record.detail = message.id;
    if (wants_bytes()) {
        record.flags |= flag::payload;
        const std::uint32_t place = static_cast<std::uint32_t>(records_.size());
        pending_bytes_.push_back({place, bytes_.size(), message.bytes.size()});
        bytes_.insert(bytes_.end(), message.bytes.begin(), message.bytes.end());
    }
    push(record, actor_of(what.flow, false));
}

void Capture::push_acts(std::int64_t end_ns) {
    for (; acts_done_ < acts_.size() && acts_[acts_done_].time < end_ns; ++acts_done_) {
        const ActEdge& edge = acts_[acts_done_];
        Record record;
        record.time = edge.time;
        record.peer = no_peer;
        record.lane = no_lane;
        record.type = static_cast<std::uint8_t>(edge.is_begin ? Type::act_begin : Type::act_end);
        record.detail = edge.act;
        push(record, 0);
    }
}

bool Capture::comes_before(const Pending& a, const Pending& b) const {
    if (a.actor != b.actor) return a.actor < b.actor;
    // Two shared links of one path: which of them ran first is nobody's business.
    if (a.actor >= path_actors) {
        const Record& left = records_[a.place];
        const Record& right = records_[b.place];
        if (left.sequence != right.sequence) return left.sequence < right.sequence;
        if (left.flags != right.flags) return left.flags < right.flags;
    }
    return a.place < b.place;
}

// Instant by instant in order of time, each one's records as they came: a counting sort.
void Capture::deal_by_instant() {
    const std::size_t count = instants_.times.size();
    instants_.order.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
        instants_.order[i] = i;
    std::sort(instants_.order.begin(), instants_.order.end(),
              [this](std::uint32_t a, std::uint32_t b) {
                  return instants_.times[a] < instants_.times[b];
              });
    std::uint32_t from = 0;
    for (const std::uint32_t instant : instants_.order) {
        const std::uint32_t records = instants_.counts[instant];
        instants_.counts[instant] = from;
        from += records;
    }
    dealt_.resize(pending_.size());
    for (const Pending& each : pending_)
        dealt_[instants_.counts[each.instant]++] = each;
    pending_.swap(dealt_);
}

void Capture::sort_pending() {
    if (instants_.are_too_many) {
        std::sort(pending_.begin(), pending_.end(), [this](const Pending& a, const Pending& b) {
            const std::int64_t left = records_[a.place].time;
            const std::int64_t right = records_[b.place].time;
            return left != right ? left < right : comes_before(a, b);
        });
        return;
    }
    deal_by_instant();
    const auto before = [this](const Pending& a, const Pending& b) { return comes_before(a, b); };
    auto from = pending_.begin();
    for (const std::uint32_t instant : instants_.order) {
        // Where the instant ends, now that all its records were dealt.
        const auto to = pending_.begin() + static_cast<std::ptrdiff_t>(instants_.counts[instant]);
        // Calls come host by host, so there is seldom anything left to do.
        if (!std::is_sorted(from, to, before)) std::sort(from, to, before);
        from = to;
    }
}

void Capture::write_pending() {
    for (const Pending& each : pending_) {
        const Record& record = records_[each.place];
        const std::uint64_t number = writer_.add(record);
        Anomaly anomaly;
        if (finder_.look(record, anomaly)) {
            anomaly.record = number;
            writer_.add_anomaly(anomaly);
        }
        if ((record.flags & flag::payload) == 0 || pending_bytes_.empty()) continue;
        const auto found = std::lower_bound(
            pending_bytes_.begin(), pending_bytes_.end(), each.place,
            [](const PendingBytes& bytes, std::uint32_t place) { return bytes.place < place; });
        if (found == pending_bytes_.end() || found->place != each.place) continue;
        writer_.add_payload(number, ConstBytes(bytes_).subspan(found->at, found->size));
    }
    pending_.clear();
    instants_.times.clear();
    instants_.counts.clear();
    instants_.are_too_many = false;
    records_.clear();
    pending_bytes_.clear();
    bytes_.clear();
}

void Capture::on_window_end(Instant end) {
    push_acts(end.ns);
    sort_pending();
    WT_CHECK(pending_.empty() || records_[pending_.back().place].time < end.ns);
    write_pending();
}

void Capture::reach(Instant now) {
    on_window_end(now);
    for (std::size_t peer = 1; peer < peers_.size(); ++peer) {
        const bool is_active = peers_[peer].is_bot_up && peers_[peer].is_server_up;
        add(Series::active, static_cast<std::uint16_t>(peer), is_active ? 1 : 0);
    }
    writer_.advance(now.ns);
}

}  // namespace wt::trace
