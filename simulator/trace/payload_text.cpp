// SPDX-License-Identifier: MIT
#include "simulator/trace/payload_text.hpp"

#include "engine/prediction/input_message.hpp"
#include "engine/replication/wire.hpp"
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

}  // namespace

std::string payload_text(const TraceFile& trace, std::uint64_t number, const Record& record) {
    const std::optional<ConstBytes> bytes = trace.payload_of(number);
    if (!bytes) return "not in this file";
    const transport::Lane lane = static_cast<transport::Lane>(record.lane);
    const bool has_envelope = lane == transport::Lane::control || lane == transport::Lane::gameplay;
    // Without a game the payloads say nothing, and the other lanes' messages have no envelope.
    if (trace.header().schema_hash == 0 || !has_envelope) return sized(*bytes);
    session::Envelope envelope;
    const session::EnvelopeStatus status = session::decode_envelope(*bytes, envelope);
    if (status != session::EnvelopeStatus::ok)
        return std::string("envelope REFUSED: ") + session::name_of(status);
    const std::string head = "epoch " + std::to_string(envelope.epoch) + ", sequence " +
                             std::to_string(envelope.sequence) + ": ";
    if (envelope.kind == static_cast<std::uint16_t>(session::Kind::snapshot))
        return head + snapshot_text(envelope.payload);
    if (envelope.kind == static_cast<std::uint16_t>(session::Kind::input))
        return head + input_text(envelope.payload);
    return head + "kind " + std::to_string(envelope.kind) + ", " + sized(envelope.payload);
}

}  // namespace wt::trace
