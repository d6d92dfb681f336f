// SPDX-License-Identifier: MIT
//
// Both ends of the loopback transport behind the seam: who may join is asked of the application as
// with the real transport, but an address is believed as it comes. Meant for the players of one
// process: calls may look at every peer.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/transport/loopback.hpp"
#include "engine/transport/loopback_line.hpp"

namespace wt::transport::loopback {

class LoopbackEndpoint final : public Endpoint {
public:
    LoopbackEndpoint(const LoopbackConfig& config, bool is_server);

    void receive(Instant now, const Address& from, ConstBytes datagram,
                 const Label& label) override;
    void advance(Instant now) override;
    ConnectStatus connect(Instant now, const ConnectRequest& request) override;
    SendStatus send(Instant now, ConnectionId to, const Message& message) override;
    bool close(Instant now, ConnectionId connection, CloseReason reason) override;
    AnswerStatus answer_authorisation(Instant now, const AuthorisationAnswer& answer) override;
    void restart(Instant now) override;

    [[nodiscard]] bool next_datagram(Instant now, Datagram& out) override;
    [[nodiscard]] bool next_event(Event& out) override;
    // There is no round trip to be observed.
    [[nodiscard]] bool next_sample(Sample&) override { return false; }
    [[nodiscard]] Instant next_deadline() const override;

    [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
    [[nodiscard]] const Counters& counters() const override;
    [[nodiscard]] const Counters* counters_of(ConnectionId connection) const override;
    [[nodiscard]] bool levels_of(Instant now, ConnectionId connection,
                                 ConnectionLevels& out) const override;
    [[nodiscard]] std::uint32_t connection_count() const override;
    [[nodiscard]] std::uint32_t pending_count() const override;
    void observe(bool) override {}

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    enum class Phase : std::uint8_t {
        free,
        joining,  // Server: asked the application. Client: asks the server.
        up,
        over,  // What is queued still goes out and in; then Closed.
    };

    struct Peer {
        explicit Peer(BufferPool& pool) : line(pool) {}

        Line line;
        Address address{};
        std::array<std::uint8_t, 16> session{};
        std::array<std::uint8_t, token_bytes_max> token{};
        std::uint16_t token_bytes = 0;
        std::uint32_t epoch = 0;
        std::uint32_t generation = 0;
        PlayerId player{};
        std::uint32_t tick_rate = 0;
        Phase phase = Phase::free;
        bool was_up = false;
        bool asked_due = false;  // Events that have not come out yet.
        bool asked_given = false;
        bool connected_due = false;
        bool withdrawn_due = false;
        bool closed_silently = false;  // No Closed for what the application never heard of.
        bool reply_due = false;        // Client: connect. Server: accept.
        bool goodbye_due = false;      // close, or reject where it never was up.
        CloseReason reason = CloseReason::none;
        Instant next_request{};
        Instant deadline{};
    };

    void receive_at_server(Instant now, const Address& from, const Header& header,
                           ByteReader reader, const Label& label);
    void receive_at_client(Instant now, const Address& from, const Header& header,
                           ByteReader reader, const Label& label);
    void receive_connect(Instant now, const Address& from, std::uint32_t epoch, ByteReader reader);
    void receive_session(Instant now, std::uint32_t peer, const Header& header, ByteReader reader,
                         const Label& label);
    void receive_goodbye(std::uint32_t peer, ByteReader reader);

    [[nodiscard]] std::uint32_t take_place(const Address& address);
    void end(std::uint32_t peer, CloseReason reason, bool goodbye);
    void release(std::uint32_t peer);
    [[nodiscard]] bool write_control(Instant now, Peer& peer, Datagram& out);
    [[nodiscard]] bool event_of(std::uint32_t peer, Event& out);
    [[nodiscard]] bool has_output(const Peer& peer) const;
    [[nodiscard]] Instant deadline_of(const Peer& peer) const;
    [[nodiscard]] std::uint32_t find(ConnectionId id) const;
    [[nodiscard]] std::uint32_t at_address(const Address& address) const;

    LoopbackConfig config_;
    bool is_server_ = false;
    Capabilities capabilities_{};
    BufferPool pool_;
    std::vector<std::unique_ptr<Peer>> peers_;
    std::map<Address, std::uint32_t> by_address_;
    std::uint32_t epoch_ = 0;  // Client: sessions begun.
    std::uint32_t serve_next_ = 0;
    Counters own_{};
    Counters gone_{};
    mutable Counters sum_{};
    Instant now_{};
};

}  // namespace wt::transport::loopback
