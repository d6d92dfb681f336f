// SPDX-License-Identifier: MIT
//
// Stands where the server would stand in a world, and is a hole in it: what arrives there goes out
// through real sockets, what comes in from them sets out through the world's links. Each address of
// the world that sends something has a socket of its own, so the real server sees as many clients
// as there are; a process that comes back with another port gets another socket, as it would.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "bots/behaviour.hpp"
#include "engine/transport/simple_endpoint.hpp"
#include "engine/udp/batch.hpp"
#include "engine/udp/ready_sockets.hpp"
#include "engine/udp/socket.hpp"

namespace wt::sim {

class Portal final : public transport::SimpleEndpoint {
public:
    // The server as it really is. Sockets are opened as they are needed.
    explicit Portal(const transport::Address& server);

    // Takes in what waits at the sockets. Between two steps of the world.
    void read();
    // Of all sockets, the closed ones included.
    [[nodiscard]] udp::SocketCounters sockets() const;
    [[nodiscard]] std::uint32_t socket_count() const {
        return static_cast<std::uint32_t>(doors_.size());
    }
    // Datagrams that had to wait for too many others and were thrown away.
    [[nodiscard]] std::uint64_t overflow() const { return overflow_; }
    // Times that no socket could be opened; what it was for is lost.
    [[nodiscard]] std::uint64_t unopened() const { return unopened_; }

    // The seam. Nothing of it is about connections: those are the real ends' business.
    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override;
    void advance(Instant) override {}
    transport::ConnectStatus connect(Instant, const transport::ConnectRequest&) override {
        return transport::ConnectStatus::unsupported;
    }
    bool close(Instant, transport::ConnectionId, transport::CloseReason) override { return false; }
    void restart(Instant) override {}
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override;
    [[nodiscard]] Instant next_deadline() const override { return Instant::never(); }

private:
    // What is on its way in at once: 16,384 datagrams are 100 ms of 128 players' snapshots forty
    // times over.
    static constexpr std::size_t waiting_max = 16'384;

    using Ip = std::array<std::uint8_t, 16>;
    struct Door {
        transport::Address inside{};  // Who it is in the world.
        udp::Socket socket;
    };
    struct Waiting {
        transport::Address to{};
        std::uint16_t size = 0;
        std::array<std::uint8_t, transport::datagram_bytes_max> bytes{};
    };
    [[nodiscard]] Door* door_of(const transport::Address& inside);
    void keep(const transport::Address& to, ConstBytes bytes);

    transport::Address server_;
    std::vector<Door> doors_{};
    std::map<Ip, std::size_t> door_at_{};
    // Forged addresses are all one host's outside: nobody may forge on a real network.
    std::vector<Waiting> waiting_{};
    std::size_t next_waiting_ = 0;
    udp::SendBatch outgoing_{};
    udp::ReceiveBatch received_{};
    udp::ReadySockets ready_{};
    udp::SocketCounters closed_{};
    std::uint64_t overflow_ = 0;
    std::uint64_t unopened_ = 0;
};

// Any address of this machine that reaches `server`, port 0: what a client binds to.
[[nodiscard]] transport::Address local_for(const transport::Address& server);

// Nobody's mind: the portal's host has to have one.
class NoBehaviour final : public bots::Behaviour {
public:
    void start(bots::Context&) override {}
    void on_event(bots::Context&, const transport::Event&) override {}
    void tick(bots::Context&) override {}
    void behave(bots::Context&, std::optional<bots::BehaviourKind>) override {}
    void leave(bots::Context&) override {}
    [[nodiscard]] std::uint64_t state_checksum() const override { return 0; }
};

}  // namespace wt::sim
