// SPDX-License-Identifier: MIT
//
// Sizes, kinds and bounds of every datagram of the encrypted transport. The tables in README.md
// say the same in prose; golden vectors in tests/golden hold both to it. All integers are little
// endian. A change here is a new transport_version.
// Spec: 000, encrypted records and authenticated datagrams; fragmentation.
#pragma once

#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/secure/suite.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::secure {

// Frame: magic, transport version, kind.
inline constexpr std::uint8_t magic = 0xa7;
inline constexpr std::uint8_t transport_version = 1;
inline constexpr std::size_t frame_bytes = 3;
inline constexpr std::size_t kind_offset = 2;

enum class WireKind : std::uint8_t {
    // Handshake: read before any key exists.
    request = 1,    // client: may I join? (no cookie yet)
    join = 2,       // client: the same with the server's cookie
    challenge = 3,  // server: prove that you can be reached at this address
    accept = 4,     // server: the connection is up
    reject = 5,     // server: no, and why
    // Session: authenticated by a packet tag before anything in them is believed.
    reliable = 16,
    sequenced = 17,
    unreliable = 18,
    ack = 19,
    keepalive = 20,
    close = 21,
    path_challenge = 22,  // server: I hear you from here; say so from there
    path_response = 23,   // client: it came
};

// The frame of a datagram, before anything is believed. Nothing else is looked at here.
enum class FrameStatus : std::uint8_t { ok, too_short, bad_magic, bad_version, unknown_kind };

[[nodiscard]] constexpr bool is_handshake_kind(std::uint8_t kind) {
    return kind >= static_cast<std::uint8_t>(WireKind::request) &&
           kind <= static_cast<std::uint8_t>(WireKind::reject);
}
[[nodiscard]] constexpr bool is_session_kind(std::uint8_t kind) {
    return kind >= static_cast<std::uint8_t>(WireKind::reliable) &&
           kind <= static_cast<std::uint8_t>(WireKind::path_response);
}

[[nodiscard]] inline FrameStatus read_frame(ConstBytes datagram, WireKind& kind) {
    if (datagram.size() < frame_bytes) return FrameStatus::too_short;
    if (datagram[0] != magic) return FrameStatus::bad_magic;
    if (datagram[1] != transport_version) return FrameStatus::bad_version;
    const std::uint8_t raw = datagram[kind_offset];
    if (!is_handshake_kind(raw) && !is_session_kind(raw)) return FrameStatus::unknown_kind;
    kind = static_cast<WireKind>(raw);
    return FrameStatus::ok;
}
inline void write_frame(std::uint8_t* at, WireKind kind) {
    at[0] = magic;
    at[1] = transport_version;
    at[kind_offset] = static_cast<std::uint8_t>(kind);
}

// Session datagram: frame, packet number, delivery header of its kind, payload, tag over all of
// the before.
inline constexpr std::size_t packet_number_bytes = 8;
inline constexpr std::size_t packet_number_offset = frame_bytes;
inline constexpr std::size_t session_header_bytes = frame_bytes + packet_number_bytes;
inline constexpr std::size_t packet_overhead = session_header_bytes + tag_bytes;

// Delivery headers.
inline constexpr std::size_t reliable_header_bytes = 2 + 1 + 2 + 1 + 1;
inline constexpr std::size_t sequenced_header_bytes = 1 + 2;
inline constexpr std::size_t unreliable_header_bytes = 1;
inline constexpr std::size_t ack_header_bytes = 2 + 4;
inline constexpr std::size_t keepalive_header_bytes = 0;
inline constexpr std::size_t close_header_bytes = 1;
inline constexpr std::size_t path_challenge_header_bytes = 0;
inline constexpr std::size_t path_response_header_bytes = 8;  // the challenge's packet number

// A record: nonce counter, ciphertext, tag.
inline constexpr std::size_t record_counter_bytes = 8;
inline constexpr std::size_t record_overhead = record_counter_bytes + tag_bytes;
inline constexpr std::size_t record_plaintext_max = 256 * 1'024;
inline constexpr std::size_t record_bytes_max = record_plaintext_max + record_overhead;

// A fragment is a slice of one record; what rides unfragmented fits into one of them.
inline constexpr std::size_t fragment_bytes_max = 1'100;
inline constexpr std::size_t unreliable_plaintext_max = fragment_bytes_max - record_overhead;
inline constexpr std::size_t fragment_count_max =
    (record_bytes_max + fragment_bytes_max - 1) / fragment_bytes_max;

inline constexpr std::size_t session_datagram_bytes_max =
    packet_overhead + reliable_header_bytes + fragment_bytes_max;

static_assert(reliable_header_bytes == 7);
static_assert(unreliable_plaintext_max == 1'076);
static_assert(fragment_count_max == 239);
static_assert(session_datagram_bytes_max <= transport::datagram_bytes_max);

// Handshake datagrams have one fixed size each, whatever they carry: token lengths do not show,
// and every cipher suite makes the same bytes count. README.md has the fields.
inline constexpr std::size_t request_bytes = 382;  // and join: they differ in kind and cookie
inline constexpr std::size_t challenge_bytes = 27;
inline constexpr std::size_t accept_bytes = 112;
inline constexpr std::size_t reject_bytes = 12;

// Nothing is amplified: the one reply to an unproven address is shorter than what it answers.
static_assert(challenge_bytes <= request_bytes);
static_assert(request_bytes <= transport::datagram_bytes_max);

// A path challenge is as short as the shortest datagram that can cause it.
inline constexpr std::size_t path_challenge_bytes = packet_overhead + path_challenge_header_bytes;
static_assert(path_challenge_bytes <= packet_overhead + keepalive_header_bytes);

}  // namespace wt::secure
