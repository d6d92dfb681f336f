// SPDX-License-Identifier: MIT
#include "engine/session/session_link.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::session {

using transport::Delivery;
using transport::Lane;

namespace {

std::uint32_t refilled(std::uint32_t left, const Budget& budget) {
    return std::min(left + std::min(budget.per_tick, budget.burst), budget.burst);
}

// For labels and traces: what the transport's links call the kind.
transport::Kind label_of(std::uint16_t kind) {
    switch (static_cast<Kind>(kind)) {
        case Kind::input:
            return transport::Kind::input;
        case Kind::snapshot:
            return transport::Kind::snapshot;
        case Kind::spawn_batch:
            return transport::Kind::spawn;
        case Kind::despawn_batch:
            return transport::Kind::despawn;
        case Kind::keyframe_request:
            return transport::Kind::keyframe_request;
        case Kind::hello:
        case Kind::welcome:
        case Kind::ready:
        case Kind::go:
        case Kind::refuse:
        case Kind::bye:
        case Kind::owner:
        case Kind::game_event:
        case Kind::desync_checksum:
        case Kind::bulk_request:
        case Kind::bulk_cancel:
            return transport::Kind::data;
    }
    return transport::Kind::data;  // A game's own kind.
}

struct Carriage {
    Lane lane = Lane::control;
    Delivery delivery = Delivery::reliable_ordered;
};

Carriage carriage_of(Channel channel, Profile profile) {
    switch (channel) {
        case Channel::control:
            return {};
        case Channel::bulk:
            return {Lane::bulk, Delivery::reliable_ordered};
        case Channel::input:
        case Channel::snapshot:
            break;
    }
    if (profile == Profile::reliable_only) return {Lane::gameplay, Delivery::reliable_ordered};
    return {Lane::gameplay,
            channel == Channel::input ? Delivery::unreliable : Delivery::unreliable_sequenced};
}

constexpr std::uint8_t bit_of(Channel channel) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(channel));
}

constexpr std::uint8_t all_channels = (1u << channel_count) - 1;

}  // namespace

void SessionLink::open(PeerHandle self, transport::ConnectionId connection,
                       const Readiness& readiness, const Limits& limits) {
    *this = SessionLink{};
    self_ = self;
    connection_ = connection;
    agree(readiness.message_bytes, readiness.profile);
    messages_left_ = limits.messages.burst;
    bytes_left_ = limits.bytes.burst;
    commands_left_ = limits.commands.burst;
    egress_left_ = limits.egress_bytes_per_tick;
    begin_epoch(negotiation_epoch, limits);
}

void SessionLink::begin_epoch(std::uint64_t epoch, const Limits& limits) {
    WT_CHECK(epoch != 0);
    epoch_ = epoch;
    windows_ = {};
    next_sequence_.fill(limits.initial_sequence);
}

void SessionLink::agree(std::uint32_t message_bytes, Profile profile) {
    WT_CHECK(message_bytes > envelope_header_bytes);
    WT_CHECK(message_bytes <= message_bytes_max);
    message_bytes_ = message_bytes;
    profile_ = profile;
}

void SessionLink::release(QueueStore& store) {
    queue_.clear(store);
    bulk_.clear();
    connection_ = {};
    state = State::closed;
}

SessionLink::Judgement SessionLink::judge(const LinkShared& shared, std::uint64_t tick,
                                          const transport::Received& received, Staged& out) {
    if (state == State::closing || state == State::closed) return refused_at(Stage::generation);
    Staged staged;
    staged.bytes = static_cast<std::uint32_t>(received.bytes.size());
    if ((received.bytes.size() > message_bytes_ && !mutated<"frame-bound">()) ||
        decode_envelope(received.bytes, staged.envelope) != EnvelopeStatus::ok ||
        !fits_lane(received, staged.envelope.channel)) {
        return refused_at(Stage::frame);
    }
    const Envelope& envelope = staged.envelope;
    // The epoch lies inside the frame, so that it can only be looked at after it.
    if (envelope.epoch != epoch_ && !mutated<"stage-generation">())
        return refused_at(Stage::generation);
    staged.rule = shared.kinds.find(envelope.kind);
    if (staged.rule == nullptr) {
        return refused_at(mutated<"stage-schema">() ? Stage::frame : Stage::schema);
    }
    const KindRule& rule = *staged.rule;
    const unsigned self = static_cast<unsigned>(shared.self);
    const bool others_may = (static_cast<unsigned>(rule.sender) & ~self) != 0;
    if ((!others_may || rule.channel != envelope.channel || state < rule.earliest) &&
        !mutated<"stage-authority">()) {
        return refused_at(Stage::authority);
    }
    if (rule.ticked) {
        if (shared.peek.function == nullptr ||
            !shared.peek.function(shared.peek.state, rule.kind, envelope.payload, staged.tick)) {
            return refused_at(Stage::payload);
        }
        if (!is_tick_in_range(shared, tick, staged.tick) && !mutated<"stage-ticks">())
            return refused_at(Stage::tick_range);
    }
    if (messages_left_ == 0 || bytes_left_ < staged.bytes ||
        (rule.command && commands_left_ == 0 && !mutated<"stage-rate">())) {
        return refused_at(Stage::rate);
    }
    staged.window = windows_[static_cast<unsigned>(envelope.channel)];
    staged.result = staged.window.observe(envelope.sequence);
    if (staged.result != SequenceResult::newest && staged.result != SequenceResult::out_of_order) {
        ++counters_.sequences[static_cast<unsigned>(staged.result)];
        if (mutated<"repeat-free">()) --messages_left_;
        return Judgement::repeated;
    }
    const std::size_t payload = envelope.payload.size();
    if ((payload < rule.payload_min || payload > rule.payload_max) && !mutated<"stage-payload">()) {
        return refused_at(Stage::payload);
    }
    if (mutated<"window-last">()) {
        windows_[static_cast<unsigned>(envelope.channel)] = staged.window;
    }
    out = staged;
    return Judgement::accepted;
}

