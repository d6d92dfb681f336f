// SPDX-License-Identifier: MIT
//
// The four handshake datagrams as plain data, their bytes, and the byte strings over which cookies,
// proofs and keys are made. No state and no secrets: what is believed is decided by the endpoints.
// Layouts: README.md.  Spec: 000, connection establishment and session keys.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/secure/wire.hpp"
#include "engine/transport/address.hpp"
#include "engine/transport/message.hpp"

namespace wt::secure {

using SessionId = std::array<std::uint8_t, 16>;
using Tag = std::array<std::uint8_t, tag_bytes>;

// A request (no cookie yet) or a join (with the cookie of the challenge).
struct Request {
    std::uint32_t protocol_version = 0;
    std::uint32_t features = 0;  // What the client offers.
    std::uint64_t attempt = 0;   // Names this attempt; drawn by the client, never 0.
    std::uint64_t previous = 0;  // The attempt of a session it still holds; 0 = none.
    PublicKey client_key{};
    SessionId session{};
    Cookie cookie{};
    bool session_bound = false;
    std::uint16_t token_bytes = 0;
    std::array<std::uint8_t, transport::token_bytes_max> token{};
    Proof join_proof{};  // Zeros where the join is unbound.

    [[nodiscard]] ConstBytes token_view() const { return ConstBytes(token).first(token_bytes); }
};

// Whether two requests are the same wish of the same client, perhaps from different addresses.
[[nodiscard]] bool is_same_but_cookie(const Request& one, const Request& other);

struct Challenge {
    std::uint64_t attempt = 0;
    Cookie cookie{};
};

struct Accept {
    std::uint64_t attempt = 0;
    PublicKey server_key{};
    transport::PlayerId player{};
    std::uint32_t tick_rate = 0;
    std::uint32_t features = 0;  // Offered by both sides.
    std::uint32_t protocol_version = 0;
    bool session_bound = false;
    Proof accept_proof{};  // Zeros where the join is unbound.
    Tag tag{};             // Of everything before it, under the server's packet key, number 0.
};

struct Reject {
    std::uint64_t attempt = 0;
    transport::CloseReason reason = transport::CloseReason::none;
};

// Writers fill exactly the fixed size of their datagram.
void write_request(const Request& request, WireKind kind,
                   std::span<std::uint8_t, request_bytes> out);
void write_challenge(const Challenge& challenge, std::span<std::uint8_t, challenge_bytes> out);
void write_accept(const Accept& accept, std::span<std::uint8_t, accept_bytes> out);
void write_reject(const Reject& reject, std::span<std::uint8_t, reject_bytes> out);

// Readers take a datagram whose frame was read; nothing where the size or a field is impossible.
[[nodiscard]] std::optional<Request> read_request(ConstBytes datagram);
[[nodiscard]] std::optional<Challenge> read_challenge(ConstBytes datagram);
[[nodiscard]] std::optional<Accept> read_accept(ConstBytes datagram);
[[nodiscard]] std::optional<Reject> read_reject(ConstBytes datagram);

// What a cookie is made over: an address and a time bucket.
using CookieBytes = std::array<std::uint8_t, 16 + 2 + 8>;
[[nodiscard]] CookieBytes cookie_bytes_of(const transport::Address& address, std::uint64_t bucket);

// What the join proof covers: everything the client says about itself, cookie and proof apart.
inline constexpr std::size_t join_transcript_bytes =
    8 + 4 + 4 + 8 + key_bytes + 16 + 2 + transport::token_bytes_max;
using JoinTranscript = std::array<std::uint8_t, join_transcript_bytes>;
[[nodiscard]] JoinTranscript join_transcript(const Request& request);

// What the accept proof covers: client key, server key, player, tick rate, features, version.
inline constexpr std::size_t accept_transcript_bytes = 8 + 2 * key_bytes + 8 + 4 + 4 + 4;
using AcceptTranscript = std::array<std::uint8_t, accept_transcript_bytes>;
[[nodiscard]] AcceptTranscript accept_transcript(const PublicKey& client_key, const Accept& accept);

// What session keys are bound to: both raw public keys and the whole accept but its tag.
inline constexpr std::size_t accept_tagged_bytes = accept_bytes - tag_bytes;
inline constexpr std::size_t key_context_bytes = 2 * key_bytes + accept_tagged_bytes;
using KeyContext = std::array<std::uint8_t, key_context_bytes>;
[[nodiscard]] KeyContext key_context(const PublicKey& client_key, const PublicKey& server_key,
                                     std::span<const std::uint8_t, accept_bytes> accept);

}  // namespace wt::secure
