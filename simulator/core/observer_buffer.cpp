// SPDX-License-Identifier: MIT
#include "simulator/core/observer_buffer.hpp"

namespace wt::sim {

namespace {

// What a worker's hosts do in one window of a large run; more is a growth of the vector.
constexpr std::size_t notes_estimate = 16'384;

}  // namespace

ObserverBuffer::ObserverBuffer(Observer& target) : target_(target) {
    notes_.reserve(notes_estimate);
}

void ObserverBuffer::on_handed(const DatagramHanded& what) {
    notes_.emplace_back(Labelled{what.label, what});
}

void ObserverBuffer::on_waited(const NodeWaited& what) {
    notes_.emplace_back(what);
}

void ObserverBuffer::on_moved(const PathMoved& what) {
    notes_.emplace_back(what);
}

void ObserverBuffer::on_delivered(const DatagramDelivered& what) {
    notes_.emplace_back(Labelled{what.label, what});
}

void ObserverBuffer::on_lost(const DatagramLost& what) {
    notes_.emplace_back(Labelled{what.label, what});
}

void ObserverBuffer::on_message_sent(const MessageSent& what) {
    Sent note{what.flow, what.at, what.status, what.bytes, what.message};
    note.message.bytes = {};
    notes_.emplace_back(note);
}

void ObserverBuffer::on_message(const MessageDelivered& what) {
    Delivered note{what.flow, what.at, what.bytes, what.message};
    note.message.bytes = {};
    if (target_.wants_bytes()) {
        note.bytes_at = bytes_.size();
        bytes_.insert(bytes_.end(), what.message.bytes.begin(), what.message.bytes.end());
    }
    notes_.emplace_back(note);
}

void ObserverBuffer::on_connection(const ConnectionChange& what) {
    notes_.emplace_back(what);
}

void ObserverBuffer::on_levels(const LevelsTaken& what) {
    notes_.emplace_back(Levels{what.flow, what.at, what.levels});
}

void ObserverBuffer::on_sample(const SampleTaken& what) {
    notes_.emplace_back(Sampled{what.flow, what.at, what.sample});
}

void ObserverBuffer::on_fact(const GameFact& what) {
    notes_.emplace_back(what);
}

void ObserverBuffer::on_frame(const FrameShown& what) {
    notes_.emplace_back(what);
}

void ObserverBuffer::on_server_work(bool begins, std::int64_t wall_ns) {
    notes_.emplace_back(Work{begins, wall_ns});
}

void ObserverBuffer::on_level_point(const LevelPoint& point) {
    notes_.emplace_back(point);
}

void ObserverBuffer::replay() {
    for (const Note& note : notes_)
        std::visit([this](const auto& each) { tell(each); }, note);
    notes_.clear();
    bytes_.clear();
}

void ObserverBuffer::tell(const Labelled& note) {
    if (const auto* handed = std::get_if<DatagramHanded>(&note.what)) {
        target_.on_handed({handed->flow, handed->at, handed->sequence, handed->bytes,
                           handed->copies, handed->cause, handed->queue_wait, handed->service,
                           note.label});
    } else if (const auto* delivered = std::get_if<DatagramDelivered>(&note.what)) {
        target_.on_delivered({delivered->flow, delivered->at, delivered->delay, delivered->sequence,
                              delivered->bytes, delivered->is_duplicate, delivered->is_reordered,
                              note.label});
    } else if (const auto* lost = std::get_if<DatagramLost>(&note.what)) {
        target_.on_lost({lost->flow, lost->at, lost->noted, lost->sequence, lost->bytes,
                         lost->cause, lost->is_duplicate, lost->is_on_path, note.label});
    }
}

void ObserverBuffer::tell(const Sent& note) {
    target_.on_message_sent({note.flow, note.at, note.status, note.bytes, note.message});
}

void ObserverBuffer::tell(const Delivered& note) {
    transport::Received message = note.message;
    if (target_.wants_bytes())
        message.bytes = ConstBytes(bytes_).subspan(note.bytes_at, note.bytes);
    target_.on_message({note.flow, note.at, note.bytes, message});
}

void ObserverBuffer::tell(const Levels& note) {
    target_.on_levels({note.flow, note.at, note.levels});
}

void ObserverBuffer::tell(const Sampled& note) {
    target_.on_sample({note.flow, note.at, note.sample});
}

}  // namespace wt::sim