void SessionLink::commit(const Staged& staged) {
    // Between judging and committing nothing else of this link may have come in.
    WT_CHECK(messages_left_ > 0);
    WT_CHECK(bytes_left_ >= staged.bytes);
    --messages_left_;
    bytes_left_ -= staged.bytes;
    if (staged.rule->command) {
        WT_CHECK(commands_left_ > 0);
        --commands_left_;
    }
    windows_[static_cast<unsigned>(staged.envelope.channel)] = staged.window;
    ++counters_.sequences[static_cast<unsigned>(staged.result)];
    ++counters_.messages_in;
    counters_.bytes_in += staged.bytes;
}

void SessionLink::refuse(Stage stage) {
    ++counters_.refused[static_cast<unsigned>(stage)];
    // Late epochs, late commands and full budgets happen to honest peers on bad paths.
    const bool honest =
        stage == Stage::generation || stage == Stage::tick_range || stage == Stage::rate;
    if (!honest || mutated<"honest-late">()) ++violations_;
}

bool SessionLink::fits_lane(const transport::Received& received, Channel channel) const {
    const Carriage carriage = carriage_of(channel, profile_);
    if (mutated<"lane-fits">()) return true;
    return channel != Channel::bulk && received.lane == carriage.lane &&
           received.delivery == carriage.delivery;
}

bool SessionLink::is_tick_in_range(const LinkShared& shared, std::uint64_t tick,
                                   std::uint32_t named) const {
    const auto current = static_cast<std::uint32_t>(tick);
    if (serial_newer(named, current)) {
        return serial_distance(current, named) <= shared.limits.command_horizon_max;
    }
    return serial_distance(named, current) <= shared.limits.command_age_max;
}

SendStatus SessionLink::send(const LinkShared& shared, Instant now, Kind kind, std::uint32_t tick,
                             ConstBytes payload, BatchPlace batch) {
    const KindRule* const rule = shared.kinds.find(static_cast<std::uint16_t>(kind));
    const unsigned self = static_cast<unsigned>(shared.self);
    if (rule == nullptr || (static_cast<unsigned>(rule->sender) & self) == 0 ||
        rule->channel == Channel::bulk) {
        return SendStatus::not_allowed;
    }
    if (state < rule->earliest || state >= State::closing) return SendStatus::not_ready;
    if (payload.size() > rule->payload_max ||
        payload.size() > message_bytes_ - envelope_header_bytes) {
        return SendStatus::too_large;
    }
    std::uint32_t& sequence = next_sequence_[static_cast<unsigned>(rule->channel)];
    std::size_t size = 0;
    const EnvelopeStatus encoded = encode_envelope({.channel = rule->channel,
                                                    .kind = static_cast<std::uint16_t>(kind),
                                                    .epoch = epoch_,
                                                    .sequence = sequence,
                                                    .payload = payload},
                                                   shared.scratch, size);
    WT_CHECK(encoded == EnvelopeStatus::ok);
    switch (queue_.enqueue(
        shared.store,
        {.message = shared.scratch.first(size), .now = now, .tick = tick, .batch = batch})) {
        case EnqueueStatus::ok:
            ++sequence;
            return SendStatus::ok;
        case EnqueueStatus::replaced_snapshot:
            ++sequence;
            return SendStatus::replaced;
        case EnqueueStatus::full:
            if (mutated<"refused-no-sequence">()) ++sequence;
            return SendStatus::backlogged;
        case EnqueueStatus::out_of_place:
            return SendStatus::out_of_place;
        case EnqueueStatus::invalid_message:
            break;
    }
    WT_CHECK(false);  // An envelope that was just encoded decodes.
    return SendStatus::not_allowed;
}

void SessionLink::begin_tick(const LinkShared& shared, Instant now) {
    const Limits& limits = shared.limits;
    messages_left_ = refilled(messages_left_, limits.messages);
    bytes_left_ = refilled(bytes_left_, limits.bytes);
    commands_left_ = refilled(commands_left_, limits.commands);
    egress_left_ = limits.egress_bytes_per_tick;
    if (violations_ > 0 && !mutated<"violation-forgiven">()) --violations_;
    bulk_.refill(limits);
    counters_.expired +=
        queue_.drop_older(shared.store, Channel::input, now - limits.input_deadline);
    counters_.expired +=
        queue_.drop_older(shared.store, Channel::snapshot,
                          now - limits.snapshot_deadline * (mutated<"lossy-deadline">() ? 100 : 1));
}

