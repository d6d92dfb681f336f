// SPDX-License-Identifier: MIT
//
// RFC 7748's Diffie-Hellman vector, and every known encoding of a point of low order, each with
// its top bit clear and set.
#include "engine/crypto/x25519.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/rng.hpp"
#include "tests/support/hex.hpp"

namespace wt::crypto {

namespace {

X25519Bytes key_of(std::string_view hex) {
    const auto bytes = test::from_hex(hex);
    X25519Bytes key{};
    REQUIRE(bytes.size() == key.size());
    std::copy(bytes.begin(), bytes.end(), key.begin());
    return key;
}

const char* const alice_secret = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";

}  // namespace

TEST_CASE("RFC 7748 section 6.1: both sides reach the same secret") {
    const X25519Bytes alice =
        key_of("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    const X25519Bytes bob =
        key_of("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    X25519Bytes alice_public{};
    X25519Bytes bob_public{};
    x25519_public(alice, alice_public);
    x25519_public(bob, bob_public);
    CHECK(test::to_hex(alice_public) ==
          "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    CHECK(test::to_hex(bob_public) ==
          "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");

    X25519Bytes here{};
    X25519Bytes there{};
    REQUIRE(x25519_agree(alice, bob_public, here));
    REQUIRE(x25519_agree(bob, alice_public, there));
    CHECK(test::to_hex(here) == "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    CHECK(here == there);
}

TEST_CASE("points of low order are refused and leave the secret alone") {
    const char* const points[] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };
    const X25519Bytes secret = key_of(alice_secret);
    for (const char* const point : points) {
        CAPTURE(point);
        X25519Bytes key = key_of(point);
        X25519Bytes shared{0x77};
        CHECK(is_low_order(key));
        CHECK_FALSE(x25519_agree(secret, key, shared));
        key[31] |= 0x80;  // The top bit is ignored by the curve, so it must be ignored here.
        CHECK(is_low_order(key));
        CHECK_FALSE(x25519_agree(secret, key, shared));
        CHECK(shared == X25519Bytes{0x77});
    }
}

TEST_CASE("neighbours of low-order points are agreed with") {
    const X25519Bytes secret = key_of(alice_secret);
    // 2, p - 2 and p + 2.
    for (const char* const point :
         {"0200000000000000000000000000000000000000000000000000000000000000",
          "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
          "efffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"}) {
        CAPTURE(point);
        X25519Bytes shared{};
        CHECK_FALSE(is_low_order(key_of(point)));
        CHECK(x25519_agree(secret, key_of(point), shared));
    }
}

TEST_CASE("key pairs come from the entropy that was passed in") {
    LuckStream first(LuckKey::root(1));
    LuckStream again(LuckKey::root(1));
    LuckStream other(LuckKey::root(2));
    Entropy entropy_first = Entropy::from_luck(first);
    Entropy entropy_again = Entropy::from_luck(again);
    Entropy entropy_other = Entropy::from_luck(other);
    X25519Bytes secret{};
    X25519Bytes a{};
    X25519Bytes b{};
    X25519Bytes c{};
    x25519_key_pair(entropy_first, secret, a);
    x25519_key_pair(entropy_again, secret, b);
    x25519_key_pair(entropy_other, secret, c);
    CHECK(a == b);
    CHECK(a != c);
}

}  // namespace wt::crypto
