// SPDX-License-Identifier: MIT
//
// From what happens in a world to the records of a trace. Listens like metrics do and decides
// nothing (rule D11). Calls come host by host inside a window; records leave in one order that
// neither windows nor workers can change: by time, then timeline, hosts by number, shared links.
#pragma once

#include <vector>

#include "simulator/core/observer.hpp"
#include "simulator/core/server_clock.hpp"
#include "simulator/trace/anomaly_finder.hpp"
#include "simulator/trace/writer.hpp"

namespace wt::trace {

// What the scenario declares that the server's work costs; nothing where it declares none.
struct DeclaredCosts {
    Duration datagram{};  // Each one read or sent.
    Duration join{};      // Each connection that comes up.
    Duration object{};    // Each object touched by gather and encode.
};

class Capture final : public sim::Observer {
public:
    // The writer must outlive this. What is captured in full stands in its peers table.
    Capture(Writer& writer, sim::ServerClock clock, const DeclaredCosts& costs);

    void on_handed(const sim::DatagramHanded& what) override;
    void on_delivered(const sim::DatagramDelivered& what) override;
    void on_lost(const sim::DatagramLost& what) override;
    void on_message_sent(const sim::MessageSent& what) override;
    void on_message(const sim::MessageDelivered& what) override;
    void on_connection(const sim::ConnectionChange& what) override;
    void on_levels(const sim::LevelsTaken& what) override;
    void on_sample(const sim::SampleTaken& what) override;
    void on_fact(const sim::GameFact& what) override;
    void on_frame(const sim::FrameShown& what) override;
    void on_server_work(bool begins, std::int64_t wall_ns) override;
    void on_level_point(const sim::LevelPoint& point) override;
    [[nodiscard]] bool wants_bytes() const override { return writer_.about().has_payload; }
    void on_window_end(Instant end) override;

    // The world has run everything before `now`: to be called at every multiple of 100 ms of
    // virtual time, and at the end.
    void reach(Instant now);

    // The server's work on the wall clock so far; empty lists where nothing was timed.
    [[nodiscard]] const Wall& wall() const { return wall_; }

private:
    // One record on its way to the window's end.
    struct Pending {
        std::uint32_t actor = 0;
        std::uint32_t place = 0;    // In records_.
        std::uint32_t instant = 0;  // In instants_.
    };
    // Hosts act on a grid, so that a window has few of them.
    struct Instants {
        static constexpr std::size_t max = 64;
        std::vector<std::int64_t> times{};  // As they came.
        std::vector<std::uint32_t> counts{};
        std::vector<std::uint32_t> order{};
        bool are_too_many = false;
    };
    struct PendingBytes {
        std::uint32_t place = 0;
        std::size_t at = 0;
        std::size_t size = 0;
    };
    struct Peer {
        bool is_full = true;
        bool is_bot_up = false;
        bool is_server_up = false;
        std::uint32_t epoch = 0;
        std::uint64_t newest_snapshot = ~std::uint64_t{0};
        std::int64_t least_age_ns = INT64_MAX;  // Of a snapshot when applied, this connection.
    };
    // What the server did since its last tick, counted: phases of a tick are counts in a trace,
    // since what a clock on the wall says is no part of a run.
    struct TickWork {
        std::int64_t opened = 0;
        std::int64_t inputs = 0;
        std::int64_t updates = 0;
        std::int64_t sealed = 0;
        std::int64_t joins = 0;
        std::int64_t objects = 0;
    };
    struct ActEdge {
        std::int64_t time = 0;
        std::uint16_t act = 0;
        bool is_begin = false;
    };

    [[nodiscard]] static std::uint16_t peer_of(const sim::Flow& flow) {
        return static_cast<std::uint16_t>(flow.bot + 1);
    }
    [[nodiscard]] bool is_full(std::uint16_t peer) const { return peers_[peer].is_full; }
    // Hosts come after the timeline (0) in one instant, shared links after hosts.
    [[nodiscard]] static std::uint32_t server_actor() { return 1; }
    [[nodiscard]] static std::uint32_t bot_actor(std::uint32_t bot) { return bot + 2; }
    [[nodiscard]] static std::uint32_t actor_of(const sim::Flow& flow, bool sends) {
        const bool is_server = (flow.way == sim::Way::down) == sends;
        return is_server ? server_actor() : bot_actor(flow.bot);
    }
    void push(const Record& record, std::uint32_t actor);
    void push_fragment(const Record& send, const transport::Label& label, std::uint32_t actor);
    void push_acts(std::int64_t end_ns);
    [[nodiscard]] std::uint32_t find_instant(std::int64_t time);
    [[nodiscard]] bool comes_before(const Pending& a, const Pending& b) const;
    void deal_by_instant();
    void sort_pending();
    void write_pending();
    void add(Series series, std::uint16_t peer, std::int64_t value) {
        writer_.series().add(series, peer, value);
    }
    void add_lateness(std::uint16_t peer, Duration age);
    void add_tick_work(const sim::LevelPoint& point, Record& record);
    void add_correction(std::uint16_t peer, const bots::Fact& fact, Record& record);
    void add_levels(std::uint16_t peer, bool is_server, const transport::ConnectionLevels& levels);

    Writer& writer_;
    sim::ServerClock clock_;
    DeclaredCosts costs_;
    std::int64_t snapshot_ns_ = 0;  // Between two snapshots; 0 without a game.
    AnomalyFinder finder_;
    std::vector<Peer> peers_;
    std::vector<ActEdge> acts_{};
    std::size_t acts_done_ = 0;
    std::vector<Record> records_{};
    std::vector<Pending> pending_{};
    std::vector<Pending> dealt_{};
    Instants instants_{};
    std::uint32_t last_instant_ = 0;  // Of the record pushed last.
    std::vector<PendingBytes> pending_bytes_{};
    std::vector<std::uint8_t> bytes_{};
    std::uint16_t peers_up_ = 0;  // Kept by the server's host.
    TickWork work_{};             // As well.
    std::uint64_t refused_ = 0;   // By the server so far, at its last tick.
    std::int64_t work_began_ = 0;
    std::int64_t worked_ns_ = 0;
    Wall wall_{};
};

// Microseconds as records hold them.
[[nodiscard]] inline std::uint32_t age_of(Duration duration) {
    const std::int64_t us = duration.ns / 1'000;
    if (us <= 0) return 0;
    return us >= 0xffff'ffff ? 0xffff'ffffu : static_cast<std::uint32_t>(us);
}
[[nodiscard]] inline std::uint16_t size_of(std::uint64_t bytes) {
    return bytes > 0xffff ? std::uint16_t{0xffff} : static_cast<std::uint16_t>(bytes);
}

}  // namespace wt::trace
