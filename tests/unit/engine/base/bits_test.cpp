// SPDX-License-Identifier: MIT
#include "engine/base/bits.hpp"

#include <doctest/doctest.h>

#include <array>

namespace wt {

TEST_CASE("the golden bits of seed 001 come out and go in") {
    std::array<std::uint8_t, 6> bytes{};
    BitWriter writer(bytes);
    CHECK(writer.bits(5, 3) == BitStatus::ok);
    CHECK(writer.bits(17, 5) == BitStatus::ok);
    CHECK(writer.bits(0x1234'5678, 32) == BitStatus::ok);
    CHECK(writer.bits(1, 1) == BitStatus::ok);
    CHECK(writer.align() == BitStatus::ok);
    CHECK(writer.bit_count() == 48);
    const std::array<std::uint8_t, 6> golden = {0x8d, 0x78, 0x56, 0x34, 0x12, 0x01};
    CHECK(bytes == golden);

    BitReader reader(golden);
    std::uint32_t value = 0;
    CHECK(reader.bits(value, 3) == BitStatus::ok);
    CHECK(value == 5);
    CHECK(reader.bits(value, 5) == BitStatus::ok);
    CHECK(value == 17);
    CHECK(reader.bits(value, 32) == BitStatus::ok);
    CHECK(value == 0x1234'5678);
    CHECK(reader.bits(value, 1) == BitStatus::ok);
    CHECK(value == 1);
    CHECK(reader.align() == BitStatus::ok);
    CHECK(reader.left() == 0);
}

TEST_CASE("padding that is not zero is malformed and the cursor stays") {
    const std::array<std::uint8_t, 6> bent = {0x8d, 0x78, 0x56, 0x34, 0x12, 0x81};
    BitReader reader(bent);
    std::uint32_t value = 0;
    CHECK(reader.bits(value, 8) == BitStatus::ok);
    CHECK(reader.bits(value, 32) == BitStatus::ok);
    CHECK(reader.bits(value, 1) == BitStatus::ok);
    CHECK(reader.align() == BitStatus::malformed);
    CHECK(reader.bit_count() == 41);
}

TEST_CASE("every width at every offset keeps the bits on both sides") {
    for (unsigned width = 0; width <= 32; ++width) {
        for (unsigned offset = 0; offset < 8; ++offset) {
            const std::uint32_t all = width == 32 ? 0xffff'ffff : (std::uint32_t{1} << width) - 1;
            for (const std::uint32_t pattern : {0u, 0xa5c3'96f0u, 0xffff'ffffu}) {
                for (const std::uint8_t ground : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
                    std::array<std::uint8_t, 6> bytes{};
                    bytes.fill(ground);
                    BitWriter writer(bytes);
                    // Skips to the offset by writing what is there already.
                    REQUIRE(writer.bits(ground & ((1u << offset) - 1), offset) == BitStatus::ok);
                    REQUIRE(writer.bits(pattern & all, width) == BitStatus::ok);
                    REQUIRE(writer.bit_count() == offset + width);

                    std::uint64_t word = 0;
                    for (unsigned i = 0; i < 6; ++i)
                        word |= std::uint64_t{bytes[i]} << (8 * i);
                    const std::uint64_t field = std::uint64_t{all} << offset;
                    const std::uint64_t around = ground != 0 ? 0xffff'ffff'ffff : 0;
                    REQUIRE((word & ~field) == (around & ~field));
                    REQUIRE((word & field) == std::uint64_t{pattern & all} << offset);

                    BitReader reader(bytes);
                    std::uint32_t value = 0;
                    REQUIRE(reader.bits(value, offset) == BitStatus::ok);
                    REQUIRE(reader.bits(value, width) == BitStatus::ok);
                    REQUIRE(value == (pattern & all));
                }
            }
        }
    }
}

TEST_CASE("a refused write changes nothing") {
    std::array<std::uint8_t, 2> bytes = {0xee, 0xee};
    BitWriter writer(bytes);
    CHECK(writer.bits(1, 0) == BitStatus::invalid_argument);
    CHECK(writer.bits(0, 0) == BitStatus::ok);
    CHECK(writer.bits(0, 33) == BitStatus::invalid_argument);
    CHECK(writer.bits(8, 3) == BitStatus::invalid_argument);
    CHECK(writer.bits(0x1'0000, 17) == BitStatus::no_room);
    CHECK(bytes == std::array<std::uint8_t, 2>{0xee, 0xee});
    CHECK(writer.bit_count() == 0);
    CHECK(writer.bits(0xffff, 16) == BitStatus::ok);
    CHECK(writer.bits(0, 1) == BitStatus::no_room);
    CHECK(writer.bits(0, 0) == BitStatus::ok);

    BitWriter unaligned(bytes);
    CHECK(unaligned.bits(1, 1) == BitStatus::ok);
    const std::array<std::uint8_t, 1> one = {7};
    CHECK(unaligned.bytes(one) == BitStatus::invalid_argument);
    CHECK(unaligned.align() == BitStatus::ok);
    CHECK(unaligned.bytes(bytes) == BitStatus::no_room);
    CHECK(unaligned.bytes(one) == BitStatus::ok);
    CHECK(bytes == std::array<std::uint8_t, 2>{0x01, 0x07});
}

TEST_CASE("a refused read leaves cursor and value alone") {
    const std::array<std::uint8_t, 1> bytes = {0x5a};
    BitReader reader(bytes);
    std::uint32_t value = 99;
    CHECK(reader.bits(value, 33) == BitStatus::invalid_argument);
    CHECK(reader.bits(value, 9) == BitStatus::no_room);
    CHECK(value == 99);
    CHECK(reader.bit_count() == 0);
    CHECK(reader.bits(value, 4) == BitStatus::ok);
    CHECK(value == 0xa);
    std::array<std::uint8_t, 1> target = {1};
    CHECK(reader.bytes(target) == BitStatus::invalid_argument);
    CHECK(reader.bits(value, 4) == BitStatus::ok);
    CHECK(value == 0x5);
    CHECK(reader.bytes(target) == BitStatus::no_room);
    CHECK(target[0] == 1);
    CHECK(reader.bits(value, 0) == BitStatus::ok);
    CHECK(value == 0);
}

}  // namespace wt
