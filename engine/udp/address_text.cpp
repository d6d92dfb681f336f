// SPDX-License-Identifier: MIT
#include "engine/udp/address_text.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace wt::udp {

namespace {

using transport::Address;

constexpr std::size_t mapped_prefix_bytes = 12;
constexpr std::array<std::uint8_t, mapped_prefix_bytes> mapped_prefix{0, 0, 0, 0, 0,    0,
                                                                      0, 0, 0, 0, 0xff, 0xff};
// The longest that can be right: "[ffff:...:255.255.255.255]:65535".
constexpr std::size_t text_max = 64;
constexpr const char* example = "write e.g. 127.0.0.1:4000 or [::1]:4000";

Unexpected<AddressError> wrong(const std::string& message, const std::string& hint = example) {
    return unexpected(AddressError{message, hint});
}

// Digits only, so that "+1" and " 1" are refused too.
bool read_port(std::string_view text, std::uint16_t& port) {
    if (text.empty() || text.size() > 5) return false;
    std::uint32_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        value = value * 10 + static_cast<std::uint32_t>(c - '0');
    }
    if (value > 0xffff) return false;
    port = static_cast<std::uint16_t>(value);
    return true;
}

bool read_ipv4(const std::string& text, Address& out) {
    in_addr host{};
    if (inet_pton(AF_INET, text.c_str(), &host) != 1) return false;
    std::copy(mapped_prefix.begin(), mapped_prefix.end(), out.ip.begin());
    const auto* const bytes = static_cast<const std::uint8_t*>(static_cast<const void*>(&host));
    std::copy(bytes, bytes + 4, out.ip.begin() + mapped_prefix_bytes);
    return true;
}

bool read_ipv6(const std::string& text, Address& out) {
    in6_addr host{};
    if (inet_pton(AF_INET6, text.c_str(), &host) != 1) return false;
    std::copy(std::begin(host.s6_addr), std::end(host.s6_addr), out.ip.begin());
    return true;
}

}  // namespace

bool is_ipv4(const Address& address) {
    return std::equal(mapped_prefix.begin(), mapped_prefix.end(), address.ip.begin());
}

bool is_any(const Address& address) {
    const std::size_t first = is_ipv4(address) ? mapped_prefix_bytes : 0;
    return std::all_of(address.ip.begin() + static_cast<std::ptrdiff_t>(first), address.ip.end(),
                       [](std::uint8_t byte) { return byte == 0; });
}

Result<Address, AddressError> parse_address(std::string_view text) {
    const std::string quoted = "\"" + std::string(text.substr(0, text_max)) + "\"";
    if (text.size() > text_max) return wrong(quoted + "... is no address: it is too long");
    const bool has_brackets = text.starts_with('[');
    const std::size_t end = has_brackets ? text.find(']') : text.rfind(':');
    if (has_brackets && end == std::string_view::npos) return wrong(quoted + ": no ] after the [");
    if (end == std::string_view::npos) return wrong(quoted + " has no port");
    const std::string host(has_brackets ? text.substr(1, end - 1) : text.substr(0, end));
    std::string_view rest = text.substr(has_brackets ? end + 1 : end);
    if (!has_brackets && host.find(':') != std::string::npos)
        return wrong(quoted + ": an IPv6 address stands in brackets");
    if (!rest.starts_with(':')) return wrong(quoted + " has no port");
    rest.remove_prefix(1);
    Address address;
    if (!read_port(rest, address.port))
        return wrong(quoted + ": \"" + std::string(rest) + "\" is no port, 0 to 65535");
    const bool is_good = has_brackets ? read_ipv6(host, address) : read_ipv4(host, address);
    if (is_good) return address;
    if (host.empty()) return wrong(quoted + " has no host");
    if (host == "localhost")
        return wrong(quoted + ": names are not looked up", "write 127.0.0.1 or [::1]");
    return wrong(quoted + ": \"" + host + "\" is no " + (has_brackets ? "IPv6" : "IPv4") +
                 " address");
}

std::string text_of(const Address& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const bool is_short = is_ipv4(address);
    const std::uint8_t* const bytes = address.ip.data() + (is_short ? mapped_prefix_bytes : 0);
    if (inet_ntop(is_short ? AF_INET : AF_INET6, bytes, text.data(), text.size()) == nullptr)
        return "?";
    const std::string host = is_short ? text.data() : "[" + std::string(text.data()) + "]";
    return host + ":" + std::to_string(address.port);
}

}  // namespace wt::udp
