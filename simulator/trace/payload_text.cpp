// SPDX-License-Identifier: MIT
#include "simulator/trace/payload_text.hpp"

#include <algorithm>

#include "engine/arena/units.hpp"
#include "engine/prediction/input_message.hpp"
#include "engine/session/envelope.hpp"
#include "engine/session/kinds.hpp"
#include "engine/transport/lane.hpp"

namespace wt::trace {

namespace {

std::string sized(ConstBytes bytes) {
    return std::to_string(bytes.size()) + " B";
}

std::string snapshot_text(ConstBytes payload) {
    replication::SnapshotHead head;
    if (replication::read_head(payload, head) == 0) return "snapshot REFUSED: malformed head";
    return "snapshot tick " + std::to_string(head.tick) + ", number " +
           std::to_string(head.number) + ", batch " + std::to_string(head.batch) + " of " +
           std::to_string(head.batch_limit) + ", " + std::to_string(head.object_count) +
           " objects, " + sized(payload);
}

std::string input_text(ConstBytes payload) {
    prediction::InputMessage message;
    if (prediction::decode_input(payload, message) != prediction::InputDecode::ok)
        return "input REFUSED: malformed";
    return "input tick " + std::to_string(message.newest_tick) + ", " +
           std::to_string(message.count) + " commands, " + sized(payload);
}

std::string control_text(const char* name, ConstBytes payload) {
    return std::string(name) + ", " + sized(payload);
}

std::string payload_text(const session::Envelope& envelope) {
    switch (static_cast<session::Kind>(envelope.kind)) {
        case session::Kind::snapshot:
            return snapshot_text(envelope.payload);
        case session::Kind::input:
            return input_text(envelope.payload);
        case session::Kind::spawn_batch:
            return control_text("spawns", envelope.payload);
        case session::Kind::despawn_batch:
            return control_text("despawns", envelope.payload);
        case session::Kind::owner:
            return control_text("owners", envelope.payload);
        default:  // Games have kinds of their own.
            return "kind " + std::to_string(envelope.kind) + ", " + sized(envelope.payload);
    }
}

// Quanta of 4 mm as "131.2 m".
std::string metres(std::uint16_t quanta) {
    const std::int64_t mm = std::int64_t{arena::from_quanta(quanta)} / arena::units_per_mm;
    return std::to_string(mm / 1'000) + "." + std::to_string(mm % 1'000 / 100) + " m";
}

}  // namespace

std::string object_kind_name(std::uint16_t kind) {
    const replication::SchemaSet& set = replay_schemas();
    const std::uint8_t found = set.find(kind);
    return found == replication::no_schema ? "kind " + std::to_string(kind) : set.at(found).name;
}

std::string objects_text(const std::vector<ToldObject>& objects, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, objects.size()); ++i) {
        const ToldObject& object = objects[i];
        text += (i > 0 ? ", " : "") + (object.is_gone ? "" : object_kind_name(object.kind) + " ") +
                std::to_string(object.id.slot);
        if (object.is_gone) continue;
        text += " (" + metres(object.state.fields[0]) + ", " + metres(object.state.fields[1]) + ")";
    }
    if (objects.size() > most) text += ", " + std::to_string(objects.size() - most) + " more";
    return text;
}

PayloadTeller::PayloadTeller(const TraceFile& trace)
    : payloads_(trace), has_worlds_(replay_problem(trace).empty()) {}

ReplicaReplay* PayloadTeller::replay_before(std::uint16_t peer, std::uint64_t number,
                                            std::size_t& budget) {
    std::unique_ptr<ReplicaReplay>& replay = replays_[peer];
    if (!replay) replay = std::make_unique<ReplicaReplay>(payloads_, peer);
    const auto passed = passed_.find(peer);
    if (passed != passed_.end() && passed->second >= number) {
        replay->begin_anew();
        passed_.erase(peer);
    }
    for (;;) {
        const ReplayMessage* const message = replay->next(budget);
        if (message == nullptr) return replay->is_at_end() ? replay.get() : nullptr;
        if (message->record >= number) return replay.get();
        passed_[peer] = message->record;
        (void)replay->take();
    }
}

void PayloadTeller::add_objects(ReplicaReplay& replay, const ReplayMessage& message, Told& told) {
    const ReplayMessage taken = message;
    const replication::ReplicaStore& store = replay.store();
    // Batches of one tick: those of the message before are not this one's.
    std::vector<replication::ObjectId> before;
    store.visit([&](const replication::ReplicaView& view) {
        if (taken.is_snapshot && view.tick == taken.tick) before.push_back(view.id);
    });
    if (const char* const refusal = replay.take()) {
        told.text += ", REFUSED: " + std::string(refusal);
        return;
    }
    if (taken.is_snapshot) {
        store.visit([&](const replication::ReplicaView& view) {
            if (view.tick != taken.tick ||
                std::find(before.begin(), before.end(), view.id) != before.end())
                return;
            told.objects.push_back({view.id, view.kind, *view.state, false});
        });
        return;
    }
    replication::ControlHead head;
    if (!replication::read_control_head(taken.control, taken.bytes, head)) return;
    for (std::uint32_t i = 0; i < head.count; ++i) {
        if (taken.control == replication::ControlKind::spawn) {
            const replication::SpawnRecord spawn = replication::read_spawn(taken.bytes, i);
            told.objects.push_back({spawn.id, spawn.kind, spawn.state, false});
        } else if (taken.control == replication::ControlKind::despawn) {
            told.objects.push_back({replication::read_despawn(taken.bytes, i), 0, {}, true});
        }
    }
}

std::optional<Told> PayloadTeller::tell(std::uint64_t number, std::size_t& budget) {
    const TraceFile& trace = payloads_.trace();
    const Record record = trace.record(number);
    const std::optional<ConstBytes> bytes = payloads_.of(number);
    if (!bytes) return Told{.text = "not in this file"};
    const transport::Lane lane = static_cast<transport::Lane>(record.lane);
    const bool has_envelope = lane == transport::Lane::control || lane == transport::Lane::gameplay;
    // Without a game the payloads say nothing, and the other lanes' messages have no envelope.
    if (trace.header().schema_hash == 0 || !has_envelope) return Told{.text = sized(*bytes)};
    session::Envelope envelope;
    const session::EnvelopeStatus status = session::decode_envelope(*bytes, envelope);
    if (status != session::EnvelopeStatus::ok)
        return Told{.text = std::string("envelope REFUSED: ") + session::name_of(status)};
    Told told;
    told.text = payload_text(envelope);
    told.envelope = "epoch " + std::to_string(envelope.epoch) + ", sequence " +
                    std::to_string(envelope.sequence);
    const bool is_down = (record.flags & flag::down) != 0;
    const bool is_followed = replays_.contains(record.peer) || replays_.size() < replays_max;
    if (!has_worlds_ || !is_down || !is_followed) return told;
    ReplicaReplay* const replay = replay_before(record.peer, number, budget);
    if (replay == nullptr) return std::nullopt;
    std::size_t rest = PayloadTeller::no_budget;
    const ReplayMessage* const message = replay->next(rest);
    if (message == nullptr || message->record != number) return told;
    passed_[record.peer] = number;
    add_objects(*replay, *message, told);
    return told;
}

}  // namespace wt::trace
