// SPDX-License-Identifier: MIT
//
// Byte streams at their ends, little endian whatever the machine; and serial numbers around half
// of their range.
#include "engine/base/bytes.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "engine/base/serial.hpp"

namespace wt {

TEST_CASE("integers are written with the lowest byte first") {
    std::array<std::uint8_t, 15> room{};
    ByteWriter writer(room);
    CHECK(writer.u8(0x01));
    CHECK(writer.u16(0x0302));
    CHECK(writer.u32(0x0706'0504));
    CHECK(writer.u64(0x0f0e'0d0c'0b0a'0908));
    for (std::size_t i = 0; i < room.size(); ++i)
        CHECK(room[i] == i + 1);
    CHECK(writer.left() == 0);
    CHECK(!writer.failed());

    ByteReader reader(room);
    std::uint8_t a = 0;
    std::uint16_t b = 0;
    std::uint32_t c = 0;
    std::uint64_t d = 0;
    CHECK(reader.u8(a));
    CHECK(reader.u16(b));
    CHECK(reader.u32(c));
    CHECK(reader.u64(d));
    CHECK(a == 0x01);
    CHECK(b == 0x0302);
    CHECK(c == 0x0706'0504);
    CHECK(d == 0x0f0e'0d0c'0b0a'0908);
    CHECK(reader.left() == 0);
    CHECK(!reader.failed());
}

TEST_CASE("a write that does not fit writes nothing, and is remembered") {
    std::array<std::uint8_t, 4> room = {9, 9, 9, 9};
    ByteWriter writer(room);
    CHECK(writer.u8(1));
    CHECK(!writer.u32(0x0505'0505));
    CHECK(writer.failed());
    CHECK(writer.written() == 1);
    CHECK(room[1] == 9);
    const std::array<std::uint8_t, 4> four = {5, 5, 5, 5};
    CHECK(!writer.bytes(four));
    CHECK(!writer.zeros(4));
    CHECK(room[1] == 9);
    // What fits still goes in: three bytes exactly.
    CHECK(writer.bytes(ConstBytes(four).first(3)));
    CHECK(writer.left() == 0);
    CHECK(writer.bytes({}));
    CHECK(writer.zeros(0));
    CHECK(!writer.u8(1));
    CHECK(writer.failed());
    CHECK(writer.view().size() == 4);
}

TEST_CASE("a read past the end leaves cursor and value alone, and is remembered") {
    const std::array<std::uint8_t, 3> source = {1, 2, 3};
    ByteReader reader(source);
    std::uint32_t word = 77;
    CHECK(!reader.u32(word));
    CHECK(word == 77);
    CHECK(reader.position() == 0);
    CHECK(reader.failed());
    std::array<std::uint8_t, 4> four = {8, 8, 8, 8};
    CHECK(!reader.bytes(four));
    CHECK(four[0] == 8);
    ConstBytes view;
    CHECK(!reader.view(4, view));
    CHECK(view.empty());
    CHECK(reader.view(3, view));
    CHECK(view.data() == source.data());
    CHECK(reader.left() == 0);
    CHECK(reader.view(0, view));
    std::uint8_t byte = 5;
    CHECK(!reader.u8(byte));
    CHECK(byte == 5);
}

TEST_CASE("serial numbers: newer reaches to one before the half") {
    CHECK(serial_newer<std::uint16_t>(1, 0));
    CHECK(!serial_newer<std::uint16_t>(0, 0));
    CHECK(!serial_newer<std::uint16_t>(0, 1));
    CHECK(serial_newer<std::uint16_t>(0x7fff, 0));
    CHECK(!serial_newer<std::uint16_t>(0x8000, 0));
    CHECK(!serial_newer<std::uint16_t>(0, 0x8000));
    CHECK(serial_newer<std::uint16_t>(0, 0x8001));
    CHECK(serial_newer<std::uint16_t>(0, 0xffff));
    CHECK(serial_newer<std::uint8_t>(3, 0xfe));
    CHECK(serial_newer<std::uint64_t>(0, ~std::uint64_t{0}));
}

TEST_CASE("serial numbers: the antipode has no order") {
    CHECK(serial_ambiguous<std::uint16_t>(0x8000, 0));
    CHECK(serial_ambiguous<std::uint16_t>(0, 0x8000));
    CHECK(!serial_ambiguous<std::uint16_t>(0x7fff, 0));
    CHECK(!serial_ambiguous<std::uint16_t>(0x8001, 0));
    CHECK(serial_distance<std::uint16_t>(0xfffe, 3) == 5);
    CHECK(serial_distance<std::uint16_t>(3, 0xfffe) == 0xfffb);
}

}  // namespace wt
