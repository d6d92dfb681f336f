// SPDX-License-Identifier: MIT
//
// Bit streams against a model that moves one bit at a time: values, cursors, and that a refusal
// changes nothing.
#include <vector>

#include "engine/base/bits.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;

bool bit_at(ConstBytes bytes, std::size_t at) {
    return (bytes[at / 8] >> (at % 8) & 1) != 0;
}

void check_read(ConstBytes source, BitReader& reader, unsigned width) {
    const std::size_t before = reader.bit_count();
    constexpr std::uint32_t untouched = 0xdead'beef;
    std::uint32_t value = untouched;
    const BitStatus status = reader.bits(value, width);
    if (width > bit_width_max || width > source.size() * 8 - before) {
        WT_CHECK(status != BitStatus::ok);
        WT_CHECK(value == untouched);
        WT_CHECK(reader.bit_count() == before);
        return;
    }
    WT_CHECK(status == BitStatus::ok);
    WT_CHECK(reader.bit_count() == before + width);
    for (unsigned i = 0; i < width; ++i) {
        WT_CHECK((value >> i & 1u) == (bit_at(source, before + i) ? 1u : 0u));
    }
    for (unsigned i = width; i < 32; ++i) {
        WT_CHECK((value >> i & 1u) == 0);
    }
}

void check_align(ConstBytes source, BitReader& reader) {
    const std::size_t before = reader.bit_count();
    bool clean = true;
    std::size_t end = before;
    for (; end % 8 != 0; ++end)
        clean = clean && !bit_at(source, end);
    const BitStatus status = reader.align();
    WT_CHECK((status == BitStatus::ok) == clean);
    WT_CHECK(reader.bit_count() == (clean ? end : before));
}

void check_bytes(ConstBytes source, BitReader& reader, std::size_t count) {
    const std::size_t before = reader.bit_count();
    std::vector<std::uint8_t> target(count, 0xa5);
    const BitStatus status = reader.bytes(target);
    const bool fits = before % 8 == 0 && before / 8 + count <= source.size();
    WT_CHECK((status == BitStatus::ok) == fits);
    WT_CHECK(reader.bit_count() == before + (fits ? count * 8 : 0));
    for (std::size_t i = 0; i < count; ++i) {
        WT_CHECK(target[i] == (fits ? source[before / 8 + i] : 0xa5));
    }
}

// What was written is read back, and no bit beside it moved.
void check_write(fuzz::FuzzBytes& input) {
    std::vector<std::uint8_t> target(input.u8() % 32u);
    for (std::uint8_t& byte : target)
        byte = input.u8();
    BitWriter writer(target);
    while (!input.empty()) {
        const unsigned width = input.u8() % 40u;
        const std::uint32_t value = input.u32();
        const std::vector<std::uint8_t> held = target;
        const std::size_t before = writer.bit_count();
        const BitStatus status = writer.bits(value, width);
        const bool fits = width <= bit_width_max && std::uint64_t{value} >> width == 0 &&
                          width <= target.size() * 8 - before;
        WT_CHECK((status == BitStatus::ok) == fits);
        for (std::size_t i = 0; i < target.size() * 8; ++i) {
            const bool written = fits && i >= before && i < before + width;
            const bool expected = written ? (value >> (i - before) & 1u) != 0 : bit_at(held, i);
            WT_CHECK(bit_at(target, i) == expected);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::FuzzBytes input(data, size);
    if (input.u8() % 2 == 1) {
        check_write(input);
        return 0;
    }
    const ConstBytes source = input.bytes(input.u8());
    BitReader reader(source);
    while (!input.empty()) {
        const unsigned what = input.u8();
        if (what < 192) {
            check_read(source, reader, what % 48);
        } else if (what < 224) {
            check_align(source, reader);
        } else {
            check_bytes(source, reader, what - 224);
        }
    }
    return 0;
}
