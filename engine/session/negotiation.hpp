// SPDX-License-Identifier: MIT
//
// What both ends must agree on before a session is Active: protocol, schema set, features, content,
// rates, message bound, delivery profile. Layouts are fixed; trailing bytes do not parse.
// Spec: 001, connection negotiation.
#pragma once

#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/session/states.hpp"

namespace wt::session {

// How channels ride on the transport. A reduced profile is used only where both ends declare it.
enum class Profile : std::uint8_t {
    full,           // Input and Snapshot as datagrams.
    reliable_only,  // All on reliable ordered lanes: no datagrams needed, head-of-line blocking.
};

struct Features {
    std::uint64_t offered = 0;
    std::uint64_t required = 0;
};

struct Rates {
    std::uint16_t tick = 60;
    std::uint16_t input = 60;
    std::uint16_t snapshot = 20;
};

// What this end is and wants.
struct Terms {
    std::uint32_t protocol = 1;
    std::uint64_t schema_hash = 0;
    Features features{};
    std::uint32_t content_version = 0;
    Rates rates{};                    // Server: what it runs. Client: the most that it can follow.
    std::uint16_t tick_rate_min = 1;  // Client: the least.
    bool allow_reliable_only = false;
};

inline constexpr std::size_t ticket_room = 256;

struct Hello {
    Terms terms{};
    std::uint16_t message_bytes = 0;
    bool needs_reliable_only = false;  // The client's transport has no datagrams.
    ConstBytes ticket{};               // At most ticket_room; decoded: a view.
};

struct Welcome {
    std::uint64_t epoch = 0;
    std::uint32_t tick = 0;  // The server's, when it was written.
    Rates rates{};
    std::uint64_t features = 0;  // Offered by both.
    std::uint32_t content_version = 0;
    std::uint16_t message_bytes = 0;
    Profile profile = Profile::full;
};

inline constexpr std::size_t hello_bytes_fixed = 48;
inline constexpr std::size_t hello_bytes_max = hello_bytes_fixed + ticket_room;
inline constexpr std::size_t welcome_bytes = 33;

// False, and nothing is written, where the target is short or the ticket too long.
[[nodiscard]] bool write_hello(const Hello& hello, MutableBytes target, std::size_t& size);
[[nodiscard]] bool write_welcome(const Welcome& welcome, MutableBytes target, std::size_t& size);
// False, and `out` keeps its value, unless all bytes are one well-formed value.
[[nodiscard]] bool read_hello(ConstBytes bytes, Hello& out);
[[nodiscard]] bool read_welcome(ConstBytes bytes, Welcome& out);

// EndReason::none if the server's terms and the hello fit.
[[nodiscard]] EndReason judge_hello(const Terms& server, const Hello& hello);
// Likewise at the client: a server may not talk it into what it cannot do.
[[nodiscard]] EndReason judge_welcome(const Terms& client, const Welcome& welcome);

}  // namespace wt::session
