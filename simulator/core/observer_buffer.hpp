// SPDX-License-Identifier: MIT
//
// Remembers what one worker's hosts did in a window and tells the observer when the window is
// over, so that an observer is never called from two workers. What it hears is what it would have
// heard directly; the bytes of messages are kept for one that wants them, else gone by then.
#pragma once

#include <variant>
#include <vector>

#include "simulator/core/observer.hpp"

namespace wt::sim {

class ObserverBuffer final : public Observer {
public:
    explicit ObserverBuffer(Observer& target);

    void on_handed(const DatagramHanded& what) override;
    void on_waited(const NodeWaited& what) override;
    void on_moved(const PathMoved& what) override;
    void on_delivered(const DatagramDelivered& what) override;
    void on_lost(const DatagramLost& what) override;
    void on_message_sent(const MessageSent& what) override;
    void on_message(const MessageDelivered& what) override;
    void on_connection(const ConnectionChange& what) override;
    void on_levels(const LevelsTaken& what) override;
    void on_sample(const SampleTaken& what) override;
    void on_fact(const GameFact& what) override;
    void on_frame(const FrameShown& what) override;
    void on_server_work(bool begins, std::int64_t wall_ns) override;
    [[nodiscard]] std::int64_t wall_ns() const override { return target_.wall_ns(); }
    void on_level_point(const LevelPoint& point) override;

    // Between windows: tells everything, in the order in which it happened, and forgets it.
    void replay();

private:
    // The notes of observer.hpp hold references to what is gone by the window's end: their things
    // lie beside them, and the reference is put back when they are told.
    struct Labelled {
        transport::Label label{};
        std::variant<DatagramHanded, DatagramDelivered, DatagramLost> what;
    };
    struct Sent {
        Flow flow{};
        Instant at{};
        transport::SendStatus status = transport::SendStatus::ok;
        std::uint32_t bytes = 0;
        transport::Message message{};
    };
    struct Delivered {
        Flow flow{};
        Instant at{};
        std::uint32_t bytes = 0;
        transport::Received message{};
        std::size_t bytes_at = 0;  // In bytes_, where the target wants them.
    };
    struct Levels {
        Flow flow{};
        Instant at{};
        transport::ConnectionLevels levels{};
    };
    struct Sampled {
        Flow flow{};
        Instant at{};
        transport::Sample sample{};
    };
    struct Work {
        bool begins = false;
        std::int64_t wall_ns = 0;
    };
    using Note = std::variant<Labelled, NodeWaited, PathMoved, Sent, Delivered, ConnectionChange,
                              Levels, Sampled, GameFact, FrameShown, Work, LevelPoint>;

    void tell(const Labelled& note);
    void tell(const Sent& note);
    void tell(const Delivered& note);
    void tell(const NodeWaited& note) { target_.on_waited(note); }
    void tell(const PathMoved& note) { target_.on_moved(note); }
    void tell(const ConnectionChange& note) { target_.on_connection(note); }
    void tell(const Levels& note);
    void tell(const Sampled& note);
    void tell(const GameFact& note) { target_.on_fact(note); }
    void tell(const FrameShown& note) { target_.on_frame(note); }
    void tell(const Work& note) { target_.on_server_work(note.begins, note.wall_ns); }
    void tell(const LevelPoint& note) { target_.on_level_point(note); }

    Observer& target_;
    std::vector<Note> notes_{};
    std::vector<std::uint8_t> bytes_{};
};

}  // namespace wt::sim
