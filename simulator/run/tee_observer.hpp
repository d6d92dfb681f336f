// SPDX-License-Identifier: MIT
//
// Two observers of one world. The clock is the first one's.
#pragma once

#include "simulator/core/observer.hpp"

namespace wt::sim {

class TeeObserver final : public Observer {
public:
    TeeObserver(Observer& first, Observer& second) : first_(first), second_(second) {}

    void on_handed(const DatagramHanded& what) override { tell(&Observer::on_handed, what); }
    void on_waited(const NodeWaited& what) override { tell(&Observer::on_waited, what); }
    void on_moved(const PathMoved& what) override { tell(&Observer::on_moved, what); }
    void on_delivered(const DatagramDelivered& what) override {
        tell(&Observer::on_delivered, what);
    }
    void on_lost(const DatagramLost& what) override { tell(&Observer::on_lost, what); }
    void on_message_sent(const MessageSent& what) override {
        tell(&Observer::on_message_sent, what);
    }
    void on_message(const MessageDelivered& what) override { tell(&Observer::on_message, what); }
    void on_connection(const ConnectionChange& what) override {
        tell(&Observer::on_connection, what);
    }
    void on_levels(const LevelsTaken& what) override { tell(&Observer::on_levels, what); }
    void on_sample(const SampleTaken& what) override { tell(&Observer::on_sample, what); }
    void on_fact(const GameFact& what) override { tell(&Observer::on_fact, what); }
    void on_frame(const FrameShown& what) override { tell(&Observer::on_frame, what); }
    void on_server_work(bool begins, std::int64_t wall_ns) override {
        first_.on_server_work(begins, wall_ns);
        second_.on_server_work(begins, wall_ns);
    }
    [[nodiscard]] std::int64_t wall_ns() const override { return first_.wall_ns(); }
    void on_level_point(const LevelPoint& point) override {
        tell(&Observer::on_level_point, point);
    }
    [[nodiscard]] bool wants_bytes() const override {
        return first_.wants_bytes() || second_.wants_bytes();
    }
    void on_window_end(Instant end) override {
        first_.on_window_end(end);
        second_.on_window_end(end);
    }

private:
    template <class What>
    void tell(void (Observer::*call)(const What&), const What& what) {
        (first_.*call)(what);
        (second_.*call)(what);
    }

    Observer& first_;
    Observer& second_;
};

}  // namespace wt::sim
