// SPDX-License-Identifier: MIT
//
// A host is (group name, number in the group). Order, luck, addresses and digests come from these
// names and never from an index, so adding a group changes nobody else's draws (DESIGN R1).
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/rng.hpp"
#include "engine/transport/address.hpp"

namespace wt::sim {

struct HostName {
    std::string group{};
    std::uint32_t number = 0;

    // By group as bytes, then by number.
    friend auto operator<=>(const HostName&, const HostName&) = default;
    friend bool operator==(const HostName&, const HostName&) = default;
};

// The one server of a run.
[[nodiscard]] HostName server_name();

// "player-7"; the server is "server".
[[nodiscard]] std::string text_of(const HostName& name);
// Stands for the name in digests; independent of the seed.
[[nodiscard]] std::uint64_t hash_of(const HostName& name);
// The root of all luck of this host.
[[nodiscard]] LuckKey luck_of(std::uint64_t seed, const HostName& name);

// fd00::/8, the rest of the address from the name. Ports count the incarnations of a bot, since a
// new process gets a new one; the server keeps incarnation 0, since its clients know its port.
[[nodiscard]] transport::Address address_of(const HostName& name, std::uint32_t incarnation);
// The n-th port of a host. Ports go round after 25,000.
[[nodiscard]] std::uint16_t port_number(std::uint32_t n);

// The place of each name in the order of all of them. Two equal names are a bug.
[[nodiscard]] std::vector<std::uint32_t> ranks_of(std::span<const HostName> names);

}  // namespace wt::sim
