// SPDX-License-Identifier: MIT
//
// One established connection: packets and records around the lanes of ConnectionState. Handshakes
// are the endpoints' business (server_endpoint, client_endpoint); a Connection begins with keys
// and ends with a reason.  Spec: 000, encrypted records and authenticated datagrams.
#pragma once

#include <cstdint>

#include "engine/crypto/replay_window.hpp"
#include "engine/secure/connection_state.hpp"
#include "engine/secure/suite.hpp"

namespace wt::secure {

template <Suite S>
class Connection {
public:
    // Buffers come from the endpoint's pool, which outlives the connection.
    explicit Connection(BufferPool& pool) : pool_(pool), state_(pool) {}

    // Begins (again): all histories are fresh, memory is kept.
    void open(Instant now, const SessionKeys& keys, const ConnectionConfig& config,
              transport::ConnectionId id, const transport::Address& peer, bool is_client);

    // A whole datagram whose kind is_session_kind(). Moves nothing unless it is authentic.
    // True if it was (which is what refreshes timeouts and confirms a handshake).
    bool receive(Instant now, ConstBytes datagram, const transport::Label& label);
    // The same from where the other end does not live; `proven` tells whether it was the answer to
    // a challenge that went there. The connection itself never moves: that is move_to().
    bool receive_elsewhere(Instant now, const transport::Address& from, ConstBytes datagram,
                           const transport::Label& label, bool& proven);
    // Whether receive() would find it authentic. Moves nothing and counts nothing: for an address
    // at which two connections wait, and for those that have moved.
    [[nodiscard]] bool is_authentic(ConstBytes datagram) const;
    // Whether its number could still be one of the other end's: neither a replay nor from a future
    // that nobody has counted to.
    [[nodiscard]] bool is_plausible(ConstBytes datagram) const;
    // Everything goes there from now on.
    void move_to(const transport::Address& address);
    void advance(Instant now) { state_.advance(now); }
    [[nodiscard]] transport::SendStatus send(Instant now, const transport::Message& message) {
        return state_.send(now, message);
    }
    // Starts the goodbye: a few repeated close datagrams, then is_closed().
    void close(Instant now, transport::CloseReason reason) { state_.close(now, reason); }
    // Ends at once and in silence, as when a newer connection supersedes this one.
    void end(transport::CloseReason reason) { state_.end(reason); }
    // Gives every buffer back and wipes the keys; only the counters stay readable.
    void forget();

    // Outputs, drained until false.
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out);
    // Whether next_message() may have something: false is certain.
    [[nodiscard]] bool has_message() const {
        return !state_.inbox.is_empty() || state_.reassembly.has_ready();
    }
    // The bytes hold until the next call on the connection.
    [[nodiscard]] bool next_message(transport::Received& out);
    [[nodiscard]] bool next_sample(transport::Sample& out);
    [[nodiscard]] Instant next_deadline() const { return state_.next_deadline(); }
    void observe(bool on) { observed_ = on; }

    // The application may send; false once closing or closed.
    [[nodiscard]] bool is_open() const { return state_.phase == ConnectionState::Phase::open; }
    // Nothing more will be sent or received: the endpoint reports Closed{close_reason()}.
    [[nodiscard]] bool is_closed() const { return state_.phase == ConnectionState::Phase::closed; }
    [[nodiscard]] transport::CloseReason close_reason() const { return state_.reason; }
    // When something authentic last came in.
    [[nodiscard]] Instant last_authentic() const { return state_.last_authentic; }
    [[nodiscard]] const PathValidation& path() const { return state_.path; }
    [[nodiscard]] const transport::Counters& counters() const { return state_.counters; }
    void levels(Instant now, transport::ConnectionLevels& out) const { state_.levels(now, out); }

private:
    // Packet numbers kept back for goodbyes, so that the end of the counter can be said.
    static constexpr std::uint64_t packet_numbers_reserved = 64;
    // What an end may send unheard and still be looked for: 10 s at 6,500 datagrams a second.
    static constexpr std::uint64_t packet_numbers_ahead_max = 65'536;

    void believe(Instant now, std::uint64_t number, ConstBytes datagram,
                 const transport::Label& label);
    void receive_reliable(Instant now, ConstBytes body, const transport::Label& label);
    void receive_single(Instant now, ConstBytes body, bool sequenced,
                        const transport::Label& label);
    void acknowledge(std::uint16_t sequence);
    void receive_ack(Instant now, ConstBytes body);
    void receive_close(ConstBytes body);
    void receive_path_challenge(std::uint64_t number, ConstBytes body);
    void receive_path_response(ConstBytes body);
    // Opens a record where it lies, after its counter passed the window. False: counted.
    bool open_record(MutableBytes record);

    bool write_close(Instant now, transport::Datagram& out);
    bool write_path_response(Instant now, transport::Datagram& out);
    bool write_path_challenge(Instant now, transport::Datagram& out);
    bool write_ack(Instant now, transport::Datagram& out);
    bool write_reliable(Instant now, transport::Datagram& out);
    bool write_single(Instant now, transport::Datagram& out);
    bool write_keepalive(Instant now, transport::Datagram& out);
    // Seals what stands in out.room[0, size) behind the frame; adds number and tag.
    void finish_packet(Instant now, WireKind kind, std::size_t size, transport::Datagram& out);
    // Writes a record for `plaintext` that lies at record + 8 already.
    void seal_record(MutableBytes record);
    [[nodiscard]] bool are_counters_exhausted() const;

    BufferPool& pool_;
    ConnectionState state_;
    SessionKeys keys_{};
    transport::Address peer_{};
    crypto::ReplayWindow packet_window_;
    crypto::ReplayWindow record_window_;
    std::uint64_t packet_number_ = 0;  // Last one used.
    std::uint64_t path_answered_ = 0;  // The challenge that the last datagram answered, or 0.
    bool observed_ = false;
};

}  // namespace wt::secure
