// SPDX-License-Identifier: MIT
//
// The smallest protocol that the seam allows, for tests of the world around it: hello and welcome,
// one message a datagram, keepalives each 100 ms, a timeout of 500 ms, goodbye. Handshake
// datagrams are repeated each 50 ms. No encryption, no acknowledgements.
#pragma once

#include <deque>
#include <vector>

#include "engine/transport/endpoint.hpp"

namespace wt::sim {

class PingEndpoint final : public transport::Endpoint {
public:
    static constexpr Duration timeout = Duration::millis(500);
    static constexpr Duration keepalive = Duration::millis(100);
    static constexpr Duration retry = Duration::millis(50);

    explicit PingEndpoint(bool is_server) : is_server_(is_server) {}

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override;
    void advance(Instant now) override;
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override;
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override;
    bool close(Instant now, transport::ConnectionId connection,
               transport::CloseReason reason) override;
    transport::AnswerStatus answer_authorisation(Instant,
                                                 const transport::AuthorisationAnswer&) override {
        return transport::AnswerStatus::stale;
    }
    void restart(Instant now) override;

    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override;
    [[nodiscard]] bool next_event(transport::Event& out) override;
    [[nodiscard]] bool next_sample(transport::Sample&) override { return false; }
    [[nodiscard]] Instant next_deadline() const override;

    [[nodiscard]] const transport::Capabilities& capabilities() const override {
        return capabilities_;
    }
    [[nodiscard]] const transport::Counters& counters() const override { return counters_; }
    [[nodiscard]] const transport::Counters* counters_of(transport::ConnectionId) const override {
        return nullptr;
    }
    [[nodiscard]] bool levels_of(Instant, transport::ConnectionId id,
                                 transport::ConnectionLevels& out) const override;
    [[nodiscard]] std::uint32_t connection_count() const override;
    [[nodiscard]] std::uint32_t pending_count() const override { return 0; }
    void observe(bool) override {}

    // Largest number of datagrams that one instant's drain gave out.
    std::uint64_t malformed = 0;

private:
    enum class Type : std::uint8_t { hello = 1, welcome, message, keepalive, goodbye };
    struct Connection {
        transport::Address peer{};
        bool is_live = false;       // Slot in use.
        bool is_connected = false;  // Hello and welcome are through.
        std::uint32_t generation = 0;
        Instant last_heard{};
        Instant next_send{};  // Hello or keepalive.
    };
    struct Outgoing {
        transport::Address to{};
        transport::Label label{};
        std::uint8_t size = 0;
        std::uint8_t bytes[250] = {};
    };

    void push(const transport::Address& to, Type type, ConstBytes body, transport::Label label);
    Connection* find(const transport::Address& peer);
    Connection& open(Instant now, const transport::Address& peer);
    [[nodiscard]] transport::ConnectionId id_of(const Connection& connection) const;
    void shut(Connection& connection, transport::CloseReason reason);

    bool is_server_;
    std::vector<Connection> connections_{};
    std::deque<Outgoing> outgoing_{};
    std::deque<transport::Event> events_{};
    std::vector<std::uint8_t> received_{};  // Bytes of the event given out last.
    transport::Capabilities capabilities_{};
    transport::Counters counters_{};
};

}  // namespace wt::sim