void SessionLink::pump(const LinkShared& shared, Instant now, transport::Endpoint& endpoint) {
    const std::size_t bulk_first = bulk_.next_bytes(shared.limits);
    if (queue_.empty() && bulk_first == 0) return;
    std::uint8_t blocked = 0;
    if (queue_.pending(Channel::control) != 0 || bulk_first != 0) {
        transport::ConnectionLevels levels;
        const bool is_up = endpoint.levels_of(now, connection_, levels);
        if (!is_up) return;
        if (levels.backlog_bytes >= shared.limits.bulk_bytes_in_flight &&
            !mutated<"bulk-yields">()) {
            blocked = bit_of(Channel::bulk);
        }
        if (levels.backlog_bytes >= shared.limits.reliable_bytes_in_flight) {
            blocked = bit_of(Channel::control) | bit_of(Channel::bulk);
            ++counters_.would_block;
        }
    }
    // Each turn sends a message or blocks a channel, so the budget bounds the turns.
    while (blocked != all_channels) {
        const std::size_t bulk_bytes = bulk_.next_bytes(shared.limits);
        Channel channel = Channel::control;
        const DequeueStatus status = queue_.choose(
            shared.store, shared.weights,
            {.byte_budget = egress_left_, .bulk_bytes = bulk_bytes, .blocked = blocked}, channel);
        if (status != DequeueStatus::ok) return;
        const AdapterStatus taken = hand_over(shared, now, endpoint, channel);
        if (taken == AdapterStatus::closed) return;
        if (taken == AdapterStatus::ok) continue;
        blocked = static_cast<std::uint8_t>(blocked | bit_of(channel));
        ++counters_.would_block;
    }
}

AdapterStatus SessionLink::hand_over(const LinkShared& shared, Instant now,
                                     transport::Endpoint& endpoint, Channel channel) {
    const Carriage carriage = carriage_of(channel, profile_);
    transport::Message message{.lane = carriage.lane, .delivery = carriage.delivery};
    EndpointAdapter adapter(endpoint);
    if (channel == Channel::bulk) {
        message.bytes = shared.scratch.first(bulk_.next_bytes(shared.limits));
        message.kind = transport::Kind::bulk;
        bulk_.write_next(shared.limits, shared.scratch);
        const AdapterStatus status = adapter.send(now, connection_, message);
        if (status != AdapterStatus::ok) return status;
        queue_.pass(shared.weights, channel);
        std::uint32_t finished = 0;
        if (bulk_.sent(shared.limits, finished)) {
            SessionEvent& event = shared.events.push();
            event.type = SessionEvent::Type::bulk_sent;
            event.peer = self_;
            event.bulk.transfer = finished;
        }
    } else {
        const QueuedMessage& first = queue_.front(shared.store, channel);
        message.bytes = first.bytes();
        message.kind = label_of(first.kind);
        message.tick = first.tick;
        const AdapterStatus status = adapter.send(now, connection_, message);
        if (status != AdapterStatus::ok) return status;
        queue_.pop(shared.store, shared.weights, channel);
    }
    ++counters_.messages_out;
    counters_.bytes_out += message.bytes.size();
    if (!mutated<"egress-budget">())
        egress_left_ -= static_cast<std::uint32_t>(message.bytes.size());
    return AdapterStatus::ok;
}

BulkVerdict SessionLink::receive_bulk(const LinkShared& shared, ConstBytes record, BulkChunk& out) {
    if (state < State::synchronizing || state >= State::closing) {
        refuse(Stage::authority);
        return BulkVerdict::malformed;
    }
    if (messages_left_ == 0 || bytes_left_ < record.size()) {
        refuse(Stage::rate);
        return BulkVerdict::rate;
    }
    const BulkVerdict verdict = bulk_.receive(shared.limits, record, out);
    if (verdict == BulkVerdict::malformed) {
        refuse(Stage::frame);
        return verdict;
    }
    --messages_left_;
    bytes_left_ -= static_cast<std::uint32_t>(record.size());
    ++counters_.messages_in;
    counters_.bytes_in += record.size();
    return verdict;
}

bool SessionLink::is_flushed(Instant now, const transport::Endpoint& endpoint) const {
    if (queue_.pending(Channel::control) != 0) return false;
    transport::ConnectionLevels levels;
    if (!endpoint.levels_of(now, connection_, levels)) return true;
    return levels.backlog_bytes == 0;
}

bool SessionLink::is_control_overdue(const LinkShared& shared, Instant now) const {
    if (mutated<"control-deadline">()) return false;
    return queue_age(shared.store, now, Channel::control) > shared.limits.control_deadline;
}

Duration SessionLink::queue_age(const QueueStore& store, Instant now, Channel channel) const {
    const Instant since = queue_.waiting_since(store, channel);
    return since == Instant::never() ? Duration{} : now - since;
}

}  // namespace wt::session
