// SPDX-License-Identifier: MIT
//
// Hexadecimal for test vectors: white space is skipped, anything else that is no digit ends the
// process, because a vector that was typed wrongly must not pass for an empty one.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.hpp"

namespace wt::test {

inline std::vector<std::uint8_t> from_hex(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    unsigned digits = 0;
    unsigned value = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\n') continue;
        const bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && (c < 'a' || c > 'f')) std::abort();
        value = value * 16 + static_cast<unsigned>(is_digit ? c - '0' : c - 'a' + 10);
        if (++digits % 2 == 0) {
            bytes.push_back(static_cast<std::uint8_t>(value));
            value = 0;
        }
    }
    if (digits % 2 != 0) std::abort();
    return bytes;
}

inline std::string to_hex(ConstBytes bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15u];
    }
    return text;
}

}  // namespace wt::test
