// SPDX-License-Identifier: MIT
//
// What hostile bots have instead of an honest client's endpoint: one that floods, and one that
// repeats. Both stand in front of a real client, which the second one lets play on.
#pragma once

#include <array>
#include <vector>

#include "engine/base/rng.hpp"
#include "engine/transport/forwarding_endpoint.hpp"

namespace wt::bots {

// Asks for connections that nobody wants, 2,000 times a second. Whose address each request seems
// to come from is the network's to forge.
class FloodingEndpoint final : public transport::ForwardingEndpoint {
public:
    static constexpr Duration interval = Duration::micros(500);

    FloodingEndpoint(transport::Endpoint& inner, const transport::Address& server, LuckKey luck)
        : ForwardingEndpoint(inner), server_(server), luck_(luck) {}

    // Answers go to others, so nothing that comes in is looked at.
    void receive(Instant, const transport::Address&, ConstBytes, const transport::Label&) override {
    }
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override;
    [[nodiscard]] Instant next_deadline() const override { return next_; }

private:
    transport::Address server_;
    LuckStream luck_;
    Instant next_{};
};

// Plays on, and sends each of its last datagrams again and again, 500 a second.
class ReplayingEndpoint final : public transport::ForwardingEndpoint {
public:
    static constexpr Duration interval = Duration::millis(2);

    explicit ReplayingEndpoint(transport::Endpoint& inner) : ForwardingEndpoint(inner) {}

    void restart(Instant now) override;
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override;
    [[nodiscard]] Instant next_deadline() const override;

private:
    static constexpr std::size_t kept_max = 64;
    struct Kept {
        std::array<std::uint8_t, transport::datagram_bytes_max> bytes{};
        std::size_t size = 0;
        transport::Address to{};
        transport::Label label{};
    };

    void keep(const transport::Datagram& sent);

    std::vector<Kept> kept_{};  // A ring once it is full.
    std::size_t oldest_ = 0;
    std::size_t next_kept_ = 0;
    Instant next_{};
};

}  // namespace wt::bots
