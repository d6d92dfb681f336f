// SPDX-License-Identifier: MIT
//
// Everything a World is made of, as plain data. Whoever reads scenarios fills this; tests fill it
// by hand. The order of hosts, links and acts' targets in here never changes a digest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bots/behaviour.hpp"
#include "engine/transport/endpoint.hpp"
#include "simulator/core/grid.hpp"
#include "simulator/core/host_clock.hpp"
#include "simulator/core/host_name.hpp"
#include "simulator/link/exact_fault.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

struct ReconnectPlan {
    Duration after{};
    Duration over{};          // Spread: uniform luck of the host in [0, over].
    std::uint32_t tries = 1;  // For each lost connection.
};

// Declared CPU of a host, in virtual time. All zero: it thinks in no time.
struct CostPlan {
    Duration datagram{};   // Each one read or sent.
    Duration handshake{};  // Each join with a good cookie: the key exchange.
    Duration object{};     // Each object that the behaviour touches.

    [[nodiscard]] bool is_free() const {
        return datagram == Duration{} && handshake == Duration{} && object == Duration{};
    }
};

// Nothing happens on the host for the last `length` of each `every`, from its start on.
struct StallPlan {
    Duration every{};
    Duration length{};
};

struct HostPlan {
    HostName name{};
    bool is_server = false;
    // Not owned; both outlive the world.
    transport::Endpoint* endpoint = nullptr;
    bots::Behaviour* behaviour = nullptr;
    Frequency tick_rate{60};                     // The server's ticks, a bot's frames. 0 = none.
    std::uint64_t tick_offset = 0;               // Number of tick 0, as the behaviour sees it.
    Instant join_at{};                           // When the process starts.
    std::uint32_t receive_buffer = 208 * 1'024;  // Bytes, 28 a datagram included.
    CostPlan cost{};
    HostClock clock{};
    std::optional<StallPlan> stall{};
    // Bots only.
    NatConfig nat{};           // What its translator does by itself.
    bool is_spoofing = false;  // Each of its datagrams seems to come from somebody else.
    std::string link{};        // Name in WorldPlan::links; empty = no delay, no loss, no limit.
    // With it, the world connects when the bot comes up and reconnects; its `server` field is
    // filled in here. Without, the behaviour connects in start().
    std::optional<transport::ConnectRequest> connect{};
    std::optional<ReconnectPlan> reconnect{};
};

// One firing of one act: `every` is expanded and targets are resolved before.
struct ActPlan {
    enum class Do : std::uint8_t {
        change,
        partition,
        suspend,
        pause,
        kill,
        leave,
        restart,
        rebind,
        behave,
        fault
    };
    std::string name{};
    Do what = Do::pause;
    Instant start{};
    Instant end = Instant::never();  // Reverts here. restart: comes back here.
    // Indexes into WorldPlan::hosts. partition, suspend, change and fault of a bot mean its path;
    // of the server, every path. change: empty = every instance of the link.
    std::vector<std::uint32_t> hosts{};
    Way way = Way::both;                                 // partition, suspend, change
    std::string link{};                                  // change: whose instances
    std::optional<LinkConfig> becomes{};                 // change
    bots::BehaviourKind as = bots::BehaviourKind::idle;  // behave
    RebindKind gives = RebindKind::port;                 // rebind
    std::optional<FaultPlan> fault{};
};

// How entities are grouped and windows cut: never changes a digest. Tests turn these.
struct WindowPlan {
    enum class Grouping : std::uint8_t { automatic, everything, pairs };
    Grouping grouping = Grouping::automatic;
    Duration window_max = Duration::max();
    std::uint32_t workers = 1;  // At most ParcelPool::homes_max.
};

struct WorldPlan {
    std::uint64_t seed = 1;
    Instant end{};  // The run is [0, end).
    Grid grid{};
    std::vector<HostPlan> hosts{};  // Exactly one server.
    std::vector<LinkConfig> links{};
    std::string server_via{};     // The server's own uplink, or empty.
    std::vector<ActPlan> acts{};  // In file order.
    Frequency level_rate{};       // How often the observer gets levels; 0 = never.
    WindowPlan windows{};
};

}  // namespace wt::sim
