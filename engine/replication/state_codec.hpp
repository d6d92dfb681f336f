// SPDX-License-Identifier: MIT
//
// A state as bits: whole, or as its difference from another one that the reader has. The layout of
// both stands in README.md. Differences are modulo the field's width, in zigzag form, so that a
// class of n bits holds exactly those of [-2^(n-1), 2^(n-1)).
// Spec: 001, replication (delta against acknowledged quantised baselines).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/replication/bit_pack.hpp"
#include "engine/replication/schema.hpp"

namespace wt::replication {

// At most 2 x 5 codes + 1 + 5 x 16 = 91 bits.
struct StateBits {
    std::uint64_t low = 0;
    std::uint32_t high = 0;  // Bits from 64 on.
    std::uint16_t count = 0;
    std::uint16_t tag = 0;  // Free for whoever keeps them.
};

[[nodiscard]] StateBits make_absolute(const Layout& layout, const State& state);
[[nodiscard]] StateBits make_delta(const Layout& layout, const State& base, const State& state);

inline void put(BitPacker& packer, const StateBits& bits) {
    if (bits.count <= 64) {
        packer.put(bits.low, bits.count);
        return;
    }
    packer.put(bits.low, 64);
    packer.put(bits.high, bits.count - 64);
}

// The field that lies `code` (zigzag) from `from`, modulo its width.
[[nodiscard]] inline std::uint16_t unzigzag(std::uint16_t from, std::uint32_t code, unsigned bits) {
    const std::uint32_t ahead = (code >> 1) ^ (0u - (code & 1u));
    return static_cast<std::uint16_t>((from + ahead) & ((1u << bits) - 1));
}

// What was packed comes back. Bytes of strangers give some state that fits the layout.
[[nodiscard]] State read_absolute(const Layout& layout, BitSource& source);
[[nodiscard]] State read_wide_delta(const Layout& layout, const State& base, BitSource& source);

// The first four fields side by side in one word, the first one lowest.
[[nodiscard]] inline std::uint64_t lanes_of(const State& state) {
    std::uint64_t lanes = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&lanes, state.fields.data(), sizeof lanes);
    } else {
        for (unsigned i = 0; i < 4; ++i)
            lanes |= std::uint64_t{state.fields[i]} << (16 * i);
    }
    return lanes;
}
inline void put_lanes(std::uint64_t lanes, State& state) {
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(state.fields.data(), &lanes, sizeof lanes);
    } else {
        for (unsigned i = 0; i < 4; ++i)
            state.fields[i] = static_cast<std::uint16_t>(lanes >> (16 * i));
    }
}
// base + what the codes (zigzag) say, each lane for itself, modulo 2^16.
[[nodiscard]] constexpr std::uint64_t add_zigzag_lanes(std::uint64_t base, std::uint64_t codes) {
    constexpr std::uint64_t lowest = 0x0001'0001'0001'0001;
    constexpr std::uint64_t highest = lowest << 15;
    const std::uint64_t signs = (codes & lowest) * 0xffff;  // All ones in the negative lanes.
    const std::uint64_t ahead = (codes >> 1 & ~highest) ^ signs;
    // The highest bits are added without carry, so that no lane spills into the next.
    return ((base & ~highest) + (ahead & ~highest)) ^ ((base ^ ahead) & highest);
}

// Where the differences stand in a delta whose first bits are the lowest of `word`.
[[nodiscard]] inline const HotRow& find_hot(const Layout& layout, std::uint64_t word) {
    return layout.hot[word & layout.hot_mask];
}
// The four fields are added at once. Every field is masked, so that one that this kind does not
// have is 0 whatever the base was.
inline void apply_hot(const Layout& layout, const HotRow& row, std::uint64_t word,
                      const State& base, State& out) {
    const std::uint64_t codes =
        (word >> row.offset[0] & row.mask[0]) | (word >> row.offset[1] & row.mask[1]) << 16 |
        (word >> row.offset[2] & row.mask[2]) << 32 | (word >> row.offset[3] & row.mask[3]) << 48;
    put_lanes(add_zigzag_lanes(lanes_of(base), codes) & layout.lane_mask, out);
    out.fields[4] = static_cast<std::uint16_t>(base.fields[4] & layout.last_mask);
}

// Nearly every delta is of hot fields alone and fits one load: one row says where everything is.
inline void read_delta(const Layout& layout, const State& base, BitSource& source, State& out) {
    const std::uint64_t word = source.peek();
    const HotRow& row = find_hot(layout, word);
    static_assert(HotRow::not_whole > 57);
    if (row.total > 57) [[unlikely]] {
        // Of a copy, so that the source itself may stay in registers.
        BitSource wide = source;
        out = read_wide_delta(layout, base, wide);
        source = wide;
        return;
    }
    apply_hot(layout, row, word, base, out);
    source.skip(row.total);
}

}  // namespace wt::replication
