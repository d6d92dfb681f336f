// SPDX-License-Identifier: MIT
//
// The server's end: answers strangers without remembering them, asks the join authority about
// those who proved their address, and serves the connections that came of it. Nothing is allocated
// and nothing longer than the request is sent before a cookie came back.
// Spec: 000, connection establishment and session keys; DESIGN section 3 (the seam).
#pragma once

#include "engine/secure/join_attempts.hpp"
#include "engine/secure/key_schedule.hpp"
#include "engine/secure/peer_set.hpp"

namespace wt::secure {

template <Suite S>
class ServerEndpoint final : public transport::Endpoint {
public:
    // The entropy is kept; whatever stands behind it must outlive the endpoint.
    ServerEndpoint(const ServerConfig& config, Entropy entropy);

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override;
    void advance(Instant now) override;
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override;
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override;
    bool close(Instant now, transport::ConnectionId connection,
               transport::CloseReason reason) override;
    transport::AnswerStatus answer_authorisation(
        Instant now, const transport::AuthorisationAnswer& answer) override;
    void restart(Instant now) override;

    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override;
    [[nodiscard]] bool next_event(transport::Event& out) override;
    [[nodiscard]] bool next_sample(transport::Sample& out) override;
    [[nodiscard]] Instant next_deadline() const override;

    [[nodiscard]] const transport::Capabilities& capabilities() const override;
    [[nodiscard]] const transport::Counters& counters() const override;
    [[nodiscard]] const transport::Counters* counters_of(
        transport::ConnectionId connection) const override;
    [[nodiscard]] bool levels_of(Instant now, transport::ConnectionId connection,
                                 transport::ConnectionLevels& out) const override;
    // Connections whose Connected came out or will; unconfirmed ones are pending.
    [[nodiscard]] std::uint32_t connection_count() const override { return connected_; }
    [[nodiscard]] std::uint32_t pending_count() const override { return attempts_.pending_count(); }
    void observe(bool on) override { peers_.observe(on); }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // A handshake datagram to be sent. It names what it says, not the bytes: cookies are made and
    // accepts looked up when it leaves.
    struct Reply {
        transport::Address to{};
        WireKind kind = WireKind::challenge;
        std::uint64_t attempt = 0;
        transport::CloseReason reason = transport::CloseReason::none;  // reject
        transport::AttemptId accepted{};                               // accept
    };
    // Searches for sessions that may have moved: 256 a second of 16 tags each, about 4 ms of CPU.
    static constexpr Duration search_interval = Duration::micros(3'906);
    static constexpr std::int64_t search_burst = 32;
    // Who made us search. Each has a budget of its own, so that a flood of one starves no other.
    enum class Search : std::uint8_t { stranger, neighbour, probe };

    // In (server_receive.inl).
    void receive_session(Instant now, const transport::Address& from, ConstBytes datagram,
                         const transport::Label& label);
    bool receive_here(Instant now, const transport::Address& from, ConstBytes datagram,
                      const transport::Label& label, bool& is_inhabited);
    bool receive_unconfirmed(Instant now, std::uint32_t attempt, ConstBytes datagram,
                             const transport::Label& label);
    void receive_request(Instant now, const transport::Address& from, WireKind kind,
                         ConstBytes datagram);
    void receive_join(Instant now, const transport::Address& from, const Request& request);
    [[nodiscard]] bool is_known(const transport::Address& from, const Request& request) const;
    [[nodiscard]] bool may_begin(const transport::Address& from, const Request& request);
    [[nodiscard]] bool is_full(const transport::Address& from) const;
    void confirm(std::uint32_t attempt);
    void refuse(const transport::Address& to, std::uint64_t attempt, transport::Refusal why,
                transport::CloseReason reason);
    void reply(const Reply& reply);

    // New addresses (server_move.inl).
    bool receive_elsewhere(Instant now, const transport::Address& from, ConstBytes datagram,
                           const transport::Label& label, Search search);
    [[nodiscard]] std::uint32_t find_moved(Instant now, const transport::Address& from,
                                           ConstBytes datagram, Search search);
    [[nodiscard]] bool may_search(Instant now, Search search);
    [[nodiscard]] bool note_named(Instant now, const transport::Address& from,
                                  const Request& request);
    void forget_candidate(std::uint32_t peer, const transport::Address& address);
    void move_peer(std::uint32_t peer, const transport::Address& to);
    void move_attempt(std::uint32_t attempt, const transport::Address& to);
    [[nodiscard]] bool has_newcomer(const transport::Address& address) const;

    // Attempts (server_join.inl).
    void drop_attempt(std::uint32_t attempt, transport::CloseReason reason);
    [[nodiscard]] bool is_proven(const Request& request,
                                 const transport::AuthorisationAnswer& answer);
    [[nodiscard]] bool establish(Instant now, std::uint32_t attempt,
                                 const transport::AuthorisationAnswer& answer);
    void expire_attempts(Instant now);
    // Its last event came out: its place and what still points to it are free.
    void forget_peer(std::uint32_t peer);

    [[nodiscard]] bool next_reply(Instant now, transport::Datagram& out);
    void draw_secrets();

    ServerConfig config_;
    Entropy entropy_;
    transport::Capabilities capabilities_{};
    Key cookie_secret_{};
    PeerSet<S> peers_;
    JoinAttempts attempts_;
    AddressTable connected_at_;  // Peers that are confirmed, by address.
    // Peers that are being challenged at an address where they do not live. An entry may be over:
    // the peer's own path says so.
    AddressTable candidates_at_;
    std::uint64_t named_attempt_ = 0;  // Of the session that the last probe named, and from where.
    transport::Address named_at_{};
    std::array<Instant, 3> search_free_at_{};  // By Search.
    FixedRing<Reply> replies_;
    std::uint32_t connected_ = 0;
    std::uint32_t newcomers_ = 0;  // Unconfirmed peers whose address has no connection.
    transport::Counters own_{};    // Of the handshake; connections count for themselves.
    mutable transport::Counters sum_{};
    Instant now_{};
};

}  // namespace wt::secure
