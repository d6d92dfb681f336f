// SPDX-License-Identifier: MIT
//
// The side label of a datagram: what it carries, for exact faults, weather tags and traces. It
// never reaches the wire and no protocol may decide anything by it; on a real socket it is empty.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/base/time.hpp"
#include "engine/transport/lane.hpp"

namespace wt::transport {

// What a datagram or a message is. The first group is the transport's own, the second is said by
// the application at Send. Values are bit numbers of Label::kinds and enter digests: append only.
enum class Kind : std::uint8_t {
    handshake,  // connection request without a cookie
    challenge,
    join,  // connection request with a cookie
    accept,
    reject,
    close,
    ack,
    keepalive,
    path_challenge,
    path_response,
    data,  // application bytes of no named kind
    input,
    report,
    snapshot,
    chat,
    bulk,
    content,
    spawn,
    despawn,
    keyframe_request,
};
inline constexpr unsigned kind_count = 20;

// Which weather a datagram meets beside others of its millisecond: its lane, or one of three tags
// of their own. Dense, so that it may index counters.
enum class WeatherTag : std::uint8_t {
    lane_0,
    lane_1,
    lane_2,
    lane_3,
    lane_4,
    lane_5,
    lane_6,
    lane_7,
    handshake,
    ack,
    control
};
inline constexpr unsigned weather_tag_count = 11;

struct Label {
    Instant accepted_at{};       // When Send accepted the (first) message; 0 where there is none.
    std::uint32_t kinds = 0;     // Set of Kind, as bits.
    std::uint32_t tick = 0;      // The application's tick, as said at Send.
    std::uint16_t message = 0;   // Reliable: message id. Sequenced: sequence.
    std::uint16_t sequence = 0;  // Reliable: transmission sequence. Ack: the sequence it names.
    std::uint8_t fragment = 0;
    std::uint8_t transmission = 0;  // 1 is the first sending, saturating; 0 = not reliable data.
    Lane lane = Lane::control;
    bool on_lane = false;  // Whether `lane` means something.

    [[nodiscard]] constexpr bool has(Kind kind) const {
        return (kinds >> static_cast<unsigned>(kind) & 1u) != 0;
    }
    constexpr void add(Kind kind) { kinds |= 1u << static_cast<unsigned>(kind); }

    // The kind of the message carried: the highest bit, since application kinds come last.
    [[nodiscard]] constexpr Kind message_kind() const {
        return kinds == 0 ? Kind::data : static_cast<Kind>(31 - std::countl_zero(kinds));
    }

    [[nodiscard]] constexpr WeatherTag weather_tag() const {
        if (on_lane) return static_cast<WeatherTag>(lane);
        constexpr std::uint32_t shakes =
            1u << static_cast<unsigned>(Kind::handshake) |
            1u << static_cast<unsigned>(Kind::challenge) | 1u << static_cast<unsigned>(Kind::join) |
            1u << static_cast<unsigned>(Kind::accept) | 1u << static_cast<unsigned>(Kind::reject);
        if ((kinds & shakes) != 0) return WeatherTag::handshake;
        if (has(Kind::ack)) return WeatherTag::ack;
        return WeatherTag::control;
    }
};

}  // namespace wt::transport
