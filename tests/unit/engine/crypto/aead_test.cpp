// SPDX-License-Identifier: MIT
//
// The vector of RFC 8439 section 2.8.2, and what the transport leans on: every altered bit of a
// packet, every other counter and every other key is refused.
#include "engine/crypto/aead.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "tests/support/hex.hpp"

namespace wt::crypto {

using test::from_hex;
using test::to_hex;

namespace {

AeadKey counting_key(std::uint8_t first) {
    AeadKey key{};
    for (std::size_t i = 0; i < key.size(); ++i)
        key[i] = static_cast<std::uint8_t>(first + i);
    return key;
}

}  // namespace

TEST_CASE("RFC 8439 section 2.8.2 seals and opens") {
    const AeadKey key = counting_key(0x80);
    AeadNonce nonce{};
    const auto nonce_hex = from_hex("070000004041424344454647");
    std::copy(nonce_hex.begin(), nonce_hex.end(), nonce.begin());
    const auto associated = from_hex("50515253c0c1c2c3c4c5c6c7");
    const std::string_view text =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
        "future, sunscreen would be it.";
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    std::array<std::uint8_t, aead_tag_bytes> tag{};

    aead_seal(key, nonce, associated, bytes, tag.data());
    CHECK(to_hex(bytes) ==
          "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
          "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
          "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
          "3ff4def08e4b7a9de576d26586cec64b6116");
    CHECK(to_hex(tag) == "1ae10b594f09e26a7e902ecbd0600691");

    REQUIRE(aead_open(key, nonce, associated, bytes, tag.data()));
    CHECK(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == text);
}

TEST_CASE("the nonce of a counter is four zeros and the counter, little endian") {
    CHECK(to_hex(nonce_of(0x0102'0304'0506'0708)) == "000000000807060504030201");
    CHECK(to_hex(nonce_of(1)) == "000000000100000000000000");
}

TEST_CASE("a packet tag refuses every altered bit, another counter and another key") {
    const AeadKey key = counting_key(1);
    std::vector<std::uint8_t> packet = from_hex("a7011001000000000000000100020304");
    std::array<std::uint8_t, aead_tag_bytes> tag{};
    aead_seal(key, nonce_of(9), packet, {}, tag.data());
    REQUIRE(aead_open(key, nonce_of(9), packet, {}, tag.data()));

    unsigned accepted = 0;
    for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
        packet[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        accepted += aead_open(key, nonce_of(9), packet, {}, tag.data()) ? 1u : 0u;
        packet[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    }
    for (std::size_t bit = 0; bit < tag.size() * 8; ++bit) {
        tag[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        accepted += aead_open(key, nonce_of(9), packet, {}, tag.data()) ? 1u : 0u;
        tag[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    }
    CHECK(accepted == 0);
    CHECK_FALSE(aead_open(key, nonce_of(8), packet, {}, tag.data()));
    CHECK_FALSE(aead_open(counting_key(2), nonce_of(9), packet, {}, tag.data()));
    CHECK_FALSE(aead_open(key, nonce_of(9), ConstBytes(packet).first(15), {}, tag.data()));
}

TEST_CASE("a record that does not open leaves no plaintext behind") {
    const AeadKey key = counting_key(1);
    std::vector<std::uint8_t> record(40, 0x5a);
    std::array<std::uint8_t, aead_tag_bytes> tag{};
    aead_seal(key, nonce_of(1), {}, record, tag.data());
    CHECK(record[0] != 0x5a);
    record[3] ^= 1;
    CHECK_FALSE(aead_open(key, nonce_of(1), {}, record, tag.data()));
    CHECK(std::all_of(record.begin(), record.end(), [](std::uint8_t b) { return b == 0; }));
}

}  // namespace wt::crypto
