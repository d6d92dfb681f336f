// SPDX-License-Identifier: MIT
//
// Where a datagram comes from or goes to: an IPv6 address (IPv4 mapped) and a UDP port. The
// simulator makes addresses from host names, engine/udp from sockets. Spoofable: an address proves
// nothing before its cookie came back.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace wt::transport {

struct Address {
    std::array<std::uint8_t, 16> ip{};
    std::uint16_t port = 0;

    friend auto operator<=>(const Address&, const Address&) = default;
};

}  // namespace wt::transport
