// SPDX-License-Identifier: MIT
#include "simulator/trace/replica_replay.hpp"

#include "engine/arena/schemas.hpp"
#include "engine/session/envelope.hpp"
#include "engine/session/kinds.hpp"
#include "engine/transport/lane.hpp"

namespace wt::trace {

namespace {

using replication::ControlKind;
using replication::ControlStatus;
using replication::SnapshotStatus;

// As many objects as there can be: what a run allowed is not in its trace.
constexpr replication::StoreConfig store_config{.objects_max = replication::slots_max};

const char* refusal_of(ControlStatus status) {
    switch (status) {
        case ControlStatus::ok:
            return nullptr;
        case ControlStatus::malformed:
            return "malformed";
        case ControlStatus::duplicate:
            return "duplicate";
        case ControlStatus::out_of_order:
            return "one before it is missing";
        case ControlStatus::full:
            return "too many objects";
    }
    return "unknown";
}

const char* refusal_of(SnapshotStatus status) {
    switch (status) {
        case SnapshotStatus::ok:
            return nullptr;
        case SnapshotStatus::malformed:
            return "malformed";
        case SnapshotStatus::duplicate:
            return "duplicate";
        case SnapshotStatus::stale:
            return "stale";
        case SnapshotStatus::late:
            return "about a former life";
        case SnapshotStatus::unknown:
            return "about an unknown object";
    }
    return "unknown";
}

// Which of the session's kinds are about objects.
std::optional<ControlKind> control_of(std::uint16_t kind) {
    switch (static_cast<session::Kind>(kind)) {
        case session::Kind::spawn_batch:
            return ControlKind::spawn;
        case session::Kind::despawn_batch:
            return ControlKind::despawn;
        case session::Kind::owner:
            return ControlKind::owner;
        default:  // Games have kinds of their own.
            return std::nullopt;
    }
}

}  // namespace

const replication::SchemaSet& replay_schemas() {
    return arena::schemas();
}

std::string replay_problem(const TraceFile& trace) {
    if (trace.header().schema_hash == 0) return "this run had no game";
    if (!trace.about().has_payload)
        return "this trace holds no messages: `wavetank run --trace FILE --capture payload` does";
    if (trace.header().schema_hash != replay_schemas().hash())
        return "this trace's objects have another build's schemas";
    return {};
}

ReplicaReplay::ReplicaReplay(PayloadReader& payloads, std::uint16_t peer)
    : payloads_(payloads), peer_(peer) {
    begin_anew();
}

void ReplicaReplay::begin_anew() {
    store_ = std::make_unique<replication::ReplicaStore>(replay_schemas(), store_config);
    block_ = 0;
    place_ = 0;
    next_.reset();
    is_at_end_ = false;
    epoch_ = 0;
    taken_ = 0;
    refused_ = 0;
}

// Whether the record is a message about objects; then it is next_.
bool ReplicaReplay::read(std::uint64_t number) {
    const Record record = payloads_.trace().record(number);
    const bool is_told = record.type == static_cast<std::uint8_t>(Type::deliver) &&
                         (record.flags & flag::payload) != 0 && (record.flags & flag::down) != 0;
    const transport::Lane lane = static_cast<transport::Lane>(record.lane);
    const bool has_envelope = lane == transport::Lane::control || lane == transport::Lane::gameplay;
    if (!is_told || !has_envelope) return false;
    const std::optional<ConstBytes> bytes = payloads_.of(number);
    session::Envelope envelope;
    if (!bytes || session::decode_envelope(*bytes, envelope) != session::EnvelopeStatus::ok)
        return false;
    // The envelope's kind: a record's is the transport's, which knows no spawns.
    const auto control = control_of(envelope.kind);
    const bool is_snapshot = envelope.kind == static_cast<std::uint16_t>(session::Kind::snapshot);
    if (!control && !is_snapshot) return false;
    ReplayMessage message{.record = number, .time = record.time, .epoch = envelope.epoch};
    message.is_snapshot = is_snapshot;
    message.bytes = envelope.payload;
    replication::SnapshotHead head;
    replication::ControlHead control_head;
    if (is_snapshot) {
        if (replication::read_head(envelope.payload, head) != 0) message.tick = head.tick;
    } else {
        message.control = *control;
        if (replication::read_control_head(*control, envelope.payload, control_head))
            message.tick = control_head.tick;
    }
    next_ = message;
    return true;
}

const ReplayMessage* ReplicaReplay::next(std::size_t& budget) {
    const TraceFile& trace = payloads_.trace();
    while (!next_ && block_ < trace.block_count()) {
        const ConstBytes places = trace.peer_places(block_, peer_);
        for (; !next_ && (place_ + 1) * 2 <= places.size(); ++place_) {
            if (budget == 0) return nullptr;
            --budget;
            const std::uint16_t place = load_u16(places.data() + place_ * 2);
            if (place < trace.block(block_).count)
                (void)read(trace.block(block_).first_record + place);
        }
        if (next_) break;
        place_ = 0;
        ++block_;
    }
    is_at_end_ = !next_;
    return next_ ? &*next_ : nullptr;
}

const char* ReplicaReplay::take() {
    const ReplayMessage message = *next_;
    next_.reset();
    ++taken_;
    // A session of its own begins from nothing; what comes late of the one before means nothing.
    if (message.epoch > epoch_) {
        store_->reset();
        epoch_ = message.epoch;
    }
    const char* refusal = nullptr;
    replication::SnapshotHead head;
    if (message.epoch < epoch_)
        refusal = "of a former session";
    else if (message.is_snapshot)
        refusal = refusal_of(store_->on_snapshot(message.bytes, head));
    else
        refusal = refusal_of(store_->on_control(message.control, message.bytes));
    if (refusal != nullptr) ++refused_;
    return refusal;
}

}  // namespace wt::trace
