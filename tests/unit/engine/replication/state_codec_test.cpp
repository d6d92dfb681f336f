// SPDX-License-Identifier: MIT
#include "engine/replication/state_codec.hpp"

#include <doctest/doctest.h>

#include <array>

#include "engine/base/bits.hpp"
#include "engine/base/rng.hpp"
#include "tests/support/replication_schemas.hpp"

namespace wt::replication::state_codec_test {

namespace {

State echo(const Layout& layout, const State& base, const State& state, std::uint32_t& bits) {
    std::array<std::uint8_t, 32> room{};
    const StateBits packed = make_delta(layout, base, state);
    bits = packed.count;
    BitPacker packer(room);
    packer.put(5, 3);  // Not at a byte's edge.
    put(packer, packed);
    CHECK(packer.bit_count() == packed.count + 3u);
    BitSource source(ConstBytes(room).first(packer.finish()));
    CHECK(source.take(3) == 5);
    State out;
    read_delta(layout, base, source, out);
    CHECK(source.bit_count() == packed.count + 3u);
    CHECK_FALSE(source.overran());
    return out;
}

}  // namespace

TEST_CASE("deltas: every class ends where its width says") {
    const SchemaSet schemas = test_schemas();
    const Layout& layout = schemas.layout(0);
    const State base{{1'000, 65'530, 4'090, 100, 3}};
    // x has classes of 7, 10 and 16 bits; 3 hot codes and the cold flag are 7 bits.
    const std::array<std::pair<int, std::uint32_t>, 10> cases = {{{0, 7},
                                                                  {63, 14},
                                                                  {64, 17},
                                                                  {-64, 14},
                                                                  {-65, 17},
                                                                  {511, 17},
                                                                  {512, 23},
                                                                  {-512, 17},
                                                                  {-513, 23},
                                                                  {32'767, 23}}};
    for (const auto& one : cases) {
        const int by = one.first;
        const std::uint32_t width = one.second;
        CAPTURE(by);
        State state = base;
        state.fields[0] = static_cast<std::uint16_t>(state.fields[0] + by);
        std::uint32_t bits = 0;
        CHECK(echo(layout, base, state, bits) == state);
        CHECK(bits == width);
    }
    // Over the end of a field's width: the short way.
    State turned = base;
    turned.fields[1] = 5;
    turned.fields[2] = 3;
    std::uint32_t bits = 0;
    CHECK(echo(layout, base, turned, bits) == turned);
    CHECK(bits == 7 + 7 + 5);
}

TEST_CASE("deltas: any state from any other, in at most 91 bits") {
    SchemaSet schemas = test_schemas();
    Schema wide{.kind = 9, .name = "wide", .field_count = 5, .hot_count = 4};
    Schema flat{.kind = 10, .name = "flat", .field_count = 1, .hot_count = 0};
    for (unsigned i = 0; i < fields_max; ++i)
        wide.fields[i] = {.name = "w", .bits = 16, .small_bits = 1, .medium_bits = 15};
    flat.fields[0] = {.name = "f", .bits = 1, .small_bits = 1, .medium_bits = 1};
    REQUIRE(schemas.add(wide) == SchemaStatus::ok);
    REQUIRE(schemas.add(flat) == SchemaStatus::ok);
    LuckStream luck(LuckKey::root(7).with("codec"));
    for (int round = 0; round < 20'000; ++round) {
        const Layout& layout = schemas.layout(static_cast<std::uint8_t>(luck.below(6)));
        State base;
        State state;
        for (unsigned i = 0; i < layout.field_count; ++i) {
            const std::uint64_t range = std::uint64_t{1} << layout.width[i][3];
            base.fields[i] = static_cast<std::uint16_t>(luck.below(range));
            state.fields[i] =
                luck.below(3) == 0
                    ? base.fields[i]
                    : static_cast<std::uint16_t>(
                          (base.fields[i] + luck.below(luck.below(range) + 1)) % range);
        }
        std::uint32_t bits = 0;
        REQUIRE(echo(layout, base, state, bits) == state);
        REQUIRE(bits <= 91);
        std::array<std::uint8_t, 16> room{};
        BitPacker packer(room);
        put(packer, make_absolute(layout, state));
        BitSource source(ConstBytes(room).first(packer.finish()));
        REQUIRE(read_absolute(layout, source) == state);
        REQUIRE(source.bit_count() == layout.absolute_bits);
    }
}

TEST_CASE("bits: packed 64 at a time they are those of the plain stream") {
    LuckStream luck(LuckKey::root(8).with("bits"));
    for (int round = 0; round < 500; ++round) {
        std::array<std::uint8_t, 64> fast{};
        std::array<std::uint8_t, 64> plain{};
        BitPacker packer(fast);
        BitWriter writer(plain);
        for (int i = 0; i < 12; ++i) {
            const unsigned width = static_cast<unsigned>(luck.below(33));
            const std::uint32_t value =
                static_cast<std::uint32_t>(luck.below(std::uint64_t{1} << width));
            packer.put(value, width);
            REQUIRE(writer.bits(value, width) == BitStatus::ok);
        }
        REQUIRE(packer.finish() == writer.byte_count());
        REQUIRE(fast == plain);
    }
}

TEST_CASE("bits: neither end goes past its memory") {
    std::array<std::uint8_t, 12> room{};
    room.fill(0xaa);
    BitPacker packer(MutableBytes(room).first(9));
    packer.put(~std::uint64_t{0}, 64);
    packer.put(0xff, 8);
    CHECK_FALSE(packer.overran());
    packer.put(1, 1);
    CHECK(packer.finish() == 10);
    CHECK(packer.overran());
    CHECK(room[8] == 0xff);
    CHECK(room[9] == 0xaa);
    BitSource source(ConstBytes(room).first(9));
    source.skip(64);
    CHECK(source.take(8) == 0xff);
    CHECK_FALSE(source.overran());
    CHECK(source.take(1) == 0);
    CHECK(source.overran());
}

}  // namespace wt::replication::state_codec_test
