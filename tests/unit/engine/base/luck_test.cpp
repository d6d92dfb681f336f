// SPDX-License-Identifier: MIT
//
// Values of mixing, hashing, digests and luck, pinned: they are equal on every machine, or no
// digest is. Worked out by tests/golden/tools/make_luck.py.
#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "engine/base/digest.hpp"
#include "engine/base/entropy.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/rng.hpp"

namespace wt {

constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("mixing folds the whole product") {
    CHECK(mix(0, 5) == 0);
    CHECK(mix(3, 7) == 0x15);
    CHECK(mix(all_ones, all_ones) == all_ones);
    CHECK(mix(std::uint64_t{1} << 63, 6) == 3);
}

TEST_CASE("hashes of 0 to 255 bytes, around every step of the loops") {
    std::array<std::uint8_t, 256> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i);
    const auto hash = [&](std::size_t count) {
        return hash_bytes(ConstBytes(bytes).first(count), 0x1234);
    };
    CHECK(hash(0) == 0xb24c'ec3e'76a4'6147);
    CHECK(hash(1) == 0x1241'8a38'c6a8'7b24);
    CHECK(hash(7) == 0x1584'5ec9'ed0f'81d0);
    CHECK(hash(8) == 0xff36'1c43'aba2'd9fe);
    CHECK(hash(31) == 0x65d7'ea9f'93d8'2e31);
    CHECK(hash(32) == 0x189f'b99e'93ca'9f2c);
    CHECK(hash(33) == 0x2395'5e33'8383'5e02);
    CHECK(hash(255) == 0x4a35'0b3d'06b7'f57a);
}

TEST_CASE("zero bytes at the end count, and so does the key") {
    const std::array<std::uint8_t, 2> zeros{};
    CHECK(hash_bytes(ConstBytes(zeros).first(1), 1) != hash_bytes(zeros, 1));
    CHECK(hash_bytes(zeros, 1) != hash_bytes(zeros, 2));
}

TEST_CASE("a digest chains its records") {
    Digest digest;
    CHECK(digest.value() == DigestValue{1, 2});
    digest.add(1, 2, 3, 4);
    CHECK(digest.value() == DigestValue{0xf901'09d2'335f'6b4f, 0x9bfa'e5cd'5f70'f652});
    digest.add(0, 0, 0, 0);
    CHECK(digest.value() == DigestValue{0xecaa'afd6'dd14'a662, 0xb207'607d'd260'f861});
    CHECK(digest.records() == 2);
}

TEST_CASE("order and every bit of every field change a digest") {
    const auto of = [](std::array<std::uint64_t, 4> first, std::array<std::uint64_t, 4> second) {
        Digest digest;
        digest.add(first[0], first[1], first[2], first[3]);
        digest.add(second[0], second[1], second[2], second[3]);
        return digest.value();
    };
    const std::array<std::uint64_t, 4> a = {1, 2, 3, 4};
    const std::array<std::uint64_t, 4> b = {5, 6, 7, 8};
    const DigestValue whole = of(a, b);
    CHECK(of(b, a) != whole);
    for (std::size_t field = 0; field < 4; ++field) {
        for (unsigned bit = 0; bit < 64; ++bit) {
            std::array<std::uint64_t, 4> turned = a;
            turned[field] ^= std::uint64_t{1} << bit;
            CHECK(of(turned, b) != whole);
        }
    }
}

TEST_CASE("keys and draws are a function of seed, names and place") {
    CHECK(LuckKey::root(1).value == 0x1650'6278'cacb'0050);
    CHECK(LuckKey::root(0).value == 0xb8e0'a65b'76f2'dd1e);
    const LuckKey key = LuckKey::root(1).with("runner").with(17);
    CHECK(key.value == 0x6f23'b4ec'de06'cb39);
    CHECK(LuckKey::root(1).with("").value == 0xabc7'e225'03c0'17ea);
    CHECK(key.draw(0) == 0xa443'2df8'5b6c'2c8c);
    CHECK(key.draw(1) == 0x5b41'5e7c'7560'fa6d);
    CHECK(key.draw(2) == 0x589c'4cc2'ee98'03af);
    CHECK(key.draw(all_ones) == 0x5c03'7290'73b6'8a9b);
}

TEST_CASE("names that run together are different names") {
    const LuckKey root = LuckKey::root(7);
    CHECK(root.with("ab").with("c").value != root.with("a").with("bc").value);
    CHECK(root.with("a").value != root.with("a").with("").value);
    CHECK(root.with("a").with(1).value != root.with(1).with("a").value);
}

TEST_CASE("uniform numbers reach both ends of their range") {
    CHECK(uniform_below(0, 10) == 0);
    CHECK(uniform_below(all_ones, 10) == 9);
    CHECK(uniform_below(all_ones, 1) == 0);
    CHECK(uniform_below(all_ones, 0) == 0);
    CHECK(uniform_below(all_ones, all_ones) == all_ones - 1);
    // The step from 4 to 5 of 10 lies at exactly half of the draws.
    CHECK(uniform_below((std::uint64_t{1} << 63) - 1, 10) == 4);
    CHECK(uniform_below(std::uint64_t{1} << 63, 10) == 5);
}

TEST_CASE("a stream is its key's draws in order") {
    const LuckKey key = LuckKey::root(1).with("runner").with(17);
    LuckStream stream(key);
    CHECK(stream.next() == key.draw(0));
    CHECK(stream.next() == key.draw(1));
    CHECK(stream.drawn() == 2);
    CHECK(!stream.holds(Chance::never()));
    CHECK(stream.holds(Chance::always()));
    CHECK(stream.drawn() == 4);
}

TEST_CASE("entropy from luck: bytes of the draws, little endian, none kept back") {
    const LuckKey key = LuckKey::root(1).with("runner").with(17);
    LuckStream stream(key);
    Entropy entropy = Entropy::from_luck(stream);
    std::array<std::uint8_t, 9> bytes{};
    entropy.fill(bytes);
    const std::array<std::uint8_t, 9> expected = {0x8c, 0x2c, 0x6c, 0x5b, 0xf8,
                                                  0x2d, 0x43, 0xa4, 0x6d};
    CHECK(bytes == expected);
    // The second draw was begun; the next fill starts at the third.
    CHECK(stream.drawn() == 2);
    entropy.fill(MutableBytes(bytes).first(1));
    CHECK(bytes[0] == 0xaf);
    CHECK(bytes[1] == 0x2c);
    entropy.fill({});
    CHECK(stream.drawn() == 3);
}

}  // namespace wt
