// SPDX-License-Identifier: MIT
//
// The LNET envelope around every Control, Input and Snapshot message: 24 bytes that say to which
// channel, kind, session epoch and sequence a payload belongs. It proves nothing: the epoch only
// keeps sessions of one authenticated connection apart.  Spec: 001, N1 wire contract.
#pragma once

#include <cstdint>

#include "engine/base/bytes.hpp"

namespace wt::session {

// Values are on the wire.
enum class Channel : std::uint8_t { control, input, snapshot, bulk };
inline constexpr unsigned channel_count = 4;

inline constexpr std::size_t envelope_header_bytes = 24;
// What any transport's bound may be at most; negotiation lowers it.
inline constexpr std::size_t message_bytes_max = 1'200;
inline constexpr std::size_t payload_bytes_max = message_bytes_max - envelope_header_bytes;
inline constexpr std::uint8_t envelope_version = 1;

enum class EnvelopeStatus : std::uint8_t {
    ok,
    invalid_argument,     // Encode: payload too long, channel, kind or epoch not allowed.
    buffer_too_small,     // Encode: the target is shorter than header and payload.
    malformed_message,    // Decode: not a message of this version.
    unsupported_version,  // Decode: the magic fits, the version is another one.
};

struct Envelope {
    Channel channel = Channel::control;
    std::uint16_t kind = 1;      // Never 0; session::Kind is the registry.
    std::uint64_t epoch = 0;     // Never 0 on the wire.
    std::uint32_t sequence = 0;  // Per channel and direction; 0 is legal.
    ConstBytes payload{};        // Decoded: a view into the message.
};

// Writes header and payload to the front of `target` and their size to `size`. On failure target
// and size keep their values. The payload must not overlap the target.
[[nodiscard]] EnvelopeStatus encode_envelope(const Envelope& envelope, MutableBytes target,
                                             std::size_t& size);

// Reads a whole message: trailing bytes are malformed. `out` changes only on ok; its payload is
// valid as long as `message`.
[[nodiscard]] EnvelopeStatus decode_envelope(ConstBytes message, Envelope& out);

[[nodiscard]] const char* name_of(Channel channel);
[[nodiscard]] const char* name_of(EnvelopeStatus status);

}  // namespace wt::session
