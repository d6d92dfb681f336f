// SPDX-License-Identifier: MIT
//
// The null suite fails where the real one fails: other keys, other counters, altered packets and
// public keys. And it encrypts nothing.
#include "simulator/cipher/null_suite.hpp"

#include <doctest/doctest.h>

#include "engine/base/rng.hpp"
#include "engine/secure/real_suite.hpp"

namespace wt::sim {

using secure::Key;
using secure::Proof;
using secure::PublicKey;
using secure::SecretKey;

namespace {

struct Pair {
    SecretKey secret{};
    PublicKey key{};
};

Pair pair_of(std::uint64_t seed) {
    LuckStream luck(LuckKey::root(seed));
    Entropy entropy = Entropy::from_luck(luck);
    Pair pair;
    NullSuite::make_key_pair(entropy, pair.secret, pair.key);
    return pair;
}

}  // namespace

TEST_CASE("both sides agree, and an altered public key parts them") {
    const Pair a = pair_of(1);
    const Pair b = pair_of(2);
    Key here{};
    Key there{};
    REQUIRE(NullSuite::agree(a.secret, b.key, here));
    REQUIRE(NullSuite::agree(b.secret, a.key, there));
    CHECK(here == there);
    CHECK(here != Key{});
    unsigned parted = 0;
    for (std::size_t bit = 0; bit < 256; ++bit) {
        PublicKey altered = a.key;
        altered[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        Key other{};
        REQUIRE(NullSuite::agree(b.secret, altered, other));
        parted += other != here ? 1u : 0u;
    }
    CHECK(parted == 256);
}

TEST_CASE("low-order keys of the real curve are refused here too") {
    const Pair a = pair_of(1);
    Key untouched{5};
    CHECK_FALSE(NullSuite::agree(a.secret, PublicKey{}, untouched));
    CHECK_FALSE(NullSuite::agree(a.secret, PublicKey{1}, untouched));
    CHECK(untouched == Key{5});
}

TEST_CASE("the same number of entropy bytes is drawn as by the real suite") {
    LuckStream null_luck(LuckKey::root(1));
    LuckStream real_luck(LuckKey::root(1));
    Entropy null_entropy = Entropy::from_luck(null_luck);
    Entropy real_entropy = Entropy::from_luck(real_luck);
    Pair pair;
    NullSuite::make_key_pair(null_entropy, pair.secret, pair.key);
    secure::RealSuite::make_key_pair(real_entropy, pair.secret, pair.key);
    CHECK(null_luck.drawn() == real_luck.drawn());
}

TEST_CASE("derived keys differ by material, context and label") {
    const std::array<std::uint8_t, 3> context = {1, 2, 3};
    Key base{};
    Key other{};
    NullSuite::derive(Key{1}, context, "a", base);
    NullSuite::derive(Key{2}, context, "a", other);
    CHECK(other != base);
    NullSuite::derive(Key{1}, ConstBytes(context).first(2), "a", other);
    CHECK(other != base);
    NullSuite::derive(Key{1}, context, "b", other);
    CHECK(other != base);
    NullSuite::derive(Key{1}, context, "a", other);
    CHECK(other == base);
}

TEST_CASE("proofs verify, and no altered one does") {
    const std::array<std::uint8_t, 5> bytes = {1, 2, 3, 4, 5};
    Proof proof{};
    NullSuite::prove(Key{1}, bytes, proof);
    CHECK(NullSuite::verify(Key{1}, bytes, proof));
    CHECK_FALSE(NullSuite::verify(Key{2}, bytes, proof));
    CHECK_FALSE(NullSuite::verify(Key{1}, ConstBytes(bytes).first(4), proof));
    for (std::uint8_t& byte : proof) {
        byte ^= 1;
        CHECK_FALSE(NullSuite::verify(Key{1}, bytes, proof));
        byte ^= 1;
    }
}

TEST_CASE("a packet's word refuses every altered bit, another counter and another key") {
    std::array<std::uint8_t, 40> packet{};
    std::array<std::uint8_t, secure::tag_bytes> tag{};
    NullSuite::seal_packet(Key{1}, 7, packet, tag.data());
    CHECK(NullSuite::open_packet(Key{1}, 7, packet, tag.data()));
    CHECK_FALSE(NullSuite::open_packet(Key{1}, 8, packet, tag.data()));
    CHECK_FALSE(NullSuite::open_packet(Key{2}, 7, packet, tag.data()));
    CHECK_FALSE(NullSuite::open_packet(Key{1}, 7, ConstBytes(packet).first(39), tag.data()));
    unsigned passed = 0;
    for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
        packet[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        passed += NullSuite::open_packet(Key{1}, 7, packet, tag.data()) ? 1u : 0u;
        packet[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    }
    for (std::size_t bit = 0; bit < tag.size() * 8; ++bit) {
        tag[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
        passed += NullSuite::open_packet(Key{1}, 7, packet, tag.data()) ? 1u : 0u;
        tag[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    }
    CHECK(passed == 0);
}

TEST_CASE("a record stays as it is, and opens only with its key, counter and size") {
    std::array<std::uint8_t, 20> record{};
    record.fill(0x5a);
    const std::array<std::uint8_t, 20> plain = record;
    std::array<std::uint8_t, secure::tag_bytes> tag{};
    NullSuite::seal_record(Key{1}, 3, record, tag.data());
    CHECK(record == plain);
    CHECK(NullSuite::open_record(Key{1}, 3, record, tag.data()));
    CHECK_FALSE(NullSuite::open_record(Key{1}, 4, record, tag.data()));
    CHECK_FALSE(NullSuite::open_record(Key{3}, 3, record, tag.data()));
    CHECK_FALSE(NullSuite::open_record(Key{1}, 3, MutableBytes(record).first(19), tag.data()));
}

}  // namespace wt::sim
