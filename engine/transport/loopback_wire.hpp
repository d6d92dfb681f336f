// SPDX-License-Identifier: MIT
//
// Loopback frames: magic, kind, epoch (the client's count of its sessions), then the fields of the
// kind; little endian. Trivial on purpose: nobody but this process reads them.
#pragma once

#include <array>
#include <cstdint>

#include "engine/transport/endpoint.hpp"

namespace wt::transport::loopback {

inline constexpr std::uint8_t magic = 0xa8;
inline constexpr std::size_t header_bytes = 1 + 1 + 4;
// Payload of one datagram; with its header it stays below datagram_bytes_max.
inline constexpr std::size_t chunk_bytes_max = 1'200;
// The real transport's bounds, so that an application meets no surprise when it changes over.
inline constexpr std::uint32_t reliable_bytes_max = 256 * 1'024;
inline constexpr std::uint32_t unreliable_bytes_max = 1'076;

enum class FrameKind : std::uint8_t {
    connect = 1,     // session 16, token length 2, token
    accept = 2,      // player 8, tick rate 4
    reject = 3,      // reason 1
    reliable = 4,    // sequence 4, lane 1, id 2, message bytes 4, chunk
    sequenced = 5,   // lane 1, sequence 2, message
    unreliable = 6,  // lane 1, message
    keepalive = 7,
    close = 8,  // reason 1
};

struct Header {
    FrameKind kind = FrameKind::connect;
    std::uint32_t epoch = 0;
};

inline void write_header(ByteWriter& writer, const Header& header) {
    writer.u8(magic);
    writer.u8(static_cast<std::uint8_t>(header.kind));
    writer.u32(header.epoch);
}

enum class HeaderStatus : std::uint8_t { ok, too_short, bad_magic, unknown_kind };

[[nodiscard]] inline HeaderStatus read_header(ByteReader& reader, Header& out) {
    std::uint8_t first = 0;
    std::uint8_t kind = 0;
    if (reader.left() < header_bytes) return HeaderStatus::too_short;
    reader.u8(first);
    reader.u8(kind);
    reader.u32(out.epoch);
    if (first != magic) return HeaderStatus::bad_magic;
    if (kind < static_cast<std::uint8_t>(FrameKind::connect)) return HeaderStatus::unknown_kind;
    if (kind > static_cast<std::uint8_t>(FrameKind::close)) return HeaderStatus::unknown_kind;
    out.kind = static_cast<FrameKind>(kind);
    return HeaderStatus::ok;
}

}  // namespace wt::transport::loopback
