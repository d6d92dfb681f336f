// SPDX-License-Identifier: MIT
//
// A state as bits: whole, or as its difference from another one that the reader has. The layout of
// both stands in README.md. Differences are modulo the field's width, in zigzag form, so that a
// class of n bits holds exactly those of [-2^(n-1), 2^(n-1)).
// Spec: 001, replication (delta against acknowledged quantised baselines).
#pragma once

#include <cstdint>

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

// Nearly every delta is of hot fields alone and fits one load: one row says where everything is.
// Written field by field where it shall stay: a copy right after would wait for the stores.
inline void read_delta(const Layout& layout, const State& base, BitSource& source, State& out) {
    const std::uint64_t word = source.peek();
    const HotRow& row = layout.hot[word & layout.hot_mask];
    const bool cold = (word >> (2 * layout.hot_count) & layout.cold_flag) != 0;
    if (cold || row.total > 57) [[unlikely]] {
        out = read_wide_delta(layout, base, source);
        return;
    }
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t code =
            static_cast<std::uint32_t>(word >> row.offset[i]) & ((1u << row.width[i]) - 1);
        out.fields[i] = unzigzag(base.fields[i], code, layout.width[i][3]);
    }
    out.fields[4] = base.fields[4];
    source.skip(row.total);
}

}  // namespace wt::replication
