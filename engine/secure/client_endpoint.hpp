// SPDX-License-Identifier: MIT
//
// The client's end: one attempt or one session at a time, and beside a session that has fallen
// silent an attempt of its own to find a server that has forgotten it. Nothing that is not proven
// by the session's keys can end an attempt for good or a session at all.
// Spec: 000, connection establishment and session keys; README.md, "a server that has forgotten".
#pragma once

#include "engine/secure/key_schedule.hpp"
#include "engine/secure/peer_set.hpp"

namespace wt::secure {

template <Suite S>
class ClientEndpoint final : public transport::Endpoint {
public:
    // The entropy is kept; whatever stands behind it must outlive the endpoint.
    ClientEndpoint(const ClientConfig& config, Entropy entropy);

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override;
    void advance(Instant now) override;
    // Busy until the events of the last session or attempt are drained.
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override;
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override;
    // The default id means the attempt under way: Closed{reason} comes out, nothing is sent.
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
    [[nodiscard]] std::uint32_t connection_count() const override;
    // 1 while an attempt is under way, a probe included.
    [[nodiscard]] std::uint32_t pending_count() const override { return is_attempting_ ? 1 : 0; }
    void observe(bool on) override { peers_.observe(on); }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    // A silent session is probed after this many keepalive intervals.
    static constexpr std::int64_t silent_intervals = 3;
    // The session, its successor, and what a refused accept needs for its goodbye.
    static constexpr std::uint32_t peers_max = 4;

    struct Attempt {
        Request request{};  // As it goes out; the cookie comes with the challenge.
        SecretKey secret{};
        bool has_cookie = false;
        bool is_probe = false;  // Beside a silent session, not asked for by the application.
        bool saw_bad_accept = false;
        Instant next_request{};
        Instant deadline{};
    };

    // In (client_receive.inl).
    void receive_session(Instant now, ConstBytes datagram, const transport::Label& label);
    void receive_challenge(Instant now, ConstBytes datagram);
    void receive_accept(Instant now, ConstBytes datagram);
    void receive_reject(ConstBytes datagram);
    [[nodiscard]] bool is_accept_proven(const Accept& accept) const;
    [[nodiscard]] transport::CloseReason complaint_about(const Accept& accept) const;
    void take_session(Instant now, const Accept& accept, const SessionKeys& keys,
                      transport::CloseReason complaint);

    void begin_attempt(Instant now, bool is_probe);
    void fail_attempt(transport::CloseReason reason);
    void stop_attempt();
    void probe_if_silent(Instant now);
    [[nodiscard]] bool has_session() const;
    [[nodiscard]] Instant probe_time() const;

    ClientConfig config_;
    Entropy entropy_;
    transport::Capabilities capabilities_{};
    PeerSet<S> peers_;

    // What the application asked for; the views point into token_.
    transport::Address server_{};
    SessionId session_{};
    std::array<std::uint8_t, transport::token_bytes_max> token_{};
    std::uint16_t token_bytes_ = 0;
    std::optional<transport::SessionProofKeys> keys_{};

    Attempt attempt_{};
    bool is_attempting_ = false;
    Instant probe_not_before_{};
    std::uint32_t current_ = none;               // The session's peer, until its Closed came out.
    std::uint32_t leaving_ = none;               // An accept that was refused, saying goodbye.
    std::optional<transport::Closed> failed_{};  // Of an attempt, until it came out.
    transport::Counters own_{};
    mutable transport::Counters sum_{};
    Instant now_{};
};

}  // namespace wt::secure
