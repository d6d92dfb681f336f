// SPDX-License-Identifier: MIT
//
// Addresses as people write them: "127.0.0.1:4000", "[::1]:4000". Numbers only: who wants a name
// looked up does so before, since a look-up blocks and answers differently on every machine.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/transport/address.hpp"

namespace wt::udp {

// What is wrong and what would be right, for one line each.
struct AddressError {
    std::string message{};
    std::string hint{};
};

// Port 0 is for listening only: the system chooses one.
[[nodiscard]] Result<transport::Address, AddressError> parse_address(std::string_view text);

// "127.0.0.1:4000" for mapped IPv4, else "[::1]:4000".
[[nodiscard]] std::string text_of(const transport::Address& address);

// Whether the address is IPv4, mapped into IPv6 as everywhere in the tree.
[[nodiscard]] bool is_ipv4(const transport::Address& address);
// 0.0.0.0 or ::, which mean every interface of this machine and nobody's own address.
[[nodiscard]] bool is_any(const transport::Address& address);

}  // namespace wt::udp
