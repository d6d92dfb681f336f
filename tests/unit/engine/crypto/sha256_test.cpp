// SPDX-License-Identifier: MIT
//
// The two vectors that everybody knows (FIPS 180-2, appendix B.1, and the empty text).
#include "engine/crypto/sha256.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace wt;

TEST_CASE("SHA-256 of nothing and of abc") {
    crypto::Mac hash{};
    crypto::sha256({}, hash);
    CHECK(hash[0] == 0xe3);
    CHECK(hash[31] == 0x55);
    const std::array<std::uint8_t, 3> abc{'a', 'b', 'c'};
    crypto::sha256(abc, hash);
    const crypto::Mac expected{0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                               0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                               0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    CHECK(hash == expected);
}
