// SPDX-License-Identifier: MIT
//
// What metrics and traces get to see. An observer reads: it never draws, schedules or mutates, and
// a run's digest is the same with and without one (rule D11). Everything belongs to one bot and
// one direction. References are valid during the call.
//
// Order: calls about one host come in the order of its time; hosts run in windows, so calls about
// different hosts may be a window apart. on_window_end says up to where everybody is complete.
#pragma once

#include <cstdint>

#include "bots/meter.hpp"
#include "engine/base/time.hpp"
#include "engine/transport/endpoint.hpp"
#include "simulator/link/drop_cause.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

// Which bot, and which direction of its path. Bots count from 0 in the plan's order of hosts,
// the server left out.
struct Flow {
    std::uint32_t bot = 0;
    Way way = Way::up;
};

// One datagram at hand-over. What a first link makes of it is known then; drops further on
// (shared links, partitions, full receive buffers) come as DatagramLost.
struct DatagramHanded {
    Flow flow{};
    Instant at{};
    std::uint64_t sequence = 0;  // Of the source host, copies counted.
    std::uint32_t bytes = 0;     // UDP payload.
    std::uint8_t copies = 0;     // 0 where it was dropped at once.
    DropCause cause = DropCause::none;
    Duration queue_wait{};
    Duration service{};  // How long the first link's rate takes over it; 0 without a rate.
    const transport::Label& label;
};

// One datagram passes a shared link: how long it waited there. First links say so at hand-over.
struct NodeWaited {
    Flow flow{};
    Instant at{};  // When it came there.
    Duration wait{};
};

struct DatagramDelivered {
    Flow flow{};
    Instant at{};      // Read by the receiver.
    Duration delay{};  // Arrival - hand-over.
    std::uint64_t sequence = 0;
    std::uint32_t bytes = 0;
    bool is_duplicate = false;  // A copy that a link made.
    bool is_reordered = false;  // An original that a later-sent one had overtaken.
    const transport::Label& label;
};

struct DatagramLost {
    Flow flow{};
    Instant at{};     // Decided.
    Instant noted{};  // By whoever decided: a host finds out at its next wake-up.
    std::uint64_t sequence = 0;
    std::uint32_t bytes = 0;
    DropCause cause = DropCause::none;
    bool is_duplicate = false;
    bool is_on_path = false;  // By a shared link; else by the receiving host.
    const transport::Label& label;
};

struct MessageSent {
    Flow flow{};
    Instant at{};
    transport::SendStatus status = transport::SendStatus::ok;
    std::uint32_t bytes = 0;
    const transport::Message& message;  // Its bytes may be gone: see wants_bytes.
};

struct MessageDelivered {
    Flow flow{};
    Instant at{};
    std::uint32_t bytes = 0;
    // Latency = at - message.accepted_at. Its bytes may be gone: see wants_bytes.
    const transport::Received& message;
};

struct ConnectionChange {
    enum class What : std::uint8_t {
        wanted,      // The scenario wants this bot in from now on (bot's side only).
        not_wanted,  // Left, killed, or has no way to return (bot's side only).
        attempt,     // connect() was called (bot's side only).
        up,
        down,  // By the endpoint's word, or because its process died.
    };
    What what = What::up;
    std::uint32_t bot = 0;
    bool is_server_side = false;
    bool is_planned = false;  // down: the scenario or the behaviour asked for it.
    Instant at{};
    // up: when the first attempt since the last connection (or the first of all) began.
    Instant attempts_since{};
    transport::CloseReason reason = transport::CloseReason::none;
};

// The server has moved a session to its bot's new address.
struct PathMoved {
    std::uint32_t bot = 0;
    Instant at{};
};

struct LevelsTaken {
    Flow flow{};  // The direction in which this end sends.
    Instant at{};
    const transport::ConnectionLevels& levels;
};

struct SampleTaken {
    Flow flow{};
    Instant at{};
    const transport::Sample& sample;
};

// What the game's parts say of themselves (bots/meter.hpp).
struct GameFact {
    Flow flow{};  // The direction in which the saying end sends; bot 0 where it is about no peer.
    Instant at{};
    bots::Fact fact{};
    bool has_peer = true;  // ticket_refused: whether the address that it came from is a bot's.
};

struct FrameShown {
    std::uint32_t bot = 0;
    Instant at{};
    bots::Frame frame{};
};

// What is not of one connection, at a level instant. The server's host fills in the rest.
struct LevelPoint {
    Instant at{};
    bool is_server = false;
    std::uint32_t pending = 0;      // Attempts to join under way.
    std::uint64_t refused = 0;      // Datagrams and attempts refused so far, whatever the reason.
    std::uint64_t bad_cookies = 0;  // Of those.
};

// Virtual, and the one place of simulator/core that is: there is one call for each thing that
// happened, none for each field, and only if somebody watches.
class Observer {
public:
    virtual ~Observer() = default;

    virtual void on_handed(const DatagramHanded&) {}
    virtual void on_waited(const NodeWaited&) {}
    virtual void on_delivered(const DatagramDelivered&) {}
    virtual void on_lost(const DatagramLost&) {}
    virtual void on_message_sent(const MessageSent&) {}
    virtual void on_message(const MessageDelivered&) {}
    virtual void on_connection(const ConnectionChange&) {}
    virtual void on_moved(const PathMoved&) {}
    virtual void on_levels(const LevelsTaken&) {}
    virtual void on_sample(const SampleTaken&) {}
    virtual void on_fact(const GameFact&) {}
    virtual void on_frame(const FrameShown&) {}
    // The server's host begins or ends the work of one instant, `wall_ns` on this observer's clock.
    virtual void on_server_work(bool /*begins*/, std::int64_t /*wall_ns*/) {}
    // What a stopwatch says; 0 where nothing is timed. It only ever feeds what is outside digests.
    // Called from the worker that runs the server, so it must not touch what the calls above do.
    [[nodiscard]] virtual std::int64_t wall_ns() const { return 0; }
    // A host's queue of work at a level instant is done; the server's comes once a tick.
    virtual void on_level_point(const LevelPoint&) {}
    // Whether the bytes of delivered messages are wanted too, where the calls come late.
    [[nodiscard]] virtual bool wants_bytes() const { return false; }
    // All hosts have done everything before `end`.
    virtual void on_window_end(Instant /*end*/) {}
};

}  // namespace wt::sim
