// SPDX-License-Identifier: MIT
//
// Between one end in real time and the figures of a run, which know both: what this end says of
// a connection is said for the other one too, so that a peer is Active when this end thinks so;
// what needs both ends is kept back.
#pragma once

#include "simulator/core/observer.hpp"
#include "simulator/realtime/side.hpp"

namespace wt::sim {

class OneSideObserver final : public Observer {
public:
    OneSideObserver(Side side, Observer& inner) : side_(side), inner_(inner) {}

    void on_handed(const DatagramHanded& what) override { inner_.on_handed(what); }
    void on_delivered(const DatagramDelivered& what) override { inner_.on_delivered(what); }
    void on_lost(const DatagramLost& what) override { inner_.on_lost(what); }
    // on_message_sent and on_message end here: what one of them opens, the other end would close.
    void on_connection(const ConnectionChange& what) override {
        using What = ConnectionChange::What;
        inner_.on_connection(what);
        if (what.what != What::up && what.what != What::down) return;
        ConnectionChange other = what;
        other.is_server_side = side_ == Side::bots;
        inner_.on_connection(other);
    }
    void on_levels(const LevelsTaken& what) override { inner_.on_levels(what); }
    void on_sample(const SampleTaken& what) override { inner_.on_sample(what); }
    void on_fact(const GameFact& what) override {
        inner_.on_fact(what);
        if (what.fact.what != bots::Fact::What::session_active) return;
        GameFact other = what;
        other.flow.way = side_ == Side::bots ? Way::down : Way::up;
        inner_.on_fact(other);
    }
    void on_frame(const FrameShown& what) override { inner_.on_frame(what); }
    void on_server_work(bool begins, std::int64_t wall_ns) override {
        inner_.on_server_work(begins, wall_ns);
    }
    [[nodiscard]] std::int64_t wall_ns() const override { return inner_.wall_ns(); }
    void on_level_point(const LevelPoint& point) override { inner_.on_level_point(point); }
    void on_window_end(Instant end) override { inner_.on_window_end(end); }

private:
    Side side_;
    Observer& inner_;
};

}  // namespace wt::sim
